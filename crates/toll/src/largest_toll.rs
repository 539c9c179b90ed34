//! Finds the largest toll of the amplified loaded dice roller, over all weights of one sum.
//!
//! The toll is the expected number of coin flips above the entropy. For weights a_1, ..., a_r of
//! sum M and greatest common divisor 1, depth K, c = floor(2^K / M) and R = 2^K mod M, it is a sum
//! over the outcomes and a term for the rest of the 2^K leaves (Draper & Saad 2025):
//!
//! ```text
//! toll = 2^K / (c M) nu(R / 2^K) + f(a_1) + ... + f(a_r)
//! f(a) = 2^K / (c M) nu(c a / 2^K) - (a / M) log2(M / a)
//! nu(x) = sum of j b_j / 2^j over the binary digits of x = 0.b_1 b_2 ...
//! ```
//!
//! So finding the largest toll of all weights of sum M is a knapsack problem of size M: each part a
//! may be used any number of times, and is worth f(a) each time.
//!
//! **Odd parts are enough.** nu(x) + x = 2 nu(x/2), so f(2a) = 2 f(a): a part may be split into
//! halves. This changes neither the toll nor the odd common divisors of the parts.
//!
//! **Weights with a common divisor must be excluded.** They are divided by it first, so they belong
//! to a smaller sum. If they were allowed, the knapsack would choose them: the single part M, which
//! needs no roll at all, would count as a biased coin between M and the rest of 2^K, which costs 2
//! flips or more unless M is a power of 2. A common divisor divides M. So a state of the knapsack
//! is the sum so far, together with a set of odd primes of M: the primes that divide all parts so
//! far, for which a part that is not divisible is still needed.
//!
//! **Few parts are useful.** If smaller parts with the sum a are together worth f(a) or more, the
//! part a is unnecessary: of a prime that does not divide a, at least one of the smaller parts is
//! not a multiple either. For M = 2047 and K = 22, 27 of the 1024 odd parts remain.
//!
//! **Rounding.** f(a) is rounded up to a multiple of 2^-56, from an enclosure of the logarithms.
//! All sums and comparisons are then exact, so the value found is an upper bound of the toll for
//! all weights of the sum. The toll of the best weights, rounded down in the same way, is a lower
//! bound.
//!
//! **Source.** The sum: Draper & Saad 2025, arXiv 2504.04267. The knapsack was found here.

use flipcost_number::factor::factor;
use flipcost_number::fixed::{Fixed, log2_fixed};
use std::collections::BTreeMap;

/// Tolls are multiples of 2^-56.
const TOLL_PLACES: u32 = 56;

/// Marks a state that no weights reach: a number below every sum of values, but so far above the
/// smallest i64 that adding a value to it cannot overflow.
const UNREACHED: i64 = i64::MIN / 2;

/// A part that may be used any number of times.
struct KnapsackItem {
    size: usize,
    /// The value f of the part, rounded up.
    value: i64,
    /// The odd primes of M that divide the part, as a set of bits: after this part they are still
    /// needed.
    needed: usize,
}

/// The largest toll of a sum, enclosed between two multiples of 2^-56, with weights whose toll is
/// at least the lower one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargestToll {
    /// Weights of the sum with greatest common divisor 1, decreasing; halves are merged, so that
    /// there are few weights.
    pub weights: Vec<u64>,
    /// A lower bound of the toll of these weights, in units of 2^-56.
    pub low: i64,
    /// An upper bound of the toll of any weights of the sum, in units of 2^-56.
    pub high: i64,
}

impl LargestToll {
    /// Whether the toll of all weights of the sum is below this integer; `None` if the two bounds
    /// do not decide.
    pub fn is_below(&self, whole: i64) -> Option<bool> {
        let bound = whole << TOLL_PLACES;
        match (self.low < bound, self.high < bound) {
            (_, true) => Some(true),
            (false, _) => Some(false),
            _ => None,
        }
    }

