#!/usr/bin/env python3
"""published_scores.py TARE LIBRARY: tare scores photographs with tiny checkpoints in the published
containers; the published packages' own scores of the same tensors are in published_scores.tsv
(make_reference.py). Preprocessing, towers, heads and constants all enter. LIBRARY is ONNX
Runtime's. TARE_SHARED_FACES names portraits to score beside the drawn ones. Exit 77 without NumPy,
Pillow, the library or the portraits."""

import csv
import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    import make_tiny
    import photographs
    import recorded
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TARE = os.path.abspath(sys.argv[1])
LIBRARY = os.path.abspath(sys.argv[2])
# Scorer of the table: what is asked of tare, and the spread of its scores over photographs, of
# which a ten-thousandth may be between the two.
SCORERS = {
    "laion-v1": ("laion-v1:{}/laion-v1", 1),
    "laion-v2": ("laion-v2:{}/laion-v2", 5),
    "laion-relu": ("laion-v2:{0}/laion-relu,head={0}/laion-relu/ava+logos-l14-reluMSE.pth", 5),
    "clip": ("clip:{}/clip,variant=cosine", 1),
    "clip-b32": ("clip:{}/clip-b32,model=b32,variant=cosine", 1),
    "pickscore": ("pickscore:{}/pickscore", 10),
    "pickscore-shards": ("pickscore:{}/pickscore-shards", 10),
    "hpsv2.0": ("hpsv2.0:{}/hpsv2.0,antialias=true", 1),
    "hpsv2.0-antialias=0": ("hpsv2.0:{}/hpsv2.0,antialias=false", 1),
    "hpsv2.1": ("hpsv2.1:{}/hpsv2.1", 1),
    "imagereward": ("imagereward:{}/imagereward", 10),
}


def ours(scratch, scorer, root, photos):
    """Photograph to score (None: refused)."""
    folder = os.path.join(scratch, "run-" + scorer)
    spec = SCORERS[scorer][0].format(root) + ",arch=any"
    done = subprocess.run(
        [TARE, "score", photos, "--scorer", spec, "--decoding", "published", "-o", folder,
         "--threads", "1", "-q"],
        capture_output=True, text=True, timeout=300,
        env=dict(os.environ, TARE_ORT_LIB=LIBRARY))
    if done.returncode not in (0, 1):
        raise AssertionError(f"{spec}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    found = {}
    (table,) = glob.glob(os.path.join(folder, "tables", "scores.tsv"))
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader((x for x in file if not x.startswith("#")), delimiter="\t"):
            name = os.path.splitext(row["base"])[0]
            found[name] = float(row["score"]) if row["score"] else None
    return found


def compare(scorer, wanted, got):
    """Rows that differ; prints the largest difference."""
    scale, largest, wrong = SCORERS[scorer][1], 0, 0
    for row in wanted:
        name = row.photograph.replace(".jpg", "")
        assert name in got, f"{scorer}: no row for {name} among {sorted(got)}"
        if row.score is None or got[name] is None:
            same, far = row.score is got[name], 0
        else:
            far = abs(row.score - got[name])
            same = far <= 1e-4 * scale
        largest = max(largest, far)
        if not same:
            wrong += 1
            print(f"FAIL  {scorer}, {name}: {got[name]}, the package says {row.score}")
    print(f"{scorer}: {len(wanted) - wrong} of {len(wanted)}, largest difference {largest:.2g} "
          f"on a scale of {scale}")
    return wrong


def place(scratch, rows):
    """The photographs in one folder, under the names of the table."""
    photos = os.path.join(scratch, "photographs")
    drawn = dict(photographs.write(photos))
    for name in {row.photograph for row in rows if "/" in row.photograph}:
        path = recorded.find(name, drawn)
        if path:
            os.makedirs(os.path.join(photos, os.path.dirname(name)), exist_ok=True)
            os.symlink(path, os.path.join(photos, name))
    return photos, drawn


def main():
    rows = recorded.scores()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(scratch, "tiny")
        make_tiny.write(root)
        photos, drawn = place(scratch, rows)
        for scorer in SCORERS:
            wanted = [r for r in rows
                      if r.scorer == scorer and recorded.find(r.photograph, drawn)]
            assert len(wanted) >= len(drawn), scorer
            try:
                wrong += compare(scorer, wanted, ours(scratch, scorer, root, photos))
            except AssertionError as failed:
                wrong += 1
                print(f"FAIL  {failed}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    for needed in (LIBRARY, recorded.SHARED or LIBRARY):
        if not os.path.exists(needed):
            print(f"skipped: {needed} is not here")
            sys.exit(77)
    main()
