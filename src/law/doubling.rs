//! The law of rules that pair equal sequences of rolls: a block of 2^k equal rolls counts as a roll
//! of level k, and the first pair of different rolls of one level decides.
//!
//! Let r_j = sum_i p_i^(2^j) be the probability that 2^j rolls are equal. An undecided sequence of
//! t rolls consists of a block of equal rolls for every one in the binary digits of t:
//!
//! ```text
//! P(T > t) = product of r_j over the ones j of t           E[T] = (1 + r_0)(1 + r_1)(1 + r_2)...
//! ```
//!
//! Some rules for a coin also stop as soon as the next toss cannot change the outcome (*joined*).
//! Then, if t ends in L ones in binary, the blocks of these ones all show the same face:
//!
//! ```text
//! P(T > t) = (p^(2^L - 1) + q^(2^L - 1)) times the product of r_j over the other ones of t,    L > 0
//! ```
//!
//! For L = 0 there is no such block, and only the product remains.
//!
//! **Moments.** S_j(k) = sum of t^j P(T > t) over t < 2^k. Writing t = 2^k + s, s < 2^k, doubles
//! the range:
//!
//! ```text
//! S_j(k+1) = S_j(k) + r_k sum_i C(j, i) 2^(k(j-i)) S_i(k)  [ - (2^(k+1) - 1)^j (pq)^(2^k - 1), k > 0 ]
//! ```
//!
//! where the last term applies only if joined. The remaining terms are small: the probability that
//! each of c blocks of 2^k rolls consists of equal rolls is r_k^c, and sum_{c>=0} (c+2)^3 / 2^c =
//! 102. So for r_k <= 1/2 the terms from 2^k on sum to at most 102 r_k 2^(k(j+1)), j <= 3. Each
//! increase of k by 1 roughly squares r_k, so the moments can be enclosed as narrowly as requested.
//!
//! **Source.** Hoeffding & Simons 1970; the product comes from Lucas' theorem, since C(t, i) is odd
//! if and only if the ones of i are among those of t.

use super::{FractionSize, LawKind};
use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational};
use num_integer::binomial;
use num_traits::{One, ToPrimitive, Zero};
use std::any::Any;
use std::sync::Arc;

/// The law of pairing equal sequences from a source whose faces have integer weights.
#[derive(Debug, PartialEq)]
pub(crate) struct Doubling {
    /// The distinct weights, and the number of faces that have each.
    weights: Vec<(BigUint, BigUint)>,
    joined: bool,
}

impl Doubling {
    /// Creates the law for a source with these distinct weights, all above 0, each with the number
    /// of faces that have it: a word of 64 bits is (1, 2^64).
    ///
    /// # Panics
    /// If `joined` is set and there are not exactly two faces.
    pub fn of_equal(weights: Vec<(BigUint, BigUint)>, joined: bool) -> Doubling {
        let law = Doubling { weights, joined };
        assert!(!joined || law.faces() == 2, "a coin");
        law
    }

    fn power_sum(&self, rolls: u64) -> BigUint {
        let power = |(w, faces): &(BigUint, BigUint)| w.pow(rolls as u32) * faces;
        self.weights.iter().map(power).sum()
    }

    /// S_0, ..., S_(count-1), count <= 4, within 2^-bits.
    fn sums(&self, count: usize, bits: u64) -> Vec<Enclosure> {
        let mut work = bits + 64;
        loop {
            if let Some(sums) = self.sums_at_precision(count, bits, work) {
                return sums;
            }
            work += work / 2;
        }
    }

