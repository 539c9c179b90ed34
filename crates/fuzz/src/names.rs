//! No bytes make the parser of names panic.

use flipcost_oeis::names;

/// See the module.
pub fn names(bytes: &[u8]) {
    let _ = names::parse("fuzz", bytes);
}
