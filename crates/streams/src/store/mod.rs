//! A store of S states: the least cost of an endless stream of one target, or of several targets in
//! a fixed order, if a number is stored between outcomes. The stored number is uniform on v <= S
//! values. Three moves keep it uniform. A **roll** turns v into m v, at the cost of 1. A **split**
//! divides v into k and v - k, and the number is in either part with probability proportional to
//! the size of the part. An **outcome** turns a multiple v of n into v / n.
//! [`eager_repeat`](super::eager_repeat) takes the outcome from the largest multiple of n and keeps
//! the rest, which is a split and an outcome.
//!
//! **When the cost is finite.** Some policy has a finite cost if and only if m floor(S / m) >= n.
//! An outcome needs a size of at least n, and no size beyond m floor(S / m) is ever reached.
//! Conversely, if that size is at least n, this policy has a finite cost: from any size, splits
//! lead to floor(S / m) with positive probability; then roll and take an outcome, again and again.
//! For several targets, n is the largest.
//!
//! **Rolling first does no harm.** If m v <= S, a policy that makes another move at v can instead
//! roll first and then make the same moves with all sizes multiplied by m, at the same cost. So
//! decisions are needed only at v > S / m.
//!
//! **What is lost.** Rolls and outcomes lose nothing: a roll increases log_m v by 1, and an outcome
//! decreases it by log_m n. A split loses Hb(k / v), the entropy of the choice between its parts.
//! So cost - log_m n is the mean loss of the splits for each outcome; for several targets log_m n
//! is the mean over the order.
//!
//! The files are `policy` (the moves), `search` (the best policy in doubles), `exact` (its cost,
//! and a proof that no move is better), `certificate` (the inequalities of that proof), `enclose`
//! (the same in fixed point for large stores), `staged` (a rule for coins that stores a request
//! before it is complete), `run` (executes both), `recycler` (the staged rule with words).

mod certificate;
mod enclose;
mod exact;
mod policy;
mod recycler;
mod run;
mod search;
mod staged;

pub use certificate::{StoreCertificate, holds};
pub use policy::{Move, Policy};
pub use recycler::Recycler;
pub use run::{StoreRun, StoreStep};
pub use staged::{StageDecision, Staged};

use crate::dice::word_sides;
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::{BigInt, Rational};
use num_traits::Zero;

/// The maximum number of states of a store.
pub const MAX_STATES: u64 = 10_000;
/// Stores of up to this many states are solved exactly, in some seconds at worst.
const MAX_EXACT_STATES: u64 = 512;

/// The reason why a store has no best policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No policy can give an outcome.
    #[error(
        "{states} states are too few to make a d{target} from a source of {source_sides} sides: at least \
         {least} are needed"
    )]
    TooSmall {
        /// The number S of states.
        states: u64,
        /// The number n of sides of the target.
        target: u64,
        /// The number m of sides of the source.
        source_sides: u64,
        /// The least number of states that would be enough.
        least: u128,
    },
    /// The store has more than [`MAX_STATES`] states.
    #[error(
        "a store of {0} states is too large: the best policy is found for at most {MAX_STATES}"
    )]
    TooLarge(u64),
    /// The store has more than [`MAX_STATES`] states, counted once for every target.
    #[error(
        "a store of {0} states is too large for {1} targets: states times targets is at most {MAX_STATES}"
    )]
    TooLargeFor(u64, usize),
    /// One of several targets has one side. It costs nothing, so it is not allowed in an order.
    #[error("a die of 1 side among {0} targets: leave it out, it always shows 1")]
    OneSide(usize),
    /// The source or a target is not fair, or too wide.
    #[error("a store has no policy: {0}")]
    Refused(#[from] Refusal),
    /// The search was stopped, or found no policy.
    #[error("the best policy was not found")]
    NotFound,
}

/// Converts the error to an error of the engine, so that `?` works.
impl From<StoreError> for flipcost::Error {
    fn from(error: StoreError) -> Self {
        flipcost::Error::other(error)
    }
}

