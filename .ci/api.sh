#!/bin/sh
# Lists the public interfaces of the core and of its numbers, so that a reviewer sees their changes:
# `sh .ci/api.sh` compares them with docs/api/, `sh .ci/api.sh --write` writes them again. The tool
# reads rustdoc's JSON, for which a stable compiler needs RUSTC_BOOTSTRAP=1.
set -eu
cd "$(dirname "$0")/.."
tools=$(.ci/tools.sh)
status=0
for package in flipcost flipcost-number; do
  file=docs/api/$package.txt
  RUSTC_BOOTSTRAP=1 PATH="$tools:$PATH" \
    cargo public-api --package "$package" --all-features -sss 2>target/api.log >target/api.txt || {
    cat target/api.log >&2
    exit 1
  }
  # replace paths of the prelude by the paths of the items, so that an item with several paths is
  # listed once
  awk 'NR == FNR { line = $0; while (match(line, /flipcost::(algorithms|law|task|table)::[A-Za-z_]+/)) {
         path = substr(line, RSTART, RLENGTH); name = path; sub(/.*::/, "", name); home[name] = path
         line = substr(line, RSTART + RLENGTH) } next }
       { while (match($0, /flipcost::prelude::[A-Za-z_]+/)) {
           path = substr($0, RSTART, RLENGTH); name = path; sub(/.*::/, "", name)
           to = name in home ? home[name] : "flipcost::" name
           $0 = substr($0, 1, RSTART - 1) to substr($0, RSTART + RLENGTH) } }
       !seen[$0]++' target/api.txt target/api.txt >target/api-once.txt
  if [ "${1:-}" = --write ]; then
    cp target/api-once.txt "$file"
  elif ! diff -u "$file" target/api-once.txt; then
    echo "$file is not the interface of $package: if the change is meant, sh .ci/api.sh --write" >&2
    status=1
  fi
done
exit $status
