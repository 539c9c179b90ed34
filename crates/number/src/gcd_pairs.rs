//! Computes the greatest common divisors of many pairs of numbers, eight pairs at a time.
//!
//! As in [`super::gcd`], leading bits determine quotients, which are collected in matrices. Each
//! quotient depends on the one before, so with a single pair a processor would mostly wait.
//! Therefore the quotients of eight pairs are computed together, in doubles: x86-64 and aarch64
//! process vectors of at least two doubles.
//!
//! **In doubles.** For integers x and y below 2^52, q is the integer nearest to the double x / y,
//! found by adding a constant so large that no bits after the point remain. Then q y and x - q y
//! are exact, and x - q y is at most y / 2 in size, apart from the rounding of x / y. Nearest
//! quotients are fewer than Euclid's (by the factor log2 of the golden ratio, 0.694, on average),
//! and no step compares the numbers: x and y are reduced alternately, each by a multiple of the
//! other, unless too few bits would be left to determine the next quotient. A pair is done when
//! neither number is reduced.
//!
//! **Sizes.** Let row (a, b) of the matrix give the remainder r, and the row before it, (a', b'),
//! the remainder r'. Then r' a - r a' = +-y, so |a| <= y / |r'| + |a'| / 2: with r' >= 2^26,
//! entries are at most 2^27, and entries of the product of two matrices are below 2^56.
//!
//! All quotients are integers, so the determinant is +-1. The result is correct for every such
//! matrix.
//!
//! **Proof obligation of the `unsafe`.** Code compiled for AVX2 is called only if the processor has
//! it.
#![allow(unsafe_code)]

use super::gcd::{Matrix, gcd, is_less, remainder, trim_zeros};
use super::transform::ProductKernel;
use crate::budget::spend;

/// Two numbers, words from the low end.
pub type Pair = (Vec<u64>, Vec<u64>);

/// The number of pairs that are processed together.
const LANES: usize = 8;

/// The number of leading bits that determine quotients.
const LEADING_BITS: u32 = 52;

/// A pair gets no further quotient when only this many leading bits are left.
const MIN_REMAINDER_BITS: u32 = 26;

/// Replaces the first number of each pair by the greatest common divisor of the pair. Cost: for
/// each pair the same as [`gcd`], which is faster for long numbers.
pub fn gcds(pairs: &mut [Pair]) {
    for pair in &mut *pairs {
        trim_zeros(&mut pair.0);
        trim_zeros(&mut pair.1);
    }
    let mut next = LANES.min(pairs.len());
    let mut at: [usize; LANES] = std::array::from_fn(|lane| lane);
    let mut tops = [(0, 0); LANES];
    // Zipped iterators would compile to a call that is not inlined.
    loop {
        let mut any = false;
        for lane in 0..LANES {
            tops[lane] = (0, 0);
            while at[lane] < pairs.len() {
                if let Some(top) = top_bits(&mut pairs[at[lane]]) {
                    (tops[lane], any) = (top, true);
                    break;
                }
                (at[lane], next) = (next, next + 1);
            }
        }
        if !any {
            return;
        }
        let matrices = guess_quotients(&tops);
        for lane in 0..LANES {
            if tops[lane] == (0, 0) {
                continue;
            }
            let (x, y) = &mut pairs[at[lane]];
            spend(x.len() as u64);
            match matrices[lane] {
                matrix if matrix.is_identity() => *x = remainder(x, y),
                matrix => _ = matrix.apply(x, y),
            }
        }
    }
}

/// Returns the top 128 bits of two numbers of similar length, the larger first; `None` if the
/// divisor was already found.
fn top_bits((x, y): &mut Pair) -> Option<(u128, u128)> {
    loop {
        if is_less(x, y) {
            std::mem::swap(x, y);
        }
        if y.is_empty() || x.len() <= 2 {
            *x = gcd(std::mem::take(x), std::mem::take(y));
            return None;
        }
        if x.len() - y.len() <= 1 {
            break;
        }
        *x = remainder(x, y);
    }
    let length = x.len();
    let shift = x[length - 1].leading_zeros();
    let top = |z: &[u64]| {
        let word = |i: usize| u128::from(z.get(i).copied().unwrap_or(0));
        let two = word(length - 1) << 64 | word(length - 2);
        // Append the bits of the next word.
        two << shift | (word(length - 3) << shift) >> 64
    };
    Some((top(x), top(y)))
}

/// Several steps of Euclid: x' = a x + b y, y' = c x + d y, of determinant 1 or -1.
#[derive(Clone, Copy)]
struct WordMatrix {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
}

impl WordMatrix {
    const IDENTITY: WordMatrix = WordMatrix {
        a: 1,
        b: 0,
        c: 0,
        d: 1,
    };

    /// Composes two matrices: first `self`, then `next`.
    fn then(self, next: WordMatrix) -> WordMatrix {
        WordMatrix {
            a: next.a * self.a + next.b * self.c,
            b: next.a * self.b + next.b * self.d,
            c: next.c * self.a + next.d * self.c,
            d: next.c * self.b + next.d * self.d,
        }
    }

