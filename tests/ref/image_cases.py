"""The files that image_policies.py decodes: every kind of PNG and JPEG, made from samples that are
known beforehand, or with another program's libjpeg.

A Case holds the file, and the samples before any policy: `mode` (as Pillow names them), `samples`
[height][width][channels] of 0 .. maximum, `palette` [256][4], `icc`, `icc_state` (what is made of
the profile: converted, unreadable), `orientation`, `frames`, `doubt`. `refused`: the reason under
every policy; `never`: why it is refused but under published. `unseen` is published's remark on it,
`remark` everybody's. `numbers`: canonical converts by numbers, to bytes that are known nearly only
(tests/unit/test_image_cicp.c).
"""
import dataclasses
import io
import os
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image

import image_files as made


@dataclasses.dataclass
class Case:
    name: str
    data: bytes
    mode: str = "RGB"
    samples: np.ndarray = None
    maximum: int = 255
    palette: np.ndarray = None
    icc: bytes = None
    icc_state: str = "none"
    orientation: int = 1
    frames: int = 1
    doubt: str = None
    refused: str = None
    never: str = None
    unseen: str = None
    remark: str = None
    numbers: bool = False
    in_note: str = ""


# ---- PNG ------------------------------------------------------------------------------------

def packed_rows(samples, depth):
    out = b""
    for row in samples.reshape(samples.shape[0], -1):
        if depth == 16:
            line = row.astype(">u2").tobytes()
        elif depth == 8:
            line = row.astype(np.uint8).tobytes()
        else:
            bits = ((row[:, None] >> np.arange(depth)[::-1]) & 1).astype(np.uint8)
            line = np.packbits(bits.ravel()).tobytes()
        out += b"\0" + line
    return out


ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
         (1, 0, 2, 1))


def png(samples, depth, colour_type, chunks=(), interlaced=False):
    height, width = samples.shape[:2]
    if interlaced:
        parts = [samples[y0::dy, x0::dx] for y0, x0, dy, dx in ADAM7]
        rows = b"".join(packed_rows(part, depth) for part in parts if part.size)
    else:
        rows = packed_rows(samples, depth)
    head = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    out = b"\x89PNG\r\n\x1a\n" + made.chunk(b"IHDR", head)
    for kind, data in chunks:
        out += made.chunk(kind, data)
    return out + made.chunk(b"IDAT", zlib.compress(rows)) + made.chunk(b"IEND", b"")


