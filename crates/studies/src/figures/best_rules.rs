//! The figure `best-rules`: see [`BestRules`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, DrawContext, DrawnFigure, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_SEARCHES, check_at_most};
use crate::values::{FigureName, Line, Span};
use flipcost::table::{Cell, Precision};
use flipcost::task::Target;
use flipcost_dice_set::{Die, MAX_PLANNED_SIDES, Optimal, optimal, plan};
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_number::threads;
use flipcost_terminal::files;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The best rule for every target and every set of the given dice, and the best rule that keeps one
/// uniform number from roll to roll. The result is a table, and a map of how much the best rule
/// saves.
///
/// The search may take hours. Partial results are stored in a journal next to the table, and the
/// next run continues from the journal.
///
/// ```toml
/// [[best-rules]]
/// name = "optimum"
/// title = "What a rule gains that keeps more than one uniform number"
/// dice = [4, 6, 8]
/// also = [[2, 6]]
/// targets = "2..=12"
/// effort = 100000
/// x = { label = "sides of the target, n" }
/// y = { label = "dice" }
/// value = { label = "fewer rolls" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BestRules {
    name: FigureName,
    title: Line,
    /// The sides of the dice; every set of these dice is searched.
    dice: Vec<u64>,
    /// Further sets of dice.
    #[serde(default)]
    also: Vec<Vec<u64>>,
    targets: Span,
    /// The maximal number of steps of each search.
    effort: u64,
    x: AxisSpec,
    y: AxisSpec,
    /// The axis of the colours.
    value: AxisSpec,
}

/// The largest number of dice in `dice`, since every set of them is searched.
const MAX_DICE: u64 = 10;
/// The largest number of steps of one search. They take about an hour, and at worst a few hundred
/// bytes for each step.
const MAX_STEPS: u64 = 10_000_000_000;

/// The best rule for a target and a set of dice, as the journal stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BestRule {
    target: u64,
    dice: Vec<u64>,
    #[serde(with = "as_text")]
    expected: Rational,
    #[serde(with = "as_text")]
    lower: Rational,
    proved: bool,
    /// The best rule that keeps one uniform number.
    #[serde(with = "as_text")]
    kept: Rational,
    steps: u64,
}

/// Reads and writes a fraction of the journal as text, for serde.
mod as_text {
    use flipcost_number::Rational;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &Rational, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rational, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The first line of a journal: the version and the effort with which its rows were computed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct JournalHead {
    version: String,
    effort: u64,
}

impl BestRule {
    fn new(target: u64, sides: &[u64], effort: u64) -> Result<BestRule, StudyError> {
        let dice: Vec<Die> = sides
            .iter()
            .map(|sides| Die::new((*sides).into()))
            .collect();
        let fair = Target::uniform(target).map_err(Mistake::new)?;
        let best: Optimal = optimal(&fair, &dice, effort, &mut |_| true).map_err(Mistake::new)?;
        let kept = plan(target, &dice).map_err(Mistake::new)?;
        Ok(BestRule {
            target,
            dice: sides.to_vec(),
            expected: best.expected,
            lower: best.lower,
            proved: best.proved,
            kept: kept.expected,
            steps: best.steps,
        })
    }

    /// Returns the number of rolls that the best known rule saves. Returns `None` if it is not
    /// known whether the number is 0.
    fn saved_rolls(&self) -> Result<Option<f64>, StudyError> {
        let gain = &self.kept - &self.expected;
        let known = self.proved || self.kept != self.expected;
        let near = known.then(|| Real::Exact(gain).to_f64());
        Ok(near.transpose()?)
    }

    fn to_row(&self) -> Result<Vec<Cell>, StudyError> {
        let double = |value: &Rational| Precision::default().cell(&Real::Exact(value.clone()));
        Ok(vec![
            Cell::Integer(self.target.into()),
            Cell::Text(join_sides(&self.dice, ",")),
            Cell::from(&self.expected),
            double(&self.expected)?,
            Cell::from(&self.lower),
            Cell::Text(if self.proved { "yes" } else { "no" }.to_string()),
            Cell::from(&self.kept),
            double(&self.kept)?,
            Cell::Integer(self.steps.into()),
        ])
    }
}

fn json_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("plain values");
    line.push(b'\n');
    line
}

fn join_sides(sides: &[u64], between: &str) -> String {
    let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
    sides.join(between)
}

impl BestRules {
    /// Returns the sets of dice, the small sets first.
    fn sets(&self) -> Vec<Vec<u64>> {
        let all = 1u32..1 << self.dice.len();
        let mut sets: Vec<Vec<u64>> = all
            .map(|set| {
                let chosen = (self.dice.iter().enumerate()).filter(|(i, _)| set >> i & 1 == 1);
                chosen.map(|(_, sides)| *sides).collect()
            })
            .chain(self.also.iter().cloned())
            .collect();
        sets.sort_by_key(|set| (set.len(), set.clone()));
        sets.dedup();
        sets
    }

