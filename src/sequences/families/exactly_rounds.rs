//! Odd numbers n with exactly so many rounds in the cycle of the flow chart for a coin.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "exactly-rounds",
    parameters: &[parameter("rounds", "3", ParameterKind::Step)],
    listed: &[("rounds=3", ""), ("rounds=4", "")],
    title: "Odd numbers n such that one period of the binary expansion of 1/n has exactly {rounds} digits 1",
    definition: "Odd numbers n with A136043(n) = {rounds}: the flow chart of the fast dice roller (Lumbroso 2013) for a fair die with n sides and a coin has {rounds} rounds in its cycle",
    comments: &[
        "Even numbers are left out because A136043(2*n) = A136043(n)",
        "The odd numbers n with A136043(n) = 1 are those of A000225 without 0",
        "If 2^p-1 is the least such number that n divides, then n is a term iff (2^p-1)/n has exactly {rounds} digits 1 in binary",
    ],
    examples: &[
        "1/9 = 0.000111000111..., with three digits 1 in the period 000111, so 9 is a term for {rounds} = 3.",
    ],
    see: &["A000225", "A007733", "A136043", "A179382"],
    keywords: &["base", "more"],
    pari: "isok(k) = if(k<3 || k%2==0, return(0)); my(x=1, r=0); until(x==1 || r>{rounds}, r += (2*x>=k); x = 2*x%k); x==1 && r=={rounds};",
    python: "def isok(k):\n    if k < 3 or k % 2 == 0: return False\n    x, r = 1, 0\n    while True:\n        r, x = r + (2 * x >= k), 2 * x % k\n        if x == 1 or r > {rounds}: return r == {rounds} and x == 1",
    practical: Some(20),
    work: Work::List,
    rule: |a, range| rules::exactly_rounds(a.number("rounds"), range),
    ..BLANK
};
