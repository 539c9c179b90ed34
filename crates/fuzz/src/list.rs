//! The parser of plain lists never panics.

use flipcost_oeis::list;

/// Checks the property that the module describes.
pub fn list(bytes: &[u8]) {
    let _ = list::parse("fuzz", bytes);
}
