#!/bin/sh
# Tests the page in a browser, in both ways of running it: installs missing tools, builds site/dist, and
# runs site/tests. With the argument `build` or `test` it does only the first or the second part. FLIPCOST is
# the program (by default target/release/flipcost, which is built if it is missing); FLIPCOST_SITE_TARGET is
# the folder in which cargo builds for WebAssembly.
set -eu
cd "$(dirname "$0")/.."
part=${1:-all}
if [ "$part" != test ]; then
  command -v chromium-headless-shell >/dev/null || .ci/install.sh chromium-headless-shell
  command -v wasm-opt >/dev/null || .ci/install.sh binaryen
  libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null || true)
  if [ ! -d "$libraries" ]; then
    rustup target add wasm32-unknown-unknown || .ci/install.sh rustc-web cargo-web rust-web-src lld
  fi
  site/build.sh
fi
[ "$part" != build ] || exit 0
FLIPCOST=${FLIPCOST:-target/release/flipcost}
[ -x "$FLIPCOST" ] || cargo build --quiet --release --package flipcost-cli
FLIPCOST=$(realpath "$FLIPCOST")
export FLIPCOST
cd site/tests
npm ci --silent --no-audit --no-fund
npm test --silent
