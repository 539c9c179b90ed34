//! What a check is decided for.

use std::path::Path;

/// One case of a check: the folder below which its files are, and the n of `for-all`.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The folder that holds `data/` and `analysis/`.
    pub root: &'a Path,
    /// The n, in a check that is for all n of a range.
    pub n: Option<u64>,
}
