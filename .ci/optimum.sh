#!/bin/sh
# Checks the best rules for loaded sources with independent programs in Python: see
# docs/loaded-optimum.md.
#
#     FLIPCOST=target/release/flipcost .ci/optimum.sh
set -eu
cd "$(dirname "$0")/.."
program=${FLIPCOST:-target/debug/flipcost}
saved=data/loaded-table/saved.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect TEXT COMMAND...: fails unless the command prints this text.
expect() {
  text=$1
  shift
  found=$("$@")
  printf '%s\n' "$found"
  test "$found" = "$text" || { printf 'expected:\n%s\n' "$text" >&2; exit 1; }
}

# refuse TARGET SOURCE COST RULE: fails unless the checker rejects the rule as the best one.
refuse() {
  printf 'target,source,expected_exact,expected,lower_exact,proved,rule\n%s,%s,%s,%s,%s,yes,%s\n' \
    "$1" "$2" "$3" "$3" "$3" "$4" >"$folder/false.csv"
  if python3 proofs/loaded_optimum.py "$folder/false.csv"; then
    echo "the checker believes $4 of $1 from $2" >&2
    exit 1
  fi
}

{ head -n 1 "$saved"; grep ',yes,' "$saved"; } >"$folder/proved.csv"
expect "rules with their law and their cost: 58
lower bounds that hold where proved is yes: 57 of 58
stands on the search alone after 1000000 steps: 5 from 1:2:3" \
  python3 proofs/loaded_optimum.py --steps 1000000 "$folder/proved.csv"
grep -v ',yes,' "$saved" >"$folder/others.csv"
expect "rules with their law and their cost: 228
lower bounds that hold where proved is enclosed: 153 of 225
lower bounds that hold where proved is no: 0 of 3" \
  python3 proofs/loaded_optimum.py --steps 30000 "$folder/others.csv"

# prints a row in the form of the program
"$program" cost 1:2:4 --source 2:3 --optimal --format csv >"$folder/row.csv"
expect "rules with their law and their cost: 1
lower bounds that hold where proved is enclosed: 1 of 1" python3 proofs/loaded_optimum.py "$folder/row.csv"

# rejected: von Neumann's rule, which is not the best; an unfair rule; a rule with another cost; a
# rule that never ends; an incomplete rule
refuse 2 1:2 4.5 "2 >2; >3 1; >2 2"
refuse 2 1:2 4.5 ">2 >3; >1 1; 2 >1"
refuse 2 1:2 2 "2 >2; >3 1; >2 1"
refuse 2 1:2 2 "2 >2; >2 >2"
refuse 2 1:2 2 "2 >2; >3 1"

expect "152095 coins, 89093 with p < 1 - 1/sqrt 2; 2 flips: 1:2; open: none
the last to be refuted: 472:473, after 4528 powers" python3 proofs/two_flips.py
