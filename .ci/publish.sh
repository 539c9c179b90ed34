#!/bin/sh
# Puts what .ci/release.sh made beside the tag of its version, as a draft that a person reads and publishes: .ci/publish.sh VERSION
set -eu
cd "$(dirname "$0")/../target/releases/$1"
find . -maxdepth 1 -type f -exec gh release create "v$1" --draft --verify-tag --title "flipcost $1" --notes "See CHANGELOG.md." {} +
