"""The package's command behaves as the program: the same answers, exit statuses, sentences, pipes and signals."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import flipcost

PROGRAM = [sys.executable, "-m", "flipcost"]


def run(*words: str, text: str = "") -> tuple[int, str, str]:
    ended = subprocess.run([*PROGRAM, *words], input=text, capture_output=True, text=True, encoding="utf-8")
    return ended.returncode, ended.stdout, ended.stderr


def test_an_answer_is_that_of_the_package() -> None:
    status, out, errors = run("cost", "6", "-f", "csv")
    assert status == 0
    told = [(row["algorithm"], row["expected_exact"]) for row in csv.DictReader(out.splitlines())]
    assert told == [(row["algorithm"], str(row["expected_exact"])) for row in flipcost.cost(6)]
    assert errors == ""


def test_version_and_help() -> None:
    assert run("--version") == (0, f"flipcost {flipcost.__version__}\n", "")
    assert "Usage: flipcost cost " in run("cost", "--help")[1]


def test_bad_input_is_one_sentence() -> None:
    status, out, errors = run("cost", "0")
    assert (status, out, errors.count("\n")) == (2, "", 1)


def test_standard_input_is_read() -> None:
    query = run("--query", "cost", "6")[1]
    status, out, _ = run("ask", "-", text=query)
    assert status == 0
    assert '"11/3"' in out


def test_a_closed_pipe_is_not_a_failure() -> None:
    reader, writer = os.pipe()
    program = subprocess.Popen([*PROGRAM, "cost", "2..100000", "-f", "csv", "--yes"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    os.read(reader, 10)
    os.close(reader)
    assert program.wait(60) == 0


def test_ctrl_c_ends_it_as_it_ends_the_program(tmp_path: Path) -> None:
    words = ["cost", "1..10^9", "-a", "interval", "-c", "n,expected_exact", "--yes", "-o", "rows.csv"]
    program = subprocess.Popen([*PROGRAM, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "rows.csv.part.journal"
    while not journal.exists() or journal.read_text().count("\n") < 2:
        assert program.poll() is None
        time.sleep(0.05)
    program.send_signal(signal.SIGINT)
    assert "--resume continues from there" in program.communicate(timeout=60)[1]
    assert program.returncode == 130
