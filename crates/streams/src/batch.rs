//! The cost of a batch, which is a finite sequence of targets, in each of four ways to roll it.
//!
//! The four ways are: keep the state between the targets (`keep`); start a new fast dice roller for
//! each target (`separate`); roll once for the product of all targets and split the outcome
//! (`product`); and the entropy bound, which is the cost of no actual way, but a lower bound for
//! all of them.

use crate::dice::{all_sides, sides};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::law::{Fundamental, Law};
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::collect::ordered;
use flipcost_number::order::ceil_log;
use flipcost_number::total::total;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The cost of rolling a batch in one of the ways.
///
/// ```
/// use flipcost::task::{Source, Target};
/// let costs = flipcost_streams::batch(&Source::die(6)?, &[Target::uniform(4)?, Target::uniform(13)?])?;
/// let ids: Vec<&str> = costs.modes().iter().map(|mode| mode.id).collect();
/// assert_eq!(ids, ["keep", "separate", "product", "bound"]);
/// assert_eq!(costs.keep.shares[0].to_string(), "4/3"); // what the d4 takes
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone)]
pub struct Mode {
    /// `keep`, `separate`, `product` or `bound`.
    pub id: &'static str,
    /// The expected number of rolls for the whole batch.
    pub cost: Real,
    /// The expected number of rolls for each target, in the order of the batch (empty for
    /// `product`).
    pub shares: Vec<Real>,
}

/// A sequence of targets, and its cost for each of the four ways.
///
/// ```
/// // A d4 and a d13 from a d6: keeping the state saves a third of a roll.
/// use flipcost::task::{Source, Target};
/// let costs = flipcost_streams::batch(&Source::die(6)?, &[Target::uniform(4)?, Target::uniform(13)?])?;
/// assert_eq!(costs.keep.cost.decimals(4)?, "3.3257");
/// assert_eq!(costs.separate.cost.decimals(4)?, "3.6556");
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct BatchCosts {
    /// The source that is rolled.
    pub source: Source,
    /// The targets, in order.
    pub targets: Vec<Target>,
    /// The cost if the state is kept between the targets.
    pub keep: Mode,
    /// The cost of a new fast dice roller for every target.
    pub separate: Mode,
    /// The cost of one fast dice roller for the product of the targets, whose outcome is then
    /// split.
    pub product: Mode,
    /// The entropy bound.
    pub bound: Mode,
}

impl BatchCosts {
    /// The four ways, in order.
    pub fn modes(&self) -> [&Mode; 4] {
        [&self.keep, &self.separate, &self.product, &self.bound]
    }
}

/// Fractions of up to about this many bits are computed exactly; larger fractions are enclosed.
const MAX_EXACT_BITS: f64 = 4096.0;

/// log_m n.
pub(super) fn entropy(source: u128, n: &BigUint) -> Real {
    Task::die(n.clone(), Source::die(source).expect("dice"))
        .expect("dice")
        .entropy()
}

fn fast_roller_law(source: u128, n: &BigUint) -> Law {
    let task = Task::die(n.clone(), Source::die(source).expect("dice")).expect("dice");
    FAST_DICE_ROLLER.law(&task).expect("it is for all dice")
}

/// The expected rolls of the fast dice roller.
pub(super) fn fast_roller_cost(source: u128, n: &BigUint) -> Real {
    fast_roller_law(source, n).mean_real()
}

/// As `fast_roller_cost`, but never as an exact fraction, for a sum of many terms.
pub(super) fn fast_roller_enclosure(source: u128, n: &BigUint) -> Real {
    fast_roller_law(source, n).mean_enclosed()
}

/// Returns the costs of a batch: exact fractions of up to a few thousand bits, otherwise
/// enclosures.
///
/// Cost: if all V of the chain of `keep` have at most 4096 bits together, the chain is solved over
/// the rationals. Otherwise an enclosure of b bits propagates the probabilities of all states
/// through about b rounds at every target; one computation gives the shares of all targets. The
/// user of the [`Real`] chooses b.
///
/// # Errors
/// If the source or a target is not fair, or the source has more than 2^64 sides.
///
/// ```
/// use flipcost::task::{Source, Target};
/// // Langkaas 2019: a d4 and a d13 from a d6
/// let costs = flipcost_streams::batch(&Source::die(6)?, &[Target::uniform(4)?, Target::uniform(13)?])?;
/// assert_eq!(costs.keep.cost.to_string(), "2327482/699855");
/// assert_eq!(costs.bound.cost.decimals(4)?, "2.2052");
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn batch(source: &Source, targets: &[Target]) -> Result<BatchCosts, Refusal> {
    eager_batch(source, targets, 1)
}

