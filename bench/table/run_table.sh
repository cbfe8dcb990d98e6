#!/bin/sh
# run_table.sh BUILD_FOLDER [ROWS]: tare and pandas read and sort the same table, best of several
# runs each; TSV with the ratio of pandas' time to tare's, by the clock and by the time of all
# processors; then what the audit of that table takes. The table goes to a temporary file.
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
for replicates in 999 9999; do
    began=$(date +%s.%N)
    "$build/tare" audit "$file" -q --boot-b $replicates --perm-p $replicates >"$file.out"
    ended=$(date +%s.%N)
    awk -v began="$began" -v ended="$ended" -v b=$replicates -v rows="$rows" 'BEGIN {
        printf "tare audit\twhole\t%.2f\t\t\t\t%d rows: 9 scorers, %d bases, each its own " \
               "cluster, 11 doses, B = P = %d\n", ended - began, rows, rows / 99 + 1, b }'
done
