//! The expected bits of Peres's iteration for long blocks, between two ends.
//!
//! The sequence that says which pairs of n flips differ, m = floor(n/2) of them, is one of independent flips with s =
//! 2pq; the values of the equal pairs are J independent flips with p^2/(p^2 + q^2), J a binomial variable of m and
//! 1 - s. So with b(n, p) = b(n, q) the expected bits,
//!
//! ```text
//! b(n, p) = m s + b(m, s) + E b(J, p^2 / (p^2 + q^2)),   b(0, p) = b(1, p) = 0
//! ```
//!
//! One length asks for one length of s, and for all J that are not too rare; a range of lengths for a range of m. For
//! the mean over J the binomial law of the first m of a part of the range is made from its largest probability
//! outwards; from m to m + 1 it is s E b(J) + (1 - s) E b(J + 1), for all shifts of b at once.
//!
//! **Errors.** Values are multiples of 2^-F, F = 64 W - 32, probabilities of 2^-(64 W), all rounded down, and with a
//! range goes one bound of their distance from the truth, in units of 2^-F. Independent flips of which each has a
//! probability that is off by d are off by m d in total variation, and no block of m has more than m bits: m^2 d.
//! So a node adds what its own roundings do, where the rounded probabilities of its children count as theirs.
//!
//! Cost: about n log n times 100 products of W words, for p = 1/2, where all probabilities are 1/2, a tenth of that.

use super::peres_types::of_length;
use crate::places::FixedWords;
use flipcost_number::BigUint;
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::threads;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Blocks up to this length by their types.
const SHORT: u64 = 16;
/// From this length on the two parts are computed side by side.
const APART: u64 = 1 << 12;

/// The sums of bits of the words with k heads of up to [`SHORT`] flips.
static TYPES: LazyLock<Vec<Vec<u64>>> = LazyLock::new(|| {
    let sums = (0..=SHORT as usize).map(|n| of_length(n, None).bits);
    let short = |sums: Vec<BigUint>| {
        sums.iter()
            .map(|sum| sum.to_u64().expect("short"))
            .collect()
    };
    sums.map(short).collect()
});

/// The expected bits of n flips of a coin with these weights, to 2^-4000.
pub(super) fn bits([heads, tails]: &[BigUint; 2], n: u64) -> Real {
    let (p, q) = (heads.min(tails).clone(), heads.max(tails).clone());
    Real::cached(move |bits| {
        let within = |found: &Enclosure| found.is_within(bits);
        let of = [
            of_words::<2>,
            of_words::<4>,
            of_words::<8>,
            of_words::<16>,
            of_words::<64>,
        ];
        let mut found = of.iter().map(|of| of(&p, &q, n));
        found
            .find(within)
            .expect("no more places are asked of a length that is not counted")
    })
}

/// With probabilities of W words, p <= q.
fn of_words<const W: usize>(p: &BigUint, q: &BigUint, n: u64) -> Enclosure {
    let unit = BigUint::one() << (64 * W);
    let coin = FixedWords::<W>::from_biguint(&((p << (64 * W)) / (p + q)));
    let half = Mutex::new(HashMap::new());
    let found = Solver { unit, half }.values(coin, n..=n);
    let value = found.values[0].value();
    let error = BigUint::from(found.error + (u128::from(n).pow(2) >> 32) + 1);
    let low = if value > error {
        &value - &error
    } else {
        BigUint::zero()
    };
    Enclosure {
        low: low.into(),
        high: (value + error).into(),
        bits: 64 * W as u64 - 32,
    }
}

/// b(n, p) for a range of n.
struct ExpectedBits<const W: usize> {
    values: Vec<FixedWords<W>>,
    error: u128,
}

/// The law of a binomial variable near its mean: the probability of `first`, and of those after it.
struct Binomial<const W: usize> {
    first: u64,
    probabilities: Vec<FixedWords<W>>,
}

struct Solver<const W: usize> {
    /// 2^(64 W)
    unit: BigUint,
    /// b(n, 1/2) and its error, as far as it is known.
    half: Mutex<HashMap<u64, (FixedWords<W>, u128)>>,
}

impl<const W: usize> Solver<W> {
    /// b(n, p), p <= 1/2.
    fn values(&self, p: FixedWords<W>, n: RangeInclusive<u64>) -> ExpectedBits<W> {
        if p.is_zero() || *n.end() < 2 {
            return ExpectedBits {
                values: vec![FixedWords::ZERO; count(&n)],
                error: 0,
            };
        }
        if *n.end() <= SHORT {
            return short(p, n);
        }
        if &p.value() << 1u8 != self.unit {
            return self.by_parts(p, n, false);
        }
        if let Some(known) = self.known(&n) {
            return known;
        }
        let found = self.by_parts(p, n.clone(), true);
        let mut half = self.half.lock().unwrap_or_else(PoisonError::into_inner);
        half.extend(n.zip(found.values.iter().map(|value| (*value, found.error))));
        found
    }

