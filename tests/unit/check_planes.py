#!/usr/bin/env python3
"""check_planes.py RESIZE_PEER [CASES]: planes_resize beside two others on random images.

- antialias, every kernel: bit for bit what Pillow makes of the planes as images of mode "F", which
  has the same weights and also adds in double, in the same order.
- antialias and not: within 1e-6 of the definition (scorers 6.2) written as matrices in NumPy.
Without NumPy or Pillow: skipped.
"""
import random
import struct
import subprocess
import sys

try:
    import numpy as np
    from PIL import Image
except ImportError:
    print("skipped: no NumPy or no Pillow (Debian: python3-numpy, python3-pil)")
    sys.exit(77)

KERNELS = {"BOX": 1, "BILINEAR": 2, "HAMMING": 3, "BICUBIC": 4, "LANCZOS": 5}  # resize_kernel
SUPPORT = {"BILINEAR": 1, "BICUBIC": 2}
WITHIN = 1e-6


def bicubic(x, a):
    x = np.abs(x)
    inner = ((a + 2) * x - (a + 3)) * x * x + 1
    outer = ((x - 5) * x + 8) * x * a - 4 * a
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


def kernel_of(name, a):
    if name == "BICUBIC":
        return lambda x: bicubic(x, a)
    return lambda x: np.maximum(1 - np.abs(x), 0)


def matrix_smooth(name, size, to):
    """Rows of weights over all inputs, each row divided by its sum."""
    scale = size / to
    f = max(scale, 1)
    centre = (np.arange(to)[:, None] + 0.5) * scale
    at = np.arange(size)[None, :]
    weights = kernel_of(name, -0.5)((at - centre + 0.5) / f)
    support = SUPPORT[name] * f
    inside = (at >= np.trunc(centre - support + 0.5)) & (at < np.trunc(centre + support + 0.5))
    weights = np.where(inside, weights, 0)
    return weights / weights.sum(1, keepdims=True)


def matrix_few(name, size, to):
    """The taps around x with their indices clamped to the edge."""
    out = np.zeros((to, size))
    kernel = kernel_of(name, -0.75)
    for i in range(to):
        x = (i + 0.5) * size / to - 0.5
        base = int(np.floor(x))
        for j in range(base - SUPPORT[name] + 1, base + SUPPORT[name] + 1):
            out[i, min(max(j, 0), size - 1)] += kernel(np.array(x - j))
    return out


def defined(planes, name, size, antialias):
    make = matrix_smooth if antialias else matrix_few
    across = make(name, planes.shape[2], size[0])
    down = make(name, planes.shape[1], size[1])
    return down @ (planes.astype(float) @ across.T)


def of_pillow(planes, name, size):
    return np.stack([np.asarray(Image.fromarray(p, "F").resize(size, getattr(Image, name)))
                     for p in planes])


def ask(peer, pixels, size, name, antialias):
    height, width = pixels.shape[:2]
    peer.stdin.write(struct.pack("<10i", ord("p"), 0, width, height, *size, KERNELS[name],
                                 antialias, 0, 0) + pixels.tobytes())
    peer.stdin.flush()
    count = 3 * size[0] * size[1]
    data = peer.stdout.read(4 * count)
    if len(data) != 4 * count:
        sys.exit(f"{peer.args[0]}: {len(data)} bytes instead of {4 * count}")
    return np.frombuffer(data, np.float32).reshape(3, size[1], size[0])


def main():
    draw, rng = random.Random(21), np.random.default_rng(21)
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 800
    bad, most = 0, 0.0
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as peer:
        for k in range(cases):
            name, limit = list(KERNELS)[k % 5], draw.choice((3, 40, 120))
            width, height, *size = (draw.randint(1, limit) for _ in range(4))
            pixels = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
            planes = np.moveaxis(pixels, 2, 0).astype(np.float32) / np.float32(255)
            planes = np.ascontiguousarray(planes)
            smooth = ask(peer, pixels, size, name, 1)
            wrong = [] if np.array_equal(smooth, of_pillow(planes, name, size)) else ["Pillow"]
            for antialias in (1, 0) if name in SUPPORT else ():
                ours = smooth if antialias else ask(peer, pixels, size, name, 0)
                apart = float(np.abs(ours - defined(planes, name, size, antialias)).max())
                most = max(most, apart)
                if apart > WITHIN:
                    wrong.append(f"antialias {antialias}: {apart:.3g}")
            if wrong:
                bad += 1
                print(f"{width}x{height} to {size[0]}x{size[1]} {name}: {wrong}")
        peer.stdin.close()
    print(f"{cases} cases, {bad} differ; NumPy at most {most:.3g} apart")
    return 1 if bad or peer.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
