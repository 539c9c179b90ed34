#!/usr/bin/env python3
"""Makes a certificate of `flipcost verify` by units, in several processes, and continues where it was stopped.

Each part of the certificate is a separate question, which is split into units. The result of a unit is stored in FOLDER
until its part is complete; then the part is stored. The certificate is the same as the program's, byte for byte;
`flipcost verify --check` computes parts again. Any executor can replace the processes
(docs/many-machines.md).

    nice python3 certificate.py rounds 1000000000 rounds.toml kept --processes 2
"""

import argparse
import json
import os
import pickle
import subprocess
import tempfile
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor, as_completed

import flipcost

LENGTH = 2**24
PROGRAM = os.environ.get("FLIPCOST", "flipcost")


def write(path, data):
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.replace(path + ".new", path)


def work(unit, path):
    """Computes one unit; returns its CPU time in seconds."""
    start = time.process_time()
    write(path, pickle.dumps(unit.run()))
    return time.process_time() - start


def as_toml(table):
    """Returns texts and whole numbers as TOML."""
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items() if value is not None)


def header(claim, to):
    """Returns the head of the certificate, above the parts: the program makes it for a short certificate of the same claim."""
    with tempfile.TemporaryDirectory() as folder:
        short = os.path.join(folder, "short.toml")
        subprocess.run([PROGRAM, "verify", claim, "--to", "1000", "--certificate", short], check=True)
        with open(short, "rb") as file:
            table = tomllib.load(file)
    del table["part"]
    command = table["command"].replace("--to 1000 ", f"--to {to} ")
    return {**table, "command": command, "to": to}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("claim")
    parser.add_argument("to", type=int)
    parser.add_argument("certificate", help="the file to write")
    parser.add_argument("folder", help="where results of units are kept")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    top = header(given.claim, given.to)
    growing = os.path.join(given.folder, "certificate.toml")
    done, cpu = [], 0.0
    if os.path.exists(growing):
        with open(growing, "rb") as file:
            left = tomllib.load(file)
        if left["command"] != top["command"]:
            raise SystemExit(f"{growing} is of `{left['command']}`: name another folder")
        done = left["part"]
    first = done[-1]["to"] + 1 if done else top["from"]
    todo = []
    for start in range(first, given.to + 1, LENGTH):
        fields = {"claim": given.claim, "from_": start, "to": min(start + LENGTH - 1, given.to), "digest": True}
        units = flipcost.units("verify", **fields)
        name = lambda unit: os.path.join(given.folder, f"{start}-{unit.places[0]}-{unit.places[1]}")
        todo.append((fields, [(unit, name(unit)) for unit in units]))
    with ProcessPoolExecutor(given.processes) as processes:
        left = {
            processes.submit(work, unit, path): path
            for _, units in todo
            for unit, path in units
            if not os.path.exists(path)
        }
        running = as_completed(left)
        for fields, units in todo:
            while not all(os.path.exists(path) for _, path in units):
                cpu += next(running).result()
            results = []
            for _, path in units:
                with open(path, "rb") as file:
                    results.append(pickle.load(file))
            row = flipcost.merge(results)[0]
            if row["counterexample"] or row["sample_sha256"] != row["second_sha256"]:
                raise SystemExit(f"{fields}: {row}")
            part = {"from": fields["from_"], "to": fields["to"]}
            part |= {name: row[name] for name in ("checked", "extreme", "values_sha256", "sample", "sample_sha256")}
            done.append(part)
            write(growing, (as_toml(top) + "".join("\n[[part]]\n" + as_toml(part) for part in done)).encode())
            for _, path in units:
                os.remove(path)
            print(f"n up to {fields['to']}: {cpu:.0f} s of CPU in this run", flush=True)
    os.replace(growing, given.certificate)


if __name__ == "__main__":
    main()
