//! A recipe as a page for a person: lookup tables if they are short, otherwise rules that carry one
//! number c from roll to roll.
//!
//! Tables and rules describe the same algorithm. A table has a line for every position c of its
//! nodes. A rule says in terms of c what the table does: after a roll, c becomes k = m c + f (f is
//! the face, counted from 0). If k is below `decided`, the outcome is k mod n; otherwise k minus
//! the number of nodes before a part is the position in this part ([`RecipeTable`]).

use super::Die;
use super::recipe::{Recipe, RecipePlace, RecipeTable, letters};
use flipcost::law::Step;
use std::fmt::{self, Write};

/// The sentence that says how a recipe of tables ends.
pub(crate) const NUMBER_IS_OUTCOME: &str = "A number is the outcome, and you are done.";

/// The sentence that says how to read the 0 of a d10.
const READ_ZERO_AS_TEN: &str = "The d10: read a face 0 as 10.";

/// If the tables take at most this many lines, counting titles and blank lines, they are always
/// printed as tables.
const FEW_LINES: u64 = 24;

/// A table for a die with more sides is never printed: two d6 have 36 results.
pub(super) const MAX_TABLE_SIDES: u128 = 36;

/// One step of a recipe in arithmetic: roll one die `times` times, then compare c with bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeRule {
    /// The die.
    pub die: Die,
    /// The number of rolls of the die; each roll sets c = m c + f.
    pub times: u64,
    /// If c is below this, the outcome is c mod n.
    pub decided: u128,
    /// The parts to which larger c lead, in the order of c: the number of values, and the index of
    /// the rule. Each part counts c from 0 again.
    pub parts: Vec<(u64, usize)>,
}

/// A recipe in words for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipePage {
    /// General instructions, each a sentence or more.
    pub intro: Vec<String>,
    /// The steps; the recipe begins with the first.
    pub blocks: Vec<RecipeBlock>,
}

/// A step of the page: a table or a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeBlock {
    /// The letters that name the step.
    pub name: String,
    /// The instruction: the die of a table, or the whole rule.
    pub text: String,
    /// The head and the lines of a table, all equally long; empty for a rule.
    pub table: Vec<Vec<String>>,
}

/// The maximum number of letters in a line of a file.
pub const WIDTH: usize = 80;

pub(crate) const WRITING_TO_MEMORY: &str = "memory takes every byte";

/// Appends a line, wrapped to a width; later lines are indented.
pub(crate) fn wrap_line(out: &mut String, line: &str, width: usize, indent: usize) {
    let indent = " ".repeat(indent);
    let options = textwrap::Options::new(width).subsequent_indent(&indent);
    writeln!(out, "{}", textwrap::fill(line, options)).expect(WRITING_TO_MEMORY);
}

/// Fits a table into a width. Returns the width of the first column, the width of the other
/// columns, and how many of the other columns fit side by side. A table that is too wide is printed
/// in several parts, each with the first column.
fn fit_table(table: &[Vec<String>], width: usize) -> (usize, usize, usize) {
    let wide = |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).max();
    let first = table
        .iter()
        .filter_map(|row| wide(&row[..1]))
        .max()
        .unwrap_or(0);
    let cell = table
        .iter()
        .filter_map(|row| wide(&row[1..]))
        .max()
        .unwrap_or(0);
    let room = width.saturating_sub(first + 3) / (cell + 1);
    (first, cell, room.max(1))
}

/// Appends the general instructions, then tables and rules.
pub(crate) fn write_steps(
    text: &mut String,
    intro: &[String],
    steps: &[RecipeBlock],
    width: usize,
) {
    for line in intro {
        wrap_line(text, line, width, 2);
    }
    let letters = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let mut rules = false;
    for step in steps {
        if step.table.is_empty() {
            if !rules {
                text.push('\n');
            }
            rules = true;
            let line = format!("{:letters$}  {}", step.name, step.text);
            wrap_line(text, &line, width, letters + 2);
            continue;
        }
        text.push('\n');
        wrap_line(text, &format!("{}: {}", step.name, step.text), width, 2);
        let (first, cell, room) = fit_table(&step.table, width);
        let columns: Vec<usize> = (1..step.table[0].len()).collect();
        for part in columns.chunks(room) {
            for row in &step.table {
                write!(text, "  {:<first$} ", row[0]).expect(WRITING_TO_MEMORY);
                for &column in part {
                    write!(text, " {:>cell$}", row[column]).expect(WRITING_TO_MEMORY);
                }
                text.push('\n');
            }
        }
    }
}

