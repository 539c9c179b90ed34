//! Targets from several dice at hand: a rule chooses one of the dice for each roll.

use super::Plan;
use crate::{Dice, DicePlan, Die};
use flipcost::algorithms::bounded::missing_prime;
use flipcost::table::Column;
use flipcost::table::{
    ALGORITHM, EXPECTED, EXPECTED_EXACT, MISSING_PRIME, N, POSSIBLE, SOURCE, TARGET as WRITTEN,
    WORST_CASE,
};
use flipcost::task::{Source, Target};
use flipcost_number::short::short;
use flipcost_number::{BigUint, Real};
use flipcost_question::prelude::*;
use flipcost_question::targets::{TargetList, TargetSpan};
use flipcost_question::value::{fair_die_target, join_values, registered_algorithm};
use flipcost_question::{ColumnId, Query, Sources, column};
use num_traits::ToPrimitive;

question! {
    /// The cost of targets from several dice at hand; a rule chooses one of the dice for each roll
    ///
    /// A row for each rule: `plan` is the cheapest recipe that carries a single number, which
    /// `flipcost plan` prints, and `bounded` says whether a bounded number of rolls makes the
    /// target. For example, the coins 1:6 and 2 make a d7.
    pub struct DiceAtHand: "cost" {
        /// The targets.
        target: TargetList; TARGET,
        /// All dice at hand, as in 6,10.
        source: Sources = Sources::from_sides([2]); SOURCE,
        /// Only the algorithm `bounded`; by default, also the recipe of a plan
        algorithms: Vec<AlgorithmId>; ALGORITHMS,
        /// Only these columns
        columns: Vec<ColumnId>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: ["cost 7 -s 6,10", "cost 2..12 -s 1:2,1:3 -a bounded"]
}

/// The maximum number of targets.
const MAX_TARGETS: u128 = 1_000_000;

/// The columns of the answer; the columns of `bounded` come last.
static ANSWER_COLUMNS: [&Column; 9] = [
    SOURCE,
    N,
    WRITTEN,
    ALGORITHM,
    EXPECTED_EXACT,
    EXPECTED,
    WORST_CASE,
    POSSIBLE,
    MISSING_PRIME,
];

/// The columns that have values only in rows of plans.
const PLAN_COLUMNS: [&Column; 2] = [EXPECTED_EXACT, EXPECTED];

/// The id in rows of the cheapest recipe, which the question `plan` prints.
const PLAN: &str = "plan";

impl DiceAtHand {
    /// Whether the user requests only `bounded`.
    fn asks_only_bounded(&self) -> bool {
        !self.algorithms.is_empty()
    }

    fn columns(&self) -> Result<Vec<&'static Column>, QueryError> {
        if self.asks_only_bounded() && self.algorithms != [registered_algorithm("bounded")] {
            let what = say!(
                field("source"),
                format!(" names several dice at hand: {}", self.source)
            );
            let right = say!(
                "only the algorithm `bounded` takes several, ",
                field("algorithms").is(vec!["bounded"]),
                "; ",
                field("sources"),
                " takes one source after the other, and weights are written with colons, as in 1:2"
            );
            return Err(QueryError::wrong("algorithms", what).right(right));
        }
        if let Some(other) = self
            .columns
            .iter()
            .find(|column| !ANSWER_COLUMNS.contains(&column.0))
        {
            let what = format!("{other} is not known for several dice at hand");
            let known: Vec<&str> = ANSWER_COLUMNS.iter().map(|column| column.name()).collect();
            let right = format!("choose from {}", known.join(", "));
            return Err(QueryError::wrong("columns", what).right(right));
        }
        if !self.columns.is_empty() {
            return column::columns(&self.columns);
        }
        let weights = self
            .target
            .targets_outside_ranges()
            .any(|one| one.sides().is_none());
        let hidden = if weights { N } else { WRITTEN };
        let is_shown = |column: &&Column| {
            *column != hidden && !(self.asks_only_bounded() && PLAN_COLUMNS.contains(column))
        };
        Ok(ANSWER_COLUMNS.into_iter().filter(is_shown).collect())
    }

    /// Returns the dice of a plan, if all are fair.
    fn fair_dice(&self) -> Result<Vec<Die>, Sentence> {
        let fair = |one: &Sides| {
            let sides = one.0.in_a_word();
            sides.map(Die::new).ok_or_else(|| {
                let other = one.0.with_article();
                format!("a plan takes fair dice, and {other} is among these").into()
            })
        };
        self.source.get().iter().map(fair).collect()
    }

    /// Returns the plan for this target.
    fn make_plan(&self, dice: &[Die], target: &Target) -> Result<DicePlan, Sentence> {
        let n = target.weight_sum();
        let small = n.to_u64().filter(|n| *n <= crate::MAX_PLANNED_SIDES);
        let n = small.ok_or_else(|| {
            let (n, most) = (short(n), crate::MAX_PLANNED_SIDES);
            say!("{n} is too large to plan: {most} is the most")
        })?;
        crate::plan(n, dice).map_err(|error| error.to_string().into())
    }

    /// Returns the dice of plans, if the question needs plans and the dice are fair; otherwise
    /// notes why there are no plans.
    fn dice_to_plan(&self, foot: &mut Foot) -> Option<Vec<Die>> {
        if self.asks_only_bounded() {
            return None;
        }
        self.fair_dice()
            .map_err(|why| foot.note(say!("no row of `plan`: ", why)))
            .ok()
    }

    /// Returns a row of a target: the row of this plan or, without a plan, the row of `bounded`.
    fn target_row(
        &self,
        columns: &[&'static Column],
        target: &Target,
        (possible, missing): (bool, &Option<BigUint>),
        plan: Option<&DicePlan>,
    ) -> Result<Vec<Cell>, QueryError> {
        let precision = precision(self.digits, self.exact)?;
        let integer =
            |value: Option<BigUint>| value.map_or(Cell::Empty, |value| Cell::Integer(value.into()));
        let cell = |column: &&'static Column| {
            Ok(match (column.name(), plan) {
                ("source", _) => Cell::Text(self.source.to_string()),
                ("n", _) => integer(target.sides().cloned()),
                ("target", _) => Cell::Text(target.to_string()),
                ("possible", _) => Cell::Flag(possible),
                ("missing_prime", _) => integer(missing.clone()),
                ("algorithm", Some(_)) => Cell::Text(PLAN.to_string()),
                ("expected_exact", Some(plan)) => plan.expected.clone().into(),
                ("expected", Some(plan)) => {
                    decimal(&Real::Exact(plan.expected.clone()), precision)?
                }
                ("worst_case", Some(plan)) => Cell::or_infinite(plan.worst_case),
                ("algorithm", None) => Cell::Text("bounded".to_string()),
                ("worst_case", None) if *target == fair_die_target() => Cell::Integer(0u64.into()),
                (_, None) => Cell::Empty,
                (name, Some(_)) => unreachable!("{name} is known"),
            })
        };
        columns.iter().map(cell).collect()
    }

    /// If there is a single target, adds a note that names the question that prints its recipe.
    fn note_on_recipe(&self, foot: &mut Foot) {
        if let [TargetSpan::Listed(one)] = self.target.spans()
            && let [target] = &one[..]
            && let Ok(dice) = join_values(self.source.get(), ",").parse::<Dice>()
        {
            foot.note(say!(
                Query::from(Plan::new(target.clone(), dice)),
                " prints the recipe"
            ));
        }
    }
}

