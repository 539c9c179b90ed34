//! Base conversion with early discard: a block stops as soon as every continuation of it would be
//! rejected.
//!
//! With a = floor(m^k / n) n, a prefix of t rolls continues while it is below ceil(a / m^(k-t)), so
//! a block takes B = sum_{t<k} ceil(a / m^(k-t)) / m^t rolls on average, and E = B m^k / a.
//!
//! **Source.** "Simulating Dice" (2022).

use super::block::{Block, block_algorithm};
use super::{About, Memory};
use flipcost_number::order::ceil_log;

block_algorithm!(
    BaseConversionEarly,
    About {
        id: "base-conversion-early",
        name: "Base conversion, early discard",
        citation: "\"Simulating Dice\" (2022)",
        memory: Memory::OneAttempt { effort: 8 },
        bounded: "if n divides m^k, k the least with m^k >= n",
        rule: "base conversion, but a block stops as soon as it can only be rejected",
        law: "as base-conversion, but a block ends once its prefix can only be rejected: E = B m^k / a, B = sum of ceil(a / m^(k-t)) / m^t over t < k",
    },
    &[
        "k = the least integer with m^k >= n, a = n floor(m^k / n)",
        "repeat:",
        "    x = 0",
        "    for j = k - 1 down to 0:",
        "        x = m x + roll()",
        "        if x m^j >= a: start again",
        "    return x mod n",
    ],
    |dice| {
        let k = ceil_log(dice.m, dice.n);
        Block::new(dice, k, Block::largest_multiple(dice, k), true)
    }
);

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::task::{Source, Task};
    use flipcost_number::Rational;

    #[test]
    fn the_published_costs() {
        // "Simulating Dice": a d6 from a coin costs 4 (with early discard 11/3), a d6 from a d4
        // 7/3, and a d5 from a coin 22/5.
        for (id, m, n, p, q) in [
            ("base-conversion", 2u64, 6u64, 4, 1),
            ("base-conversion-early", 2, 6, 11, 3),
            ("base-conversion-early", 4, 6, 7, 3),
            ("base-conversion-early", 2, 5, 22, 5),
        ] {
            let law = find(id)
                .unwrap()
                .prepare(&Task::die(n, Source::die(m).unwrap()).unwrap())
                .unwrap()
                .law()
                .unwrap();
            assert_eq!(
                law.mean().unwrap(),
                Rational::new(p.into(), q.into()),
                "{id} {m} {n}"
            );
        }
    }
}