    /// b(n, 1/2), if all of them are known.
    fn known(&self, n: &RangeInclusive<u64>) -> Option<ExpectedBits<W>> {
        let half = self.half.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut values, mut error) = (Vec::new(), 0);
        for n in n.clone() {
            let (value, off) = half.get(&n)?;
            values.push(*value);
            error = error.max(*off);
        }
        Some(ExpectedBits { values, error })
    }

    /// By the recursion; if both parts have the same p, one after the other.
    fn by_parts(&self, p: FixedWords<W>, n: RangeInclusive<u64>, is_half: bool) -> ExpectedBits<W> {
        let m = n.start() / 2..=n.end() / 2;
        let wide = p.value();
        let other = &self.unit - &wide;
        let squares = &wide * &wide + &other * &other;
        let equal = FixedWords::from_biguint(&((&wide * &wide * &self.unit) / squares));
        let s = FixedWords::from_biguint(&(((wide * other) << 1u8) / &self.unit));
        // the binomial laws, each for so many m
        let part = m.end().isqrt() / 2 + 4;
        let starts: Vec<u64> = m.clone().step_by(part as usize).collect();
        let laws: Vec<Binomial<W>> = starts.iter().map(|&m| self.equal_pairs(m, &s)).collect();
        let least = laws.iter().map(|law| law.first).min().expect("a part");
        let ends = laws.iter().zip(&starts).map(|(law, &start)| {
            law.first + law.probabilities.len() as u64 - 1 + part.min(m.end() + 1 - start) - 1
        });
        let j = least..=ends.max().expect("a part");
        let (rest, orders) = if is_half || *n.end() < APART {
            (self.values(equal, j), self.values(s, m.clone()))
        } else {
            threads::both(|| self.values(equal, j), || self.values(s, m.clone()))
        };
        let mut means = Vec::with_capacity(count(&m));
        let mut error = 0;
        for (law, &start) in laws.iter().zip(&starts) {
            let lengths = part.min(m.end() + 1 - start) as usize;
            let from = (law.first - least) as usize;
            error = error.max(law.probabilities.len());
            self.means(law, &rest.values[from..], &s, lengths, &mut means);
        }
        let value = |n: u64| {
            let m = n / 2 - m.start();
            // m s < 2^24 in units of 2^-(64 W - 24)
            let pairs = s.over_word(1 << 24).times_word(n / 2).over_word(1 << 8);
            pairs
                .plus(&orders.values[m as usize])
                .plus(&means[m as usize])
        };
        let m = u128::from(*m.end());
        // the products of a mean and the steps after it; its probabilities, each off by a unit, and what their sum was
        // made 1 by: 2m + 2; then three probabilities that are off by a unit, and the pairs
        let steps = error as u128 + 2 * u128::from(part);
        let off = error as u128 + 2 * (2 * m + 2) + 3 * m;
        ExpectedBits {
            values: n.map(value).collect(),
            error: rest.error + orders.error + steps + ((off * m) >> 32) + 3 + (m >> 8),
        }
    }

    /// The law of the number of equal pairs among m, each of which differs with probability s: from the likeliest
    /// outwards u(d+1) = u(d) (m-d) s / ((d+1) (1-s)) in units of 2^-(64 W + 64), and then over their sum. What is
    /// left out, terms below 2^-(64 W), and what was rounded off is less than 2m + 2 units of 2^-(64 W).
    fn equal_pairs(&self, m: u64, s: &FixedWords<W>) -> Binomial<W> {
        let (s, most) = (s.value(), &self.unit << 64u8);
        let other = &self.unit - &s;
        let mode = ((&s * (m + 1)) >> (64 * W))
            .to_u64()
            .expect("at most m")
            .min(m);
        let least = BigUint::one() << 64u8;
        let mut terms = vec![most.clone()];
        for d in (1..=mode).rev() {
            let last = terms.last().expect("the likeliest");
            let next = last * &other * d / (&s * (m - d + 1));
            if next < least {
                break;
            }
            terms.push(next);
        }
        let first = mode + 1 - terms.len() as u64;
        terms.reverse();
        for d in mode..m {
            let last = terms.last().expect("the likeliest");
            let next = last * &s * (m - d) / (&other * (d + 1));
            if next < least {
                break;
            }
            terms.push(next);
        }
        spend(200 * terms.len() as u64 * W as u64);
        let sum: BigUint = terms.iter().sum();
        let one = &self.unit - 1u8;
        // in the order of the equal pairs, m - d
        let probability =
            |term: BigUint| FixedWords::from_biguint(&((term << (64 * W)) / &sum).min(one.clone()));
        Binomial {
            first: m + 1 - first - terms.len() as u64,
            probabilities: terms.into_iter().rev().map(probability).collect(),
        }
    }

    /// E b(J) for m, m + 1, ..., so many, J of m by its law; b from the first J on.
    fn means(
        &self,
        law: &Binomial<W>,
        b: &[FixedWords<W>],
        s: &FixedWords<W>,
        lengths: usize,
        means: &mut Vec<FixedWords<W>>,
    ) {
        spend((law.probabilities.len() * lengths + lengths * lengths) as u64 * (2 * W * W) as u64);
        let shifted = |shift: usize| {
            let terms = law.probabilities.iter().zip(&b[shift..]);
            terms.fold(FixedWords::ZERO, |sum, (w, b)| sum.plus(&b.times(w)))
        };
        let mut all: Vec<FixedWords<W>> = (0..lengths).map(shifted).collect();
        let equal = s.complement();
        for left in (0..lengths).rev() {
            means.push(all[0]);
            for i in 0..left {
                all[i] = all[i].times(s).plus(&all[i + 1].times(&equal));
            }
        }
    }
}

