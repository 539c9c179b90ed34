#!/bin/bash
# Computes rows 1 to TO as ranges of STEP under GNU parallel, on this machine or with --sshlogin on
# other machines that share the folder:
#
#   sweep-parallel.sh TO STEP OUTPUT.csv -a fast-dice-roller -c n,expected ...
#
# The arguments after the output file are passed to `flipcost cost`. A range that fails is tried
# again, up to four times in all, and continues where it stopped. FLIPCOST is the program; JOBS is
# the number of ranges that run at the same time.
set -eu
to=$1 step=$2 output=$3
shift 3
ranges=$(for ((n = 1; n <= to; n += step)); do echo "$n..$((n + step - 1 < to ? n + step - 1 : to))"; done)
parallel --quote --retries 4 --halt soon,fail=1 --joblog "$output.joblog" --jobs "${JOBS:-100%}" \
    "${FLIPCOST:-flipcost}" cost {} "$@" --format csv --threads 1 --resume -o "$output.{}" ::: $ranges
awk 'NR == 1 || FNR > 1' $(printf "$output.%s " $ranges) >"$output"
