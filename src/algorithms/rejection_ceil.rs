//! Rejection with the shortest blocks: k rolls, where k is the least number with m^k >= n; a value
//! below n is accepted.
//!
//! E = k m^k / n. If n is a power of m, no block is rejected.

use super::block::{Block, block_algorithm};
use super::{About, Memory};
use flipcost_number::order::ceil_log;

block_algorithm!(
    RejectionCeil,
    About {
        id: "rejection-ceil",
        name: "Rejection (ceiling of the logarithm)",
        citation: "folklore; von Neumann 1951",
        memory: Memory::OneAttempt { effort: 5 },
        bounded: "if n is a power of m",
        rule: "roll k dice, k the least with m^k >= n; keep a value below n, else start again",
        law: "blocks of k rolls, k the least with m^k >= n, each accepted with probability n / m^k: E = k m^k / n",
    },
    &[
        "k = the least integer with m^k >= n",
        "repeat:",
        "    x = 0; k times: x = m x + roll()",
        "    if x < n: return x",
    ],
    |dice| Block::new(dice, ceil_log(dice.m, dice.n), dice.n.clone(), false),
    wide_words: of_wide_words,
    rejection_with_a_coin: |n| n.next_power_of_two().trailing_zeros()
);