impl Question for DiceAtHand {
    fn summary(&self, answer: &Answer) -> String {
        let dice = dice_phrase(&self.source.to_string());
        let has = |row: &usize, column: &str, value: Cell| *answer.cell(*row, column) == value;
        let rows = || 0..answer.rows.len();
        let bounded: Vec<usize> = rows()
            .filter(|row| *answer.cell(*row, "possible") != Cell::Empty)
            .filter(|row| !has(row, "algorithm", Cell::Text(PLAN.to_string())))
            .collect();
        let target = || answer.cell(0, "n").to_string();
        let plan = rows().find(|row| has(row, "algorithm", Cell::Text(PLAN.to_string())));
        if let (Some(plan), 0..=2) = (plan, answer.rows.len())
            && let Some(expected) = answer.phrase(plan, "expected")
        {
            let rolls = with_unit(&expected, "rolls");
            let alike = match self.source.get() {
                [_] => "; more dice of the same kind do not change the cost",
                _ => "",
            };
            let target = match self.target.spans() {
                [TargetSpan::Listed(one)] => one[0].with_article(),
                _ => format!("a d{}", target()),
            };
            let take = if target.starts_with("weights") {
                "take"
            } else {
                "takes"
            };
            return format!(
                "{target} {take} {rolls} of {dice} on average by the cheapest plan{alike}"
            );
        }
        let prime = |row: usize| answer.phrase(row, "missing_prime");
        match bounded[..] {
            [row] if prime(row).is_some() => format!(
                "no bounded number of rolls of {dice} makes a d{}: {} divides none of their products",
                target(),
                prime(row).unwrap_or_default()
            ),
            [row] => {
                let rolls = answer.phrase(row, "worst_case").unwrap_or_default();
                let rolls = with_unit(&rolls, "rolls");
                format!("a d{} takes at most {rolls} of {dice}", target())
            }
            _ => {
                let possible = bounded
                    .iter()
                    .filter(|row| has(row, "possible", Cell::Flag(true)));
                format!(
                    "of {} {} made in a bounded number of rolls of {dice}",
                    count_with_noun(bounded.len() as u64, "target"),
                    is_or_are(possible.count() as u64)
                )
            }
        }
    }

