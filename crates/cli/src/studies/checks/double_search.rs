//! The check `double-search`: see [`DoubleSearch`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::doubles::{DEEPEST, Wrong, doubles, first_wrong, runs};
use crate::studies::error::StudyError;
use crate::studies::limits::{PAIR_STEPS, at_most};
use crate::studies::values::{Line, Span};
use schemars::JsonSchema;
use serde::Deserialize;

/// The fewest rolls after which the interval algorithm in doubles stops wrongly, over a range of
/// dice.
///
/// ```toml
/// [check.double-search]
/// sources = "2..=20"
/// targets = "2..=100"
/// source = 18
/// n = 91
/// rolls = "15, 8"
/// gives = 73
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoubleSearch {
    /// The sources that are searched.
    sources: Span,
    /// The targets that are searched.
    targets: Span,
    /// The source of the first wrong stop.
    source: u64,
    /// The target of the first wrong stop.
    n: u64,
    /// The rolls of the first wrong stop, as `15, 8`.
    rolls: Line,
    /// What these rolls give.
    gives: u64,
}

impl Decide for DoubleSearch {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let (sources, targets) = (&self.sources, &self.targets);
        at_most("sources", *sources.0.end(), "sides of the source", 1000)?;
        at_most("targets", *targets.0.end(), "sides of the target", 1000)?;
        // A level of the search has about m n intervals.
        let each = sources.0.end() * targets.0.end() * DEEPEST as u64;
        let steps = sources.count() * targets.count() * each;
        at_most("targets", steps, "steps of a search", PAIR_STEPS)?;
        let mut best: Option<Wrong> = None;
        let mut pairs = 0u64;
        for source in self.sources.0.clone() {
            for target in self.targets.0.clone() {
                pairs += 1;
                let most = best.as_ref().map_or(DEEPEST, |best| best.rolls.len() - 1);
                best = first_wrong(doubles(source, target)?, most).or(best);
            }
        }
        let Some(best) = best else {
            let none = format!("no wrong stop for {pairs} pairs of dice");
            return Ok(Found::new(none, false));
        };
        let holds = (best.source, best.target, best.gives) == (self.source, self.n, self.gives)
            && runs(&best.rolls) == self.rolls.0;
        let (m, n) = (best.source, best.target);
        Ok(Found::new(
            format!(
                "d{n} from d{m}: {}; shortest of {pairs} pairs of dice",
                best.text()
            ),
            holds,
        ))
    }
}
