#!/usr/bin/env python3
"""Write src/image/colour_tables.c: constants and tables of the sRGB <-> Lab pipeline.

Scorer audit 2.2. Every number is the IEEE double nearest to its definition (the inverse
matrix in exact fractions), or a switching point of the double-precision byte rule, found by
bisection on that rule.
"""
import math
import struct
import sys
from fractions import Fraction


def lin(k):
    v = k / 255
    return ((v + 0.055) / 1.055) ** 2.4 if v > 0.04045 else v / 12.92


def enc(u):
    return 1.055 * math.pow(u, 1 / 2.4) - 0.055 if u > 0.0031308 else 12.92 * u


def byte(u):
    return math.floor(255 * min(max(enc(u), 0.0), 1.0) + 0.5)


def bits(x):
    return struct.unpack("<q", struct.pack("<d", x))[0]


def double(i):
    return struct.unpack("<d", struct.pack("<q", i))[0]


def least(lo, hi, holds):
    """Least positive double in (lo, hi] for which holds() is true; checks the neighbours."""
    a, b = bits(lo), bits(hi)
    while b - a > 1:
        mid = (a + b) // 2
        a, b = (a, mid) if holds(double(mid)) else (mid, b)
    assert all(holds(double(b + i)) and not holds(double(b - 1 - i)) for i in range(200))
    return double(b)


def inverse(m):
    a = [[Fraction(v) for v in row] for row in m]
    det = sum(a[0][j] * (a[1][(j + 1) % 3] * a[2][(j + 2) % 3]
                         - a[1][(j + 2) % 3] * a[2][(j + 1) % 3]) for j in range(3))
    return [[(a[(j + 1) % 3][(i + 1) % 3] * a[(j + 2) % 3][(i + 2) % 3]
              - a[(j + 1) % 3][(i + 2) % 3] * a[(j + 2) % 3][(i + 1) % 3]) / det
             for j in range(3)] for i in range(3)]


def hexes(values, per_line=3):
    text = [v if isinstance(v, str) else v.hex() for v in values]
    rows = [", ".join(text[i:i + per_line]) for i in range(0, len(text), per_line)]
    return "    " + ",\n    ".join(rows)


def main(out):
    steps = ["-INFINITY"] + [least(1e-9, 1.0, lambda u, k=k: byte(u) >= k)
                             for k in range(1, 256)] + ["INFINITY"]
    above = double(bits(least(0.9, 1.1, lambda u: enc(u) > 1 + 1e-6)) - 1)
    bins = [byte(i / 4096) for i in range(4096)]
    for i in range(4096):
        assert byte(double(bits((i + 1) / 4096) - 1)) - bins[i] <= 1
    m = [["0.412453", "0.357580", "0.180423"], ["0.212671", "0.715160", "0.072169"],
         ["0.019334", "0.119193", "0.950227"]]
    inv = [float(v) for row in inverse(m) for v in row]
    tables = [("double colour_linear[256]", hexes([lin(k) for k in range(256)])),
              ("double colour_step[257]", hexes(steps)),
              ("unsigned char colour_bin[4096]", hexes([str(b) for b in bins], 18))]
    out.write("/* colour_tables.c - written by tests/ref/image_colour_tables.py; do not edit. */\n"
              '#include <math.h>\n\n#include "image/colour.h"\n\n')
    out.write("const double colour_clip_above = %s;\n\n" % above.hex())
    out.write("/* Inverse of the RGB to XYZ matrix, by rows. */\n"
              "const double colour_inverse[9] = {\n%s};\n" % hexes(inv))
    for name, values in tables:
        out.write("\nconst %s = {\n%s};\n" % (name, values))


if __name__ == "__main__":
    main(sys.stdout)
