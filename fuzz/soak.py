#!/usr/bin/env python3
"""Random command lines against the built program: each must end with an answer or one sentence.

    cargo build --release
    python3 fuzz/soak.py [--lines 2000] [--seed 1] [--seconds 20] [--jobs 2] [--program target/release/flipcost]

The commands, their options and the possible values are read from the program's own help, so that a
new one is tried without another line here. The values are natural numbers up to many thousand digits,
at the edges of machine words and beyond, and texts that mean nothing; ranges are short and counts
small, so that no line asks for hours of honest work.

Every line runs with 6 GB of address space and so many seconds, in an empty folder of its own beside a few
files, and must end with exit status 0 or 1, or with 2 and one line on standard error that begins with
`error: ` (or the help, for a command that lacks its action); or it must have said, before it was three seconds
old, how long it takes, and is stopped. A panic, a signal, a silent wait or a sentence with a control
character is printed with its number, and the status is 1. How the lines ended is counted.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

MEMORY = 6 << 30
SAID = 3
EDGES = [2**32, 2**53, 2**63, 2**64, 2**127, 2**128]
SMALL = ["0", "1", "2", "3", "6", "7", "8", "12", "20", "97", "100", "1000", "2570", "65537"]
LARGE = [
    "10^18+9", "52!", "2^256", "3^200", "10^100", "10^1000", "10^5000", "2^20000", "2^70000-1",
    "10^100000", "10^100000+7", "10^1000000", "400000!", "9^5290000", "2^16777215",
]
NONSENSE = [
    "", " ", "-1", "1e6", "1.5", "10^^6", "2^2^2^2^2^2", "333352!!", "(" * 60 + "1", "9" * 5000,
    "x" * 3000, "\x1b[31mred", "a\nb", "\u202ered", "٣", "inf", "nan", "0x10", "1/0", "--", "é\u0301",
    "+".join(["400000!"] * 200), "18446744073709551616", "6,6", "..", "5..3", "1..2^64",
]
REALS = ["1/29", "e", "pi", "sqrt(2)", "ln(2)", "pi^889", "e-2", "1/(2^127-1)", "10^400000/3", "0", "pi-pi"]
DICE = ["6", "6,10", "polyhedral", "2,3", "4294967296", "4294967297", "6,6", "2^32,2^31"]
LISTS = ["2..9", "6,10", "2..3,5", "1", "9..2", "2..10^9", "0..3", "2^64-2..2^64-1"]
FORMS = ["table", "csv", "jsonl", "b-file", "list", "internal"]


def natural(dice):
    kind = dice.random()
    if kind < 0.45:
        return dice.choice(SMALL)
    if kind < 0.6:
        return str(dice.choice(EDGES) + dice.randint(-2, 2))
    if kind < 0.85:
        return dice.choice(LARGE)
    return dice.choice(NONSENSE)


def count(dice):
    """A number of rows, digits or trials that is soon done, or one that must be refused."""
    return dice.choice(["0", "1", "2", "5", "17", "100", "1000", "-1", "x", "2^64", "10^30"])


def value(dice, command, name, files, words):
    """A value for an option or an argument with this name in the help."""
    if words and dice.random() < 0.93:
        return dice.choice(words)
    if dice.random() < 0.04:
        return dice.choice(NONSENSE)
    name = name.upper()
    if name in ("FILE", "FOLDER", "STUDY"):
        return dice.choice(files)
    if name in ("DICE",) or name == "M" and command == "recipe" and dice.random() < 0.3:
        return dice.choice(DICE)
    if name == "X":
        return dice.choice(REALS + SMALL + LARGE)
    if name in ("K", "D", "T", "J", "J/K"):
        return count(dice)
    if name == "I/K":
        return dice.choice(["1/1", "2/3", "3/2", "0/1", "1/0", "1000000/1000000", "x"])
    if name in ("TERMS",):
        return dice.choice(["1,1,2,3,5,8", "1", "1,-1,1,-1", "x", ",", "1," * 3000 + "1"])
    if name in ("Q", "QUANTILES"):
        return dice.choice(["1/2", "0.9,0.99", "1", "0", "2", "1-1/10^300", "x"])
    if name == "ROLLS":
        return dice.choice(["HTHTTHTHHT", "H", "1,2,3", "9", "", "H" * 3000])
    if name == "PRICES":
        return dice.choice(["6=2", "10=1/2,6=0", "6=-1", "x", "7=1"])
    if name == "ID" and command in ("sequence", "oeis"):
        return dice.choice(SEQUENCES)
    if name == "A-NUMBER":
        return "x"  # nothing is downloaded
    if name == "M":
        return dice.choice(["2", "3", "6", "10", "2^32", "2^32+1", "1", "0", "2..5", "6,10"])
    if name == "ID":
        return dice.choice(ALGORITHMS)
    if command == "verify":
        return dice.choice(SMALL + ["2^64", "x"])
    if command in ("bounded", "compare"):
        return dice.choice(LISTS)
    return natural(dice)


SEQUENCES = ["A136043", "A000001", "cycle-rounds:source=2", "mr-period:base=3", "expected-numerator",
             "toll-records", "no-such", "mr-period:base=0", "cycle-rounds:source=2^70", "A" * 5000]

ALGORITHMS = ["fast-dice-roller", "rejection", "interval", "base-conversion-early", "factoring", "recycling", "x"]


class Command:
    """A command, as its help describes it."""

    def __init__(self, program, words):
        self.words = words
        text = run(program, [*words, "--help"], 20).stdout.decode()
        self.actions = []
        self.options = []
        self.arguments = []
        part, last = "", ["", None, ""]
        for line in text.splitlines():
            if line and not line.startswith(" "):
                part, last = line, ["", None, ""]
            elif re.match(r"Commands|.*\(for example, ", part) and (found := re.match(r"^  ([a-z][\w-]*)", line)):
                self.actions.append(found[1])
            elif found := re.match(r"^ +(?:-\w, )?--([\w-]+)(?: \[?<([^>]+)>)?", line):
                last = [found[1], found[2], ""]
                self.options.append(last)
            elif part.startswith("Arguments") and (found := re.match(r"^ {2}[<\[]([\w/-]+)[>\]]", line)):
                last = [None, found[1], ""]
                self.arguments.append(last)
            last[2] += " " + line
        for option in self.options + self.arguments:
            listed = re.search(r"\[possible values: ([^\]]+)\]", option[2])
            items = re.findall(r" +- ([a-z][\w-]*):", option[2])
            option[2] = [word.strip() for word in listed[1].split(",")] if listed else items
        # who says --yes wants all of it
        self.options = [option for option in self.options if option[0] not in ("help", "yes")]

    def line(self, dice, files):
        line = list(self.words)
        if dice.random() < 0.02:
            line.insert(0, "--query")
        for _, name, words in self.arguments:
            if dice.random() < 0.97:
                line.append(value(dice, self.words[0], name, files, words))
        names = [option[0] for option in self.options]
        for option, name, words in self.options:
            if option in ("from", "to") and "from" in names:
                continue
            if dice.random() < (0.5 if option in ("dice", "output", "algorithm", "to") else 0.2):
                line.append("--" + option)
                if name:
                    line.append(value(dice, self.words[0], name, files, words))
        if "from" in names and "to" in names and dice.random() < 0.9:
            first = dice.choice([1, 1, 2, 1000, 10**6, 2**32 - 3, 2**53, 2**64 - 9])
            last = first + dice.randint(0, 8)
            line += ["--from", str(first), "--to", str(last)]
            if first > 10**6 and self.words[0] == "sweep":
                line += ["--algorithm", "fast-dice-roller", "--columns", "toll"]  # the rest takes honest hours
        return line


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, line, seconds, folder=None):
    return subprocess.run(
        [program, *line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        timeout=seconds, cwd=folder, preexec_fn=limit,
    )


def watched(program, line, seconds, folder):
    """How a line ended: its exit status (None if it was stopped), standard error, and what was said early."""
    with tempfile.TemporaryFile() as error:
        child = subprocess.Popen(
            [program, *line], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error, cwd=folder,
            preexec_fn=limit,
        )
        early = None
        for wait in (SAID, max(0, seconds - SAID)):
            try:
                child.wait(wait)
                break
            except subprocess.TimeoutExpired:
                if early is None:
                    early = os.pread(error.fileno(), 1 << 20, 0)
        if child.returncode is None:
            child.kill()
            child.wait()
            status = None
        else:
            status = child.returncode
        return status, os.pread(error.fileno(), 1 << 20, 0), early


def commands(program):
    """All commands and their actions."""
    top = Command(program, [])
    found = []
    for word in top.actions:
        if word in ("help", "explore"):  # explore serves until it is stopped
            continue
        command = Command(program, [word])
        actions = [action for action in command.actions if action != "help"]
        found += [Command(program, [word, action]) for action in actions]
        if command.arguments or command.options or not actions:
            found.append(command)
    return found


def prepare(folder):
    """Files that lines may name."""
    def make(name, text):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)

    make("b.txt", b"# a b-file\n1 1\n2 1\n3 1\n4 1\n5 2\n")
    make("marked.txt", b"\xef\xbb\xbfA136043 ,1,1,1,1,2,\n")
    make("noise", bytes(range(256)) * 20)
    make("empty", b"")
    make("study.toml", b'title = "t"\nquestion = "q"\n')
    make("asks.jsonl", b'{"ask":"cost","target":"10^100000"}\n{"ask":"nothing"}\n')
    make("deep.toml", b"title = " + b"[" * 100000)
    return ["b.txt", "marked.txt", "noise", "empty", "study.toml", "deep.toml", "asks.jsonl", "missing", ".",
            "no/such/place", "out.csv", "out.svg", "out.png", "out.dot", "/dev/full", "/dev/null", "x" * 300]


def verdict(status, error, early):
    """How a line ended, in a word or two, and what is wrong with that; None if nothing is."""
    error = error.decode("utf-8", "replace")
    if "panicked" in error:
        return "wrong", "panic"
    if early is not None and b"note: this takes " not in early:
        return "wrong", f"silent for {SAID} seconds"
    if status is None:
        return "stopped, after it had said how long it takes", None
    if status < 0:
        return "wrong", f"signal {-status}"
    if status not in (0, 1, 2):
        return "wrong", f"exit status {status}"
    if any(ord(c) < 32 and c != "\n" or ord(c) == 127 for c in error):
        return "wrong", "a control character on standard error"
    if status == 2 and "Usage: " not in error:
        lines = [line for line in error.splitlines() if not line.startswith("note: ")]
        if len(lines) != 1 or not lines[0].startswith(("error: ", "? 2")):
            return "wrong", f"{len(lines)} lines on standard error"
        if len(lines[0]) > 4000:
            return "wrong", "a sentence of more than 4000 characters"
        if "--yes lets it go on" in error:
            return "refused: a minute or 4 GB", None
    return {0: "an answer", 1: "a mismatch", 2: "one sentence"}[status], None


def tried(program, all_commands, seed, number, seconds):
    dice = random.Random(f"{seed}:{number}")
    with tempfile.TemporaryDirectory() as folder:
        line = dice.choice(all_commands).line(dice, prepare(folder))
        line = [word.replace("\0", "") for word in line]
        begun = time.monotonic()
        status, error, early = watched(program, line, seconds, folder)
        return line, time.monotonic() - begun, error, *verdict(status, error, early)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--lines", type=int, default=2000)
    options.add_argument("--seed", type=int, default=random.randrange(10**6))
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--program", default="target/release/flipcost")
    given = options.parse_args()
    program = os.path.abspath(given.program)
    all_commands = commands(program)
    print(f"seed {given.seed}, {given.lines} lines, {len(all_commands)} commands", flush=True)
    ends = collections.Counter()
    longest = []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        numbers = range(given.lines)
        all_tried = pool.map(lambda number: tried(program, all_commands, given.seed, number, given.seconds), numbers)
        for number, (line, gone, error, end, what) in zip(numbers, all_tried):
            ends[end] += 1
            shown = " ".join(word if len(word) < 60 else word[:40] + "..." for word in map(shlex.quote, line))
            longest = sorted([*longest, (gone, shown)], reverse=True)[:5]
            if what:
                print(f"{number}: {what}: flipcost {shown!r}\n    {error[:300]!r}", flush=True)
    for end, count in ends.most_common():
        print(f"{count:7} {end}")
    for gone, shown in longest:
        print(f"{gone:7.1f} s  flipcost {shown}")
    print(f"{ends['wrong']} of {given.lines} lines ended wrongly (seed {given.seed})")
    sys.exit(1 if ends["wrong"] else 0)


if __name__ == "__main__":
    main()