def pattern(height, width, channels, top):
    """Slopes through the whole range, with both ends of it."""
    y, x, k = np.mgrid[0:height, 0:width, 0:channels]
    v = (x * (37 + 11 * k) + y * (101 - 17 * k) + 29 * k) * (top // 97 + 1) % (top + 1)
    v[0, 0], v[-1, -1] = 0, top
    return v.astype(np.int64)


TYPES = {"L": (0, 1), "RGB": (2, 3), "P": (3, 1), "LA": (4, 2), "RGBA": (6, 4)}


def icc_chunk(profile):
    return (b"iCCP", b"test\0\0" + zlib.compress(profile))


def png_case(name, mode, depth, chunks=(), interlaced=False, samples=None, **more):
    colour_type, channels = TYPES[mode]
    top = (1 << depth) - 1
    if samples is None:
        samples = pattern(13, 19, channels, top)
    data = png(samples, depth, colour_type, chunks, interlaced)
    kept = "1" if mode == "L" and depth == 1 else mode
    if kept == "1":
        samples, top = samples * 255, 255
    if mode == "P":
        top = 255
    return Case(name + ".png", data, kept, samples, top, **more)


def keyed(case, key):
    """Canonical decoding makes alpha of the colour key."""
    equal = (case.samples == np.array(key)).all(-1, keepdims=True)
    case.samples = np.concatenate([case.samples, np.where(equal, 0, case.maximum)], -1)
    case.mode = {"1": "LA", "L": "LA", "RGB": "RGBA"}[case.mode]
    return case


def palette_of(entries, alpha=b""):
    colours = (np.arange(256)[:, None] * np.array([7, 13, 29]) + np.array([10, 60, 200])) % 256
    colours[entries:] = np.arange(entries, 256)[:, None]
    out = np.concatenate([colours, np.full((256, 1), 255)], -1)
    out[:len(alpha), 3] = list(alpha)
    return out.astype(np.uint8), colours[:entries].astype(np.uint8).tobytes()


def png_plain():
    for interlaced in (False, True):
        tail = "_interlaced" if interlaced else ""
        for mode, depths in (("L", (1, 2, 4, 8, 16)), ("RGB", (8, 16)), ("LA", (8, 16)),
                             ("RGBA", (8, 16))):
            for depth in depths:
                yield png_case(f"{mode}_{depth}{tail}", mode, depth, interlaced=interlaced)
        for depth in (1, 2, 4, 8):
            palette, plte = palette_of(1 << depth)
            yield png_case(f"P_{depth}{tail}", "P", depth, [(b"PLTE", plte)], interlaced,
                           palette=palette)
            alpha = bytes(k * 91 % 256 for k in range((1 << depth) // 2 + 1))
            palette, plte = palette_of(1 << depth, alpha)
            yield png_case(f"P_{depth}_alpha{tail}", "P", depth,
                           [(b"PLTE", plte), (b"tRNS", alpha)], interlaced, palette=palette)
        for mode, depth, key in (("L", 1, (1,)), ("L", 2, (2,)), ("L", 4, (9,)), ("L", 8, (0,)),
                                 ("L", 16, (65535,)), ("RGB", 8, (255, 255, 255)),
                                 ("RGB", 16, (0, 0, 0))):
            case = png_case(f"{mode}_{depth}_key{tail}", mode, depth,
                            [(b"tRNS", struct.pack(f">{len(key)}H", *key))], interlaced)
            yield keyed(case, [255 * k if case.mode == "1" else k for k in key])


def png_special():
    opaque = pattern(9, 11, 4, 255)
    opaque[..., 3] = 255
    yield png_case("RGBA_opaque", "RGBA", 8, samples=opaque)
    one = opaque.copy()
    one[4, 5, 3] = 254
    yield png_case("RGBA_one", "RGBA", 8, samples=one)
    for width, height in ((1, 1), (2, 1), (1, 3), (5, 1)):
        for mode in ("RGBA", "LA", "L"):
            yield png_case(f"{mode}_{width}x{height}", mode, 8,
                           samples=pattern(height, width, TYPES[mode][1], 255))
    palette, plte = palette_of(4)
    for width, height in ((1, 1), (3, 2), (5, 9), (9, 5), (8, 8)):
        yield png_case(f"P_2_{width}x{height}_interlaced", "P", 2, [(b"PLTE", plte)], True,
                       pattern(height, width, 1, 3), palette=palette)
    ramp = np.arange(65536).reshape(256, 256, 1)
    yield png_case("L_16_all", "L", 16, samples=ramp)
    palette, plte = palette_of(9)
    yield png_case("P_8_short", "P", 8, [(b"PLTE", plte)], palette=palette,
                   doubt="pixels of colours that the palette lacks")
    palette, plte = palette_of(6)
    yield png_case("P_4_short", "P", 4, [(b"PLTE", plte)], palette=palette,
                   doubt="pixels of colours that the palette lacks")
    palette, plte = palette_of(200)
    yield png_case("P_8_enough", "P", 8, [(b"PLTE", plte)], palette=palette,
                   samples=pattern(7, 8, 1, 199))
    yield png_case("RGBA_exif", "RGBA", 8, [(b"eXIf", made.exif(6)[6:])], orientation=6)
    base = pattern(10, 12, 4, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(base).save(out, "PNG", save_all=True, default_image=False,
                               append_images=[Image.fromarray(base[::-1].copy()),
                                             Image.fromarray(base[:, ::-1].copy())])
    yield Case("RGBA_animated.png", out.getvalue(), "RGBA", base.astype(np.int64), frames=3)
    huge = struct.pack(">IIBBBBB", 50000, 50000, 8, 6, 0, 0, 0)
    bomb = made.chunk(b"IHDR", huge) + made.chunk(b"IDAT", zlib.compress(b"\0" * 2000000))
    yield Case("huge.png", b"\x89PNG\r\n\x1a\n" + bomb + made.chunk(b"IEND", b""),
               refused="decode", in_note="limit")


HDR = "a PNG of high dynamic range ({} by its cICP chunk): save it as an 8-bit sRGB PNG or JPEG"


def png_numbers():
    """gAMA, cHRM, cICP."""
    gamma = (b"gAMA", struct.pack(">I", 100000))
    own = "a PNG with its own gamma (gAMA 1.00000) and no profile"
    said = "own gamma (gAMA 1.00000) ignored"
    yield png_case("RGB_gamma", "RGB", 8, [gamma], doubt=own, unseen=said)
    damaged = made.ICC_P3[:130]
    for mode, profile in (("RGB", damaged), ("RGB", made.ICC_GREY), ("L", damaged)):
        yield png_case(f"{mode}_gamma_{len(profile)}", mode, 8, [gamma, icc_chunk(profile)],
                       icc=profile, icc_state="unreadable", unseen=said,
                       doubt=own.replace("no profile", "no usable profile"))
    yield png_case("RGB_gamma_p3", "RGB", 8, [gamma, icc_chunk(made.ICC_P3)], icc=made.ICC_P3,
                   icc_state="converted")
    chrm = (b"cHRM", struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000))
    like = (b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000))
    yield png_case("RGB_chrm", "RGB", 8, [chrm], remark="own primaries (cHRM) ignored")
    yield png_case("RGB_chrm_srgb", "RGB", 8, [chrm, (b"sRGB", b"\0")])
    yield png_case("RGB_chrm_like", "RGB", 8, [like])
    yield png_case("RGB_cicp_srgb", "RGB", 8, [(b"cICP", bytes((1, 13, 0, 1)))])
    for mode, depth, curve, word in (("LA", 16, 16, "PQ"), ("RGB", 8, 16, "PQ"),
                                     ("RGB", 16, 18, "HLG")):
        yield png_case(f"{mode}_{depth}_{word.lower()}", mode, depth,
                       [(b"cICP", bytes((9, curve, 0, 1)))], never=HDR.format(word),
                       unseen=f"cICP (9, {curve}) ignored")
    yield png_case("RGB_narrow", "RGB", 8, [(b"cICP", bytes((1, 13, 0, 0)))],
                   never="a PNG of narrow range by its cICP chunk: save it with full range",
                   unseen="cICP (1, 13) ignored")
    corners = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128], [255, 255, 255],
                        [180, 120, 90], [90, 140, 120], [200, 200, 40]])[None]
    for name, primaries, curve in (("bt2020", 9, 14), ("display_p3", 12, 13), ("linear", 1, 8)):
        yield png_case(f"RGB_{name}", "RGB", 8, [(b"cICP", bytes((primaries, curve, 0, 1)))],
                       samples=corners, numbers=True, unseen=f"cICP ({primaries}, {curve}) ignored",
                       doubt="a PNG in another colour space by its cICP chunk "
                             f"({primaries}, {curve})")
    yield png_case("RGB_cicp_unknown", "RGB", 8, [(b"cICP", bytes((9, 99, 0, 1)))],
                   unseen="cICP (9, 99) ignored",
                   doubt="a PNG in another colour space by its cICP chunk (9, 99)")


