//! The cheapest way to roll a die with several dice.

mod optimal;
mod simple;
pub(super) mod walk;
mod weights;

use crate::Throw;
use crate::page::RecipeBlock;
use crate::page::RecipePage;
use crate::page::WIDTH;
use crate::recipe::RecipeTable;
use crate::sheet::RecipeSheet;
use crate::{Dice, Price};
use crate::{Die, MAX_PLANNED_SIDES};
use flipcost::table::Precision;
use flipcost::task::Source;
use flipcost_figures::Drawing;
use flipcost_number::short::short;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_question::format_cell;
use flipcost_question::prelude::*;
use flipcost_question::{Answer, PictureError};
use num_traits::{One, ToPrimitive, Zero};
use std::num::NonZeroU64;
use walk::die_name;

question! {
    /// The cheapest recipe for a die from a set of dice, among recipes that carry a single number
    /// from roll to roll
    ///
    /// In tables heads is face 1 of a coin and tails is face 2. In the arithmetic a roll counts as
    /// its face minus 1: heads is 0, and tails is 1.
    ///
    /// The least expected cost of a die with these dice: a row with splitting, one without, and one
    /// for every die alone. The document of the answer is a page with the recipe to follow by hand.
    ///
    /// For weights, the recipe rolls a fair die of their sum and looks up the outcome; for one die
    /// alone, the cost is that of Knuth & Yao's algorithm.
    ///
    /// With `optimal` there is one row: the best rule of any form, as far as a search finds and
    /// proves it.
    ///
    /// With `rolls` there is a row for each roll and one for the next step: the die to roll next,
    /// or the outcome.
    ///
    /// Instead of dice there may be throws of several dice at once: each throw costs 1 and is one
    /// roll of a die whose number of sides is the product of theirs.
    pub struct Plan: "plan" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The dice, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20
        dice: Option<Dice>; option("DICE"),
        /// Dice thrown together, as in 6,6, at the price of one roll; they must be distinguishable,
        /// for example by colour. There can be several throws. cards:4/52 is four cards drawn from
        /// a deck of 52 without replacement
        throws: Vec<Throw>; option("DICE").name("throw").without(&["dice", "cost"]).each(),
        /// Never split the numbers that are left over between two dice; this gives simpler tables,
        /// but sometimes takes more rolls
        no_split: bool; flag(),
        /// Print the cheapest recipe even if it has more than four steps and a simpler recipe has
        /// fewer
        cheapest: bool; flag().without(&["no_split", "optimal"]),
        /// The prices of a roll of the dice, as in 6=1,10=3/2 [default: 1 each]
        cost: Vec<Price>; option("PRICES").python("prices"),
        /// Search among rules of every form; print the best rule found, and whether it is proved to
        /// be the best
        optimal: bool; flag().without(&["no_split"]),
        /// Stop the search for the best rule after this many steps, as in 10^8 [default: 2*10^7,
        /// some seconds]
        effort: Option<NonZeroU64>; option("STEPS").with("optimal"),
        /// Instead of showing costs, follow the printed recipe with these rolls (for example 6,3)
        /// and show which die to roll next, or the result
        rolls: Option<String>; option("ROLLS").without(&["optimal"]),
    }
    purpose: Table
    examples: [
        "plan 7 --dice 2,6",
        "plan 100 --dice polyhedral",
        "plan 13 --dice 6,10 -o plan.md",
        "plan 20 --throw 6,6 --throw 10",
    ]
}

