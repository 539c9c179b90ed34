//! Maps of a few pairs, with little code for each type of pair.

use std::collections::BTreeMap;

/// The map of these pairs, inserted one after the other; of equal keys the last one stays.
/// `collect` sorts the pairs first, by a sort that is compiled anew for each type of iterator.
pub fn ordered<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(pairs);
    map
}