/// Writes the instructions for a person, with outcomes and faces counted from 1: sentences, then
/// lookup tables or rules, in lines of 80 letters.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let page = self.page(&|die| format!("d{}", die.sides));
        let mut text = String::new();
        write_steps(&mut text, &page.intro, &page.blocks, WIDTH);
        f.write_str(text.trim_end())
    }
}

impl Recipe {
    /// Returns the recipe in arithmetic, the first rule first; consecutive rolls of the same die
    /// without a decision form one rule. The list is empty for n = 1, and has O(n) rules.
    pub fn rules(&self) -> Vec<RecipeRule> {
        let tables = self.tables();
        let mut comes = vec![0u32; tables.len()];
        for part in tables.iter().flat_map(|table| &table.parts) {
            comes[*part] += 1;
        }
        // Returns the next table if its rolls can be joined with those of this table: this table
        // decides nothing, and the next table has the same die and is reached only from here.
        let joined = |table: &RecipeTable| match table.parts[..] {
            [next] if table.decided == 0 && next != 0 && comes[next] == 1 => {
                (tables[next].die == table.die).then_some(next)
            }
            _ => None,
        };
        let inner: Vec<usize> = tables.iter().filter_map(joined).collect();
        let mut is_inner = vec![false; tables.len()];
        inner.into_iter().for_each(|table| is_inner[table] = true);
        let mut number = vec![0; tables.len()];
        let heads: Vec<usize> = (0..tables.len()).filter(|t| !is_inner[*t]).collect();
        for (rule, head) in heads.iter().enumerate() {
            number[*head] = rule;
        }
        let rule = |head: &usize| {
            let (mut last, mut times) = (&tables[*head], 1);
            while let Some(next) = joined(last) {
                (last, times) = (&tables[next], times + 1);
            }
            let part = |part: &usize| (tables[*part].nodes, number[*part]);
            RecipeRule {
                die: last.die.clone(),
                times,
                decided: last.decided,
                parts: last.parts.iter().map(part).collect(),
            }
        };
        heads.iter().map(rule).collect()
    }

    /// Returns the recipe as a page, with outcomes and faces counted from 1; `name` names a die.
    /// The page has lookup tables if they take at most 24 lines or no more than the rules,
    /// otherwise the rules.
    pub fn page(&self, name: &dyn Fn(&Die) -> String) -> RecipePage {
        if self.tables().is_empty() {
            let text = "A d1 always shows 1: roll nothing.".to_string();
            return RecipePage {
                intro: vec![text],
                blocks: Vec::new(),
            };
        }
        let lines: u64 = self.tables().iter().map(|table| table.nodes + 3).sum();
        let narrow = self
            .tables()
            .iter()
            .all(|table| table.die.sides <= MAX_TABLE_SIDES);
        if narrow && lines <= FEW_LINES {
            self.table_page(name)
        } else {
            let rules = self.rules();
            if narrow && lines <= rules.len() as u64 {
                self.table_page(name)
            } else {
                self.arithmetic_page(&rules, name)
            }
        }
    }

    /// The dice that the recipe rolls, each listed once.
    fn rolled_dice(&self) -> Vec<&Die> {
        let mut dice: Vec<&Die> = Vec::new();
        for table in self.tables() {
            if !dice.contains(&&table.die) {
                dice.push(&table.die);
            }
        }
        dice
    }

    /// Returns the recipe as a grid if it consists of two rolls of one die: the first face selects
    /// the line and the second face the column.
    fn grid_page(&self, name: &dyn Fn(&Die) -> String) -> Option<RecipePage> {
        let [first, second] = self.tables() else {
            return None;
        };
        let sides = first.die.sides;
        let is_line = |face: u128| {
            let line = self.place(1, face as u64);
            self.step(&self.place(0, 0), face as u64) == Step::Roll(line)
        };
        let is_grid = first.die == second.die
            && u128::from(second.nodes) == sides
            && first.nodes == 1
            && !second.parts.contains(&1)
            && (0..sides).all(is_line);
        if !is_grid {
            return None;
        }
        let mut intro = vec![format!(
            "To roll a d{}, roll the {} twice: the first roll gives the row, the second the column.",
            self.target(),
            name(&first.die)
        )];
        let begin = RecipePlace::to_string(&self.place(0, 0));
        let mut table = self.table_cells(1);
        table[0][0] = "first".to_string();
        for (row, line) in table.iter_mut().skip(1).zip(1u64..) {
            row[0] = line.to_string();
            for cell in row.iter_mut().filter(|cell| **cell == begin) {
                *cell = "again".to_string();
            }
        }
        if table.iter().flatten().any(|cell| cell == "again") {
            intro.push("\"again\": roll the two again.".to_string());
        }
        if name(&first.die) == "d10" {
            intro.push(READ_ZERO_AS_TEN.to_string());
        }
        let text = "the second face is above each column.".to_string();
        let name = begin;
        let blocks = vec![RecipeBlock { name, text, table }];
        Some(RecipePage { intro, blocks })
    }

