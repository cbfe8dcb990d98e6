#!/bin/sh
# run_judges.sh BUILD_FOLDER [ITEMS [REPLICATES]]: a table of judges, from file to readings: tare,
# a NumPy program and a pandas program (extrapolated from five of its resamples), as CSV and as
# JSONL, in one run. TSV: seconds, how many times tare's they are, peak memory in MiB, and the
# check, which all must share. The tables go to a temporary folder.
set -eu
build=${1:?usage: run_judges.sh BUILD_FOLDER [ITEMS [REPLICATES]]}
items=${2:-4500}
replicates=${3:-2000}
here=$(dirname "$0")
python=${PYTHON:-/usr/bin/python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
"$python" "$here/make_judge_table.py" "$folder/judges.csv" "$folder/judges.jsonl" "$items"

# seconds of the clock and peak memory of a command, whose output goes to $folder/out
measure() {
    "$python" "$here/measure.py" "$folder/out" "$@"
}
check_of_tare() {
    awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
        $at["family"] == "cells" && $at["name"] == "R" && $at["arm"] == "with-reference" &&
        $at["instrument"] == $at["condition"] { sum += $at["estimate"]; n++ }
        END { printf "%.12f", sum / n }' "$1/readings.tsv"
}
printf 'program\ttable\tstep\tseconds\ttimes_tare\tpeak_mib\tcheck\n'
for table in csv jsonl; do
    file=$folder/judges.$table
    rm -rf "$folder/run"
    took=$(measure "$build/tare" matrix "$file" -q -o "$folder/run" --boot-b "$replicates")
    seconds=${took% *}
    check=$(check_of_tare "$folder/run")
    printf 'tare\t%s\twhole\t%s\t1.0\t%s\t%s\n' "$table" "$seconds" "${took#* }" "$check"
    for peer in numpy pandas; do
        took=$(measure "$python" "$here/matrix_$peer.py" "$file" "$replicates")
        awk -F '\t' -v table="$table" -v tare="$seconds" -v peak="${took#* }" -v check="$check" '
            { printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", $1, table, $2, $3,
                     $2 == "whole" ? sprintf("%.1f", $3 / tare) : "",
                     $2 == "whole" ? peak : "", $4
              if (($4 - check) ^ 2 > 1e-20) bad = 1 }
            END { if (bad) print "results differ from " check > "/dev/stderr"; exit bad }
        ' "$folder/out"
    done
done
