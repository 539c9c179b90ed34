//! The claims of a study, each decided exactly: in integers and rationals, or by enclosures.

use super::check_costs::{BatchCost, BestOrderIs, RecipeCost, Stream, UniformBatch};
use super::check_rolls::{
    BoundedRolls, Fairness, InARow, UniformOutcomes, WorkedBatch, WorkedRoll,
};
use super::draw::{dice, fair};
use super::floats::{DoubleIntervals, DoubleSearch, RoundedUpIntervals};
use super::sequences::Identified;
use super::spec::{Fraction, MethodId, Natural, StudyError, coin};
use flipcost::algorithms::{self, short};
use flipcost::number::BigInt;
use flipcost::number::real::Real;
use flipcost::sequences;
use flipcost::sweep::{Pace, ordered};
use flipcost::table::columns::{Costs, EXACT_LIMIT, fraction, size_in_words};
use flipcost::task::Task;
use serde::Deserialize;
use std::cmp::Ordering;
use std::path::Path;

/// A claim, and one question that decides it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Check {
    /// What is claimed.
    pub claim: String,
    /// What was published, as it stands there.
    pub published: String,
    expected: Option<Expected>,
    rounds: Option<Rounds>,
    sequence: Option<SequenceTerms>,
    toll_below: Option<TollBelow>,
    ratio: Option<Ratio>,
    identified: Option<Identified>,
    worked_roll: Option<WorkedRoll>,
    worked_batch: Option<WorkedBatch>,
    fairness: Option<Fairness>,
    uniform: Option<UniformOutcomes>,
    bounded: Option<BoundedRolls>,
    in_a_row: Option<InARow>,
    batch: Option<BatchCost>,
    best_order: Option<BestOrderIs>,
    stream: Option<Stream>,
    uniform_batch: Option<UniformBatch>,
    recipe: Option<RecipeCost>,
    double_intervals: Option<DoubleIntervals>,
    double_search: Option<DoubleSearch>,
    rounded_up_intervals: Option<RoundedUpIntervals>,
}

/// `E[T]` of one algorithm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    n: Natural,
    is: Fraction,
}

/// The rounds of a flow chart, each as [before, rolls, after].
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rounds {
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
    is: Vec<(u64, u64, u64)>,
    /// The round, counted from 1, to which the last one returns; left out if there is no cycle.
    back_to: Option<usize>,
}

/// The terms of a named sequence, from its offset on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SequenceTerms {
    id: String,
    #[serde(default)]
    is: Vec<i64>,
    /// Lines `n a(n)`, from a file beside the study's folder.
    file: Option<String>,
    /// Compare with the terms of the OEIS that come with the program.
    #[serde(default)]
    as_in_oeis: bool,
}

/// `E[T]` - log_m n < bound for every n up to a limit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TollBelow {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    bound: Fraction,
    to: u64,
}

/// Where `E[T]` >= least * log_m n, over n = 2 ..= to, and the largest ratio.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ratio {
    #[serde(default = "coin")]
    source: u64,
    algorithm: MethodId,
    least: Fraction,
    to: u64,
    /// The largest ratio, and the n where it stands.
    largest: Fraction,
    at: u64,
}

/// What was found of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim.
    pub claim: String,
    /// What was published.
    pub published: String,
    /// What was computed.
    pub computed: String,
    /// Does it hold?
    pub holds: bool,
}

/// A question that a claim asks: what was computed, and whether the claim holds.
pub(super) trait Question {
    fn decide(&self, root: &Path) -> Result<(String, bool), StudyError>;
}

