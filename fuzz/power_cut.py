#!/usr/bin/env python3
"""Cuts the power at every system call of a run that writes files.

    python3 fuzz/power_cut.py [--program target/release/flipcost] [--cuts N] [--seed 1]

`--cuts` tries only N folders of each run, chosen by the seed. Needs strace.
The script records the calls that change files. For a power cut after each of them, it makes the folder in three states
in which the disk could be: with only what is certainly on the disk (names as of the last fsync of the folder, contents
as of the last fsync of each file), with all names but only those contents, and with everything, as after a kill. In each
state the requested file must be absent, or be the old file or the complete new file, and the same command with --resume
must make the complete file. Prints how many folders were tried; the exit status is 1 if one of them was wrong.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

CALLS = "openat,creat,write,pwrite64,ftruncate,rename,renameat,renameat2,fsync,fdatasync,unlink,unlinkat,lseek"
SWEEP = "cost 1000..40000 --columns n,toll,variance -d 40 -a fast-dice-roller --threads 1 --format csv"
OLD = b"what was there before\n"


class Inode:
    def __init__(self, data=b""):
        self.data = bytearray(data)
        self.kept = bytes(data)


class Disk:
    """The files of one folder by name, as they are now and as they were at the last fsync."""

    def __init__(self, folder, files):
        self.folder = folder
        self.now = {name: Inode(data) for name, data in files.items()}
        self.kept = dict(self.now)
        self.places = {}  # the position of each descriptor

    def name(self, path):
        path = os.path.normpath(os.path.join(self.folder, path))
        return os.path.basename(path) if os.path.dirname(path) == self.folder else None

    def call(self, call, words, result):
        """Applies a system call, and returns whether it changed anything."""
        strings = [decoded(word) for word in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', words)]
        handle = re.match(r"(\d+)<([^>]*)>", words)
        file = self.now.get(self.name(handle[2].removesuffix("(deleted)"))) if handle else None
        if call == "openat" and result >= 0:
            name = self.name(strings[0].decode())
            if name is None:
                return False
            new = name not in self.now and "O_CREAT" in words
            if new:
                self.now[name] = Inode()
            if "O_TRUNC" in words and name in self.now:
                self.now[name].data = bytearray()
            self.places[result] = 0
            return new
        if call in ("rename", "renameat", "renameat2") and result == 0:
            old, new = (self.name(string.decode()) for string in strings[:2])
            self.now[new] = self.now.pop(old)
            return True
        if call in ("unlink", "unlinkat") and result == 0:
            return self.now.pop(self.name(strings[0].decode()), None) is not None
        if call in ("fsync", "fdatasync"):
            if file:
                file.kept = bytes(file.data)
            elif handle and handle[2] == self.folder:
                self.kept = dict(self.now)
            return True
        if not file:
            return False
        number = int(handle[1])
        if call == "lseek":
            self.places[number] = result
            return False
        if call == "ftruncate":
            del file.data[int(words.split(",")[1]):]
            return True
        if call == "write" and result > 0:
            at = self.places.get(number, 0)
            file.data[at:at + result] = strings[0][:result]
            self.places[number] = at + result
            return True
        return False

    def cuts(self):
        """Returns the states in which a power cut may leave the folder."""
        yield {name: inode.kept for name, inode in self.kept.items()}
        yield {name: inode.kept for name, inode in self.now.items()}
        yield {name: bytes(inode.data) for name, inode in self.now.items()}


def decoded(text):
    return bytes.fromhex(text.replace("\\x", ""))


def recorded(program, line, folder):
    """Runs the command in this folder and yields its system calls."""
    with tempfile.NamedTemporaryFile("r") as log:
        tool = ["strace", "-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-o", log.name]
        subprocess.run([*tool, program, *line], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        begun = {}  # calls that a call of another thread interrupted in the log
        for text in log:
            thread, text = text.split(None, 1)
            if text.rstrip().endswith("<unfinished ...>"):
                begun[thread] = text.rstrip().removesuffix("<unfinished ...>")
                continue
            if text.startswith("<... "):
                text = begun.pop(thread, "") + text.split("resumed>", 1)[1]
            found = re.match(r"(\w+)\((.*)\) += (-?\d+)", text)
            if found:
                # the paths of file descriptors are also written as bytes
                words = re.sub(r"<((?:\\x[0-9a-f]{2})+)>", lambda hit: f"<{decoded(hit[1]).decode()}>", found[2])
                yield found[1], words, int(found[3])


def tried(program, line, file, before, resumes, chosen):
    """Returns how many folders were tried, and the errors."""
    whole = None
    places, wrong = {}, []
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for name, data in before.items():
            pathlib.Path(folder, name).write_bytes(data)
        disk = Disk(folder, before)
        calls = list(recorded(program, line, folder))
        whole = pathlib.Path(folder, file).read_bytes()
        for number, (call, words, result) in enumerate(calls):
            if disk.call(call, words, result):
                for cut in disk.cuts():
                    places.setdefault(tuple(sorted(cut.items())), f"{number} ({call})")
        cuts = chosen(list(places.items()))
        for state, place in cuts:
            wrong += check(program, line, file, before, whole, dict(state), place, resumes)
        if bytes(disk.now[file].data) != whole:
            wrong.append("the recorded calls do not make the file")
    return len(cuts), wrong


def check(program, line, file, before, whole, cut, place, resumes):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in cut.items():
            pathlib.Path(folder, name).write_bytes(data)
        if file in cut and cut[file] not in (before.get(file), whole):
            return [f"after call {place}: {file} has {len(cut[file])} bytes, which is neither the old nor the new file"]
        if not resumes:
            return []
        done = subprocess.run([program, *line], cwd=folder, stderr=subprocess.PIPE, check=False)
        made = pathlib.Path(folder, file)
        if done.returncode != 0 or made.read_bytes() != whole:
            return [f"after call {place}: {done.returncode} {done.stderr.decode()}"]
    return []


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--program", default="target/release/flipcost")
    options.add_argument("--cuts", type=int)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    program = os.path.abspath(given.program)
    dice = random.Random(given.seed)

    def chosen(cuts):
        return dice.sample(cuts, min(given.cuts or len(cuts), len(cuts)))

    failed = False
    for line, file, before, resumes in [
        ("cost 6 --format csv -o f.csv", "f.csv", {"f.csv": OLD}, False),
        ("cost 6 --format csv -o f.csv", "f.csv", {}, False),
        (f"{SWEEP} -o f.csv --resume", "f.csv", {}, True),
        (f"{SWEEP} -o f.csv --resume", "f.csv", {"f.csv": OLD}, True),
    ]:
        count, wrong = tried(program, line.split(), file, before, resumes, chosen)
        print(f"{count} folders after a cut, {len(wrong)} wrong: flipcost {line}", flush=True)
        for what in wrong[:5]:
            print(f"  {what}")
        failed |= bool(wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
