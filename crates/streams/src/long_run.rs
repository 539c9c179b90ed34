//! The long-run cost of an endless stream of one target: rolls per outcome.
//!
//! The states at the tests are a finite Markov chain (the embedded chain). The cost is that of its
//! closed class: the expected rolls divided by the expected outcomes between two visits of one
//! state, or, equivalently, under the stationary distribution.

use super::batch::entropy;
use super::dice::{sides, word_sides};
use super::embedded::Embedded;
use flipcost::task::{Refusal, Source, Target};
use flipcost_number::Real;
use flipcost_number::{BigInt, Rational};
use num_traits::One;

/// The rolls per outcome of an endless stream: the result of [`repeat`] and [`eager_repeat`].
///
/// With probability 1, a stream ends in one of the closed classes of its embedded chain, and then
/// has the cost of that class. If there are several classes with different costs, the cost depends
/// on chance, and `low` and `high` are the extremes. (In all 6,887 reducible chains with m <= 12, n
/// <= 60, C <= 2500 and up to 300 states, the costs of the classes agree in double precision; this
/// was found by a search outside this crate, which a Python program repeated for m <= 4. It is not
/// proved that they must agree.)
///
/// ```
/// use flipcost::task::{Source, Target};
/// let run = flipcost_streams::repeat(&Source::die(6)?, &Target::uniform(6)?)?;
/// assert_eq!(run.exact.map(|cost| cost.to_string()), Some("1".into())); // a roll per outcome
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongRun {
    /// The exact value, if the chain is small and all its closed classes have the same cost.
    pub exact: Option<Rational>,
    /// A lower bound of the value. It is at least the entropy bound, rounded down to a multiple of
    /// 2^-96.
    pub low: Rational,
    /// An upper bound of the value.
    pub high: Rational,
    /// The number of states of the embedded chain, if it was explored.
    pub states: Option<usize>,
    /// The least and the largest state V at a test, if the chain was explored. In state V, the
    /// number c has V equally likely values.
    pub stores: Option<(u128, u128)>,
    /// The number of closed classes of the embedded chain, if it was explored.
    pub classes: Option<usize>,
}

/// Chains with at most this many states are solved exactly.
const EXACT_STATES: usize = 600;
/// Chains with at most this many states are explored and enclosed by a certificate.
const EXPLORED_STATES: usize = 20_000;
/// A certificate requires states below this number, so that its integers fit into 128 bits.
const MAX_CERTIFIED_STATE: u128 = 1 << 34;

/// Returns the rolls per outcome of an endless stream of one target that keeps the state.
///
/// Cost: as [`eager_repeat`] with capacity 1.
///
/// # Errors
/// If the source or the target is not fair, or has more than 2^64 sides.
pub fn repeat(source: &Source, target: &Target) -> Result<LongRun, Refusal> {
    eager_repeat(source, target, 1)
}

/// As [`repeat`], for the eager variant with this capacity. The result is exact for small chains;
/// otherwise an integer certificate encloses it, or, for large capacities, the entropy bound.
///
/// **Entropy bound.** The only information that is lost at a test is whether the state was
/// accepted. Let H(p) be the entropy of a coin of probability p in units of log m, and let log_m v
/// measure a state. A roll adds exactly 1, so under the stationary distribution of every closed
/// class
///
/// ```text
/// rolls per outcome = log_m n + mean of H((V mod n) / V) / mean of (1 - (V mod n) / V)
/// log_m n <= rolls per outcome <= log_m n + H(p) / (1 - p),   p = (n-1)/C <= 1/2,
/// ```
///
/// which tends to the entropy bound log_m n as the capacity C grows.
///
/// Cost: chains of up to 600 states are solved over the rationals; chains of up to 20,000 states
/// are enclosed with doubles and integers of 128 bits.
///
/// # Errors
/// As [`repeat`].
///
/// ```
/// use flipcost::task::{Source, Target};
/// // 15 from a coin: the stream ends up in one of two absorbing states, V = 160 and V = 192.
/// let run = flipcost_streams::eager_repeat(&Source::COIN, &Target::uniform(15)?, 147)?;
/// assert_eq!(run.exact.unwrap().to_string(), "64/15");
/// assert_eq!(run.classes, Some(2));
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn eager_repeat(source: &Source, target: &Target, capacity: u64) -> Result<LongRun, Refusal> {
    let (source, n) = (sides(source)?, word_sides(target)?);
    Ok(long_run(source, n, capacity))
}

