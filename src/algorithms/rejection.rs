//! Rejection with bit-length blocks, like CPython's `random._randbelow`.
//!
//! Draw as many rolls as n has digits in base m (k = bit_length(n) for a coin), and accept a value
//! below n; otherwise start again: E = k m^k / n. Since k is the length of n and not of n - 1, a
//! power of m is accepted only with probability 1/m, and n = 1 takes blocks of one roll (E = 2
//! flips).
//!
//! **Source.** CPython, Lib/random.py, `Random._randbelow_with_getrandbits`.

use super::block::{Block, block_algorithm};
use super::{About, Memory};
use flipcost_number::order::ceil_log;

block_algorithm!(
    Rejection,
    About {
        id: "rejection",
        name: "Rejection (bit length)",
        citation: "CPython, Lib/random.py (_randbelow)",
        memory: Memory::OneAttempt { effort: 9 },
        bounded: "never",
        rule: "roll as many digits as n has in base m; keep a value below n, else start again",
        law: "blocks of k rolls, k the digits of n in base m, each accepted with probability n / m^k: E = k m^k / n",
    },
    &[
        "k = the digits of n in base m",
        "repeat:",
        "    x = 0; k times: x = m x + roll()",
        "    if x < n: return x",
    ],
    |dice| Block::new(
        dice,
        ceil_log(dice.m, &(dice.n + 1u8)),
        dice.n.clone(),
        false
    ),
    rejection_with_a_coin: |n| u64::BITS - n.leading_zeros()
);

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::Rejection;
    use crate::task::{Source, Task};
    use flipcost_number::Rational;

    #[test]
    fn the_formula_of_cpython() {
        for n in 1u64..500 {
            let k = 64 - n.leading_zeros() as u64;
            let law = RuleEntry::<Rejection>::NEW
                .prepare(&Task::die(n, Source::COIN).unwrap())
                .unwrap()
                .law()
                .unwrap();
            assert_eq!(
                law.mean().unwrap(),
                Rational::new((k << k).into(), n.into())
            );
        }
    }
}