    /// Computes the sums with this many bits at every step; `None` if the precision is too small.
    fn sums_at_precision(&self, count: usize, bits: u64, work: u64) -> Option<Vec<Enclosure>> {
        let base = BigInt::from(self.base());
        let near = |w: &BigUint| {
            Enclosure::of_rational(&Rational::new(w.clone().into(), base.clone()), work)
        };
        let integer = |n: BigInt| Enclosure::of_rational(&Rational::from(n), 0);
        let zero = integer(BigInt::zero());
        let plus = |a: &Enclosure, b: &Enclosure| a.plus(b).coarsen(work);
        let times = |a: &Enclosure, b: &Enclosure| a.times(b).coarsen(work);
        // p_i^(2^k), and (pq)^(2^k - 1)
        let mut faces: Vec<Enclosure> = self.weights.iter().map(|(w, _)| near(w)).collect();
        let counts = self.weights.iter().map(|(_, count)| count.clone().into());
        let counts: Vec<Enclosure> = counts.map(integer).collect();
        let mut both = integer(BigInt::one());
        let mut sums = vec![zero.clone(); count];
        sums[0] = integer(BigInt::one());
        for k in 0u64.. {
            flipcost_number::budget::spend(work / 4);
            let all = faces.iter().zip(&counts);
            let same = all.fold(zero.clone(), |sum, (p, count)| plus(&sum, &times(p, count)));
            let small = &same.high << 1u8 <= BigInt::one() << same.bits;
            if small {
                let rest = |j: u64| times(&same, &integer(BigInt::from(102) << (k * (j + 1))));
                let with_rest = |(j, sum): (usize, &Enclosure)| {
                    let most = rest(j as u64);
                    sum.plus(&Enclosure {
                        low: BigInt::zero(),
                        ..most
                    })
                };
                let all = sums.iter().enumerate().map(with_rest).collect::<Vec<_>>();
                if all.iter().all(|sum| sum.is_within(bits)) {
                    return Some(all);
                }
            }
            // All later terms are smaller than the rounding errors.
            if faces.iter().all(|p| p.low.is_zero()) {
                return None;
            }
            let mut later = sums.clone();
            for (j, later) in later.iter_mut().enumerate() {
                let mut shifted = zero.clone();
                for (i, sum) in sums.iter().enumerate().take(j + 1) {
                    let ways = BigInt::from(binomial(j, i)) << (k * (j - i) as u64);
                    shifted = plus(&shifted, &times(sum, &integer(ways)));
                }
                *later = plus(later, &times(&same, &shifted));
                if self.joined && k > 0 {
                    let last = (BigInt::one() << (k + 1)) - 1;
                    let joined = times(&both, &integer(num_traits::pow(last, j)));
                    *later = later.minus(&joined).coarsen(work);
                }
            }
            sums = later;
            if self.joined {
                let product = times(&faces[0], &faces[faces.len() - 1]);
                // (pq)^(2^(k+1) - 1) = (pq)^(2^k - 1) (pq)^(2^k)
                both = times(&both, &product);
            }
            faces.iter_mut().for_each(|p| *p = times(p, p));
        }
        unreachable!("r_k tends to 0")
    }

    /// The number of faces.
    fn faces(&self) -> u128 {
        let faces: BigUint = self.weights.iter().map(|(_, faces)| faces).sum();
        faces.to_u128().expect("sources are no wider")
    }
}

impl LawKind for Doubling {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn unit(&self) -> RollUnit {
        RollUnit::of_sides(self.faces())
    }

    /// The sum of the weights.
    fn base(&self) -> BigUint {
        self.power_sum(1)
    }

