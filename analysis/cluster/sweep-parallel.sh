#!/bin/bash
# Rows 1 to TO as ranges of STEP under GNU parallel, on this machine or with --sshlogin on others that share the folder:
#
#   sweep-parallel.sh TO STEP OUTPUT.csv -a fast-dice-roller -c n,expected ...
#
# What follows the output file goes to `flipcost cost`. A range that fails is tried again, up to four times
# in all, and continues where it was. FLIPCOST is the program; JOBS is how many run at once.
set -eu
to=$1 step=$2 output=$3
shift 3
ranges=$(for ((n = 1; n <= to; n += step)); do echo "$n..$((n + step - 1 < to ? n + step - 1 : to))"; done)
parallel --quote --retries 4 --halt soon,fail=1 --joblog "$output.joblog" --jobs "${JOBS:-100%}" \
    "${FLIPCOST:-flipcost}" cost {} "$@" --format csv --threads 1 --resume -o "$output.{}" ::: $ranges
awk 'NR == 1 || FNR > 1' $(printf "$output.%s " $ranges) >"$output"
