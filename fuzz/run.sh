#!/bin/sh
# Runs all targets, or only those named, for MINUTES each. New inputs go to the folder found/ next to
# the corpus, so that the corpus stays small:
#
#     fuzz/run.sh MINUTES [TARGET...]
#
# Needs a C++ compiler and cargo-fuzz (cargo install cargo-fuzz --locked). A stable compiler needs
# RUSTC_BOOTSTRAP=1, which is set here.
set -eu
cd "$(dirname "$0")"
minutes=${1:?how many minutes for each target?}
shift
export RUSTC_BOOTSTRAP=1
[ $# -gt 0 ] || set -- $(cargo fuzz list)
for target in "$@"; do
  mkdir -p "found/$target"
  cargo fuzz run --sanitizer none --fuzz-dir . "$target" "found/$target" "corpus/$target" -- \
    -max_total_time=$((minutes * 60)) -timeout=60 -rss_limit_mb=4096 -close_fd_mask=3
done
