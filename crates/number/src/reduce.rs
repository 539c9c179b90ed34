//! Reduces fractions to lowest terms. Most of the time for computing exact costs is spent on
//! greatest common divisors.
//!
//! The public integers are those of num-bigint, whose binary gcd (Stein's) is quadratic with a
//! large constant: 3.6 s for two numbers of 10^6 bits. The gcd in `gcd.rs` takes about a fortieth
//! of that, and converting both numbers word by word takes linear time. So this module uses
//! `gcd.rs`. For a coin's denominators, whose factors are known, see `src/roller/cyclotomic.rs` of
//! the root package.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::gcd;
use crate::budget::spend_on;

/// Creates the number with these words, given from the low end.
pub fn from_words(words: &[u64]) -> BigUint {
    let mut halves = Vec::with_capacity(2 * words.len());
    for &word in words {
        halves.extend_from_slice(&[word as u32, (word >> 32) as u32]);
    }
    BigUint::new(halves)
}

/// Returns the greatest common divisor; gcd(0, x) = x. See `gcd.rs` for the cost. For numbers of up
/// to two words, num-integer computes it.
pub fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    if a.is_zero() {
        return b.clone();
    }
    if b.is_zero() {
        return a.clone();
    }
    if let (Some(a), Some(b)) = (a.to_u128(), b.to_u128()) {
        return num_integer::gcd(a, b).into();
    }
    from_words(&gcd::gcd(
        a.iter_u64_digits().collect(),
        b.iter_u64_digits().collect(),
    ))
}

/// Reduces a fraction to lowest terms, with a positive denominator. Cost: one gcd and, if it is not
/// 1, two divisions.
///
/// # Panics
/// If the denominator is 0.
pub fn reduce(numerator: &BigUint, denominator: &BigUint) -> BigRational {
    assert!(
        !denominator.is_zero(),
        "a fraction has a denominator other than 0"
    );
    let g = gcd(numerator, denominator);
    let (n, d) = if g.is_one() {
        (numerator.clone(), denominator.clone())
    } else {
        (numerator / &g, denominator / &g)
    };
    BigRational::new_raw(BigInt::from(n), BigInt::from(d))
}

/// Reduces n/d, d > 0, to lowest terms, as [`reduce`] does.
pub fn lowest(n: BigInt, d: &BigInt) -> BigRational {
    let (sign, size) = n.into_parts();
    let reduced = reduce(&size, d.magnitude());
    match sign {
        Sign::Minus => -reduced,
        _ => reduced,
    }
}

/// a b in lowest terms.
pub fn times(a: &BigRational, b: &BigRational) -> BigRational {
    spend_on(a.denom().bits(), b.denom().bits());
    lowest(a.numer() * b.numer(), &(a.denom() * b.denom()))
}

/// a + b in lowest terms.
pub fn plus(a: &BigRational, b: &BigRational) -> BigRational {
    if a.denom() == b.denom() {
        lowest(a.numer() + b.numer(), a.denom())
    } else {
        lowest(
            a.numer() * b.denom() + b.numer() * a.denom(),
            &(a.denom() * b.denom()),
        )
    }
}

/// a - b in lowest terms.
pub fn minus(a: &BigRational, b: &BigRational) -> BigRational {
    plus(a, &-b)
}

/// a / b in lowest terms, b > 0.
pub fn over(a: &BigRational, b: &BigRational) -> BigRational {
    lowest(a.numer() * b.denom(), &(a.denom() * b.numer()))
}

/// Adds fractions that need not be reduced; the sum is in lowest terms. Method: the two halves of
/// the list are added separately, over the least common multiple of their denominators, and only
/// the sum is reduced.
pub fn sum(terms: &[BigRational]) -> BigRational {
    let (n, d) = sum_over_common_denominator(terms).into_raw();
    lowest(n, &d)
}

fn sum_over_common_denominator(terms: &[BigRational]) -> BigRational {
    match terms {
        [] => BigRational::zero(),
        [one] => one.clone(),
        _ => {
            let (a, b) = terms.split_at(terms.len() / 2);
            let (a, b) = (
                sum_over_common_denominator(a),
                sum_over_common_denominator(b),
            );
            if a.denom() == b.denom() {
                return BigRational::new_raw(a.numer() + b.numer(), a.denom().clone());
            }
            let common = BigInt::from(gcd(a.denom().magnitude(), b.denom().magnitude()));
            let (p, q) = (a.denom() / &common, b.denom() / &common);
            BigRational::new_raw(a.numer() * q + b.numer() * &p, p * b.denom())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_integer::Integer;
    use proptest::prelude::*;

    #[test]
    fn zero_and_one_are_reduced() {
        let (zero, one) = (BigUint::zero(), BigUint::one());
        assert_eq!(gcd(&zero, &one), one);
        assert_eq!(gcd(&zero, &zero), zero);
        assert_eq!(reduce(&zero, &BigUint::from(7u32)), BigRational::zero());
        assert_eq!(*reduce(&zero, &BigUint::from(7u32)).denom(), BigInt::one());
    }

    proptest! {
        #[test]
        fn reduced_fractions_agree_with_num(a: Vec<u32>, b: Vec<u32>, common in proptest::collection::vec(0u32.., 1..20)) {
            let common = BigUint::new(common) + 1u32;
            let (a, b) = (BigUint::new(a) * &common, (BigUint::new(b) + 1u32) * &common);
            prop_assert_eq!(gcd(&a, &b), Integer::gcd(&a, &b));
            prop_assert_eq!(reduce(&a, &b), BigRational::new(a.into(), b.into()));
        }

        #[test]
        fn sums_agree_with_num(terms: Vec<(i64, u32)>) {
            let raw = |&(n, d): &(i64, u32)| BigRational::new_raw(n.into(), (u64::from(d) + 1).into());
            let raw: Vec<BigRational> = terms.iter().map(raw).collect();
            prop_assert_eq!(sum(&raw), raw.iter().map(BigRational::reduced).sum::<BigRational>());
        }
    }
}
