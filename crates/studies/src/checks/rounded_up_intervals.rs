//! The check `rounded-up-intervals`: see [`RoundedUpIntervals`].

use crate::case::Case;
use crate::decide::{Decide, Found};
use crate::doubles::{DEEPEST, Wrong, doubles, first_wrong, runs};
use crate::error::{Mistake, StudyError};
use crate::limits::{FACES, PAIR_STEPS, at_most};
use crate::values::{Fraction, Line, Natural, Span, coin, fair, task};
use flipcost::law::{Chain, Step};
use flipcost_number::{BigInt, BigUint, Rational, Real};
use num_traits::{One, Signed, ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::Deserialize;

/// The interval algorithm with both ends of its interval rounded up to whole numbers: in exact arithmetic the
/// expected rolls, and whether it is fair; in doubles the first wrong stop.
///
/// ```toml
/// rounded-up-intervals = { source = 4, n = 6, is = "29/12" }
/// # or: rounded-up-intervals = { source = 4, n = 6, doubles = { rolls = "3 x 26", gives = 4 } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundedUpIntervals {
    #[serde(default = "coin")]
    source: u64,
    n: Natural,
    /// The expected rolls in exact arithmetic.
    is: Option<Fraction>,
    /// The first wrong stop in doubles.
    doubles: Option<WrongStop>,
}

/// The shortest rolls after which doubles stop wrongly.
///
/// ```toml
/// doubles = { rolls = "3 x 26", gives = 4, distance-below = "1/10^14" }
/// # or: doubles = { rolls = "3 x 26", gives = 4, sources = "4..6", targets = "6..20" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrongStop {
    /// The rolls, as `3, 1 x 26`.
    rolls: Line,
    /// What they give.
    gives: u64,
    /// The total variation distance of the exact law from a fair die is above 0 and below this.
    distance_below: Option<Fraction>,
    /// The sources of which no other stops wrongly after fewer rolls; this one unless they are given.
    sources: Option<Span>,
    /// The targets of which no other stops wrongly after fewer rolls; this one unless they are given.
    targets: Option<Span>,
}

/// Where the exact published rule is in [0, 1).
#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    /// [low, low + 1) / scale, scale < n.
    Part(BigUint, BigUint),
    /// The cut above this cell lies r/n of the way through, 0 <= r < n.
    Cut(BigUint, BigUint),
}

fn rounded_up(m: u64, n: &BigUint) -> Result<Chain, StudyError> {
    let settle = |low: BigUint, scale: BigUint| {
        // the cells of both ends, from 0; the low end counts to the cell below
        let first = (&low * n + &scale - 1u8) / &scale; // the first cut at or above low
        let after = (&low + 1u8) * n;
        if first.is_zero() && after <= scale {
            return Step::Output(BigUint::zero());
        }
        if !first.is_zero() && &first * &scale >= after {
            return Step::Output(first - 1u8);
        }
        if scale < *n {
            return Step::Roll(Place::Part(low, scale));
        }
        let cut = if first.is_zero() {
            BigUint::one()
        } else {
            first
        };
        let way = &cut * &scale - &low * n;
        Step::Roll(Place::Cut(cut - 1u8, way))
    };
    let step = |at: &Place, face: u64| match at {
        Place::Part(low, scale) => settle(low * m + face, scale * m),
        Place::Cut(cell, r) => {
            let (way, passed) = (r * m, n * face);
            if way < passed {
                Step::Output(cell + 1u8)
            } else if &way - &passed >= *n {
                Step::Output(cell.clone())
            } else {
                Step::Roll(Place::Cut(cell.clone(), way - passed))
            }
        }
    };
    let start = settle(BigUint::zero(), BigUint::one());
    let chain = Chain::explore(start, FACES, |_| m, step);
    chain.map(|(chain, _)| chain).map_err(|_| {
        Mistake::new("the rule has too many states")
            .field("n")
            .into()
    })
}

