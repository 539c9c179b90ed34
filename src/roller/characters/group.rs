//! The odd characters of (Z/n)* with value 1 at 2, in cycles of powers of one character.

use num_integer::{gcd, lcm};

use super::symbols::Logarithms;

/// The largest supported index of the group of powers of 2, for which logarithms fit in bytes.
const MAX_INDEX: u64 = 255;
/// The largest supported order of a character, for which sums of two logarithms fit in bytes.
pub(super) const MAX_ORDER: u32 = 128;
/// The maximum number of products of characters modulo primes that are tried.
const MAX_PRODUCTS: u64 = 1 << 13;

/// A cycle of characters: the powers chi^u, u odd, of one primitive odd character chi with chi(2) =
/// 1.
pub(super) struct Cycle {
    pub(super) conductor: u64,
    /// the order of chi
    pub(super) order: u32,
    /// the primes of the conductor, each with a weight: chi(x) = e^(2 pi i v / order), where v is
    /// the sum over these primes of the weight times the logarithm of x
    pub(super) weights: Vec<(usize, u32)>,
    /// The exponents u < order/2 that contribute; each also stands for its conjugate (which may be
    /// the same). For these, chi^u has the same conductor, and 1 - chi^u(q) is not 0 for the primes
    /// q of n outside the conductor.
    pub(super) units: Vec<u32>,
    /// the logarithms v of the primes q of n outside the conductor
    pub(super) outside: Vec<u32>,
}

/// The odd characters of n with value 1 at 2.
pub(super) struct CharacterGroup {
    /// the logarithms modulo the prime powers that are needed
    pub(super) locals: Vec<Logarithms>,
    pub(super) cycles: Vec<Cycle>,
}

impl Cycle {
    /// The exponent v of chi(x) = e^(2 pi i v / order), given the logarithms of x.
    pub(super) fn value(&self, logarithm: impl Fn(usize) -> u32) -> u32 {
        let sum: u32 = self
            .weights
            .iter()
            .map(|&(local, weight)| weight * logarithm(local))
            .sum();
        sum % self.order
    }
}

impl CharacterGroup {
    /// Finds the characters for an odd n, given the index of the group of powers of 2 in (Z/n)*.
    /// Returns `None` if there are too many products to try.
    pub(super) fn new(factors: &[(u64, u32)], index: u64) -> Option<CharacterGroup> {
        if index > MAX_INDEX {
            return None;
        }
        let mut locals: Vec<(u32, u64, u32)> = (factors.iter())
            .map(|&(q, k)| (gcd(index, (q - 1) * q.pow(k - 1)) as u32, q, k))
            .filter(|&(order, ..)| order > 1)
            .collect();
        locals.sort_unstable();
        let orders = locals
            .iter()
            .rev()
            .skip(1)
            .map(|&(order, ..)| u64::from(order));
        if orders.product::<u64>() > MAX_PRODUCTS {
            return None;
        }
        let locals: Vec<Logarithms> = (locals.into_iter())
            .map(|(order, q, k)| Logarithms::new(q, k, order))
            .collect();
        let odd = odd_characters(&locals);
        if odd.first().is_some_and(|(order, _)| *order > MAX_ORDER) {
            return None;
        }
        let conductor = |character: &[u8]| -> u64 {
            let parts = character.iter().zip(&locals);
            parts.map(|(&c, local)| local.conductor(c.into())).product()
        };
        let mut cycles = Vec::new();
        let mut done = vec![false; odd.len()];
        for i in 0..odd.len() {
            if done[i] {
                continue;
            }
            let (order, character) = &odd[i];
            let mut cycle = Cycle {
                conductor: conductor(character),
                order: *order,
                weights: (character.iter().zip(&locals).enumerate())
                    .filter(|(_, (c, _))| **c != 0)
                    .map(|(i, (&c, local))| (i, order * u32::from(c) / local.order()))
                    .collect(),
                units: Vec::new(),
                outside: Vec::new(),
            };
            for u in (1..*order).step_by(2) {
                let power: Vec<u8> = (character.iter().zip(&locals))
                    .map(|(&c, local)| (u32::from(c) * u % local.order()) as u8)
                    .collect();
                if conductor(&power) != cycle.conductor {
                    continue;
                }
                // The order of the power is at most that of the character, so the power does not
                // come earlier in the list.
                let at = odd[i..].iter().position(|(_, other)| *other == power);
                let at = i + at.expect("a power of a character is one");
                if !std::mem::replace(&mut done[at], true) && 2 * u <= *order {
                    cycle.units.push(u);
                }
            }
            cycle.outside = (factors.iter().map(|&(q, _)| q))
                .filter(|q| !cycle.conductor.is_multiple_of(*q))
                .map(|q| cycle.value(|i| locals[i].logarithm(q)))
                .collect();
            let vanishes = |&u: &u32| cycle.outside.iter().any(|v| (u * v).is_multiple_of(*order));
            let units = std::mem::take(&mut cycle.units);
            cycle.units = units.into_iter().filter(|u| !vanishes(u)).collect();
            if !cycle.units.is_empty() {
                cycles.push(cycle);
            }
        }
        Some(CharacterGroup { locals, cycles })
    }
}

/// The odd characters with value 1 at 2 and their orders, the largest order first. A character is
/// given by the numbers c, one for each prime q, with chi(x) = e^(2 pi i c log(x) / d).
fn odd_characters(locals: &[Logarithms]) -> Vec<(u32, Vec<u8>)> {
    let all = locals.iter().map(Logarithms::order).fold(1, lcm);
    let steps = |x: &dyn Fn(&Logarithms) -> u64| -> Vec<u32> {
        let step = |local: &Logarithms| local.logarithm(x(local)) * (all / local.order()) % all;
        locals.iter().map(step).collect()
    };
    let Some(last) = locals.len().checked_sub(1) else {
        return Vec::new();
    };
    let (two, minus) = (steps(&|_| 2), steps(&|local| local.modulus() - 1));
    // The values of c for the last prime, grouped by the value at 2.
    let mut by_value = vec![Vec::new(); all as usize];
    for c in 0..locals[last].order() {
        by_value[(c * two[last] % all) as usize].push(c as u8);
    }
    let mut found = Vec::new();
    let mut character = vec![0u8; locals.len()];
    loop {
        let value = |steps: &[u32]| {
            let terms = character[..last].iter().zip(steps);
            terms.map(|(&c, step)| u32::from(c) * step).sum::<u32>() % all
        };
        let (at_two, sign) = (value(&two), value(&minus));
        for &c in &by_value[((all - at_two) % all) as usize] {
            if (sign + u32::from(c) * minus[last]) % all != 0 {
                character[last] = c;
                let order = (character.iter().zip(locals))
                    .map(|(&c, local)| local.order() / gcd(local.order(), u32::from(c)))
                    .fold(1, lcm);
                found.push((order, character.clone()));
            }
        }
        // Go to the next combination.
        let mut i = 0;
        while i < last && u32::from(character[i]) + 1 == locals[i].order() {
            character[i] = 0;
            i += 1;
        }
        if i == last {
            break;
        }
        character[i] += 1;
    }
    found.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
    found
}
