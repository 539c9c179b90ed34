//! Least m > 0 with 2^m == 1 or -1 (mod 2n+1).

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "sign-order",
    listed: &[("", "A003558")],
    offset: 0,
    title: "Least m > 0 with 2^m == 1 or -1 (mod 2n+1)",
    definition: "Half the order p of 2 modulo 2n+1 if -1 is a power of 2 there, else p; 1 for n = 0",
    comments: &["The rounds of the flow chart of 2n+1 where -1 is a power of 2"],
    examples: &["2^5 = 32 == -1 (mod 11), so a(5) = 5."],
    see: &["A002326", "A014657"],
    pari: "a(n) = my(k=2*n+1, m=1); while(2^m%k!=1%k && 2^m%k!=k-1, m++); m;",
    python: "def a(n):\n    k, m = 2 * n + 1, 1\n    while pow(2, m, k) not in (1 % k, k - 1): m += 1\n    return m",
    rule: |_, range| {
        each(range, |n| {
            let orbit = order::orbit(2, 2 * n + 1);
            orbit.half_period().unwrap_or(orbit.period)
        })
    },
    ..BLANK
};
