//! A situation: what remains to be done at some point of a rule.

use num_integer::Integer;

/// Sizes of nodes, or deficits of outcomes: each value with its number of occurrences, the largest
/// value first.
pub type CountedSizes = Vec<(u128, u64)>;

/// The open nodes, and the outcomes that have not yet received their full probability. Only
/// proportions matter, so all sizes are integers without a common factor. The sum of the sizes
/// equals the sum of the deficits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The probabilities of the nodes that are still to be rolled.
    pub open: CountedSizes,
    /// The probabilities that the outcomes still need.
    pub deficits: CountedSizes,
}

/// Merges equal values and removes zeros; the largest values come first.
pub fn merge_equal_sizes(mut values: CountedSizes) -> CountedSizes {
    values.retain(|&(value, count)| value > 0 && count > 0);
    values.sort_unstable_by_key(|&(value, _)| std::cmp::Reverse(value));
    values.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    values
}

impl Situation {
    /// Returns the situation, divided by the common factor of its numbers, and that factor (1 if
    /// nothing remains).
    pub fn reduced(open: CountedSizes, deficits: CountedSizes) -> (Situation, u128) {
        let (mut open, mut deficits) = (merge_equal_sizes(open), merge_equal_sizes(deficits));
        let values = open.iter().chain(&deficits);
        let factor = values.fold(0u128, |common, (value, _)| common.gcd(value));
        for (value, _) in open.iter_mut().chain(&mut deficits) {
            *value /= factor;
        }
        (Situation { open, deficits }, factor.max(1))
    }

    /// Whether nothing remains to be done.
    pub fn is_end(&self) -> bool {
        self.deficits.is_empty()
    }

    /// The sum of the sizes; `None` if it exceeds 128 bits.
    pub fn mass(&self) -> Option<u128> {
        self.open.iter().try_fold(0u128, |sum, &(size, count)| {
            sum.checked_add(size.checked_mul(count.into())?)
        })
    }
}
