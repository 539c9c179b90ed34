//! Peres's method: von Neumann's pairs, applied again to the information that the pairs discard.
//!
//! The output Psi(x) has three parts: von Neumann's bits of the pairs of x; Psi of the sequence
//! that says for each pair whether its flips differ; and Psi of the values of the pairs with equal
//! flips. At every level, if the number of flips is odd, the last flip is not used.
//!
//! **By types.** Take the words of 2m flips with k heads and d pairs of different flips. They have
//! e = (k - d)/2 pairs of two heads. There are C(m, d) choices of the places of the d pairs, 2^d
//! orders of their flips, and C(m-d, e) choices of the places of the e pairs. Each combination of
//! these choices occurs once. Each of the three parts of the bits depends on one of these choices:
//! d bits, the bits A of a word of m flips with d ones, and the bits B of a word of m - d flips
//! with e ones. Let C, T and S be the number of words of a type, the sum of their bits, and the sum
//! of the squares of their bits. Then
//!
//! ```text
//! T(2m, k) = sum over d of 2^d [C C' d + T C' + C T']              C, T, S at (m, d), C', T', S' at (m-d, e)
//! S(2m, k) = sum over d of 2^d [C C' d^2 + S C' + C S' + 2 d (T C' + C T') + 2 T T']
//! T(2m+1, k) = T(2m, k) + T(2m, k-1), and S the same
//! ```
//!
//! Cost: O(n^3) products of n bits, for all lengths up to n/2 and then n.

use super::extractor::{BlockYield, ByHeads, Extractor, NotComputed, coin_weights};
use flipcost::task::Source;
use flipcost_number::budget::spend;
use flipcost_number::rationals::binomials;
use flipcost_number::{BigUint, Polynomial};
use num_traits::Zero;

pub(super) struct PeresExtractor;

/// The length of the longest block for which all types are counted.
const MAX_COUNTED_BLOCK: u64 = 512;

fn extract_bits(rolls: &[usize]) -> Vec<bool> {
    if rolls.len() < 2 {
        return Vec::new();
    }
    let pairs = || rolls.chunks_exact(2);
    let differ = pairs().filter(|pair| pair[0] != pair[1]);
    let mut bits: Vec<bool> = differ.map(|pair| pair[0] > pair[1]).collect();
    let orders: Vec<usize> = pairs()
        .map(|pair| usize::from(pair[0] != pair[1]))
        .collect();
    let alike = pairs().filter(|pair| pair[0] == pair[1]);
    let equal: Vec<usize> = alike.map(|pair| pair[0]).collect();
    bits.extend(extract_bits(&orders));
    bits.extend(extract_bits(&equal));
    bits
}

impl Extractor for PeresExtractor {
    fn id(&self) -> &'static str {
        "peres"
    }

    fn extract(&self, rolls: &[usize], _: usize) -> Vec<bool> {
        extract_bits(rolls)
    }

    fn yielded(&self, source: &Source, n: u64) -> Result<BlockYield, NotComputed> {
        match coin_weights(source) {
            None if source.is_unknown() => Err(NotComputed::Unknown),
            None => Err(NotComputed::Dice),
            Some(coin) => Ok(sums_by_heads(n)?.yielded(&coin)),
        }
    }

    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed> {
        match faces {
            2 => Ok(sums_by_heads(n)?.polynomial()),
            _ => Err(NotComputed::Dice),
        }
    }
}

/// Returns the sums for the words of n flips, by the number of heads.
fn sums_by_heads(n: u64) -> Result<ByHeads, NotComputed> {
    if n > MAX_COUNTED_BLOCK {
        return Err(NotComputed::Long {
            most: MAX_COUNTED_BLOCK,
        });
    }
    // The sums for all lengths from 0 to n/2, with the numbers of these words.
    let mut known: Vec<(ByHeads, Vec<BigUint>)> = Vec::new();
    for length in 0..=n as usize / 2 {
        let sums = extend_sums(length, &known);
        known.push((sums, binomials(length)));
    }
    Ok(extend_sums(n as usize, &known))
}

/// Computes the sums for n flips from the sums for up to n/2 flips, which come with their binomial
/// coefficients.
fn extend_sums(n: usize, known: &[(ByHeads, Vec<BigUint>)]) -> ByHeads {
    let zero = || vec![BigUint::zero(); n + 1];
    let mut sums = ByHeads {
        bits: zero(),
        squares: zero(),
    };
    let m = n / 2;
    if m == 0 {
        return sums;
    }
    for d in 0..=m {
        let ((one, places), (other, rest)) = (&known[m], &known[m - d]);
        let [c, t, s] = [&places[d], &one.bits[d], &one.squares[d]];
        // The factors of C' in the formulas for T and S; `bits` is also half the factor of T' in
        // the formula for S.
        let bits = c * d + t;
        let squares = c * d * d + s + t * (2 * d);
        for (e, c2) in rest.iter().enumerate().take(m - d + 1) {
            spend(20 * (1 + n as u64 / 64));
            let [t2, s2] = [&other.bits[e], &other.squares[e]];
            let k = d + 2 * e;
            sums.bits[k] += (&bits * c2 + c * t2) << d;
            sums.squares[k] += (&squares * c2 + c * s2 + ((&bits * t2) << 1u8)) << d;
        }
    }
    if n % 2 == 1 {
        for counts in [&mut sums.bits, &mut sums.squares] {
            for k in (1..=n).rev() {
                let before = counts[k - 1].clone();
                counts[k] += before;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::Rational;

    /// Checks n - b(n, 1/2) for n = 2, 4, ..., 16 against Peres's definition, word by word, and the
    /// first values for a coin of 1/3: b(2) = 4/9, b(8) = 2704/729.
    #[test]
    fn yields_of_short_blocks_agree_with_the_definition() {
        let bits = |heads: u64, tails: u64, n: u64| {
            let coin = Source::loaded([heads, tails]).unwrap();
            PeresExtractor
                .yielded(&coin, n)
                .unwrap()
                .bits
                .exact()
                .unwrap()
                .clone()
        };
        let ratio = |p: u64, q: u64| Rational::new(p.into(), q.into());
        for (n, lost) in [(2, ratio(3, 2)), (4, ratio(19, 8)), (8, ratio(507, 128))] {
            assert_eq!(ratio(n, 1) - bits(1, 1, n), lost);
        }
        assert_eq!(
            (bits(1, 2, 2), bits(1, 2, 8)),
            (ratio(4, 9), ratio(2704, 729))
        );
        for n in 0..40 {
            assert_eq!(bits(2, 5, 2 * n), bits(2, 5, 2 * n + 1));
            assert_eq!(bits(2, 5, n), bits(5, 2, n));
        }
    }
}
