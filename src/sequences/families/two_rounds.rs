//! Odd numbers n with two rounds in the cycle of the flow chart for a coin.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "two-rounds",
    listed: &[("", "")],
    title: "Odd numbers n such that one period of the binary expansion of 1/n has exactly 2 digits 1",
    definition: "Odd numbers n with A136043(n) = 2: the flow chart of the fast dice roller (Lumbroso 2013) for a fair die with n sides and a coin has 2 rounds in its cycle",
    comments: &[
        "Even numbers are left out because A136043(2*n) = A136043(n)",
        "The odd numbers n with A136043(n) = 1 are those of A000225 without 0",
    ],
    formulas: &[
        "The terms are the numbers (2^(2*j*k)-1)/(2^j+1), j >= 1, k >= 2. If 2^p-1 is the least such number that n divides, (2^p-1)/n is odd with two digits 1, so it is 2^j+1, which divides 2^p-1 iff p is a multiple of 2*j. Conversely such an n > 2^(j*k) has the order p = 2*j*k, because a smaller one is at most j*k; for k = 1 it is 2^j-1, with one digit 1",
    ],
    examples: &["1/5 = 0.001100110011..., with two digits 1 in the period 0011, so 5 is a term."],
    see: &["A000225", "A007733", "A136043", "A179382"],
    keywords: &["base", "easy"],
    pari: "a(n) = my(t=List(), b=0); until(#t>=n, b++; t=List(); for(j=1, 2*b, for(k=2, (b+j)\\(2*j), listput(t, (2^(2*j*k)-1)/(2^j+1))))); vecsort(Vec(t))[n];",
    python: "def a(n):\n    b, t = 0, []\n    while len(t) < n:\n        b += 1\n        t = [(4**(j*k) - 1) // (2**j + 1) for j in range(1, b + 1) for k in range(2, (b + j) // (2 * j) + 1)]\n    return sorted(t)[n - 1]",
    work: Work::Long,
    rule: |_, range| {
        rules::in_memory(&range)?;
        Ok(rules::two_rounds(range))
    },
    ..BLANK
};
