"""Runs random command lines of the built program, or sends random questions to its page.

    cargo build --release --bins --examples -p flipcost-cli -p flipcost-fuzz-targets
    python3 fuzz/soak.py [--page] [--lines 2000] [--seed 1] [--seconds 20] [--jobs 2] [--built target/release]

`crates/fuzz/src/line.rs` makes the lines and the questions from the program's own descriptions: every
command, every argument and every listed value, so that new ones are covered automatically.

Every line runs with 6 GB of address space and a limit of --seconds, in a new folder that holds only a few
files. It must end with exit status 0 or 1, or with 2 and one line on standard error that begins with
`error: ` (or with the help, for a command without its action). A line that reaches the limit is stopped; within
three seconds it must have announced how long it takes. A panic, a signal, a silent wait or a sentence with a control
character is printed with the number of the line, and the exit status is 1. The script also counts how the lines ended.

With `--page`, each question is sent to `flipcost explore` and must get an answer or one sentence. If it gets
neither within --seconds, the client disconnects, and the server must stop working on the question. Meanwhile the script
asks `cost 6` again and again, which must be answered within a second each time.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time

MEMORY = 6 << 30
SAID = 3
SMALL = '{"ask":"cost","target":"6"}'


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def watched(program, line, seconds, folder):
    """Runs a line. Returns its exit status (None if it was stopped), its standard error, and what it printed early."""
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


def prepare(folder):
    """Writes the files that lines may name."""
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


def verdict(status, error, early):
    """Returns how a line ended, in a word or two, and what is wrong with that (None if nothing is wrong)."""
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
        lines = [line for line in error.splitlines() if not line.startswith(("note: ", "  tip: "))]
        if len(lines) != 1 or not lines[0].startswith(("error: ", "? 2")):
            return "wrong", f"{len(lines)} lines on standard error"
        if len(lines[0]) > 4000:
            return "wrong", "a sentence of more than 4000 characters"
        if "--yes removes the limit" in error:
            return "refused: a minute or 4 GB", None
    return {0: "an answer", 1: "a mismatch", 2: "one sentence"}[status], None


def tried(program, line, seconds):
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        begun = time.monotonic()
        status, error, early = watched(program, line, seconds, folder)
        return time.monotonic() - begun, error, *verdict(status, error, early)


class Page:
    """The page, served on a free port, and the longest time that the answer to `cost 6` took."""

    def __init__(self, program):
        self.server = subprocess.Popen([program, "explore", "--port", "0"], stdout=subprocess.PIPE, text=True,
                                       preexec_fn=limit)
        found = re.search(r"http://([\d.]+):(\d+)", self.server.stdout.readline())
        self.address = found[1], int(found[2])
        self.slowest = 0
        self.largest = 0
        self.asked = set()
        threading.Thread(target=self.look, daemon=True).start()

    def ask(self, question, seconds):
        """Asks a question. Returns the status and the body; the status is None if no response came in time."""
        body = question.encode()
        host = ":".join(map(str, self.address))
        head = f"POST /ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
        until = time.monotonic() + seconds
        told = b""
        with socket.create_connection(self.address) as stream:
            stream.sendall(head.encode() + body)
            try:
                while time.monotonic() < until:
                    stream.settimeout(max(until - time.monotonic(), 0.001))
                    part = stream.recv(1 << 16)
                    if not part:
                        return told[9:12].decode(), told.partition(b"\r\n\r\n")[2]
                    told += part
            except TimeoutError:
                pass
            return None, b""

    def look(self):
        while self.server.poll() is None:
            begun = time.monotonic()
            beside = list(self.asked)
            status, _ = self.ask(SMALL, 60)
            gone = time.monotonic() - begun
            if gone > 1:
                print(f"cost 6 took {gone:.1f} s beside {[question[:200] for question in beside]}", flush=True)
            self.slowest = max(self.slowest, gone if status == "200" else 60)
            with open(f"/proc/{self.server.pid}/status", encoding="ascii") as file:
                self.largest = max(self.largest, int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]))
            time.sleep(0.5)

    def tried(self, question, seconds):
        begun = time.monotonic()
        self.asked.add(question)
        status, body = self.ask(question, seconds)
        self.asked.discard(question)
        return time.monotonic() - begun, body, *self.verdict(status, body)

    def verdict(self, status, body):
        if status is None:
            return "left before its end", None
        try:
            told = json.loads(body)
        except ValueError:
            return "wrong", "not JSON"
        if status == "200":
            return ("an answer", None) if "rows" in told else ("wrong", "an answer without rows")
        sentence = told.get("error", "")
        if status not in ("422", "429", "503") or not sentence or len(sentence) > 4000:
            return "wrong", f"status {status}"
        if any(ord(c) < 32 or ord(c) == 127 for c in sentence):
            return "wrong", "a control character"
        return "one sentence", None


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--page", action="store_true")
    options.add_argument("--lines", type=int, default=2000)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--built", default="target/release")
    given = options.parse_args()
    program = os.path.abspath(os.path.join(given.built, "flipcost"))
    lines = [os.path.join(given.built, "examples", "lines"), str(given.seed), str(given.lines)]
    made = subprocess.run(lines + ["questions"] * given.page, stdout=subprocess.PIPE, check=True).stdout
    made = made.decode().strip().split("\n")
    page = Page(program) if given.page else None
    ends = collections.Counter()
    longest = []

    def one(line):
        return page.tried(line, given.seconds) if page else tried(program, json.loads(line), given.seconds)

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for number, (line, (gone, said, end, what)) in enumerate(zip(made, pool.map(one, made))):
            ends[end] += 1
            words = [line] if page else json.loads(line)
            shown = " ".join(word if len(word) < 200 else word[:180] + "..." for word in map(shlex.quote, words))
            longest = sorted([*longest, (gone, shown)], reverse=True)[:5]
            if what:
                print(f"{number}: {what}: {shown!r}\n    {said[:300]!r}", flush=True)
    if page:
        print(f"cost 6 took {page.slowest:.2f} s at most, and the page {page.largest >> 10} MB")
        if page.server.poll() is not None or page.slowest > 1:
            ends["wrong"] += 1
        page.server.kill()
    for end, count in ends.most_common():
        print(f"{count:7} {end}")
    for gone, shown in longest:
        print(f"{gone:7.1f} s  {shown}")
    print(f"{ends['wrong']} of {given.lines} ended wrongly (seed {given.seed})")
    sys.exit(1 if ends["wrong"] else 0)


if __name__ == "__main__":
    main()
