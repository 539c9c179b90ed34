//! The parser of the internal format never panics.

use flipcost_oeis::internal;

/// See the module.
pub fn internal(bytes: &[u8]) {
    let _ = internal::parse("fuzz", bytes);
}
