//! Rolls on the flow chart that rolls a fair n-sided die with a {source}-sided one.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
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
};
