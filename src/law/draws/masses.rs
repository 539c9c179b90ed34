//! Lists of probabilities as integers, rounded down, and their convolutions.
//!
//! Every probability is stored as a lower bound, in a common unit. Rounding down and dropping the
//! ends of a list lose mass; how much is known from the sums. All terms are nonnegative, so no
//! digits cancel. Two lists are multiplied as two integers whose digits are the terms (Kronecker
//! 1882); dashu-int multiplies these by number-theoretic transforms.

use flipcost_number::BigUint;
use flipcost_number::budget::reserve;
use flipcost_number::budget::spend;
use flipcost_number::budget::spend_on;
use flipcost_number::reduce::from_words;
use flipcost_number::words::ubig;
use flipcost_number::words::words;
use num_traits::Zero;

/// The terms of a list from place `first` on, in units of 2^exponent.
#[derive(Clone)]
pub(super) struct Masses {
    pub first: u64,
    pub terms: Vec<BigUint>,
    pub exponent: i128,
}

/// The precision of the result, and the terms that may be dropped.
#[derive(Clone, Copy)]
pub(super) struct Truncation {
    /// The number of bits that the sum of the terms keeps.
    pub bits: u64,
    /// Terms at both ends are dropped while their sum is below 2^cut units.
    pub cut: u64,
    /// If given, places are taken modulo this number.
    pub modulo: Option<u64>,
}

/// The memory in bytes for each word of a product of lists, for the factors, the transforms and the
/// terms together.
const PRODUCT_BYTES: u64 = 56;

impl Masses {
    pub fn sum(&self) -> BigUint {
        self.terms.iter().sum()
    }

    /// Reduces the places, rounds down and drops the ends, as `keep` says.
    fn reduced(mut self, keep: Truncation) -> Masses {
        if let Some(modulo) = keep.modulo {
            let (first, places) = (self.first % modulo, modulo as usize);
            self.first = first;
            if self.terms.len() > places {
                let mut folded = vec![BigUint::zero(); places];
                for (i, term) in self.terms.into_iter().enumerate() {
                    folded[(first as usize + i) % places] += term;
                }
                (self.first, self.terms) = (0, folded);
            }
        }
        let more = self.sum().bits().saturating_sub(keep.bits);
        if more > 0 {
            self.terms.iter_mut().for_each(|term| *term >>= more);
            self.exponent += i128::from(more);
        }
        let most = BigUint::from(1u8) << keep.cut;
        let cut = |terms: &mut dyn Iterator<Item = &BigUint>| {
            let mut lost = BigUint::zero();
            let small = terms.take_while(|term| {
                lost += *term;
                lost < most
            });
            small.count()
        };
        let (low, high) = (
            cut(&mut self.terms.iter()),
            cut(&mut self.terms.iter().rev()),
        );
        if low + high < self.terms.len() {
            self.terms.truncate(self.terms.len() - high);
            self.terms.drain(..low);
            self.first += low as u64;
        }
        self
    }

    /// Packs all terms into one number, as digits of `width` words.
    fn pack_digits(&self, width: usize) -> Vec<u64> {
        let mut all = vec![0; self.terms.len() * width];
        for (term, place) in self.terms.iter().zip(all.chunks_mut(width)) {
            for (word, to) in term.iter_u64_digits().zip(place) {
                *to = word;
            }
        }
        all
    }