impl Question for Plan {
    fn summary(&self, answer: &Answer) -> String {
        if self.rolls.is_some() {
            return walk::walk_summary(&self.target.with_article(), answer);
        }
        let splits = |row| *answer.cell(row, "splitting") == Cell::Flag(true);
        // The first two rows are those of the plan, unless one die alone is cheaper.
        let is_dearer = !self.optimal && !splits(0) && (!self.no_split || !splits(1));
        let dice = answer.cell(usize::from(is_dearer), "dice");
        let dice = dice_phrase(&dice.to_string());
        let target = self.target.with_article();
        let what = format!("{target} from {dice} {}", take_verb(&target));
        let cost = answer.measure(0, "expected").unwrap_or_default();
        let alone = match answer.cell(0, "dice") {
            die if is_dearer => {
                let die = dice_phrase(&die.to_string());
                format!("; {KNUTH_YAO} with {die} alone takes {cost}")
            }
            _ => String::new(),
        };
        let mut values = answer.foot.values.iter();
        if let Some((_, simple)) = values.find(|(name, _)| name == "simple_expected_exact") {
            let simple = with_unit(&cell_phrase(simple), self.roll_noun());
            let cheapest = if is_dearer {
                alone
            } else {
                format!("; the cheapest takes {cost}")
            };
            return format!("{what} {simple} on average by a simple recipe{cheapest}");
        }
        if !self.optimal {
            let cost = answer.measure(usize::from(is_dearer), "expected");
            let cost = cost.unwrap_or_default();
            return format!(
                "{what} {cost} on average by the cheapest recipe that carries one number{alone}"
            );
        }
        // The proof is about the rolls, or the throws, that this plan may use.
        let several = answer.cell(0, "dice").to_string().contains(',');
        let other = match (self.throws.is_empty(), several) {
            (true, true) => "no rule that rolls these dice one at a time",
            (true, false) => "no rule with this die",
            (false, true) => "no rule with these throws",
            (false, false) => "no rule with this throw",
        };
        match answer.cell(0, "proved") {
            Cell::Text(text) if text == "yes" => {
                format!("{what} {cost} on average by the best rule; {other} costs less")
            }
            _ => {
                let bound = answer.phrase(0, "lower").map_or(String::new(), |least| {
                    format!("; {other} costs less than {least}")
                });
                format!("{what} {cost} on average by the best rule that was found{bound}")
            }
        }
    }

    fn is_streamed(&self) -> bool {
        self.optimal
    }

