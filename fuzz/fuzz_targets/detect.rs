//! No bytes make the detection of formats panic, nor the loading of terms of any format.
#![no_main]

use flipcost_oeis::{ANumber, detect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = detect::parse("fuzz", bytes, None);
    let _ = detect::parse("fuzz", bytes, ANumber::new(1));
});
