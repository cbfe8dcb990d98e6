#!/bin/sh
# run_stats.sh BUILD_FOLDER [THREADS [REPEATS]]: 48 bootstrapped regressions by tare, NumPy and
# statsmodels. Prints one TSV: seconds, and how many times tare's time that is. Fails if
# estimates differ.
set -eu
build=${1:?usage: run_stats.sh BUILD_FOLDER [THREADS [REPEATS]]}
threads=${2:-2}
repeats=${3:-15}
python=${PYTHON:-/usr/bin/python3}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
# Rounds take turns, so that a busy moment of the machine does not fall on one program only.
for round in 1 2 3 4 5; do
    "$build/bench/stats/bench_stats" "$threads" "$repeats" "$folder/tare"
    "$python" -B "$here/peer_numpy.py" "$threads" "$repeats" "$folder/numpy"
done >"$folder/times"
"$python" -B "$here/peer_statsmodels.py" 20 >>"$folder/times"
"$python" -B "$here/compare.py" "$folder/times" "$folder/tare" "$folder/numpy"
