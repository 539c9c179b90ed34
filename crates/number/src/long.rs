//! Long integers: products by transforms in vectors (`super::transform`), quotients and shorter
//! products by dashu-int. num-bigint would be slower: the time of its products grows with a power
//! of the length above 1.4, and the time of its quotients with the square. Converting a number
//! between these libraries takes linear time.

use super::reduce::from_words;
use super::transform::{ProductKernel, ProductTerm};
use super::words::{ubig, words};
use super::{BigInt, BigUint};
use crate::budget::spend_on;
use dashu_int::UBig;
use dashu_int::ops::DivRem;
use num_bigint::Sign;
use num_integer::Integer;

/// Numbers with fewer bits are left to num-bigint.
pub(crate) const MIN_LONG_BITS: u64 = 1 << 12;

/// The absolute value.
pub(crate) fn magnitude(x: &BigInt) -> UBig {
    ubig(&x.iter_u64_digits().collect::<Vec<_>>())
}

/// Converts the number to num-bigint's type.
pub(crate) fn to_biguint(x: &UBig) -> BigUint {
    from_words(&words(x))
}

/// x y.
pub fn product(x: &BigInt, y: &BigInt) -> BigInt {
    spend_on(x.bits(), y.bits());
    if x.bits().min(y.bits()) <= 4 * MIN_LONG_BITS {
        return x * y;
    }
    let product = BigInt::from(match multiply_by_transforms(x, y) {
        Some(product) => product,
        None => to_biguint(&(magnitude(x) * magnitude(y))),
    });
    if x.sign() == y.sign() {
        product
    } else {
        -product
    }
}

/// x^k, by squaring from the high end of the exponent.
pub fn power(x: &BigInt, k: u32) -> BigInt {
    let mut power = BigInt::from(1);
    for bit in (0..32 - k.leading_zeros()).rev() {
        power = product(&power, &power);
        if k >> bit & 1 == 1 {
            power = product(&power, x);
        }
    }
    power
}

/// Factors of this many words are multiplied by transforms.
const TRANSFORM_WORDS: u64 = 300;

/// Products of this many words justify more threads.
const PARALLEL_WORDS: u64 = 20_000;

/// |x y|, if the factors are long enough and the processor has vectors.
fn multiply_by_transforms(x: &BigInt, y: &BigInt) -> Option<BigUint> {
    let least = x.bits().min(y.bits()) / 64;
    let path = ProductKernel::chosen()?;
    if least < TRANSFORM_WORDS || !ProductKernel::can_hold_sum(least as usize) {
        return None;
    }
    let words = [x, y].map(|x| x.iter_u64_digits().collect::<Vec<_>>());
    let square = x.magnitude() == y.magnitude();
    let operands = [&words[0][..], &words[1][..]];
    let term = ProductTerm {
        left: 0,
        right: usize::from(!square),
        minus: false,
    };
    let operands = &operands[..if square { 1 } else { 2 }];
    let shared = (x.bits() + y.bits()) / 64 > PARALLEL_WORDS;
    Some(from_words(&path.sums(operands, &[&[term]], shared)[0]))
}

/// floor(x / d) for d > 0.
pub fn div_floor(x: &BigInt, d: &BigInt) -> BigInt {
    spend_on(x.bits(), d.bits());
    if d.bits() <= MIN_LONG_BITS || x.bits() <= d.bits() + MIN_LONG_BITS {
        return x.div_floor(d);
    }
    let (quotient, rest) = magnitude(x).div_rem(magnitude(d));
    let quotient = to_biguint(&quotient);
    match x.sign() {
        Sign::Minus if rest != UBig::ZERO => -BigInt::from(quotient + 1u8),
        Sign::Minus => -BigInt::from(quotient),
        _ => quotient.into(),
    }
}

/// ceil(x / d) for d > 0.
pub fn div_ceil(x: &BigInt, d: &BigInt) -> BigInt {
    -div_floor(&-x, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results equal those of num-bigint, for all signs, also where the remainder of a division
    /// is 0.
    #[test]
    fn results_agree_with_num() {
        let three = |k: u32| BigInt::from(3).pow(k);
        for (x, d) in [
            (three(25_000) + 1, three(11_000)),
            (three(25_000), three(11_000)),
            (three(25_000) - 1, three(11_000) + 1),
        ] {
            assert!(d.bits() > 4 * MIN_LONG_BITS && x.bits() > d.bits() + MIN_LONG_BITS);
            for x in [x.clone(), -x] {
                assert_eq!(div_floor(&x, &d), x.div_floor(&d));
                assert_eq!(div_ceil(&x, &d), x.div_ceil(&d));
                assert_eq!(product(&x, &d), &x * &d);
                assert_eq!(product(&d, &-&x), &d * &-&x);
            }
        }
    }
}
