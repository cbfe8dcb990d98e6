#!/bin/sh
# run_table.sh BUILD_FOLDER [ROWS]: tare and pandas read and sort the same table; TSV with the ratio
# of pandas' time to tare's, best of several runs each. The table goes to a temporary file.
set -eu
build=${1:?usage: run_table.sh BUILD_FOLDER [ROWS]}
rows=${2:-1000000}
here=$(dirname "$0")
file=$(mktemp --suffix=.csv)
trap 'rm -f "$file" "$file.out"' EXIT INT TERM
"$build/bench/table/bench_table" make "$file" "$rows"
"$build/bench/table/bench_table" time "$file" >"$file.out"
"${PYTHON:-python3}" "$here/peer_pandas.py" "$file" >>"$file.out"
printf 'program\tstep\tseconds\ttimes_tare\tcheck\n'
awk -F '\t' -v OFS='\t' '
    $1 == "tare" { tare[$2] = $3; check[$2] = $4 }
    { print $1, $2, $3, sprintf("%.1f", $3 / tare[$2]), $4 }
    $4 != check[$2] { bad = 1; print "results differ: " $4 " / " check[$2] > "/dev/stderr" }
    END { exit bad }' "$file.out"
