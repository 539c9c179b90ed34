//! Masked words: draw enough words for k bits, and draw all of them again until the k bits make a
//! number below n.
//!
//! With k = ceil(log2 n), an attempt draws c = ceil(k / w) words of w bits: E = c 2^k / n words.
//! Libraries use this rule for numbers longer than a word.
//!
//! **Source.** Go, crypto/rand.Int (bytes); GMP, mpz_urandomm (words of 32 bits).

use super::attempt::{Attempt, Map, attempt_algorithm, bits_of_word};
use super::{About, Memory};
use flipcost_number::BigUint;
use num_traits::One;

attempt_algorithm!(
    BitmaskWords,
    About {
        id: "bitmask-words",
        name: "Words under a mask",
        citation: "Go, crypto/rand.Int",
        memory: Memory::OneAttempt { effort: 4 },
        bounded: "if n is a power of two",
        rule: "draw as many words as hold k bits, k = ceil(log2 n), and keep k bits; if they make n or more, draw all words again",
        law: "c = ceil(k / w) words of w bits, accepted together with probability n / 2^k: E = c 2^k / n",
    },
    &[
        "k = the least integer with 2^k >= n, c = the least number of words with k bits or more",
        "repeat:",
        "    x = 0; c times: x = m x + roll()",
        "    x = x mod 2^k",
        "    if x < n: return x",
    ],
    |m, n| bits_of_word(&m).and_then(|width| {
        let k = (n - 1u8).bits();
        let words = k.div_ceil(width);
        super::block::check_block_bits(n, width, n.bits() / width + 1).map(|()| Attempt {
            words: words as u32,
            values: BigUint::one() << k,
            ..Attempt::of_word(m, n, Map::Below)
        })
    })
);
