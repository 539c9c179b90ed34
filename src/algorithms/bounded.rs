//! Bounded simulation: roll a fixed number of times, without rejection.
//!
//! After k rolls there are m^k equally likely results, and they can be divided equally among n
//! outcomes if and only if n divides m^k. So a bound exists if and only if every prime factor of n
//! divides m, and the least k is
//!
//! ```text
//! k = max over the primes q of n of ceil(v_q(n) / v_q(m)).
//! ```
//!
//! The k rolls are read as a number in base m, and the outcome is that number modulo n. After t
//! rolls only the residue of the number modulo n / gcd(n, m^(k-t)) still matters; this residue is
//! the state.
//!
//! **Source.** Kloeckner 2008, "Simulating a dice with a dice"; Vitez, "Die Simulation", asks which
//! dice a d6 can make in this way.

use super::block::{bits_of_face, check_block_bits};
use super::{About, Memory, Rule, RuleInfo, Step};
use crate::law::{Blocks, Law};
use crate::task::{Refusal, Source, Target, Task};
use flipcost_number::factor::factor_big;
use flipcost_number::short::short;
use flipcost_number::{BigUint, order};
use num_traits::{One, Zero};
use std::fmt;

/// Returns the least k for which n divides m^k; or, as the error, the least prime factor found of n
/// that does not divide m.
///
/// If the part of n that is coprime to m has many digits and is not factored within a fixed work
/// limit, the error is that part: it has no prime in common with m.
///
/// # Errors
/// The prime factor, or the unfactored part: no fixed number of rolls suffices.
///
/// ```
/// use flipcost::algorithms::bounded::bounded_rolls;
/// assert_eq!(bounded_rolls(6, &12u8.into()), Ok(2));
/// assert_eq!(bounded_rolls(6, &35u8.into()), Err(5u8.into()));
/// ```
pub fn bounded_rolls(m: u128, n: &BigUint) -> Result<u64, BigUint> {
    let (coprime, rolls) = order::coprime_part_big(m, n);
    if coprime.is_one() {
        return Ok(rolls);
    }
    Err(least_prime_factor(coprime))
}

/// The least prime factor of a number above 1, or the number itself if its factors are not found
/// within a fixed work limit.
fn least_prime_factor(number: BigUint) -> BigUint {
    let small = (2u32..1000).find(|&q| (&number % q).is_zero());
    match small {
        Some(prime) => prime.into(),
        None if number.bits() > MAX_FACTORED => number,
        None => match factor_big(&number, WORK_LIMIT) {
            Some(factors) => factors.into_iter().map(|(prime, _)| prime).min(),
            None => None,
        }
        .unwrap_or(number),
    }
}

/// Returns the least prime found that divides the sum of the target's weights but not the sum of
/// weights of any of these sources; `None` if there is none. Such a prime proves that no rule makes
/// the target in a bounded number of rolls.
///
/// ```
/// use flipcost::algorithms::bounded::missing_prime;
/// use flipcost::task::{Source, Target};
/// let dice = [Source::die(6u8)?, Source::die(10u8)?];
/// assert_eq!(missing_prime(&dice, &Target::uniform(15u8)?), None);
/// assert_eq!(missing_prime(&dice[..1], &Target::uniform(15u8)?), Some(5u8.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn missing_prime(sources: &[Source], target: &Target) -> Option<BigUint> {
    let rest = target.prime_to(sources);
    (!rest.is_one()).then(|| least_prime_factor(rest))
}

/// The maximum number of steps of the search for a missing prime.
const WORK_LIMIT: u64 = 100_000;

/// Numbers with more bits are not factored: a step takes time proportional to the square of their
/// length.
const MAX_FACTORED: u64 = 2048;

/// See the module documentation.
pub(crate) struct BoundedRolls {
    source: u128,
    /// `moduli[t]` is the modulus for the number that t rolls make.
    moduli: Vec<BigUint>,
}

/// The number of rolls so far, and the residue of the number that they make.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct BoundedState {
    rolls: usize,
    value: BigUint,
}

impl fmt::Debug for BoundedState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} rolled, value {}", self.rolls, self.value)
    }
}