/// The best policy of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestStore {
    /// A lower bound of the cost of every policy, in rolls per outcome.
    pub low: Rational,
    /// An upper bound of the cost of this policy. It equals `low` up to 512 states; for more states
    /// the difference is about 10^-9.
    pub high: Rational,
    /// The best policy that was found.
    pub policy: Policy,
    /// The proof of `low`, for up to 512 states.
    pub certificate: Option<StoreCertificate>,
}

/// Finds the best policy of a store of S states for targets that come in this order, again and
/// again (often a single target), from a source of m sides. Cost: O(S^2) for each target and each
/// of a few dozen rounds; up to 512 states (times targets) also one exact elimination, which takes
/// about a second. The search stops if `go_on` returns `false`.
///
/// # Errors
/// [`StoreError`], if there is no policy or the search was stopped.
///
/// # Panics
/// If there are no targets.
///
/// ```
/// use flipcost::task::{Source, Target};
/// let best = flipcost_streams::best_store(&Source::COIN, &[Target::uniform(6)?], 64, &mut || true)?;
/// assert_eq!(best.high.to_string(), "17/6"); // filling and then extracting costs 121/42
/// assert_eq!(best.low, best.high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_store(
    source: &Source,
    targets: &[Target],
    states: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<BestStore, StoreError> {
    let source = Task::new(Target::uniform(1).expect("a side"), source.clone()).sides()?;
    let targets: Result<Vec<u64>, Refusal> = targets.iter().map(word_sides).collect();
    best_policy(source, &targets?, states, go_on)
}

