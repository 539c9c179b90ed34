//! No bytes make the parser of the internal format panic.

use flipcost_oeis::internal;

/// See the module.
pub fn internal(bytes: &[u8]) {
    let _ = internal::parse("fuzz", bytes);
}
