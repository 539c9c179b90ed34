#!/bin/sh
# Installs the tools that the gate needs besides the toolchain, once, under target/tools; or only the named ones, as NAME@VERSION.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/target/tools
[ $# -gt 0 ] || set -- cargo-public-api@0.52.0 cargo-machete@0.9.2
for tool; do
  [ -x "$tools/bin/${tool%@*}" ] ||
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/build" "$tool"
done
rm -rf "$tools/build"