    fn estimate(&self) -> Estimate {
        if self.optimal {
            return Estimate::space((1 << 20) + 40 * u128::from(self.steps()), 100_000);
        }
        let n = self.target.sum_or_most().min(MAX_PLANNED_SIDES.into());
        let all = self.sides();
        let dice = all.len() as u128;
        let bits = all.iter().map(|m| m.ilog2() + 1).max();
        let words = n * u128::from(bits.unwrap_or(1)) / 64 + 1;
        Estimate::space(8 * n * (dice + words), 100 * (dice + 2) + 100_000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if self.optimal {
            return self.write_best_rule(control, sink);
        }
        if let Some(rolls) = &self.rolls {
            return self.write_walk(rolls, sink);
        }
        if self.effort.is_some() {
            let what = say!(field("effort"), " limits a search");
            let right = say!("it needs ", field("optimal").is(true));
            return Err(QueryError::wrong("effort", what).right(right));
        }
        let dice = self.priced()?;
        control.go_on()?;
        let split = !self.no_split;
        let plan = self.make_plan(&dice)?;
        let alone = self.single_die_costs(&plan)?;
        control.go_on()?;
        let row = |dice: &[Die], split: bool, cost: &Rational, worst: Option<u64>| {
            let sides: Vec<String> = dice.iter().map(|die| self.die_cell(die)).collect();
            Ok::<_, QueryError>(row![
                self.target.cell(),
                sides.join(","),
                split,
                cost,
                double_cell(&Real::Exact(cost.clone()))?,
                Cell::or_infinite(worst)
            ])
        };
        let first = row(&dice, split, &plan.expected, plan.worst_case)?;
        let other = if split {
            row(&dice, false, &plan.without_split, plan.worst_without_split)?
        } else {
            let other = crate::plan(plan.target, &dice).map_err(QueryError::for_field("dice"))?;
            row(&dice, true, &other.expected, other.worst_case)?
        };
        let mut rows = vec![first, other];
        let weights = self.target.sides().is_none();
        if dice.len() > 1 || weights {
            for (die, (cost, worst)) in dice.iter().zip(&alone) {
                rows.push(row(std::slice::from_ref(die), false, cost, *worst)?);
            }
        }
        if weights && let Some(at) = plan.cheaper_die(&alone) {
            let cheapest = rows.remove(2 + at);
            rows.insert(0, cheapest);
        }
        let bound = double_cell(&self.cost_bound(&plan))?;
        let mut foot = Foot::default();
        if weights {
            foot.notes
                .extend(self.look_up_note(&plan).map(Sentence::from));
            foot.notes.extend(self.knuth_yao_note(&plan, &alone)?);
        }
        foot.note(format!("the entropy bound of these dice is {bound}"));
        if let Some(sides) = self.dice.as_ref().and_then(Dice::twice) {
            let both = field("throws").is(vec![format!("{sides},{sides}")]);
            foot.note(say!(
                "two d{sides} take as many rolls as a single one that is rolled twice; ",
                both,
                " throws both at once, at the price of one roll"
            ));
        }
        let sheet = self.page(&plan, &alone, FEW_STEPS)?;
        if sheet.is_simple {
            let simple = ("simple_expected_exact".to_string(), Cell::from(&sheet.cost));
            foot.values.push(simple);
        }
        foot.text = Some(sheet.to_text(WIDTH));
        let unit = self.cost_unit(&plan.dice);
        let head = Head::new()
            .column("target", self.target.kind())
            .column("dice", CellKind::Text)
            .column("splitting", CellKind::Flag)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("worst_case", CellKind::Count, self.roll_noun());
        sink.write_answer(&head, rows, foot)
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

impl Plan {
    /// Creates the question for a plan with dice that cost 1 each.
    pub fn new(n: impl Into<TargetText>, dice: Dice) -> Plan {
        Plan::with_defaults([("target", n.into().json()), ("dice", dice.json())])
    }

    /// Returns the recipe with its most important numbers; it can be printed at any width. Computes
    /// the plan, as [`flipcost_question::Query::run`] does.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the target cannot be planned.
    pub fn sheet(&self, control: &Control) -> Result<RecipeSheet, QueryError> {
        if self.optimal {
            return self.best_sheet(control);
        }
        let plan = self.make_plan(&self.priced()?)?;
        self.page(&plan, &self.single_die_costs(&plan)?, FEW_STEPS)
    }

    /// Returns the page of a simple recipe if it has fewer steps than the cheapest recipe.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the target cannot be planned.
    pub fn simple_sheet(&self) -> Result<RecipeSheet, QueryError> {
        let plan = self.make_plan(&self.priced()?)?;
        self.page(&plan, &self.single_die_costs(&plan)?, 0)
    }

    /// Returns the plan of a fair die; for weights, the die has as many sides as their sum.
    fn make_plan(&self, dice: &[Die]) -> Result<crate::DicePlan, QueryError> {
        let n = self.target.checked()?.weight_sum();
        let small = n.to_u64().filter(|n| *n <= MAX_PLANNED_SIDES);
        let n = small.ok_or_else(|| {
            let n = short(n);
            let (what, of) = match self.target.sides() {
                Some(_) => (say!("a d{n} is too large to plan"), "n"),
                None => (
                    say!("weights with the sum {n} are too large to plan"),
                    "the sum",
                ),
            };
            QueryError::wrong("target", what)
                .right(say!("{of} must be at most {MAX_PLANNED_SIDES}"))
        })?;
        crate::plan_with(n, dice, !self.no_split).map_err(QueryError::for_field("dice"))
    }

    /// Returns the least cost with each die alone, and its worst case.
    fn single_die_costs(&self, plan: &crate::DicePlan) -> Result<Vec<SingleDieCost>, QueryError> {
        if self.target.sides().is_some() {
            let worst = |die: &Die| die.law(plan.target).max();
            let costs = plan.alone.iter().cloned();
            return Ok(costs.zip(plan.dice.iter().map(worst)).collect());
        }
        let optimum = |die: &Die| {
            let source = Source::die(die.sides).map_err(QueryError::for_field("dice"))?;
            let law = (self.target.algorithm(&Sides(source.clone())).0)
                .law(&self.target.task(&source)?)
                .map_err(QueryError::for_field("target"))?;
            let mean = law.mean().map_err(QueryError::input)?;
            Ok((&die.price * mean, law.max()))
        };
        plan.dice.iter().map(optimum).collect()
    }

    /// A lower bound of the cost of every algorithm.
    fn cost_bound(&self, plan: &crate::DicePlan) -> Real {
        match self.target.sides() {
            Some(_) => plan.entropy_bound.clone(),
            None => crate::entropy_bound(self.target.target(), &plan.dice),
        }
    }

    /// The number of sides of each die, or the number of results of each throw.
    fn sides(&self) -> Vec<u128> {
        match &self.dice {
            Some(dice) => dice.get().to_vec(),
            None => self.throws.iter().map(Throw::results).collect(),
        }
    }

    /// Returns the throw that corresponds to a die of the plan.
    fn throw(&self, die: &Die) -> Option<&Throw> {
        self.throws
            .iter()
            .find(|throw| throw.results() == die.sides)
    }

    /// Formats a die or a throw for a cell: `6`, `6x10`.
    fn die_cell(&self, die: &Die) -> String {
        match self.throw(die) {
            Some(throw) => throw.to_string().replace(',', "x"),
            None => die.sides.to_string(),
        }
    }

    /// The word for what is counted: rolls or throws.
    fn roll_noun(&self) -> &'static str {
        if self.throws.is_empty() {
            "rolls"
        } else {
            "throws"
        }
    }

    /// The unit of the expected cost; empty if there are prices.
    fn cost_unit(&self, dice: &[Die]) -> &'static str {
        if dice.iter().all(|die| die.price.is_one()) {
            self.roll_noun()
        } else {
            ""
        }
    }

    /// Names a die or a throw: `coin`, `d6`, `two d6`, `d6 and d10`, `four cards of 52`.
    fn name(&self, die: &Die) -> String {
        let Some(throw) = self.throw(die) else {
            return die_name(die.sides);
        };
        if let (true, [deck, ..]) = (throw.is_draw(), throw.get()) {
            return format!("{} cards of {deck}", number_word(throw.get().len()));
        }
        let mut kinds: Vec<(u64, usize)> = Vec::new();
        for &sides in throw.get() {
            match kinds.last_mut() {
                Some((last, count)) if *last == sides => *count += 1,
                _ => kinds.push((sides, 1)),
            }
        }
        let kind = |&(sides, count): &(u64, usize)| match (sides, count) {
            (_, 1) => die_name(sides.into()),
            (2, count) => format!("{} coins", number_word(count)),
            (_, count) => format!("{} {}", number_word(count), die_name(sides.into())),
        };
        let kinds: Vec<String> = kinds.iter().map(kind).collect();
        kinds.join(" and ")
    }

    /// Returns the dice with their prices.
    pub fn priced(&self) -> Result<Vec<Die>, QueryError> {
        match (&self.dice, self.throws.is_empty()) {
            (None, true) => {
                let what = "a plan needs dice, or throws of several dice";
                let meant = Plan {
                    dice: "6,10".parse().ok(),
                    ..self.clone()
                };
                let right = say!(meant, ", or ", field("throws").with_word("6,6"));
                return Err(QueryError::wrong("dice", what).right(right));
            }
            (Some(_), false) => {
                let what = "a plan has either dice or throws, and not both";
                return Err(QueryError::wrong("throws", what));
            }
            (None, false) if !self.cost.is_empty() => {
                let wrong = QueryError::wrong("cost", "every throw costs 1");
                return Err(wrong.right(say!("give prices only with ", field("dice"))));
            }
            _ => {}
        }
        for (i, throw) in self.throws.iter().enumerate() {
            let same = |other: &&Throw| other.results() == throw.results();
            if let Some(other) = self.throws[..i].iter().find(same) {
                let results = throw.results();
                let what = say!("the throws {other} and {throw} both have {results} results");
                return Err(QueryError::wrong("throws", what).right("leave one of them out"));
            }
        }
        let mut dice: Vec<Die> = self.sides().into_iter().map(Die::new).collect();
        let mut priced = Vec::new();
        for price in &self.cost {
            let sides = price.sides();
            let Some(die) = dice.iter_mut().find(|die| die.sides == sides) else {
                let what = say!(
                    field("cost"),
                    " names a d{sides}, which is not among the dice"
                );
                return Err(QueryError::wrong("cost", what));
            };
            if priced.contains(&sides) {
                let what = say!(field("cost"), " names the d{sides} twice");
                return Err(QueryError::wrong("cost", what));
            }
            priced.push(sides);
            die.price = price.price().clone();
        }
        Ok(dice)
    }
}

/// Rounds to the nearest double.
fn double_cell(value: &Real) -> Result<Cell, QueryError> {
    decimal(value, Precision::default())
}

/// The name of the algorithm that makes weights from one die at the least cost.
const KNUTH_YAO: &str = "Knuth and Yao's algorithm";

/// An expected cost and a worst case, which is `None` if unbounded.
type SingleDieCost = (Rational, Option<u64>);

/// A recipe with at most this many steps is short.
const FEW_STEPS: usize = 4;

/// The maximum number of letters of a fraction in the list of facts above a recipe.
const MAX_HEADLINE_LEN: usize = 20;

fn cost_without_split(plan: &crate::DicePlan) -> Result<String, QueryError> {
    let more = &plan.without_split - &plan.expected;
    let without = fraction_and_decimals(&plan.without_split)?;
    if more.is_zero() {
        return Ok(without);
    }
    Ok(format!("{without}, {} more", fraction_and_decimals(&more)?))
}

/// Formats an exact value as a fraction and in decimals, without the fraction if it is too long for
/// a list of facts.
fn fraction_and_decimals(value: &Rational) -> Result<String, QueryError> {
    fraction_with_decimal(value, MAX_HEADLINE_LEN, Precision::default())
}

/// Writes a small number as a word.
fn number_word(count: usize) -> String {
    let known = ["two", "three", "four"].get(count.wrapping_sub(2));
    known.map_or(count.to_string(), |word| word.to_string())
}

/// Says how the dice of a throw make one number, counted from 1: in mixed radix, where the last die
/// is the last digit.
fn throw_reading(throw: &Throw) -> String {
    let sides = throw.get();
    // Leave out c, the number that is carried from roll to roll.
    let letters = ('a'..='z')
        .filter(|letter| *letter != 'c')
        .take(sides.len());
    let names: Vec<String> = letters.map(String::from).collect();
    let term = |(i, name): (usize, &String)| match sides[i + 1..] {
        [] => name.clone(),
        ref after => format!("{}({name} - 1)", after.iter().product::<u64>()),
    };
    let terms: Vec<String> = names.iter().enumerate().map(term).collect();
    if throw.is_draw() {
        return format!(
            "number the cards of the deck; {} are the places of the cards in the order in which they are \
             drawn, each counted among the cards that were left; the face is {}, from 1 to {}",
            names.join(", "),
            terms.join(" + "),
            throw.results()
        );
    }
    let mut text = format!(
        "the dice, always in the same order (of their colours, say), show {}; the face is {}, \
         from 1 to {}",
        names.join(", "),
        terms.join(" + "),
        throw.results()
    );
    if sides.contains(&2) {
        text += "; a coin shows 1 for heads and 2 for tails";
    }
    if sides.contains(&10) {
        text += "; a d10 shows 10 where it says 0";
    }
    text
}

impl Plan {
    /// Says how to read each of the throws that are rolled.
    fn readings(&self, rolled: &[Die]) -> Vec<String> {
        let thrown = |throw: &&Throw| {
            throw.get().len() > 1 && rolled.iter().any(|die| die.sides == throw.results())
        };
        let read = |throw: &Throw| {
            let name = self.name(&Die::new(throw.results()));
            format!("{name} together: {}", throw_reading(throw))
        };
        self.throws.iter().filter(thrown).map(read).collect()
    }

