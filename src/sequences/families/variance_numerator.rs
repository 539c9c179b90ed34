//! Numerator of the variance of the number of rolls of a {source}-sided die that simulate a fair
//! n-sided die by {method}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "variance-numerator",
    parameters: MOMENT,
    listed: MOMENTS,
    title: "Numerator of the variance of the number of rolls of a {source}-sided die that simulate a fair n-sided die by {method}",
    definition: "Numerator of E(T^2) - E(T)^2, T the number of rolls of a {source}-sided die",
    comments: &[
        "{fdr}After t rolls the fast dice roller (Lumbroso 2013) is undecided with probability ({source}^t mod n)/{source}^t",
    ],
    formulas: &["{fdr}E(T^2) = Sum_{t>=0} (2t+1)*({source}^t mod n)/{source}^t"],
    examples: &["From a coin the variances for n = 1, 2, ... are 0, 0, 16/9, 0, 34/25, 16/9, ..."],
    see: &[
        "{fdr}{coin}A007733",
        "{fdr}{coin}A136043",
        "Cf. Axxxxxx (denominators)",
    ],
    keywords: &["frac"],
    pari: "{moments}a(n) = numerator(moments({source}, n)[2]);",
    python: "{moments}def a(n): return moments({source}, n)[1].numerator",
    work: Work::Law,
    rule: |a, range| rules::moment(a, range, true, moment(true)),
    ..BLANK
};
