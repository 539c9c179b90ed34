//! Peres's iteration of von Neumann's pairs.
//!
//! Psi(x) is von Neumann's bits of the pairs of x, then Psi of the sequence that says of each pair whether it
//! differs, then Psi of the values of the equal pairs; an odd last flip is left, at every level. Of a die Psi of the pairs
//! that differ, without their orders, follows (`peres_dice`).
//!
//! **By types.** Of the words of 2m flips with k heads, those with d pairs that differ have e = (k - d)/2 equal
//! pairs of heads: C(m, d) places of the d, 2^d orders of them, C(m-d, e) places of the e. All combinations
//! occur once, and the three parts of the bits depend on one factor each: d bits, the bits A of a word of m with d ones,
//! the bits B of a word of m - d with e ones. So with C, T and S the numbers, sums of bits, and sums of their
//! squares of all words of a type,
//!
//! ```text
//! T(2m, k) = sum over d of 2^d [C C' d + T C' + C T']              C, T, S at (m, d), C', T', S' at (m-d, e)
//! S(2m, k) = sum over d of 2^d [C C' d^2 + S C' + C S' + 2 d (T C' + C T') + 2 T T']
//! T(2m+1, k) = T(2m, k) + T(2m, k-1), and S the same
//! ```
//!
//! With L levels the three sequences go through L - 1, so that the right sides are the sums of one level less; L levels of less
//! than 2^L rolls are all that there are, and one is von Neumann's pairs.
//!
//! Cost of all lengths to n/2 and then n: O(n^3) products of n bits. Longer blocks are enclosed in `peres_far`.

use super::extractor::{Extractor, NotComputed, Yielded, coin, types_are_few};
use super::peres_dice;
use super::peres_far;
use super::peres_types::of_length;
use flipcost::task::Source;
use flipcost_number::Polynomial;
use std::collections::BTreeSet;

/// With all levels, or with so many.
pub(super) struct PeresExtractor(pub(super) Option<u32>);

/// Of 1 to 9 levels: 2^9 rolls are the longest block that is counted.
const IDS: [&str; 9] = [
    "peres:levels=1",
    "peres:levels=2",
    "peres:levels=3",
    "peres:levels=4",
    "peres:levels=5",
    "peres:levels=6",
    "peres:levels=7",
    "peres:levels=8",
    "peres:levels=9",
];

/// The longest block of which all types are counted.
const COUNTED: u64 = 512;
/// The longest block that is enclosed.
const ENCLOSED: u64 = 1 << 22;

fn extracted(rolls: &[usize], levels: u32) -> Vec<bool> {
    if levels == 0 || rolls.len() < 2 {
        return Vec::new();
    }
    let (mut bits, rests) = paired(rolls);
    for rest in rests {
        bits.extend(extracted(&rest, levels - 1));
    }
    bits
}

impl Extractor for PeresExtractor {
    fn id(&self) -> &'static str {
        match self.0 {
            None => "peres",
            Some(levels) => IDS[levels as usize - 1],
        }
    }

    fn extract(&self, rolls: &[usize], _: usize) -> Vec<bool> {
        extracted(rolls, self.0.unwrap_or(u32::MAX))
    }

    fn yielded(&self, source: &Source, n: u64) -> Result<Yielded, NotComputed> {
        match (n, coin(source)) {
            (0..=COUNTED, Some(coin)) => Ok(of_length(n as usize, self.0).yielded(&coin)),
            (0..=COUNTED, None) => peres_dice::yielded(source, n as usize, self.0),
            (0..=ENCLOSED, Some(coin)) if self.0.is_none() => Ok(Yielded {
                bits: peres_far::bits(&coin, n),
                variance: None,
            }),
            (_, Some(_)) if self.0.is_none() => Err(NotComputed::Long { most: ENCLOSED }),
            _ => Err(NotComputed::Long { most: COUNTED }),
        }
    }

    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed> {
        match n {
            0..=COUNTED if faces == 2 => Ok(of_length(n as usize, self.0).polynomial()),
            0..=COUNTED => {
                types_are_few(faces, n)?;
                Ok(peres_dice::polynomial(faces as usize, n as usize, self.0))
            }
            _ => Err(NotComputed::Long { most: COUNTED }),
        }
    }
}

/// The bits of the pairs, and what of them is paired again.
fn paired(rolls: &[usize]) -> (Vec<bool>, [Vec<usize>; 3]) {
    let pairs: Vec<[usize; 2]> = rolls
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    let differs = |pair: &[usize; 2]| pair[0] != pair[1];
    let bits: Vec<bool> = pairs
        .iter()
        .filter(|pair| differs(pair))
        .map(|pair| pair[0] > pair[1])
        .collect();
    let orders: Vec<usize> = pairs
        .iter()
        .map(|pair| usize::from(differs(pair)))
        .collect();
    let equal: Vec<usize> = pairs
        .iter()
        .filter(|pair| !differs(pair))
        .map(|pair| pair[0])
        .collect();
    let sorted = |pair: &[usize; 2]| [pair[0].min(pair[1]), pair[0].max(pair[1])];
    let unordered: Vec<[usize; 2]> = pairs
        .iter()
        .filter(|pair| differs(pair))
        .map(sorted)
        .collect();
    // by their numbers among those that came, which keep their order
    let kinds: BTreeSet<[usize; 2]> = unordered.iter().copied().collect();
    let kinds: Vec<[usize; 2]> = kinds.into_iter().collect();
    let kind = |pair| kinds.binary_search(pair).expect("it came");
    let unordered: Vec<usize> = unordered.iter().map(kind).collect();
    (bits, [orders, equal, unordered])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EXTRACTORS, PERES_LEVELS};
    use flipcost_number::Rational;

    /// n - b(n, 1/2) for n = 2, 4, ..., 16, computed from Peres's definition by all words; and the first values
    /// of a coin of 1/3: b(2) = 4/9, b(8) = 2704/729.
    #[test]
    fn values_of_short_blocks() {
        let bits = |heads: u64, tails: u64, n: u64| {
            let coin = Source::loaded([heads, tails]).unwrap();
            PeresExtractor(None)
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

    /// One level is von Neumann's, each more yields no less, and those that n rolls have are all.
    #[test]
    fn from_one_level_to_all() {
        let [neumann, peres, _] = EXTRACTORS else {
            panic!()
        };
        for source in ["1:2", "2", "1:2:3", "6"] {
            let source: Source = source.parse().unwrap();
            for n in [1, 2, 3, 8, 15, 31, 40] {
                let bits = |rule: &dyn Extractor| rule.yielded(&source, n).unwrap().bits;
                let of_levels = PERES_LEVELS.iter().map(|rule| bits(*rule));
                let exact: Vec<_> = of_levels
                    .map(|bits| bits.exact().cloned().unwrap())
                    .collect();
                assert_eq!(Some(&exact[0]), bits(*neumann).exact(), "{n}");
                assert!(exact.is_sorted(), "{n}");
                let all = n.ilog2().max(1) as usize;
                assert_eq!(Some(&exact[all - 1]), bits(*peres).exact(), "{n}");
            }
        }
    }
}