    /// Returns the law of the sum of two independent numbers. The same list may be passed twice.
    pub fn times(&self, other: &Masses, keep: Truncation) -> Masses {
        let longest = |of: &Masses| of.terms.iter().map(BigUint::bits).max().unwrap_or(0);
        let fewer = self.terms.len().min(other.terms.len());
        let width = longest(self) + longest(other) + u64::from(usize::BITS - fewer.leading_zeros());
        let width = width.div_ceil(64).max(1) as usize;
        let digits = (self.terms.len() + other.terms.len()).saturating_mul(width);
        reserve((digits as u64).saturating_mul(PRODUCT_BYTES));
        let one = ubig(&self.pack_digits(width));
        let product = if std::ptr::eq(self, other) {
            one.sqr()
        } else {
            one * ubig(&other.pack_digits(width))
        };
        let bits = |of: &Masses| of.terms.len() as u64 * width as u64 * 64;
        spend_on(bits(self), bits(other));
        let mut terms: Vec<BigUint> = words(&product).chunks(width).map(from_words).collect();
        spend(terms.len() as u64 * 20);
        terms.resize(self.terms.len() + other.terms.len() - 1, BigUint::zero());
        let product = Masses {
            first: self.first + other.first,
            terms,
            exponent: self.exponent + other.exponent,
        };
        product.reduced(keep)
    }

    /// The law of the sum of `times` independent numbers with the same law; `times` is at least 1.
    pub fn power(self, times: u64, keep: Truncation) -> Masses {
        let base = self.reduced(keep);
        let mut power = base.clone();
        for bit in (0..times.ilog2()).rev() {
            power = power.times(&power, keep);
            if times >> bit & 1 == 1 {
                power = power.times(&base, keep);
            }
        }
        power
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_integer::binomial;
    use proptest::prelude::*;

    fn masses_of(first: u64, terms: &[u64]) -> Masses {
        Masses {
            first,
            terms: terms.iter().map(|&term| term.into()).collect(),
            exponent: 0,
        }
    }

    const ALL: Truncation = Truncation {
        bits: 1 << 20,
        cut: 0,
        modulo: None,
    };

    /// The coefficients of (1 + z)^n are the binomial coefficients.
    #[test]
    fn powers_of_a_sum() {
        for n in 1u64..40 {
            let power = masses_of(0, &[1, 1]).power(n, ALL);
            let wanted = (0..=n).map(|k| BigUint::from(binomial(n, k)));
            assert!(power.terms.into_iter().eq(wanted), "n = {n}");
        }
    }

    proptest! {
        /// Compares the result with the sum of products, term by term. If places are taken modulo a
        /// number, the list keeps its whole mass. If terms are rounded, they are lower bounds that
        /// lose at most one unit each, except for the dropped ends.
        #[test]
        fn a_convolution_is_the_sum_of_products(
            (i, a) in (0u64..9, prop::collection::vec(0u64..u64::MAX, 1..20)),
            (j, b) in (0u64..9, prop::collection::vec(0u64..1000, 1..20)),
            modulo in 1u64..30, bits in 8u64..70,
        ) {
            prop_assume!(a.iter().any(|x| *x > 0) && b.iter().any(|x| *x > 0));
            let mut wanted = vec![BigUint::zero(); a.len() + b.len() - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    wanted[i + j] += BigUint::from(*x) * *y;
                }
            }
            let (a, b) = (masses_of(i, &a), masses_of(j, &b));
            let at = |of: &Masses, place: u64| {
                let index = place.checked_sub(of.first).map(|i| i as usize);
                index.and_then(|i| of.terms.get(i).cloned()).unwrap_or_default()
            };
            let product = a.times(&b, ALL);
            for (place, term) in (i + j..).zip(&wanted) {
                prop_assert_eq!(&at(&product, place), term);
            }
            let folded = a.times(&b, Truncation { modulo: Some(modulo), ..ALL });
            prop_assert_eq!(folded.sum(), product.sum());
            let cut = 3;
            let rounded = a.times(&b, Truncation { bits, cut, modulo: None });
            prop_assert!(rounded.sum().bits() <= bits);
            let back = rounded.sum() << rounded.exponent as u64;
            prop_assert!(back <= product.sum());
            let lost = BigUint::from(wanted.len() as u64 + (2 << cut)) << rounded.exponent as u64;
            prop_assert!(back + lost >= product.sum());
        }
    }
}
