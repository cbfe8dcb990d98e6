#!/bin/sh
# run_onnx.sh BUILD_FOLDER [PHOTOS]: photographs through onnx: beside the bare session on tensors
# made beforehand, with one worker and with two, in one run. The model costs a little more than
# CLIP ViT-B/32; the Ultra-Light face detector, a tenth of that, is measured where the shared data
# is. Prints TSV; ratio: images a second of the whole way over the bare session's, by the clock and
# by CPU time (steadier on a busy machine).
set -eu
here=$(dirname "$0")
build=${1:?usage: run_onnx.sh BUILD_FOLDER [PHOTOS]}
photos=${2:-}
python=${PYTHON:-/usr/bin/python3}
shared=$here/../../../shared/data/scorers/ultraface/version-slim-320_simplified.onnx
library=$here/../../build/deps/libonnxruntime.so.1
if [ -z "${TARE_ORT_LIB:-}" ]; then
    if [ ! -e "$library" ]; then
        echo 'bench: no ONNX Runtime: make deps-onnxruntime' >&2
        exit 0
    fi
    TARE_ORT_LIB=$(realpath "$library")
    export TARE_ORT_LIB
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
if [ -z "$photos" ]; then
    photos=$folder/photos
    "$python" "$here/../variants/paint_portraits.py" "$photos" 24
fi
"$build/bench/onnx/bench_onnx" "$folder"
printf 'model\twork\tthreads\timages\tseconds\tcpu_seconds\timages_per_second\tratio\tcpu_ratio\n'
for threads in 1 2; do
    "$build/bench/onnx/bench_onnx" "$photos" "$folder/conv.json" "$threads"
done
[ -e "$shared" ] || exit 0
cat >"$folder/face.json" <<END
{"tare_scorer": 1, "name": "ultraface", "model": "$(realpath "$shared")",
 "input": {"name": "input", "kind": "image", "size": [240, 320],
   "resize": {"mode": "stretch", "kernel": "bilinear"},
   "divide": 1, "mean": [127, 127, 127], "std": [128, 128, 128]},
 "output": {"name": "scores", "ops": [["select", -1, 1], ["max"]], "higher_is_better": true,
   "range": [0, 1]}}
END
for threads in 1 2; do
    "$build/bench/onnx/bench_onnx" "$photos" "$folder/face.json" "$threads"
done
