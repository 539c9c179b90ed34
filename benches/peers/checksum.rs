//! E(n) in lowest terms for all n up to a limit, and the sum over n of numerator + denominator,
//! modulo 2^61 - 1: `cargo run --release --example checksum -- 20000`.

use flipcost::unstable::roller::numerator::expected_flips_range;
use flipcost::unstable::threads;

mod residue;
use residue::{MODULUS, residue};

fn main() {
    let limit: u64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("usage: checksum LIMIT");
    let costs = expected_flips_range(1..limit + 1);
    let residues = threads::map_of(&costs, &|cost| {
        u128::from(residue(cost.numer().magnitude()))
            + u128::from(residue(cost.denom().magnitude()))
    });
    let sum: u128 = residues.into_iter().sum();
    println!("{}", sum % u128::from(MODULUS));
}
