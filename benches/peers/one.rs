//! Computes E(n) for one n, and prints numerator + denominator modulo 2^61 - 1 and the milliseconds
//! that the fraction took. `cargo run --release --example one -- 1000003`; with `--numerator`, the
//! fraction is not reduced.

use std::time::Instant;

use flipcost::roller::numerator::{expected_flips, expected_flips_unreduced};
use flipcost_number::memory::keep_freed;
use flipcost_number::threads::Workers;
use num_bigint::BigUint;

mod residue;
use residue::{MODULUS, residue};

fn main() {
    keep_freed();
    Workers::new(0);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let n: u64 = arguments
        .first()
        .and_then(|text| text.parse().ok())
        .expect("usage: one N [--numerator]");
    let start = Instant::now();
    let (numerator, denominator): (BigUint, BigUint) =
        if arguments.get(1).is_some_and(|word| word == "--numerator") {
            expected_flips_unreduced(n)
        } else {
            let (numerator, denominator) = expected_flips(n).into_raw();
            (numerator.into_parts().1, denominator.into_parts().1)
        };
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let sum = residue(numerator.iter_u64_digits()) + residue(denominator.iter_u64_digits());
    let sum = sum % MODULUS;
    println!("{sum} {milliseconds:.3}");
}
