#!/bin/sh
# Uploads the files of .ci/release.sh to a draft release at the tag of their version, which a person
# checks and publishes: .ci/publish.sh VERSION
set -eu
cd "$(dirname "$0")/../target/releases/$1"
find . -maxdepth 1 -type f -exec gh release create "v$1" --draft --verify-tag --title "flipcost $1" --notes "See CHANGELOG.md." {} +
