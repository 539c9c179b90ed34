//! What a store of S states can do: an endless stream of one target from a source, the number in store
//! uniform on v <= S values.
//!
//! Three moves keep the number uniform: a **roll** makes m v of v, at the cost of 1; a **split** cuts v
//! into k and v - k, and the number is in either with its share of probability; an **outcome** makes v
//! / n of a multiple v of n. Taking the outcome from the largest multiple of n and keeping the rest, as
//! [`eager_repeat`](super::eager_repeat) does, are a split and an outcome.
//!
//! **Finite.** Some policy has a finite cost if and only if m floor(S / m) >= n: no size beyond m floor(S
//! / m) is ever reached, and an outcome needs one of at least n. If it is reached, cut any size down to
//! floor(S / m) with positive probability, roll, and take an outcome, again and again.
//!
//! **Rolling first is no loss.** Where m v <= S, a policy that moves otherwise at v can be run with all
//! sizes times m after a roll, at the same cost: so decisions are at v > S / m only.
//!
//! **What is lost.** Rolls and outcomes lose nothing: log_m v grows by 1 and falls by log_m n. A split
//! loses Hb(k / v), the entropy of which part it was. So cost - log_m n is the mean of what the splits
//! lose, for each outcome.
//!
//! `policy` (the moves), `search` (the best policy in doubles), `exact` (its cost, and that no move is
//! better), `certificate` (what proves it), `enclose` (the same in fixed point for large stores),
//! `staged` (a rule for coins that holds a half-answered request), `run` (both, really rolled),
//! `recycler` (the staged rule with words).

mod certificate;
mod enclose;
mod exact;
mod policy;
mod recycler;
mod run;
mod search;
mod staged;

pub use certificate::{Certificate, holds};
pub use policy::{Move, Policy};
pub use recycler::Recycler;
pub use run::{StoreRun, StoreStep};
pub use staged::{Decision, Staged};

use crate::number::{BigInt, Rational};
use num_traits::Zero;

/// The largest store.
pub const MOST_STATES: u64 = 10_000;
/// Stores of up to this many states are solved exactly: some seconds at worst.
const EXACT: u64 = 512;

/// Why a store has no best policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No policy ever gives an outcome.
    #[error(
        "a store of {states} states never holds a multiple of {target} with a source of {source_sides} sides: \
         it takes at least {least}"
    )]
    TooSmall {
        /// S.
        states: u64,
        /// n.
        target: u64,
        /// m.
        source_sides: u64,
        /// The fewest states that do.
        least: u64,
    },
    /// More than [`MOST_STATES`].
    #[error(
        "a store of {0} states is too large: the best policy is found for at most {MOST_STATES}"
    )]
    TooLarge(u64),
    /// It was ended, or not found.
    #[error("the best policy was not found")]
    NotFound,
}

/// The best policy of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestStore {
    /// No policy costs less, in rolls per outcome.
    pub low: Rational,
    /// What the policy costs, at most. The same as `low` up to 512 states, and above that within
    /// about 10^-9.
    pub high: Rational,
    /// The policy.
    pub policy: Policy,
    /// What proves `low`, up to 512 states.
    pub certificate: Option<Certificate>,
}

