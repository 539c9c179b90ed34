//! The registry: one entry per family of sequences.

use super::rules::{self, each, from_orbits, members};
use super::{Family, Kind, Parameter, Work, rounds};
use crate::algorithms::{FastDiceRoller, Rule};
use crate::number::order;
use crate::number::{BigInt, Rational};

/// An entry that says nothing yet.
const BLANK: Family = Family {
    id: "",
    parameters: &[],
    listed: &[],
    offset: 1,
    title: "",
    definition: "",
    comments: &[],
    formulas: &[],
    examples: &[],
    see: &[],
    keywords: &["easy"],
    pari: "",
    python: "",
    practical: None,
    work: Work::Index,
    rule: |_, _| Ok(Vec::new()),
};

const fn parameter(name: &'static str, default: &'static str, kind: Kind) -> Parameter {
    Parameter {
        name,
        default,
        kind,
    }
}

const SOURCE: &[Parameter] = &[parameter("source", "2", Kind::Source)];
const BASE: &[Parameter] = &[parameter("base", "2", Kind::Source)];
const MOMENT: &[Parameter] = &[
    parameter("algorithm", FastDiceRoller::ABOUT.id, Kind::Algorithm),
    parameter("source", "2", Kind::Source),
];
const MOMENTS: &[(&str, &str)] = &[
    ("source=2", ""),
    ("source=3", ""),
    ("source=6", ""),
    ("source=10", ""),
];
const FOUR_SOURCES: &[(&str, &str)] = MOMENTS;

const CHART: &str = "The flow chart of the fast dice roller (Lumbroso 2013) for a fair die with n sides: v = 1; a round multiplies v by {source}, once per roll of a die with {source} sides, until v >= n, outputs with probability (v - v mod n)/v, and else goes on with v mod n. After t rolls v is {source}^t mod n, so the chart ends in a cycle unless n divides a power of {source}";

/// The numerator or the denominator of the mean or the variance, in both languages.
macro_rules! moment_programs {
    ($part_pari:literal, $part_python:literal, mean) => {
        moment_programs!(@ $part_pari, $part_python, "s", "s")
    };
    ($part_pari:literal, $part_python:literal, variance) => {
        moment_programs!(@ $part_pari, $part_python, "q - s^2", "q - s * s")
    };
    (@ $part_pari:literal, $part_python:literal, $value_pari:literal, $value_python:literal) => {
        (
            concat!(
                "a(n) = {my(m={source}, x=1%n, g=n, s=0, q=0, c=0, d=0, w=1, t=0, h, p, f);\n",
                "  while((h=gcd(g,m))>1, s += x*w; q += (2*t+1)*x*w; x = x*m%n; w /= m; t++; g /= h);\n",
                "  p = znorder(Mod(m,g));\n",
                "  for(i=1, p, c += x*w; d += (2*t+1)*x*w; x = x*m%n; w /= m; t++);\n",
                "  f = 1/(1-1/m^p); s += c*f; q += d*f + 2*p*c*f^2/m^p;\n  ",
                $part_pari, "(", $value_pari, ");}"
            ),
            concat!(
                "from math import gcd\nfrom fractions import Fraction\ndef a(n):\n    m, x, g, t = {source}, 1 % n, n, 0\n",
                "    s = q = c = d = Fraction(0)\n    w = Fraction(1)\n    while gcd(g, m) > 1:\n",
                "        s, q = s + x * w, q + (2 * t + 1) * x * w\n        x, w, t, g = x * m % n, w / m, t + 1, g // gcd(g, m)\n",
                "    first, start = x, t\n    while True:\n        c, d = c + x * w, d + (2 * t + 1) * x * w\n",
                "        x, w, t = x * m % n, w / m, t + 1\n        if x == first: break\n",
                "    p = t - start\n    f = 1 / (1 - Fraction(1, m ** p))\n",
                "    s, q = s + c * f, q + d * f + 2 * p * c * f * f / m ** p\n    return (", $value_python, ").", $part_python
            ),
        )
    };
}

const MEAN_TOP: (&str, &str) = moment_programs!("numerator", "numerator", mean);
const MEAN_BOTTOM: (&str, &str) = moment_programs!("denominator", "denominator", mean);
const VARIANCE_TOP: (&str, &str) = moment_programs!("numerator", "numerator", variance);
const VARIANCE_BOTTOM: (&str, &str) = moment_programs!("denominator", "denominator", variance);

/// Programs that walk the flow chart until a v returns; the argument says what of it is the term.
/// In them b and r are the rolls and rounds before the cycle, v is its first v (0 if there is
/// none), p and c are the rolls and rounds in it.
macro_rules! chart_programs {
    ($value:literal) => {
        (
            concat!(
                "a(n) = {my(m={source}, V=List(), B=List(), v=1%n, b=0, i=0, p=0, r, c=0);\n",
                "  while(v && !i, listput(V,v); listput(B,b); while(v<n, v *= m; b++); v %= n;\n",
                "    for(j=1, #V, if(V[j]==v, i=j; break)));\n",
                "  if(v, r = i-1; c = #V-r; p = b-B[i]; b = B[i], r = #V);\n  ",
                $value,
                ";}"
            ),
            concat!(
                "def a(n):\n    m, V, B, v, b = {source}, [], [], 1 % n, 0\n",
                "    while v and v not in V:\n        V.append(v)\n        B.append(b)\n",
                "        while v < n: v, b = v * m, b + 1\n        v %= n\n",
                "    r, c, p = len(V), 0, 0\n",
                "    if v:\n        r = V.index(v)\n        c, p, b = len(V) - r, b - B[r], B[r]\n    return ",
                $value
            ),
        )
    };
}