    /// Replaces both numbers by their absolute values and negates the rows of the matrix
    /// accordingly. The numbers are given modulo 2^128; their absolute values are below 2^127.
    fn make_absolute(self, (x, y): (u128, u128)) -> (WordMatrix, (u128, u128)) {
        let combined = |a: i64, b: i64| {
            let product = |factor: i64, z: u128| (factor as i128 as u128).wrapping_mul(z);
            let value = product(a, x).wrapping_add(product(b, y)) as i128;
            let sign = if value < 0 { -1 } else { 1 };
            (sign * a, sign * b, value.unsigned_abs())
        };
        let (a, b, x) = combined(self.a, self.b);
        let (c, d, y) = combined(self.c, self.d);
        (WordMatrix { a, b, c, d }, (x, y))
    }

    /// Converts the matrix to differences a x - b y, if the results have these signs; `None` if a
    /// row is not a difference, which a wrong guess could cause.
    fn as_differences(self, minus: [bool; 2]) -> Option<Matrix> {
        let WordMatrix { a, b, c, d } = self;
        let opposite = |p: i64, q: i64| p == 0 || q == 0 || (p < 0) != (q < 0);
        (opposite(a, b) && opposite(c, d)).then(|| Matrix {
            a: a.unsigned_abs(),
            b: b.unsigned_abs(),
            c: c.unsigned_abs(),
            d: d.unsigned_abs(),
            minus: [(a < 0 || b > 0) ^ minus[0], (d < 0 || c > 0) ^ minus[1]],
        })
    }
}

/// For each lane, collects the quotients that the top bits of x and y determine; returns the
/// identity if there are none, for example for 0 and 0.
fn guess_quotients(tops: &[(u128, u128); LANES]) -> [Matrix; LANES] {
    let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        (x[lane], y[lane]) = leading_bits(tops[lane]);
    }
    let mut first = guess_half_quotients(&mut x, &mut y);
    for lane in 0..LANES {
        let rest;
        (first[lane], rest) = first[lane].make_absolute(tops[lane]);
        (x[lane], y[lane]) = leading_bits(rest);
    }
    let second = guess_half_quotients(&mut x, &mut y);
    let mut matrices = [Matrix::IDENTITY; LANES];
    for lane in 0..LANES {
        let both = first[lane]
            .then(second[lane])
            .as_differences([x[lane] < 0.0, y[lane] < 0.0]);
        let either = both.or_else(|| first[lane].as_differences([false; 2]));
        matrices[lane] = either.unwrap_or(Matrix::IDENTITY);
    }
    matrices
}

/// Returns the leading bits of both numbers, or 0 and 0 if quotients may be too large for doubles.
fn leading_bits((x, y): (u128, u128)) -> (f64, f64) {
    let shift = (x | y).leading_zeros() % u128::BITS; // 0 stays 0
    let top = |z: u128| ((z << shift >> 64) as u64) >> (u64::BITS - LEADING_BITS);
    let (x, y) = (top(x), top(y));
    match x.min(y) >> MIN_REMAINDER_BITS {
        0 => (0.0, 0.0),
        _ => (x as i64 as f64, y as i64 as f64),
    }
}

