//! Numerator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided
//! die by {method}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "expected-numerator",
    parameters: MOMENT,
    listed: MOMENTS,
    title: "Numerator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
    definition: "Numerator of E(n), the mean of the number of rolls of a {source}-sided die",
    comments: &[
        "{fdr}The fast dice roller (Lumbroso 2013) is optimal among algorithms that use one source die (Knuth and Yao 1976): after t rolls it is undecided with probability ({source}^t mod n)/{source}^t",
        "{fdr}{die}Dice whose numbers of sides divide {source} do not help: where they may be rolled, too, no method takes fewer rolls on average, because after t rolls the decided probability of each outcome is a multiple of {source}^(-t)",
    ],
    formulas: &[
        "{fdr}E(n) = Sum_{t>=0} ({source}^t mod n)/{source}^t",
        "{fdr}{coin}E(2*n) = E(n) + 1 and log_2(n) <= E(n) < log_2(n) + 2",
    ],
    examples: &["From a coin E(1), E(2), ... = 0, 1, 8/3, 2, 18/5, 11/3, 24/7, 3, ..."],
    see: &[
        "{fdr}{coin}A007733",
        "{fdr}{coin}A136043",
        "Cf. Axxxxxx (denominators)",
    ],
    keywords: &["frac"],
    pari: "{moments}a(n) = numerator(moments({source}, n)[1]);",
    python: "{moments}def a(n): return moments({source}, n)[0].numerator",
    work: Work::Law,
    rule: |a, range| rules::moment(a, range, false, moment(true)),
    ..BLANK
};
