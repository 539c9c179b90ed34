#!/bin/sh
# The lower bounds of best rules for loaded sources, by an independent checker in Python.
#
#     FLIPCOST=target/release/flipcost .ci/optimum.sh
set -eu
cd "$(dirname "$0")/.."
program=${FLIPCOST:-target/debug/flipcost}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
while read -r target source; do
  "$program" cost "$target" --source "$source" --optimal --format csv >"$rows"
  python3 proofs/loaded_optimum.py "$rows"
done <<CASES
2 1:2
3 1:2
2 1:3
3:5 1:3
3 1:3
2 1:5
3 2:3
4 5:7
2 1:2:3
1:2:4 2:3
CASES
