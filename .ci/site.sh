#!/bin/sh
# Builds the whole page with the pages of the studies, in one folder for any host:
# .ci/site.sh [FOLDER]
# FLIPCOST_ADDRESS is the future address of the page (site/build.sh has the details).
set -eu
cd "$(dirname "$0")/.."
rm -rf site/studies
cargo run --quiet --release --package flipcost-studies --example pages site/studies
site/build.sh "$@"
