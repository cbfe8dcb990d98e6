#!/usr/bin/env python3
"""onnx_ops_numpy.py PROGRAM [CASES [SEED]]: random shapes and chains of operations, against NumPy.

PROGRAM is manifest_program. Exit 77 where there is no NumPy."""
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

ONES = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "logit": lambda x: np.log(x / (1 - x)),
    "log": np.log,
    "exp": np.exp,
}
REDUCTIONS = {"mean": np.mean, "max": np.max, "min": np.min, "sum": np.sum}


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def pick_axis(rng, x):
    """An axis that is not the batch, written from either end."""
    axis = rng.randrange(1, x.ndim)
    return axis if rng.random() < .5 else axis - x.ndim


def next_op(rng, x, folder):
    """(operation as written, result)."""
    kinds = ["affine", "clip", "sigmoid", "exp", "logit", "log", "mean", "max", "min", "sum"]
    if x.ndim > 1:
        kinds += ["select", "softmax", "l2norm", "dot", "expect"] * 2
    kind = rng.choice(kinds)
    if kind in ONES:
        return [kind], ONES[kind](x)
    if kind == "affine":
        a, b = rng.uniform(-2, 2), rng.uniform(-2, 2)
        return [kind, a, b], a * x + b
    if kind == "clip":
        return [kind, -.75, 1.5], np.clip(x, -.75, 1.5)
    if kind in REDUCTIONS:
        axes = tuple(rng.sample(range(1, x.ndim), rng.randint(0, x.ndim - 1)))
        if not axes:
            return [kind], REDUCTIONS[kind](x, axis=tuple(range(1, x.ndim))) if x.ndim > 1 else x
        written = [a if rng.random() < .5 else a - x.ndim for a in axes]
        return [kind, written[0] if len(written) == 1 else written], REDUCTIONS[kind](x, axis=axes)
    if kind in ("dot", "expect"):
        values = np.array([rng.uniform(-2, 2) for _ in range(x.shape[-1])])
        if kind == "expect":
            return [kind, values.tolist()], x @ values
        if rng.random() < .5:
            values = values.astype("<f4")
        name = "w%d.npy" % rng.randrange(10 ** 9)
        np.save(os.path.join(folder, name), values)
        return [kind, name], x @ values.astype(float)
    axis = pick_axis(rng, x)
    if kind == "select":
        index = rng.randrange(-x.shape[axis], x.shape[axis])
        return [kind, axis, index], np.take(x, index, axis=axis)
    if kind == "softmax":
        return [kind, axis], softmax(x, axis)
    return [kind, axis], x / np.sqrt((x * x).sum(axis=axis, keepdims=True))


def make_case(rng, folder):
    """Writes m.json and x.bin; the scores that NumPy gives."""
    shape = [rng.randint(1, 4)] + [rng.randint(1, 5) for _ in range(rng.randint(0, 5))]
    x = np.array([rng.uniform(-3, 3) for _ in range(int(np.prod(shape)))]).reshape(shape)
    with open(os.path.join(folder, "x.bin"), "wb") as out:
        out.write(np.concatenate([[shape[0], len(shape)], shape, x.ravel()]).tobytes())
    ops = []
    while (x[0].size > 1 or rng.random() < .3) and len(ops) < 31:
        op, x = next_op(rng, x, folder)
        ops.append(op)
    if x[0].size > 1:
        ops.append(["mean"])
        x = x.reshape(x.shape[0], -1).mean(axis=1)
    manifest = {"tare_scorer": 1, "name": "n", "model": "m", "output": {"name": "o", "ops": ops},
                "input": {"name": "i", "kind": "vector", "length": 1}}
    with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as out:
        json.dump(manifest, out)
    return ops, x.reshape(x.shape[0])


def same(got, want):
    """Not finite is not finite, of whatever kind; else 1e-9 relative, near 0 absolute."""
    if not np.isfinite(want):
        return not np.isfinite(got)
    return abs(got - want) <= 1e-9 * max(1, abs(want))


def main(program, cases=300, seed=20240607):
    rng, finite, length = random.Random(int(seed)), 0, 0
    np.seterr(all="ignore")
    for case in range(int(cases)):
        with tempfile.TemporaryDirectory() as folder:
            ops, want = make_case(rng, folder)
            done = subprocess.run([program, "run", folder + "/m.json", folder + "/x.bin"],
                                  capture_output=True, text=True, check=False)
        got = [float(line) for line in done.stdout.split()] if done.returncode == 0 else []
        if len(got) != len(want) or not all(map(same, got, want)):
            sys.exit("case %d: %s\n%s\n%s%s" % (case, ops, want, done.stdout, done.stderr))
        finite += int(np.isfinite(want).sum())
        length += len(ops)
    print("%s chains, %d operations, %d finite scores: as NumPy has them" % (cases, length, finite))


main(*sys.argv[1:])
