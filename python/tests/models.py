"""Plain models of the algorithms in fractions: slow, obvious, and written without the engine."""

from __future__ import annotations

from fractions import Fraction


def optimal_survival(m: int, n: int, terms: int) -> list[Fraction]:
    """P(T > t) of the fast dice roller, which is optimal: m^t mod n of the m^t nodes at depth t are
    undecided (Lumbroso 2013), but only the root if n = 1 decides at once."""
    return [Fraction(pow(m, t, n), m**t) for t in range(terms)]


def optimal_moments(m: int, n: int) -> tuple[Fraction, Fraction]:
    """Mean and variance from the sums of P(T > t) and of (2t+1) P(T > t), where m^t mod n repeats with a
    period p from t = a on."""
    seen: dict[int, int] = {}
    t, residue = 0, 1 % n
    while residue not in seen:
        seen[residue] = t
        residue = residue * m % n
        t += 1
    a, p = seen[residue], t - seen[residue]
    residues = list(seen)
    x = Fraction(1, m)
    first = second = Fraction(0)
    for t, r in enumerate(residues):
        if t < a:
            first += r * x**t
            second += (2 * t + 1) * r * x**t
    # the sums over k of y^k and of k y^k, where y = x^p
    y = x**p
    for t, r in enumerate(residues):
        if t >= a:
            first += r * x**t / (1 - y)
            second += r * x**t * ((2 * t + 1) / (1 - y) + 2 * p * y / (1 - y) ** 2)
    return first, second - first**2


def rejection_mean(m: int, n: int) -> Fraction:
    """Makes k rolls, where k is the least number with m^k >= n, again and again until their number is below n."""
    k = 0
    while m**k < n:
        k += 1
    return k * Fraction(m**k, n)


def knuth_yao_mean(weights: list[int], terms: int = 400) -> tuple[Fraction, Fraction]:
    """Bounds on the optimum for weights with a coin (Knuth & Yao 1976): the sum of
    frac(2^t p_i) / 2^t over outcomes i and t, cut after `terms` terms."""
    total = sum(weights)
    low = Fraction(0)
    for t in range(terms):
        nodes = sum(2**t * w % total for w in weights)
        low += Fraction(nodes, total) / 2**t
    return low, low + Fraction(len(weights), 2 ** (terms - 1))


def sum_of_dice(count: int, sides: int) -> dict[int, int]:
    """Counts the ways in which the dice show each sum."""
    ways = {0: 1}
    for _ in range(count):
        more: dict[int, int] = {}
        for total, many in ways.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + many
        ways = more
    return ways


def cycle_rounds(n: int) -> int:
    """Rounds in the cycle of the fast dice roller's flow chart: how often doubling modulo the odd
    part of n passes it, once around; 1 if it never does."""
    while n % 2 == 0:
        n //= 2
    if n == 1:
        return 1
    rounds, residue = 0, 1
    while True:
        residue *= 2
        if residue > n:
            rounds += 1
            residue -= n
        if residue == 1:
            return rounds
