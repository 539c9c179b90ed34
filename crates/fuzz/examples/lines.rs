//! Prints random command lines, or random questions of the page as lines of JSON, for
//! `fuzz/soak.py`:
//!
//!     lines SEED COUNT [questions]

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use flipcost_fuzz_targets::{random_command_line, random_question};
use std::io::Write;
use std::path::Path;

fn main() {
    let mut given = std::env::args().skip(1);
    let mut number = || {
        given
            .next()
            .and_then(|text| text.parse().ok())
            .expect("SEED COUNT")
    };
    let (seed, count): (u64, u64) = (number(), number());
    let questions = given.next().is_some();
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    let mut out = std::io::stdout().lock();
    for _ in 0..count {
        let mut bytes = [0; 512];
        random.fill_bytes(&mut bytes);
        let line = if questions {
            random_question(&bytes)
        } else {
            serde_json::to_string(&random_command_line(&bytes, Path::new(""))).expect("texts")
        };
        // the reader may stop early
        if writeln!(out, "{line}").is_err() {
            return;
        }
    }
}
