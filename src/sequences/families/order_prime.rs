//! Multiplicative order of 2 modulo the n-th prime.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "order-prime",
    listed: &[("", "A014664")],
    offset: 2,
    title: "Multiplicative order of 2 modulo the n-th prime",
    definition: "Least p > 0 with 2^p == 1 (mod prime(n)): the flips in the cycle of the flow chart of a prime",
    examples: &["prime(4) = 7 and 2^3 = 8 == 1 (mod 7), so a(4) = 3."],
    see: &["A002326"],
    pari: "a(n) = znorder(Mod(2,prime(n)));",
    python: with_order!(
        "def a(n):\n    k = 2\n    while n > 1: k, n = k + 1, n - prime(k + 1)\n    return order(k)"
    ),
    work: Work::List,
    rule: |_, range| rules::orders_modulo_primes(range),
    ..BLANK
};
