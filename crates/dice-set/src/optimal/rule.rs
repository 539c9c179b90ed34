//! A rule as tables: every cell contains an outcome or the next table.

use super::search::ClosedRule;
use super::situation::Situation;
use super::step::Taking;
use crate::Die;
use crate::page::{MAX_TABLE_SIDES, RecipeBlock, RecipePage};
use crate::recipe::{Recipe, RecipePlace, letters};
use flipcost::law::{Chain, Step};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use std::collections::{BTreeSet, HashMap};

/// The maximum number of cells of a rule whose tables are built.
const MAX_CELLS: u64 = 20_000;
/// The maximum number of cells of a rule that is printed, so that it fits on one page.
const MAX_PRINTED_CELLS: u64 = 300;

/// The entry of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleCell {
    /// The outcome, counted from 0.
    Outcome(u64),
    /// The next line: the index of its table and its index in the table, counted from 0.
    Go(usize, usize),
}

/// Returns the largest number of lines on a path from the first line, where each line leads to
/// other lines or ends; `None` if a path may never end. Cost: linear in the number of lines and of
/// their successors.
///
/// ```
/// use flipcost_dice_set::longest_path;
/// assert_eq!(longest_path(&[vec![1, 2], vec![2], vec![]]), Some(3));
/// assert_eq!(longest_path(&[vec![1], vec![0]]), None);
/// ```
pub fn longest_path(next: &[Vec<usize>]) -> Option<u64> {
    // Find the lengths beginning with the last lines: for each line, count the successors whose
    // length is unknown.
    let mut before = vec![Vec::new(); next.len()];
    for (line, follows) in next.iter().enumerate() {
        follows.iter().for_each(|follow| before[*follow].push(line));
    }
    let mut open: Vec<usize> = next.iter().map(Vec::len).collect();
    let mut length = vec![1u64; next.len()];
    let mut ready: Vec<usize> = (0..next.len()).filter(|line| open[*line] == 0).collect();
    while let Some(line) = ready.pop() {
        for &earlier in &before[line] {
            length[earlier] = length[earlier].max(length[line] + 1);
            open[earlier] -= 1;
            if open[earlier] == 0 {
                ready.push(earlier);
            }
        }
    }
    match open.first() {
        Some(0) => Some(length[0]),
        Some(_) => None,
        None => Some(0),
    }
}

/// A table: a die, and on every line a cell for each of its faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUpTable {
    /// The die that is rolled.
    pub die: Die,
    /// The table's lines: a cell for every face.
    pub lines: Vec<Vec<RuleCell>>,
}

/// A rule as tables; it begins in the first line of the first table.
///
/// ```
/// use flipcost_dice_set::{Die, optimal};
/// use flipcost::task::Target;
/// let found = optimal(&Target::uniform(10u8)?, &[Die::new(4), Die::new(6)], 1_000_000, &mut |_| true)?;
/// let rule = found.rule.unwrap();
/// let (probabilities, cost) = rule.law().unwrap(); // by its absorbing chain
/// assert!(probabilities.iter().all(|p| p.to_string() == "1/10"));
/// assert_eq!(cost.to_string(), "83/40");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    outcomes: u64,
    tables: Vec<LookUpTable>,
}

