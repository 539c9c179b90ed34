#!/usr/bin/env python3
"""Which coins a:b make a fair bit in a mean of exactly 2 flips? All but 1:2 are refuted up to a + b = 1000.

    python3 proofs/two_flips.py [SUM]

By theorem 7 of docs/loaded-optimum.md a coin with a < b, coprime, does if and only if (1/2 - p)/(1 - p)^2 is a sum of different
powers p^k, k >= 1, where p = a/(a + b). The powers after p^k add up to p^(k+1)/(1 - p) = p^k a/b, which is less than p^k. So p^k is
taken if and only if it fits, and a rest of more than p^k a/b refutes the coin. After k powers the rest is p^k u/(2 b^2 a^k) with
an integer u: all is decided in integers. A rest that comes back proves that the coin does; this needs a = 1.
"""

import sys
from math import gcd

MOST = 100_000


def two_flips(a, b):
    """Whether a fair bit takes a mean of exactly 2 flips from a:b, and the number of powers that decide it; None if undecided."""
    u, unit = (b - a) * (a + b), 2 * b * b
    rests = set()
    for k in range(MOST):
        if u * b > unit * a:
            return False, k
        if a == 1:
            if u in rests:
                return True, k
            rests.add(u)
        u, unit = u * (a + b), unit * a
        if u >= unit:
            u -= unit
    return None, MOST


def main(most=1000):
    coins = [(a, s - a) for s in range(3, most + 1) for a in range(1, (s + 1) // 2) if gcd(a, s) == 1]
    told = {coin: two_flips(*coin) for coin in coins}
    at_once = sum(k == 0 for _, k in told.values())
    yes, still_open = ([f"{a}:{b}" for (a, b), (is_so, _) in told.items() if is_so is x] for x in (True, None))
    (a, b), (_, k) = max(((coin, way) for coin, way in told.items() if way[0] is False), key=lambda way: way[1][1])
    print(f"{len(coins)} coins, {at_once} with p < 1 - 1/sqrt 2; 2 flips: {', '.join(yes)}; open: {', '.join(still_open) or 'none'}")
    print(f"the last to be refuted: {a}:{b}, after {k} powers")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
