#!/usr/bin/env bash
# The Python package: lints, a virtual environment with the package and what its tests compare it with,
# types, tests, notebooks. It shares target/ with the workspace.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo clippy --release --package flipcost-python --all-targets -- -D warnings
venv=$PWD/target/python
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
PATH="$venv/bin:$PATH"
python -m pip install --quiet --upgrade pip
CARGO_TARGET_DIR="$PWD/target" step python -m pip install --quiet "./python[test,notebooks]"
# From here on the installed package is meant, and not the sources beside the tests.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$(cd "$work" && python -c 'import flipcost, pathlib; print(pathlib.Path(flipcost.__file__).parent)')
(cd python && step mypy flipcost)
step pyright --pythonpath "$venv/bin/python" python/flipcost
step python -m pytest -q -c python/pyproject.toml --rootdir python -p no:cacheprovider \
  --import-mode importlib -o pythonpath="$PWD/python/tests" \
  python/tests python/README.md docs/python.md "$package"
step python analysis/notebooks/run.py