impl LookUp {
    /// The maximum number of rolls; `None` if unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        let lines = |table: &LookUpTable| table.lines.len();
        let first: Vec<usize> = (self.tables.iter())
            .scan(0, |sum, table| {
                *sum += lines(table);
                Some(*sum - lines(table))
            })
            .collect();
        let follows = |cell: &RuleCell| match cell {
            RuleCell::Go(table, line) => Some(first[*table] + line),
            RuleCell::Outcome(_) => None,
        };
        let all = self.tables.iter().flat_map(|table| &table.lines);
        let next: Vec<Vec<usize>> = all
            .map(|line| line.iter().filter_map(follows).collect())
            .collect();
        longest_path(&next)
    }

    /// The number of cells of all tables.
    pub fn cells(&self) -> u64 {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        lines.map(|line| line.len() as u64).sum()
    }

    /// Returns the tables of a recipe; `None` if they have too many cells.
    pub(super) fn from_recipe(recipe: &Recipe) -> Option<LookUp> {
        let cells = |table: &crate::recipe::RecipeTable| {
            u128::from(table.nodes).saturating_mul(table.die.sides)
        };
        let all = recipe.tables().iter().map(cells);
        if all.fold(0, u128::saturating_add) > MAX_CELLS.into() {
            return None;
        }
        let mut tables: Vec<LookUpTable> = (recipe.tables().iter())
            .map(|table| LookUpTable {
                die: table.die.clone(),
                lines: Vec::new(),
            })
            .collect();
        for line in recipe.steps() {
            let cell = |step: &Step<RecipePlace>| match step {
                Step::Output(outcome) => RuleCell::Outcome(outcome.to_u64().expect("below n")),
                Step::Roll(place) => RuleCell::Go(place.table, place.position as usize),
            };
            let cells = line.faces.iter().map(cell).collect();
            tables[line.place.table].lines.push(cells);
        }
        Some(LookUp {
            outcomes: recipe.target(),
            tables,
        })
    }

    /// Returns the tables of a rule that a search found, for outcomes of these weights; `None` if
    /// there are too many cells.
    pub(super) fn new(rule: &ClosedRule, weights: &[u64], dice: &[Die]) -> Option<LookUp> {
        Builder::new(rule, weights, dice).build()
    }

    /// Returns the probabilities of the outcomes and the expected cost, from the absorbing chain of
    /// the tables; `None` if the chain has more than 10^6 transitions. Cost: as [`Chain::explore`].
    pub fn law(&self) -> Option<(Vec<Rational>, Rational)> {
        if self.tables.is_empty() {
            let sure = (0..self.outcomes).map(|i| match i {
                0 => Rational::one(),
                _ => Rational::zero(),
            });
            return Some((sure.collect(), Rational::zero()));
        }
        let (chain, places) = Chain::explore(
            Step::Roll((0, 0)),
            1_000_000,
            |&(table, line)| self.tables[table].lines[line].len() as u64,
            |&(table, line), face| match self.tables[table].lines[line][face as usize] {
                RuleCell::Outcome(outcome) => Step::Output(BigUint::from(outcome)),
                RuleCell::Go(table, line) => Step::Roll((table, line)),
            },
        )
        .ok()?;
        let price = |&(table, _): &(usize, usize)| self.tables[table].die.price.clone();
        let prices: Vec<Rational> = places.iter().map(price).collect();
        let probabilities = chain.probabilities();
        let of = |outcome: u64| {
            let known = probabilities.get(&BigUint::from(outcome));
            known.cloned().unwrap_or_default()
        };
        Some(((0..self.outcomes).map(of).collect(), chain.mean_of(&prices)))
    }

    /// Returns the tables as a page, with outcomes and faces from 1; `name` names a die and `label`
    /// an outcome. `None` if they do not fit on a page: they have more than 300 cells, or a die has
    /// more than 36 sides.
    pub fn page(
        &self,
        name: &dyn Fn(&Die) -> String,
        label: &dyn Fn(u64) -> String,
    ) -> Option<RecipePage> {
        let narrow = self
            .tables
            .iter()
            .all(|table| table.die.sides <= MAX_TABLE_SIDES);
        if self.cells() > MAX_PRINTED_CELLS || !narrow {
            return None;
        }
        let mut intro = Vec::new();
        let many = self.tables.len() > 1 || self.tables.iter().any(|table| table.lines.len() > 1);
        match self.tables.first() {
            None => intro.push("There is one outcome only: roll nothing.".to_string()),
            Some(first) => {
                intro.push(format!(
                    "Begin at A with the {}. Look up the face that you rolled. The entry is \
                     the outcome, and you are done{}.",
                    name(&first.die),
                    if many {
                        ", or a letter in brackets that says where to go on, with the line if \
                         there are several ([B3]): roll that table's own die and look up that line"
                    } else if first.lines[0].contains(&RuleCell::Go(0, 0)) {
                        ", or [A]: roll again"
                    } else {
                        ""
                    }
                ));
            }
        }
        let dice: BTreeSet<u128> = self.tables.iter().map(|table| table.die.sides).collect();
        if dice.contains(&2) {
            intro.push("The coin: 1 is heads, 2 is tails.".to_string());
        }
        if dice.contains(&10) {
            intro.push("The d10: read a face 0 as 10.".to_string());
        }
        let line_name = |table: usize, line: usize| match self.tables[table].lines.len() {
            1 => letters(table),
            _ => format!("{}{}", letters(table), line + 1),
        };
        let block = |(index, table): (usize, &LookUpTable)| {
            let verb = if table.die.sides == 2 { "flip" } else { "roll" };
            let faces = (1..=table.die.sides).map(|face| face.to_string());
            let head: Vec<String> = std::iter::once("face".to_string()).chain(faces).collect();
            let cell = |cell: &RuleCell| match *cell {
                RuleCell::Outcome(outcome) => label(outcome),
                RuleCell::Go(table, line) => format!("[{}]", line_name(table, line)),
            };
            let line = |(line, cells): (usize, &Vec<RuleCell>)| {
                let cells = cells.iter().map(cell);
                std::iter::once(line_name(index, line))
                    .chain(cells)
                    .collect()
            };
            RecipeBlock {
                name: letters(index),
                text: format!("{verb} the {}.", name(&table.die)),
                table: std::iter::once(head)
                    .chain(table.lines.iter().enumerate().map(line))
                    .collect(),
            }
        };
        let blocks = self.tables.iter().enumerate().map(block).collect();
        Some(RecipePage { intro, blocks })
    }

    /// Parses the tables from the words of a page; `None` if the page has no tables.
    pub fn read(
        page: &RecipePage,
        outcomes: u64,
        dice: &[Die],
        name: &dyn Fn(&Die) -> String,
        label: &dyn Fn(u64) -> String,
    ) -> Option<LookUp> {
        let numbers: HashMap<String, u64> = (0..outcomes).map(|i| (label(i), i)).collect();
        let mut places = HashMap::new();
        for (table, block) in page.blocks.iter().enumerate() {
            for (line, cells) in block.table.iter().skip(1).enumerate() {
                places.insert(format!("[{}]", cells.first()?), (table, line));
            }
        }
        let mut tables = Vec::new();
        for block in &page.blocks {
            let die = dice.iter().find(|die| {
                let name = name(die);
                block.text == format!("roll the {name}.")
                    || block.text == format!("flip the {name}.")
            })?;
            let cell = |text: &String| match places.get(text) {
                Some(&(table, line)) => Some(RuleCell::Go(table, line)),
                None => numbers.get(text).map(|&outcome| RuleCell::Outcome(outcome)),
            };
            let line = |cells: &Vec<String>| {
                let cells: Vec<RuleCell> = cells[1..].iter().map(cell).collect::<Option<_>>()?;
                (cells.len() as u128 == die.sides).then_some(cells)
            };
            tables.push(LookUpTable {
                die: die.clone(),
                lines: block.table[1..].iter().map(line).collect::<Option<_>>()?,
            });
        }
        Some(LookUp { outcomes, tables })
    }
}

