#!/bin/bash
# A sweep as shards under GNU parallel, on this machine or with --sshlogin on others that share the folder.
#
#   sweep-parallel.sh K OUTPUT.csv --from 1 --to 1000000 --columns n,expected ...
#
# What follows the output file goes to `flipcost sweep`. A shard that fails is tried again, up to four
# times in all, and continues where it was. FLIPCOST is the program; JOBS is how many run at once.
set -eu
shards=$1
output=$2
shift 2
export FLIPCOST=${FLIPCOST:-flipcost}
parallel --quote --retries 4 --halt soon,fail=1 --joblog "$output.joblog" --jobs "${JOBS:-100%}" \
    "$FLIPCOST" sweep "$@" --threads 1 --shard "{}/$shards" --resume -o "$output.shard-{}-of-$shards" \
    ::: $(seq "$shards")
"$FLIPCOST" ask --join $(seq -f "$output.shard-%.0f-of-$shards" "$shards") -o "$output"
