#!/bin/sh
# The page in a browser, in both ways of running it: installs what it needs, builds site/dist, and runs
# site/tests with the program of the release build.
set -eu
cd "$(dirname "$0")/.."
if ! command -v chromium >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium binaryen >/dev/null
fi
if ! rustc --print target-libdir --target wasm32-unknown-unknown >/dev/null 2>&1 ||
  [ ! -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
  rustup target add wasm32-unknown-unknown 2>/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      rustc-web cargo-web rust-web-src lld >/dev/null
fi
site/build.sh
cargo build --quiet --release --package flipcost-cli
cd site/tests
npm ci --silent --no-audit --no-fund
npm test --silent
