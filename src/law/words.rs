//! The law of the number of words that a rule needs if it uses the bits of words of w bits as its T
//! flips.
//!
//! If the unused bits of the last word are discarded, N = ceil(T / w) words are drawn, P(N > j) =
//! P(T > j w), and
//!
//! ```text
//! E[N^k] = sum_j ((j+1)^k - j^k) P(T > j w)
//! ```
//!
//! Each term from j = J on is at most the sum of w terms of E[T^k] with t > (J-1) w, and these are
//! different for different j. So the sum of the first J terms is a lower bound of the moment, and
//! with the part of E[T^k] beyond (J-1) w added it is an upper bound. If T comes from a small
//! chain, so does N, and its mean is exact. If unused bits are kept for the next result, each bit
//! costs 1/w words: the law is that of T / w.

use super::{FractionSize, Fundamental, Law, LawKind};
use crate::task::RollUnit;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real};
use num_traits::{One, Zero};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The maximum number of states of a chain for which the number of words is computed exactly.
const MAX_STATES: usize = 32;

/// E[N] and E[N^2], where N is the number of words of w bits that a chain uses; `None` if the chain
/// is large. The chain starts in the first state; if the transitions of a state sum to less than 1,
/// the rest is the probability of ending there. Cost: w steps from each state, and an elimination.
pub(super) fn moments_of_chain(
    steps: &[Vec<(usize, Rational)>],
    bits: u32,
) -> Option<(Rational, Rational)> {
    if steps.len() > MAX_STATES {
        return None;
    }
    let after_word = |from: usize| {
        let mut now = vec![Rational::zero(); steps.len()];
        now[from] = Rational::one();
        for _ in 0..bits {
            let mut next = vec![Rational::zero(); steps.len()];
            for (here, ways) in now.iter().zip(steps).filter(|(here, _)| !here.is_zero()) {
                ways.iter().for_each(|(to, p)| next[*to] += here * p);
            }
            now = next;
        }
        let there = now.into_iter().enumerate().filter(|(_, p)| !p.is_zero());
        there.collect()
    };
    let rows: Vec<BTreeMap<usize, Rational>> = (0..steps.len()).map(after_word).collect();
    let chain = Fundamental::new(rows.clone());
    let means = chain.values(vec![Rational::one(); steps.len()]);
    // E[N^2] = 1 + 2 E[N'] + E[N'^2], where N' counts the words after the first.
    let ahead = |row: &BTreeMap<usize, Rational>| {
        let rest: Rational = row.iter().map(|(to, p)| p * &means[*to]).sum();
        Rational::one() + rest * BigInt::from(2)
    };
    let squares = chain.values(rows.iter().map(ahead).collect());
    // A certain outcome takes no word.
    let first = |values: &[Rational]| values.first().cloned().unwrap_or_default();
    Some((first(&means), first(&squares)))
}

/// See the module documentation.
pub(crate) struct Words {
    flips: Law,
    bits: u32,
    kept: bool,
    exact: OnceLock<Option<(Rational, Rational)>>,
}

impl Words {
    /// Creates the law of the words of w bits from a law of flips of a coin.
    pub fn new(flips: Law, bits: u32, kept: bool) -> Words {
        Words {
            flips,
            bits,
            kept,
            exact: OnceLock::new(),
        }
    }

    /// E[N] and E[N^2], if they are known exactly.
    fn exact(&self) -> Option<&(Rational, Rational)> {
        let found = || {
            if !self.kept {
                return self.flips.0.moments_of_words(self.bits);
            }
            let bits = BigInt::from(self.bits);
            let (mean, variance) = (self.flips.mean().ok()?, self.flips.variance().ok()?);
            let second = variance + &mean * &mean;
            Some((mean / &bits, second / (&bits * &bits)))
        };
        self.exact.get_or_init(found).as_ref()
    }

    /// E[N^k], 1 <= k <= 4.
    fn moment(self: &Arc<Self>, k: usize) -> Real {
        let of_flips = self.flips.0.clone().moments()[k - 1].clone();
        if self.kept {
            let words = BigInt::from(self.bits).pow(k as u32);
            return of_flips.over(&Real::integer(words));
        }
        let law = self.clone();
        Real::cached(move |bits| {
            let mut words = bits / u64::from(law.bits) + 3;
            loop {
                let near = law.partial_moment(k, words, &of_flips, bits + 4);
                if near.is_within(bits) {
                    return near;
                }
                words *= 2;
            }
        })
    }

