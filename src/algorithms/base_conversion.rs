//! Base conversion: read k source rolls as a number in base m, and take it modulo n.
//!
//! With k the least number for which m^k >= n, values below a = floor(m^k / n) n are accepted: E =
//! k m^k / a. (The source below exchanges n and m in two places; what is meant is that a is a
//! multiple of n and at most m^k.)
//!
//! **Source.** "Simulating Dice" (2022).

use super::block::{Block, block_algorithm};
use super::{About, Memory};
use flipcost_number::order::ceil_log;

block_algorithm!(
    BaseConversion,
    About {
        id: "base-conversion",
        name: "Base conversion",
        citation: "\"Simulating Dice\" (2022)",
        memory: Memory::OneAttempt { effort: 7 },
        bounded: "if n divides m^k, k the least with m^k >= n",
        rule: "roll k dice, k the least with m^k >= n; if the value is below the largest multiple of n, take it modulo n, else start again",
        law: "blocks of k rolls, k the least with m^k >= n, accepted with probability a / m^k, a = floor(m^k / n) n: E = k m^k / a",
    },
    &[
        "k = the least integer with m^k >= n, a = n floor(m^k / n)",
        "repeat:",
        "    x = 0; k times: x = m x + roll()",
        "    if x < a: return x mod n",
    ],
    |dice| {
        let k = ceil_log(dice.m, dice.n);
        Block::new(dice, k, Block::largest_multiple(dice, k), false)
    }
);
