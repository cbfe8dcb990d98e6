"""make_photos.py FOLDER NAME...   write small PNG pictures, made of formulas.

  portrait-K  48x48, background grey-blue with structure, a disc of skin colours (K moves them)
  noskin      the background alone          allskin   skin colours everywhere
  grey        grey levels, one channel      one       1x1
  alpha       half transparent              deep      16 bits per channel
"""
import os
import struct
import sys
import zlib


def png(width, height, rows, colour=2, depth=8):
    def chunk(kind, body):
        crc = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc)
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    raw = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw))
            + chunk(b"IEND", b""))


def background(x, y):
    return (90 + (5 * x + 3 * y) % 40, 110 + (3 * x + 7 * y) % 40, 130 + (7 * x + 5 * y) % 40)


def skin(x, y, k):
    return (200 - 9 * k + (3 * x + 5 * y) % 40, 140 - 8 * k + (5 * x + 7 * y) % 40,
            90 - 6 * k + (7 * x + 3 * y) % 40)


def portrait(k, size=48):
    def pixel(x, y):
        inside = (x - size / 2) ** 2 + (y - size / 2) ** 2 < (size / 3) ** 2
        return skin(x, y, k) if inside else background(x, y)
    return png(size, size, [[c for x in range(size) for c in pixel(x, y)] for y in range(size)])


def picture(name, size=48):
    span = range(size)
    if name.startswith("portrait-"):
        return portrait(int(name.split("-")[1]))
    if name == "noskin":
        return png(size, size, [[c for x in span for c in background(x, y)] for y in span])
    if name == "allskin":
        return png(size, size, [[c for x in span for c in skin(x, y, 0)] for y in span])
    if name == "grey":
        return png(size, size, [[(5 * x + 3 * y) % 256 for x in span] for y in span], colour=0)
    if name == "one":
        return png(1, 1, [[200, 140, 90]])
    if name == "alpha":
        return png(size, size, [[c for x in span for c in (*skin(x, y, 0), 128)] for y in span],
                   colour=6)
    if name == "deep":
        return png(size, size, [[c for x in span for v in skin(x, y, 0) for c in (v, 7)]
                                for y in span], depth=16)
    raise SystemExit(f"make_photos: no picture called {name}")


os.makedirs(sys.argv[1], exist_ok=True)
for each in sys.argv[2:]:
    with open(os.path.join(sys.argv[1], each + ".png"), "wb") as f:
        f.write(picture(each))
