"""The program `flipcost`, as the command of the package and as `python -m flipcost`."""

import sys

from ._engine import program


def main() -> int:
    """Runs the program with the words of the command line and returns its exit status."""
    return program(["flipcost", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
