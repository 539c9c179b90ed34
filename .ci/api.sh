#!/bin/sh
# The public interfaces, as lists that a reader of a change can see: `sh .ci/api.sh` compares them
# with docs/api/, `sh .ci/api.sh --write` writes them anew. The tool reads rustdoc's JSON, for which
# a stable compiler wants RUSTC_BOOTSTRAP=1.
set -eu
cd "$(dirname "$0")/.."
.ci/tools.sh
tools=$PWD/target/tools
status=0
for package in flipcost flipcost-number flipcost-question flipcost-one-draw flipcost-toll flipcost-dice-set \
  flipcost-extraction flipcost-oeis flipcost-models flipcost-libraries flipcost-streams; do
  file=docs/api/$package.txt
  RUSTC_BOOTSTRAP=1 PATH="$tools/bin:$PATH" \
    cargo public-api --package "$package" -sss 2>target/api.log >target/api.txt || {
    cat target/api.log >&2
    exit 1
  }
  # an item that can be reached by several paths is listed again with the same lines; what the prelude names is where it is
  awk '{ key = $0; gsub(/flipcost::(algorithms|law|task)::/, "flipcost::prelude::", key) }
    NR == FNR { if ($0 !~ /flipcost::prelude::/ || key != $0) elsewhere[key]; next }
    key == $0 && /flipcost::prelude::/ && key in elsewhere { next }
    !seen[$0]++' target/api.txt target/api.txt >target/api-once.txt
  if [ "${1:-}" = --write ]; then
    cp target/api-once.txt "$file"
  elif ! diff -u "$file" target/api-once.txt; then
    echo "$file is not the interface of $package: if the change is meant, sh .ci/api.sh --write" >&2
    status=1
  fi
done
exit $status
