//! One case of a check: the folder of the files that the check reads, and the n for which the claim
//! must hold.

use std::ops::RangeInclusive;
use std::path::Path;

/// One case of a check: the folder that contains its files, and the n that its keys `for` and `at`
/// select.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The folder that holds `data/` and `analysis/`.
    pub root: &'a Path,
    /// The range of n, if the statement contains n.
    pub range: Option<&'a RangeInclusive<u64>>,
    /// The only n at which the statement must hold; `None` if it must hold at all n of the range.
    pub at: Option<&'a [u64]>,
}
