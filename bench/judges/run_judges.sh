#!/bin/sh
# run_judges.sh BUILD_FOLDER [ITEMS [REPLICATES]]: a table of judges, from file to readings: tare,
# a NumPy program and a pandas program (extrapolated from five of its resamples), as CSV and as
# JSONL, in one run. TSV: seconds, how many times tare's they are, peak memory in MiB, and how many
# values agree with tare's readings; a difference ends it. tare and NumPy: the best of three runs.
# tare is timed from the command to its end, the report written. `whole` of a peer is its own clock,
# which starts after its imports; `process` has them too. The tables go to a temporary folder.
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
# best RUNS COMMAND...: the fastest of several runs, its output in $folder/best
best() {
    runs=$1
    shift
    fastest=
    while [ "$runs" -gt 0 ]; do
        [ "$1" != "$build/tare" ] || rm -rf "$folder/run" # a new report each time
        now=$(measure "$@")
        if [ -z "$fastest" ] || awk "BEGIN { exit !(${now% *} < ${fastest% *}) }"; then
            fastest=$now
            mv "$folder/out" "$folder/best"
        fi
        runs=$((runs - 1))
    done
    echo "$fastest"
}
printf 'program\ttable\tstep\tseconds\ttimes_tare\tpeak_mib\tagree\n'
for table in csv jsonl; do
    file=$folder/judges.$table
    took=$(best 3 "$build/tare" matrix "$file" -q -o "$folder/run" --boot-b "$replicates")
    seconds=${took% *}
    printf 'tare\t%s\tprocess\t%s\t1.0\t%s\t\n' "$table" "$seconds" "${took#* }"
    for peer in numpy pandas; do
        took=$(best "$([ "$peer" = numpy ] && echo 3 || echo 1)" \
            "$python" "$here/matrix_$peer.py" "$file" "$replicates")
        agree=$("$python" "$here/check_judges.py" "$folder/run" "$folder/best")
        awk -F '\t' -v table="$table" -v tare="$seconds" -v peak="${took#* }" -v agree="$agree" \
            -v process="${took% *}" -v peer="$peer" '
            $1 == "check" { next }
            { printf "%s\t%s\t%s\t%s\t%s\t\t\n", $1, table, $2, $3,
                     $2 == "whole" ? sprintf("%.1f", $3 / tare) : "" }
            END { if (peer == "numpy")
                      printf "%s\t%s\tprocess\t%s\t%.1f", peer, table, process, process / tare
                  else printf "%s\t%s\tfive resamples\t%s\t", peer, table, process
                  printf "\t%s\t%s\n", peak, agree }' "$folder/best"
    done
done
