//! First v of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one,
//! 0 if there is no cycle.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
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
};