/// A taking of an outcome of some deficit in a step, with the index of the deficit that remains
/// (`None` if nothing remains) and the number of outcomes that use this taking.
struct TakingFlow {
    taking: Taking,
    to: Option<usize>,
    count: u64,
}

/// The state of the search for a path of one outcome: a taking for each step.
struct PathSearch<'a> {
    /// The first step.
    from: usize,
    /// The deficit at the end, if it is prescribed.
    goal: Option<Option<usize>>,
    /// By step and deficit: how many outcomes may still use each taking.
    uses_left: &'a mut [Vec<Vec<u64>>],
    path: Vec<usize>,
    /// The pairs of a step and a deficit from which there is no path.
    dead_ends: BTreeSet<(usize, Option<usize>)>,
}

/// The state while a rule is laid out as tables.
struct Builder<'a> {
    rule: &'a ClosedRule,
    situations: Vec<&'a Situation>,
    /// All takings, for every step and every deficit.
    flows: Vec<Vec<Vec<TakingFlow>>>,
    dice: &'a [Die],
    weights: &'a [u64],
    tables: Vec<LookUpTable>,
    /// The number of cells of the tables.
    cells: u128,
}

/// For every size of open nodes, the lines that roll these nodes, each as a table and a line.
type LinesBySize = Vec<Vec<(usize, usize)>>;

/// A cell that is not written yet: its table, line and face.
type BlankCell = (usize, usize, usize);

