#!/usr/bin/env python3
"""check_resize.py RESIZE_PEER [CASES]: image_resize beside Pillow on random images, sizes, kernels
and modes, byte for byte.

TARE_PILLOW names a folder with a Pillow to be used instead of the installed one (the site-packages
of a virtual environment). From Pillow 13 on the pass order "pillow13" is compared, before it
"h-first". Without Pillow: skipped.
"""
import os
import random
import struct
import subprocess
import sys

if os.environ.get("TARE_PILLOW"):
    sys.path.insert(0, os.environ["TARE_PILLOW"])
try:
    import PIL
    from PIL import Image
except ImportError:
    print("skipped: no Pillow (Debian: python3-pil)")
    sys.exit(77)

MODES = ["RGB", "L", "LA", "RGBA", "CMYK", "P", "1", "I"]  # image_mode
CHANNELS = [3, 1, 2, 4, 4, 1, 1, 4]  # bytes of a pixel
KERNELS = ["NEAREST", "BOX", "BILINEAR", "HAMMING", "BICUBIC", "LANCZOS"]  # resize_kernel
# (width, height, to_width, to_height) in which passes are skipped, windows are cut, rows are short
EDGES = [(1, 1, 1, 1), (1, 1, 9, 9), (1, 50, 1, 3), (50, 1, 3, 1), (2, 3, 300, 2), (3, 2, 2, 300),
         (300, 300, 1, 1), (7, 500, 7, 11), (500, 7, 11, 7), (64, 64, 64, 64), (33, 200, 30, 20),
         (40, 90, 80, 60), (40, 90, 25, 60), (40, 90, 24, 60), (40, 90, 80, 90), (9, 90, 9, 91),
         (1, 2000, 3, 2), (2000, 1, 2, 3), (16, 16, 31, 31), (10, 7, 11, 700)]


def pixels(draw, mode, count):
    """Random bytes; of alpha mostly its ends, since they are special. Mode I: 16 bits, often of the
    ends too, so that a kernel swings below 0 and above 65535."""
    if MODES[mode] == "I":
        most = draw.choice((65535, 65535, 700, 255))
        return struct.pack(f"={count}i", *(draw.choice((draw.randint(0, most), 0, most))
                                           for _ in range(count)))
    data = bytearray(draw.randbytes(count * CHANNELS[mode]))
    if MODES[mode] in ("LA", "RGBA"):
        step = CHANNELS[mode]
        for k in range(step - 1, len(data), step):
            if draw.random() < 0.6:
                data[k] = draw.choice((0, 255))
    if MODES[mode] == "1":
        data = bytearray(255 * (b & 1) for b in data)
    return bytes(data)


def of_bytes(mode, width, height, data):
    if MODES[mode] == "1":
        return Image.frombytes("L", (width, height), data).convert("1")
    return Image.frombytes(MODES[mode], (width, height), data)


def to_bytes(picture):
    return (picture.convert("L") if picture.mode == "1" else picture).tobytes()


def read(peer, count):
    data = peer.stdout.read(count)
    if len(data) != count:
        sys.exit(f"{peer.args[0]}: {len(data)} bytes instead of {count}")
    return data


def case(draw, k):
    if k < len(EDGES) * len(MODES):
        return EDGES[k // len(MODES)]
    most = draw.choice((12, 60, 60, 250))
    return tuple(draw.randint(1, most) for _ in range(4))


def main():
    draw = random.Random(20)
    order = int(PIL.__version__.split(".")[0]) >= 13
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    bad = 0
    with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as peer:
        for k in range(cases):
            mode, kernel = k % len(MODES), k // 3 % len(KERNELS)
            width, height, to_width, to_height = case(draw, k)
            data = pixels(draw, mode, width * height)
            peer.stdin.write(struct.pack("<10i", ord("i"), mode, width, height, to_width,
                                         to_height, kernel, order, 0, 0) + data)
            peer.stdin.flush()
            ours = read(peer, to_width * to_height * CHANNELS[mode])
            theirs = to_bytes(of_bytes(mode, width, height, data).resize(
                (to_width, to_height), getattr(Image, KERNELS[kernel])))
            if ours != theirs:
                bad += 1
                apart = sum(a != b for a, b in zip(ours, theirs))
                print(f"{MODES[mode]} {width}x{height} to {to_width}x{to_height} "
                      f"{KERNELS[kernel]}: {apart} of {len(ours)} bytes differ")
        peer.stdin.close()
    print(f"Pillow {PIL.__version__}: {cases} cases, {bad} differ")
    return 1 if bad or peer.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
