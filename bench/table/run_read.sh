#!/bin/sh
# run_read.sh BUILD_FOLDER: a table of 1,296,000 judge scores is read by tare, pandas and (where it
# is here) polars, as CSV, compressed CSV and JSON lines; best of several runs, a process each.
# TSV: file, program, seconds of the clock and of all processors, how many times tare's, the most
# memory in MB (of a pandas process about 70 are Python and pandas themselves), what was read. The
# last line is DuckDB inside tare (make deps-duckdb), reading the CSV.
set -eu
build=${1:?usage: run_read.sh BUILD_FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
program=$build/bench/table/bench_read
tab=$(printf '\t')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
if [ -z "${TARE_DUCKDB:-}" ] && [ -f "$here/../../build/deps/libduckdb.so" ]; then
    export TARE_DUCKDB="$here/../../build/deps/libduckdb.so"
fi
"$program" make "$folder/scores.csv"
"$program" make "$folder/scores.jsonl"
gzip -k "$folder/scores.csv"

# best NAME RUNS COMMAND...: the line of the fastest run, after NAME; nothing if it cannot run.
best() {
    name=$1 runs=$2
    shift 2
    for _ in $(seq "$runs"); do
        "$@" || return 0
    done | sort -n | head -n 1 | sed "s/^/$name$tab/"
}

for file in scores.csv scores.csv.gz scores.jsonl; do
    peer_runs=3
    [ "$file" != scores.jsonl ] || peer_runs=2
    {
        best tare 5 "$program" time "$folder/$file"
        best "tare, 1 thread" 3 "$program" time "$folder/$file" 1
        best pandas $peer_runs "$python" "$here/peer_read.py" pandas "$folder/$file"
        best polars 3 "$python" "$here/peer_read.py" polars "$folder/$file"
    } | sed "s/^/$file$tab/"
done >"$folder/lines"
query="duckdb:SELECT * FROM read_csv('$folder/scores.csv')"
best "tare, DuckDB" 3 "$program" time "$query" 2>/dev/null | sed "s/^/scores.csv$tab/" \
    >>"$folder/lines"

printf 'file\tprogram\tseconds\tcpu_seconds\ttimes_tare\tcpu_times_tare\tpeak_mb\tcheck\n'
awk -F '\t' -v OFS='\t' '
    $2 == "tare" { tare[$1] = $3; cpu[$1] = $4 }
    NR == 1 { check = $6 }
    { print $1, $2, $3, $4, sprintf("%.1f", $3 / tare[$1]), sprintf("%.1f", $4 / cpu[$1]), $5, $6 }
    $6 != check { bad = 1; print "results differ: " $6 " / " check > "/dev/stderr" }
    END { exit bad }' "$folder/lines"
