//! Counts words (sequences of rolls) by their *type*, which says how often each face occurs. Words
//! of one type are equally likely, whatever the source.

use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::{One, Zero};

/// Returns the number of types, C(n + m - 1, n), of words of n rolls with m faces; `None` if it
/// exceeds `most`. Cost: at most `most` products of machine words.
///
/// ```
/// use flipcost::algorithms::words::count_types;
/// assert_eq!(count_types(6, 2, 100), Some(21));
/// assert_eq!(count_types(6, 20, 100), None);
/// ```
pub fn count_types(faces: u128, rolls: u64, most: u64) -> Option<u64> {
    let (mut count, rolls) = (1u128, u128::from(rolls));
    for i in 1..=(faces - 1).min(rolls) {
        count = count * (rolls.max(faces - 1) + i) / i;
        if count > most.into() {
            return None;
        }
    }
    Some(count as u64)
}

/// Returns every type of words of n rolls with m faces, and the number of its words. Cost: one
/// product and one division of numbers of n log2 m bits for every face of every type.
///
/// ```
/// use flipcost::algorithms::words::types;
/// let words: Vec<String> = types(2, 4).iter().map(|(_, words)| words.to_string()).collect();
/// assert_eq!(words, ["1", "4", "6", "4", "1"]);
/// ```
pub fn types(faces: usize, rolls: u32) -> Vec<(Vec<u32>, BigUint)> {
    let mut all = vec![(Vec::new(), rolls, BigUint::one())];
    for face in 0..faces {
        let mut longer = Vec::new();
        for (counts, left, words) in all {
            let most = if face + 1 == faces {
                left..=left
            } else {
                0..=left
            };
            let mut ways = BigUint::one(); // C(left, k)
            for k in 0..=*most.end() {
                if most.contains(&k) {
                    let counts = [&counts[..], &[k]].concat();
                    longer.push((counts, left - k, &words * &ways));
                }
                ways = ways * (left - k) / (k + 1);
                spend(64);
            }
        }
        all = longer;
    }
    all.into_iter()
        .map(|(counts, _, words)| (counts, words))
        .collect()
}

/// n! / (k_1! ... k_m!).
fn multinomial(counts: &[usize]) -> BigUint {
    let (mut all, mut total) = (BigUint::one(), 0usize);
    for &count in counts {
        for i in 1..=count {
            total += 1;
            all = all * total / i;
        }
    }
    all
}

/// Returns the index of a word among the words of its type, in alphabetical order, and the number
/// of these words. Cost: a multinomial coefficient for every lower face of every roll.
///
/// ```
/// use flipcost::algorithms::words::rank;
/// assert_eq!(rank(&[1, 0, 0], 2), (2u8.into(), 3u8.into())); // after 001 and 010
/// ```
///
/// # Panics
/// If a face is `faces` or more.
pub fn rank(rolls: &[usize], faces: usize) -> (BigUint, BigUint) {
    let mut left: Vec<usize> = vec![0; faces];
    rolls.iter().for_each(|&roll| left[roll] += 1);
    let all = multinomial(&left);
    // The number of words of this type that come before the given word.
    let mut number = BigUint::zero();
    for &roll in rolls {
        for face in 0..roll {
            if left[face] > 0 {
                left[face] -= 1;
                number += multinomial(&left);
                left[face] += 1;
            }
        }
        left[roll] -= 1;
    }
    (number, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranks of the words of a type are 0, 1, ... in alphabetical order.
    #[test]
    fn ranks_are_places_in_the_alphabet() {
        for (m, length) in [(2usize, 6u32), (3, 5), (4, 4)] {
            let mut next = std::collections::BTreeMap::<Vec<u32>, u64>::new();
            let mut last = next.clone();
            for code in 0..m.pow(length) {
                let word: Vec<usize> = (0..length)
                    .map(|i| code / m.pow(length - 1 - i) % m)
                    .collect();
                let mut counts = vec![0; m];
                word.iter().for_each(|face| counts[*face] += 1);
                let place = next.entry(counts.clone()).or_default();
                let (number, all) = rank(&word, m);
                assert_eq!(number, BigUint::from(*place), "{word:?}");
                last.insert(counts, u64::try_from(all).unwrap());
                *place += 1;
            }
            assert_eq!(next, last);
            for (counts, words) in types(m, length) {
                assert_eq!(BigUint::from(next[&counts]), words);
            }
            let count = next.len() as u64;
            assert_eq!(count_types(m as u128, length.into(), count), Some(count));
            assert_eq!(count_types(m as u128, length.into(), count - 1), None);
        }
    }
}
