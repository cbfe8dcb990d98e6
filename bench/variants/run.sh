#!/bin/sh
# run.sh BUILD_FOLDER [PHOTOS] [THREADS]: tare beside Pillow + NumPy + scikit-image on the same
# photographs and cores, one after the other in one run: bytes alone, then with measures. Prints
# TSV; the ratios are the peer's time over tare's, by the clock and by CPU time (steadier on a busy
# machine). Without a folder of photographs 70 synthetic ones are made.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_FOLDER [PHOTOS] [THREADS]}
photos=${2:-}
threads=${3:-2}
python=${PYTHON:-/usr/bin/python3}
if [ -z "$photos" ]; then
    photos=$(mktemp -d)
    trap 'rm -rf "$photos"' EXIT INT TERM
    "$python" "$here/paint_portraits.py" "$photos"
fi
for work in bytes measures; do
    "$build/bench/variants/bench_variants" "$photos" "$threads" "$work"
    "$python" "$here/peer_pillow.py" "$photos" "$threads" "$work"
done | awk -F'\t' -v OFS='\t' '
    BEGIN {
        print "program", "work", "threads", "photos", "variants", "seconds", "cpu_seconds", \
              "sum_of_bytes", "ratio", "cpu_ratio"
    }
    $1 == "tare" { seconds[$2] = $6; cpu[$2] = $7 }
    { print $0, sprintf("%.1f", $6 / seconds[$2]), sprintf("%.1f", $7 / cpu[$2]) }'
