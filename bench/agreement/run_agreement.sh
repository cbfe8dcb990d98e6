#!/bin/sh
# run_agreement.sh BUILD_FOLDER [THREADS [REPEATS]]: Kendall's tau, its cluster bootstrap and
# Krippendorff's alpha by tare, SciPy and the packages of Python that can be imported, in one run.
# ALPHA_PYTHON names a python3 that has `krippendorff` (default: PYTHON); without it that part is
# left out, which is said. Prints TSV, with the peer's time over tare's by the clock and by CPU
# time (steadier on a busy machine); fails if values differ.
set -eu
build=${1:?usage: run_agreement.sh BUILD_FOLDER [THREADS [REPEATS]]}
threads=${2:-2}
repeats=${3:-5}
python=${PYTHON:-/usr/bin/python3}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
"$build/bench/agreement/bench_agreement" "$folder" "$threads" "$repeats" >"$folder/times"
"$python" -B "$here/peer_scipy.py" "$folder" 3 200 >>"$folder/times"
"${ALPHA_PYTHON:-$python}" -B "$here/peer_krippendorff.py" "$folder" "$repeats" >>"$folder/times"
# A bootstrap's SE depends on the draws, of which the loop makes 200: 5 standard errors are 25 %.
awk -F'\t' -v OFS='\t' -v threads="$threads" '
    function far(a, b, bound) { return (a > b ? a - b : b - a) > bound * (b > 0 ? b : -b) }
    BEGIN { print "task", "program", "seconds", "cpu_seconds", "value", "ratio", "cpu_ratio" }
    $2 == "tare" {
        seconds[$1] = $3; cpu[$1] = $4; value[$1] = $5
        if ($1 ~ /^boot/) $2 = $2 ", threads: " threads
    }
    { print $0, sprintf("%.1f", $3 / seconds[$1]), sprintf("%.1f", $4 / cpu[$1]) }
    far($5, value[$1], $1 ~ /^boot/ ? 0.25 : 1e-9) {
        print "differs: " $0 > "/dev/stderr"; bad = 1
    }
    END { exit bad }' "$folder/times"