impl Rule for BoundedRolls {
    type State = BoundedState;

    fn start(&self) -> Step<BoundedState> {
        if self.moduli.len() == 1 {
            return Step::Output(BigUint::zero());
        }
        Step::Roll(BoundedState {
            rolls: 0,
            value: BigUint::zero(),
        })
    }

    fn step(&self, at: &BoundedState, face: u64) -> Step<BoundedState> {
        let rolls = at.rolls + 1;
        let value = (&at.value * self.source + face) % &self.moduli[rolls];
        if rolls + 1 == self.moduli.len() {
            return Step::Output(value);
        }
        Step::Roll(BoundedState { rolls, value })
    }
}

impl RuleInfo for BoundedRolls {
    const ABOUT: About = About {
        id: "bounded",
        name: "Bounded simulation",
        citation: "Kloeckner 2008; Vitez, \"Die Simulation\"",
        memory: Memory::OneAttempt { effort: 10 },
        bounded: "always, but only possible if every prime factor of n divides m",
        rule: "roll k dice, k the least for which n divides m^k; read them in base m and take the remainder modulo n",
        law: "always k rolls, k the least with n dividing m^k: E = k",
    };
    const PSEUDOCODE: &'static [&'static str] = &[
        "k = the least integer such that n divides m^k",
        "x = 0; k times: x = m x + roll()",
        "return x mod n",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        let (m, n) = (dice.m, dice.n);
        let rolls = bounded_rolls(m, n).map_err(|missing| {
            let (source, unit) = (task.source().with_article(), task.source().unit().plural());
            let power = short(&task.source().sides());
            Refusal::Rule(format!(
                "a d{} cannot be made from {source} in a bounded number of {unit}: {} divides no power of {power}",
                short(n),
                short(&missing)
            ))
        })?;
        check_block_bits(dice.n, bits_of_face(dice.m), rolls)?;
        let mut moduli = vec![n.clone()];
        for _ in 0..rolls {
            let after: &BigUint = moduli.last().expect("never empty");
            moduli.push(after / order::gcd_with_word(m, after));
        }
        moduli.reverse();
        Ok(BoundedRolls { source: m, moduli })
    }

    fn closed_law(&self) -> Option<Law> {
        let m = BigUint::from(self.source);
        let alive = (0..self.moduli.len() as u32 - 1).map(|t| m.pow(t));
        Some(Blocks::new(self.source, Vec::new(), alive.collect(), Vec::new()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::*;
    use crate::task::Task;
    use flipcost_number::factor::factor;

    #[test]
    fn dice_that_a_d6_can_make() {
        // Vitez: from a d6, d2 and d3 take 1 roll, d4 and d9 take 2, and d5 is impossible
        let rolls = [2u32, 3, 4, 9, 12, 5].map(|n| bounded_rolls(6, &n.into()));
        assert_eq!(rolls, [Ok(1), Ok(1), Ok(2), Ok(2), Ok(2), Err(5u8.into())]);
        let Err(why) = RuleEntry::<BoundedRolls>::NEW
            .prepare(&Task::die(5u8, Source::die(6u8).unwrap()).unwrap())
        else {
            panic!("a d5 from a d6")
        };
        assert_eq!(
            why.to_string(),
            "a d5 cannot be made from a d6 in a bounded number of rolls: 5 divides no power of 6"
        );
    }

    #[test]
    fn the_formula_and_the_least_power() {
        for m in 2u64..=40 {
            let of_m = factor(m);
            for n in 2u64..=200 {
                let exponents = factor(n).into_iter().map(|(q, v)| {
                    let own = of_m.iter().find(|(p, _)| *p == q).ok_or(q)?.1;
                    Ok(v.div_ceil(own) as u64)
                });
                let formula: Result<Vec<u64>, u64> = exponents.collect();
                let formula = formula
                    .map(|ks| ks.into_iter().max().unwrap())
                    .map_err(BigUint::from);
                assert_eq!(
                    bounded_rolls(m.into(), &n.into()),
                    formula,
                    "m = {m}, n = {n}"
                );
            }
        }
    }
}
