//! Multiplicative order of {base} modulo {step}n+1.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "order",
    parameters: &[
        parameter("base", "2", ParameterKind::Source),
        parameter("step", "2", ParameterKind::Step),
    ],
    listed: &[
        ("base=2,step=2", "A002326"),
        ("base=3,step=3", "A003571"),
        ("base=4,step=2", "A053447"),
    ],
    offset: 0,
    title: "Multiplicative order of {base} modulo {step}n+1",
    definition: "Least p > 0 with {base}^p == 1 (mod {step}n+1)",
    comments: &[
        "Also the rolls in the cycle of the flow chart that rolls a fair die with {step}n+1 sides with a {base}-sided one",
    ],
    examples: &["2^3 = 8 == 1 (mod 7), so a(3) = 3."],
    see: &["A007733"],
    pari: "a(n) = znorder(Mod({base},{step}*n+1));",
    python: "def a(n):\n    k = {step} * n + 1\n    p, x = 1, {base} % k\n    while x != 1 % k: p, x = p + 1, x * {base} % k\n    return p",
    work: Work::Sieve,
    rule: |a, range| rules::orders_in_progression(a.number("base"), a.number("step"), range),
    ..BLANK
};