    /// Returns the recipe with its most important numbers.
    fn page(
        &self,
        plan: &crate::DicePlan,
        alone: &[SingleDieCost],
        few: usize,
    ) -> Result<RecipeSheet, QueryError> {
        let priced = self.cost_unit(&plan.dice).is_empty();
        let mut facts: Vec<(String, String)> = Vec::new();
        let label = format!(
            "expected {}",
            if priced { "cost" } else { self.roll_noun() }
        );
        let mut page = plan.recipe.page(&|die| self.name(die));
        let simple = self.find_simple_recipe(plan, page.blocks.len(), few)?;
        let mut notes = Vec::new();
        let (mut cost, mut worst) = (plan.expected.clone(), plan.worst_case);
        let tables = plan.recipe.tables();
        let mut rolled: Vec<Die> = tables.iter().map(|table| table.die.clone()).collect();
        if let Some(simple) = &simple {
            let less = Plan::cost_difference(plan, simple, page.blocks.len())?;
            facts.push((label, fraction_and_decimals(simple.cost())?));
            facts.push(("the cheapest recipe".to_string(), less));
            notes.push(say!(
                "this is a simple recipe; the cheapest one is printed by ",
                field("cheapest").is(true)
            ));
            page = simple.page(&|die| self.name(die));
            (cost, worst, rolled) = (simple.cost().clone(), simple.worst_case(), simple.dice());
        } else {
            facts.push((label, fraction_and_decimals(&plan.expected)?));
            if plan.split {
                let without = cost_without_split(plan)?;
                facts.push(("without splitting".to_string(), without));
            }
        }
        if plan.dice.len() > 1 {
            for (die, (cost, _)) in plan.dice.iter().zip(alone) {
                facts.push((
                    format!("the {} alone", self.name(die)),
                    fraction_and_decimals(cost)?,
                ));
            }
        }
        facts.push(("entropy bound".to_string(), self.bound_in_words(plan)?));
        let most = match worst {
            Some(1) => format!("1 {}", self.roll_noun().trim_end_matches('s')),
            Some(rolls) => format!("{rolls} {}", self.roll_noun()),
            None => "no upper limit".to_string(),
        };
        facts.push(("worst case".to_string(), most));
        page.intro.extend(self.readings(&rolled));
        if !simple.as_ref().is_some_and(|simple| simple.is_formula()) {
            self.name_outcomes(plan, &mut page);
        }
        notes.extend(self.knuth_yao_note(plan, alone)?);
        let pair = |(block, table): (&RecipeBlock, &RecipeTable)| {
            let mut two = self.throws.iter().filter_map(|throw| match *throw.get() {
                [a, b] if throw.results() == table.die.sides => Some([a, b]),
                _ => None,
            });
            two.next().filter(|_| !block.table.is_empty())
        };
        let pairs = match &simple {
            None => page.blocks.iter().zip(tables).map(pair).collect(),
            Some(_) => vec![None; page.blocks.len()],
        };
        Ok(RecipeSheet {
            title: self.title(plan),
            facts,
            intro: page.intro,
            steps: page.blocks,
            pairs,
            notes,
            is_proved: false,
            is_simple: simple.is_some(),
            cost,
            worst,
        })
    }

