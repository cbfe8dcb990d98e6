#!/bin/sh
# run_towers.sh BUILD_FOLDER [NAME [TYPE [PHOTOS_COUNT [ROUNDS]]]]: the image tower of a published
# scorer's size (NAME: vit-l-14, vit-h-14, vit-tiny), with random weights of TYPE (f32, f16), in
# tare by both feeds and in PyTorch, on THREADS threads (1), in one run. CLIP_PYTHON names a python3
# that has torch, transformers, safetensors and Pillow (default: PYTHON); without them that part is
# left out, which is said. CORE: run on this processor only (taskset). Prints TSV: loading, MiB of
# memory over what there was before it (peak, kept), images, the whole way, the bare session; then
# ratios by CPU time, which is steadier on a busy machine, and by the clock. Fails if vectors
# differ. The files are 1.2 GB (vit-l-14, f32) or 2.5 GB (vit-h-14, f32) while it runs.
set -eu
build=${1:?usage: run_towers.sh BUILD_FOLDER [NAME [TYPE [PHOTOS_COUNT [ROUNDS]]]]}
name=${2:-vit-l-14}
type=${3:-f32}
count=${4:-4}
rounds=${5:-2}
threads=${THREADS:-1}
here=$(dirname "$0")
python=${PYTHON:-/usr/bin/python3}
library=$here/../../build/deps/libonnxruntime.so.1
if [ -z "${TARE_ORT_LIB:-}" ]; then
    if [ ! -e "$library" ]; then
        echo 'bench: no ONNX Runtime: make deps-onnxruntime' >&2
        exit 0
    fi
    TARE_ORT_LIB=$(realpath "$library")
    export TARE_ORT_LIB
fi
pin=
[ -z "${CORE:-}" ] || pin="taskset -c $CORE"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
export XDG_CACHE_HOME="$folder/cache"
weights=$folder/$name.safetensors
"$python" -B "$here/../variants/paint_portraits.py" "$folder/photos" "$count"
"$python" -B "$here/write_vit.py" "$weights" "$name" "$type"
for feed in values folder; do
    $pin "$build/bench/onnx/bench_towers" "$weights" "$name" "$feed" "$folder/photos" "$rounds" \
        "$folder/$feed" "$threads" >>"$folder/lines" || [ "$feed" = folder ]
done
code=0
$pin "${CLIP_PYTHON:-$python}" -B "$here/peer_clip.py" "$weights" "$name" "$folder/photos" \
    "$rounds" "$folder/pytorch" "$threads" >>"$folder/lines" || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 77 ]
printf 'program\tmodel\tfeed\tload_s\tload_cpu_s\tanon_peak\tfile_peak\tanon_kept\tfile_kept\t'
printf 'images\tseconds\tcpu_s\tbare_s\tbare_cpu_s\n'
cat "$folder/lines"
awk -F'\t' -v size="$(stat -c %s "$weights")" -v type="$type" '
    $1 == "tare" {
        mib = size / 1048576 * (type == "f16" ? 2 : 1)
        printf "%s: memory over float32 weights: peak %.2f anonymous, %.2f with mapped; " \
            "kept %.2f\n", $3, $6 / mib, ($6 + $7) / mib, $8 / mib
        printf "%s: the whole way over the bare session: %.3f by CPU time, %.3f by the clock\n",
            $3, $12 / $14, $11 / $13
        cpu[$3] = $12; clock[$3] = $11
    }
    $1 == "pytorch" {
        for (feed in cpu) printf "%s: images per second over PyTorch: %.2f by CPU time, %.2f by " \
            "the clock\n", feed, $12 / cpu[feed], $11 / clock[feed]
    }' "$folder/lines"
"$python" - "$folder" <<'END'
import os
import sys

import numpy

folder, bad = sys.argv[1], False
values = numpy.fromfile(os.path.join(folder, "values"), "<f4")
for other, bound in (("folder", 0), ("pytorch", 1e-3)):
    path = os.path.join(folder, other)
    if os.path.exists(path):
        x = numpy.fromfile(path, "<f4")
        far = abs(x - values).max() / abs(values).max()
        print(f"vectors of {other} against values: largest difference {far:.1e} of the largest")
        bad = bad or not far <= bound
sys.exit(bad)
END
