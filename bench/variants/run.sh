#!/bin/sh
# run.sh BUILD_FOLDER [PHOTOS] [THREADS]: tare beside Pillow + NumPy + scikit-image on the same
# photographs and cores, one after the other in one run. Prints TSV; `ratio` is the time of the line
# over tare's. Without a folder of photographs 70 synthetic ones are made.
set -eu
here=$(dirname "$0")
build=${1:?usage: run.sh BUILD_FOLDER [PHOTOS] [THREADS]}
photos=${2:-}
threads=${3:-2}
python=${PYTHON:-/usr/bin/python3}
if [ -z "$photos" ]; then
    photos=$(mktemp -d)
    trap 'rm -rf "$photos"' EXIT
    "$python" "$here/make_photos.py" "$photos"
fi
{
    "$build/bench/variants/bench_variants" "$photos" "$threads"
    "$python" "$here/peer_pillow.py" "$photos" "$threads"
    "$python" "$here/peer_pillow.py" "$photos" "$threads" --measures
    "$build/bench/variants/bench_variants" "$photos" "$threads"
} | awk -F'\t' '
    BEGIN { print "program\tthreads\tphotos\tvariants\tseconds\tvariants/s\tsum of bytes\tratio" }
    NR == 1 { own = $5 }
    { printf "%s\t%s\t%s\t%s\t%.3f\t%.0f\t%s\t%.1f\n", $1, $2, $3, $4, $5, $4 / $5, $6, $5 / own }'
