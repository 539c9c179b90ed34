#!/bin/sh
# No unused dependencies; few packages in the engine's tree and in all; each can be published.
set -eu
cd "$(dirname "$0")/.."
.ci/tools.sh
PATH="$PWD/target/tools/bin:$PATH" cargo machete .
count=$(cargo tree --quiet --package flipcost --edges normal --prefix none | sed 's, (\*)$,,' | sort -u | wc -l)
if [ "$count" -gt 35 ]; then
  echo "the engine's tree has $count packages, at most 35 are wanted" >&2
  exit 1
fi
all=$(sh benches/build.sh packages)
if [ "$all" -gt 122 ]; then
  echo "\`cargo run\` compiles $all packages, at most 122 are wanted" >&2
  exit 1
fi
cargo package --quiet --workspace --no-verify --allow-dirty
echo "the engine's tree has $count packages, all have $all"
