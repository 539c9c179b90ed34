#!/usr/bin/env python3
"""Measures the processor time of each work of run.py against n, by flipcost and by C, for
analysis/cost-of-n/measured.csv.

    python3 benches/peers/cost_of_n.py && cargo run --release -p flipcost-figures --example cost_chart

The second command draws a figure for each work from that file. All programs run on one core, so that the
processor time is only the time of the work. The programs run alternately, each row is the median of --runs runs, and
their results must agree. If a program measures its own time (one fraction, a product), that time is used. A tool is left out for larger
sizes of a work after a run that took more than --enough seconds.
"""

import argparse
import os
import platform
import statistics
import sys

import run
from run import C, C_FLINT, FLIPCOST, Work

TARGET = run.ROOT / "analysis" / "cost-of-n" / "measured.csv"

def powers(low, high):
    return [2**k for k in range(low, high + 1)]


SCALES = [
    ("rounds", powers(17, 23), [FLIPCOST, C]),
    ("fractions", powers(11, 17), [FLIPCOST, C]),
    ("texts", powers(11, 16), [FLIPCOST, C]),
    ("one", None, [FLIPCOST, C]),
    ("numerator", None, [FLIPCOST, C]),
    ("decimals", powers(16, 22), [FLIPCOST, C]),
    ("orders", powers(18, 24), [FLIPCOST, C]),
    ("product", powers(14, 24)[::2], [FLIPCOST, C, C_FLINT]),
]


def prime_factors(n):
    found, d = set(), 2
    while d * d <= n:
        while n % d == 0:
            found.add(d)
            n //= d
        d += 1
    return found | ({n} if n > 1 else set())


def primes_with_root_2(first, last):
    """Returns, for each power of the root of 10, the least prime n from it on with the primitive root 2 (the period is n - 1)."""
    found = []
    for half in range(2 * first, 2 * last + 1):
        n = int(10 ** (half / 2)) | 1
        while prime_factors(n) != {n} or any(pow(2, (n - 1) // q, n) == 1 for q in prime_factors(n - 1)):
            n += 2
        found.append(n)
    return found


def times_of(kind, n, tools, found, options):
    """Returns the median seconds of each tool."""
    work = Work("", kind, n, f"{kind} {n}")
    times = {tool: [] for tool in tools}
    result = None
    for _ in range(options.runs):
        for tool in tools:
            wall, processor, got = run.run(tool, work, found, options)
            result = result or got
            if got != result:
                raise run.Failure(f"{tool}, {work.text}: {got} instead of {result}")
            times[tool].append(wall if work.inside else processor)
    return {tool: statistics.median(seconds) for tool, seconds in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, metavar="K", help="runs of each tool and size [3]")
    parser.add_argument("--enough", type=float, default=5, metavar="S", help="no larger size after so many seconds [5]")
    parser.add_argument("--only", metavar="KINDS", help="only these, such as rounds,orders; the file's other rows stay")
    parser.add_argument("--without", choices=list(run.WITHOUT), help="as run.py has it")
    parser.add_argument("--flint", metavar="FLAGS", help="as run.py has it")
    parser.add_argument("--output", default=TARGET, metavar="FILE", help="[analysis/cost-of-n/measured.csv]")
    options = parser.parse_args()
    options.most = 300
    only = options.only.split(",") if options.only else [kind for kind, _, _ in SCALES]
    found = run.build(options)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    without = f", without {options.without}" if options.without else ""
    lines = [
        f"# machine: {run.processor()}, one core, {platform.system()}",
        f"# its features: {run.features()}{without}",
        *(f"# {tool}: {found[tool]}" for tool in (FLIPCOST, C, C_FLINT) if tool in found),
        f"# seconds of processor time, medians of {options.runs}; of one and product inside the process",
        "work,tool,n,seconds",
    ]
    kept = []
    if options.only and os.path.exists(options.output):
        with open(options.output, encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if line[0] != "#" and not line.startswith("work,")]
    for kind, sizes, tools in SCALES:
        if kind not in only:
            lines += [line for line in kept if line.startswith(kind + ",")]
            continue
        tools = [tool for tool in tools if tool in found]
        for n in sizes or primes_with_root_2(*((6, 9) if kind == "numerator" else (4, 7))):
            times = times_of(kind, n, tools, found, options)
            for tool, seconds in times.items():
                run.say(f"{kind} {n}, {tool}: {seconds:.4g} s")
                lines.append(f"{kind},{tool},{n},{seconds:.4g}")
                if seconds > options.enough:
                    tools = [other for other in tools if other != tool]
    os.makedirs(os.path.dirname(options.output) or ".", exist_ok=True)
    part = str(options.output) + ".part"
    with open(part, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(part, options.output)


if __name__ == "__main__":
    try:
        main()
    except run.Failure as failure:
        sys.exit(f"error: {failure}")
