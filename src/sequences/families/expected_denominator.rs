//! Denominator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided
//! die by {method}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "expected-denominator",
    parameters: MOMENT,
    listed: MOMENTS,
    title: "Denominator of the expected number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
    definition: "Denominator of E(n), the mean of the number of rolls of a {source}-sided die",
    comments: &[
        "{fdr}The fast dice roller (Lumbroso 2013) is optimal among algorithms that use one source die (Knuth and Yao 1976): after t rolls it is undecided with probability ({source}^t mod n)/{source}^t",
        "{fdr}{die}Dice whose numbers of sides divide {source} do not help: where they may be rolled, too, no method takes fewer rolls on average, because after t rolls the decided probability of each outcome is a multiple of {source}^(-t)",
    ],
    formulas: &[
        "{fdr}E(n) = Sum_{t>=0} ({source}^t mod n)/{source}^t",
        "{fdr}{coin}a(2*n) = a(n), because E(2*n) = E(n) + 1",
        "{fdr}{coin}For odd n, a(n) divides 2^p - 1 with p = A007733(n), because the terms of the sum repeat after p, divided by 2^p",
    ],
    examples: &["From a coin E(1), E(2), ... = 0, 1, 8/3, 2, 18/5, 11/3, 24/7, 3, ..."],
    see: &[
        "{fdr}{coin}A007733",
        "{fdr}{coin}A136043",
        "Cf. Axxxxxx (numerators)",
    ],
    keywords: &["frac"],
    pari: "{moments}a(n) = denominator(moments({source}, n)[1]);",
    python: "{moments}def a(n): return moments({source}, n)[0].denominator",
    work: Work::Law,
    rule: |a, range| rules::moment(a, range, false, moment(false)),
    ..BLANK
};
