//! Finds the least and the greatest number of rounds in the cycle (A136043) over a range of n,
//! without counting the rounds of every n.
//!
//! Let n be odd, H the powers of 2 modulo n, p their number, and a(n) = (1/n) * the sum of x in H
//! (see [`flipcost::roller::rounds`]). With k = ceil(log2 n) and
//!
//! ```text
//! b = max( ceil(p / k), ceil(p (p + 1) / (2n)) ):    b <= a(n) <= p - b
//! ```
//!
//! - A round takes at most k flips, since x 2^k >= n for x >= 1: k consecutive digits of the
//!   repetend contain a one and, by x -> n - x, a zero.
//! - The x in H are p different numbers: their sum is at least 1 + ... + p, and by x -> n - x at
//!   most p n - (1 + ... + p).
//!
//! If -1 is in H, then a(n) = p/2; a power of two has 1 round. If these bounds do not decide, the
//! rounds are counted, for the most promising n first. This is rarely needed. The greatest value
//! mostly belongs to a prime with the primitive root 2, which has (n-1)/2 rounds, since a group H
//! of index 2 or more gives less than 3n/8. The least value belongs to an n with a short period.

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use flipcost::roller::rounds::ones_in_period;
use flipcost_number::order::Orbit;
use flipcost_number::sieve::{OrderTable, orbits_in};

/// A number of rounds, and the first n with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtremeRounds {
    /// A136043(n).
    pub rounds: u64,
    /// The first n with this number of rounds.
    pub n: u64,
}

/// The orders of 2 modulo every n of a range. The extremes of any part of the range are found from
/// these orders.
#[derive(Debug)]
pub struct RoundsExtremes {
    range: Range<u64>,
    orders: MultiplicativeOrders,
}

#[derive(Debug)]
enum MultiplicativeOrders {
    Table(OrderTable),
    List(Vec<Orbit>),
}

/// Bounds on a(n) that are known before the rounds of n are counted.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    n: u64,
    odd: u64,
    period: u64,
    low: u64,
    high: u64,
}

impl Bounds {
    fn new(n: u64, period: u64, minus_one: bool) -> Bounds {
        let odd = n >> n.trailing_zeros();
        let exactly = |rounds| (rounds, rounds);
        let (low, high) = match odd {
            1 => exactly(1),
            _ if minus_one => exactly(period / 2),
            _ => {
                let flips = u64::from((odd - 1).ilog2() + 1);
                let wide = u128::from(period);
                let sum = (wide * (wide + 1) / 2).div_ceil(odd.into()) as u64;
                let low = period.div_ceil(flips).max(sum);
                (low, period - low)
            }
        };
        Bounds {
            n,
            odd,
            period,
            low,
            high,
        }
    }

    fn rounds(&self) -> u64 {
        if self.low == self.high {
            self.low
        } else {
            ones_in_period(self.odd, self.period)
        }
    }
}

impl RoundsExtremes {
    /// Prepares all n of a range, on all threads of the pool. Cost: O(log end) per n. Memory: if
    /// the range begins near 1, a table up to the end with 6 bytes per odd n, otherwise 24 bytes
    /// per n.
    ///
    /// # Panics
    /// If the range contains 0 or ends beyond 2^30.
    pub fn new(range: Range<u64>) -> Self {
        assert!(
            range.start > 0 && range.end <= OrderTable::MAX_LIMIT,
            "the rounds of 1 to 2^30 are compared, not those of {range:?}"
        );
        let length = range.end.saturating_sub(range.start);
        let orders = if range.end / 8 <= length && length > 0 {
            MultiplicativeOrders::Table(OrderTable::new(2, range.end - 1))
        } else {
            MultiplicativeOrders::List(orbits_in(2, range.clone()))
        };
        Self { range, orders }
    }

    fn bounds(&self, n: u64) -> Bounds {
        match &self.orders {
            MultiplicativeOrders::Table(table) => {
                Bounds::new(n, table.period(n), table.minus_one(n))
            }
            MultiplicativeOrders::List(list) => {
                let orbit = &list[(n - self.range.start) as usize];
                Bounds::new(n, orbit.period, orbit.minus_one)
            }
        }
    }

    /// Returns the least and the greatest a(n) of a part, each with the first n that has this
    /// value.
    ///
    /// # Panics
    /// If the part is empty or not inside the range.
    pub fn extremes(&self, part: RangeInclusive<u64>) -> (ExtremeRounds, ExtremeRounds) {
        let all = || part.clone().map(|n| self.bounds(n));
        let most = all().map(|n| n.high).min().expect("a part has an n");
        let fewest = all().map(|n| n.low).max().expect("a part has an n");
        let mut low: Vec<Bounds> = all().filter(|n| n.low <= most).collect();
        low.sort_unstable_by_key(|n| (n.low, n.n));
        let mut high: Vec<Bounds> = all().filter(|n| n.high >= fewest).collect();
        high.sort_unstable_by_key(|n| (Reverse(n.high), n.n));
        let mut least = None;
        for n in &low {
            if least.is_some_and(|best| (n.low, n.n) > best) {
                break; // neither this n nor any later n can have a smaller value
            }
            let found = (n.rounds(), n.n);
            least = Some(least.map_or(found, |best| found.min(best)));
        }
        let mut greatest = None;
        for n in &high {
            if greatest.is_some_and(|best| (Reverse(n.high), n.n) > best) {
                break;
            }
            let found = (Reverse(n.rounds()), n.n);
            greatest = Some(greatest.map_or(found, |best| found.min(best)));
        }
        let (rounds, n) = least.expect("the one with the lowest upper bound");
        let least = ExtremeRounds { rounds, n };
        let (Reverse(rounds), n) = greatest.expect("the one with the highest lower bound");
        (least, ExtremeRounds { rounds, n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::roller::rounds::cycle_rounds_range;
    use proptest::prelude::*;

    /// Checks that every n is within its bounds, and that the extremes are those of all values.
    fn compare_with_definition(range: Range<u64>, cuts: &[u64]) {
        let values = cycle_rounds_range(range.start..=range.end - 1);
        let extremes = RoundsExtremes::new(range.clone());
        for (n, &rounds) in range.clone().zip(&values) {
            let bounds = extremes.bounds(n);
            assert!(bounds.low <= rounds && rounds <= bounds.high, "{n}");
        }
        let length = range.end - range.start;
        let mut ends: Vec<u64> = cuts.iter().map(|cut| range.start + cut % length).collect();
        ends.extend([range.start, range.end]);
        ends.sort_unstable();
        ends.dedup();
        for part in ends.windows(2) {
            let of = |n: &u64| values[(n - range.start) as usize];
            let numbers = part[0]..part[1];
            let least = numbers.clone().min_by_key(|n| (of(n), *n)).unwrap();
            let greatest = numbers.min_by_key(|n| (Reverse(of(n)), *n)).unwrap();
            let at = |n| ExtremeRounds { rounds: of(&n), n };
            let found = extremes.extremes(part[0]..=part[1] - 1);
            assert_eq!(found, (at(least), at(greatest)), "{part:?}");
        }
    }

    #[test]
    fn small_ranges() {
        for end in [2, 3, 4, 8, 100, 1000] {
            let cuts: Vec<u64> = (0..end).step_by(3).collect();
            compare_with_definition(1..end, &cuts);
        }
        compare_with_definition(1..60_000, &[2, 7, 100, 1023, 1024, 4000, 30_000]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_range(start in 1u64..10_000_000, length in 1u64..3000, cuts: [u64; 6]) {
            compare_with_definition(start..start + length, &cuts);
        }
    }
}
