//! The number of rounds in the cycle of the fast dice roller's flow chart, and the periods of
//! MR-expansions.
//!
//! With x_t = m^t mod n, a round ends with roll t+1 if and only if m x_t >= n, that is, if the
//! digit floor(m x_t / n) of 1/n in base m is not 0. An MR-expansion has d terms for each digit d.
//! So over one period p of the residues
//!
//! ```text
//! rounds    = the number of digits that are not 0
//! MR period = the sum of the digits
//! ```
//!
//! For a coin both are the number of 1 bits. If -1 is a power of m modulo n', then the residues
//! form pairs x and n - x whose digits add up to m - 1, and the sum is (m-1) p/2. Machine-checked:
//! `proofs/Rounds.v, round_is_accept_test`, `proofs/Rounds.v, round_is_digit`, `proofs/Rounds.v,
//! digit_sum_half_period`.

use crate::roller::ResidueSequence;
use flipcost_number::budget::spend;
use flipcost_number::order::Orbit;

/// The digits of the cycle, one by one.
fn digits(m: u64, n: u64, orbit: Orbit) -> impl Iterator<Item = u64> {
    spend(4 * orbit.period);
    let cycle = ResidueSequence::new(m, n).skip(orbit.pre_period as usize);
    cycle
        .take(orbit.period as usize)
        .map(move |x| (u128::from(x) * u128::from(m) / u128::from(n)) as u64)
}

/// The number of rounds in the cycle for a source of m sides and a target of n sides, given the
/// orbit of m modulo n; 0 if there is no cycle because n divides a power of m. Cost: O(p / 64)
/// steps for a coin, otherwise O(p).
pub(crate) fn cycle_rounds(m: u64, n: u64, orbit: Orbit) -> u64 {
    let part = flipcost_number::order::coprime_part(m, n);
    match (part, m, orbit.half_period()) {
        (1, _, _) => 0,
        (_, 2, Some(half)) => half,
        (odd, 2, None) => crate::roller::rounds::ones_in_period(odd, orbit.period),
        _ => digits(m, n, orbit).filter(|digit| *digit > 0).count() as u64,
    }
}

/// The length of the period of the base-m MR-expansion of 1/n. It is the sum of the digits in one
/// period of the non-terminating expansion of 1/n in base m; this sum is m - 1 if n divides a power
/// of m.
pub(crate) fn mr_period(m: u64, n: u64, orbit: Orbit) -> u64 {
    match (
        flipcost_number::order::coprime_part(m, n),
        orbit.half_period(),
    ) {
        (1, _) => m - 1,
        (_, Some(half)) => (m - 1) * half,
        (_, None) if m == 2 => cycle_rounds(m, n, orbit),
        (_, None) => digits(m, n, orbit).sum(),
    }
}
