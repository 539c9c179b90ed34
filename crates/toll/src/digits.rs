//! The toll of a single probability x, from its binary digits, and a bound on it.
//!
//! An outcome of probability x costs nu(x) flips in the optimal tree, where nu(x) is the sum of j /
//! 2^j over the digits 1 of x = 0.b_1 b_2 ..., and contributes x log2(1/x) to the entropy. Relative
//! to x the difference is
//!
//! ```text
//! (nu(x) - x log2(1/x)) / x  <=  2 - (1-x) (f - 2 + 1/ln 2),   f = -floor(log2(1-x)),  1/2 <= x < 1
//! ```
//!
//! by Draper & Saad 2025 (arXiv 2504.04267). They use this bound to prove that a tree of twice the
//! least depth has a toll below 2.

use flipcost_number::constant::Constant;
use flipcost_number::{BigInt, Rational, Real};

/// The relative toll of x = j / 2^depth.
pub fn relative_toll(j: u64, depth: u32) -> Real {
    let bits = (0..=depth).filter(|bit| j >> bit & 1 == 1);
    let digits: u64 = bits.map(|bit| u64::from(depth - bit) << bit).sum();
    let cost = Real::Exact(Rational::new(digits.into(), j.into()));
    &(&cost + &Real::log(j, 2)) - &Real::integer(depth)
}

/// The upper bound of the relative toll of x = j / 2^depth, 1/2 <= x < 1.
pub fn bound(j: u64, depth: u32) -> Real {
    let left = (1u64 << depth) - j; // the numerator of 1 - x
    let f = depth - left.ilog2();
    let slope = Constant::real("log2(e)").expect("a constant") + Real::integer(i64::from(f) - 2);
    let left = Rational::new(left.into(), BigInt::from(1u64 << depth));
    &Real::integer(2) - &(&Real::Exact(left) * &slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For x = 3/4: nu = 1/2 + 2/4 = 1, so the relative toll is 4/3 + log2(3/4); f = 2, so the
    /// bound is 2 - (1/4) / ln 2.
    #[test]
    fn the_toll_of_three_quarters_by_hand() {
        assert_eq!(relative_toll(3, 2).decimals(9).unwrap(), "0.918295834");
        assert_eq!(relative_toll(12, 4).decimals(9).unwrap(), "0.918295834");
        assert_eq!(bound(3, 2).decimals(9).unwrap(), "1.639326240");
        assert_eq!(relative_toll(1, 1), Rational::from_integer(0.into()));
    }
}
