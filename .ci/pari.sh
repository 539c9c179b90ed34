#!/bin/sh
# Installs PARI/GP from Debian's packages and runs the program of every sequence with it and with Python.
set -eu
cd "$(dirname "$0")/.."
command -v gp >/dev/null || .ci/install.sh pari-gp
cargo test --release --workspace --test it programs -- --ignored
