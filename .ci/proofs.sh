#!/usr/bin/env bash
# Checks the proofs in proofs/ with Coq, independently of the working folder: a copy of the committed
# files is compiled in target/proofs, coqchk checks the compiled files, no theorem may rest on an axiom,
# and the program must print the proved values of E(n).
#
#     FLIPCOST=target/release/flipcost .ci/proofs.sh
#
# Installs Debian's coq if it is missing. FLIPCOST is by default target/debug/flipcost.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { printf '%s\n' "$*" >&2; exit 1; }

program=${FLIPCOST:-target/debug/flipcost}
[ -x "$program" ] || fail "$program is not there: build it, or name the program in FLIPCOST"
program=$(realpath "$program")
if ! command -v coqc >/dev/null; then
  .ci/install.sh coq
fi

# Checks that the axioms of every theorem are printed, that the README lists every theorem, and that the
# docs of the crates cite only theorems that exist.
listed=$(sed -n 's/^Print Assumptions \(.*\)\.$/\1/p' proofs/Assumptions.v | sort)
stated=$(for file in proofs/*.v; do
  sed -n "s/^Theorem \([A-Za-z_0-9']*\).*/$(basename "$file" .v).\1/p" "$file"
done | sort)
told=$(grep '^| `' proofs/README.md | cut -d '|' -f 2 | tr -d '` ' | tr ',' '\n' | sort)
[ "$listed" = "$stated" ] || fail "proofs/Assumptions.v does not list the theorems of proofs/*.v:
$(diff <(echo "$listed") <(echo "$stated"))"
[ "$told" = "$stated" ] || fail "proofs/README.md does not name the theorems of proofs/*.v:
$(diff <(echo "$told") <(echo "$stated"))"
cited=$(git grep -ohE 'proofs/[A-Za-z]+\.v, [A-Za-z_0-9]+' -- src crates | sort -u |
  sed -E 's|proofs/([A-Za-z]+)\.v, |\1.|')
[ -n "$cited" ] || fail "no doc comment cites a theorem of proofs/"
unknown=$(comm -13 <(echo "$stated") <(echo "$cited"))
[ -z "$unknown" ] || fail "cited, but no theorem of proofs/: $unknown"

work=target/proofs
rm -rf "$work"
mkdir -p "$work"
git ls-files -z proofs | xargs -0 cp -t "$work"
cd "$work"

for file in $(grep '\.v$' _CoqProject); do
  coqc -q -Q . Flipcost "$file"
done

coqc -q -Q . Flipcost Assumptions.v >assumptions.txt
closed=$(grep -c '^Closed under the global context$' assumptions.txt || true)
[ "$closed" -eq "$(wc -l <<<"$listed")" ] && [ "$closed" -eq "$(wc -l <assumptions.txt)" ] ||
  fail "a theorem rests on an axiom:
$(grep -v '^Closed under the global context$' assumptions.txt)"

coqchk -silent -o -Q . Flipcost Flipcost.Assumptions >coqchk.txt 2>&1 ||
  fail "coqchk: $(cat coqchk.txt)"
grep -q '^\* Axioms: <none>' coqchk.txt || fail "coqchk: $(cat coqchk.txt)"

# Compares the costs E(n), n <= 200, for sources of 2 to 12 sides: those of the proved function with
# those of the program.
coqc -q -Q . Flipcost Numbers.v >numbers.txt
{
  echo source,n,expected_exact
  tr -d ' \n' <numbers.txt | sed 's/:list.*//' | tr ';' '\n' | tr -d '=[]()' |
    awk -F, '{ print $1 "," $2 "," $3 ($4 == "1" ? "" : "/" $4) }'
} >proved.csv
"$program" cost 1..200 --sources 2..12 --algorithm fast-dice-roller \
  --columns source,n,expected_exact >printed.csv
[ "$(wc -l <proved.csv)" -eq 2201 ] || fail "target/proofs/proved.csv has not 2200 values"
diff proved.csv printed.csv >&2 ||
  fail "the proved values (<) are not those of the program (>)"

echo "$closed theorems without an axiom; 2200 values of E(n) are those of the program"
