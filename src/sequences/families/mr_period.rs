//! Period length of the base-{base} MR-expansion of 1/n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "mr-period",
    parameters: BASE,
    listed: &[
        ("base=2", "A136043"),
        ("base=3", "A158379"),
        ("base=4", ""),
        ("base=5", ""),
        ("base=6", ""),
        ("base=10", ""),
    ],
    title: "Period length of the base-{base} MR-expansion of 1/n",
    definition: "Sum of the digits in one period of the never-ending expansion of 1/n in base {base}, so {base-1} for divisors of powers of {base}: 1 = 0.ddd... with d = {base-1}",
    comments: &[
        "The base-m MR-expansion of x > 0 has the terms s(i) = least d >= 0 with m^d*x(i) > 1, where x(1) = x and x(i+1) = m^d*x(i) - 1. A digit d of x gives d terms, so the period is the sum of the digits",
    ],
    formulas: &[
        "If -1 is a power of {base} modulo the part of n coprime to {base}, and that is above 2, digits half a period apart add up to {base-1}, and a(n) = {base-1}*p/2, p the period of 1/n in base {base}",
    ],
    examples: &["MR(1/29, 2) repeats 5, 4, 1, 2, 3, 1, 1, 1, 2, 1, 1, 3, 2, 1, so a(29) = 14."],
    see: &["A136042", "A007733"],
    keywords: &["base", "easy"],
    pari: "a(n) = my(m={base}, g=n, x=1, h, r=0); while((h=gcd(g,m))>1, g /= h; x = x*m%n); if(g==1, return(m-1)); for(i=1, znorder(Mod(m,g)), r += x*m\\n; x = x*m%n); r;",
    python: "from fractions import Fraction\ndef a(n):\n    x, seen = Fraction(1, n), []\n    while x not in seen:\n        seen.append(x)\n        while x <= 1: x *= {base}\n        x -= 1\n    return len(seen) - seen.index(x)",
    work: Work::Rounds,
    rule: |a, range| match a.number("base") {
        2 => rules::rounds_of(2, range, 1),
        base => from_digits(base, range, |n, orbit| rounds::mr_period(base, n, orbit)),
    },
    ..BLANK
};