    /// The largest toll rounded to this many decimals, at most 12, with ties rounded up; `None` if
    /// the two bounds round to different decimals.
    pub fn rounded(&self, digits: u32) -> Option<String> {
        let scale = 10i128.pow(digits.min(12));
        let round = |end: i64| (i128::from(end) * scale + (1 << (TOLL_PLACES - 1))) >> TOLL_PLACES;
        let scaled = round(self.low);
        let part = format!("{:0>1$}", scaled % scale, digits as usize);
        let text = match digits {
            0 => scaled.to_string(),
            _ => format!("{}.{part}", scaled / scale),
        };
        (scaled == round(self.high)).then_some(text)
    }

    /// The largest toll with all decimals that are known, at most 12.
    pub fn decimals(&self) -> String {
        let mut known = (0..=12).rev().filter_map(|digits| self.rounded(digits));
        known.next().unwrap_or_else(|| "?".to_string())
    }
}

/// The least k with 2^k >= sum.
pub fn least_depth(sum: u64) -> u32 {
    sum.saturating_sub(1).checked_ilog2().map_or(0, |k| k + 1)
}

/// Computes the largest tolls of sums up to a limit; the logarithms are computed once.
pub struct LargestTolls {
    /// log2 i at the index i, for i from 1.
    logs: Vec<Fixed>,
}

impl LargestTolls {
    /// The largest supported sum.
    pub const MAX_SUM: u64 = 1 << 16;

    /// Prepares sums up to `most`, which is at most [`LargestTolls::MAX_SUM`].
    pub fn up_to(most: u64) -> LargestTolls {
        let some = 1..=most.min(Self::MAX_SUM);
        LargestTolls {
            logs: std::iter::once(1).chain(some).map(log2_fixed).collect(),
        }
    }

    /// Returns the largest toll of weights with this sum, at least 2, and greatest common divisor
    /// 1, for a tree of this depth K, which must be at least [`least_depth`] and at most 40.
    ///
    /// # Cost
    /// O(M 2^p u), where M is the sum, p the number of its odd prime factors, and u the number of
    /// useful parts: a few milliseconds for M = 10^4.
    ///
    /// # Panics
    /// If the sum or the depth is outside these ranges.
    pub fn largest_toll(&self, sum: u64, depth: u32) -> LargestToll {
        assert!(sum >= 2 && (sum as usize) < self.logs.len());
        assert!((least_depth(sum)..=40).contains(&depth));
        let worth = PartValues {
            logs: &self.logs,
            sum,
            depth,
            factor: (1u64 << depth) / sum,
        };
        let knapsack = Knapsack::fill(&worth);
        let rest = worth.cost((1u64 << depth) % sum);
        let parts = knapsack.best();
        let low: i64 = parts.iter().map(|part| worth.value_bounds(*part).0).sum();
        LargestToll {
            weights: merge_equal_parts(parts),
            low: low + rest.0,
            high: knapsack.value() + rest.1,
        }
    }
}

/// The value of each part, for a sum and a depth.
struct PartValues<'a> {
    logs: &'a [Fixed],
    sum: u64,
    depth: u32,
    /// c
    factor: u64,
}

impl PartValues<'_> {
    /// The number 2^K / (c M) nu(x / 2^K), rounded down and up to a multiple of 2^-64; it is an
    /// integer over c M.
    fn normalized_share(&self, x: u64) -> (i128, i128) {
        let bits = (0..=self.depth).filter(|bit| x >> bit & 1 == 1);
        let numerator: u64 = bits.map(|bit| u64::from(self.depth - bit) << bit).sum();
        let (top, bottom) = (
            u128::from(numerator) << 64,
            u128::from(self.factor * self.sum),
        );
        ((top / bottom) as i128, top.div_ceil(bottom) as i128)
    }

    /// The number [`PartValues::normalized_share`] in units of 2^-56, rounded down and up.
    fn cost(&self, x: u64) -> (i64, i64) {
        coarsen_bounds(self.normalized_share(x))
    }

    /// The value f of a part, rounded down and up.
    fn value_bounds(&self, part: u64) -> (i64, i64) {
        let (low, high) = self.normalized_share(self.factor * part);
        let (all, own) = (self.logs[self.sum as usize], self.logs[part as usize]);
        let (part, sum) = (u128::from(part), u128::from(self.sum));
        let least = part * all.low.saturating_sub(own.high) / sum;
        let most = (part * (all.high - own.low)).div_ceil(sum);
        coarsen_bounds((low - most as i128, high - least as i128))
    }
}

