//! Computes E(n) in lowest terms for all n up to a limit, and prints the sum over n of numerator +
//! denominator, modulo 2^61 - 1: `cargo run --release --example checksum -- 20000`.

use flipcost::roller::fractions::ExpectedFractions;
use flipcost_number::memory::keep_freed;
use flipcost_number::threads;
use flipcost_number::threads::Workers;

mod residue;
use residue::{MODULUS, residue};

fn main() {
    keep_freed();
    Workers::new(0);
    let limit: u64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("usage: checksum LIMIT");
    let costs = ExpectedFractions::for_range(1..=limit);
    let residues = threads::concat(limit as usize, &|part| {
        let (mut numerator, mut denominator) = (Vec::new(), Vec::new());
        let residues = part.map(|i| {
            costs.put_words(i as u64 + 1, &mut numerator, &mut denominator);
            let residue = |words: &[u64]| u128::from(residue(words.iter().copied()));
            residue(&denominator) + residue(&numerator)
        });
        residues.collect()
    });
    let sum: u128 = residues.into_iter().sum();
    println!("{}", sum % u128::from(MODULUS));
}
