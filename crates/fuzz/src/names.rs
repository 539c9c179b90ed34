//! The parser of names never panics.

use flipcost_oeis::{ANumber, names};

/// Checks the property that the module describes.
pub fn names(bytes: &[u8]) {
    let _ = names::find("fuzz", bytes, &[ANumber::NONE_YET]);
}
