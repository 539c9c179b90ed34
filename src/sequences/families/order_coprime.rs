//! Multiplicative order of {base} modulo the n-th number coprime to {base}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "order-coprime",
    parameters: &[parameter("base", "3", ParameterKind::Source)],
    listed: &[("base=3", "A053446")],
    title: "Multiplicative order of {base} modulo the n-th number coprime to {base}",
    definition: "Least p > 0 with {base}^p == 1 (mod m), m the n-th positive integer coprime to {base}; 1 for m = 1",
    examples: &[
        "The numbers coprime to 3 are 1, 2, 4, 5, ...; 3^4 = 81 == 1 (mod 5), so a(4) = 4.",
    ],
    see: &["A007734"],
    pari: "a(n) = my(k=0); while(n, k++; if(gcd(k,{base})==1, n--)); znorder(Mod({base},k));",
    python: "from math import gcd\ndef a(n):\n    k = 0\n    while n: k, n = k + 1, n - (gcd(k + 1, {base}) == 1)\n    p, x = 1, {base} % k\n    while x != 1 % k: p, x = p + 1, x * {base} % k\n    return p",
    work: Work::List,
    rule: |a, range| rules::orders_modulo_coprime(a.number("base"), range),
    ..BLANK
};
