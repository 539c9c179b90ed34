#!/usr/bin/env python3
"""Executes the notebooks of this folder and compares their outputs, text and pictures, with the stored ones.

`run.py` ends with exit status 1 if an output differs; `run.py --write` stores the outputs. The bytes of a
picture depend on the version of matplotlib. With another version than that of the stored pictures, the pictures
are not compared, and the last line says how many were skipped.
"""

import argparse
import copy
import importlib
import importlib.metadata
import os
import pathlib
import sys

import nbclient
import nbformat

HERE = pathlib.Path(__file__).parent
SVG = "image/svg+xml"


def seen(cell: nbformat.NotebookNode, pictures: bool) -> list[object]:
    """Returns the outputs of a cell in the form in which they are compared."""
    out: list[object] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            out.append((output.name, output.text))
        else:
            data = output.get("data", {})
            out.append(data.get("text/plain", ""))
            if pictures:
                out.append(data.get(SVG))
    return out


def executed(stored: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Executes a notebook and returns it with its current outputs."""
    made = copy.deepcopy(stored)
    place = {"metadata": {"path": str(HERE)}}
    # The printed text of a cell is one output, even if the kernel sends it in several messages.
    nbclient.NotebookClient(
        made, timeout=300, kernel_name="python3", resources=place, coalesce_streams=True
    ).execute()
    for cell in made.cells:
        cell.metadata.pop("execution", None)
    made.metadata = {
        "kernelspec": stored.metadata.get("kernelspec", {}),
        "matplotlib": importlib.metadata.version("matplotlib"),
    }
    return made


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="store what comes out")
    arguments.add_argument("notebooks", nargs="*", type=pathlib.Path)
    given = arguments.parse_args()
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # a picture does not say when it was drawn
    os.environ["MATPLOTLIBRC"] = str(HERE / "matplotlibrc")
    # The first import of matplotlib on a machine lists the fonts and prints a message. This script
    # imports it first, so that no notebook has this message.
    importlib.import_module("matplotlib.font_manager")
    differ = left = 0
    paths = given.notebooks or sorted(HERE.glob("*.ipynb"))
    for path in paths:
        stored = nbformat.read(path, as_version=4)
        made = executed(stored)
        if given.write:
            nbformat.write(made, path)
            print(f"{path.name}: written")
            continue
        pictures = stored.metadata.get("matplotlib") == made.metadata["matplotlib"]
        wrong = 0
        for number, (old, new) in enumerate(zip(stored.cells, made.cells), 1):
            if old.cell_type != "code":
                continue
            before, now = seen(old, pictures), seen(new, pictures)
            if not pictures:
                left += sum(SVG in output.get("data", {}) for output in new.outputs)
            if before != now:
                wrong += 1
                print(f"{path.name}, cell {number}: the output is not the stored one", file=sys.stderr)
                for one, other in zip(before, now):
                    if one != other:
                        print(f"  stored {str(one)[:2000]}\n  now    {str(other)[:2000]}", file=sys.stderr)
        differ += wrong
        print(f"{path.name}: {'differs' if wrong else 'as stored'}")
    print(f"{len(paths)} notebooks, {differ} cells differ, {left} pictures not compared")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