    fn table_page(&self, name: &dyn Fn(&Die) -> String) -> RecipePage {
        if let Some(grid) = self.grid_page(name) {
            return grid;
        }
        let n = self.target();
        let first = &self.tables()[0].die;
        let mut intro = vec![format!(
            "To roll a d{n}, begin at A with the {}. Look up the face that you rolled. {NUMBER_IS_OUTCOME}",
            name(first)
        )];
        if self.tables().iter().any(|table| !table.parts.is_empty()) {
            let text = "A letter says where to go on, with the line if there are several (B3): \
                        roll that table's own die and look up that line.";
            intro.push(text.to_string());
        }
        if self.repeats_a_table() {
            let text = "\"again\": roll the same die again for the same line.";
            intro.push(text.to_string());
        }
        for die in self.rolled_dice() {
            match name(die).as_str() {
                "coin" => intro.push("The coin: 1 is heads, 2 is tails.".to_string()),
                "d10" => intro.push(READ_ZERO_AS_TEN.to_string()),
                _ => {}
            }
        }
        let block = |(index, table): (usize, &RecipeTable)| {
            let verb = if table.die.sides == 2 { "flip" } else { "roll" };
            RecipeBlock {
                name: letters(index),
                text: format!("{verb} the {}.", name(&table.die)),
                table: self.table_cells(index),
            }
        };
        RecipePage {
            intro,
            blocks: self.tables().iter().enumerate().map(block).collect(),
        }
    }

    fn repeats_a_table(&self) -> bool {
        self.tables().iter().enumerate().any(|(index, table)| {
            let back = |position: u64| {
                let place = self.place(index, position);
                (0..table.die.sides).any(|face| self.step(&place, face as u64) == Step::Roll(place))
            };
            table.parts.contains(&index) && (0..table.nodes).any(back)
        })
    }

    fn table_cells(&self, index: usize) -> Vec<Vec<String>> {
        let table = &self.tables()[index];
        let faces = (1..=table.die.sides).map(|face| face.to_string());
        let head = std::iter::once("face".to_string()).chain(faces).collect();
        let line = |position: u64| {
            let place = self.place(index, position);
            let cell = |face| match self.step(&place, face as u64) {
                Step::Output(outcome) => (outcome + 1u8).to_string(),
                Step::Roll(next) if next == place => "again".into(),
                Step::Roll(next) => RecipePlace::to_string(&next),
            };
            let cells = (0..table.die.sides).map(cell);
            std::iter::once(place.to_string()).chain(cells).collect()
        };
        std::iter::once(head)
            .chain((0..table.nodes).map(line))
            .collect()
    }

    fn arithmetic_page(&self, rules: &[RecipeRule], name: &dyn Fn(&Die) -> String) -> RecipePage {
        let n = self.target();
        let mut intro = vec![format!(
            "To roll a d{n}, carry a number c, at first 0, and begin at A. Every roll changes c:"
        )];
        for die in self.rolled_dice() {
            let (name, m) = (name(die), die.sides);
            intro.push(match name.as_str() {
                "coin" => format!("{name}: c = 2c + flip, where heads is 0 and tails is 1"),
                "d10" => format!("{name}: c = 10c + face - 1, where a face 0 is 10"),
                _ => format!("{name}: c = {m}c + face - 1"),
            });
        }
        let block = |(index, rule): (usize, &RecipeRule)| RecipeBlock {
            name: letters(index),
            text: self.rule_sentence(rule, &name(&rule.die)),
            table: Vec::new(),
        };
        RecipePage {
            intro,
            blocks: rules.iter().enumerate().map(block).collect(),
        }
    }

