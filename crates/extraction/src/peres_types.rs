//! The bits of Peres' method by the numbers of heads, as the page of `peres` has them.

use super::extractor::ByHeads;
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use flipcost_number::rationals::binomials;
use num_traits::Zero;

/// The sums by heads of the words of one length, and the numbers of these words.
pub(super) type Counted = (ByHeads, Vec<BigUint>);

/// Those of all lengths from 0 to the longest.
pub(super) fn to_length(longest: usize) -> Vec<Counted> {
    let mut known: Vec<Counted> = Vec::new();
    for length in 0..=longest {
        let sums = step(length, &known);
        known.push((sums, binomials(length)));
    }
    known
}

/// The sums by heads of the words of n flips.
pub(super) fn of_length(n: usize) -> ByHeads {
    let known = to_length(n / 2);
    match known.get(n) {
        Some((sums, _)) => sums.clone(),
        None => step(n, &known),
    }
}

/// Those of all lengths from 0 to the longest, if pairs are paired again up to so many levels: with none no word has bits.
pub(super) fn to_length_of(longest: usize, levels: u32) -> Vec<Counted> {
    let known = match levels {
        0 => Vec::new(),
        _ => to_length_of(longest / 2, levels - 1),
    };
    let sums = |length: usize| match levels {
        0 => without_bits(length),
        _ => step(length, &known),
    };
    (0..=longest)
        .map(|length| (sums(length), binomials(length)))
        .collect()
}

/// The sums by heads of the words of n flips with so many levels, one at least.
pub(super) fn of_length_of(n: usize, levels: u32) -> ByHeads {
    step(n, &to_length_of(n / 2, levels - 1))
}

fn without_bits(n: usize) -> ByHeads {
    let zero = || vec![BigUint::zero(); n + 1];
    ByHeads {
        bits: zero(),
        squares: zero(),
    }
}

/// The sums of n flips by those of up to n/2, with their binomials.
fn step(n: usize, known: &[Counted]) -> ByHeads {
    let mut sums = without_bits(n);
    let m = n / 2;
    if m == 0 {
        return sums;
    }
    for d in 0..=m {
        let ((one, places), (other, rest)) = (&known[m], &known[m - d]);
        let [c, t, s] = [&places[d], &one.bits[d], &one.squares[d]];
        // what stands before C' and T'
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
