//! Modulo with rejection: accept words below the largest multiple of n, and take the remainder.
//!
//! A word x of m values below a = n floor(m / n) gives x mod n; the other m mod n values are drawn
//! again: E = m / a. It is base conversion with one word. Libraries write the condition as a lower
//! or an upper limit, or as a test for an overflow.
//!
//! **Source.** OpenBSD, arc4random_uniform; Java, Random.nextInt; and most others.

use super::attempt::{Attempt, Map, attempt_algorithm, require_one_word};
use super::{About, Memory};

attempt_algorithm!(
    ModuloReject,
    About {
        id: "modulo-reject",
        name: "Modulo with rejection",
        citation: "OpenBSD, arc4random_uniform",
        memory: Memory::OneAttempt { effort: 2 },
        bounded: "if n divides m",
        rule: "draw a word; if it is below the largest multiple of n, take its remainder modulo n, else draw another word",
        law: "one word, accepted with probability a / m, a the largest multiple of n up to m: E = m / a",
    },
    &[
        "a = n floor(m / n)",
        "repeat:",
        "    x = roll()",
        "    if x < a: return x mod n",
    ],
    |m, n| require_one_word(&m, n).map(|()| {
        let map = Map::largest_multiple(&m, n);
        Attempt::of_word(m, n, map)
    })
);
