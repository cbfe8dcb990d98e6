#!/usr/bin/env python3
"""published_inputs.py PROGRAM [TENSORS]: what tare's recipes make of photographs against what the
published packages make of them, as recorded in published_tensors.tsv by make_reference.py. PROGRAM
is published_tensor. With TENSORS, the folder that make_reference.py --tensors wrote, every element
is compared and the largest difference is printed. Exit 77 without NumPy and Pillow."""

import hashlib
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    import numpy
    import photographs
    import recorded
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = sys.argv[1]
TENSORS = sys.argv[2] if len(sys.argv) > 2 else None
KINDS = {  # preparation: recipe, antialias, how near (0: the same bits)
    "clip": ("laion-v2", "-", 0),
    "clip-l14": ("clip-l14", "-", 0),
    "pickscore": ("pickscore", "-", 0),
    "imagereward": ("imagereward", "-", 0),
    "hpsv2-antialias=1": ("hpsv2.0", "1", 1e-4),
    "hpsv2-antialias=0": ("hpsv2.1", "0", 1.5e-4),
}


def ours(kind, path):
    """The tensor, flat; None: refused."""
    recipe, antialias, _ = KINDS[kind]
    done = subprocess.run([PROGRAM, recipe, antialias, path], capture_output=True, timeout=60)
    assert done.returncode in (0, 3), f"{kind} {path}: {done.stderr.decode()}"
    return numpy.frombuffer(done.stdout, numpy.float32) if done.returncode == 0 else None


def compare(kind, row, path):
    """What is wrong, or None; and the largest difference seen."""
    near, got = KINDS[kind][2], ours(kind, path)
    if row.hash == "refused" or got is None:
        same = row.hash == "refused" and got is None
        return (None if same else f"tare {'refuses it' if got is None else 'takes it'}"), 0
    far = 0.0
    if TENSORS:
        file = os.path.join(TENSORS, f"{row.kind}.{row.photograph.replace('/', '-')}.npy")
        far = float(numpy.abs(got.astype(float) - numpy.load(file).ravel()).max())
    if near == 0:
        same = hashlib.sha256(got.tobytes()).hexdigest()[:16] == row.hash
        return (None if same else "other bits"), far
    some = numpy.array([got[k * 7919 % got.size] for k in range(len(row.samples))], float)
    far = max(far, float(numpy.abs(some - row.samples).max()))
    if far > near:
        return f"an element differs by {far:.3g}", far
    if abs(got.astype(float).sum() - row.total) > near * got.size / 50:
        return f"the sum is {got.astype(float).sum():.9g}, not {row.total:.9g}", far
    return None, far


def main():
    if recorded.SHARED and not os.path.exists(recorded.SHARED):
        print(f"skipped: {recorded.SHARED} is not here")
        sys.exit(77)
    rows = recorded.tensors()
    wrong, count = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        paths = dict(photographs.write(scratch))
        for kind in KINDS:
            of_kind = [r for r in rows if r.kind == ("clip" if kind == "clip-l14" else kind)]
            assert len(of_kind) > 10, kind
            largest = 0.0
            for row in of_kind:
                path = recorded.find(row.photograph, paths)
                if path is None:
                    continue
                said, far = compare(kind, row, path)
                largest, count = max(largest, far), count + 1
                if said:
                    wrong += 1
                    print(f"FAIL  {kind}, {row.photograph}: {said}")
            print(f"{kind}: largest difference {largest:.3g}"
                  f"{'' if TENSORS else ' of the recorded elements'}")
    print(f"{count - wrong} of {count} agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
