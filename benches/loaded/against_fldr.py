"""Compares the fast loaded dice roller with the package `fldr` of its authors (PyPI, pure Python).

For 1,000 weight vectors the script reads the tree that the package builds: h(t) leaves at depth t + 1, one of
which is a rejection if the weight of the rejection has that bit. The exact mean number of flips is the sum of
alive(t) / 2^t divided by the probability of acceptance. It must equal the fraction of `flipcost cost --weights-file`.
Every outcome must have its probability. Runs of the package with counted flips must end at the depths of its tree.

    pip install fldr
    python3 benches/loaded/against_fldr.py target/release/flipcost
"""

import csv
import io
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from functools import reduce
from math import gcd

import fldr
import fldr.fldr as roller

VECTORS = 1000
SEED = 1


def vectors():
    """Yields few or many, small or large weights, which are not all equal and have no common factor."""
    draw = random.Random(SEED)
    while True:
        count = draw.randint(2, 12)
        most = draw.choice([3, 10, 100, 10**6, 2**40])
        weights = [draw.randint(1, most) for _ in range(count)]
        if reduce(gcd, weights) == 1 and len(set(weights)) > 1:
            yield weights


def mean_of_tree(tree):
    """Computes the mean number of flips and the law of the outcomes from the tables of the package."""
    alive, flips = 1, Fraction(0)
    law = [Fraction(0)] * (tree.n + 1)
    for depth, leaves in enumerate(tree.h):
        flips += Fraction(alive, 2**depth)
        alive = 2 * alive - leaves
        for place in range(leaves):
            law[tree.H[place][depth]] += Fraction(1, 2 ** (depth + 1))
    assert alive == 0, "the tree ends with its last level"
    accepted = 1 - law[tree.n]
    return flips / accepted, [p / accepted for p in law[: tree.n]]


def counted_runs(tree, runs, draw):
    """Compares the flips of real runs with the depths of the leaves that they reach."""
    for _ in range(runs):
        flipped = []

        def flip():
            flipped.append(draw.getrandbits(1))
            return flipped[-1]

        roller.flip = flip
        outcome = fldr.fldr_sample(tree)
        node, depth, used = 0, 0, 0
        for bit in flipped:
            node, used = 2 * node + (1 - bit), used + 1
            if node < tree.h[depth]:
                leaf = tree.H[node][depth]
                if leaf < tree.n:
                    break
                node, depth = 0, 0
            else:
                node, depth = node - tree.h[depth], depth + 1
        assert leaf == outcome and used == len(flipped)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/flipcost"
    source, draw = vectors(), random.Random(SEED)
    chosen = [next(source) for _ in range(VECTORS)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(":".join(map(str, weights)) + "\n" for weights in chosen))
        file.flush()
        command = [program, "cost", "--weights-file", file.name, "-a", "fldr", "-c", "target,expected_exact"]
        rows = csv.DictReader(io.StringIO(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    agree = 0
    for weights, row in zip(chosen, rows, strict=True):
        tree = fldr.fldr_preprocess_int(weights)
        mean, law = mean_of_tree(tree)
        assert law == [Fraction(weight, sum(weights)) for weight in weights], weights
        assert row["target"] == ":".join(map(str, weights))
        assert mean == Fraction(row["expected_exact"]), (weights, mean, row["expected_exact"])
        counted_runs(tree, 20, draw)
        agree += 1
    print(f"{agree} of {VECTORS} weight vectors: the package's tree costs exactly what flipcost says")


main()
