//! The parser of plain lists never panics.

use flipcost_oeis::list;

/// See the module.
pub fn list(bytes: &[u8]) {
    let _ = list::parse("fuzz", bytes);
}
