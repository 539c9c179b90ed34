//! Mask and reject: draw a word and keep k of its bits, again and again until their value is below
//! n.
//!
//! Here k = ceil(log2 n), and the other bits of the word are discarded: E = 2^k / n words, fewer
//! than two.
//!
//! **Source.** Apple, arc4random_uniform (the bitmask variant); NumPy's masked rejection.

use super::attempt::{Attempt, Map, attempt_algorithm, bits_of_word, require_one_word};
use super::{About, Memory};
use flipcost_number::BigUint;
use num_traits::One;

attempt_algorithm!(
    MaskReject,
    About {
        id: "mask-reject",
        name: "Mask and reject",
        citation: "NumPy, masked rejection",
        memory: Memory::OneAttempt { effort: 1 },
        bounded: "if n is a power of two",
        rule: "draw a word and keep k bits of it, k = ceil(log2 n); if they make n or more, draw another word",
        law: "one word, accepted with probability n / 2^k: E = 2^k / n",
    },
    &[
        "k = the least integer with 2^k >= n",
        "repeat:",
        "    x = roll() mod 2^k",
        "    if x < n: return x",
    ],
    |m, n| require_one_word(&m, n)
        .and_then(|()| bits_of_word(&m))
        .map(|_| Attempt {
            values: BigUint::one() << (n - 1u8).bits(),
            ..Attempt::of_word(m, n, Map::Below)
        })
);