/// As [`batch()`], but `keep` expands its state to at least this capacity before every extraction.
///
/// # Errors
/// As [`batch`].
pub fn eager_batch(
    source: &Source,
    targets: &[Target],
    capacity: u64,
) -> Result<BatchCosts, Refusal> {
    let all = (source.clone(), targets.to_vec());
    let (source, targets) = (sides(source)?, &all_sides(targets)?[..]);
    let product: BigUint = targets.iter().product();
    let separate: Vec<Real> = targets
        .iter()
        .map(|n| fast_roller_cost(source, n))
        .collect();
    let logs: Vec<Real> = targets.iter().map(|n| entropy(source, n)).collect();
    let mode = |id, cost, shares| Mode { id, cost, shares };
    let keep = keep(source, capacity, targets);
    let product_mode = mode("product", fast_roller_cost(source, &product), Vec::new());
    let bound = mode("bound", entropy(source, &product), logs);
    let (source, targets) = all;
    Ok(BatchCosts {
        source,
        targets,
        keep,
        separate: mode("separate", total(&separate), separate),
        product: product_mode,
        bound,
    })
}

/// The way that keeps the state between the targets.
pub(super) fn keep(source: u128, capacity: u64, targets: &[BigUint]) -> Mode {
    let chain = BatchChain::new(source, capacity.into(), targets.to_vec());
    let id = "keep";
    if let Some(shares) = chain.exact() {
        let cost = Real::Exact(shares.iter().sum());
        let shares = shares.into_iter().map(Real::Exact).collect();
        return Mode { id, cost, shares };
    }
    let chain = Arc::new(chain);
    let whole = chain.clone();
    let share = |i: usize| {
        let chain = chain.clone();
        Real::enclosed(move |bits| chain.enclose(bits, |shares| shares[i].clone()))
    };
    let sum = |shares: &[Enclosure]| {
        let zero = Enclosure::of_rational(&Rational::zero(), 1);
        shares.iter().fold(zero, |sum, share| sum.plus(share))
    };
    Mode {
        id,
        cost: Real::enclosed(move |bits| whole.enclose(bits, sum)),
        shares: (0..targets.len()).map(share).collect(),
    }
}

/// The chain whose states are the pairs (i, v).
struct BatchChain {
    source: u128,
    capacity: BigUint,
    targets: Vec<BigUint>,
    /// The narrowest enclosures so far of the shares of all targets, and their number of bits.
    shares: Mutex<Option<(u64, Arc<[Enclosure]>)>>,
}

/// One round from v: some rolls, then a test of the resulting V.
struct RoundTest {
    rolls: u64,
    /// The number V of values at the test.
    v: BigUint,
    /// floor(V / n).
    quotient: BigUint,
    /// V mod n.
    rest: BigUint,
}

/// If the goal is more than this many bits longer than v, the number of rolls is computed directly
/// instead of roll by roll.
const MAX_BITS_APART: u64 = 256;

impl BatchChain {
    fn new(source: u128, capacity: BigUint, targets: Vec<BigUint>) -> BatchChain {
        BatchChain {
            source,
            capacity,
            targets,
            shares: Mutex::default(),
        }
    }

    fn test(&self, i: usize, v: &BigUint) -> RoundTest {
        let n = &self.targets[i];
        let (mut v, mut rolls) = (v.clone(), 0);
        let goal = n.max(&self.capacity);
        if goal.bits() > v.bits() + MAX_BITS_APART {
            // v m^r >= goal if and only if m^r >= ceil(goal / v).
            rolls = u64::from(ceil_log(self.source, &goal.div_ceil(&v)));
            v *= BigUint::from(self.source).pow(rolls as u32);
        }
        while v < *goal {
            v *= self.source;
            rolls += 1;
        }
        let (quotient, rest) = v.div_rem(n);
        RoundTest {
            rolls,
            v,
            quotient,
            rest,
        }
    }

