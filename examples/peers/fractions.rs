use flipcost::roller::fractions::ExpectedFractions;
use flipcost_number::threads;

use crate::residue::{MODULUS, residue};

/// Prints the sum over n, up to the limit, of numerator + denominator of E(n) in lowest terms, modulo
/// 2^61 - 1.
pub fn print_checksum(limit: u64) {
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