/// For each lane, the quotients that the leading bits of x and y determine.
fn guess_half_quotients(x: &mut Lanes, y: &mut Lanes) -> [WordMatrix; LANES] {
    match ProductKernel::chosen() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has AVX2.
        Some(_) if is_x86_feature_detected!("avx2") => unsafe {
            guess_half_quotients_by_avx2(x, y)
        },
        _ => guess_half_quotients_in_lanes(x, y),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn guess_half_quotients_by_avx2(x: &mut Lanes, y: &mut Lanes) -> [WordMatrix; LANES] {
    guess_half_quotients_in_lanes(x, y)
}

#[inline(always)]
fn guess_half_quotients_in_lanes(x: &mut Lanes, y: &mut Lanes) -> [WordMatrix; LANES] {
    let (mut a, mut b) = ([1.0; LANES], [0.0; LANES]);
    let (mut c, mut d) = ([0.0; LANES], [1.0; LANES]);
    while subtract_multiples(x, y, [(&mut a, &c), (&mut b, &d)])
        | subtract_multiples(y, x, [(&mut c, &a), (&mut d, &b)])
    {}
    let mut rows = [WordMatrix::IDENTITY; LANES];
    // The sum holds the integer, whose absolute value is below 2^51, in its low bits.
    let integer = |z: f64| {
        ((z + ROUNDING_OFFSET).to_bits() as i64).wrapping_sub(ROUNDING_OFFSET.to_bits() as i64)
    };
    for lane in 0..LANES {
        rows[lane] = WordMatrix {
            a: integer(a[lane]),
            b: integer(b[lane]),
            c: integer(c[lane]),
            d: integer(d[lane]),
        };
    }
    rows
}

/// Adding this to a number whose absolute value is below 2^51 rounds the number to the nearest
/// integer.
const ROUNDING_OFFSET: f64 = (3u64 << 51) as f64;

type Lanes = [f64; LANES];

/// Subtracts from each x the nearest multiple of y, and from each top entry the same multiple of
/// the bottom entry, except in lanes where too little of x would be left. Returns whether any lane
/// changed.
#[inline(always)]
fn subtract_multiples(x: &mut Lanes, y: &Lanes, columns: [(&mut Lanes, &Lanes); 2]) -> bool {
    const MIN_REMAINDER: f64 = (1u64 << MIN_REMAINDER_BITS) as f64;
    let mut quotients = [0.0; LANES];
    let mut any = 0;
    for lane in 0..LANES {
        let quotient = x[lane] / y[lane] + ROUNDING_OFFSET - ROUNDING_OFFSET;
        let rest = x[lane] - quotient * y[lane];
        // A mask instead of a branch, so that the loop can be vectorized; 0 / 0 gives NaN, which
        // counts as too small.
        let goes = u64::from(rest.abs() >= MIN_REMAINDER).wrapping_neg();
        quotients[lane] = f64::from_bits(quotient.to_bits() & goes);
        x[lane] = f64::from_bits(rest.to_bits() & goes | x[lane].to_bits() & !goes);
        any |= quotients[lane].to_bits();
    }
    for (top, bottom) in columns {
        for lane in 0..LANES {
            top[lane] -= quotients[lane] * bottom[lane];
        }
    }
    any != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use num_integer::Integer;
    use proptest::prelude::*;

    fn words(x: &BigUint) -> Vec<u64> {
        x.iter_u64_digits().collect()
    }

    proptest! {
        /// Pairs that are processed together may have very different lengths.
        #[test]
        fn gcds_agree_with_num(
            given in proptest::collection::vec(
                (
                    proptest::collection::vec(0u32.., 0..200),
                    proptest::collection::vec(0u32.., 0..200),
                    proptest::collection::vec(0u32.., 0..20),
                    0u32..200,
                ),
                0..20,
            ),
        ) {
            let numbers: Vec<(BigUint, BigUint)> = given
                .into_iter()
                .map(|(x, y, common, zeros)| {
                    let common = (BigUint::new(common) + 1u32) << zeros;
                    (BigUint::new(x) * &common, BigUint::new(y) * &common)
                })
                .collect();
            let mut pairs: Vec<Pair> = numbers.iter().map(|(x, y)| (words(x), words(y))).collect();
            gcds(&mut pairs);
            for ((x, y), pair) in numbers.iter().zip(pairs) {
                prop_assert_eq!(pair.0, words(&x.gcd(y)));
            }
        }
    }

    proptest! {
        /// The code with vectors of 256 bits finds the same quotients as the code without them.
        #[test]
        fn avx2_and_plain_code_agree(bits in prop::array::uniform8(0u32..52), given in prop::array::uniform16(any::<u64>())) {
            let lane = |i: usize| (given[i] >> 12 >> bits[i % LANES]) as i64 as f64;
            let (x, y): (Lanes, Lanes) = (std::array::from_fn(lane), std::array::from_fn(|i| lane(i + LANES)));
            let found = |by: &dyn Fn(&mut Lanes, &mut Lanes) -> [WordMatrix; LANES]| {
                let (mut x, mut y) = (x, y);
                let rows = by(&mut x, &mut y).map(|rows| [rows.a, rows.b, rows.c, rows.d]);
                (rows, x, y)
            };
            prop_assert_eq!(found(&guess_half_quotients), found(&guess_half_quotients_in_lanes));
        }
    }

    /// Hard cases: long runs of quotients of 1, as for neighbouring Fibonacci numbers, quotients of
    /// many words, halves where the nearest integer is not unique, and equal numbers.
    #[test]
    fn gcds_with_hard_quotients() {
        let one = BigUint::from(1u32);
        let mut numbers = vec![one.clone(), one.clone()];
        for i in 2..1200 {
            numbers.push(&numbers[i - 1] + &numbers[i - 2]);
        }
        let mut given = Vec::new();
        for (i, j) in [
            (1199, 1198),
            (1000, 999),
            (1199, 599),
            (1199, 1199),
            (800, 3),
        ] {
            given.push((numbers[i].clone(), numbers[j].clone()));
        }
        for k in [1u32, 51, 52, 63, 64, 65, 127, 128, 129, 500] {
            let power = &one << (640 + k);
            given.push((&power - 1u32, (&one << 640u32) + 1u32));
            given.push((&power * 3u32, power.clone()));
            given.push(((&power + 1u32) * 5u32, (&power + 1u32) * 2u32));
            given.push((power.clone(), &power >> k));
        }
        let mut pairs: Vec<Pair> = given.iter().map(|(x, y)| (words(x), words(y))).collect();
        gcds(&mut pairs);
        for ((x, y), pair) in given.iter().zip(pairs) {
            assert_eq!(pair.0, words(&x.gcd(y)));
        }
    }
}
