#!/usr/bin/env python3
"""Executes the notebooks of this folder and compares their outputs with the stored ones.

`run.py` ends with exit status 1 if a text differs; `run.py --write` stores what comes out. Pictures are
drawn and not stored: their bytes depend on the version of matplotlib.
"""

import argparse
import copy
import pathlib
import sys

import nbclient
import nbformat

HERE = pathlib.Path(__file__).parent


def seen(cell: nbformat.NotebookNode) -> list[object]:
    """The outputs of a cell, as they are compared."""
    out: list[object] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            out.append((output.name, output.text))
        else:
            data = output.get("data", {})
            out.append(data.get("text/plain", ""))
    return out


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="store what comes out")
    arguments.add_argument("notebooks", nargs="*", type=pathlib.Path)
    given = arguments.parse_args()
    differ = 0
    paths = given.notebooks or sorted(HERE.glob("*.ipynb"))
    for path in paths:
        stored = nbformat.read(path, as_version=4)
        made = copy.deepcopy(stored)
        nbclient.NotebookClient(made, timeout=300, kernel_name="python3").execute()
        if given.write:
            for cell in made.cells:
                cell.metadata.pop("execution", None)
                for output in cell.get("outputs", []):
                    output.get("data", {}).pop("image/png", None)
            made.metadata = {"kernelspec": stored.metadata.get("kernelspec", {})}
            nbformat.write(made, path)
        wrong = [
            number
            for number, (old, new) in enumerate(zip(stored.cells, made.cells), 1)
            if old.cell_type == "code" and seen(old) != seen(new)
        ]
        for number in [] if given.write else wrong:
            differ += 1
            print(f"{path.name}, cell {number}: the output is not the stored one", file=sys.stderr)
            print(f"  stored {seen(stored.cells[number - 1])}", file=sys.stderr)
            print(f"  now    {seen(made.cells[number - 1])}", file=sys.stderr)
        print(f"{path.name}: {'written' if given.write else 'differs' if wrong else 'as stored'}")
    print(f"{len(paths)} notebooks, {differ} cells differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
