#!/usr/bin/env python3
"""Write tests/ref/format_files/: small WebP, TIFF, HEIC and AVIF files, good and bad, the table
tests/ref/format_files.tsv of what a decoder must make of them, and the seeds of the fuzz targets
tests/fuzz/corpus/image_{webp,tiff,heif}.

The numbers expected are Pillow's where Pillow reads the file (it is asked for each one), and
NumPy's from the picture that was stored losslessly where it does not. HEIC and AVIF are made by
heif-enc and avifenc; what is stored losslessly must come back, of the rest the mean colour.
Columns: file; under strict decoding: ok or the reason; under published decoding: mode, width,
height, SHA-256 of the samples, of what image_to_rgb makes of them, and the first words of the
remark; under strict decoding: orientation, icc, SHA-256 of the RGB bytes or their mean colour.
Needs Pillow with WebP and LibTIFF, heif-enc, avifenc.
"""
import hashlib
import io
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageCms

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from image_files import ICC_P3, ICC_SRGB, exif, scene  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "format_files")
rows = []


def sha(data):
    return hashlib.sha256(data).hexdigest()


def put(name, data):
    with open(os.path.join(FOLDER, name), "wb") as f:
        f.write(data)


def refused(name, data, reason, published="-"):
    """A file without pixels under any policy."""
    put(name, data)
    rows.append((name, reason, "none", 0, 0, "-", "-", published, 1, "none", "-"))


def expect(name, data, stored, rgb, mode, *known):
    """stored: samples in the file's own mode; rgb: Pillow's convert("RGB") of them. What strict
    decoding gives of an accepted file is `rgb`, converted by its profile and, but for TIFF, which
    Pillow turns itself, turned. known: reason, remark, turn, icc, as far as they differ from
    "ok", "-", 1, "none"."""
    put(name, data)
    reason, remark, turn, icc = known + ("ok", "-", 1, "none")[len(known):]
    upright = "-"
    if reason == "ok":
        image = Image.fromarray(rgb)
        if icc == "converted":
            image = ImageCms.profileToProfile(
                image, io.BytesIO(ICC_P3), ImageCms.createProfile("sRGB"), renderingIntent=1,
                outputMode="RGB", flags=0x2000)
        if turn > 1 and not name.endswith(".tif"):
            image = image.transpose({2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}[turn])
        upright = sha(image.tobytes())
    rows.append((name, reason, mode, rgb.shape[1], rgb.shape[0], sha(stored.tobytes()),
                 sha(rgb.tobytes()), remark, turn, icc, upright))


def read(data):
    """By Pillow: samples as they are stored and as RGB, and the mode."""
    image = Image.open(io.BytesIO(data))
    image.load()
    rgb = np.asarray(image.convert("RGB"))
    stored = np.asarray(image.convert("L") if image.mode == "1" else image)
    return stored, rgb, image.mode


def pillow(name, data, reason="ok", remark="-", turn=1, icc="none"):
    stored, rgb, mode = read(data)
    expect(name, data, stored, rgb, mode, reason, remark, turn, icc)


