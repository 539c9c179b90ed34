//! Peres's iteration of von Neumann's pairs up to a number of levels.
//!
//! With one level it is von Neumann's pairs; with L the three sequences that the pairs leave (page of `peres`) go through L - 1.
//! A level takes pairs of pairs, so that L levels of less than 2^L rolls are all that there are. The recurrences by types
//! are those of all levels, with the sums of one level less on their right sides.

use super::extractor::{Extractor, NotComputed, Yielded, coin, types_are_few};
use super::peres::{COUNTED, paired};
use super::peres_dice;
use super::peres_types::of_length_of;
use flipcost::task::Source;
use flipcost_number::Polynomial;

/// Of so many levels, from 1 to as many as the longest block has.
pub(super) struct PeresLevels(pub(super) u32);

/// 2^9 rolls are the longest block.
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

impl Extractor for PeresLevels {
    fn id(&self) -> &'static str {
        IDS[self.0 as usize - 1]
    }

    fn extract(&self, rolls: &[usize], _: usize) -> Vec<bool> {
        extracted(rolls, self.0)
    }

    fn yielded(&self, source: &Source, n: u64) -> Result<Yielded, NotComputed> {
        match (n, coin(source)) {
            (0..=COUNTED, Some(coin)) => Ok(of_length_of(n as usize, self.0).yielded(&coin)),
            (0..=COUNTED, None) => peres_dice::yielded(source, n as usize, Some(self.0)),
            _ => Err(NotComputed::Long { most: COUNTED }),
        }
    }

    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed> {
        match n {
            0..=COUNTED if faces == 2 => Ok(of_length_of(n as usize, self.0).polynomial()),
            0..=COUNTED => {
                types_are_few(faces, n)?;
                Ok(peres_dice::polynomial(
                    faces as usize,
                    n as usize,
                    Some(self.0),
                ))
            }
            _ => Err(NotComputed::Long { most: COUNTED }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EXTRACTORS, PERES_LEVELS};

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
