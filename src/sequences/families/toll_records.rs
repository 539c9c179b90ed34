//! Numbers n at which E(n) - log_2(n) sets a record, where E(n) is the least expected number of
//! coin flips that simulate a fair n-sided die.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "toll-records",
    listed: &[("", "")],
    title: "Numbers n at which E(n) - log_2(n) sets a record, where E(n) is the least expected number of coin flips that simulate a fair n-sided die",
    definition: "E(n) = Sum_{t>=0} (2^t mod n)/2^t: the fast dice roller (Lumbroso 2013), which is optimal (Knuth and Yao 1976), is undecided after t flips with probability (2^t mod n)/2^t",
    comments: &[
        "E(n) - log_2(n) is below 2 for all n, because E(n) < ceiling(log_2(n)) + 1 for n not a power of two (Knuth and Yao 1976)",
        "E(2*n) = E(n) + 1, so n and 2*n have the same E(n) - log_2(n), and all terms are odd",
        "For n > 1, a(n) = 2^(n-1) + 1: of the m with 2^k <= m < 2^(k+1), k >= 1, it is m = 2^k + 1 at which E(m) - log_2(m) is largest, namely 2 - k/(2^k+1) - log_2(1+2^-k), which increases with k (a proof is in the source of flipcost, law/toll.rs)",
    ],
    see: &["A000051", "A029837", "A136043"],
    examples: &[
        "E(1) - log_2(1) = 0, E(3) - log_2(3) = 8/3 - 1.58... = 1.08..., and E(5) - log_2(5) = 18/5 - 2.32... = 1.27..., so the sequence begins 1, 3, 5.",
    ],
    keywords: &["more"],
    pari: "E(n) = my(x=1%n, s=0); for(t=0, 120, s += x/2.^t; x = 2*x%n); s;\na(n) = my(k=1, c=1, r=0., t); while(c<n, k += 2; t = E(k)-log(k)/log(2); if(t>r+1e-25, r=t; c++)); k;",
    python: "from math import log2\ndef toll(n):\n    x, s = 1 % n, 0.0\n    for t in range(80): x, s = 2 * x % n, s + x / 2**t\n    return s - log2(n)\ndef a(n):\n    k, c, r = 1, 1, 0.0\n    while c < n:\n        k += 2\n        t = toll(k)\n        if t > r + 1e-9: r, c = t, c + 1\n    return k",
    practical: Some(20),
    work: Work::Doubling,
    rule: |_, range| {
        Ok(rules::toll_records(range)?
            .into_iter()
            .map(BigInt::from)
            .collect())
    },
    ..BLANK
};
