//! The case that a check decides: where its files are, and for which n.

use std::ops::RangeInclusive;
use std::path::Path;

/// One case of a check: the folder below which its files are, and the n of `for`.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The folder that holds `data/` and `analysis/`.
    pub root: &'a Path,
    /// The range of n, if the statement contains n.
    pub range: Option<&'a RangeInclusive<u64>>,
    /// The only n at which the statement must hold; if `None`, it must hold at all of them.
    pub at: Option<&'a [u64]>,
}
