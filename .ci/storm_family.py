"""Storm, an independent model checker, against the exact answers of the family KY-n.

    .ci/storm.sh family [--folder FOLDER] [--sample | --all] [--most-states S] [--times FILE.csv]

`flipcost export --family --folder FOLDER` makes the folder, here if it is not there. For each n, with rational
numbers, of the program KY.prism and of the explicit model where there is one: the number of states and of
transitions, R[F done] and the probabilities of outcomes must be those of answers.csv. Of every n up to 100 all
outcomes are checked, of larger ones the first, the middle and the last.

--sample takes 30 n, --all those with at most S states (default 30000). --times writes how long Storm took, and
how long the program took for the same explicit model (`flipcost import drn`) and from the residues alone
(`flipcost cost`). Prints 'N passed, N failed'; exit status 1 if a check fails.
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


def number(text):
    """A fraction of answers.csv, however long."""
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


def of_program(folder, n):
    """The model of KY.prism for n, and the seconds that it took to be built."""
    text = (folder / "KY.prism").read_text()
    assert text.count("const int n;") == 1
    begun = time.perf_counter()
    with tempfile.NamedTemporaryFile("w", suffix=".prism") as file:
        file.write(text.replace("const int n;", f"const int n = {n};"))
        file.flush()
        program = stormpy.parse_prism_program(file.name)
    asked = ['R{"flips"}=? [F "done"]'] + [f"P=? [F v=n & c={i}]" for i in outcomes(n)]
    properties = stormpy.parse_properties(";".join(asked), program)
    model = stormpy.build_model[stormpy.Rational](program, properties)
    return model, properties, time.perf_counter() - begun


def of_drn(path, n):
    begun = time.perf_counter()
    model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    asked = ['R{"rolls"}=? [F "done"]'] + [f'P=? [F "outcome_{i}"]' for i in outcomes(n)]
    return model, stormpy.parse_properties(";".join(asked)), time.perf_counter() - begun


def seconds_of(*arguments):
    begun = time.perf_counter()
    subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun


def main():
    csv.field_size_limit(sys.maxsize)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "target" / "KY")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--most-states", type=int, default=30000)
    parser.add_argument("--times", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder
    if not folder.exists():
        subprocess.run([PROGRAM, "export", "--family", "--folder", str(folder)], check=True)
    with open(folder / "answers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    held = [row for row in rows if int(row["states"]) <= arguments.most_states]
    if not arguments.all:
        few = [row for row in held if int(row["states"]) <= 3000]
        held = [few[i * (len(few) - 1) // 29] for i in range(30)]
    passed = failed = 0
    times = []
    for row in held:
        n, states, transitions = (int(row[name]) for name in ("n", "states", "transitions"))
        wanted = [number(row["expected_exact"])] + [number(row["probability_exact"])] * len(outcomes(n))
        drn = folder / "models" / f"KY-{n}.drn"
        models = [("KY.prism", *of_program(folder, n))]
        if drn.exists():
            models.append((drn.name, *of_drn(drn, n)))
        for what, model, properties, built in models:
            begun = time.perf_counter()
            found = solve(model, properties[:1])
            cost = time.perf_counter() - begun
            found += solve(model, properties[1:])
            good = (model.nr_states, model.nr_transitions) == (states, transitions) and found == wanted
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{what}, n = {n}: {model.nr_states} states for {states}; {found[0]} flips for {wanted[0]}")
            if arguments.times and what == drn.name:
                times.append(
                    {
                        "n": n,
                        "states": states,
                        "storm_read": f"{built:.3f}",
                        "storm_expected": f"{cost:.3f}",
                        "flipcost_import": f"{seconds_of('import', 'drn', str(drn)):.3f}",
                        "flipcost_cost": f"{seconds_of('cost', str(n), '-a', 'fast-dice-roller'):.3f}",
                    }
                )
    if times:
        with open(arguments.times, "w", newline="") as file:
            writer = csv.DictWriter(file, list(times[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(times)
    largest = max(int(row["states"]) for row in held)
    print(f"KY-n: {len(held)} n, up to {largest} states: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
