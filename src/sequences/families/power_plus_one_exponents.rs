//! Least k >= 0 such that A014657(n) divides 2^k + 1.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "power-plus-one-exponents",
    listed: &[("", "A195610")],
    title: "Least k >= 0 such that A014657(n) divides 2^k + 1",
    definition: "From n = 3 on, half the order of 2 modulo A014657(n)",
    examples: &["A014657(6) = 11 divides 2^5 + 1 = 33 and no earlier one, so a(6) = 5."],
    see: &["A014657", "A003558"],
    pari: "a(n) = my(k=0, j); while(n, k++; if(k<3 || (k%2 && lift(Mod(2,k)^(znorder(Mod(2,k))\\2))==k-1), n--)); j=0; while((2^j+1)%k, j++); j;",
    python: "def least(k): return next((j for j in range(k) if (pow(2, j, k) + 1) % k == 0), -1)\ndef a(n):\n    k = 0\n    while n: k, n = k + 1, n - (least(k + 1) >= 0)\n    return least(k)",
    work: Work::List,
    rule: |_, range| rules::least_exponents(range),
    ..BLANK
};