const ROUNDS_ZERO: (&str, &str) = chart_programs!("c");
const ROLLS_BEFORE: (&str, &str) = chart_programs!("b");
const ROUNDS_BEFORE: (&str, &str) = chart_programs!("r");
const FIRST_V: (&str, &str) = chart_programs!("v");
const TOTAL_ROLLS: (&str, &str) = chart_programs!("b+p");
const TOTAL_ROUNDS: (&str, &str) = chart_programs!("r+c");

/// The order of 2 modulo an odd k in Python.
macro_rules! with_order {
    ($rest:literal) => {
        concat!(
            "def order(k):\n    p, x = 1, 2 % k\n    while x != 1 % k: p, x = p + 1, 2 * x % k\n    return p\ndef prime(k):\n    return k > 1 and all(k % d for d in range(2, int(k**0.5) + 1))\n",
            $rest
        )
    };
}

fn moment(numerator: bool) -> fn(&Rational) -> &BigInt {
    match numerator {
        true => |value| value.numer(),
        false => |value| value.denom(),
    }
}

/// The registry.
pub static FAMILIES: &[Family] = &[
    Family {
        id: "cycle-rounds",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A136043"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Rounds in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 1 if there is no cycle",
        definition: "Number of t in one period of x(t) = {source}^t mod n with {source}*x(t) >= n, and 1 if n divides a power of {source}",
        comments: &[
            CHART,
            "Also the number of nonzero digits in one period of the expansion of 1/n in base {source}",
        ],
        formulas: &[
            "{coin}a(p) = (p-1)/2 if 2 is a primitive root of the prime p: 2^((p-1)/2) == -1 (mod p), so the residues pair off as x and p-x, and exactly one of each pair has 2*x >= p",
        ],
        examples: &[
            "n = 11: the powers of 2 modulo 11 are 1, 2, 4, 8, 5, 10, 9, 7, 3, 6; twice 8, 10, 9, 7 or 6 is at least 11, so a(11) = 5.",
        ],
        keywords: &["base", "easy"],
        pari: "a(n) = my(m={source}, g=n, x=1, h, r=0); while((h=gcd(g,m))>1, g /= h; x = x*m%n); if(g==1, return(1)); for(i=1, znorder(Mod(m,g)), r += (x*m>=n); x = x*m%n); r;",
        python: "from math import gcd\ndef a(n):\n    m, g, x, r = {source}, n, 1, 0\n    while gcd(g, m) > 1: g, x = g // gcd(g, m), x * m % n\n    if g == 1: return 1\n    first = x\n    while True:\n        r, x = r + (x * m >= n), x * m % n\n        if x == first: return r",
        work: Work::Rounds,
        rule: |a, range| rules::rounds_of(a.source(), range, 1),
        ..BLANK
    },
    Family {
        id: "cycle-rounds-zero",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Rounds in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
        definition: "Number of t in one period of x(t) = {source}^t mod n with {source}*x(t) >= n",
        comments: &[
            CHART,
            "Also the number of nonzero digits in one period of the expansion of 1/n in base {source}, where 1/n terminates if it can",
        ],
        formulas: &[
            "{coin}a(n) = A007733(n)/2 if -1 is a power of 2 modulo the odd part m > 2 of n: the residues of a period pair off as x and n-x, and exactly one of each pair has 2*x >= n",
        ],
        examples: &[
            "n = 6: the powers of 2 modulo 6 are 1, 2, 4, 2, 4, ...; of 2 and 4, only 4 has 2*4 >= 6, so a(6) = 1. n = 8: they are 1, 2, 4, 0, 0, ..., so a(8) = 0.",
        ],
        see: &["A136043", "A007733", "A351912"],
        keywords: &["base", "easy"],
        pari: ROUNDS_ZERO.0,
        python: ROUNDS_ZERO.1,
        work: Work::Rounds,
        rule: |a, range| rules::rounds_of(a.source(), range, 0),
        ..BLANK
    },
    Family {
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
        definition: "Sum of the digits in one period of the never-ending expansion of 1/n in base {base}, so {base-1} for powers of {base}: 1 = 0.ddd... with d = {base-1}",
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
        rule: |a, range| {
            from_orbits(a.number("base"), range, |n, orbit| {
                rounds::mr_period(a.number("base"), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "mr",
        parameters: &[
            parameter("x", "1/29", Kind::Real),
            parameter("base", "2", Kind::Source),
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
    },
    Family {
        id: "period",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A007733"),
            ("source=3", "A007734"),
            ("source=6", "A007737"),
            ("source=10", "A007732"),
        ],
        title: "Period of the powers of {source} modulo n",
        definition: "Multiplicative order of {source} modulo the largest divisor of n that is coprime to {source}; 1 if n divides a power of {source}",
        comments: &[
            "Also the rolls in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one",
            "{coin}If n is not a power of two, the terms of one period of the base-2 MR-expansion of 1/n sum to a(n): they are the flips of the rounds",
        ],
        examples: &["The powers of 2 modulo 6 are 1, 2, 4, 2, 4, ..., so a(6) = 2."],
        keywords: &["base", "easy"],
        pari: "a(n) = my(g); while((g=gcd(n,{source}))>1, n /= g); znorder(Mod({source},n));",
        python: "from math import gcd\ndef a(n):\n    while gcd(n, {source}) > 1: n //= gcd(n, {source})\n    p, x = 1, {source} % n\n    while x != 1 % n: p, x = p + 1, x * {source} % n\n    return p",
        work: Work::Sieve,
        rule: |a, range| from_orbits(a.source(), range, |_, orbit| orbit.period),
        ..BLANK
    },
    Family {
        id: "period-zero",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A351912"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Period of the powers of {source} modulo n, or 0 if n divides a power of {source}",
        definition: "Rolls in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
        comments: &[CHART],
        examples: &["a(6) = 2, and a(8) = 0: the powers of 2 modulo 8 are 1, 2, 4, 0, 0, ..."],
        see: &["A007733"],
        keywords: &["base", "easy"],
        pari: "a(n) = my(g); while((g=gcd(n,{source}))>1, n /= g); if(n==1, 0, znorder(Mod({source},n)));",
        python: "from math import gcd\ndef a(n):\n    while gcd(n, {source}) > 1: n //= gcd(n, {source})\n    if n == 1: return 0\n    p, x = 1, {source} % n\n    while x != 1: p, x = p + 1, x * {source} % n\n    return p",
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                if order::coprime_part(a.source(), n) == 1 {
                    0
                } else {
                    orbit.period
                }
            })
        },
        ..BLANK
    },
    Family {
        id: "preperiod",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A007814"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Number of powers of {source} modulo n before they are periodic",
        definition: "Least s >= 0 such that n/gcd(n, {source}^s) is coprime to {source}",
        comments: &[
            "{source}^(s+p) == {source}^s (mod n) for some p > 0, and s = a(n) is the least such s >= 0",
        ],
        examples: &["The powers of 2 modulo 12 are 1, 2, 4, 8, 4, 8, ..., so a(12) = 2."],
        see: &["A007733"],
        keywords: &["easy"],
        pari: "a(n) = my(g, s=0); while((g=gcd(n,{source}))>1, n /= g; s++); s;",
        python: "from math import gcd\ndef a(n):\n    s = 0\n    while gcd(n, {source}) > 1: n, s = n // gcd(n, {source}), s + 1\n    return s",
        rule: |a, range| each(range, |n| order::pre_period(a.source(), n)),
        ..BLANK
    },
    Family {
        id: "distinct-powers",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A054703"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Number of distinct powers of {source} modulo n",
        definition: "Pre-period plus period of the powers of {source} modulo n; a 0 counts",
        formulas: &["{coin}a(n) = A007814(n) + A007733(n)"],
        examples: &["The powers of 2 modulo 6 are 1, 2, 4, 2, 4, ..., so a(6) = 3."],
        see: &["A007814", "A007733"],
        pari: "a(n) = #Set(vector(2*n+1, t, lift(Mod({source},n)^(t-1))));",
        python: "def a(n): return len(set(pow({source}, t, n) for t in range(2 * n)))",
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |_, orbit| {
                orbit.pre_period + orbit.period
            })
        },
        ..BLANK
    },
    Family {
        id: "flips-before",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Rolls before the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one",
        definition: "Rolls of the rounds to which the chart never returns: all of them if it has no cycle",
        comments: &[CHART],
        formulas: &[
            "{coin}a(n) = 0 for odd n; a(n) = floor(log_2(n)) + 1 for even n that are not powers of two, because the first round is longer than the 2-adic valuation of n; a(2^k) = k",
        ],
        examples: &[
            "n = 6: round 1 goes from v = 1 to 8, which leaves 2; then 2, 8, 2, ... is the cycle. Round 1 has three flips, so a(6) = 3.",
        ],
        see: &["A007814", "A007733", "A070939"],
        keywords: &["base", "easy"],
        pari: ROLLS_BEFORE.0,
        python: ROLLS_BEFORE.1,
        rule: |a, range| each(range, |n| rules::before_cycle(a.source(), n).rolls),
        ..BLANK
    },
    Family {
        id: "rounds-before",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Rounds before the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one",
        definition: "Rounds to which the chart never returns: all of them if it has no cycle",
        comments: &[CHART],
        formulas: &[
            "{coin}a(1) = 0, and for n > 1 a(n) = 1 if n is even and 0 if n is odd: the first round is longer than the 2-adic valuation of n, or ends the chart",
        ],
        examples: &[
            "n = 6: round 1 goes from v = 1 to 8, which leaves 2; then 2, 8, 2, ... is the cycle, so a(6) = 1.",
        ],
        see: &["A136043"],
        keywords: &["base", "easy"],
        pari: ROUNDS_BEFORE.0,
        python: ROUNDS_BEFORE.1,
        rule: |a, range| each(range, |n| rules::before_cycle(a.source(), n).rounds),
        ..BLANK
    },
    Family {
        id: "total-flips",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Rolls on the flow chart that rolls a fair n-sided die with a {source}-sided one",
        definition: "Rolls before the cycle plus rolls in the cycle (0 if there is none)",
        comments: &[CHART],
        formulas: &["{coin}a(n) = A007733(n) for odd n > 1"],
        examples: &["n = 6: three flips before the cycle and two in it, so a(6) = 5."],
        see: &["A351912", "A054703"],
        keywords: &["base", "easy"],
        pari: TOTAL_ROLLS.0,
        python: TOTAL_ROLLS.1,
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                let before = rules::before_cycle(a.source(), n);
                before.rolls + if before.v == 0 { 0 } else { orbit.period }
            })
        },
        ..BLANK
    },
    Family {
        id: "total-rounds",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Rounds on the flow chart that rolls a fair n-sided die with a {source}-sided one",
        definition: "Rounds before the cycle plus rounds in the cycle (0 if there is none)",
        comments: &[CHART],
        formulas: &["{coin}a(n) = A136043(n) for odd n > 1"],
        examples: &["n = 6: one round before the cycle and one in it, so a(6) = 2."],
        see: &["A136043"],
        keywords: &["base", "easy"],
        pari: TOTAL_ROUNDS.0,
        python: TOTAL_ROUNDS.1,
        work: Work::Rounds,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::before_cycle(a.source(), n).rounds
                    + rounds::cycle_rounds(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "first-v",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "First v of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
        definition: "The v before the first round to which the chart returns; 0 if n divides a power of {source}",
        comments: &[CHART],
        formulas: &[
            "{coin}a(n) = 1 for odd n > 1, and a(n) = 2^(floor(log_2(n))+1) - n for even n that are not powers of two",
        ],
        examples: &[
            "n = 6: round 1 goes from v = 1 to 8, which leaves 2; then 2, 8, 2, ... is the cycle, so a(6) = 2.",
        ],
        see: &["A080079", "A080940"],
        keywords: &["base", "easy"],
        pari: FIRST_V.0,
        python: FIRST_V.1,
        rule: |a, range| each(range, |n| rules::before_cycle(a.source(), n).v),
        ..BLANK
    },
    Family {
        id: "least-v",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A080940"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Least v of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
        definition: "Least of the residues {source}^t mod n, t large; 0 if n divides a power of {source}",
        comments: &[CHART],
        formulas: &["{coin}a(n) is the highest power of 2 dividing n, and 0 for powers of two"],
        examples: &["The powers of 2 modulo 12 are 1, 2, 4, 8, 4, 8, ..., so a(12) = 4."],
        keywords: &["base", "easy"],
        pari: "a(n) = my(m={source}, v=lift(Mod(m,n)^n), x, b); x=v; b=v; until(x==v, x = x*m%n; b = min(b,x)); b;",
        python: "def a(n): return min(pow({source}, t, n) for t in range(n, 2 * n + 1))",
        work: Work::Rounds,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::least_in_cycle(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "largest-residue",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A327649"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Largest power of {source} modulo n",
        definition: "Maximum of {source}^t mod n over t >= 0",
        comments: &[
            "Also the largest number of undecided nodes at any depth of the optimal decision tree of a fair n-sided die from a {source}-sided one",
        ],
        examples: &["The powers of 2 modulo 7 are 1, 2, 4, so a(7) = 4."],
        pari: "a(n) = vecmax(vector(2*n, t, lift(Mod({source},n)^(t-1))));",
        python: "def a(n): return max(pow({source}, t, n) for t in range(2 * n))",
        work: Work::Steps,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::largest_residue(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "largest-v",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        title: "Largest v on the flow chart that rolls a fair n-sided die with a {source}-sided one",
        definition: "{source} times the maximum of {source}^t mod n over t >= 0, for n >= 2; a(1) = 1, where nothing is rolled",
        comments: &[CHART],
        formulas: &["{coin}a(n) = 2*A327649(n) for n >= 2"],
        examples: &["The powers of 2 modulo 7 are 1, 2, 4, so a(7) = 8."],
        see: &["A327649"],
        pari: "a(n) = if(n==1, 1, {source}*vecmax(vector(2*n, t, lift(Mod({source},n)^(t-1)))));",
        python: "def a(n): return 1 if n == 1 else {source} * max(pow({source}, t, n) for t in range(2 * n))",
        work: Work::Steps,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| match n {
                1 => BigInt::from(1),
                _ => BigInt::from(rules::largest_residue(a.source(), n, orbit)) * a.source(),
            })
        },
        ..BLANK
    },
    Family {
        id: "most-flips",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A070940"),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ],
        title: "Most rolls in a round of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 1 if there is no cycle",
        definition: "Least d with {source}^d*v >= n, v the least of the residues {source}^t mod n, t large",
        comments: &[CHART],
        formulas: &[
            "{coin}a(n) = floor(log_2(n)) - A007814(n) + 1, the number of binary digits of the odd part of n",
        ],
        examples: &[
            "n = 11: the cycle goes through v = 1, 5, 9, 7, 3, and four flips lead from 1 to 16 >= 11, so a(11) = 4.",
        ],
        see: &["A080940"],
        keywords: &["base", "easy"],
        pari: "a(n) = my(m={source}, v=lift(Mod(m,n)^n), x, b, d=0); if(!v, return(1)); x=v; b=v; until(x==v, x = x*m%n; b = min(b,x)); while(b<n, b *= m; d++); d;",
        python: "def a(n):\n    v, d = min(pow({source}, t, n) for t in range(n, 2 * n + 1)), 0\n    if v == 0: return 1\n    while v < n: v, d = v * {source}, d + 1\n    return d",
        work: Work::Rounds,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::most_rolls_in_round(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "odd-cycle-rounds",
        listed: &[("", "A179382")],
        title: "Rounds in the cycle of the flow chart that rolls a fair die with 2n-1 sides with a coin",
        definition: "a(n) = A136043(2n-1): the 1 bits of one period of 1/(2n-1) in base 2, 1 for n = 1",
        comments: &[
            "The period of x -> odd part of x + 2n-1, from x = 1: backwards, the residues at which a round begins",
        ],
        examples: &["a(6) = 5: the flow chart of 11 goes round v = 1, 5, 9, 7, 3."],
        see: &["A136043"],
        keywords: &["easy"],
        pari: "a(n) = my(d=2*n-1, x=1, c=0); until(x==1, x += d; x >>= valuation(x,2); c++); c;",
        python: "def a(n):\n    d, x, c = 2 * n - 1, 1, 0\n    while True:\n        x, c = x + d, c + 1\n        while x % 2 == 0: x //= 2\n        if x == 1: return c",
        work: Work::Steps,
        rule: |_, range| {
            let odd = |n: u64| {
                let n = 2 * n - 1;
                rounds::cycle_rounds(2, n, order::orbit(2, n)).max(1)
            };
            each(range, odd)
        },
        ..BLANK
    },
    Family {
        id: "order",
        parameters: &[
            parameter("base", "2", Kind::Source),
            parameter("step", "2", Kind::Step),
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
    },
    Family {
        id: "order-coprime",
        parameters: &[parameter("base", "3", Kind::Source)],
        listed: &[("base=3", "A053446")],
        title: "Multiplicative order of {base} modulo the n-th number coprime to {base}",
        definition: "Least p > 0 with {base}^p == 1 (mod m), m the n-th positive integer coprime to {base}; 1 for m = 1",
        examples: &[
            "The numbers coprime to 3 are 1, 2, 4, 5, ...; 3^4 = 81 == 1 (mod 5), so a(4) = 4.",
        ],
        see: &["A007734"],
        pari: "a(n) = my(k=0); while(n, k++; if(gcd(k,{base})==1, n--)); znorder(Mod({base},k));",
        python: "from math import gcd\ndef a(n):\n    k = 0\n    while n: k, n = k + 1, n - (gcd(k + 1, {base}) == 1)\n    p, x = 1, {base} % k\n    while x != 1 % k: p, x = p + 1, x * {base} % k\n    return p",
        work: Work::List,
        rule: |a, range| rules::orders_modulo_coprime(a.number("base"), range),
        ..BLANK
    },
    Family {
        id: "order-or-zero",
        parameters: &[parameter("base", "3", Kind::Source)],
        listed: &[("base=3", "A070676")],
        title: "Multiplicative order of {base} modulo n, or 0 if n = 1 or there is none",
        definition: "Least p > 0 with {base}^p == 1 (mod n); 0 if n is 1 or has a factor in common with {base}",
        comments: &["At n = 1 every p would do, and 1 is the least; 0 stands there by convention"],
        examples: &["3^4 = 81 == 1 (mod 5), so a(5) = 4; 3 divides 6, so a(6) = 0."],
        see: &["A007734"],
        pari: "a(n) = if(n==1 || gcd(n,{base})>1, 0, znorder(Mod({base},n)));",
        python: "from math import gcd\ndef a(n):\n    if n == 1 or gcd(n, {base}) > 1: return 0\n    p, x = 1, {base} % n\n    while x != 1: p, x = p + 1, x * {base} % n\n    return p",
        work: Work::Sieve,
        rule: |a, range| {
            let base = a.number("base");
            from_orbits(base, range, |n, orbit| {
                match n > 1 && num_integer::gcd(n, base) == 1 {
                    true => orbit.period,
                    false => 0,
                }
            })
        },
        ..BLANK
    },
    Family {
        id: "order-prime",
        listed: &[("", "A014664")],
        offset: 2,
        title: "Multiplicative order of 2 modulo the n-th prime",
        definition: "Least p > 0 with 2^p == 1 (mod prime(n)): the flips in the cycle of the flow chart of a prime",
        examples: &["prime(4) = 7 and 2^3 = 8 == 1 (mod 7), so a(4) = 3."],
        see: &["A002326"],
        pari: "a(n) = znorder(Mod(2,prime(n)));",
        python: with_order!(
            "def a(n):\n    k = 2\n    while n > 1: k, n = k + 1, n - prime(k + 1)\n    return order(k)"
        ),
        work: Work::List,
        rule: |_, range| rules::orders_modulo_primes(range),
        ..BLANK
    },
    Family {
        id: "sign-order",
        listed: &[("", "A003558")],
        offset: 0,
        title: "Least m > 0 with 2^m == 1 or -1 (mod 2n+1)",
        definition: "Half the order p of 2 modulo 2n+1 if -1 is a power of 2 there, else p; 1 for n = 0",
        comments: &["The rounds of the flow chart of 2n+1 where -1 is a power of 2"],
        examples: &["2^5 = 32 == -1 (mod 11), so a(5) = 5."],
        see: &["A002326", "A014657"],
        pari: "a(n) = my(k=2*n+1, m=1); while(2^m%k!=1%k && 2^m%k!=k-1, m++); m;",
        python: "def a(n):\n    k, m = 2 * n + 1, 1\n    while pow(2, m, k) not in (1 % k, k - 1): m += 1\n    return m",
        rule: |_, range| {
            each(range, |n| {
                let orbit = order::orbit(2, 2 * n + 1);
                orbit.half_period().unwrap_or(orbit.period)
            })
        },
        ..BLANK
    },
    Family {
        id: "bit-length",
        listed: &[("", "A070939")],
        offset: 0,
        title: "Length of the binary representation of n, 1 for n = 0",
        definition: "floor(log2 n) + 1 for n >= 1: the flips of a block of rejection by bit length",
        examples: &["11 is 1011 in binary, so a(11) = 4."],
        see: &["A029837", "A062383"],
        keywords: &["base", "easy"],
        pari: "a(n) = if(n, #binary(n), 1);",
        python: "def a(n): return max(n.bit_length(), 1)",
        rule: |_, range| each(range, |n| u64::BITS - (n | 1).leading_zeros()),
        ..BLANK
    },
    Family {
        id: "block-size",
        listed: &[("", "A062383")],
        offset: 0,
        title: "Least power of two above n",
        definition: "2^(floor(log2 n) + 1) for n >= 1, 1 for n = 0: the values of a block of rejection by bit length",
        comments: &[
            "For n not a power of two also the v that ends round 1 of the flow chart that rolls a fair n-sided die with a coin",
        ],
        examples: &["a(6) = 8, the least power of two above 6."],
        see: &["A070939", "A080079"],
        pari: "a(n) = if(n, 2^#binary(n), 1);",
        python: "def a(n): return 1 << n.bit_length()",
        rule: |_, range| each(range, |n| 1u64 << (u64::BITS - n.leading_zeros())),
        ..BLANK
    },
    Family {
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
    },
    Family {
        id: "round-one-rest",
        listed: &[("", "A080079")],
        title: "2^(floor(log2 n) + 1) - n",
        definition: "The values that a block of rejection by bit length rejects, and for n not a power of two the v after round 1 of the flow chart",
        examples: &["a(6) = 8 - 6 = 2."],
        see: &["A062383"],
        keywords: &["base", "easy"],
        pari: "a(n) = 2^#binary(n) - n;",
        python: "def a(n): return (1 << n.bit_length()) - n",
        rule: |_, range| each(range, |n| (1u64 << (u64::BITS - n.leading_zeros())) - n),
        ..BLANK
    },
    Family {
        id: "interval-undecided",
        listed: &[("", "A129760")],
        title: "Bitwise AND of n-1 and n",
        definition: "n - gcd(n, 2^k): the undecided nodes of the interval algorithm with a coin at its first depth k with 2^k >= n",
        examples: &["6 AND 5 = 110 AND 101 = 100 in binary, so a(6) = 4."],
        see: &["A080079"],
        pari: "a(n) = bitand(n, n-1);",
        python: "def a(n): return n & (n - 1)",
        rule: |_, range| {
            each(range, |n| {
                let k = u64::BITS - (n - 1).leading_zeros();
                n - num_integer::gcd(n, 1u64 << k)
            })
        },
        ..BLANK
    },
    Family {
        id: "bounded-exponent",
        parameters: SOURCE,
        listed: &[("source=2", ""), ("source=6", ""), ("source=10", "")],
        title: "Least k such that n divides {source}^k, or -1 if there is none",
        definition: "Rolls of a {source}-sided die with which a fair n-sided die can be rolled for certain, or -1 if no number of rolls is enough",
        comments: &[
            "n outcomes can be equally likely among the {source}^k values of k rolls iff n divides {source}^k",
        ],
        examples: &["8 divides 2^3, so a(8) = 3; no power of 2 is divisible by 6, so a(6) = -1."],
        see: &["A007814", "A086415"],
        pari: "a(n) = my(g, s=0); while((g=gcd(n,{source}))>1, n /= g; s++); if(n==1, s, -1);",
        python: "from math import gcd\ndef a(n):\n    s = 0\n    while gcd(n, {source}) > 1: n, s = n // gcd(n, {source}), s + 1\n    return s if n == 1 else -1",
        rule: |a, range| each(range, |n| rules::bounded_exponent(a.source(), n)),
        ..BLANK
    },
    Family {
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
    },
    Family {
        id: "primitive-root-primes",
        listed: &[("", "A001122")],
        title: "Primes with primitive root 2",
        definition: "The primes p whose order of 2 is p-1",
        comments: &[
            "The odd n > 1 with (n-1)/2 rounds in the cycle of the flow chart of the fast dice roller with a coin: for such n the order exceeds (n-1)/2, so n is a prime power with primitive root 2, the rounds are phi(n)/2, and n is prime",
        ],
        examples: &["The powers of 2 modulo 5 are 1, 2, 4, 3, so 5 is a term."],
        see: &["A136043", "A115591"],
        pari: "isok(k) = k>2 && isprime(k) && znorder(Mod(2,k))==k-1;",
        python: with_order!("def isok(k): return k > 2 and prime(k) and order(k) == k - 1"),
        work: Work::List,
        rule: |_, range| {
            members(range, |k, orbit| {
                k > 1 && orbit.period == k - 1 && k % 2 == 1
            })
        },
        ..BLANK
    },
    Family {
        id: "half-order-primes",
        listed: &[("", "A115591")],
        title: "Primes p where the order of 2 is (p-1)/2",
        definition: "The odd numbers k whose order of 2 is (k-1)/2: that alone makes k prime",
        examples: &["The powers of 2 modulo 7 are 1, 2, 4, and (7-1)/2 = 3, so 7 is a term."],
        see: &["A001122"],
        pari: "isok(k) = k>2 && isprime(k) && znorder(Mod(2,k))==(k-1)/2;",
        python: with_order!("def isok(k): return k > 2 and prime(k) and 2 * order(k) == k - 1"),
        work: Work::List,
        rule: |_, range| {
            members(range, |k, orbit| {
                k > 1 && k % 2 == 1 && 2 * orbit.period == k - 1
            })
        },
        ..BLANK
    },
    Family {
        id: "odd-orders",
        listed: &[("", "A036259")],
        title: "Odd numbers k such that the order of 2 modulo k is odd",
        definition: "The odd k whose order of 2 is odd, 1 among them",
        comments: &[
            "No power of 2 is -1 modulo such a k > 1, so the rounds of its flow chart are not half the flips",
        ],
        examples: &["The order of 2 modulo 7 is 3, so 7 is a term."],
        see: &["A014657"],
        pari: "isok(k) = k%2 && znorder(Mod(2,k))%2;",
        python: with_order!("def isok(k): return k % 2 == 1 and order(k) % 2 == 1"),
        work: Work::List,
        rule: |_, range| members(range, |k, orbit| k % 2 == 1 && orbit.period % 2 == 1),
        ..BLANK
    },
    Family {
        id: "power-plus-one-divisors",
        listed: &[("", "A014657")],
        title: "Numbers that divide 2^k + 1 for some k >= 0",
        definition: "1, 2, and the odd m > 1 with -1 a power of 2 modulo m",
        comments: &[
            "From 3 on, the odd m whose flow chart has half as many rounds as flips in its cycle by pairs x and m-x",
        ],
        examples: &["11 divides 2^5 + 1 = 33, so 11 is a term."],
        see: &["A195610", "A136043"],
        pari: "isok(k) = k<3 || (k%2 && lift(Mod(2,k)^(znorder(Mod(2,k))\\2))==k-1);",
        python: "def isok(k): return any((pow(2, j, k) + 1) % k == 0 for j in range(k))",
        work: Work::List,
        rule: |_, range| members(range, rules::divides_a_power_plus_one),
        ..BLANK
    },
    Family {
        id: "power-plus-one-exponents",
        listed: &[("", "A195610")],
        title: "Least k >= 0 such that A014657(n) divides 2^k + 1",
        definition: "From n = 3 on, half the order of 2 modulo A014657(n)",
        examples: &["A014657(6) = 11 divides 2^5 + 1 = 33 and no earlier one, so a(6) = 5."],
        see: &["A014657", "A003558"],
        pari: "a(n) = my(k=0, j); while(n, k++; if(k<3 || (k%2 && lift(Mod(2,k)^(znorder(Mod(2,k))\\2))==k-1), n--)); j=0; while((2^j+1)%k, j++); j;",
        python: "def least(k): return next((j for j in range(k) if (pow(2, j, k) + 1) % k == 0), -1)\ndef a(n):\n    k = 0\n    while n: k, n = k + 1, n - (least(k + 1) >= 0)\n    return least(k)",
        work: Work::List,
        rule: |_, range| rules::least_exponents(range),
        ..BLANK
    },
    Family {
        id: "residues-triangle",
        listed: &[("", "A201908")],
        title: "Irregular triangle whose row n lists 2^t mod (2n-1) over one period, t >= 0",
        definition: "Row n has the residues 2^t mod (2n-1), t = 0 .. p-1, p the order of 2 modulo 2n-1; the row of n = 1 is 0",
        comments: &[
            "The undecided nodes at depth t of the optimal decision tree of a fair die with 2n-1 sides from coin flips, as far as they do not repeat",
        ],
        examples: &["Row 4 is 1, 2, 4, the powers of 2 modulo 7."],
        see: &["A002326"],
        keywords: &["tabf", "easy"],
        pari: "a(n) = my(k=1, p); while(n>p=znorder(Mod(2,k)), n -= p; k += 2); lift(Mod(2,k)^(n-1));",
        python: with_order!(
            "def a(n):\n    k = 1\n    while n > order(k): n, k = n - order(k), k + 2\n    return pow(2, n - 1, k)"
        ),
        work: Work::List,
        rule: |_, range| rules::rows_of_residues(range),
        ..BLANK
    },
    Family {
        id: "class-numbers",
        listed: &[("", "A002143")],
        title: "Class numbers h(-p) of the primes p == 3 (mod 4)",
        definition: "Class number of the imaginary quadratic field of discriminant -p, p the n-th prime == 3 (mod 4)",
        comments: &[
            "If p == 7 (mod 8) and the order of 2 modulo p is (p-1)/2, the rounds in the cycle of the flow chart of p with a coin are ((p-1)/2 - h(-p))/2: they are the squares modulo p above p/2",
        ],
        examples: &[
            "p = 23 has h(-23) = 3 and the order of 2 modulo 23 is 11; its flow chart has (11 - 3)/2 = 4 rounds in its cycle.",
        ],
        see: &["A136043"],
        keywords: &["nice"],
        pari: "a(n) = my(p=2); while(n, p=nextprime(p+1); if(p%4==3, n--)); qfbclassno(-p);",
        python: with_order!(
            "def h(p):\n    c, b = 0, 1\n    while 3 * b * b <= p:\n        q = (b * b + p) // 4\n        for a in range(b, int(q**0.5) + 1):\n            if q % a == 0: c += 1 if a == b or a * a == q else 2\n        b += 2\n    return c\ndef a(n):\n    k = 2\n    while n: k, n = k + 1, n - (prime(k + 1) and (k + 1) % 4 == 3)\n    return h(k)"
        ),
        work: Work::Steps,
        rule: |_, range| {
            let primes = rules::primes_at(range, |p| p % 4 == 3);
            Ok(rules::class_numbers(&primes))
        },
        ..BLANK
    },
    Family {
        id: "quarter-rounds",
        listed: &[("", "A155072")],
        title: "Numbers n with (n-1)/4 rounds in the cycle of the flow chart of the fast dice roller with a coin",
        definition: "The n with A136043(n) = (n-1)/4",
        comments: &["All terms up to 60000 are primes of the form 8k+1; that is not proved"],
        examples: &[
            "The powers of 2 modulo 17 are 1, 2, 4, 8, 16, 15, 13, 9; twice 16, 15, 13 or 9 is at least 17, and (17-1)/4 = 4, so 17 is a term.",
        ],
        see: &["A136043"],
        pari: "b(n) = my(x=1, r=0); for(i=1, znorder(Mod(2,n)), r += (2*x>=n); x = 2*x%n); r;\nisok(k) = k>1 && k%4==1 && b(k)==(k-1)/4;",
        python: "def isok(k):\n    if k % 4 != 1 or k == 1: return False\n    x, r = 1, 0\n    while True:\n        r, x = r + (2 * x >= k), 2 * x % k\n        if x == 1: return 4 * r == k - 1",
        practical: Some(1000),
        work: Work::List,
        rule: |_, range| rules::quarter_rounds(range),
        ..BLANK
    },
    Family {
        id: "expected-numerator",
        parameters: MOMENT,
        listed: MOMENTS,
        title: "Numerator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
        definition: "Numerator of E(n), the mean of the number T of source rolls",
        comments: &[
            "{fdr}The fast dice roller (Lumbroso 2013) is optimal among algorithms that use one source die (Knuth and Yao 1976): after t rolls it is undecided with probability ({source}^t mod n)/{source}^t",
        ],
        formulas: &[
            "{fdr}E(n) = Sum_{t>=0} ({source}^t mod n)/{source}^t",
            "{fdr}{coin}E(2*n) = E(n) + 1 and log_2(n) <= E(n) < log_2(n) + 2",
        ],
        examples: &["E(1), E(2), ... = 0, 1, 8/3, 2, 18/5, 11/3, 24/7, 3, ..."],
        see: &["Cf. Axxxxxx (denominators)"],
        keywords: &["frac"],
        pari: MEAN_TOP.0,
        python: MEAN_TOP.1,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, false, moment(true)),
        ..BLANK
    },
    Family {
        id: "expected-denominator",
        parameters: MOMENT,
        listed: MOMENTS,
        title: "Denominator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
        definition: "Denominator of E(n), the mean of the number T of source rolls",
        comments: &[
            "{fdr}The fast dice roller (Lumbroso 2013) is optimal among algorithms that use one source die (Knuth and Yao 1976): after t rolls it is undecided with probability ({source}^t mod n)/{source}^t",
        ],
        formulas: &[
            "{fdr}E(n) = Sum_{t>=0} ({source}^t mod n)/{source}^t",
            "{fdr}{coin}a(2*n) = a(n), because E(2*n) = E(n) + 1",
        ],
        examples: &["E(1), E(2), ... = 0, 1, 8/3, 2, 18/5, 11/3, 24/7, 3, ..."],
        see: &["Cf. Axxxxxx (numerators)"],
        keywords: &["frac"],
        pari: MEAN_BOTTOM.0,
        python: MEAN_BOTTOM.1,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, false, moment(false)),
        ..BLANK
    },
    Family {
        id: "variance-numerator",
        parameters: MOMENT,
        listed: MOMENTS,
        title: "Numerator of the variance of the number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
        definition: "Numerator of E(T^2) - E(T)^2, T the number of source rolls",
        formulas: &["{fdr}E(T^2) = Sum_{t>=0} (2t+1)*({source}^t mod n)/{source}^t"],
        examples: &["The variance of a die with 3 sides from a coin is 8/9."],
        see: &["Cf. Axxxxxx (denominators)"],
        keywords: &["frac"],
        pari: VARIANCE_TOP.0,
        python: VARIANCE_TOP.1,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, true, moment(true)),
        ..BLANK
    },
    Family {
        id: "variance-denominator",
        parameters: MOMENT,
        listed: MOMENTS,
        title: "Denominator of the variance of the number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
        definition: "Denominator of E(T^2) - E(T)^2, T the number of source rolls",
        formulas: &["{fdr}E(T^2) = Sum_{t>=0} (2t+1)*({source}^t mod n)/{source}^t"],
        examples: &["The variance of a die with 3 sides from a coin is 8/9."],
        see: &["Cf. Axxxxxx (numerators)"],
        keywords: &["frac"],
        pari: VARIANCE_BOTTOM.0,
        python: VARIANCE_BOTTOM.1,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, true, moment(false)),
        ..BLANK
    },
    Family {
        id: "toll-records",
        listed: &[("", "")],
        title: "Numbers n at which E(n) - log_2(n) sets a record, where E(n) is the least expected number of coin flips that simulate a fair n-sided die",
        definition: "E(n) = Sum_{t>=0} (2^t mod n)/2^t: the fast dice roller (Lumbroso 2013), which is optimal (Knuth and Yao 1976), is undecided after t flips with probability (2^t mod n)/2^t",
        comments: &[
            "E(n) - log_2(n) is below 2 for all n, because E(n) < ceiling(log_2(n)) + 1 for n not a power of two (Knuth and Yao 1976)",
            "E(2*n) = E(n) + 1, so n and 2*n have the same E(n) - log_2(n), and all terms are odd",
            "The first 20 terms are 1 and 2^k + 1, k = 1..19; that it goes on so is not proved here",
        ],
        see: &["A000051", "A029837", "A136043"],
        examples: &[
            "E(1) - log_2(1) = 0, E(3) - log_2(3) = 8/3 - 1.58... = 1.08..., and E(5) - log_2(5) = 18/5 - 2.32... = 1.27..., so the sequence begins 1, 3, 5.",
        ],
        keywords: &["more"],
        pari: "E(n) = my(x=1%n, s=0); for(t=0, 120, s += x/2.^t; x = 2*x%n); s;\na(n) = my(k=1, c=1, r=0., t); while(c<n, k += 2; t = E(k)-log(k)/log(2); if(t>r+1e-25, r=t; c++)); k;",
        python: "from math import log2\ndef toll(n):\n    x, s = 1 % n, 0.0\n    for t in range(80): x, s = 2 * x % n, s + x / 2**t\n    return s - log2(n)\ndef a(n):\n    k, c, r = 1, 1, 0.0\n    while c < n:\n        k += 2\n        t = toll(k)\n        if t > r + 1e-9: r, c = t, c + 1\n    return k",
        practical: Some(20),
        work: Work::Doubling,
        rule: |_, range| {
            Ok(rules::toll_records(range)?
                .into_iter()
                .map(BigInt::from)
                .collect())
        },
        ..BLANK
    },
];