fn count(n: &RangeInclusive<u64>) -> usize {
    (n.end() - n.start() + 1) as usize
}

/// By the types of their words, in units of 2^-(64 W - 5), since there are at most 16 bits: each weight is off by less
/// than 40 units of 2^-(64 W), 2^20 times together, which is less than a unit of 2^-F.
fn short<const W: usize>(p: FixedWords<W>, n: RangeInclusive<u64>) -> ExpectedBits<W> {
    let q = p.complement();
    let powers = |x: FixedWords<W>| {
        let mut powers = vec![x];
        (1..SHORT).for_each(|_| powers.push(powers[powers.len() - 1].times(&x)));
        powers
    };
    let (heads, tails) = (powers(p), powers(q));
    let value = |n: u64| {
        // words of one kind give no bits
        let terms = (1..n as usize).map(|k| {
            let weight = heads[k - 1].times(&tails[n as usize - k - 1]);
            weight.over_word(1 << 5).times_word(TYPES[n as usize][k])
        });
        let sum = terms.fold(FixedWords::ZERO, |sum: FixedWords<W>, term| sum.plus(&term));
        sum.over_word(1 << 27)
    };
    ExpectedBits {
        values: n.map(value).collect(),
        error: 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extractor::Extractor;
    use flipcost::task::Source;
    use flipcost_number::ln;
    use flipcost_number::{BigInt, Rational};

    /// The enclosure holds the value of all types.
    #[test]
    fn the_enclosure_holds_the_sum() {
        for (heads, tails) in [(1u64, 1u64), (1, 2), (9, 1), (1, 1000), (1, u64::MAX)] {
            let coin = Source::loaded([heads, tails]).unwrap();
            for n in [2u64, 16, 17, 33, 100, 257] {
                let exact = crate::peres::PeresExtractor(None)
                    .yielded(&coin, n)
                    .unwrap()
                    .bits
                    .exact()
                    .unwrap()
                    .clone();
                let (p, q) = (heads.min(tails).into(), heads.max(tails).into());
                for found in [of_words::<2>(&p, &q, n), of_words::<4>(&p, &q, n)] {
                    assert!(found.contains(&exact), "{heads}:{tails} {n}");
                    assert!(found.is_within(found.bits - 32));
                }
            }
        }
    }

    /// log(n - b(n, 1/2)) / log n is 0.70944 at 128 and 0.71151 at 256 by exact sums of another program; it is largest
    /// at 512, and falls from then on (to log2 of the golden ratio, Lim, Liao & Yao 2020).
    #[test]
    fn the_loss_of_a_fair_coin() {
        let one = BigUint::one();
        // from the least to the most that it can be
        let lost = |n: u64| {
            let found = of_words::<2>(&one, &one, n);
            [found.high(), found.low()].map(|bits| Rational::from_integer(n.into()) - bits)
        };
        let slope = |e: u32| {
            let [least, most] = lost(1 << e).map(|lost| ln(&lost, 60));
            let all = ln(&Rational::from_integer((1u64 << e).into()), 60);
            [
                least.over(&all).unwrap().low(),
                most.over(&all).unwrap().high(),
            ]
        };
        let places = |ends: [Rational; 2], places: u32| {
            let unit = Rational::from_integer(BigInt::from(10u8).pow(places));
            ends.map(|end| (end * &unit).round().to_integer())
        };
        assert_eq!(places(lost(256), 6), [51_699_534.into(), 51_699_534.into()]);
        assert_eq!(places(slope(7), 5), [70_944.into(), 70_944.into()]);
        assert_eq!(places(slope(8), 5), [71_151.into(), 71_151.into()]);
        let rises = |e: u32| slope(e)[1] < slope(e + 1)[0];
        let falls = |e: u32| slope(e)[0] > slope(e + 1)[1];
        assert!((3..9).all(rises) && (9..13).all(falls));
    }

    /// A block of 2n is no worse than two of n: there are pairs in both halves.
    #[test]
    fn longer_blocks_yield_more_each() {
        let bits = |n: u64| of_words::<2>(&1u8.into(), &2u8.into(), n);
        for n in [300u64, 1024, 5000] {
            let (one, two) = (bits(n), bits(2 * n));
            assert!(one.is_within(64) && two.is_within(64));
            assert!(two.low().to_f64().unwrap() > 2.0 * one.high().to_f64().unwrap());
            assert!(two.high().to_f64().unwrap() < 2.0 * n as f64 * 0.918296);
        }
    }
}
