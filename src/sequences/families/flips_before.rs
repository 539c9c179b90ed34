//! Rolls before the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided
//! one.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
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
};