    /// The states of each target; `None` if the exact fractions would be large: their denominators
    /// divide products of all the V.
    fn states(&self) -> Option<Vec<BTreeSet<BigUint>>> {
        let mut entries = BTreeSet::from([BigUint::one()]);
        let (mut all, mut bits) = (Vec::new(), 0.0);
        for i in 0..self.targets.len() {
            let mut seen = BTreeSet::new();
            let mut exits = BTreeSet::new();
            let mut open: Vec<BigUint> = entries.into_iter().collect();
            while let Some(v) = open.pop() {
                if v.is_zero() || seen.contains(&v) {
                    continue;
                }
                let test = self.test(i, &v);
                bits += test.v.bits() as f64;
                if bits > MAX_EXACT_BITS {
                    return None;
                }
                seen.insert(v);
                exits.insert(test.quotient);
                open.push(test.rest);
            }
            all.push(seen);
            entries = exits;
        }
        Some(all)
    }

    /// The expected rolls for every target, from the expected visits to every state.
    fn exact(&self) -> Option<Vec<Rational>> {
        let states = self.states()?;
        let mut entries = ordered([(BigUint::one(), Rational::one())]);
        let mut shares = Vec::new();
        for (i, states) in states.into_iter().enumerate() {
            let states: Vec<BigUint> = states.into_iter().collect();
            let index: HashMap<&BigUint, usize> =
                states.iter().enumerate().map(|(k, v)| (v, k)).collect();
            let tests: Vec<RoundTest> = states.iter().map(|v| self.test(i, v)).collect();
            let mut rows = vec![BTreeMap::new(); states.len()];
            for (from, test) in tests.iter().enumerate() {
                if !test.rest.is_zero() {
                    let back = ratio(&test.rest, &test.v);
                    rows[index[&test.rest]].insert(from, back);
                }
            }
            let first = |v| entries.get(v).cloned().unwrap_or_else(Rational::zero);
            let visits = Fundamental::new(rows).values(states.iter().map(first).collect());
            let spent = tests.iter().zip(&visits);
            shares.push(spent.map(|(test, x)| x * BigInt::from(test.rolls)).sum());
            let mut exits: BTreeMap<BigUint, Rational> = BTreeMap::new();
            for (test, x) in tests.into_iter().zip(visits) {
                let accepted = x * ratio(&(&test.v - &test.rest), &test.v);
                *exits.entry(test.quotient).or_insert_with(Rational::zero) += accepted;
            }
            entries = exits;
        }
        Some(shares)
    }

    /// Encloses a function of the shares to within 2^-bits.
    fn enclose(&self, bits: u64, of: impl Fn(&[Enclosure]) -> Enclosure) -> Enclosure {
        let mut work = bits + 32;
        loop {
            let value = of(&self.shares(work));
            if value.is_within(bits) {
                return value;
            }
            work += 32;
        }
    }

    /// Encloses the shares, in units of 2^-work or smaller.
    fn shares(&self, work: u64) -> Arc<[Enclosure]> {
        let mut kept = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.take().filter(|(known, _)| *known >= work);
        let anew = || (work, self.enclosed(work).into());
        kept.insert(known.unwrap_or_else(anew)).1.clone()
    }

    /// Encloses the shares: propagates the probabilities in units of 2^-work, rounded down, and
    /// counts the lost units. At every target, a lost unit of probability would have cost at most
    /// two rounds of ceil(log_m max(n_i, C)) rolls on average, since a round is rejected with
    /// probability below 1/2.
    fn enclosed(&self, work: u64) -> Vec<Enclosure> {
        let mut entries = ordered([(BigUint::one(), BigUint::one() << work)]);
        let mut lost = BigUint::zero();
        let mut shares = Vec::new();
        for (i, n) in self.targets.iter().enumerate() {
            let mut exits: BTreeMap<BigUint, BigUint> = BTreeMap::new();
            let mut now = entries;
            let mut spent = BigUint::zero();
            while !now.is_empty() {
                let mut next: BTreeMap<BigUint, BigUint> = BTreeMap::new();
                for (v, mass) in now {
                    spend(work / 4 + 500);
                    let test = self.test(i, &v);
                    spent += &mass * test.rolls;
                    let back = &mass * &test.rest / &test.v;
                    let on = &mass * (&test.v - &test.rest) / &test.v;
                    lost += mass - &back - &on;
                    if !back.is_zero() {
                        *next.entry(test.rest).or_default() += back;
                    }
                    if !on.is_zero() {
                        *exits.entry(test.quotient).or_default() += on;
                    }
                }
                now = next;
            }
            let most = 2 * u64::from(ceil_log(self.source, n.max(&self.capacity)));
            shares.push(Enclosure {
                low: BigInt::from(spent.clone()),
                high: BigInt::from(spent + &lost * most),
                bits: work,
            });
            entries = exits;
        }
        shares
    }
}

