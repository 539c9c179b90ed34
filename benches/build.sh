#!/bin/sh
# Measures how long a newcomer waits for the main job. `sh benches/build.sh REVISION REVISION`
# clones each revision, one after the other, and prints how long `cargo run --release -- reproduce`
# compiles (until the program begins) and then runs: elapsed and CPU seconds, and the packages
# compiled. `sh benches/build.sh packages` prints only the packages of this tree.
set -eu
cd "$(dirname "$0")/.."

packages() {
  cargo tree --quiet --edges normal,build --prefix none | sed 's, (.*,,' | grep . | sort -u | wc -l
}

# Runs a command and prints its elapsed and CPU seconds.
timed() {
  command time --format '%e %U %S' --output "$folder/time" "$@" >"$folder/said" 2>&1 || {
    cat "$folder/said" >&2
    exit 1
  }
  awk '{ printf "%6.1f s elapsed, %6.1f s of CPU", $1, $2 + $3 }' "$folder/time"
}

if [ "${1:-}" = packages ]; then
  packages
  exit
fi
if [ $# -eq 0 ]; then
  echo "usage: sh benches/build.sh packages | REVISION..." >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo fetch --quiet # the download is not measured
for revision; do
  rm -rf "$folder/clone"
  git clone --quiet . "$folder/clone"
  (
    cd "$folder/clone"
    git checkout --quiet "$revision"
    cargo fetch --quiet
    printf '%s: %s packages\n' "$(git rev-parse --short HEAD)" "$(packages)"
    # `cargo run` compiles the same packages as `cargo build` of the default members.
    printf '  build     %s\n' "$(CARGO_TARGET_DIR=target timed cargo build --release)"
    printf '  reproduce %s\n' "$(timed target/release/flipcost reproduce)"
  )
done
