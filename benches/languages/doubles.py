#!/usr/bin/env python3
"""Compares doubles, coins and weighted choices of CPython and NumPy with their rules on the same words.

    target/languages/venv/bin/python benches/languages/doubles.py

Every result must equal that of the rule in `doubles.rs`, `bernoulli.rs` and `weights.rs` of `crates/libraries/src`.
"""

import random

import numpy

SEEDS, EACH = 2000, 50
INTERVALS = [(0.0, 1.0), (1.0, 2.0), (0.1, 0.3), (-0.3, 0.7)]


def unit(word):
    return (int(word) >> 11) / 2**53


for seed in range(SEEDS):
    u = [unit(word) for word in numpy.random.PCG64(seed).random_raw(EACH)]
    numbers = lambda: numpy.random.Generator(numpy.random.PCG64(seed))
    assert list(numbers().random(EACH)) == u, "Generator.random"
    twin = random.Random(seed)
    u_python = [(a >> 5) * 2.0**26 + (b >> 6) for a, b in ((twin.getrandbits(32), twin.getrandbits(32)) for _ in range(EACH))]
    for a, b in INTERVALS:
        assert list(numbers().uniform(a, b, EACH)) == [a + (b - a) * each for each in u], "Generator.uniform"
        twin = random.Random(seed)
        assert [twin.uniform(a, b) for _ in range(EACH)] == [a + (b - a) * (each / 2**53) for each in u_python], "random.uniform"
    for weights in [1, 2, 3], [1, 7, 1, 1, 7, 1], [3, 1, 4, 1, 5, 9]:
        p = numpy.array(weights) / sum(weights)
        sums = p.cumsum() / p.cumsum()[-1]
        chosen = numbers().choice(len(p), EACH, p=p)
        assert list(sums.searchsorted(u, side="right")) == list(chosen), "Generator.choice"
print(f"NumPy {numpy.__version__}: {SEEDS * EACH} results of each function are those of the rule")