fn ratio(p: &BigUint, q: &BigUint) -> Rational {
    Rational::new(p.clone().into(), q.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::die;

    fn targets(list: &[u64]) -> Vec<BigUint> {
        list.iter().map(|&n| n.into()).collect()
    }

    fn exact(text: &str) -> Rational {
        text.parse().unwrap()
    }

    /// The direct computation of the rolls to a distant goal agrees with rolling one by one.
    #[test]
    fn rolls_to_a_distant_goal() {
        for source in [2u128, 3, 10, 1 << 32, 1 << 64] {
            for bits in [255u32, 256, 257, 700] {
                let n: BigUint = (BigUint::one() << bits) + 1u8;
                let kept = BatchChain::new(source, BigUint::one(), vec![n.clone()]);
                for start in [1u64, 3, 1 << 40] {
                    let (mut v, mut rolls) = (BigUint::from(start), 0);
                    while v < n {
                        v *= source;
                        rolls += 1;
                    }
                    let test = kept.test(0, &start.into());
                    assert_eq!(
                        (test.rolls, &test.v),
                        (rolls, &v),
                        "{source} {bits} {start}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_costs_of_a_d4_and_a_d13_from_a_d6() {
        // Langkaas 2019 gives the rule; the values were recomputed with Python's fractions, from
        // the linear system of the states (i, v) and the series of E(n).
        let both = batch(&die(6), &crate::dice::targets(&targets(&[4, 13]))).unwrap();
        assert_eq!(both.keep.cost.exact(), Some(&exact("2327482/699855")));
        // 4/3 + sum_t (6^t mod 13) / 6^t = 1.33333 + 2.32230
        assert_eq!(both.separate.cost.decimals(4).unwrap(), "3.6556");
        assert_eq!(both.product.cost.decimals(4).unwrap(), "3.0780");
        assert_eq!(both.bound.cost.decimals(4).unwrap(), "2.2052");
        let other = batch(&die(6), &crate::dice::targets(&targets(&[13, 4]))).unwrap();
        let cost = exact("20100730738/6530347005");
        assert_eq!(other.keep.cost.exact(), Some(&cost));
    }

    #[test]
    fn a_single_target_costs_what_the_fast_dice_roller_costs() {
        for (m, n) in [(2u64, 6u64), (3, 7), (6, 52), (10, 48)] {
            let one = batch(&die(m), &crate::dice::targets(&targets(&[n]))).unwrap();
            let cost = one.keep.cost.exact().unwrap();
            assert_eq!(Some(cost), one.separate.cost.exact(), "m = {m}, n = {n}");
        }
    }

    #[test]
    fn enclosures_of_a_batch_contain_its_exact_cost() {
        for (m, capacity, list) in [
            (6u64, 1u64, vec![4u64, 13, 52]),
            (2, 1, vec![5, 3, 7]),
            (10, 1000, vec![6, 6, 6]),
        ] {
            let targets = targets(&list);
            let chain = BatchChain::new(m.into(), capacity.into(), targets);
            let exact = chain.exact().unwrap();
            for (share, exact) in chain.enclosed(80).iter().zip(exact) {
                assert!(share.contains(&exact));
                assert!(share.is_within(60));
            }
        }
    }

    /// With a coin nothing of the state is left after a result, since V < 2 n. So every result
    /// costs as much as the first.
    #[test]
    fn many_results_of_a_coin() {
        let many = batch(
            &Source::COIN,
            &crate::dice::targets(&vec![6u8.into(); 2000]),
        )
        .unwrap();
        let (one, all) = (exact("11/3"), exact("22000/3"));
        assert_eq!(many.separate.cost.exact(), Some(&all));
        assert!(many.keep.cost.enclose(60).contains(&all));
        assert!(
            many.keep
                .shares
                .iter()
                .all(|share| share.enclose(60).contains(&one))
        );
    }
}