/// Converts bounds from units of 2^-64 to units of 2^-56, rounded outwards.
fn coarsen_bounds((low, high): (i128, i128)) -> (i64, i64) {
    let up = (high + 255) >> 8;
    ((low >> 8) as i64, up as i64) // tolls below 2^3, for the depths that are allowed
}

/// The best value for every sum up to M and every set of primes for which a part is still needed.
struct Knapsack {
    parts: Vec<KnapsackItem>,
    /// The values, in the order of the sums, then of the sets of primes.
    values: Vec<i64>,
    /// The number of sets of primes.
    sets: usize,
    sum: usize,
}

impl Knapsack {
    fn fill(worth: &PartValues) -> Knapsack {
        let sum = worth.sum as usize;
        let primes: Vec<u64> = (factor(worth.sum).into_iter())
            .map(|(prime, _)| prime)
            .filter(|prime| *prime != 2)
            .collect();
        let sets = 1 << primes.len();
        let mut parts: Vec<KnapsackItem> = Vec::new();
        let mut values = vec![UNREACHED; (sum + 1) * sets];
        values[0] = 0;
        for size in 1..=sum {
            let (before, now) = values.split_at_mut(size * sets);
            let now = &mut now[..sets];
            let offer = |now: &mut [i64], part: &KnapsackItem| {
                let rest = &before[(size - part.size) * sets..][..sets];
                for (set, best) in now.iter_mut().enumerate() {
                    *best = (*best).max(part.value + rest[set & part.needed]);
                }
            };
            parts.iter().for_each(|part| offer(now, part));
            if size % 2 == 0 {
                continue;
            }
            let divisors = primes
                .iter()
                .map(|prime| (size as u64).is_multiple_of(*prime));
            let part = KnapsackItem {
                size,
                value: worth.value_bounds(size as u64).1,
                needed: (divisors.enumerate())
                    .map(|(bit, is)| usize::from(is) << bit)
                    .sum(),
            };
            let smaller = now[0]; // the value if no prime is needed
            if part.value > smaller {
                offer(now, &part);
                parts.push(part);
            }
        }
        Knapsack {
            parts,
            values,
            sets,
            sum,
        }
    }

    /// An upper bound of the sum of f over any weights of sum M without a common divisor.
    fn value(&self) -> i64 {
        self.values[self.values.len() - 1]
    }

    /// Returns odd parts whose value is the best.
    fn best(&self) -> Vec<u64> {
        let (mut left, mut set) = (self.sum, self.sets - 1);
        let mut best = Vec::new();
        while left > 0 {
            let value = self.values[left * self.sets + set];
            let after = |part: &KnapsackItem| (left - part.size) * self.sets + (set & part.needed);
            let last = (self.parts.iter())
                .find(|part| part.size <= left && part.value + self.values[after(part)] == value)
                .expect("a last part gives this value");
            best.push(last.size as u64);
            (left, set) = (left - last.size, set & last.needed);
        }
        best
    }
}