    fn title(&self, plan: &crate::DicePlan) -> String {
        let priced = self.cost_unit(&plan.dice).is_empty();
        let name = |die: &Die| match (die.sides, priced) {
            (_, false) => self.name(die),
            (2, true) => format!("coin ({} a flip)", die.price),
            (m, true) => format!("d{m} ({} a roll)", die.price),
        };
        let names: Vec<String> = plan.dice.iter().map(name).collect();
        match (self.target.sides(), self.target.formula()) {
            (Some(_), _) => {
                let die = self.target.with_article();
                let die = die
                    .strip_prefix("a ")
                    .map_or(die.clone(), |die| format!("A {die}"));
                format!("{die} with these dice: {}", names.join(", "))
            }
            (None, Some(formula)) => format!("{formula} with these dice: {}", names.join(", ")),
            (None, None) => format!(
                "The weights {:#} with these dice: {}",
                self.target.target(),
                names.join(", ")
            ),
        }
    }

    fn bound_in_words(&self, plan: &crate::DicePlan) -> Result<String, QueryError> {
        let bound = self.cost_bound(plan);
        match bound.exact() {
            Some(exact) => fraction_and_decimals(exact),
            None => Ok(format!(
                "≈ {}",
                format_cell(&double_cell(&bound)?, CellKind::Decimal)
            )),
        }
    }

    /// Replaces numbers in the recipe by the names of the outcomes, or says which numbers mean
    /// which outcome.
    fn name_outcomes(&self, plan: &crate::DicePlan, page: &mut RecipePage) {
        let is_weights = self.target.sides().is_none();
        if !is_weights && self.target.label(&BigUint::ZERO) == "1" {
            return;
        }
        if !page.name_outcomes(&self.outcomes()) {
            page.intro.push(format!(
                "The result is the face of a d{}: {}.",
                plan.target,
                self.cells()
            ));
        }
        if let Some(note) = self.look_up_note(plan).filter(|_| is_weights) {
            page.intro.push(format!("Note: {note}."));
        }
    }
}
