//! Small maps from lists of pairs, with little code for each type of pair.

use std::collections::BTreeMap;

/// Makes a map by inserting the pairs one after the other; for equal keys the last value stays.
/// `collect` sorts the pairs first, with a sort that is compiled separately for each type of
/// iterator.
pub fn ordered<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}
