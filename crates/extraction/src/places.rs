//! Fractions of a fixed number of binary places in W machine words, for many cheap products.

use flipcost_number::BigUint;
use flipcost_number::reduce::from_words;

/// A number 0 <= x < 2^(64 W), words from the low end: x 2^-(64 W), or in any other unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedWords<const W: usize>(pub [u64; W]);

impl<const W: usize> FixedWords<W> {
    pub const ZERO: FixedWords<W> = FixedWords([0; W]);

    /// The lowest 64 W bits of a number.
    pub fn from_biguint(value: &BigUint) -> FixedWords<W> {
        let mut words = [0; W];
        words
            .iter_mut()
            .zip(value.iter_u64_digits())
            .for_each(|(word, digit)| *word = digit);
        FixedWords(words)
    }

    pub fn value(&self) -> BigUint {
        from_words(&self.0)
    }

    /// x + y modulo 2^(64 W).
    #[inline]
    pub fn plus(&self, other: &FixedWords<W>) -> FixedWords<W> {
        let (mut words, mut carry) = ([0; W], false);
        for (i, word) in words.iter_mut().enumerate() {
            let (sum, one) = self.0[i].overflowing_add(other.0[i]);
            let (sum, two) = sum.overflowing_add(carry.into());
            (*word, carry) = (sum, one || two);
        }
        FixedWords(words)
    }

    /// floor(x y / 2^(64 W)): the product with a fraction y of 1, rounded down. W^2 products of words.
    #[inline]
    pub fn times(&self, other: &FixedWords<W>) -> FixedWords<W> {
        if let ([a, b], [c, d]) = (&self.0[..], &other.0[..]) {
            // two words, the usual case, without a buffer
            let [a, b, c, d] = [a, b, c, d].map(|word| u128::from(*word));
            let (middle, other) = (b * c, a * d);
            let low = ((a * c) >> 64) + u128::from(middle as u64) + u128::from(other as u64);
            let high = b * d + (middle >> 64) + (other >> 64) + (low >> 64);
            let mut words = [0; W];
            (words[0], words[1]) = (high as u64, (high >> 64) as u64);
            return FixedWords(words);
        }
        let mut low = [0u64; W];
        let mut high = [0u64; W];
        for (i, &x) in self.0.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &y) in other.0.iter().enumerate() {
                let place = match i + j {
                    k if k < W => &mut low[k],
                    k => &mut high[k - W],
                };
                carry += u128::from(x) * u128::from(y) + u128::from(*place);
                *place = carry as u64;
                carry >>= 64;
            }
            high[i] = carry as u64;
        }
        FixedWords(high)
    }

    /// floor(x / k).
    pub fn over_word(&self, k: u64) -> FixedWords<W> {
        let (mut words, mut rest) = (self.0, 0u128);
        for word in words.iter_mut().rev() {
            let part = rest << 64 | u128::from(*word);
            *word = (part / u128::from(k)) as u64;
            rest = part % u128::from(k);
        }
        FixedWords(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize>(x: &[u64], y: &[u64], k: u64) {
        let of = |words: &[u64]| FixedWords::<W>(std::array::from_fn(|i| words[i]));
        let (x, y) = (of(x), of(y));
        let unit = BigUint::from(1u8) << (64 * W);
        assert_eq!(FixedWords::from_biguint(&x.value()), x);
        assert_eq!(x.plus(&y).value(), (x.value() + y.value()) % &unit);
        assert_eq!(x.times(&y).value(), (x.value() * y.value()) >> (64 * W));
        assert_eq!(x.over_word(k).value(), x.value() / k);
    }

    proptest! {
        #[test]
        fn as_integers(x in prop::collection::vec(any::<u64>(), 5), y in prop::collection::vec(any::<u64>(), 5), k in 1u64..) {
            check::<1>(&x, &y, k);
            check::<2>(&x, &y, k);
            check::<3>(&x, &y, k);
            check::<5>(&x, &y, k);
        }
    }

    #[test]
    fn the_largest_numbers() {
        let most = [u64::MAX; 5];
        check::<2>(&most, &most, u64::MAX);
        check::<4>(&most, &most, u64::MAX);
    }
}