impl Check {
    /// The one question of this check.
    pub(super) fn question(&self) -> Result<&dyn Question, String> {
        fn some<Q: Question>(question: &Option<Q>) -> Option<&dyn Question> {
            question.as_ref().map(|question| question as &dyn Question)
        }
        let all = [
            ("expected", some(&self.expected)),
            ("rounds", some(&self.rounds)),
            ("sequence", some(&self.sequence)),
            ("toll-below", some(&self.toll_below)),
            ("ratio", some(&self.ratio)),
            ("worked-roll", some(&self.worked_roll)),
            ("worked-batch", some(&self.worked_batch)),
            ("fairness", some(&self.fairness)),
            ("uniform", some(&self.uniform)),
            ("bounded", some(&self.bounded)),
            ("in-a-row", some(&self.in_a_row)),
            ("batch", some(&self.batch)),
            ("best-order", some(&self.best_order)),
            ("stream", some(&self.stream)),
            ("uniform-batch", some(&self.uniform_batch)),
            ("recipe", some(&self.recipe)),
            ("double-intervals", some(&self.double_intervals)),
            ("double-search", some(&self.double_search)),
            ("rounded-up-intervals", some(&self.rounded_up_intervals)),
            ("identified", some(&self.identified)),
        ];
        let mut asked = all.iter().filter_map(|(_, question)| *question);
        match (asked.next(), asked.next()) {
            (Some(question), None) => Ok(question),
            _ => {
                let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
                Err(format!("must ask exactly one of: {}", names.join(", ")))
            }
        }
    }

    /// Decides the claim; files are looked up below `root`.
    pub fn decide(&self, root: &Path) -> Result<Verdict, StudyError> {
        let question = self.question().map_err(StudyError::Spec)?;
        let (computed, holds) = question.decide(root)?;
        Ok(Verdict {
            claim: self.claim.clone(),
            published: self.published.clone(),
            computed,
            holds,
        })
    }
}

impl Question for Expected {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let costs = Costs::new(self.algorithm.0, &dice(self.source, &self.n)?)?;
        let mean = costs.law.mean_up_to(EXACT_LIMIT).map_err(|size| {
            let (n, size) = (short(&self.n.0), size_in_words(size));
            StudyError::Spec(format!("the exact fraction for n = {n} {size}"))
        })?;
        Ok((fraction(&mean), mean == self.is.0))
    }
}

impl Question for Rounds {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let dice = dice(self.source, &self.n)?;
        let chart = algorithms::flow_chart(fair(&dice)?, self.is.len() + 1000);
        let Some(chart) = chart else {
            return Ok(("over 1000 rounds".to_string(), false));
        };
        let line = |round: &algorithms::Round| {
            format!("{} -{}-> {}", round.before, round.rolls, round.after)
        };
        let lines: Vec<String> = chart.rounds.iter().map(line).collect();
        let end = chart.back_to.map_or("no cycle".to_string(), |to| {
            format!("back to round {}", to + 1)
        });
        let wanted = |&(before, rolls, after): &(u64, u64, u64)| algorithms::Round {
            before: before.into(),
            rolls,
            after: after.into(),
        };
        let holds = chart.rounds.iter().cloned().eq(self.is.iter().map(wanted))
            && chart.back_to == self.back_to.map(|round| round.wrapping_sub(1));
        Ok((format!("{}; {end}", lines.join(", ")), holds))
    }
}

impl Question for SequenceTerms {
    fn decide(&self, root: &Path) -> Result<(String, bool), StudyError> {
        let sequence = sequences::find(&self.id)?;
        let mut wanted: Vec<BigInt> = self.is.iter().map(|term| (*term).into()).collect();
        let mut offset = sequence.offset() as i64;
        if self.as_in_oeis {
            let number = flipcost_query::entry::a_number(&sequence);
            let entry = number.and_then(flipcost_oeis::published::find);
            let entry = entry.ok_or_else(|| {
                StudyError::Spec(format!(
                    "no entry of the OEIS for {} comes with the program",
                    self.id
                ))
            })?;
            (offset, wanted) = (entry.offset, entry.terms);
        }
        if let Some(file) = &self.file {
            let loaded = flipcost_oeis::detect::load(&root.join(file), None)
                .map_err(|refusal| StudyError::Spec(refusal.to_string()))?;
            offset = loaded.offset.unwrap_or(offset);
            wanted = loaded.terms;
        }
        if wanted.is_empty() || offset < sequence.offset() as i64 {
            return Err(StudyError::Spec(format!(
                "the check of {} has no terms to compare",
                self.id
            )));
        }
        let first = offset as u64;
        let last = first + wanted.len() as u64 - 1;
        let terms = sequence.terms(first..=last)?;
        let differ = terms
            .iter()
            .zip(&wanted)
            .position(|(ours, theirs)| ours != theirs);
        Ok(match differ {
            None => (format!("all {} terms agree", wanted.len()), true),
            Some(i) => (
                format!("a({}) = {}, not {}", first + i as u64, terms[i], wanted[i]),
                false,
            ),
        })
    }
}