fn long_run(source: u128, n: u64, capacity: u64) -> LongRun {
    let enough = u128::from(n.max(capacity));
    let narrow = enough * source < MAX_CERTIFIED_STATE;
    let limit = if narrow {
        EXPLORED_STATES
    } else {
        EXACT_STATES
    };
    let by_entropy = || {
        let (low, high) = entropy_bound(source, n, enough);
        LongRun {
            exact: None,
            low,
            high,
            states: None,
            stores: None,
            classes: None,
        }
    };
    let Some(chain) = Embedded::explore(source, n.into(), enough, limit) else {
        return by_entropy();
    };
    let states = chain.states.len();
    let least = chain.states.iter().min();
    let stores = least.copied().zip(chain.states.iter().max().copied());
    let classes = chain.closed_classes();
    let shape = |exact, low, high| LongRun {
        exact,
        low,
        high,
        states: Some(states),
        stores,
        classes: Some(classes.len()),
    };
    if states <= EXACT_STATES {
        let (low, high) = extremes(classes.iter().map(|class| {
            let cost = class.cost();
            (cost.clone(), cost)
        }));
        return shape((low == high).then(|| low.clone()), low, high);
    }
    let certified: Option<Vec<_>> = classes.iter().map(Embedded::certified).collect();
    let Some(certified) = certified.filter(|_| narrow) else {
        return by_entropy();
    };
    let (low, high) = extremes(certified);
    let (least, most) = entropy_bound(source, n, enough);
    shape(None, low.max(least), high.min(most))
}

/// Returns the minimum of the first numbers and the maximum of the second numbers.
fn extremes(pairs: impl IntoIterator<Item = (Rational, Rational)>) -> (Rational, Rational) {
    let widen = |(a, b): (Rational, Rational), (c, d): (Rational, Rational)| (a.min(c), b.max(d));
    let all = pairs.into_iter().reduce(widen);
    all.expect("a finite chain has a closed class")
}

