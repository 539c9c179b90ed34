use std::time::Instant;

use flipcost::roller::numerator::{expected_flips, expected_flips_unreduced};
use num_bigint::BigUint;

use crate::residue::{MODULUS, residue};

/// Prints numerator + denominator of E(n) modulo 2^61 - 1, and the milliseconds that the fraction took.
pub fn print_cost(n: u64, is_reduced: bool) {
    let start = Instant::now();
    let (numerator, denominator): (BigUint, BigUint) = if is_reduced {
        let (numerator, denominator) = expected_flips(n).into_raw();
        (numerator.into_parts().1, denominator.into_parts().1)
    } else {
        expected_flips_unreduced(n)
    };
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let sum = residue(numerator.iter_u64_digits()) + residue(denominator.iter_u64_digits());
    let sum = sum % MODULUS;
    println!("{sum} {milliseconds:.3}");
}
