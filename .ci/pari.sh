#!/bin/sh
# Installs PARI/GP and Python from Debian's packages and runs every program of the registry with them.
set -eu
apt-get update
apt-get install -y --no-install-recommends pari-gp python3
cargo test --release --workspace --test it programs -- --ignored