def png_chunks():
    """What stands beside the picture is too much, damaged or unknown."""
    good = pattern(3, 4, 3, 255)
    text = (b"tEXt", b"a\0b")
    broken = bytearray(png(good, 8, 2, [text]))
    broken[broken.index(b"tEXt") + 8] ^= 1
    yield Case("text_crc.png", bytes(broken), refused="decode", in_note="checksum")
    yield Case("ztxt_bomb.png", png(good, 8, 2, [(b"zTXt", b"a\0\0" + zlib.compress(
        b"x" * (40 << 20), 9))]), refused="decode", in_note="above the limit")
    yield Case("many_texts.png", png(good, 8, 2, [text] * 5000), refused="decode",
               in_note="above the limit")
    yield Case("critical.png", png(good, 8, 2, [(b"ABCD", b"")]), refused="unsupported_pixels",
               in_note="nobody knows")
    yield Case("cicp_short.png", png(good, 8, 2, [(b"cICP", b"\1\15")]), refused="decode",
               in_note="cICP")


def png_profiles():
    p3, grey = icc_chunk(made.ICC_P3), icc_chunk(made.ICC_GREY)
    for mode, depth in (("RGB", 8), ("RGB", 16), ("RGBA", 8), ("RGBA", 16)):
        yield png_case(f"{mode}_{depth}_p3", mode, depth, [p3], icc=made.ICC_P3,
                       icc_state="converted")
    for mode, depth in (("L", 1), ("L", 4), ("L", 8), ("L", 16), ("LA", 8), ("LA", 16)):
        yield png_case(f"{mode}_{depth}_icc", mode, depth, [grey], icc=made.ICC_GREY,
                       icc_state="converted")
    pq = made.profile(b"RGB ", {**made.WIDE, "cicp": b"cicp\0\0\0\0" + bytes((9, 16, 0, 1)),
                                **{c + "TRC": made.gamma_curve(2.2) for c in "rgb"}})
    yield png_case("RGB_8_icc_pq", "RGB", 8, [icc_chunk(pq)], icc=pq, icc_state="converted",
                   never="a picture of high dynamic range by its profile: "
                         "save it as an 8-bit sRGB PNG or JPEG")
    yield png_case("LA_8_p3", "LA", 8, [p3], icc=made.ICC_P3, icc_state="converted")
    alpha = bytes(range(0, 240, 16))
    palette, plte = palette_of(16, alpha)
    yield png_case("P_4_alpha_p3", "P", 4, [p3, (b"PLTE", plte), (b"tRNS", alpha)],
                   palette=palette, icc=made.ICC_P3, icc_state="converted")
    yield png_case("RGBA_8_mismatch", "RGBA", 8, [grey], icc=made.ICC_GREY,
                   icc_state="unreadable")
    yield png_case("LA_16_damaged", "LA", 16, [icc_chunk(made.ICC_GREY[:130])],
                   icc=made.ICC_GREY[:130], icc_state="unreadable")
    everything = [(b"eXIf", made.exif(8)[6:]), grey]
    yield png_case("RGBA_16_much", "RGBA", 16, everything, icc=made.ICC_GREY, orientation=8,
                   icc_state="unreadable")


