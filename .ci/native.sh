#!/bin/sh
# Runs the tests of the mathematics and three studies on any system with Rust; the files of the
# studies must equal the committed ones byte by byte.
set -eu
cd "$(dirname "$0")/.."
cargo test --release --locked --package flipcost --package flipcost-number --package flipcost-question \
  --package flipcost-one-draw --package flipcost-dice-set --package flipcost-terminal
cargo run --quiet --release --locked -- reproduce estep-2024 languages simulating-dice-2022
git diff --exit-code --stat data figures