impl Decide for RoundedUpIntervals {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let task = task(self.source, self.n.0.clone())?;
        match (&self.is, &self.doubles) {
            (Some(is), None) => {
                let chain = rounded_up(self.source, fair(&task)?.n)?;
                let share = Rational::new(1.into(), self.n.0.clone().into());
                let fair = chain.probabilities().values().all(|p| *p == share);
                let word = if fair { "fair" } else { "not fair" };
                let mean = chain.mean();
                Ok(Found::new(format!("{mean}, {word}"), mean == is.0 && fair))
            }
            (None, Some(stop)) => {
                let n = self.n.0.to_u64().unwrap_or(u64::MAX);
                stop.decide(self.source, n)
            }
            _ => {
                let what = "it is asked in exact arithmetic or in doubles";
                let mistake = Mistake::new(what).field("is");
                Err(mistake.right("give one of is and doubles").into())
            }
        }
    }
}

impl WrongStop {
    fn decide(&self, source: u64, target: u64) -> Result<Found, StudyError> {
        let one = |sides: u64| Span(sides..=sides);
        let sources = self.sources.clone().unwrap_or(one(source));
        let targets = self.targets.clone().unwrap_or(one(target));
        at_most("sources", *sources.0.end(), "sides of the source", 1000)?;
        at_most("targets", *targets.0.end(), "sides of the target", 1000)?;
        let pairs = sources.count() * targets.count();
        // A level of the search has about m n intervals.
        let each = sources.0.end() * targets.0.end() * DEEPEST as u64;
        if pairs > 1 {
            at_most("targets", pairs * each, "steps of a search", PAIR_STEPS)?;
        }
        let mut best: Option<Wrong> = None;
        for source in sources.0.clone() {
            for target in targets.0.clone() {
                let most = best.as_ref().map_or(DEEPEST, |best| best.rolls.len() - 1);
                best = first_wrong(doubles(source, target)?, most).or(best);
            }
        }
        let mut holds = best.as_ref().is_some_and(|best| {
            (best.source, best.target, best.gives) == (source, target, self.gives)
                && runs(&best.rolls) == self.rolls.0
        });
        let mut computed = match best {
            None => format!("no wrong stop in {DEEPEST} rolls for {pairs} pairs of dice"),
            Some(best) if pairs > 1 => {
                let (m, n, text) = (best.source, best.target, best.text());
                format!("d{n} from d{m}: {text}; shortest of {pairs} pairs of dice")
            }
            Some(best) => best.text(),
        };
        if let Some(most) = &self.distance_below {
            let (distance, rolls) = law_in_doubles(source, target)?;
            holds &= distance.is_positive() && distance < most.0;
            let distance = Real::Exact(distance).nearest_f64()?;
            let rolls = Real::Exact(rolls).decimals(6)?;
            computed += &format!("; total variation {distance:.3e}, {rolls} rolls");
        }
        Ok(Found::new(computed, holds))
    }
}

/// How far the exact law in doubles is from a fair die, and the expected rolls.
fn law_in_doubles(source: u64, target: u64) -> Result<(Rational, Rational), StudyError> {
    let law = doubles(source, target)?.law()?;
    let share = Rational::new(1.into(), target.into());
    let mut probabilities = law.probabilities();
    let inside = (1..=target).map(|cell| {
        let p = probabilities.remove(&BigUint::from(cell));
        (p.unwrap_or_default() - &share).abs()
    });
    let inside: Rational = inside.sum();
    let outside: Rational = probabilities.into_values().sum();
    Ok(((inside + outside) / BigInt::from(2), law.mean().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_rule_keeps_every_cut_undecided_once() {
        for m in [2u64, 3, 4, 6, 10] {
            for n in 2u64..=30 {
                let chain = rounded_up(m, &n.into()).unwrap();
                let share = Rational::new(1.into(), n.into());
                assert!(
                    chain.probabilities().values().all(|p| *p == share),
                    "{m} {n}"
                );
                for (t, s) in chain.undecided_nodes().take(8).enumerate() {
                    if m.pow(t as u32) >= n {
                        assert_eq!(s, BigUint::from(n - 1), "{m} {n} {t}");
                    }
                }
            }
        }
    }
}
