#!/bin/sh
# The whole page with the pages of the studies, in one folder for any host: .ci/site.sh [FOLDER]
# FLIPCOST_ADDRESS is where it will be (site/build.sh says more).
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release --package flipcost-cli
rm -rf site/studies
target/release/flipcost reproduce --html site/studies >/dev/null
site/build.sh "$@"