    /// Encloses the moment, from its first J = `words` terms.
    fn partial_moment(&self, k: usize, words: u64, of_flips: &Real, bits: u64) -> Enclosure {
        let rise = |t: u64| BigInt::from(t + 1).pow(k as u32) - BigInt::from(t).pow(k as u32);
        let each = u64::from(self.bits);
        let last = (words - 1) * each;
        // The sums are in units of 1 / 2^last
        let (mut sum, mut flips) = (BigInt::zero(), BigInt::zero());
        let (undecided, _) = self.flips.undecided_nodes();
        for (t, nodes) in (0..=last).zip(undecided) {
            let part = BigInt::from(nodes) << (last - t);
            if t.is_multiple_of(each) {
                sum += &part * rise(t / each);
            }
            // a term with t > (J-1) w for J = `words`
            flips += part * rise(t);
        }
        let whole = BigInt::one() << last;
        let low = Rational::new(sum, whole.clone());
        let lacks = of_flips.enclose(bits + 8).high() - Rational::new(flips, whole);
        let high = &low + lacks.max(Rational::zero());
        let (low, high) = (
            Enclosure::of_rational(&low, bits),
            Enclosure::of_rational(&high, bits),
        );
        Enclosure {
            low: low.low,
            high: high.high,
            bits,
        }
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        (self.bits, self.kept) == (other.bits, other.kept) && self.flips == other.flips
    }
}

impl LawKind for Words {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn unit(&self) -> RollUnit {
        RollUnit::Words
    }

    /// The undecided nodes after each word. If bits are kept, a result does not begin with a new
    /// word, so these are the nodes after each bit.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        let (undecided, _) = self.flips.undecided_nodes();
        if self.kept {
            undecided
        } else {
            Box::new(undecided.step_by(self.bits as usize))
        }
    }

    fn base(&self) -> BigUint {
        BigUint::one() << if self.kept { 1 } else { self.bits }
    }

    fn worst_case(&self) -> Option<u64> {
        Some(self.flips.max()?.div_ceil(self.bits.into()))
    }

    fn size(&self) -> FractionSize {
        match self.exact() {
            Some((_, second)) => FractionSize::Bits(second.denom().bits().into()),
            None if self.kept => self.flips.size(),
            None => FractionSize::Sum,
        }
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        let mut all = [1, 2, 3, 4].map(|k| self.moment(k));
        if let Some((mean, second)) = self.exact() {
            all[0] = Real::Exact(mean.clone());
            all[1] = Real::Exact(second.clone());
        }
        all
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        let known = self.exact().map(|(mean, _)| mean.clone());
        known.ok_or_else(|| self.size())
    }

    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        self.exact().cloned().ok_or_else(|| self.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Blocks;

    /// Blocks of 3 flips start again in 2 of 8 cases, and a word has two bits. At the ends of words
    /// the depth within the block is 0, 2 or 1; the moments of this chain were computed by hand.
    #[test]
    fn exact_moments_are_within_the_sums() {
        for bits in [1u32, 2, 3, 5, 8, 64] {
            let blocks = |alive: &[u8], returns: &[(usize, u8)]| {
                let returns = returns.iter().map(|(t, r)| (*t, (*r).into())).collect();
                Law::from(Blocks::new(
                    2u8,
                    vec![],
                    alive.iter().map(|a| (*a).into()).collect(),
                    returns,
                ))
            };
            for flips in [
                blocks(&[1, 2, 4], &[(3, 2)]),
                blocks(&[1, 2, 2, 3], &[(2, 1), (4, 1)]),
                blocks(&[1], &[(1, 1)]),
            ] {
                let law = Arc::new(Words::new(flips.clone(), bits, false));
                let (mean, second) = law.exact().expect("a chain").clone();
                for (k, exact) in [(1, &mean), (2, &second)] {
                    let near = law.moment(k).enclose(60);
                    assert!(near.contains(exact) && near.is_within(60), "{bits} {k}");
                }
                if bits == 1 {
                    assert_eq!((mean, second), flips.0.exact_moments().unwrap());
                }
            }
        }
    }
}
