//! Lemire's multiplication: the high half of the product of a word and n is the outcome; the low
//! half decides whether the word is accepted.
//!
//! A word x of m values gives floor(x n / m), unless x n mod m < m mod n. The m mod n rejected
//! values are spread among the outcomes, so that each outcome keeps floor(m / n) words: E = m /
//! (m - m mod n). A library first compares the low half with n, and divides only if it is smaller;
//! this does not change which words are accepted.
//!
//! **Source.** Lemire 2019, Fast Random Integer Generation in an Interval, arXiv 1805.10941.

use super::attempt::{Attempt, Map, attempt_algorithm, require_one_word};
use super::{About, Memory};

attempt_algorithm!(
    Lemire,
    About {
        id: "lemire",
        name: "Multiplication (Lemire)",
        citation: "Lemire 2019",
        memory: Memory::OneAttempt { effort: 3 },
        bounded: "if n divides m",
        rule: "multiply a word by n: the high half is the outcome, unless the low half is below m mod n; then draw another word",
        law: "one word, accepted with probability a / m, a the largest multiple of n up to m: E = m / a",
    },
    &[
        "repeat:",
        "    p = roll() n",
        "    if p mod m >= m mod n: return floor(p / m)",
    ],
    |m, n| require_one_word(&m, n).map(|()| Attempt::of_word(m, n, Map::Product))
);
