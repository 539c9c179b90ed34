//! ceiling(log2 n).

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "least-flips",
    listed: &[("", "A029837")],
    title: "ceiling(log2 n)",
    definition: "The least flips that roll a fair n-sided die, and floor(E(n)), E(n) the expected flips of the optimal algorithm",
    comments: &[
        "E(n) = a(n) + r*nu(x) with r = n/2^a(n), x = 1/r - 1 in [0, 1) and nu(x) the sum of t*b(t)/2^t over the binary digits of x. It is at most 1 + x, so E(n) < a(n) + 1 where x > 0",
    ],
    examples: &["2^2 < 6 <= 2^3, so a(6) = 3; E(6) = 11/3."],
    see: &["A070939"],
    pari: "a(n) = my(k=0); while(2^k<n, k++); k;",
    python: "def a(n): return (n - 1).bit_length()",
    rule: |_, range| each(range, |n| u64::BITS - (n - 1).leading_zeros()),
    ..BLANK
};