/// The best policy of a store of S states for a target of n sides from a source of m sides. Cost: O(S^2)
/// for each of a few dozen rounds, and up to 512 states one exact elimination: about a second.
/// `go_on` ends it by `false`.
///
/// # Errors
/// [`StoreError`].
///
/// # Panics
/// With a source of fewer than 2 sides or a target of none.
///
/// ```
/// use flipcost::streams::best_store;
/// let best = best_store(2, 6, 64, &mut || true)?;
/// assert_eq!(best.high.to_string(), "17/6"); // filling and then extracting costs 121/42
/// assert_eq!(best.low, best.high);
/// # Ok::<(), flipcost::streams::StoreError>(())
/// ```
pub fn best_store(
    source: u64,
    target: u64,
    states: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<BestStore, StoreError> {
    assert!(source >= 2, "a source of {source} sides cannot be rolled");
    assert!(target >= 1, "a target of 0 sides has no outcome");
    if states > MOST_STATES {
        return Err(StoreError::TooLarge(states));
    }
    let least = source.saturating_mul(target.div_ceil(source));
    if states < least.max(source) {
        return Err(StoreError::TooSmall {
            states,
            target,
            source_sides: source,
            least: least.max(source),
        });
    }
    let policy = Policy::fill(source, target, states);
    if target == 1 {
        return Ok(free(policy));
    }
    let found = search::search(policy, go_on).ok_or(StoreError::NotFound)?;
    if states <= EXACT {
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

/// Outcomes of a die of one side cost nothing: G = 0 proves it.
fn free(policy: Policy) -> BestStore {
    let certificate = Certificate {
        source: policy.source,
        target: 1,
        cost: Rational::zero(),
        values: vec![BigInt::zero(); policy.moves.len() + 1],
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
    use crate::streams::eager_repeat;
    use rayon::prelude::*;

    fn best(m: u64, n: u64, s: u64) -> BestStore {
        best_store(m, n, s, &mut || true).unwrap()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Values: policy iteration in fractions by a Python program, and a certificate of each.
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
            let fill = eager_repeat(m, n, s / m + 1).exact;
            assert_eq!(fill, Some(filling), "d{n}, {s}");
        }
    }

    /// The optimum of every store from coins, a d6 and a d10 has its certificate; it never grows with
    /// the store, is at most what filling costs, and at least the entropy.
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
        cases.into_par_iter().for_each(|(m, n, most)| {
            let mut before: Option<Rational> = None;
            let step = if m == 2 { 7 } else { 1 };
            for s in (m * n.div_ceil(m).max(1)..=most).step_by((m * step) as usize) {
                let found = best(m, n, s);
                let certificate = found.certificate.as_ref().unwrap();
                assert!(holds(certificate), "d{n} from a d{m}, {s} states");
                assert_eq!(certificate.cost, found.high);
                assert!(before.as_ref().is_none_or(|before| found.low <= *before));
                if n <= s / m + 1 {
                    let fill = eager_repeat(m, n, s / m + 1);
                    assert!(found.low <= fill.high, "d{n} from a d{m}, {s} states");
                }
                let entropy = crate::number::real::Real::log(&n.into(), m);
                let order = entropy.compare(&crate::number::real::Real::Exact(found.low.clone()));
                assert_ne!(order, Ok(std::cmp::Ordering::Greater));
                before = Some(found.low);
            }
        });
    }

    /// A certificate for a lower cost is none, nor one whose values were changed.
    #[test]
    fn a_wrong_certificate_is_refused() {
        let certificate = best(2, 6, 64).certificate.unwrap();
        let mut dearer = certificate.clone();
        dearer.cost += Rational::new(1.into(), certificate.unit.clone());
        assert!(!holds(&dearer));
        for v in [1usize, 17, 40, 64] {
            let mut changed = certificate.clone();
            changed.values[v] += 1;
            assert!(!holds(&changed), "{v}");
        }
        let mut other = certificate.clone();
        other.unit = 1.into();
        assert!(!holds(&other));
    }

    /// The fixed-point bounds of a store hold its exact cost.
    #[test]
    fn enclosures_hold_the_exact_cost() {
        for (m, n, s) in [
            (2, 3, 32),
            (2, 7, 64),
            (6, 10, 60),
            (2, 52, 200),
            (6, 6, 36),
        ] {
            let policy = Policy::fill(m, n, s);
            let found = search::search(policy, &mut || true).unwrap();
            let (low, high) = enclose::enclose(&found, &mut || true).unwrap();
            let exact = best(m, n, s).high;
            assert!(
                low <= exact && exact <= high,
                "d{n} from a d{m}, {s} states"
            );
            assert!(&high - &low < ratio(1, 1_000_000_000));
        }
    }

    #[test]
    fn large_stores_are_enclosed() {
        let found = best(2, 3, 600);
        assert!(found.low < found.high && found.certificate.is_none());
        assert!(found.high <= best(2, 3, 300).low);
    }

    #[test]
    fn what_has_no_best_policy_says_why() {
        let of = |m, n, s| best_store(m, n, s, &mut || true).map(|best| best.high);
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
        assert_eq!(of(2, 3, 10_001), Err(StoreError::TooLarge(10_001)));
        let ended = best_store(2, 3, 64, &mut || false);
        assert_eq!(ended, Err(StoreError::NotFound));
    }

    /// The policy itself, followed from every size in proportion: its moves keep within the store.
    #[test]
    fn moves_stay_within_the_store() {
        for (m, n, s) in [(2, 6, 64), (6, 10, 60), (10, 7, 123)] {
            let policy = best(m, n, s).policy;
            assert_eq!(policy.largest(), s / m * m);
            for v in 1..=policy.largest() {
                match policy.at(v) {
                    Move::Roll => assert!(v * m <= s),
                    Move::Split(k) => assert!(k >= 1 && k < v),
                    Move::Output => assert!(v % n == 0),
                }
            }
        }
    }
}
