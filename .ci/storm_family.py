"""Compares the exact costs of the fast dice roller for a coin with Storm, an independent model checker.

    .ci/storm.sh family [--sample | --all] [--times FILE.csv]

The die of n sides is the optimal tree of Knuth and Yao. The number of its unfinished states is the sum of the
different residues 2^t mod n. For each n, the model that `flipcost export drn N` writes is checked with rational
numbers: the number of states and of transitions; R[F done], which must be the cost of `flipcost cost`; and the
probabilities of outcomes, which must be 1/n. For n up to 100 all outcomes are checked, for larger n the first, the
middle and the last.

--sample checks 12 n; --all checks the 710 n with at most 30,000 states among 2..1000, and 100 larger n up to 10^5.
--times writes how long Storm and `flipcost cost` took. Prints 'N passed, N failed'; exit status 1 if a check
fails.
"""

import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

import stormpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FLIPCOST", str(ROOT / "target" / "release" / "flipcost"))
EXACT = stormpy.environments.exact()
MAX_STATES = 30_000
MAX_STATES_OF_LARGE_N = 200_000


def unfinished(n, limit):
    """Returns the sum of the different residues 2^t mod n, or None if this sum plus n is above the limit."""
    seen, total, v = set(), 0, 1 % n
    while v and v not in seen:
        seen.add(v)
        total += v
        if total + n > limit:
            return None
        v = 2 * v % n
    return total


def members():
    """Returns n = 2 to 1000, and 100 larger n, evenly spaced among those with few states."""
    large = [n for n in range(1001, 100_001) if unfinished(n, MAX_STATES_OF_LARGE_N) is not None]
    chosen = list(range(2, 1001)) + [large[i * (len(large) - 1) // 99] for i in range(100)]
    return [n for n in chosen if unfinished(n, MAX_STATES) is not None]


def number(text):
    """A fraction, however long."""
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1))


def outcomes(n):
    return range(n) if n <= 100 else sorted({0, n // 2, n - 1})


def solve(model, properties):
    [start] = model.initial_states
    values = []
    for asked in properties:
        value = stormpy.model_checking(model, asked, environment=EXACT).get_value(start)
        if isinstance(value, float):
            sys.exit("this Storm did not keep its numbers exact")
        values.append(number(str(value)))
    return values


def flipcost(*arguments):
    run = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True)
    return run.stdout


def main():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--times", type=pathlib.Path)
    arguments = parser.parse_args()
    held = members()
    if not arguments.all:
        few = [n for n in held if unfinished(n, 3000) is not None]
        held = [few[i * (len(few) - 1) // 11] for i in range(12)]
    passed = failed = 0
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for n in held:
            path = os.path.join(folder, "chain.drn")
            flipcost("export", "drn", str(n), "-a", "fast-dice-roller", "-o", path)
            begun = time.perf_counter()
            columns = "expected_exact"
            cost = flipcost("cost", str(n), "-a", "fast-dice-roller", "-c", columns, "--exact", "-f", "csv")
            computed = time.perf_counter() - begun
            wanted = [number(cost.splitlines()[1])] + [Fraction(1, n)] * len(outcomes(n))
            begun = time.perf_counter()
            model = stormpy.build_model_from_drn[stormpy.Rational](path)
            built = time.perf_counter() - begun
            asked = ['R{"rolls"}=? [F "done"]'] + [f'P=? [F "outcome_{i}"]' for i in outcomes(n)]
            properties = stormpy.parse_properties(";".join(asked))
            begun = time.perf_counter()
            found = solve(model, properties[:1])
            solved = time.perf_counter() - begun
            found += solve(model, properties[1:])
            inner = unfinished(n, MAX_STATES)
            size = (model.nr_states, model.nr_transitions)
            good = size == (inner + n, 2 * inner + n) and found == wanted
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"n = {n}: {size} states and transitions; {found[0]} flips for {wanted[0]}")
            times.append(
                {
                    "n": n,
                    "states": size[0],
                    "storm_read": f"{built:.3f}",
                    "storm_expected": f"{solved:.3f}",
                    "flipcost_cost": f"{computed:.3f}",
                }
            )
    if arguments.times:
        with open(arguments.times, "w", newline="") as file:
            writer = csv.DictWriter(file, list(times[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(times)
    print(f"fast dice roller: {len(held)} n, up to {max(row['states'] for row in times)} states")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
