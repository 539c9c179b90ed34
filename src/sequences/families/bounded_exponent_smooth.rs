//! Maximal exponent in the prime factorization of the 3-smooth numbers.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "bounded-exponent-smooth",
    listed: &[("", "A086415")],
    title: "Maximal exponent in the prime factorization of the 3-smooth numbers",
    definition: "max(i, j) over the numbers 2^i*3^j in order: the least k such that the n-th of them divides 6^k, the rolls of a six-sided die that roll it for certain",
    examples: &[
        "The 3-smooth numbers are 1, 2, 3, 4, 6, 8, 9, 12, ...; 12 = 2^2*3 divides 6^2, so a(8) = 2.",
    ],
    see: &["Cf. A003586 (3-smooth numbers)"],
    pari: "a(n) = my(k=0); while(n, k++; if(k == 2^valuation(k,2)*3^valuation(k,3), n--)); max(valuation(k,2), valuation(k,3));",
    python: "def a(n):\n    s = sorted((2**i * 3**j, max(i, j)) for i in range(2 * n) for j in range(n))\n    return s[n - 1][1]",
    work: Work::List,
    rule: |_, range| rules::exponents_of_smooth_numbers(range),
    ..BLANK
};
