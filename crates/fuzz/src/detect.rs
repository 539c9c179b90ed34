//! No bytes make the detection of formats panic, nor the loading of terms of any format.

use flipcost_oeis::{ANumber, detect};

/// See the module.
pub fn detect(bytes: &[u8]) {
    let _ = detect::parse("fuzz", bytes, None);
    let _ = detect::parse("fuzz", bytes, ANumber::new(1));
}
