#!/usr/bin/env python3
"""Measures the time of typical command lines: the median time of several runs of the whole process.

    python3 benches/lines.py                 the times next to the figures of benches/lines.csv
    python3 benches/lines.py --all           also the build of a clean clone, the main job, and the work of other tools
    python3 benches/lines.py --write         writes the figures into benches/lines.csv

A line is marked if it takes more than twice the recorded time, and at least a tenth of a second more. The script never
fails, since another machine has other times. FLIPCOST is the program (by default target/release/flipcost).
"""

import argparse
import csv
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "benches" / "lines.csv"

# OUT stands for a temporary folder for the files that a line writes.
LINES = """
cost 6
cost d20 --source d6
cost 52! --source 6 --digits 30
cost 1000003
cost 10^18+9 --digits 20
cost 7776 --source 6
cost 4:7:8
cost 3d6 -a fldr,aldr:K=11,knuth-yao
cost 2 --source unknown:2
cost 2 --source 1:2 --optimal
cost 1..1000
cost 1..100000 -a fast-dice-roller -o OUT/c.csv
cost 1..1000000 -a fast-dice-roller -o OUT/c.csv
cost 1..1000000 -a fast-dice-roller -c n,expected,toll -o OUT/c.csv
cost 1..20000 -a fast-dice-roller -c n,expected_exact -o OUT/c.csv
cost 2..50 --sources 2..12 --best
d7 from d6
plan 7 --dice 2,6
plan 13 --dice 6,10,20
plan d100 --dice d20,d10
law 3d6
law 4d6kh3
law 'd20 >= 15'
distance d6 d6+1
roll 6
roll 6 --count 1000
bias 52
bias 10,52 --words 32,64
libraries python
libraries --target 1000
supply 6 --count 100
shuffle 52
subset 52 5
advise 6 --coin
test-die 17,12,20,15,18,18
show 6 --as tree
sequence A136043 --terms 20
sequence A136043 --terms 1000000 -f b-file -o OUT/b.txt
oeis check A136043
verify --that "expected < log2(n) + 2" -a fast-dice-roller --to 1000
toll extremes --to 1000000
""".strip().splitlines()


def seconds(program, line, folder, runs):
    words = [program, *(word.replace("OUT", folder) for word in shlex.split(line))]
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        taken.append(time.perf_counter() - begun)
        if done.returncode:
            raise SystemExit(f"{line}: status {done.returncode}: {done.stderr.strip()}")
    return statistics.median(taken)


def last_figures():
    if not FIGURES.exists():
        return {}
    with FIGURES.open(newline="") as file:
        return {row["line"]: float(row["seconds"]) for row in csv.DictReader(file)}


def machine():
    with open("/proc/cpuinfo") as info:
        names = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--all", action="store_true", help="also build a clean clone, and compare with other tools")
    parser.add_argument("--write", action="store_true", help="write benches/lines.csv")
    options = parser.parse_args()
    program = os.environ.get("FLIPCOST", str(ROOT / "target" / "release" / "flipcost"))
    last, found = last_figures(), []
    print(f"{machine()}, {time.strftime('%d %B %Y')}; seconds, the median of {options.runs}")
    with tempfile.TemporaryDirectory() as folder:
        for line in LINES:
            now = seconds(program, line, folder, options.runs)
            found.append((line, now))
            before = last.get(line)
            shown = f"{before:8.3f}" if before is not None else "       -"
            mark = "  slower" if before is not None and now > max(2 * before, before + 0.1) else ""
            print(f"{now:8.3f} {shown}  {line}{mark}", flush=True)
    if options.write:
        with FIGURES.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["line", "seconds"])
            writer.writerows((line, f"{now:.3f}") for line, now in found)
    if options.all:
        subprocess.run(["sh", str(ROOT / "benches" / "build.sh"), "HEAD"], check=True)
        peers = [sys.executable, str(ROOT / "benches" / "peers" / "run.py"), "--runs", "3"]
        subprocess.run(peers, check=True)


if __name__ == "__main__":
    main()