impl<'a> Builder<'a> {
    fn new(rule: &'a ClosedRule, weights: &'a [u64], dice: &'a [Die]) -> Builder<'a> {
        let mut situations = vec![&rule.start];
        situations.extend(rule.steps.iter().map(|step| &step.to));
        let flows = rule.steps.iter().enumerate().map(|(k, step)| {
            let common: u128 = lcm_of_sides(dice);
            let deficits = situations[k].deficits.iter().zip(&step.takings);
            let flows = deficits.map(|(&(deficit, _), takings)| {
                let flow = |(taking, count): &(Taking, u64)| {
                    let taken = taking.iter().zip(&step.below);
                    let taken: u128 = taken.map(|(y, size)| size * u128::from(*y)).sum();
                    let rest = (deficit * common - taken) / step.factor;
                    TakingFlow {
                        taking: taking.clone(),
                        to: step
                            .to
                            .deficits
                            .iter()
                            .position(|(value, _)| *value == rest),
                        count: *count,
                    }
                };
                takings.iter().map(flow).collect()
            });
            flows.collect()
        });
        Builder {
            flows: flows.collect(),
            rule,
            situations,
            dice,
            weights,
            tables: Vec::new(),
            cells: 0,
        }
    }

    /// For every outcome, chooses a taking at each step from `from` to the end, so that as many
    /// outcomes as possible return to the deficits that they have now.
    fn assign_takings(&self, from: usize, classes: &[Option<usize>]) -> Vec<Vec<usize>> {
        let until = self.rule.steps.len();
        let mut left: Vec<Vec<Vec<u64>>> = (from..until)
            .map(|k| {
                let counts =
                    |flows: &Vec<TakingFlow>| flows.iter().map(|flow| flow.count).collect();
                self.flows[k].iter().map(counts).collect()
            })
            .collect();
        let mut ways: Vec<Option<Vec<usize>>> = vec![None; classes.len()];
        // Outcomes with rare deficits choose first.
        let mut order: Vec<usize> = (0..classes.len())
            .filter(|i| classes[*i].is_some())
            .collect();
        let rarity = |class: Option<usize>| classes.iter().filter(|c| **c == class).count();
        order.sort_by_key(|&i| (rarity(classes[i]), i));
        for home in [true, false] {
            for &i in &order {
                if ways[i].is_some() {
                    continue;
                }
                let mut search = PathSearch {
                    from,
                    goal: home.then_some(classes[i]),
                    uses_left: &mut left,
                    path: Vec::new(),
                    dead_ends: BTreeSet::new(),
                };
                if self.find_taking_path(0, classes[i], &mut search) {
                    ways[i] = Some(search.path);
                }
            }
        }
        ways.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Finds a path of takings for one outcome through the steps from `depth` on.
    fn find_taking_path(
        &self,
        depth: usize,
        class: Option<usize>,
        search: &mut PathSearch,
    ) -> bool {
        let Some(at) = class.filter(|_| depth < search.uses_left.len()) else {
            return search.goal.is_none_or(|goal| goal == class);
        };
        if search.dead_ends.contains(&(depth, class)) {
            return false;
        }
        for (i, flow) in self.flows[search.from + depth][at].iter().enumerate() {
            if search.uses_left[depth][at][i] == 0 {
                continue;
            }
            search.uses_left[depth][at][i] -= 1;
            search.path.push(i);
            if self.find_taking_path(depth + 1, flow.to, search) {
                return true;
            }
            search.path.pop();
            search.uses_left[depth][at][i] += 1;
        }
        search.dead_ends.insert((depth, class));
        false
    }

    /// Lays out the steps as tables, one after the other, until a step comes back whose lines
    /// already exist for the same deficits of all outcomes.
    fn build(mut self) -> Option<LookUp> {
        let outcomes = self.weights.len() as u64;
        let mut classes = self.first_classes();
        // The blank cells of every size, and the lines where each step that was laid out begins.
        let mut blanks: Vec<Vec<BlankCell>> = vec![Vec::new()];
        let mut known: HashMap<(usize, Vec<Option<usize>>), LinesBySize> = HashMap::new();
        let mut k = 0;
        let mut plan = self.assign_takings(0, &classes);
        let mut begun = 0;
        loop {
            if k == self.rule.steps.len() {
                match self.rule.back {
                    None => break,
                    Some(back) => {
                        (k, begun) = (back, back);
                        plan = self.assign_takings(back, &classes);
                    }
                }
            }
            let key = (k, classes.clone());
            if let Some(lines) = known.get(&key) {
                self.fill_jumps(&blanks, lines);
                break;
            }
            let (lines, mut below) = self.add_tables(k)?;
            self.fill_jumps(&blanks, &lines);
            known.insert(key, lines);
            let takings = plan.iter().map(|way| way.get(k - begun).copied());
            classes = self.fill_outcomes(k, &classes, takings, &mut below)?;
            // The open cells, by the sizes of the next situation.
            let step = &self.rule.steps[k];
            let open = |&(size, _): &(u128, _)| {
                let kind = step.below.iter().position(|x| *x == size * step.factor);
                kind.map_or(Vec::new(), |kind| below[kind].clone())
            };
            blanks = step.to.open.iter().map(open).collect();
            k += 1;
        }
        Some(LookUp {
            outcomes,
            tables: self.tables,
        })
    }

    /// The deficit of every outcome at the start, by its index.
    fn first_classes(&self) -> Vec<Option<usize>> {
        let common = self.weights.iter().fold(0, |a, b| num_integer::gcd(a, *b));
        let class = |weight: &u64| {
            let value = u128::from(weight / common);
            let mut deficits = self.situations[0].deficits.iter();
            deficits.position(|(deficit, _)| *deficit == value)
        };
        self.weights.iter().map(class).collect()
    }

    /// Adds the tables of a step. Returns the lines that roll the open nodes, and the blank cells
    /// of these lines by their sizes; `None` if there are too many cells.
    fn add_tables(&mut self, k: usize) -> Option<(LinesBySize, Vec<Vec<BlankCell>>)> {
        let step = &self.rule.steps[k];
        let mut lines = Vec::new();
        let mut below = vec![Vec::new(); step.below.len()];
        for (i, rolls) in step.rolls.iter().enumerate() {
            let mut places = Vec::new();
            for (j, &count) in rolls.iter().enumerate().filter(|(_, count)| **count > 0) {
                let die = &self.dice[j];
                self.cells += u128::from(count) * die.sides;
                if self.cells > MAX_CELLS.into() {
                    return None;
                }
                let table = self.tables.len();
                let line = vec![RuleCell::Go(0, 0); die.sides as usize];
                self.tables.push(LookUpTable {
                    die: die.clone(),
                    lines: vec![line; count as usize],
                });
                let size = self.situations[k].open[i].0 * (lcm_of_sides(self.dice) / die.sides);
                let kind = step.below.iter().position(|other| *other == size)?;
                for line in 0..count as usize {
                    places.push((table, line));
                    below[kind].extend((0..die.sides as usize).map(|face| (table, line, face)));
                }
            }
            lines.push(places);
        }
        Some((lines, below))
    }

    /// Fills the blank cells of every size with jumps to the lines that roll nodes of this size.
    fn fill_jumps(&mut self, blanks: &[Vec<BlankCell>], lines: &[Vec<(usize, usize)>]) {
        for (blanks, lines) in blanks.iter().zip(lines) {
            for (&(table, line, face), &(to, at)) in blanks.iter().zip(lines) {
                self.tables[table].lines[line][face] = RuleCell::Go(to, at);
            }
        }
    }

    /// Fills cells below a step with outcomes; `takings` gives the index of the taking of each
    /// outcome. The other cells stay in `below`. Returns the deficits after the step.
    fn fill_outcomes(
        &mut self,
        k: usize,
        classes: &[Option<usize>],
        takings: impl Iterator<Item = Option<usize>>,
        below: &mut [Vec<BlankCell>],
    ) -> Option<Vec<Option<usize>>> {
        let mut taken = vec![0; below.len()];
        let mut next = classes.to_vec();
        for ((outcome, class), taking) in classes.iter().enumerate().zip(takings) {
            let Some(class) = *class else { continue };
            let flow = &self.flows[k][class][taking?];
            for (kind, count) in flow.taking.iter().enumerate() {
                for _ in 0..*count {
                    let (table, line, face) = *below[kind].get(taken[kind])?;
                    self.tables[table].lines[line][face] = RuleCell::Outcome(outcome as u64);
                    taken[kind] += 1;
                }
            }
            next[outcome] = flow.to;
        }
        for (cells, taken) in below.iter_mut().zip(taken) {
            cells.drain(..taken);
        }
        Some(next)
    }
}

fn lcm_of_sides(dice: &[Die]) -> u128 {
    dice.iter()
        .fold(1, |all, die| num_integer::lcm(all, die.sides))
}

/// Returns w / sum w for every outcome.
pub(super) fn outcome_probabilities(weights: &[u64]) -> Vec<Rational> {
    let sum: BigInt = weights.iter().map(|w| BigInt::from(*w)).sum();
    let share = |weight: &u64| Rational::new((*weight).into(), sum.clone());
    weights.iter().map(share).collect()
}
