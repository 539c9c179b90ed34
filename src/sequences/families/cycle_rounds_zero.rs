//! Rounds in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0
//! if there is no cycle.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "cycle-rounds-zero",
    parameters: SOURCE,
    listed: FOUR_SOURCES,
    title: "Number of digits other than 0 in one period of the base-{source} expansion of 1/n, 0 if the expansion terminates",
    definition: "Number of t in one period of x(t) = {source}^t mod n with {source}*x(t) >= n",
    comments: &[
        CHART,
        "Also the rounds in the cycle of that flow chart, 0 if there is none",
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
};
