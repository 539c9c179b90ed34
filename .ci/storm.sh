#!/usr/bin/env bash
# Checks the exact costs against Storm, an independent model checker: see .ci/storm_check.py, and
# .ci/storm_family.py for the trees of larger dice.
#
#     .ci/storm.sh                                       both: small dice, and 12 larger ones
#     .ci/storm.sh check [arguments of storm_check.py]
#     .ci/storm.sh family [arguments of storm_family.py], such as --all --times times.csv
#
# Makes a virtual environment in target/storm-venv (once), builds target/release/flipcost if it is not there,
# runs the check.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=target/storm-venv
if ! "$venv/bin/python" -c 'import stormpy' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet stormpy==2.0.0
fi
[ -x target/release/flipcost ] || cargo build --release --quiet
case "${1:-}" in
check | family)
  what=$1
  shift
  exec "$venv/bin/python" ".ci/storm_$what.py" "$@"
  ;;
*)
  "$venv/bin/python" .ci/storm_check.py "$@"
  "$venv/bin/python" .ci/storm_family.py --sample
  ;;
esac
