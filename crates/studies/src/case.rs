//! What a check is decided for.

use std::ops::RangeInclusive;
use std::path::Path;

/// One case of a check: the folder below which its files are, and the n of `for`.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The folder that holds `data/` and `analysis/`.
    pub root: &'a Path,
    /// The n of a statement that speaks of n.
    pub range: Option<&'a RangeInclusive<u64>>,
    /// The n for which alone it is to hold; all of them, unless they are given.
    pub at: Option<&'a [u64]>,
}
