//! The reader of names never panics.

use flipcost_oeis::{ANumber, names};

/// See the module.
pub fn names(bytes: &[u8]) {
    let _ = names::find("fuzz", bytes, &[ANumber::NONE_YET]);
}