    /// Cost of term t: powers of the weights, of O(t log base) bits.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        Box::new((0u64..).map(|t| {
            flipcost_number::budget::spend(t / 64 * t / 64 + 64);
            let end = if self.joined { t.trailing_ones() } else { 0 };
            let run = (1u64 << end) - 1;
            let (rest, first) = (
                t - run,
                match run {
                    0 => BigUint::one(),
                    run => self.power_sum(run),
                },
            );
            let ones = (0..64).filter(|j| rest >> j & 1 == 1);
            ones.fold(first, |product, j| product * self.power_sum(1 << j))
        }))
    }

    fn worst_case(&self) -> Option<u64> {
        None
    }

    fn size(&self) -> FractionSize {
        FractionSize::Product
    }

    fn has_fraction(&self) -> bool {
        false
    }

    /// Sums of ((t+1)^m - t^m) P(T > t).
    fn moments(self: Arc<Self>) -> [Real; 4] {
        let moment = |coefficients: &'static [u32]| {
            let law = self.clone();
            Real::cached(move |bits| {
                let sums = law.sums(coefficients.len(), bits + 5);
                let zero = Enclosure::of_rational(&Rational::zero(), 0);
                let terms = coefficients.iter().zip(&sums);
                terms.fold(zero, |sum, (c, s)| {
                    sum.plus(&s.times(&Enclosure::of_rational(
                        &Rational::from(BigInt::from(*c)),
                        0,
                    )))
                })
            })
        };
        [
            moment(&[1]),
            moment(&[1, 2]),
            moment(&[1, 3, 3]),
            moment(&[1, 4, 6, 4]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Law;
    use super::*;

    fn coin(a: u64, b: u64, joined: bool) -> Doubling {
        let one = |weight: u64| (weight.into(), BigUint::one());
        Doubling::of_equal(vec![one(a), one(b)], joined)
    }

    /// The sums of the first 2^10 terms lie in the enclosures, which are as narrow as requested;
    /// later terms are negligible for these coins.
    #[test]
    fn moments_are_the_sums_of_the_terms() {
        for (a, b) in [(1u64, 1u64), (1, 2), (3, 2), (1, 9)] {
            for joined in [false, true] {
                let law = Arc::new(coin(a, b, joined));
                let mut raw = [0u8; 4].map(|_| Rational::zero());
                let mut scale = BigInt::one();
                for (t, s) in law.undecided_nodes().take(1 << 10).enumerate() {
                    let survival = Rational::new(s.into(), scale.clone());
                    for (m, raw) in raw.iter_mut().enumerate() {
                        let power = |t: usize| num_traits::pow(BigInt::from(t), m + 1);
                        *raw += &survival * (power(t + 1) - power(t));
                    }
                    scale *= a + b;
                }
                let near = Rational::new(1.into(), BigInt::one() << 90u8);
                for (m, (real, sum)) in law.clone().moments().iter().zip(raw).enumerate() {
                    let got = real.enclose(90);
                    assert!(got.is_within(90), "{a}:{b}");
                    let (low, high) = (got.low(), got.high());
                    assert!(
                        low <= &sum + &near && sum <= high,
                        "{a}:{b}, moment {}",
                        m + 1
                    );
                }
            }
        }
    }

    /// A word of 64 bits: E = (1 + 1) (1 + 2^-64) (1 + 2^-192)... A d6 may be six faces or one
    /// class of six faces.
    #[test]
    fn equal_faces_are_counted() {
        let fair = |m: u128| Doubling::of_equal(vec![(1u8.into(), m.into())], false);
        let third = BigInt::one() << 64u8;
        let low = Rational::from(BigInt::from(2)) + Rational::new(2.into(), third.clone());
        let more = Rational::new(3.into(), &third * &third * &third);
        let mean = Law::from(fair(1 << 64)).mean_real().enclose(300);
        assert!(low < mean.low() && mean.high() < low + more);
        let six = Arc::new(Doubling::of_equal(
            vec![(1u8.into(), BigUint::one()); 6],
            false,
        ));
        assert_eq!(
            format!("{:.60}", six.clone().mean()),
            format!("{:.60}", Law::from(fair(6)).mean_real())
        );
        assert_eq!(six.base(), fair(6).base());
        assert!(
            six.undecided_nodes()
                .take(40)
                .eq(fair(6).undecided_nodes().take(40))
        );
    }

    /// 2 (3/2)(9/8)(129/128)...
    #[test]
    fn a_fair_coin() {
        let law = Law::from(coin(1, 1, false));
        assert_eq!(format!("{:.6}", law.mean_real()), "3.401471");
        let undecided: Vec<BigUint> = law.undecided_nodes().0.take(5).collect();
        assert_eq!(undecided, [1u8, 2, 2, 4, 2].map(BigUint::from));
    }

    /// E = prod (1 + p^(2^j) + q^(2^j)); for p = 1/1000 about 1/p tosses are needed.
    #[test]
    fn a_coin_that_hardly_shows_heads() {
        let law = Law::from(coin(1, 999, false));
        // (1 + q)(1 + q^2)(1 + q^4)... = 1/p, so that E = 1/p prod (1 + p^(2^j) / (1 + q^(2^j)))
        assert_eq!(format!("{:.3}", law.mean_real()), "1000.501");
        let joined = Law::from(coin(1, 999, true));
        let (plain, saved) = (law.mean_real(), joined.mean_real());
        let saved = plain.minus(&saved).enclose(20);
        assert!(saved.low() > Rational::new(1.into(), 5.into()));
    }
}
