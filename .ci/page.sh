#!/bin/sh
# Tests the page in a browser, in both ways of running it: installs missing tools, builds site/dist, and
# runs site/tests. FLIPCOST is the program (by default target/release/flipcost, which is built if it is
# missing); FLIPCOST_SITE_TARGET is the folder in which cargo builds for WebAssembly.
set -eu
cd "$(dirname "$0")/.."
install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
command -v chromium >/dev/null || install chromium
command -v wasm-opt >/dev/null || install binaryen
libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null || true)
if [ ! -d "$libraries" ]; then
  rustup target add wasm32-unknown-unknown || install rustc-web cargo-web rust-web-src lld
fi
site/build.sh
FLIPCOST=${FLIPCOST:-target/release/flipcost}
[ -x "$FLIPCOST" ] || cargo build --quiet --release --package flipcost-cli
FLIPCOST=$(realpath "$FLIPCOST")
export FLIPCOST
cd site/tests
npm ci --silent --no-audit --no-fund
npm test --silent