/// As [`best_store`], for the numbers of sides.
fn best_policy(
    source: u64,
    targets: &[u64],
    states: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<BestStore, StoreError> {
    let target = targets.iter().copied().max().expect("a target or more");
    if states > MAX_STATES {
        return Err(StoreError::TooLarge(states));
    }
    let all = states.saturating_mul(targets.len() as u64);
    if all > MAX_STATES {
        return Err(StoreError::TooLargeFor(states, targets.len()));
    }
    let least = u128::from(source) * u128::from(target.div_ceil(source));
    if u128::from(states) < least {
        return Err(StoreError::TooSmall {
            states,
            target,
            source_sides: source,
            least,
        });
    }
    let policy = Policy::fill(source, targets, states);
    if *targets == [1] {
        return Ok(best_store_for_one_side(policy));
    }
    if targets.contains(&1) {
        return Err(StoreError::OneSide(targets.len()));
    }
    let found = search::search(policy, go_on).ok_or(StoreError::NotFound)?;
    if all <= MAX_EXACT_STATES {
        let (policy, cost, certificate) = exact::best(found, go_on).ok_or(StoreError::NotFound)?;
        return Ok(BestStore {
            low: cost.clone(),
            high: cost,
            policy,
            certificate: Some(certificate),
        });
    }
    let (low, high) = enclose::enclose(&found, go_on).ok_or(StoreError::NotFound)?;
    Ok(BestStore {
        low,
        high,
        policy: found.policy,
        certificate: None,
    })
}

/// A policy for a die with one side, whose outcomes cost nothing; G = 0 proves this.
fn best_store_for_one_side(policy: Policy) -> BestStore {
    let certificate = StoreCertificate {
        source: policy.source,
        targets: vec![1],
        cost: Rational::zero(),
        values: vec![vec![BigInt::zero(); policy.largest() as usize + 1]],
        unit: 1.into(),
    };
    BestStore {
        low: Rational::zero(),
        high: Rational::zero(),
        policy,
        certificate: Some(certificate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eager_repeat;
    use flipcost_number::threads;

    fn best(m: u64, n: u64, s: u64) -> BestStore {
        best_policy(m, &[n], s, &mut || true).unwrap()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// The values come from policy iteration with fractions in a Python program, and each has a
    /// certificate.
    #[test]
    fn known_optima() {
        for (m, n, s, cost, filling) in [
            (2, 3, 32, ratio(11, 6), ratio(79, 42)),
            (2, 5, 128, ratio(488, 205), ratio(488, 205)),
            (2, 6, 64, ratio(17, 6), ratio(121, 42)),
            (6, 10, 60, ratio(63, 40), ratio(108, 65)),
        ] {
            let found = best(m, n, s);
            assert_eq!((&found.low, &found.high), (&cost, &cost), "d{n}, {s}");
            let fill = eager_repeat(
                &Source::die(m).unwrap(),
                &Target::uniform(n).unwrap(),
                s / m + 1,
            )
            .unwrap()
            .exact;
            assert_eq!(fill, Some(filling), "d{n}, {s}");
        }
    }

    /// Every store's optimum from coins, a d6 and a d10 has a certificate. The optimum never grows
    /// with the store, and is at most the cost of filling and at least the entropy.
    #[test]
    fn every_optimum_has_its_certificate() {
        let cases = [
            (2u64, 2..=60u64, 200u64),
            (6, 2..=40, 120),
            (10, 2..=30, 120),
        ];
        let cases = cases
            .into_iter()
            .flat_map(|(m, targets, most)| targets.map(move |n| (m, n, most)));
        let cases: Vec<_> = cases.collect();
        threads::map_of(&cases, &|&(m, n, most)| {
            let mut before: Option<Rational> = None;
            let step = if m == 2 { 7 } else { 1 };
            for s in (m * n.div_ceil(m).max(1)..=most).step_by((m * step) as usize) {
                let found = best(m, n, s);
                let certificate = found.certificate.as_ref().unwrap();
                assert!(holds(certificate), "d{n} from a d{m}, {s} states");
                assert_eq!(certificate.cost, found.high);
                assert!(before.as_ref().is_none_or(|before| found.low <= *before));
                if n <= s / m + 1 {
                    let fill = eager_repeat(
                        &Source::die(m).unwrap(),
                        &Target::uniform(n).unwrap(),
                        s / m + 1,
                    )
                    .unwrap();
                    assert!(found.low <= fill.high, "d{n} from a d{m}, {s} states");
                }
                let entropy = flipcost_number::Real::log(n, m);
                let order = entropy.compare(flipcost_number::Real::Exact(found.low.clone()));
                assert_ne!(order, Ok(std::cmp::Ordering::Greater));
                before = Some(found.low);
            }
        });
    }

    /// A certificate is rejected if it claims a lower cost, or if its values were changed.
    #[test]
    fn a_wrong_certificate_is_refused() {
        let certificate = best(2, 6, 64).certificate.unwrap();
        let mut dearer = certificate.clone();
        dearer.cost += Rational::new(1.into(), certificate.unit.clone());
        assert!(!holds(&dearer));
        for v in [1usize, 17, 40, 64] {
            let mut changed = certificate.clone();
            changed.values[0][v] += 1;
            assert!(!holds(&changed), "{v}");
        }
        let mut other = certificate.clone();
        other.unit = 1.into();
        assert!(!holds(&other));
    }

    /// Optima for targets in an order, with their certificates; the values follow from other
    /// optima. The same target twice is equivalent to that target, and the cost of an order does
    /// not depend on where it begins. An order costs at least the entropy, and at most what the
    /// best policies of the separate targets cost.
    #[test]
    fn targets_in_an_order() {
        let of = |m, order: &[u64], s| best_policy(m, order, s, &mut || true).unwrap();
        for (m, n, s) in [(2, 3, 32), (2, 6, 64), (6, 10, 60)] {
            let twice = of(m, &[n, n], s);
            assert_eq!(twice.high, best(m, n, s).high);
            assert!(holds(twice.certificate.as_ref().unwrap()));
        }
        let orders: [(u64, &[u64], u64); 6] = [
            (2, &[3, 5], 40),
            (2, &[4, 13], 52),
            (2, &[6, 6, 8], 64),
            (6, &[10, 4], 60),
            (2, &[3, 7, 2, 5], 32),
            (10, &[6, 52], 120),
        ];
        for (m, order, s) in orders {
            let found = of(m, order, s);
            let certificate = found.certificate.as_ref().unwrap();
            assert!(holds(certificate) && found.low == found.high, "{order:?}");
            let mut turned = order.to_vec();
            turned.rotate_left(1);
            assert_eq!(of(m, &turned, s).high, found.high, "{order:?}");
            let count = Rational::from_integer(order.len().into());
            let product: u64 = order.iter().product();
            let entropy = flipcost_number::Real::log(product, m);
            let all = flipcost_number::Real::Exact(&found.high * count);
            assert_ne!(entropy.compare(&all), Ok(std::cmp::Ordering::Greater));
            for place in 0..order.len() {
                let mut changed = certificate.clone();
                changed.values[place][s as usize / 2] += 1;
                assert!(!holds(&changed), "{order:?}");
            }
        }
    }

    /// The product of two targets, q = n_1 n_2, is one way to make both outcomes. So in the same
    /// store the pair costs at most as much as the product, if the store can hold it.
    #[test]
    fn a_pair_costs_no_more_than_its_product() {
        for (m, a, b, s) in [(2u64, 3u64, 5u64, 60u64), (2, 4, 13, 104), (6, 4, 10, 120)] {
            let pair = best_policy(m, &[a, b], s, &mut || true).unwrap().high;
            let product = best(m, a * b, s).high;
            assert!(pair * Rational::from_integer(2.into()) <= product);
        }
    }

    /// The fixed-point bounds of a store enclose its exact cost.
    #[test]
    fn enclosures_contain_the_exact_cost() {
        for (m, n, s) in [
            (2, 3, 32),
            (2, 7, 64),
            (6, 10, 60),
            (2, 52, 200),
            (6, 6, 36),
        ] {
            for order in [&[n][..], &[n, 5, n]] {
                let policy = Policy::fill(m, order, s);
                let found = search::search(policy, &mut || true).unwrap();
                let (low, high) = enclose::enclose(&found, &mut || true).unwrap();
                let exact = best_policy(m, order, s, &mut || true).unwrap().high;
                assert!(
                    low <= exact && exact <= high,
                    "{order:?} from a d{m}, {s} states"
                );
                assert!(&high - &low < ratio(1, 1_000_000_000));
            }
        }
    }

    #[test]
    fn large_stores_are_enclosed() {
        let found = best(2, 3, 600);
        assert!(found.low < found.high && found.certificate.is_none());
        assert!(found.high <= best(2, 3, 300).low);
    }

    #[test]
    fn stores_without_a_best_policy_have_a_reason() {
        let of = |m, n, s| best_policy(m, &[n], s, &mut || true).map(|best| best.high);
        assert_eq!(of(2, 1, 2), Ok(Rational::zero()));
        assert_eq!(of(2, 2, 2), Ok(ratio(1, 1)));
        assert_eq!(of(6, 6, 6), Ok(ratio(1, 1)));
        let small = StoreError::TooSmall {
            states: 11,
            target: 7,
            source_sides: 6,
            least: 12,
        };
        assert_eq!(of(6, 7, 11), Err(small));
        let word = of(2, u64::MAX, 11).unwrap_err().to_string();
        assert!(
            word.ends_with("at least 18446744073709551616 are needed"),
            "{word}"
        );
        assert_eq!(of(2, 3, 10_001), Err(StoreError::TooLarge(10_001)));
        let order = |order: &[u64], s| best_policy(2, order, s, &mut || true).map(|best| best.high);
        assert_eq!(order(&[3, 5], 5001), Err(StoreError::TooLargeFor(5001, 2)));
        assert_eq!(order(&[3, 1], 64), Err(StoreError::OneSide(2)));
        let ended = best_policy(2, &[3], 64, &mut || false);
        assert_eq!(ended, Err(StoreError::NotFound));
    }

    /// Follows the moves of a policy from every size: they stay within the store.
    #[test]
    fn moves_stay_within_the_store() {
        for (m, n, s) in [(2, 6, 64), (6, 10, 60), (10, 7, 123)] {
            let policy = best(m, n, s).policy;
            assert_eq!(policy.largest(), s / m * m);
            for v in 1..=policy.largest() {
                match policy.move_at(0, v) {
                    Move::Roll => assert!(v * m <= s),
                    Move::Split(k) => assert!(k >= 1 && k < v),
                    Move::Output => assert!(v % n == 0),
                }
            }
        }
    }
}
