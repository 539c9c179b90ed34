#!/bin/sh
# Installs the cargo tools that the gate needs, or only the named ones, as NAME@VERSION, and prints their folders for PATH.
# They are kept in the user's cache, so that a new clone does not compile them again.
set -eu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flipcost-tools
[ $# -gt 0 ] || set -- cargo-public-api@0.52.0 cargo-machete@0.9.2
folders=
for tool; do
  [ -x "$cache/$tool/bin/${tool%@*}" ] ||
    cargo install --quiet --locked --debug --root "$cache/$tool" --target-dir "$cache/build" "$tool" >&2
  folders=$cache/$tool/bin:$folders
done
rm -rf "$cache/build"
printf '%s\n' "${folders%:}"