def saved(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


# ---- WebP -------------------------------------------------------------------------------------

def webp_chunks(*chunks):
    body = b"WEBP" + b"".join(k + struct.pack("<I", len(d)) + d + b"\0" * (len(d) % 2)
                              for k, d in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webps():
    base = scene(21, 13)
    clear = base.copy()
    clear.putalpha(Image.fromarray(np.asarray(base)[..., 0]))
    opaque = base.copy()
    opaque.putalpha(255)
    pillow("lossy.webp", saved(base, "WEBP", quality=60))
    pillow("lossless.webp", saved(base, "WEBP", lossless=True))
    pillow("one_pixel.webp", saved(scene(1, 1), "WEBP", quality=60))
    pillow("lossy_alpha.webp", saved(clear, "WEBP", quality=60), "unsupported_pixels")
    pillow("lossless_alpha.webp", saved(clear, "WEBP", lossless=True, exact=True),
           "unsupported_pixels")
    pillow("opaque_alpha.webp", saved(opaque, "WEBP", lossless=True))
    pillow("exif_6.webp", saved(base, "WEBP", quality=60, exif=exif(6)),
           remark="EXIF orientation ignored", turn=6)
    pillow("icc_p3.webp", saved(base, "WEBP", lossless=True, icc_profile=ICC_P3),
           remark="colour profile ignored", icc="converted")
    moving = saved(base, "WEBP", save_all=True, append_images=[base.rotate(90), clear],
                   lossless=True)
    pillow("animated.webp", moving, "unsupported_pixels", remark="first of 3 frames")
    whole = saved(base, "WEBP", quality=60)
    refused("truncated.webp", whole[:len(whole) * 2 // 3], "decode")
    refused("no_picture.webp", webp_chunks((b"VP8X", b"\0" * 10)), "decode")
    size = struct.pack("<I", 16382 | 16382 << 14 | 8 << 28 & 0)
    refused("huge.webp", webp_chunks((b"VP8L", b"\x2f" + size + b"\0" * 24)), "decode")
    # An animation of one frame, smaller than its canvas: what it leaves free is transparent.
    frame = saved(scene(6, 4), "WEBP", lossless=True)[12:]
    head = struct.pack("<I", 2)[:4] + bytes((9, 0, 0)) + bytes((7, 0, 0))
    anmf = (bytes((1, 0, 0)) + bytes((2, 0, 0)) + bytes((5, 0, 0)) + bytes((3, 0, 0))
            + bytes((100, 0, 0)) + b"\0")
    data = webp_chunks((b"VP8X", head), (b"ANIM", b"\0" * 6), (b"ANMF", anmf + frame))
    canvas = np.zeros((8, 10, 4), np.uint8)
    canvas[4:8, 2:8, :3] = np.asarray(scene(6, 4))
    canvas[4:8, 2:8, 3] = 255
    expect("part_of_canvas.webp", data, canvas, canvas[..., :3].copy(), "RGBA",
           "unsupported_pixels")


# ---- TIFF, by hand -----------------------------------------------------------------------------

SHORT, LONG, LONG8, UNDEFINED = 3, 4, 16, 7
SIZES = {1: 1, SHORT: 2, LONG: 4, LONG8: 8, UNDEFINED: 1}
CODES = {1: "B", SHORT: "H", LONG: "I", LONG8: "Q", UNDEFINED: "B"}


def packbits(data):
    """Literals only: as valid as any."""
    return b"".join(bytes((len(part) - 1,)) + part
                    for part in (data[i:i + 128] for i in range(0, len(data), 128)))


def tiff(pages, end="<", big=False):
    """pages: [(tags {number: (type, values)}, [strip or tile bytes], tiled)]. Pixels first, then
    the folders."""
    place = LONG8 if big else LONG
    width = SIZES[place]
    out = bytearray((b"II" if end == "<" else b"MM")
                    + (struct.pack(end + "HHHQ", 43, 8, 0, 0) if big
                       else struct.pack(end + "HI", 42, 0)))
    link = 8 if big else 4
    for tags, pieces, tiled in pages:
        places = []
        for piece in pieces:
            places.append(len(out))
            out += piece + b"\0" * (len(piece) % 2)
        tags = dict(tags)
        tags[324 if tiled else 273] = (place, places)
        tags[325 if tiled else 279] = (place, [len(piece) for piece in pieces])
        blobs = {}
        for tag, (kind, values) in tags.items():
            data = struct.pack(f"{end}{len(values)}{CODES[kind]}", *values)
            if len(data) > width:
                blobs[tag] = len(out)
                out += data + b"\0" * (len(data) % 2)
        struct.pack_into(end + CODES[place], out, link, len(out))
        out += struct.pack(end + ("Q" if big else "H"), len(tags))
        for tag, (kind, values) in sorted(tags.items()):
            data = struct.pack(f"{end}{len(values)}{CODES[kind]}", *values)
            field = (struct.pack(end + CODES[place], blobs[tag]) if tag in blobs
                     else data.ljust(width, b"\0"))
            out += struct.pack(end + "HH" + CODES[place], tag, kind, len(values)) + field
        link = len(out)
        out += b"\0" * width
    return bytes(out)


def page(array, photometric, bits=8, extra=None, **how):
    """One page of array [height][width][channels], samples of `bits` bits. how: planar, compress
    (its number), tile (its side), rows (of a strip), end (order of bytes), more (tags)."""
    planar, compress = how.get("planar", False), how.get("compress", 1)
    tile, rows_each, end = how.get("tile"), how.get("rows"), how.get("end", "<")
    a = array if array.ndim == 3 else array[..., None]
    height, width, channels = a.shape
    pack = {1: bytes, 8: zlib.compress, 32773: packbits}[compress]

    def encode(part):
        if bits == 16:
            return part.astype(end + "u2").tobytes()
        if bits == 8:
            return part.astype(np.uint8).tobytes()
        planes = (part[..., None] >> np.arange(bits - 1, -1, -1)) & 1
        return np.packbits(planes.reshape(part.shape[0], -1).astype(np.uint8), axis=1).tobytes()
    layers = [a[..., c:c + 1] for c in range(channels)] if planar else [a]
    pieces = []
    for layer in layers:
        if tile:
            tall, wide = -(-height // tile) * tile, -(-width // tile) * tile
            full = np.zeros((tall, wide, layer.shape[2]), a.dtype)
            full[:height, :width] = layer
            pieces += [pack(encode(full[y:y + tile, x:x + tile]))
                       for y in range(0, tall, tile) for x in range(0, wide, tile)]
        else:
            step = rows_each or height
            pieces += [pack(encode(layer[y:y + step])) for y in range(0, height, step)]
    tags = {256: (SHORT, [width]), 257: (SHORT, [height]), 258: (SHORT, [bits] * channels),
            259: (SHORT, [compress]), 262: (SHORT, [photometric]), 277: (SHORT, [channels]),
            284: (SHORT, [2 if planar else 1])}
    if tile:
        tags.update({322: (SHORT, [tile]), 323: (SHORT, [tile])})
    else:
        tags[278] = (SHORT, [rows_each or height])
    if extra is not None:
        tags[338] = (SHORT, extra)
    tags.update(how.get("more", {}))
    return tags, pieces, bool(tile)


RGB = np.asarray(scene(19, 11))
GREY = RGB[..., 1].copy()
ALPHA = RGB[..., 2].copy()
WIDE = RGB.astype(np.uint16) * 257 - 100


def repeat(grey):
    return np.repeat(grey[..., None], 3, 2)


def cmyk_to_rgb(cmyk):
    return np.asarray(Image.fromarray(cmyk, "CMYK").convert("RGB"))


def agrees(data, stored):
    """Pillow, where it reads the file, must read what we say was stored."""
    try:
        got, _, mode = read(data)
    except (OSError, SyntaxError, ValueError):
        return
    if mode.startswith("I;16"):
        got = got.clip(0, 255).astype(np.uint8)  # what its convert("L") does
    if mode == "RGBX":
        got = got[..., :3]
    assert got.shape == stored.shape and (got == stored).all(), "Pillow reads something else"


def known(name, made, stored, rgb, mode, *rest):
    data = made if isinstance(made, bytes) else tiff([made])
    if mode in ("RGB", "RGBA", "L", "CMYK", "P") and stored.dtype == np.uint8:
        agrees(data, stored)
    expect(name, data, stored, rgb, mode, *rest)


def tiff_layouts():
    for code, name in ((1, "none"), (8, "deflate"), (32773, "packbits")):
        known(f"rgb_{name}.tif", page(RGB, 2, compress=code, rows=4), RGB, RGB, "RGB")
    known("rgb_planar.tif", page(RGB, 2, planar=True, compress=8, rows=4), RGB, RGB, "RGB")
    known("rgb_tiles.tif", page(RGB, 2, tile=16, compress=8), RGB, RGB, "RGB")
    known("rgb_planar_tiles.tif", page(RGB, 2, tile=16, planar=True, compress=8), RGB, RGB, "RGB")
    known("rgb_big_endian.tif", tiff([page(RGB, 2, end=">")], ">"), RGB, RGB, "RGB")
    known("rgb_bigtiff.tif", tiff([page(RGB, 2)], big=True), RGB, RGB, "RGB")
    image = scene(19, 11)
    pillow("rgb_lzw.tif", saved(image, "TIFF", compression="tiff_lzw"))
    pillow("rgb_jpeg.tif", saved(image, "TIFF", compression="jpeg", quality=80))
    pillow("ycbcr_plain.tif", saved(image.convert("YCbCr"), "TIFF", compression="tiff_lzw"))
    pillow("bilevel_g4.tif", saved(image.convert("1"), "TIFF", compression="group4"),
           remark="-")
    for turn in range(2, 9):
        pillow(f"turned_{turn}.tif", tiff([page(RGB, 2, compress=8, more={
            274: (SHORT, [turn])})]), turn=turn)
    deep = page(GREY.astype(np.uint16), 1, 16, more={274: (SHORT, [6])})
    known("turned_deep.tif", deep, np.rot90(GREY, 3), repeat(np.rot90(GREY, 3)), "L",
          "unsupported_pixels", "16 bits to 8", 6)
    known("icc_p3.tif", page(RGB, 2, compress=8, more={34675: (UNDEFINED, list(ICC_P3))}), RGB,
          RGB, "RGB", "ok", "colour profile ignored", 1, "converted")


def tiff_grey():
    known("grey.tif", page(GREY, 1), GREY, repeat(GREY), "L")
    known("grey_white_0.tif", page(GREY, 0), 255 - GREY, repeat(255 - GREY), "L")
    for bits in (2, 4):
        few = GREY >> (8 - bits)
        full = few * (255 // ((1 << bits) - 1))
        known(f"grey_{bits}.tif", page(few, 1, bits), full, repeat(full), "L")
    few = GREY >> 6
    known("grey_2_tiles.tif", page(few, 1, 2, tile=16), few * 85, repeat(few * 85), "L")
    one = GREY >> 7
    known("bilevel.tif", page(one, 1, 1), one * 255, repeat(one * 255), "1")
    known("bilevel_white_0.tif", page(one, 0, 1), 255 - one * 255, repeat(255 - one * 255), "1")
    deep = GREY.astype(np.uint16) * 3
    clipped = np.minimum(deep, 255).astype(np.uint8)
    for end in "<>":
        known(f"grey_16_{'little' if end == '<' else 'big'}.tif",
              tiff([page(deep, 1, 16, end=end)], end), clipped, repeat(clipped), "L",
              "unsupported_pixels", "16 bits to 8")
    pair = np.dstack([GREY, ALPHA])
    pillow_16 = tiff([page(deep * 80, 0, 16)])  # Pillow does not turn 16 bits round
    white = (deep * 80).clip(0, 255).astype(np.uint8)
    known("grey_16_white_0.tif", pillow_16, white, repeat(white), "L", "unsupported_pixels",
          "16 bits to 8: above 255 is white")
    known("grey_alpha.tif", page(pair, 1, extra=[2]), pair, repeat(GREY), "LA",
          "unsupported_pixels")
    known("grey_unknown.tif", page(pair, 1, extra=[0]), GREY, repeat(GREY), "L",
          "unsupported_pixels")


def tiff_colours():
    rgba = np.dstack([RGB, ALPHA])
    known("rgba.tif", page(rgba, 2, extra=[2]), rgba, RGB, "RGBA", "unsupported_pixels")
    known("rgba_planar.tif", page(rgba, 2, extra=[2], planar=True), rgba, RGB, "RGBA",
          "unsupported_pixels")
    opaque = np.dstack([RGB, np.full_like(ALPHA, 255)])
    known("rgba_opaque.tif", page(opaque, 2, extra=[2], compress=8), opaque, RGB, "RGBA")
    pillow("rgba_associated.tif", tiff([page(np.dstack([RGB // 2, ALPHA]), 2, extra=[1])]),
           "unsupported_pixels")
    steep = np.dstack([WIDE // 3 * 2, ALPHA.astype(np.uint16) * 257 + 40])
    pillow("rgba_16_associated.tif", tiff([page(steep, 2, 16, extra=[1])]), "unsupported_pixels",
           remark="16 bits to 8: high byte")
    known("rgb_unknown.tif", page(rgba, 2, extra=[0]), RGB, RGB, "RGB", "unsupported_pixels")
    high = (WIDE >> 8).astype(np.uint8)
    for planar in (False, True):
        data = tiff([page(WIDE, 2, 16, planar=planar)])
        if not planar:
            agrees(data, high)  # Pillow 9.4 takes planes of 16 bits for such of 8
        expect(f"rgb_16{'_planar' if planar else ''}.tif", data, high, high, "RGB",
               "unsupported_pixels", "16 bits to 8: high byte")
    cmyk = np.dstack([RGB, GREY // 2])
    known("cmyk.tif", page(cmyk, 5, compress=8), cmyk, cmyk_to_rgb(cmyk), "CMYK",
          "unsupported_pixels")
    for bits in (1, 2, 4, 8):
        index = GREY >> (8 - bits)
        n = 1 << bits
        table = np.stack([np.linspace(60000, 300, n), np.linspace(0, 65535, n),
                          np.linspace(20000, 21000, n)]).astype(np.uint16)
        rgb = (table.T >> 8).astype(np.uint8)[index]
        known(f"palette_{bits}.tif",
              page(index, 3, bits, more={320: (SHORT, table.ravel().tolist())}), index, rgb, "P")
    narrow = np.arange(768) % 256  # of a writer that left the high byte empty
    known("palette_narrow.tif", page(GREY, 3, more={320: (SHORT, narrow.tolist())}), GREY,
          repeat(GREY), "P")


def tiff_pages():
    other = page(RGB[::-1], 2, compress=8)
    small = page(RGB[:4, :4], 2, more={254: (LONG, [1])})
    known("two_pages.tif", tiff([page(RGB, 2, compress=8), other]), RGB, RGB, "RGB",
          "unsupported_pixels", "first of 2 pages")
    known("page_and_preview.tif", tiff([page(RGB, 2, compress=8), small]), RGB, RGB, "RGB")
    loop = bytearray(tiff([page(RGB, 2, compress=8)]))
    loop[-4:] = loop[4:8]
    known("loop_of_pages.tif", bytes(loop), RGB, RGB, "RGB", "unsupported_pixels",
          "a list of pages that leads into itself")


def tiff_bad():
    refused("float.tif", tiff([page(WIDE[..., 0], 1, 16, more={339: (SHORT, [3])})]),
            "unsupported_pixels")
    refused("signed.tif", tiff([page(GREY, 1, more={339: (SHORT, [2])})]), "unsupported_pixels")
    refused("lab.tif", tiff([page(RGB, 8)]), "unsupported_pixels")
    refused("mask.tif", tiff([page(GREY >> 7, 4, 1)]), "unsupported_pixels")
    refused("two_inks.tif", tiff([page(np.dstack([RGB, GREY]), 5, more={332: (SHORT, [2])})]),
            "unsupported_pixels")
    refused("old_jpeg.tif", tiff([page(RGB, 6, more={259: (SHORT, [6])})]), "unsupported_pixels")
    refused("unknown_compression.tif", tiff([page(RGB, 2, more={259: (SHORT, [4711])})]),
            "unsupported_pixels")
    refused("bits_12.tif", tiff([page(GREY, 1, more={258: (SHORT, [12])})]), "unsupported_pixels")
    refused("raw_preview.tif", tiff([page(RGB, 2, more={254: (LONG, [1]), 330: (LONG, [8])})]),
            "unsupported_pixels")
    refused("dng.tif", tiff([page(RGB, 2, more={50706: (1, [1, 4, 0, 0])})]),
            "unsupported_pixels")
    size = {256: (LONG, [60000]), 257: (LONG, [60000])}
    refused("huge.tif", tiff([page(RGB, 2, compress=8, more=size)]), "decode")
    refused("huge_tile.tif", tiff([page(RGB, 2, tile=16, compress=8, more={
        322: (LONG, [1 << 20]), 323: (LONG, [1 << 20])})]), "decode")
    refused("no_size.tif", tiff([page(RGB, 2, more={256: (LONG, [0])})]), "decode")
    refused("no_colours.tif", tiff([page(GREY, 3)]), "decode")
    refused("too_few_channels.tif", tiff([page(np.dstack([GREY, GREY]), 2)]), "decode")
    tags, pieces, tiled = page(RGB, 2)
    data = bytearray(tiff([(tags, pieces, tiled)]))
    at = data.index(struct.pack("<HHII", 273, LONG, 1, 8))
    struct.pack_into("<I", data, at + 8, len(data) - 9)
    refused("strip_outside.tif", bytes(data), "decode")
    whole = tiff([page(RGB, 2, compress=8)])
    refused("truncated.tif", whole[:len(whole) - 20], "decode")
    refused("only_header.tif", whole[:8], "decode")
    damaged = bytearray(whole)
    damaged[40] ^= 0xff
    refused("damaged_deflate.tif", bytes(damaged), "decode")


# ---- HEIC and AVIF -----------------------------------------------------------------------------

def mean_colour(image):
    return ",".join(f"{v:.2f}" for v in np.asarray(image.convert("RGB")).reshape(-1, 3).mean(0))


class Encoder:
    """heif-enc and avifenc on pictures of a scratch folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, program, image, *options, name="picture.heic", more=()):
        source = os.path.join(self.folder, "in.png")
        out = os.path.join(self.folder, name)
        image.save(source) if isinstance(image, Image.Image) else open(source, "wb").write(image)
        last = ["-o", out, source, *more] if program == "heif-enc" else [source, out]
        subprocess.run([program, *options, *last], check=True, capture_output=True)
        with open(out, "rb") as f:
            return f.read()

    def heic(self, image, *options, more=()):
        return self.run("heif-enc", image, "-p", "x265:no-info=1", *options, more=more)

    def avif(self, image, *options):
        return self.run("avifenc", image, "--ignore-exif", *options, name="picture.avif")


def png_16(array):
    """A 16-bit RGB PNG, which Pillow does not write."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    height, width, _ = array.shape
    lines = b"".join(b"\0" + row.astype(">u2").tobytes() for row in array)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2,
                                                              0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def lossy(name, data, image, *known):
    """What comes back is near: only its mean colour is known. known: reason, remark, mode, icc."""
    reason, remark, mode, icc = known + ("ok", "-", "RGB", "none")[len(known):]
    put(name, data)
    rows.append((name, reason, mode, image.width, image.height, mean_colour(image), "-", remark, 1,
                 icc, mean_colour(image) if reason == "ok" else "-"))


def heifs(folder):
    make = Encoder(folder)
    flat = Image.fromarray((np.asarray(scene(16, 16)) // 8 * 8).astype(np.uint8))
    exact, rgb = ("-l", "-s", "8"), np.asarray(flat)
    clear = flat.copy()
    clear.putalpha(Image.fromarray(rgb[..., 0] // 2 + 100))
    expect("lossless.avif", make.avif(flat, *exact), rgb, rgb, "RGB")
    rgba = np.asarray(clear)
    expect("alpha.avif", make.avif(clear, *exact), rgba, rgb, "RGBA", "unsupported_pixels")
    deep = rgb.astype(np.uint16) * 257
    for bits in (10, 12):
        high = ((deep >> (16 - bits)) >> (bits - 8)).astype(np.uint8)
        expect(f"deep_{bits}.avif", make.avif(png_16(deep), *exact, "-d", str(bits)), high, high,
               "RGB", "unsupported_pixels", f"{bits} bits to 8: high byte")
    grey = Image.fromarray(rgb[..., 1])
    lossy("grey.avif", make.avif(grey, *exact), grey)
    lossy("p3.avif", make.avif(flat, "--cicp", "12/13/0", "-s", "8"), flat, "unsupported_pixels")
    lossy("pq.avif", make.avif(flat, "--cicp", "1/16/0", "-s", "8"), flat, "unsupported_pixels")
    turned = Image.fromarray(np.asarray(flat)[:8])
    lossy("turned.avif", make.avif(turned, *exact, "--irot", "1"), turned.transpose(2),
          "ok", "turned upright by HEIF")
    whole = make.avif(flat, *exact)
    refused("truncated.avif", whole[:-10], "decode")
    lossy("lossy.heic", make.heic(flat, "-q", "80"), flat)
    lossy("alpha.heic", make.heic(clear, "-q", "90"), clear, "unsupported_pixels", "-",
          "RGBA")
    lossy("icc.heic", make.heic(saved(flat, "PNG", icc_profile=ICC_SRGB), "-q", "80"), flat,
          "ok", "colour profile ignored", "RGB", "srgb")
    lossy("two.heic", make.heic(flat, "-q", "80", more=[os.path.join(folder, "in.png")]), flat,
          "unsupported_pixels", "first of 2 pictures")
    whole = make.heic(flat, "-q", "80")
    refused("truncated.heic", whole[:-10], "decode")
    refused("no_boxes.heic", whole[:struct.unpack_from(">I", whole)[0]], "unsupported_pixels")
    at = whole.index(b"ispe") + 8
    refused("huge.heic", whole[:at] + struct.pack(">II", 60000, 60000) + whole[at + 8:], "decode")


# ---- all ---------------------------------------------------------------------------------------

SEEDS = {
    "image_jpeg": ["rgb_17x1_sub2", "progressive", "grey", "exif_6", "icc_p3", "icc_grey",
                   "icc_damaged", "cmyk", "truncated"],
    "image_png": ["rgb", "interlaced_small", "one_bit", "palette_2", "palette_transparent",
                  "rgba_one_pixel", "grey_alpha_opaque", "sixteen_bits", "exif_6", "icc_p3",
                  "gamma_linear", "animated"],
    "image_webp": ["lossy", "lossless", "one_pixel", "lossy_alpha", "lossless_alpha", "exif_6",
                   "icc_p3", "animated", "part_of_canvas", "truncated"],
    "image_tiff": ["rgb_none", "rgb_deflate", "rgb_packbits", "rgb_planar", "rgb_tiles",
                   "rgb_big_endian", "rgb_bigtiff", "rgb_lzw", "rgb_jpeg", "ycbcr_plain",
                   "bilevel_g4", "turned_6", "icc_p3", "grey_white_0", "grey_2_tiles", "bilevel",
                   "grey_16_big", "grey_alpha", "rgba_associated", "rgb_16_planar", "cmyk",
                   "palette_4", "two_pages", "float", "lab", "huge", "truncated"],
    "image_heif": ["lossless", "alpha", "deep_10", "grey", "p3", "turned", "lossy", "two", "icc",
                   "truncated", "huge"],
}


def corpus():
    """A seed is a byte that chooses policy and alpha (see fuzz_image.h), then the file."""
    targets = {"jpg": "image_jpeg", "png": "image_png", "webp": "image_webp", "tif": "image_tiff",
               "heic": "image_heif", "avif": "image_heif"}
    for source in (FOLDER, os.path.join(HERE, "image_files")):
        for k, name in enumerate(sorted(os.listdir(source))):
            stem, kind = name.rsplit(".", 1)
            target = targets.get(kind)
            if stem not in SEEDS.get(target, ()) or (kind in ("jpg", "png")) == (source == FOLDER):
                continue
            folder = os.path.join(HERE, "..", "fuzz", "corpus", target)
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(source, name), "rb") as f:
                data = f.read()
            with open(os.path.join(folder, "seed_" + name.replace(".", "_")), "wb") as f:
                f.write(bytes((k % 9,)) + data)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))
    webps()
    tiff_layouts()
    tiff_grey()
    tiff_colours()
    tiff_pages()
    tiff_bad()
    with tempfile.TemporaryDirectory() as folder:
        heifs(folder)
    corpus()
    with open(os.path.join(HERE, "format_files.tsv"), "w", encoding="utf-8") as f:
        f.write("file\tstrict\tmode\twidth\theight\tpublished\trgb\tremark\torientation\ticc\t"
                "upright\n")
        for row in rows:
            f.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
