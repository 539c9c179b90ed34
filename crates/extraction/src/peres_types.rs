//! The bits of Peres' method by the numbers of heads, as the page of `peres` has them.

use super::extractor::ByHeads;
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use flipcost_number::rationals::binomials;
use num_traits::Zero;

/// The sums by heads of the words of one length, and the numbers of these words.
pub(super) type Counted = (ByHeads, Vec<BigUint>);

/// Those of all lengths from 0 to the longest, where pairs are paired again without end or up to so many
/// levels: with none no word has bits.
pub(super) fn to_length(longest: usize, levels: Option<u32>) -> Vec<Counted> {
    let Some(levels) = levels else {
        let mut known: Vec<Counted> = Vec::new();
        for length in 0..=longest {
            let sums = step(length, &known);
            known.push((sums, binomials(length)));
        }
        return known;
    };
    let less = levels.checked_sub(1);
    let known = less.map(|less| to_length(longest / 2, Some(less)));
    let sums = |length: usize| match &known {
        None => without_bits(length),
        Some(known) => step(length, known),
    };
    (0..=longest)
        .map(|length| (sums(length), binomials(length)))
        .collect()
}

/// The sums by heads of the words of n flips, with all levels or so many, one at least.
pub(super) fn of_length(n: usize, levels: Option<u32>) -> ByHeads {
    step(n, &to_length(n / 2, levels.map(|levels| levels - 1)))
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
