"""The statements of the book about a sweep of a million rows in data tools, and about certificates by units."""

import os
import pathlib
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("FLIPCOST", ROOT / "target" / "release" / "flipcost"))


def test_a_million_rows_in_pandas_polars_and_duckdb(tmp_path: pathlib.Path) -> None:
    if not PROGRAM.exists():
        pytest.skip(f"no program at {PROGRAM}: cargo build --release makes it")
    for package in ("pandas", "polars", "duckdb"):
        pytest.importorskip(package)
    chapter = (ROOT / "docs" / "researcher.md").read_text()
    block = chapter.split("Data tools read the CSV")[1].split("```")[1]
    sweep, *lines = block.removeprefix("sh\n").splitlines()
    subprocess.run([PROGRAM, *shlex.split(sweep)[1:]], cwd=tmp_path, check=True)
    with open(tmp_path / "sweep.csv") as file:
        assert sum(1 for _ in file) == 1_000_001
    assert len(lines) == 6
    for line, said in zip(lines[::2], lines[1::2]):
        command = [sys.executable, *shlex.split(line)[1:]]
        printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
        assert f"# {printed.stdout}" == f"{said}\n", line


def test_a_certificate_by_units_is_that_of_the_program(tmp_path: pathlib.Path) -> None:
    if not PROGRAM.exists():
        pytest.skip(f"no program at {PROGRAM}: cargo build --release makes it")
    script = ROOT / "analysis" / "cluster" / "certificate.py"
    command = [sys.executable, script, "rounds", "20000", tmp_path / "units.toml", tmp_path / "kept", "--processes", "2"]
    subprocess.run(command, check=True, env={**os.environ, "FLIPCOST": str(PROGRAM)}, capture_output=True)
    alone = tmp_path / "alone.toml"
    subprocess.run([PROGRAM, "verify", "rounds", "--to", "20000", "--certificate", alone], check=True)
    assert (tmp_path / "units.toml").read_bytes() == alone.read_bytes()
    subprocess.run([PROGRAM, "verify", "--check", tmp_path / "units.toml"], check=True, stdout=subprocess.DEVNULL)