fn costs(method: &dyn algorithms::Algorithm, source: u64, n: u64) -> Result<Costs, StudyError> {
    let dice = Task::dice(source, n).map_err(|error| StudyError::Spec(error.to_string()))?;
    Ok(Costs::new(method, &dice)?)
}

/// The larger of two values with their n; the earlier n of two that are equal.
fn larger(a: Option<(u64, Real)>, b: (u64, Real)) -> Result<Option<(u64, Real)>, StudyError> {
    Ok(match a {
        Some(a) if b.1.compare(&a.1)? != Ordering::Greater => Some(a),
        _ => Some(b),
    })
}

impl Question for TollBelow {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        if self.to == 0 {
            return Err(StudyError::Spec(
                "toll-below needs a range up to 1 at least".to_string(),
            ));
        }
        let bound = Real::Exact(self.bound.0.clone());
        let mut most: Option<(u64, Real)> = None;
        let mut above = 0u64;
        let work = |part: std::ops::RangeInclusive<u64>| {
            let (mut most, mut above) = (None, 0u64);
            for n in part {
                let toll = costs(self.algorithm.0, self.source, n)?.toll();
                above += (toll.compare(&bound)? != Ordering::Less) as u64;
                most = larger(most, (n, toll))?;
            }
            Ok((most, above))
        };
        let sink = |(part, more): (Option<(u64, Real)>, u64), _| {
            above += more;
            if let Some(part) = part {
                most = larger(most.take(), part)?;
            }
            Ok::<(), StudyError>(())
        };
        ordered(1..=self.to, Pace::default(), work, sink)?;
        let (n, toll) = most.expect("at least n = 1");
        let largest = toll.decimals(12)?;
        Ok((
            format!(
                "largest {largest} at n = {n}, of {} n; {above} at the bound or above",
                self.to
            ),
            above == 0,
        ))
    }
}

impl Question for Ratio {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        if self.to < 2 {
            return Err(StudyError::Spec(
                "ratio needs a range up to 2 at least: log 1 is 0".to_string(),
            ));
        }
        let least = Real::Exact(self.least.0.clone());
        let (mut most, mut count): (Option<(u64, Real)>, u64) = (None, 0);
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        let work = |part: std::ops::RangeInclusive<u64>| {
            let (mut most, mut found) = (None, Vec::new());
            for n in part {
                let costs = costs(self.algorithm.0, self.source, n)?;
                if costs.mean.compare(&least.times(&costs.entropy))? != Ordering::Less {
                    found.push(n);
                }
                most = larger(most, (n, costs.mean.over(&costs.entropy)))?;
            }
            Ok((most, found))
        };
        let sink = |(part, found): (Option<(u64, Real)>, Vec<u64>), _| {
            count += found.len() as u64;
            for n in found {
                match stretches.last_mut() {
                    Some((_, end)) if *end + 1 == n => *end = n,
                    _ => stretches.push((n, n)),
                }
            }
            if let Some(part) = part {
                most = larger(most.take(), part)?;
            }
            Ok::<(), StudyError>(())
        };
        ordered(2..=self.to, Pace::default(), work, sink)?;
        let Some((n, ratio)) = most else {
            return Ok(("no n to compare".to_string(), false));
        };
        let holds =
            n == self.at && ratio.compare(&Real::Exact(self.largest.0.clone()))? == Ordering::Equal;
        let shown = |&(a, b): &(u64, u64)| {
            if a == b {
                a.to_string()
            } else {
                format!("{a}..{b}")
            }
        };
        let list: Vec<String> = stretches.iter().map(shown).collect();
        let least = fraction(&self.least.0);
        let largest = match ratio.exact() {
            Some(exact) => fraction(exact),
            None => ratio.decimals(6)?,
        };
        let computed = format!(
            "largest ratio {largest} at n = {n}; at least {least} for {count} n of {}: {}",
            self.to - 1,
            list.join(", ")
        );
        Ok((computed, holds))
    }
}
