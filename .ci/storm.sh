#!/usr/bin/env bash
# Checks the exact costs against Storm, an independent model checker: see .ci/storm_check.py.
#
#     .ci/storm.sh [arguments of storm_check.py]
#
# Makes a virtual environment in target/storm-venv (once), builds the program, runs the check.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=target/storm-venv
if ! "$venv/bin/python" -c 'import stormpy' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet stormpy==2.0.0
fi
cargo build --release --quiet
exec "$venv/bin/python" .ci/storm_check.py "$@"