    /// Formats a rule: `Roll the d6 once. c < 4: the result is c + 1. Otherwise c = c - 4, go to
    /// B.`
    fn rule_sentence(&self, rule: &RecipeRule, name: &str) -> String {
        let n = self.target();
        let result = match rule.decided {
            d if d <= n.into() => "the result is c + 1".to_string(),
            _ => format!("the result is c mod {n} + 1"),
        };
        // For each case: the first value of c beyond the case, and the instruction.
        let mut cases = Vec::new();
        if rule.decided > 0 {
            cases.push((rule.decided, result));
        }
        let mut from = rule.decided;
        for &(nodes, to) in &rule.parts {
            let to = letters(to);
            cases.push(match from {
                0 => (nodes.into(), format!("go to {to}")),
                _ => (
                    from + u128::from(nodes),
                    format!("c = c - {from}, go to {to}"),
                ),
            });
            from += u128::from(nodes);
        }
        let times = match rule.times {
            1 => "once".to_string(),
            times => format!("{times} times"),
        };
        let verb = if rule.die.sides == 2 { "Flip" } else { "Roll" };
        let mut text = format!("{verb} the {name} {times}.");
        let last = cases.len() - 1;
        for (i, (end, what)) in cases.into_iter().enumerate() {
            text += &match (i, i == last) {
                (0, true) => format!(" Then {what}."),
                (_, true) => format!(" Otherwise {what}."),
                (_, false) => format!(" c < {end}: {what}."),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Die, plan, polyhedral};
    use flipcost::law::Chain;
    use flipcost_number::Rational;
    use std::collections::HashMap;

    fn name(die: &Die) -> String {
        match die.sides {
            2 => "coin".to_string(),
            m => format!("d{m}"),
        }
    }

    fn number(word: &str) -> u64 {
        word.trim_matches(['.', ':', ',']).parse().unwrap()
    }

    /// A rule parsed from its words: the sides of the die, the number of rolls, and for each
    /// sentence in order the bound of c and the action.
    struct ParsedRule {
        sides: u64,
        times: u64,
        cases: Vec<(Option<u64>, ParsedAction)>,
    }

    #[derive(Clone)]
    enum ParsedAction {
        /// The result is c, or c modulo this number.
        Result(Option<u64>),
        /// Subtract this number from c and continue at this step.
        Go(u64, String),
    }

    fn read(text: &str) -> ParsedRule {
        let (roll, rest) = text.split_once(". ").unwrap();
        let words: Vec<&str> = roll.split(' ').collect();
        let sides = match words[2] {
            "coin" => 2,
            die => number(&die[1..]),
        };
        let times = match words[3] {
            "once" => 1,
            times => number(times),
        };
        let case = |sentence: &str| {
            let sentence = sentence.trim_end_matches('.');
            let (end, what) = match sentence.strip_prefix("c < ") {
                Some(case) => {
                    let (end, what) = case.split_once(": ").unwrap();
                    (Some(number(end)), what)
                }
                None => (None, sentence.split_once(' ').unwrap().1),
            };
            let words: Vec<&str> = what.split(' ').collect();
            let does = match words[..] {
                ["the", "result", "is", "c", "+", "1"] => ParsedAction::Result(None),
                ["the", "result", "is", "c", "mod", n, "+", "1"] => {
                    ParsedAction::Result(Some(number(n)))
                }
                ["go", "to", place] => ParsedAction::Go(0, place.to_string()),
                ["c", "=", "c", "-", less, "go", "to", place] => {
                    ParsedAction::Go(number(less), place.to_string())
                }
                _ => panic!("{what}"),
            };
            (end, does)
        };
        ParsedRule {
            sides,
            times,
            cases: rest.split(". ").map(case).collect(),
        }
    }

    /// The state of a person who follows the rules: the current rule, how often its die was rolled,
    /// and c.
    type Place = (usize, u64, u64);

    /// Returns the chain of a page of rules for a person who follows the words, and the prices of
    /// its states.
    fn rule_chain(page: &RecipePage, dice: &[Die]) -> (Chain, Vec<Rational>) {
        let rules: Vec<ParsedRule> = page.blocks.iter().map(|block| read(&block.text)).collect();
        let index: HashMap<&str, usize> = page
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| (block.name.as_str(), i))
            .collect();
        let step = |&(at, rolled, c): &Place, face: u64| {
            let rule = &rules[at];
            let c = rule.sides * c + face;
            if rolled + 1 < rule.times {
                return Step::Roll((at, rolled + 1, c));
            }
            let holds = |end: &Option<u64>| end.is_none_or(|end| c < end);
            let (_, does) = rule.cases.iter().find(|(end, _)| holds(end)).unwrap();
            match does {
                ParsedAction::Result(None) => Step::Output(c.into()),
                ParsedAction::Result(Some(n)) => Step::Output((c % n).into()),
                ParsedAction::Go(less, place) => Step::Roll((index[place.as_str()], 0, c - less)),
            }
        };
        let start = Step::Roll((0, 0, 0));
        let (chain, places) =
            Chain::explore(start, 2_000_000, |place: &Place| rules[place.0].sides, step).unwrap();
        let price = |place: &Place| {
            let sides = rules[place.0].sides;
            let die = dice.iter().find(|die| die.sides == sides.into());
            die.unwrap().price.clone()
        };
        let prices = places.iter().map(price).collect();
        (chain, prices)
    }

    /// Follows the words of every arithmetic recipe with exact probabilities: each outcome has
    /// probability 1/n, and the cost is that of the plan.
    #[test]
    fn the_words_of_the_rules_are_fair_and_cost_what_the_plan_says() {
        let half = Rational::new(1.into(), 2.into());
        let sets = [
            vec![Die::new(2)],
            vec![Die::new(6)],
            vec![Die::new(6), Die::new(10)],
            vec![Die::priced(2, half), Die::new(6), Die::new(36)],
            polyhedral(),
        ];
        for dice in sets {
            for (n, split) in (2..=40)
                .chain([57, 100, 101])
                .flat_map(|n| [(n, false), (n, true)])
            {
                let plan = crate::plan_with(n, &dice, split).unwrap();
                let rules = plan.recipe.rules();
                let page = plan.recipe.arithmetic_page(&rules, &name);
                let (chain, prices) = rule_chain(&page, &dice);
                let probabilities = chain.probabilities();
                let what = format!("d{n} from {dice:?}, split: {split}");
                assert_eq!(probabilities.len() as u64, n, "{what}");
                let fair = Rational::new(1.into(), n.into());
                assert!(probabilities.values().all(|p| *p == fair), "{what}");
                assert_eq!(chain.mean_of(&prices), plan.expected, "{what}");
                assert_eq!(chain.worst_case(), plan.worst_case, "{what}");
            }
        }
    }

    /// For a d100 from a coin, the rules take a dozen lines, while the tables would take a
    /// thousand.
    #[test]
    fn long_tables_become_rules() {
        let plan = plan(100, &[Die::new(2)]).unwrap();
        let page = plan.recipe.page(&name);
        // The last block returns to B with c < 4, the same state as after the first two flips.
        assert_eq!(page.blocks[0].text, "Flip the coin 2 times. Then go to B.");
        assert_eq!(
            page.blocks[1].text,
            "Flip the coin 5 times. c < 100: the result is c + 1. Otherwise c = c - 100, go to C."
        );
        assert!(page.blocks.len() <= 12, "{page:#?}");
        assert!(page.blocks.iter().all(|block| block.table.is_empty()));
        // Short tables stay tables, so that nobody has to calculate.
        let plan = crate::plan(7, &[Die::new(6)]).unwrap();
        let page = plan.recipe.page(&name);
        assert!(page.blocks.iter().all(|block| !block.table.is_empty()));
    }

    /// Every cell of every table agrees with the steps of the recipe.
    #[test]
    fn the_tables_hold_every_step() {
        for n in 2..=20 {
            let dice = [Die::new(6), Die::new(10)];
            let recipe = plan(n, &dice).unwrap().recipe;
            let page = recipe.table_page(&name);
            let rows: HashMap<&str, &[String]> = page
                .blocks
                .iter()
                .flat_map(|block| &block.table[1..])
                .map(|row| (row[0].as_str(), &row[1..]))
                .collect();
            let steps: Vec<_> = recipe.steps().collect();
            let grid = page
                .blocks
                .iter()
                .find(|block| block.table[0][0] == "first");
            for (first, row) in grid
                .iter()
                .flat_map(|grid| grid.table[1..].iter().enumerate())
            {
                let Step::Roll(second) = &steps[0].faces[first] else {
                    panic!("d{n}: the first face ends")
                };
                let second = steps.iter().find(|line| line.place == *second).unwrap();
                let cells = second.faces.iter().map(|next| match next {
                    Step::Output(outcome) => (outcome + 1u8).to_string(),
                    Step::Roll(next) => {
                        assert_eq!(*next, steps[0].place, "d{n}");
                        "again".into()
                    }
                });
                assert_eq!(row[1..], cells.collect::<Vec<String>>(), "d{n}");
            }
            for line in steps.iter().filter(|_| grid.is_none()) {
                let name = line.place.to_string();
                let cells = line.faces.iter().map(|next| match next {
                    Step::Output(outcome) => (outcome + 1u8).to_string(),
                    Step::Roll(next) if *next == line.place => "again".into(),
                    Step::Roll(next) => next.to_string(),
                });
                assert_eq!(
                    rows[name.as_str()],
                    cells.collect::<Vec<_>>(),
                    "d{n}, {name}"
                );
            }
        }
    }
}
