#!/usr/bin/env python3
"""Predicts the core-hours of sweeps of all n up to 10^9 .. 10^12, their rent and their bytes, from measured times.

Two kinds of sweep are measured with the program itself: doubles of the expected flips, and rounds of
the cycle (A136043). The times are processor seconds, and the bytes are those of the CSV files.

- Up to 2^26 a run has tables: short runs give a model of its time, a N for the doubles and a N + b N^2 for the
  rounds.
- Beyond 2^26, windows of n are measured. Between windows the time of one n is interpolated as a power of n.

Two longer runs of each kind check the prediction. Prints Markdown; --quick leaves out the windows of large n.
"""

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "flipcost")
KINDS = {"doubles": "expected", "rounds": "cycle_rounds"}
TABLES = 2**26


def run(column, first, last):
    """Returns the processor seconds and the bytes of a sweep."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        command = [PROGRAM, "cost", f"{first}..{last}", "--columns", f"n,{column}",
                   "--algorithm", "fast-dice-roller", "--format", "csv", "--output", path]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return seconds, os.path.getsize(path)


def progress(text):
    print(text, file=sys.stderr, flush=True)


def fit(points):
    """Returns a and b such that a N + b N^2 goes through two points; b is not negative."""
    (n1, t1), (n2, t2) = points
    b = max(0.0, (t2 / n2 - t1 / n1) / (n2 - n1))
    return t2 / n2 - b * n2, b


def integral(windows, start, end):
    """Returns the sum of the times of all n with start < n <= end.

    Between two windows, and beyond the last window, the time of one n is a power of n."""
    total = 0.0
    pairs = list(zip(windows, windows[1:]))
    for i, ((x0, y0), (x1, y1)) in enumerate(pairs):
        slope = math.log(y1 / y0) / math.log(x1 / x0)
        low = max(start, x0 if i else start)
        high = min(end, x1) if i + 1 < len(pairs) else end
        if low < high:
            value = lambda x: y0 * (x / x0) ** slope * x / (slope + 1)
            total += value(high) - value(low)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="no windows far out, no prediction")
    parser.add_argument("--price", type=float, default=0.04, metavar="D", help="dollars for an hour of one core [0.04]")
    options = parser.parse_args()
    checks = []
    rows = []
    for kind, column in KINDS.items():
        short, long = ((10**6, 4 * 10**6), (10**7, 4 * 10**7)) if kind == "doubles" else ((10**6, 4 * 10**6), (10**7, 2 * 10**7))
        measured = []
        for n in short:
            progress(f"{kind}: all n up to {n}")
            measured.append((n, min(run(column, 1, n)[0] for _ in range(3))))
        a, b = fit(measured) if kind == "rounds" else (measured[-1][1] / measured[-1][0], 0.0)
        for n in long:
            progress(f"{kind}: all n up to {n}, to check")
            seconds, size = run(column, 1, n)
            checks.append((kind, n, a * n + b * n * n, seconds, size))
        if options.quick:
            continue
        windows = []
        for n in (10**8, 10**9, 10**10, 10**11, 10**12):
            count = 10**6 if kind == "doubles" else max(24, min(20000, 2 * 10**12 // n))
            progress(f"{kind}: {count} n at {n}")
            seconds, size = run(column, n, n + count - 1)
            windows.append((n, seconds / count, size / count))
        times = [(n, t) for n, t, _ in windows]
        tabled = a * TABLES + b * TABLES**2
        for n in (10**9, 10**10, 10**11, 10**12):
            size = next(s for at, _, s in windows if at == n)
            rows.append((kind, n, tabled + integral(times, TABLES, n), n * size))
    print("| sweep | n up to | predicted, core-seconds | measured | ratio | bytes |\n|---|---|---|---|---|---|")
    for kind, n, predicted, seconds, size in checks:
        print(f"| {kind} | {n:.0e} | {predicted:.1f} | {seconds:.1f} | {seconds / predicted:.2f} | {size:,} |")
    if rows:
        print("\n| sweep | n up to | core-hours | dollars | bytes of CSV |\n|---|---|---|---|---|")
        for kind, n, seconds, size in rows:
            hours = seconds / 3600
            print(f"| {kind} | {n:.0e} | {hours:,.2g} | {hours * options.price:,.2g} | {size:.1e} |")


if __name__ == "__main__":
    main()
