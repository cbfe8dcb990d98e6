#!/bin/sh
# run_resize.sh BUILD_FOLDER [SECONDS]: the resizes that scorers ask for by tare, Pillow and (where
# libvips-dev was there when tare was built) libvips, one thread, in three rounds of all of them;
# best of each. TSV: case, program, milliseconds of processor time, how many times tare's, sum of
# what was made. tare and Pillow have to make the same sum; libvips computes something else, and
# does not weight colours by alpha.
set -eu
build=${1:?usage: run_resize.sh BUILD_FOLDER [SECONDS]}
seconds=${2:-0.2}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
programs=$build/bench/images
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
for _ in 1 2 3; do
    "$programs/bench_resize" "$seconds" >"$folder/tare"
    cut -f 1 "$folder/tare" >"$folder/names"
    cat "$folder/tare"
    "$python" "$here/peer_pillow_resize.py" "$seconds" <"$folder/names"
    [ ! -x "$programs/peer_vips_resize" ] ||
        "$programs/peer_vips_resize" "$seconds" <"$folder/names"
done >"$folder/lines"
printf 'case\tprogram\tmilliseconds\ttimes_tare\tsum\n'
awk -F '\t' -v OFS='\t' '
    {
        key = $1 OFS $2
        if (!(key in best)) { order[++n] = key; best[key] = $3 }
        if ($3 + 0 < best[key] + 0) best[key] = $3
        sum[key] = $4
    }
    END {
        for (k = 1; k <= n; k++) {
            split(order[k], part, OFS)
            if (part[2] != "tare") continue
            base = order[k]
            print base, best[base], "1.0", sum[base]
            for (j = 1; j <= n; j++) {
                split(order[j], other, OFS)
                if (other[1] != part[1] || other[2] == "tare") continue
                print order[j], best[order[j]], sprintf("%.1f", best[order[j]] / best[base]), \
                      sum[order[j]]
                if (other[2] == "Pillow" && sum[order[j]] != sum[base]) {
                    bad = 1
                    print "run_resize: sums differ: " part[1] > "/dev/stderr"
                }
            }
        }
        exit bad
    }' "$folder/lines"
