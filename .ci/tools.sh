#!/bin/sh
# Installs what the gate runs beside the toolchain, once, under target/tools.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/target/tools
install() {
  [ -x "$tools/bin/$1" ] ||
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/build" "$1@$2"
}
install cargo-public-api 0.52.0
install cargo-machete 0.9.2
rm -rf "$tools/build"
