//! The parser of the internal format never panics.

use flipcost_oeis::internal;

/// Checks the property that the module describes.
pub fn internal(bytes: &[u8]) {
    let _ = internal::parse("fuzz", bytes);
}
