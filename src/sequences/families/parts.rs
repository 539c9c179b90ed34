//! Shared parts of the families: an empty entry, parameters, and templates of programs.

pub(crate) use crate::algorithms::{FastDiceRoller, Rule};
pub(crate) use crate::number::order;
pub(crate) use crate::number::{BigInt, Rational};
pub(in crate::sequences) use crate::sequences::rules::{
    self, each, from_digits, from_orbits, members,
};
pub(in crate::sequences) use crate::sequences::{Family, Parameter, ParameterKind, Work, rounds};

/// An entry with all fields empty.
pub(crate) const BLANK: Family = Family {
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

pub(crate) const fn parameter(
    name: &'static str,
    default: &'static str,
    kind: ParameterKind,
) -> Parameter {
    Parameter {
        name,
        default,
        kind,
    }
}

pub(crate) const SOURCE: &[Parameter] = &[parameter("source", "2", ParameterKind::Source)];
pub(crate) const BASE: &[Parameter] = &[parameter("base", "2", ParameterKind::Source)];
pub(crate) const MOMENT: &[Parameter] = &[
    parameter(
        "algorithm",
        FastDiceRoller::ABOUT.id,
        ParameterKind::Algorithm,
    ),
    parameter("source", "2", ParameterKind::Source),
];
pub(crate) const MOMENTS: &[(&str, &str)] = &[
    ("source=2", ""),
    ("source=3", ""),
    ("source=6", ""),
    ("source=10", ""),
];
pub(crate) const FOUR_SOURCES: &[(&str, &str)] = MOMENTS;

pub(crate) const CHART: &str = "The flow chart of the fast dice roller (Lumbroso 2013) for a fair die with n sides: v = 1; a round multiplies v by {source}, once per roll of a die with {source} sides, until v >= n, outputs with probability (v - v mod n)/v, and else goes on with v mod n. After t rolls v is {source}^t mod n, so the chart ends in a cycle unless n divides a power of {source}";

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

pub(crate) const MEAN_TOP: (&str, &str) = moment_programs!("numerator", "numerator", mean);
pub(crate) const MEAN_BOTTOM: (&str, &str) = moment_programs!("denominator", "denominator", mean);
pub(crate) const VARIANCE_TOP: (&str, &str) = moment_programs!("numerator", "numerator", variance);
pub(crate) const VARIANCE_BOTTOM: (&str, &str) =
    moment_programs!("denominator", "denominator", variance);

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

pub(crate) const ROUNDS_ZERO: (&str, &str) = chart_programs!("c");
pub(crate) const ROLLS_BEFORE: (&str, &str) = chart_programs!("b");
pub(crate) const ROUNDS_BEFORE: (&str, &str) = chart_programs!("r");
pub(crate) const FIRST_V: (&str, &str) = chart_programs!("v");
pub(crate) const TOTAL_ROLLS: (&str, &str) = chart_programs!("b+p");
pub(crate) const TOTAL_ROUNDS: (&str, &str) = chart_programs!("r+c");

/// The order of 2 modulo an odd k in Python.
macro_rules! with_order {
    ($rest:literal) => {
        concat!(
            "def order(k):\n    p, x = 1, 2 % k\n    while x != 1 % k: p, x = p + 1, 2 * x % k\n    return p\ndef prime(k):\n    return k > 1 and all(k % d for d in range(2, int(k**0.5) + 1))\n",
            $rest
        )
    };
}

pub(crate) fn moment(numerator: bool) -> fn(&Rational) -> &BigInt {
    match numerator {
        true => |value| value.numer(),
        false => |value| value.denom(),
    }
}

pub(crate) use with_order;
