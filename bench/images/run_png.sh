#!/bin/sh
# run_png.sh BUILD_FOLDER [ROUNDS]: PNG files of 12 megapixels through tare's decoder and through
# libspng alone, turn by turn; the ratio is tare's processor time over libspng's.
set -eu
build=${1:?usage: run_png.sh BUILD_FOLDER [ROUNDS]}
"$build/bench/images/bench_png" "${2:-7}"
