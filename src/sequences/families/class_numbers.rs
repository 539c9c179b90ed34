//! Class numbers h(-p) of the primes p == 3 (mod 4).

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "class-numbers",
    listed: &[("", "A002143")],
    title: "Class numbers h(-p) of the primes p == 3 (mod 4)",
    definition: "Class number of the imaginary quadratic field of discriminant -p, p the n-th prime == 3 (mod 4)",
    comments: &[
        "If p == 7 (mod 8) and the order of 2 modulo p is (p-1)/2, the rounds in the cycle of the flow chart of p with a coin are ((p-1)/2 - h(-p))/2: they are the squares modulo p above p/2",
    ],
    examples: &[
        "p = 23 has h(-23) = 3 and the order of 2 modulo 23 is 11; its flow chart has (11 - 3)/2 = 4 rounds in its cycle.",
    ],
    see: &["A136043"],
    keywords: &["nice"],
    pari: "a(n) = my(p=2); while(n, p=nextprime(p+1); if(p%4==3, n--)); qfbclassno(-p);",
    python: with_order!(
        "def h(p):\n    c, b = 0, 1\n    while 3 * b * b <= p:\n        q = (b * b + p) // 4\n        for a in range(b, int(q**0.5) + 1):\n            if q % a == 0: c += 1 if a == b or a * a == q else 2\n        b += 2\n    return c\ndef a(n):\n    k = 2\n    while n: k, n = k + 1, n - (prime(k + 1) and (k + 1) % 4 == 3)\n    return h(k)"
    ),
    work: Work::Steps,
    rule: |_, range| {
        let primes = rules::primes_at(range, |p| p % 4 == 3);
        Ok(rules::class_numbers(&primes))
    },
    ..BLANK
};
