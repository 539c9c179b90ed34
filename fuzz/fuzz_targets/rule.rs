#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| flipcost_fuzz_targets::rule(bytes));
