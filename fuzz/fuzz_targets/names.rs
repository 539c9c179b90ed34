//! No bytes make the parser of names panic.
#![no_main]

use flipcost_oeis::names;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = names::parse("fuzz", bytes);
});