/// Merges pairs of equal parts into parts of twice the size, but keeps at least one part odd; the
/// result is decreasing.
fn merge_equal_parts(odd: Vec<u64>) -> Vec<u64> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    odd.into_iter()
        .for_each(|part| *counts.entry(part).or_default() += 1);
    let bits = |count: u64| (0..u64::BITS).filter(move |bit| count >> bit & 1 == 1);
    let mut weights: Vec<u64> = (counts.into_iter())
        .flat_map(|(part, count)| bits(count).map(move |bit| part << bit))
        .collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    // Splitting one part into halves makes the greatest common divisor odd.
    while weights.iter().all(|weight| weight.is_multiple_of(2)) {
        let half = weights.pop().expect("a sum above 0") / 2;
        weights.extend([half, half]);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::find;
    use flipcost::task::{Source, Target, Task};
    use flipcost_number::Real;
    use flipcost_number::factor::gcd_words;
    use std::cmp::Ordering;

    /// The toll (cost minus entropy), from the law of `aldr:K=depth`.
    fn toll(weights: &[u64], depth: u32) -> Real {
        let task = Task::new(Target::weighted(weights).unwrap(), Source::COIN);
        let aldr = find(&format!("aldr:K={depth}")).unwrap();
        let mean = Real::Exact(aldr.law(&task).unwrap().mean().unwrap());
        mean.minus(&task.entropy())
    }

    fn within(end: i64) -> Real {
        use flipcost_number::{BigInt, Rational};
        Real::Exact(Rational::new(end.into(), BigInt::from(1u64 << TOLL_PLACES)))
    }

    fn common(weights: &[u64]) -> u64 {
        weights.iter().copied().fold(0, gcd_words)
    }

    /// All weights of a sum, decreasing.
    fn partitions(sum: u64, most: u64) -> Vec<Vec<u64>> {
        if sum == 0 {
            return vec![Vec::new()];
        }
        let first = |a: u64| {
            let rest = partitions(sum - a, a).into_iter();
            rest.map(move |rest| [vec![a], rest].concat())
        };
        (1..=most.min(sum)).flat_map(first).collect()
    }

    /// For every distribution of a sum up to 20 (and of 24), the law of the algorithm gives a toll
    /// that is at most the upper bound; for the weights that were found, the toll lies between the
    /// bounds.
    #[test]
    fn the_largest_toll_of_all_weights() {
        let tolls = LargestTolls::up_to(24);
        for sum in (2..=20u64).chain([24]) {
            let k = least_depth(sum);
            for depth in [k, 2 * k - 1, 2 * k] {
                let largest = tolls.largest_toll(sum, depth);
                let (low, high) = (within(largest.low), within(largest.high));
                assert!(largest.high - largest.low < 1 << 10, "{largest:?}");
                assert_eq!(largest.weights.iter().sum::<u64>(), sum);
                assert_eq!(common(&largest.weights), 1, "{largest:?}");
                let reached = toll(&largest.weights, depth);
                assert_ne!(reached.compare(&low), Ok(Ordering::Less), "{largest:?}");
                for weights in partitions(sum, sum) {
                    if common(&weights) == 1 {
                        let order = toll(&weights, depth).compare(&high);
                        assert_ne!(order, Ok(Ordering::Greater), "{weights:?} K = {depth}");
                    }
                }
            }
        }
    }

    /// A part and its two halves are worth the same for every depth.
    #[test]
    fn halves_change_nothing() {
        for (whole, halves) in [
            (&[3u64, 2][..], &[3u64, 1, 1][..]),
            (&[12, 6, 5], &[6, 6, 6, 5]),
            (&[7, 6], &[7, 3, 3]),
        ] {
            for depth in 5..12 {
                let [one, two] = [whole, halves].map(|weights| toll(weights, depth));
                // Logarithms of different weights must be equal up to the computed precision.
                let gap = one.minus(&two).enclose(200);
                assert!(gap.contains(&flipcost_number::Rational::from_integer(0.into())));
            }
        }
    }

    /// Only parts that smaller parts cannot replace are tried.
    #[test]
    fn few_parts_are_useful() {
        let logs = LargestTolls::up_to(2047).logs;
        let (sum, depth, logs) = (2047, 22, &logs[..]);
        let factor = (1 << depth) / sum;
        let worth = PartValues {
            logs,
            sum,
            depth,
            factor,
        };
        assert_eq!(Knapsack::fill(&worth).parts.len(), 27);
    }

    /// Values from the code of Draper & Saad 2025 (arXiv 2504.04267): the largest tolls of some
    /// sums, and tolls above 2 for K = 2k - 1 and, for an even sum, for K = 2k - 2.
    #[test]
    fn published_tolls() {
        let tolls = LargestTolls::up_to(61);
        for (sum, less, wanted) in [
            (3, 0, "1.081704"),
            (5, 0, "1.278072"),
            (6, 0, "1.540852"),
            (12, 0, "1.770426"),
            (19, 0, "1.829638"),
            (24, 0, "1.885213"),
            (13, 1, "2.235042"),
            (27, 1, "2.151195"),
            (29, 1, "2.104306"),
            (61, 1, "2.049374"),
            (26, 2, "2.321256"),
        ] {
            let largest = tolls.largest_toll(sum, 2 * least_depth(sum) - less);
            assert_eq!(largest.rounded(6).as_deref(), Some(wanted), "{largest:?}");
            assert_eq!(largest.is_below(2), Some(less == 0), "{largest:?}");
        }
    }
}