# ---- JPEG -----------------------------------------------------------------------------------

def cmyk_profile():
    """An output profile of 3^4 points: inks a little less pure than the formula has them."""
    steps = np.array([0, 0.5, 1.0])
    c, m, y, k = np.meshgrid(steps, steps, steps, steps, indexing="ij")
    light = 1 - 0.95 * k
    rgb = np.stack([(1 - 0.9 * c) * (1 - 0.1 * m), (1 - 0.8 * m) * (1 - 0.15 * c),
                    (1 - 0.85 * y) * (1 - 0.1 * m)], -1) * light[..., None]
    matrix = np.array([[0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606],
                       [0.0139, 0.0971, 0.7142]]) / np.array([[0.9642], [1], [0.8249]])
    f = np.cbrt(rgb ** 2.2 @ matrix.T)
    lab = np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                    200 * (f[..., 1] - f[..., 2])], -1)
    table = np.stack([lab[..., 0] * 2.55, lab[..., 1] + 128, lab[..., 2] + 128], -1)
    identity = b"".join(made.s15(v) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    ramp = bytes(range(256))
    lut = (b"mft1\0\0\0\0" + bytes((4, 3, 3, 0)) + identity + ramp * 4
           + np.rint(table).clip(0, 255).astype(np.uint8).tobytes() + ramp * 3)
    whole = made.profile(b"CMYK", {"A2B0": lut})
    return whole[:12] + b"prtr" + whole[16:20] + b"Lab " + whole[24:]


def with_icc(jpeg, profile):
    body = b"ICC_PROFILE\0\1\1" + profile
    return jpeg[:2] + b"\xff\xe2" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


JPEGS = [  # name, space, size, words
    ("ycc_411", "ycc", (37, 21), "h4"), ("ycc_440", "ycc", (37, 21), "v2"),
    ("ycc_420", "ycc", (35, 19), "h2 v2"), ("ycc_422", "ycc", (35, 19), "h2"),
    ("ycc_410", "ycc", (50, 33), "h4 v2"), ("ycc_tiny", "ycc", (1, 1), "h2 v2"),
    ("ycc_narrow", "ycc", (3, 41), "h4"), ("grey", "grey", (23, 17), ""),
    ("rgb", "rgb", (23, 17), ""), ("restart", "ycc", (61, 43), "h2 v2 r3"),
    ("restart_progressive", "ycc", (61, 43), "h2 r2 progressive"),
    ("progressive", "ycc", (61, 43), "h2 v2 progressive"),
    ("grey_progressive", "grey", (30, 30), "progressive r1"),
    ("cmyk", "cmyk", (29, 15), ""), ("cmyk_bare", "cmyk", (29, 15), "bare"),
    ("cmyk_sampled", "cmyk", (29, 15), "h2 v2"), ("ycck", "ycck", (29, 15), ""),
    ("ycck_sampled", "ycck", (29, 15), "h2 v2 progressive"),
]


def make_jpeg(maker, folder, space, size, words):
    path = os.path.join(folder, "made")
    subprocess.run([maker, path, space, str(size[0]), str(size[1]), *words.split()], check=True)
    with open(path, "rb") as f:
        data = f.read()
    os.remove(path)
    return data


def jpeg_case(name, data, bare=False, **more):
    image = Image.open(io.BytesIO(data))
    samples = np.atleast_3d(np.asarray(image)).astype(np.int64)
    if bare:  # Pillow takes all CMYK as inverted
        samples = 255 - samples
    return Case(name + ".jpg", data, image.mode, samples, **more)


def jpegs(maker, folder):
    for name, space, size, words in JPEGS:
        yield jpeg_case(name, make_jpeg(maker, folder, space, size, words), "bare" in words)
    plain = make_jpeg(maker, folder, "ycc", (40, 30), "h2 v2")
    cmyk = make_jpeg(maker, folder, "cmyk", (40, 30), "")
    ycck = make_jpeg(maker, folder, "ycck", (40, 30), "h2")
    profile = cmyk_profile()
    for name, data in (("cmyk_icc", cmyk), ("ycck_icc", ycck)):
        yield jpeg_case(name, with_icc(data, profile), icc=profile, icc_state="converted")
    yield jpeg_case("cmyk_damaged", with_icc(cmyk, profile[:300]), icc=profile[:300],
                    icc_state="unreadable")
    yield jpeg_case("cmyk_mismatch", with_icc(cmyk, made.ICC_P3), icc=made.ICC_P3,
                    icc_state="unreadable")
    yield jpeg_case("ycc_mismatch", with_icc(plain, profile), icc=profile,
                    icc_state="unreadable")
    yield jpeg_case("ycc_p3", with_icc(plain, made.ICC_P3), icc=made.ICC_P3,
                    icc_state="converted")
    arithmetic = make_jpeg(maker, folder, "ycc", (40, 30), "arithmetic")
    yield Case("arithmetic.jpg", arithmetic, refused="unsupported_pixels", in_note="arithmetic")
    at = plain.index(b"\xff\xc0")
    yield Case("twelve_bits.jpg", plain[:at + 4] + b"\x0c" + plain[at + 5:],
               refused="unsupported_pixels", in_note="precision")
    for name, data in (("ycc", plain), ("cmyk", cmyk)):
        for part in (50, 75, 99):
            yield Case(f"{name}_cut_{part}.jpg", data[:len(data) * part // 100],
                       "CMYK" if name == "cmyk" else "RGB", refused="decode")
    broken = bytearray(make_jpeg(maker, folder, "ycc", (61, 43), "r3"))
    at = broken.index(b"\xff\xd3")
    broken[at + 1] = 0xd6  # restart markers out of order
    yield Case("restart_wrong.jpg", bytes(broken), refused="decode")


def all_cases(maker, folder):
    yield from png_plain()
    yield from png_special()
    yield from png_numbers()
    yield from png_chunks()
    yield from png_profiles()
    yield from jpegs(maker, folder)
