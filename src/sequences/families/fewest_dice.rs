//! The fewest of the usual dice that, thrown once, decide fairly among n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "fewest-dice",
    listed: &[("", "")],
    title: "Least number of factors, each of them 4, 6, 8, 10, 12 or 20, whose product n divides, or -1 if there is no such product",
    definition: "Fewest dice with 4, 6, 8, 10, 12 or 20 sides, several of a kind allowed, that thrown once decide fairly among n, or -1 if no number of them does",
    comments: &[
        "n outcomes can be equally likely among the p results of a throw iff n divides p",
        "a(n) >= 0 iff n is 5-smooth (A051037)",
    ],
    formulas: &[
        "a(2^i*3^j*5^k) = j + k + max(0, ceiling((i - 2*(j+k))/3)): a factor brings one 3 at most (12, with 2^2) or one 5 (20, with 2^2), never both, and 8 brings most factors 2 of those without",
    ],
    examples: &["96 = 12*8, so a(96) = 2; 7 divides no such product, so a(7) = -1."],
    see: &["A051037"],
    pari: "a(n) = my(i=valuation(n,2), b=valuation(n,3)+valuation(n,5)); if(n != 2^i*3^valuation(n,3)*5^valuation(n,5), -1, b + max(0, ceil((i-2*b)/3)));",
    python: "def a(n):\n    e = [0, 0]\n    for p, k in (2, 0), (3, 1), (5, 1):\n        while n % p == 0: n, e[k] = n // p, e[k] + 1\n    return e[1] + max(0, -((2 * e[1] - e[0]) // 3)) if n == 1 else -1",
    rule: |_, range| each(range, rules::fewest_dice),
    ..BLANK
};
