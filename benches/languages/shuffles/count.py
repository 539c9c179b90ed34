#!/usr/bin/env python3
"""Counts the words that the shuffles of libraries draw, for `shuffles.csv` next to this file.

    python3 benches/languages/shuffles/count.py

A library that is missing is left out with one sentence. The test `real_shuffles_draw_likely_numbers_of_words` of
`flipcost-libraries` compares the counts with the exact law of the words: they must lie in the range that contains
all of the probability except 10^-6. README.md of the folder above says what to install.
"""

import csv
import datetime
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parents[2] / "target")) / "languages" / "shuffles"
VENV = BUILT.parent / "venv" / "bin"
COLUMNS = ["id", "version", "cards", "shuffles", "words", "date"]
CARDS = [2, 3, 10, 52, 100, 1000]
WORDS = 100_000  # at least this many words for each deck

PYTHON = str(VENV / "python") if (VENV / "python").exists() else sys.executable
os.environ["PATH"] = f"{VENV}:{os.environ['PATH']}"


def cpp(name, compiler, *options):
    return [[compiler, "-O2", *options, HERE / "shuffle.cpp", "-o", BUILT / name]]


def cargo(name, *options):
    return [["cargo", "build", "--release", "--manifest-path", HERE / "rust" / "Cargo.toml", "--target-dir", BUILT / name, *options]]


# for each language: the ids, the command that builds the program, the program, and the command that
# prints the version
PROGRAMS = [
    (["cpython-shuffle"], [], [sys.executable, HERE / "shuffle.py"], [sys.executable, "--version"]),
    (
        ["numpy-generator-shuffle", "numpy-generator-permutation", "numpy-legacy-shuffle", "numpy-legacy-permutation"],
        [[PYTHON, "-c", "import numpy"]],
        [PYTHON, HERE / "shuffle.py"],
        [PYTHON, "-c", "import numpy; print('NumPy', numpy.__version__)"],
    ),
    (
        ["libstdcxx-shuffle-mt19937", "libstdcxx-shuffle-mt19937-64"],
        cpp("libstdcxx", "g++", "-std=c++17"),
        [BUILT / "libstdcxx"],
        ["g++", "--version"],
    ),
    (
        ["libcxx-shuffle-mt19937", "libcxx-shuffle-mt19937-64"],
        cpp("libcxx", "clang++", "-std=c++17", "-stdlib=libc++"),
        [BUILT / "libcxx"],
        ["clang++", "--version"],
    ),
    (["boost-random-shuffle-mt19937"], cpp("boost", "g++", "-std=c++14", "-w", "-DBOOST"), [BUILT / "boost"], ["g++", "--version"]),
    (
        ["java-collections-shuffle"],
        [["javac", "-d", BUILT, HERE / "Shuffled.java"]],
        ["java", "-cp", BUILT, "Shuffled"],
        ["java", "--version"],
    ),
    (["rust-rand-0.8-shuffle"], cargo("rust"), [BUILT / "rust/release/shuffled"], ["echo", "rand 0.8.8"]),
    (["rust-rand-0.9-shuffle"], cargo("rust"), [BUILT / "rust/release/shuffled"], ["echo", "rand 0.9.2"]),
    (
        ["rust-rand-0.9-shuffle-unbiased"],
        cargo("rust-unbiased", "--features", "unbiased"),
        [BUILT / "rust-unbiased/release/shuffled"],
        ["echo", "rand 0.9.2"],
    ),
    (
        ["go-math-rand-shuffle", "go-math-rand-perm", "go-math-rand-v2-shuffle"],
        [["go", "build", "-o", BUILT / "go", HERE / "shuffle.go"]],
        [BUILT / "go"],
        ["go", "version"],
    ),
    (["ruby-shuffle"], [], ["ruby", HERE / "shuffle.rb"], ["ruby", "--version"]),
    (["js-fisher-yates-v8"], [], ["node", HERE / "shuffle.js"], ["node", "--version"]),
    (["php-shuffle"], [], ["php", HERE / "shuffle.php"], ["php", "--version"]),
    (
        ["r-sample-shuffle", "r-sample-rounding-shuffle"],
        [],
        ["Rscript", HERE / "shuffle.R"],
        ["Rscript", "-e", "cat(R.version.string)"],
    ),
]


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it failed")
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else ""


def main():
    BUILT.mkdir(parents=True, exist_ok=True)
    rows = []
    for ids, build, program, version in PROGRAMS:
        try:
            for command in build:
                run(command)
            said = run(version)
        except OSError as error:
            print(f"{', '.join(ids)}: left out, since {error}", file=sys.stderr)
            continue
        for identifier in ids:
            for cards in CARDS:
                # the smallest number of shuffles that draw this many words; a single shuffle was
                # counted before to estimate it
                one = max(1, int(run([*program, identifier, cards, 1])))
                shuffles = -(-WORDS // one) + 1
                words = int(run([*program, identifier, cards, shuffles]))
                while words < WORDS:
                    shuffles += shuffles // 8 + 1
                    words = int(run([*program, identifier, cards, shuffles]))
                rows.append([identifier, said, cards, shuffles, words, datetime.date.today().isoformat()])
                print(*rows[-1], sep=",")
    with open(HERE / "shuffles.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
