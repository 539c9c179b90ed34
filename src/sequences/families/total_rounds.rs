//! Rounds on the flow chart that rolls a fair n-sided die with a {source}-sided one.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
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
        from_digits(a.source(), range, |n, orbit| {
            rules::before_cycle(a.source(), n).rounds + rounds::cycle_rounds(a.source(), n, orbit)
        })
    },
    ..BLANK
};
