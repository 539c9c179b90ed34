#!/usr/bin/env python3
"""The time of sweeps over all n up to N, against N: a chart on logarithmic axes.

    python3 benches/cost_of_n.py analysis/cost-of-n.csv && cargo run --release -p flipcost-figures --example cost_chart -- analysis/cost-of-n.csv

Elapsed seconds of whole processes, the least of two runs; flipcost and, where benches/peers has built
it, the C program with GMP. Needs `cargo build --release`.
"""

import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(__file__), "..")
PROGRAM = os.path.join(ROOT, "target", "release", "flipcost")
EXAMPLE = os.path.join(ROOT, "target", "release", "examples", "checksum")
PEER = os.path.join(ROOT, "target", "peers", "peers")


def sweep(column, n, path, *more):
    return [PROGRAM, "sweep", "--from", "1", "--to", str(n), "--columns", f"n,{column}", "--algorithm", "fast-dice-roller",
            "--format", "csv", "--output", path, *more]


WORKS = [
    ("rounds of the cycle", 10**7, lambda n, path: sweep("cycle_rounds", n, path)),
    ("rounds (C with GMP)", 10**6, lambda n, path: [PEER, "rounds", str(n), path]),
    ("fractions in lowest terms", 50_000, lambda n, path: [EXAMPLE, str(n)]),
    ("fractions (C with GMP)", 50_000, lambda n, path: [PEER, "fractions", str(n)]),
    ("50 decimals", 10**6, lambda n, path: sweep("expected", n, path, "--digits", "50")),
]


def main():
    [target] = sys.argv[1:]
    lines = ["work,n,seconds"]
    with tempfile.TemporaryDirectory() as folder:
        for name, most, command in WORKS:
            limits = [k * 10**e for e in range(3, 8) for k in (1, 2, 5) if k * 10**e <= most]
            for n in limits:
                arguments = command(n, os.path.join(folder, "rows"))
                if not os.path.exists(arguments[0]):
                    print(f"{arguments[0]} is not built: left out", file=sys.stderr)
                    break
                best = float("inf")
                for _ in range(2):
                    start = time.perf_counter()
                    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
                    best = min(best, time.perf_counter() - start)
                print(f"{name}, n up to {n}: {best:.3f} s", file=sys.stderr)
                lines.append(f"{name},{n},{best:.4f}")
    with open(target + ".part", "w") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(target + ".part", target)


if __name__ == "__main__":
    main()
