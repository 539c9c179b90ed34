//! The registry: one file per family of sequences, and one line each below.

mod bit_length;
mod block_size;
mod bounded_exponent;
mod bounded_exponent_smooth;
mod class_numbers;
mod cycle_rounds;
mod cycle_rounds_zero;
mod distinct_powers;
mod exactly_rounds;
mod expected_denominator;
mod expected_numerator;
mod fewest_dice;
mod first_v;
mod flips_before;
mod half_order_primes;
mod interval_undecided;
mod largest_residue;
mod largest_v;
mod least_flips;
mod least_v;
mod least_with_rounds;
mod most_flips;
mod mr;
mod mr_period;
mod odd_cycle_rounds;
mod odd_orders;
mod order;
mod order_coprime;
mod order_or_zero;
mod order_prime;
mod parts;
mod period;
mod period_zero;
mod power_plus_one_divisors;
mod power_plus_one_exponents;
mod preperiod;
mod primitive_root_primes;
mod quarter_rounds;
mod residues_triangle;
mod round_one_rest;
mod rounds_before;
mod sign_order;
mod toll_records;
mod total_flips;
mod total_rounds;
mod two_rounds;
mod variance_denominator;
mod variance_numerator;

use super::Family;

/// The families, in the order in which they are listed everywhere.
pub static FAMILIES: &[Family] = &[
    cycle_rounds::FAMILY,
    cycle_rounds_zero::FAMILY,
    mr_period::FAMILY,
    mr::FAMILY,
    period::FAMILY,
    period_zero::FAMILY,
    preperiod::FAMILY,
    distinct_powers::FAMILY,
    flips_before::FAMILY,
    rounds_before::FAMILY,
    total_flips::FAMILY,
    total_rounds::FAMILY,
    first_v::FAMILY,
    least_v::FAMILY,
    largest_residue::FAMILY,
    largest_v::FAMILY,
    most_flips::FAMILY,
    odd_cycle_rounds::FAMILY,
    order::FAMILY,
    order_coprime::FAMILY,
    order_or_zero::FAMILY,
    order_prime::FAMILY,
    sign_order::FAMILY,
    bit_length::FAMILY,
    block_size::FAMILY,
    least_flips::FAMILY,
    round_one_rest::FAMILY,
    interval_undecided::FAMILY,
    bounded_exponent::FAMILY,
    fewest_dice::FAMILY,
    bounded_exponent_smooth::FAMILY,
    primitive_root_primes::FAMILY,
    half_order_primes::FAMILY,
    odd_orders::FAMILY,
    power_plus_one_divisors::FAMILY,
    power_plus_one_exponents::FAMILY,
    residues_triangle::FAMILY,
    class_numbers::FAMILY,
    quarter_rounds::FAMILY,
    two_rounds::FAMILY,
    exactly_rounds::FAMILY,
    least_with_rounds::FAMILY,
    expected_numerator::FAMILY,
    expected_denominator::FAMILY,
    variance_numerator::FAMILY,
    variance_denominator::FAMILY,
    toll_records::FAMILY,
];