/// Returns log_m n and log_m n + H(p) / (1-p), with p = (n-1)/C, or p = 1/2 if that is greater;
/// both are rounded outwards to multiples of 2^-96.
fn entropy_bound(source: u128, n: u64, enough: u128) -> (Rational, Rational) {
    let log = |x: u128| entropy(source, &x.into());
    let (rest, all) = if u128::from(n - 1) * 2 <= enough {
        (u128::from(n - 1), enough)
    } else {
        (1, 2)
    };
    // C H(p) / (C - rest), C H(p) = C log C - rest log rest - (C - rest) log (C - rest)
    let times = |k: u128| Real::integer(k).times(&log(k.max(1)));
    let lost = times(all).minus(&times(rest)).minus(&times(all - rest));
    let toll = lost.over(&Real::integer(all - rest));
    let (low, high) = (log(n.into()), log(n.into()).plus(&toll));
    let unit = BigInt::one() << 96u8;
    let (low, high) = (low.enclose(96).coarsen(96), high.enclose(96).coarsen(96));
    (
        Rational::new(low.low, unit.clone()),
        Rational::new(high.high, unit),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::advance;
    use flipcost_number::collect::ordered;
    use std::cmp::Ordering;

    /// A batch gains at most what the state can store, so the mean over a long batch tends to the
    /// cost of the stream.
    #[test]
    fn a_stream_costs_what_a_long_batch_tends_to() {
        for (m, n) in [(6u128, 4u64), (6, 2), (10, 3), (20, 6), (3, 2)] {
            let value = long_run(m, n, 1).exact.unwrap();
            let mut state = ordered([(1, 1.0)]);
            let mut cost = 0.0;
            for i in 0..3000 {
                let (spent, next) = advance(m, n, &state);
                state = next;
                cost += if i < 1000 { 0.0 } else { spent };
            }
            let mean = cost / 2000.0;
            let value = Real::Exact(value).to_f64().unwrap();
            assert!(
                (mean - value).abs() < 2e-3,
                "m = {m}, n = {n}: {mean} {value}"
            );
        }
    }

    /// The example of Langkaas 2019: bits from a d6, where each refill takes two rolls (36, then
    /// 18, 9, ...).
    #[test]
    fn a_larger_capacity_costs_less() {
        let bit = |capacity| long_run(6, 2, capacity).exact.unwrap();
        assert!(bit(36) < bit(1));
        assert!(Real::Exact(bit(36)).compare(Real::log(2, 6)) == Ok(Ordering::Greater));
    }
    #[test]
    fn a_stream_with_a_large_core_is_bounded_at_once() {
        let run = long_run(6, 10_007, 1);
        assert!(run.exact.is_none() && run.low < run.high);
    }

    /// n = 15 = 16 - 1: at V = 16 q with q <= 14, both floor(V/15) and V mod 15 are q. So if 8 q <
    /// C <= 16 q, four flips lead back to V after acceptance and after rejection. Each such V is a
    /// separate closed class, with 4 flips per test and 15 of 16 tests accepted. A Python program
    /// counted how many of these classes are reached.
    #[test]
    fn several_closed_classes_are_solved() {
        for (capacity, classes) in [(16, 1), (129, 1), (147, 2), (161, 2), (193, 2)] {
            let run = long_run(2, 15, capacity);
            let (least, largest) = run.stores.unwrap();
            assert!(least >= capacity.into() && largest < 2 * u128::from(capacity));
            let cost = Rational::new(64.into(), 15.into());
            assert_eq!(run.exact, Some(cost), "{capacity}");
            assert_eq!(run.classes, Some(classes), "{capacity}");
        }
        // Two classes of two states each; the fraction was recomputed with Python's fractions, from
        // the stationary distribution of each class.
        let run = long_run(6, 14, 143);
        assert_eq!(run.exact, Some(Rational::new(321.into(), 203.into())));
        assert_eq!(run.classes, Some(2));
    }

    #[test]
    fn no_enclosure_leaves_the_entropy_bound() {
        let mut reducible = 0;
        for m in [2u128, 3, 6] {
            for n in 2..30u64 {
                for capacity in (1..200u64).step_by(7) {
                    let run = long_run(m, n, capacity);
                    let (low, high) = entropy_bound(m, n, n.max(capacity).into());
                    assert!(low <= run.low && run.low <= run.high && run.high <= high);
                    assert!(run.exact.is_some(), "{m} {n} {capacity}");
                    reducible += usize::from(run.classes > Some(1));
                }
            }
        }
        assert!(reducible > 10, "{reducible}");
    }

    /// A word of 64 bits is 64 flips: targets of 2^k sides lose nothing and cost k/64 words. For
    /// other targets the entropy bound encloses the cost.
    #[test]
    fn words_of_64_bits() {
        for k in 0..64u64 {
            let run = long_run(1 << 64, 1 << k, 1);
            assert_eq!(run.exact, Some(Rational::new(k.into(), 64.into())), "{k}");
        }
        for (n, capacity) in [(6, 1), (u64::MAX, 1), (7, u64::MAX)] {
            let run = long_run(1 << 64, n, capacity);
            let (low, high) = entropy_bound(1 << 64, n, n.max(capacity).into());
            assert!(
                low <= run.low && run.low <= run.high && run.high <= high,
                "{n}"
            );
        }
    }

    #[test]
    fn tolls_fall_with_the_capacity() {
        let (fine, finer) = (long_run(2, 6, 1 << 16), long_run(2, 6, 1 << 40));
        assert!(fine.low <= fine.high && finer.high < fine.high);
        let toll = |long: &LongRun| {
            let cost = Real::Exact(long.high.clone());
            cost.minus(&Real::log(6, 2)).to_f64().unwrap()
        };
        assert!(toll(&fine) < 2e-3, "{}", toll(&fine));
        assert!(toll(&finer) < 1e-9, "{}", toll(&finer));
    }
}