    fn estimate(&self) -> Estimate {
        let cells = Estimate::cells(self.target.count().saturating_mul(5), 8);
        if self.asks_only_bounded() {
            return cells;
        }
        let work = |span: &TargetSpan| match span {
            TargetSpan::Dice(all) => {
                u128::from(*all.end()).saturating_mul(u128::from(span.count()))
            }
            TargetSpan::Listed(all) => all
                .iter()
                .map(TargetText::sum_or_most)
                .fold(0, u128::saturating_add),
        };
        let work = self
            .target
            .spans()
            .iter()
            .map(work)
            .fold(0, u128::saturating_add);
        Estimate {
            work: cells
                .work
                .saturating_add(work.saturating_mul(200 * self.source.get().len() as u128)),
            ..cells
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let columns = self.columns()?;
        precision(self.digits, self.exact)?;
        if self.target.count() > MAX_TARGETS {
            let what = format!("{} targets are too many", self.target.count());
            return Err(
                QueryError::wrong("target", what).right(format!("{MAX_TARGETS} is the most"))
            );
        }
        let sources: Vec<Source> = self.source.get().iter().map(|one| one.0.clone()).collect();
        let mut foot = Foot::default();
        let dice = self.dice_to_plan(&mut foot);
        sink.head(&column::head(&columns, None, &self.columns))?;
        let (mut unknown, mut shared, mut refused) = (false, false, None);
        let mut rows = Vec::new();
        for target in self.target.iter_targets() {
            control.go_on()?;
            let target = target?;
            let missing = missing_prime(&sources, &target);
            let possible = target.is_bounded(&sources);
            shared |= !possible && missing.is_none();
            unknown |= possible && columns.contains(&WORST_CASE) && target != fair_die_target();
            let row = |plan: Option<&DicePlan>| {
                self.target_row(&columns, &target, (possible, &missing), plan)
            };
            match dice.as_ref().map(|dice| self.make_plan(dice, &target)) {
                Some(Ok(plan)) => rows.push(row(Some(&plan))?),
                Some(Err(why)) => {
                    refused.get_or_insert(why);
                }
                None => {}
            }
            rows.push(row(None)?);
        }
        sink.rows(rows)?;
        if let Some(why) = refused {
            foot.note(say!("no row of `plan`: ", why));
        }
        if dice.is_some() {
            self.note_on_recipe(&mut foot);
        }
        if unknown {
            foot.note("\"possible\" means that a bounded number of rolls suffices; the bound is given for a single fair die only");
        }
        if shared {
            foot.note(
                "a target is impossible although no prime is missing: the weights of all faces but one have a common divisor, and it does not divide the weights of all outcomes but one",
            );
        }
        sink.foot(foot)
    }
}
