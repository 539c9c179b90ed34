//! Neither the detection of formats nor the loading of terms in any format ever panics.

use flipcost_oeis::{ANumber, detect};

/// Checks the property that the module describes.
pub fn detect(bytes: &[u8]) {
    let _ = detect::parse("fuzz", bytes, None);
    let _ = detect::parse("fuzz", bytes, ANumber::new(1));
}
