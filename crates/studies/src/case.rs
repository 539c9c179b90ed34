//! The case of a claim that a check decides: the folder of its files, and the n for which it must
//! hold.

use std::ops::RangeInclusive;
use std::path::Path;

/// One case of a check: the folder below which its files are, and the n of its key `for`.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The folder that holds `data/` and `analysis/`.
    pub root: &'a Path,
    /// The range of n, if the statement contains n.
    pub range: Option<&'a RangeInclusive<u64>>,
    /// The only n at which the statement must hold; `None` if it must hold at all n of the range.
    pub at: Option<&'a [u64]>,
}
