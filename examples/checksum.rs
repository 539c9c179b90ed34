//! E(n) in lowest terms for all n up to a limit, and the sum over n of numerator + denominator, modulo 2^61 - 1:
//! `cargo run --release --example checksum -- 20000`.

use flipcost::number::numerator::expected_flips_range;
use num_bigint::BigUint;
use rayon::prelude::*;

const MODULUS: u64 = (1 << 61) - 1;

/// Words from the low end, folded by 2^64 = 8: no division.
fn residue(x: &BigUint) -> u64 {
    let fold = |sum: u128| (sum as u64 & MODULUS) + (sum >> 61) as u64;
    let residue = x.iter_u64_digits().rev().fold(0, |high, word| {
        fold(u128::from(high) * 8 + u128::from(word))
    });
    residue % MODULUS
}

fn main() {
    let limit: u64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("usage: checksum LIMIT");
    let sum: u128 = expected_flips_range(1..limit + 1)
        .par_iter()
        .map(|cost| {
            u128::from(residue(cost.numer().magnitude()))
                + u128::from(residue(cost.denom().magnitude()))
        })
        .sum();
    println!("{}", sum % u128::from(MODULUS));
}
