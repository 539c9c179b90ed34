use std::time::Instant;

use flipcost_number::long::product;
use num_bigint::BigInt;

use crate::residue::residue;

/// Returns a number that consists of this many words of Marsaglia's xorshift generator (2003), the
/// lowest word first.
fn number(state: &mut u64, words: usize) -> BigInt {
    let words = (0..words).flat_map(|_| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        [*state as u32, (*state >> 32) as u32]
    });
    num_bigint::BigUint::new(words.collect()).into()
}

/// Prints the product of two numbers of this many bits, modulo 2^61 - 1, and the milliseconds of one
/// product, the mean of 20.
pub fn print_product(bits: usize) {
    let mut state = 1;
    let (x, y) = (number(&mut state, bits / 64), number(&mut state, bits / 64));
    let mut found = product(&x, &y);
    let start = Instant::now();
    for _ in 0..20 {
        found = product(&x, &y);
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1e3 / 20.0;
    println!("{} {milliseconds:.3}", residue(found.iter_u64_digits()));
}
