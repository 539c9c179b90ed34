//! Rounds before the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided
//! one.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
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
};
