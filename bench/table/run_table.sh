#!/bin/sh
# run_table.sh BUILD_FOLDER [ROWS]: tare and pandas read and sort the same table, best of several
# runs each; TSV with the ratio of pandas' time to tare's, by the clock and by the time of all
# processors. The table goes to a temporary file.
set -eu
build=${1:?usage: run_table.sh BUILD_FOLDER [ROWS]}
rows=${2:-1000000}
here=$(dirname "$0")
file=$(mktemp --suffix=.csv)
trap 'rm -f "$file" "$file.out"' EXIT INT TERM
"$build/bench/table/bench_table" make "$file" "$rows"
"$build/bench/table/bench_table" time "$file" >"$file.out"
"${PYTHON:-/usr/bin/python3}" "$here/peer_pandas.py" "$file" >>"$file.out"
printf 'program\tstep\tseconds\tcpu_seconds\ttimes_tare\tcpu_times_tare\tcheck\n'
awk -F '\t' -v OFS='\t' '
    $1 == "tare" { tare[$2] = $3; cpu[$2] = $4; check[$2] = $5 }
    { print $1, $2, $3, $4, sprintf("%.1f", $3 / tare[$2]), sprintf("%.1f", $4 / cpu[$2]), $5 }
    $5 != check[$2] { bad = 1; print "results differ: " $5 " / " check[$2] > "/dev/stderr" }
    END { exit bad }' "$file.out"
