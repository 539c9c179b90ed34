"""Compares the exact costs of the program with Storm, an independent model checker.

For every algorithm, n <= 12 and m in {2, 6}: the chain that `flipcost export` writes in the PRISM
language and in DRN is checked with rational numbers, and

    R{"rolls"}=? [F "done"]     must be the program's own expected_exact, and
    P=? [F "outcome_i"]         must be 1/n for every outcome i; for a biased rule, the probabilities must have
                                the total variation, the maximum and the minimum that the program prints.

Prints 'N passed, N failed'; exit status 1 if a check fails. Run by .ci/storm.sh.
"""

import argparse
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

import stormpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FLIPCOST", str(ROOT / "target" / "release" / "flipcost"))


def flipcost(*arguments):
    """Standard output of the program, or None if it refuses the dice (status 2)."""
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    if run.returncode == 2:
        return None
    run.check_returncode()
    return run.stdout


def rows(*arguments):
    text = flipcost(*arguments, "--format", "csv")
    return None if text is None else list(csv.DictReader(io.StringIO(text)))


def of_prism(path, labelled):
    program = stormpy.parse_prism_program(path)
    asked = ['R{"rolls"}=? [F "done"]'] + [f'P=? [F "outcome_{i}"]' for i in labelled]
    properties = stormpy.parse_properties(";".join(asked), program)
    return stormpy.build_model[stormpy.Rational](program, properties), properties


def of_drn(path, labelled):
    asked = ['R{"rolls"}=? [F "done"]'] + [f'P=? [F "outcome_{i}"]' for i in labelled]
    properties = stormpy.parse_properties(";".join(asked))
    return stormpy.build_model_from_drn[stormpy.Rational](path), properties


READERS = {"prism": of_prism, "drn": of_drn}


def check(language, text, labelled, n):
    """Returns the expected rolls and the probability of each outcome, as fractions; an outcome without a label has 0."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"chain.{language}")
        with open(path, "w") as file:
            file.write(text)
        model, properties = READERS[language](path, labelled)
    [start] = model.initial_states
    environment = stormpy.environments.exact()
    values = []
    for asked in properties:
        result = stormpy.model_checking(model, asked, environment=environment)
        value = result.get_value(start)
        if isinstance(value, float):
            sys.exit("this Storm did not keep its numbers exact")
        values.append(Fraction(str(value)))
    rolls, *reached = values
    law = [Fraction(0)] * n
    for i, probability in zip(labelled, reached, strict=True):
        law[i] = probability
    return rolls, law


COLUMNS = ["expected_exact", "total_variation_exact", "largest_exact", "smallest_exact"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upto", type=int, default=12, help="the largest target [default: 12]")
    parser.add_argument("--sources", default="2,6", help="the sources [default: 2,6]")
    arguments = parser.parse_args()
    passed = failed = refused = 0
    for algorithm in [row["id"] for row in rows("list", "algorithms")]:
        for m in arguments.sources.split(","):
            for n in range(1, arguments.upto + 1):
                dice = [str(n), "--source", m, "--algorithm", algorithm]
                cost = rows("cost", *dice, "--columns", ",".join(COLUMNS))
                chains = {language: flipcost("export", language, *dice) for language in READERS}
                fraction = cost is not None and cost[0]["expected_exact"]
                if not fraction and not any(chains.values()):
                    refused += 1  # a d5 in a bounded number of rolls of a d6, a chain without an end
                    continue
                what = f"{algorithm}, a d{n} from a d{m}"
                if cost is None or not all(chains.values()):
                    print(f"{what}: one of cost and export refuses the dice")
                    failed += 1
                    continue
                expected, distance, largest, smallest = [Fraction(cost[0][name]) for name in COLUMNS]
                labelled = [i for i in range(n) if f'label "outcome_{i}"' in chains["prism"]]
                for language, chain in chains.items():
                    rolls, outcomes = check(language, chain, labelled, n)
                    apart = sum(abs(p - Fraction(1, n)) for p in outcomes) / 2
                    good = (rolls, apart) == (expected, distance) and sum(outcomes) == 1
                    good = good and (max(outcomes), min(outcomes)) == (largest, smallest)
                    passed, failed = passed + good, failed + (not good)
                    if not good:
                        shown = ", ".join(map(str, outcomes))
                        print(f"{what}, {language}: {rolls} rolls for {expected}; outcomes {shown}")
    print(f"{passed} passed, {failed} failed ({refused} impossible dice left out)")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
