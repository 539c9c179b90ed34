//! Base-{base} MR-expansion of {x}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "mr",
    parameters: &[
        parameter("x", "1/29", ParameterKind::Real),
        parameter("base", "2", ParameterKind::Source),
    ],
    listed: &[
        ("x=1/29", "A136042"),
        ("x=e", "A136044"),
        ("x=pi", ""),
        ("x=sqrt(2)", ""),
        ("x=ln(2)", ""),
    ],
    title: "Base-{base} MR-expansion of {x}",
    definition: "With x(1) = {x}, a(n) is the least d >= 0 with {base}^d*x(n) > 1, and x(n+1) = {base}^d*x(n) - 1",
    comments: &[
        "{coin}The sums a(1), a(1)+a(2), ... are the places of the 1 bits of {x} after the point, once the terms 0 have taken away what is above 1",
    ],
    examples: &[
        "32/29 > 1 >= 16/29, so a(1) = 5; then x(2) = 3/29 and 48/29 > 1 >= 24/29, so a(2) = 4.",
    ],
    see: &["A136043"],
    keywords: &["base"],
    pari: "default(realprecision, 1000); e = exp(1); pi = Pi; ln(y) = log(y);\na(n) = my(y={x}, d); for(i=1, n, d=0; while(y<=1, y *= {base}; d++); y--); d;",
    python: "import re\nfrom decimal import Decimal as D, getcontext\ngetcontext().prec = 1000\ndef atan(q): return sum(D((-1)**k) / ((2*k + 1) * D(q)**(2*k + 1)) for k in range(750))\ne, pi, ln, sqrt = D(1).exp(), 16*atan(5) - 4*atan(239), D.ln, D.sqrt\ndef a(n):\n    x = eval(re.sub(r'\\d+', r'D(\\g<0>)', '{x}'))\n    for i in range(n):\n        d = 0\n        while x <= 1: x, d = x * {base}, d + 1\n        x -= 1\n    return d",
    work: Work::List,
    rule: rules::mr_terms,
    ..BLANK
};
