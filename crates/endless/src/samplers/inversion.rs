//! Inversion for the geometric law (Devroye 1986): X = ceil(ln U / ln(1 - p)), where the bits of U
//! are drawn until they determine X.
//!
//! With q = 1 - p and V = 1 - U, X is k if V lies between 1 - q^(k-1) and b_k = 1 - q^k. After t
//! bits V lies in an interval of length 2^-t. X is undecided if a breakpoint b_k lies inside this
//! interval and not at an end. The breakpoints tend to 1, so the last interval is always undecided.
//! Any other undecided interval has a greatest breakpoint b_k inside: this b_k has more than t
//! digits, and its first t digits are not all equal to those of b_(k+1). Let L_k be the number of
//! digits of b_k (m k if the denominator of q is 2^m, otherwise infinite), and c_k the number of
//! equal digits before b_k and b_(k+1) first differ. So the number of undecided intervals is 1,
//! plus 1 for each k with c_k < t < L_k. The expected flips are the sum over t of 2^-t times the
//! number of undecided intervals:
//!
//! 2 + the sum over k of max(0, 2^-c_k - 2^(1 - L_k)).
//!
//! A multiple of 2^-(c_k + 1) lies above b_k and not above b_(k+1), and no multiple of 2^-c_k does.
//! So 2^-c_k is twice the largest power of 2 that has a multiple x with q^(k+1) <= x < q^k. As this
//! power is below q^k, the rest of the sum from k on is below 2 q^k / p.

use super::sampler::{
    DrawSampler, INVERSION, needs_rejection, rational_enclosure, rational_from_integer,
};
use crate::law::real_from_enclosures;
use flipcost_number::budget::spend;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_traits::{One, Zero};

/// Returns twice the largest power of 2 that divides some number in first..=last, for first >= 1; 0
/// if the range is empty.
fn twice_largest_dividing_power(first: &BigInt, last: &BigInt) -> BigInt {
    if first > last {
        BigInt::zero()
    } else {
        let apart: BigInt = (first - 1u8) ^ last;
        BigInt::one() << apart.bits()
    }
}

/// Encloses the expected flips. The sum ends as soon as q^k is at most 2/p units; q^k is rounded
/// up, and still becomes that small.
fn enclose_flips(p: &Rational, bits: u64) -> Enclosure {
    let (one, two) = (BigInt::one(), rational_from_integer(2));
    let q = Rational::one() - p;
    let digits = (!needs_rejection(&q)).then(|| q.denom().bits() - 1);
    let (mut flips, step) = (rational_enclosure(&two, bits), rational_enclosure(&q, bits));
    let small = (two / p).ceil().to_integer();
    let mut power = step.clone();
    for k in 1.. {
        spend(bits / 16 + 1);
        if power.high <= small {
            flips.high += &power.high * &small;
            break;
        }
        let next = power.times(&step);
        // If the largest power of 2 is below one unit, twice this power is at most one unit.
        let low = twice_largest_dividing_power(&next.high, &(&power.low - 1));
        let from = next.low.clone().max(one.clone());
        let high = twice_largest_dividing_power(&from, &(&power.high - 1)).max(one.clone());
        // 2^(1 - L_k), rounded down and rounded up
        let (down, up) = match digits.map(|m| (bits + 1).checked_sub(k * m)) {
            None => (BigInt::zero(), BigInt::zero()),
            Some(None) => (BigInt::zero(), one.clone()),
            Some(Some(shift)) => (&one << shift, &one << shift),
        };
        flips.low += (low - up).max(BigInt::zero());
        flips.high += (high - down).max(BigInt::zero());
        power = next;
    }
    flips
}

/// Returns the sampler for success probability p. If q is 1/2^m, all m k digits of b_k are 1.
pub(super) fn geometric_sampler(p: &Rational) -> DrawSampler {
    let (p, q) = (p.clone(), Rational::one() - p);
    let expected = if q.numer().is_one() && !needs_rejection(&q) {
        Real::integer(2)
    } else {
        real_from_enclosures(move |bits| enclose_flips(&p, bits))
    };
    DrawSampler::new(&INVERSION, expected)
}
