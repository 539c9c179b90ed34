#!/usr/bin/env bash
# Checks the Python package: lints, a virtual environment with the package and the packages that its tests
# need, types, tests, notebooks. It shares target/ with the workspace, so that the engine is compiled once.
# Needs the network only if python/constraints.txt, python/pyproject.toml or Python changed.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; "$@"; }
# Runs a command up to four times, in case the network is interrupted.
patiently() {
  local pause
  for pause in 2 10 30; do
    "$@" && return
    sleep "$pause"
  done
  "$@"
}

export CARGO_TARGET_DIR=$PWD/target
venv=$PWD/target/python
export PYRIGHT_PYTHON_CACHE_DIR=$venv/pyright PYRIGHT_PYTHON_IGNORE_WARNINGS=1
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT=$PWD/python/constraints.txt

# If ENGINE is the module that `cargo build --release --workspace` made, nothing is compiled here, and the
# package files are put next to it, as pip would do. Without ENGINE, pip builds and installs.
engine=${ENGINE:+$(realpath "$ENGINE")}
[ -n "$engine" ] || step cargo clippy --release --package flipcost-python --all-targets -- -D warnings

wanted=$(cat python/constraints.txt python/pyproject.toml <(python3 --version) | sha256sum)
if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  patiently "$venv/bin/python" -m pip install --quiet pip maturin
  # the packages for the tests and the notebooks, from python/pyproject.toml
  "$venv/bin/python" - >"$venv/needs" <<'PYTHON'
import tomllib
with open("python/pyproject.toml", "rb") as file:
    groups = tomllib.load(file)["project"]["optional-dependencies"]
print("\n".join(sorted({name for names in groups.values() for name in names})))
PYTHON
  patiently "$venv/bin/python" -m pip install --quiet --requirement "$venv/needs"
  patiently "$venv/bin/pyright" --version
  echo "$wanted" >"$venv/wanted"
fi
PATH="$venv/bin:$PATH"
if [ -n "$engine" ]; then
  packages=$(python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  python -m pip uninstall --quiet --yes flipcost 2>/dev/null || true
  rm -rf "$packages/flipcost"
  cp -r python/package/flipcost "$packages/flipcost"
  cp "$engine" "$packages/flipcost/_engine.abi3.so"
else
  step python -m pip install --quiet --no-build-isolation --no-deps ./python
fi

step mypy --config-file python/pyproject.toml python/package/flipcost
step pyright --pythonpath "$venv/bin/python" python/package/flipcost
# Compares the stub's types with the compiled module.
step python -m mypy.stubtest --mypy-config-file python/pyproject.toml flipcost
step python -m pytest -q -p no:cacheprovider python docs/python.md docs/many-machines.md
step python analysis/notebooks/run.py
