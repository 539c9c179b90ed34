//! Numbers n at which E(n) - log_2(n) sets a record, where E(n) is the least expected number of
//! coin flips that simulate a fair n-sided die.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "toll-records",
    listed: &[("", "")],
    title: "Numbers n at which E(n) - log_2(n) sets a record, where E(n) is the least expected number of coin flips that simulate a fair n-sided die",
    definition: "E(n) = Sum_{t>=0} (2^t mod n)/2^t: the fast dice roller (Lumbroso 2013), which is optimal (Knuth and Yao 1976), is undecided after t flips with probability (2^t mod n)/2^t",
    comments: &[
        "E(n) - log_2(n) is below 2 for all n, because E(n) < ceiling(log_2(n)) + 1; the bound of 2 is that of Knuth and Yao (1976)",
        "E(2*n) = E(n) + 1, so n and 2*n have the same E(n) - log_2(n), and all terms are odd",
        "Of the m with 2^k <= m < 2^(k+1), k >= 1, it is m = 2^k + 1 at which E(m) - log_2(m) is largest, namely 2 - k/(2^k+1) - log_2(1+2^-k), which increases with k (a proof is in the source of flipcost, law/toll.rs)",
    ],
    formulas: &["a(n) = 2^(n-1) + 1 for n > 1, a(1) = 1"],
    see: &["A000051", "A029837", "A136043"],
    examples: &[
        "E(1) - log_2(1) = 0, E(3) - log_2(3) = 8/3 - 1.58... = 1.08..., and E(5) - log_2(5) = 18/5 - 2.32... = 1.27..., so the sequence begins 1, 3, 5.",
    ],
    keywords: &["easy"],
    pari: "a(n) = if(n==1, 1, 2^(n-1)+1);",
    python: "def a(n): return 1 if n == 1 else 2**(n-1) + 1",
    work: Work::Long,
    rule: |_, range| {
        rules::in_memory(&range)?;
        each(range, rules::toll_record)
    },
    ..BLANK
};
