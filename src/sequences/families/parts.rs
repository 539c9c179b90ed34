//! Shared parts of the families: an empty entry, parameters, and templates of programs.

pub(crate) use crate::algorithms::{FastDiceRoller, Rule};
pub(in crate::sequences) use crate::sequences::rules::{
    self, each, from_digits, from_orbits, members,
};
pub(in crate::sequences) use crate::sequences::{Family, Parameter, ParameterKind, Work, rounds};
pub(crate) use flipcost_number::order;
pub(crate) use flipcost_number::{BigInt, Rational};

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
    if numerator {
        |value| value.numer()
    } else {
        |value| value.denom()
    }
}

pub(crate) use with_order;
