#!/bin/sh
# Checks that there are no unused dependencies, that the root and the workspace have few packages, and that each can be published.
set -eu
cd "$(dirname "$0")/.."
tools=$(.ci/tools.sh)
PATH="$tools:$PATH" cargo machete .
count=$(cargo tree --quiet --package flipcost --edges normal --prefix none | sed 's, (\*)$,,' | sort -u | wc -l)
if [ "$count" -gt 35 ]; then
  echo "the root's tree has $count packages, at most 35 are wanted" >&2
  exit 1
fi
others=$(cargo tree --quiet --edges normal,build --prefix none | sed 's, (.*,,' | grep . | sort -u | grep -cv '^flipcost')
if [ "$others" -gt 128 ]; then
  echo "\`cargo run\` compiles $others packages of others, at most 128 are wanted" >&2
  exit 1
fi
cargo package --quiet --workspace --no-verify --allow-dirty
echo "the root's tree has $count packages, \`cargo run\` compiles $others of others"
