#!/bin/sh
# run_photos.sh BUILD_FOLDER [COUNT ...]: audits of 1,000 and of 10,000 small photographs with a
# cheap scorer, for what a run costs beside decoding and networks; then with three axes, and the
# finished run analysed again. Prints two TSV.
set -eu
here=$(dirname "$0")
build=${1:?usage: run_photos.sh BUILD_FOLDER [COUNT ...]}
shift
python=${PYTHON:-/usr/bin/python3}
"$python" -B "$here/measure_photos.py" "$build/tare" "$@"
exec "$python" -B "$here/measure_photos.py" "$build/tare" --steps "$@"
