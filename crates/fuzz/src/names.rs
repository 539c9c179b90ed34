//! No bytes make the reader of names panic.

use flipcost_oeis::{ANumber, names};

/// See the module.
pub fn names(bytes: &[u8]) {
    let _ = names::find("fuzz", bytes, &[ANumber::NONE_YET]);
}