    fn request(&self) -> JournalHead {
        JournalHead {
            version: env!("CARGO_PKG_VERSION").to_string(),
            effort: self.effort,
        }
    }

    /// Reads the results of earlier runs: the complete lines of a journal with the same version and
    /// effort.
    fn read_journal(&self, journal: &Path) -> HashMap<(u64, Vec<u64>), BestRule> {
        let text = files::read_text(journal, files::DEFAULT_MAX_BYTES).unwrap_or_default();
        // a line that is cut off is ignored
        let mut lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        let head = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok());
        if head != Some(self.request()) {
            return HashMap::new();
        }
        lines
            .filter_map(|line| serde_json::from_str::<BestRule>(line).ok())
            .map(|found| ((found.target, found.dice.clone()), found))
            .collect()
    }

    /// Computes every target from every set of dice, ordered by set and then by target, and appends
    /// each result to the journal.
    fn rows(&self, sets: &[Vec<u64>], work: &DrawContext) -> Result<Vec<BestRule>, StudyError> {
        let journal = work.journal();
        let wrong = |error: std::io::Error| {
            let shown = journal.display().to_string();
            let shown = shown.escape_debug();
            StudyError::from(Mistake::new(format!("cannot write \"{shown}\": {error}")))
        };
        let kept = self.read_journal(&journal);
        // write the complete lines of the earlier journal, then one line for each new result
        let mut begun = File::create(&journal).map_err(wrong)?;
        begun
            .write_all(&json_line(&self.request()))
            .map_err(wrong)?;
        for found in kept.values() {
            begun.write_all(&json_line(found)).map_err(wrong)?;
        }
        let begun = Mutex::new(begun);
        let cases = sets
            .iter()
            .flat_map(|set| self.targets.0.clone().map(move |n| (n, set)));
        let cases: Vec<_> = cases.collect();
        let found = threads::map_of(&cases, &|(n, set)| {
            let found = match kept.get(&(*n, set.to_vec())) {
                Some(found) => found.clone(),
                None => {
                    let found = BestRule::new(*n, set, self.effort)?;
                    let mut begun = begun.lock().unwrap_or_else(PoisonError::into_inner);
                    begun.write_all(&json_line(&found)).map_err(wrong)?;
                    found
                }
            };
            (work.on_part_done)();
            Ok(found)
        });
        found.into_iter().collect()
    }

    fn map(&self, sets: &[Vec<u64>], found: &[BestRule]) -> Result<Drawing, StudyError> {
        let targets: Vec<f64> = self.targets.0.clone().map(|n| n as f64).collect();
        let values = found.chunks(targets.len());
        let values = values.map(|row| {
            row.iter()
                .map(BestRule::saved_rolls)
                .collect::<Result<Vec<_>, _>>()
        });
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        let mut names: Vec<String> = sets.iter().map(|set| join_sides(set, " ")).collect();
        // the rows of the small sets are at the top
        values.reverse();
        names.reverse();
        let rows: Vec<f64> = (1..=names.len()).map(|row| row as f64).collect();
        let ticks = rows.iter().copied().zip(names).collect();
        let y = Axis {
            ticks: Ticks::At(ticks),
            ..self.y.axis()
        };
        let height = 130.0 + 13.0 * rows.len() as f64;
        let map = HeatMap::new(&self.title.0, targets, rows, values)
            .x(self.x.axis())
            .y(y)
            .value(self.value.axis())
            .missing("not settled, and no better rule is known")
            .size(900.0, height);
        Ok(map.draw()?)
    }
}

impl Draw for BestRules {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError> {
        check_at_most(
            "dice",
            self.dice.len() as u64,
            "dice, of which every set is searched,",
            MAX_DICE,
        )?;
        check_at_most("effort", self.effort, "steps of a search", MAX_STEPS)?;
        check_at_most(
            "targets",
            *self.targets.0.end(),
            "sides of the die that the plan makes",
            MAX_PLANNED_SIDES,
        )?;
        let sets = self.sets();
        check_at_most(
            "targets",
            self.targets.count().saturating_mul(sets.len() as u64),
            "searches",
            MAX_SEARCHES,
        )?;
        let found = self.rows(&sets, work)?;
        let drawn = DrawnFigure {
            drawing: self.map(&sets, &found)?,
            headers: headers([
                "target",
                "dice",
                "expected_exact",
                "expected",
                "lower_exact",
                "proved",
                "one_number_exact",
                "one_number",
                "steps",
            ]),
            rows: found
                .iter()
                .map(BestRule::to_row)
                .collect::<Result<_, _>>()?,
        };
        Ok(drawn)
    }
}
