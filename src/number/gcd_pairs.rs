//! Greatest common divisors of many pairs of numbers, two pairs at a time.
//!
//! As in [`super::gcd`], by matrices of the quotients that leading words decide. Each quotient waits for
//! the one before, and a processor does little meanwhile: with the quotients of another pair in turns both
//! take two thirds of the time.
//!
//! The entries of a matrix of half words are below 2^30, so that a row of two is one word, and a quotient
//! changes it by one product.

use super::gcd::{KEPT, Matrix, divide, gcd, less, remainder, trim};
use crate::budget::spend;

/// Two numbers, words from the low end.
pub(crate) type Pair = (Vec<u64>, Vec<u64>);

/// Pairs that are worked on together.
const LANES: usize = 2;

/// Puts the greatest common divisor of each pair in place of its first number. Cost: for each pair as
/// [`gcd`], which long pairs should be given to.
pub(crate) fn gcds(pairs: &mut [Pair]) {
    for pair in &mut *pairs {
        trim(&mut pair.0);
        trim(&mut pair.1);
    }
    let mut next = LANES.min(pairs.len());
    let mut at: [usize; LANES] = std::array::from_fn(|lane| lane);
    let mut tops = [(0, 0); LANES];
    // by places: an iterator of two lists is a call that is not inlined
    loop {
        let mut any = false;
        for lane in 0..LANES {
            tops[lane] = (0, 0);
            while at[lane] < pairs.len() {
                if let Some(top) = prepared(&mut pairs[at[lane]]) {
                    (tops[lane], any) = (top, true);
                    break;
                }
                (at[lane], next) = (next, next + 1);
            }
        }
        if !any {
            return;
        }
        let matrices = guesses(&tops);
        for lane in 0..LANES {
            if tops[lane] == (0, 0) {
                continue;
            }
            let (x, y) = &mut pairs[at[lane]];
            spend(x.len() as u64);
            match matrices[lane] {
                Matrix::IDENTITY => *x = remainder(x, y),
                matrix => _ = matrix.apply(x, y),
            }
        }
    }
}

/// The top 128 bits of a pair of about as many words, the larger first; `None` where its divisor was found.
fn prepared((x, y): &mut Pair) -> Option<(u128, u128)> {
    loop {
        if less(x, y) {
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
        // the part that is shifted in
        two << shift | (word(length - 3) << shift) >> 64
    };
    Some((top(x), top(y)))
}

/// For each lane the quotients that x and y decide; none where they decide none, as of 0 and 0.
fn guesses(tops: &[(u128, u128); LANES]) -> [Matrix; LANES] {
    let mut halves = [(0, 0); LANES];
    for lane in 0..LANES {
        let (x, y) = tops[lane];
        halves[lane] = ((x >> 64) as u64, (y >> 64) as u64);
    }
    let first = half_guesses(halves);
    for lane in 0..LANES {
        halves[lane] = (0, 0);
        let ((x, y), (matrix, odd)) = (tops[lane], first[lane]);
        if matrix == Matrix::IDENTITY {
            continue;
        }
        // Exact modulo 2^128, and small; a sign that is not the parity's is a wrong guess.
        let entry = |p: u64, x: u128, q: u64, y: u128| {
            let value = u128::from(p)
                .wrapping_mul(x)
                .wrapping_sub(u128::from(q).wrapping_mul(y)) as i128;
            if odd { value.wrapping_neg() } else { value }
        };
        let x1 = entry(matrix.a, x, matrix.b, y);
        let y1 = entry(matrix.d, y, matrix.c, x);
        if 0 < y1 && y1 <= x1 {
            let shift = 64u32.saturating_sub(x1.leading_zeros());
            halves[lane] = ((x1 >> shift) as u64, (y1 >> shift) as u64);
        }
    }
    let second = half_guesses(halves);
    let mut matrices = [Matrix::IDENTITY; LANES];
    for lane in 0..LANES {
        matrices[lane] = match (first[lane].0, second[lane].0) {
            (first, Matrix::IDENTITY) => first,
            (first, second) => first.then(second),
        };
    }
    matrices
}

/// The quotients of x >= y that their leading halves decide, and whether their number is odd.
fn half_guesses(pairs: [(u64, u64); LANES]) -> [(Matrix, bool); LANES] {
    // A lane without quotients has one of 1 and no rest.
    let mut pairs = pairs;
    for pair in &mut pairs {
        if pair.1 >> KEPT == 0 {
            *pair = (1, 1);
        }
    }
    // The rows (a, b) and (c, d), the first entry in the low half.
    let mut rows = [(1u64, 1u64 << 32); LANES];
    let mut odd = [false; LANES];
    loop {
        let mut any = false;
        for lane in 0..LANES {
            let ((x, y), (top, bottom)) = (pairs[lane], rows[lane]);
            let (quotient, rest) = divide(x, y);
            let goes = rest >> KEPT != 0;
            // without a jump
            let next = top.wrapping_add(quotient.wrapping_mul(bottom));
            pairs[lane] = if goes { (y, rest) } else { (x, y) };
            rows[lane] = if goes { (bottom, next) } else { (top, bottom) };
            odd[lane] ^= goes;
            any |= goes;
        }
        if !any {
            break;
        }
    }
    let half = |row: u64| (row & u64::from(u32::MAX), row >> 32);
    let mut found = [(Matrix::IDENTITY, false); LANES];
    for lane in 0..LANES {
        let ((a, b), (c, d)) = (half(rows[lane].0), half(rows[lane].1));
        found[lane] = (Matrix { a, b, c, d }, odd[lane]);
    }
    found
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
        /// Pairs of very different lengths side by side.
        #[test]
        fn as_num_does(
            given in proptest::collection::vec(
                (
                    proptest::collection::vec(0u32.., 0..200),
                    proptest::collection::vec(0u32.., 0..200),
                    proptest::collection::vec(0u32.., 0..20),
                    0u32..200,
                ),
                0..7,
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
}
