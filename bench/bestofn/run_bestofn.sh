#!/bin/sh
# run_bestofn.sh BUILD_FOLDER [THREADS [REPEATS]]: best of n for every n, its band and mixed pools
# by tare and by NumPy, in one run. Prints TSV, with the peer's time over tare's by the clock and by
# CPU time (steadier on a busy machine); fails if values differ.
set -eu
build=${1:?usage: run_bestofn.sh BUILD_FOLDER [THREADS [REPEATS]]}
threads=${2:-1}
repeats=${3:-5}
python=${PYTHON:-/usr/bin/python3}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
"$build/bench/bestofn/bench_bestofn" "$folder" "$threads" "$repeats" >"$folder/times"
"$python" -B "$here/peer_bestofn.py" "$folder" "$repeats" >>"$folder/times"
# Errors and bands depend on the draws: 5 standard errors of 9999 replicates are 4 %.
awk -F'\t' -v OFS='\t' -v threads="$threads" '
    function far(a, b, bound) { return (a > b ? a - b : b - a) > bound * (b > 0 ? b : -b) }
    BEGIN { print "task", "program", "seconds", "cpu_seconds", "value", "ratio", "cpu_ratio" }
    $2 == "tare" {
        seconds[$1] = $3; cpu[$1] = $4; value[$1] = $5
        $2 = $2 ", threads: " threads
    }
    { print $0, sprintf("%.1f", $3 / seconds[$1]), sprintf("%.1f", $4 / cpu[$1]) }
    far($5, value[$1], $1 == "exact" ? 1e-9 : 0.04) {
        print "differs: " $0 > "/dev/stderr"; bad = 1
    }
    END { exit bad }' "$folder/times"
