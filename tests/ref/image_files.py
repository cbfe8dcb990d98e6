#!/usr/bin/env python3
"""Write tests/ref/image_files/: small files, good and bad, the table
tests/ref/image_files.tsv of what a decoder must make of them, and the seeds of the fuzz targets
in tests/fuzz/corpus/image_*.

The bytes expected are Pillow's: decode, convert from the embedded profile (relative
colorimetric, black point compensation), turn by EXIF, RGB. Columns: file, reason (or ok),
width, height, orientation, icc, SHA-256 of the RGB bytes. Needs Pillow with LittleCMS.
"""
import hashlib
import io
import os
import struct
import zlib

import numpy as np
from PIL import Image, ImageCms, ImageOps, PngImagePlugin

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "image_files")
rows = []


def scene(width, height):
    """Smooth colours with some texture, without a random generator."""
    y, x = np.mgrid[0:height, 0:width]
    rgb = np.stack([120 + 100 * np.sin(x / 5 + y / 9), 110 + 90 * np.cos(y / 6 - x / 11),
                    100 + 80 * np.sin((x + 2 * y) / 7)], -1)
    return Image.fromarray((rgb + (7 * x + 5 * y)[..., None] % 16).clip(0, 255).astype(np.uint8))


# ---- ICC profiles by hand -------------------------------------------------------------------

def s15(v):
    return struct.pack(">i", round(v * 65536))


def xyz(values):
    return b"XYZ \0\0\0\0" + b"".join(s15(v) for v in values)


def gamma_curve(g):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(g * 256)) + b"\0\0"


def profile(space, tags, padding=0):
    tags = dict(tags, desc=b"desc\0\0\0\0" + struct.pack(">I", 5) + b"test\0" + b"\0" * 78,
                cprt=b"text\0\0\0\0CC0\0", wtpt=xyz((0.9642, 1.0, 0.8249)))
    if padding:
        tags["priv"] = b"data\0\0\0\0\0\0\0\1" + bytes(i * 37 % 251 for i in range(padding))
    at, table, body = 132 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        data += b"\0" * (-len(data) % 4)
        table += name.encode() + struct.pack(">II", at + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s12s4s", at + len(body), b"lcms", 0x02100000, b"mntr", space,
                       b"XYZ ", struct.pack(">6H", 2024, 1, 1, 0, 0, 0), b"acsp")
    head += b"\0" * 24 + struct.pack(">I", 0) + s15(0.9642) + s15(1.0) + s15(0.8249)
    head += b"\0" * (128 - len(head))
    return head + struct.pack(">I", len(tags)) + table + body


# Primaries of Display P3 and of a wide space, adapted to D50.
P3 = {"rXYZ": xyz((0.51512, 0.24120, -0.00105)), "gXYZ": xyz((0.29198, 0.69225, 0.04189)),
      "bXYZ": xyz((0.15710, 0.06657, 0.78407))}
WIDE = {"rXYZ": xyz((0.60974, 0.31111, 0.01947)), "gXYZ": xyz((0.20528, 0.62567, 0.06087)),
        "bXYZ": xyz((0.14919, 0.06322, 0.74457))}


def rgb_profile(primaries, gamma, padding=0):
    curves = {k: gamma_curve(gamma) for k in ("rTRC", "gTRC", "bTRC")}
    return profile(b"RGB ", {**primaries, **curves}, padding)


ICC_P3 = rgb_profile(P3, 2.2)
ICC_WIDE = rgb_profile(WIDE, 2.2)
ICC_LONG = rgb_profile(WIDE, 1.8, padding=70000)
ICC_GREY = profile(b"GRAY", {"kTRC": gamma_curve(1.8)})
ICC_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
ICC_SRGB = ICC_SRGB[:24] + struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + ICC_SRGB[36:]  # its date


# ---- what is expected -----------------------------------------------------------------------

def expected(data, use_icc):
    image = Image.open(io.BytesIO(data))
    icc = image.info.get("icc_profile")
    turned = image.getexif().get(0x0112, 1)
    image.load()
    if use_icc == "converted":
        if image.mode not in ("RGB", "L"):
            image = image.convert("RGB")
        image = ImageCms.profileToProfile(image, io.BytesIO(icc), ImageCms.createProfile("sRGB"),
                                          renderingIntent=1, outputMode="RGB", flags=0x2000)
    image = image.convert("RGB")
    if turned in range(2, 9):
        how = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}[turned]
        image = image.transpose(how)
    return image, turned if turned in range(1, 9) else 1


def write(name, data, reason="ok", icc="none"):
    with open(os.path.join(FOLDER, name), "wb") as f:
        f.write(data)
    if reason != "ok":
        rows.append((name, reason, 0, 0, 1, "none", "-"))
        return
    image, turned = expected(data, icc)
    digest = hashlib.sha256(image.tobytes()).hexdigest()
    rows.append((name, reason, image.width, image.height, turned, icc, digest))


def saved(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def exif(orientation, big=False):
    end, mark = (">", b"MM\0*") if big else ("<", b"II*\0")
    entry = struct.pack(end + "HHIHH", 0x0112, 3, 1, orientation, 0)
    other = struct.pack(end + "HHII", 0x0100, 4, 1, 77)
    return b"Exif\0\0" + mark + struct.pack(end + "IH", 8, 2) + other + entry + b"\0\0\0\0"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_chunk(png, kind, data):
    """After IHDR."""
    return png[:33] + chunk(kind, data) + png[33:]


def adam7(image):
    a, out = np.asarray(image), b""
    for y0, x0, dy, dx in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2),
                           (0, 1, 2, 2), (1, 0, 2, 1)):
        part = a[y0::dy, x0::dx]
        if part.size:
            out += b"".join(b"\0" + row.tobytes() for row in part)
    head = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(out))
            + chunk(b"IEND", b""))


def jpegs():
    for w, h in ((37, 23), (64, 48), (17, 1), (1, 19), (1, 1), (8, 8), (33, 31)):
        for sub in (0, 1, 2):
            write(f"rgb_{w}x{h}_sub{sub}.jpg",
                  saved(scene(w, h), "JPEG", quality=85, subsampling=sub))
    write("progressive.jpg", saved(scene(45, 39), "JPEG", quality=70, progressive=True))
    write("grey.jpg", saved(scene(41, 29).convert("L"), "JPEG", quality=80))
    write("low_quality.jpg", saved(scene(50, 50), "JPEG", quality=5))
    write("rgb_stored.jpg", saved(scene(30, 20), "JPEG", quality=90, keep_rgb=True))
    for k in range(1, 9):
        write(f"exif_{k}.jpg", saved(scene(24, 17), "JPEG", exif=exif(k, big=k % 2 == 0)))
    write("exif_wrong.jpg", saved(scene(24, 17), "JPEG", exif=exif(9)))
    base = scene(40, 30)
    write("icc_p3.jpg", saved(base, "JPEG", icc_profile=ICC_P3), icc="converted")
    write("icc_wide.jpg", saved(base, "JPEG", icc_profile=ICC_WIDE), icc="converted")
    write("icc_two_pieces.jpg", saved(base, "JPEG", icc_profile=ICC_LONG), icc="converted")
    write("icc_srgb.jpg", saved(base, "JPEG", icc_profile=ICC_SRGB), icc="srgb")
    write("icc_grey.jpg", saved(base.convert("L"), "JPEG", icc_profile=ICC_GREY), icc="converted")
    write("icc_damaged.jpg", saved(base, "JPEG", icc_profile=ICC_P3[:200]), icc="unreadable")
    write("icc_mismatch.jpg", saved(base, "JPEG", icc_profile=ICC_GREY), icc="unreadable")
    write("icc_and_exif.jpg", saved(base, "JPEG", icc_profile=ICC_P3, exif=exif(6)),
          icc="converted")
    write("cmyk.jpg", saved(base.convert("CMYK"), "JPEG"), "unsupported_pixels")
    whole = saved(base, "JPEG")
    write("truncated.jpg", whole[:len(whole) * 2 // 3], "decode")
    write("truncated_header.jpg", whole[:100], "decode")
    write("only_magic.jpg", whole[:3], "decode")
    write("no_end.jpg", whole[:-2], "decode")
    at = whole.index(b"\xff\xc0")
    write("twelve_bits.jpg", whole[:at + 4] + b"\x0c" + whole[at + 5:], "unsupported_pixels")
    write("lossless_process.jpg", whole[:at] + b"\xff\xc3" + whole[at + 2:], "unsupported_pixels")


def pngs():
    base = scene(33, 21)
    write("rgb.png", saved(base, "PNG"))
    write("one_pixel.png", saved(scene(1, 1), "PNG"))
    write("interlaced.png", adam7(base))
    write("interlaced_small.png", adam7(scene(3, 2)))
    write("grey.png", saved(base.convert("L"), "PNG"))
    write("one_bit.png", saved(base.convert("1"), "PNG"))
    for bits in (1, 2, 4, 8):
        write(f"palette_{bits}.png", saved(base.quantize(1 << bits), "PNG", bits=bits))
    write("palette_opaque.png", saved(base.quantize(16), "PNG", transparency=b"\xff" * 16))
    write("palette_transparent.png", saved(base.quantize(16), "PNG", transparency=b"\x80" * 16),
          "unsupported_pixels")
    opaque = base.copy()
    opaque.putalpha(255)
    write("rgba_opaque.png", saved(opaque, "PNG"))
    opaque.putpixel((5, 5), (1, 2, 3, 254))
    write("rgba_one_pixel.png", saved(opaque, "PNG"), "unsupported_pixels")
    grey = base.convert("LA")
    write("grey_alpha_opaque.png", saved(grey, "PNG"))
    write("sixteen_bits.png",
          saved(Image.fromarray(np.arange(60, dtype=np.uint16).reshape(6, 10) * 999), "PNG"),
          "unsupported_pixels")
    info = PngImagePlugin.PngInfo()
    write("exif_6.png", saved(base, "PNG", exif=exif(6)[6:]))
    write("icc_p3.png", saved(base, "PNG", icc_profile=ICC_P3), icc="converted")
    write("icc_palette.png", saved(base.quantize(64), "PNG", icc_profile=ICC_WIDE),
          icc="converted")
    write("icc_srgb.png", saved(base, "PNG", icc_profile=ICC_SRGB), icc="srgb")
    write("icc_grey.png", saved(base.convert("L"), "PNG", icc_profile=ICC_GREY), icc="converted")
    write("icc_damaged.png", saved(base, "PNG", icc_profile=b"\0" * 150), icc="unreadable")
    plain = saved(base, "PNG")
    write("icc_not_deflated.png", with_chunk(plain, b"iCCP", b"x\0\0" + b"\xaa" * 40),
          icc="unreadable")
    write("gamma_srgb.png", with_chunk(plain, b"gAMA", struct.pack(">I", 45455)))
    write("gamma_linear.png", with_chunk(plain, b"gAMA", struct.pack(">I", 100000)),
          "unsupported_pixels")
    write("gamma_overridden.png", with_chunk(
        with_chunk(plain, b"gAMA", struct.pack(">I", 100000)), b"sRGB", b"\0"))
    write("chrm.png", with_chunk(plain, b"cHRM", struct.pack(
        ">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)))
    write("cicp_srgb.png", with_chunk(plain, b"cICP", bytes((1, 13, 0, 1))))
    write("cicp_hdr.png", with_chunk(plain, b"cICP", bytes((9, 16, 0, 1))), "unsupported_pixels")
    write("animated.png", saved(base, "PNG", save_all=True, append_images=[base.rotate(90)]),
          "unsupported_pixels")
    write("truncated.png", plain[:len(plain) // 2], "decode")
    write("no_end.png", plain[:-12], "decode")
    broken = bytearray(plain)
    broken[-20] ^= 0xff
    write("bad_checksum.png", bytes(broken), "decode")
    head = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    write("huge.png", plain[:8] + chunk(b"IHDR", head) + plain[33:], "decode")
    head = struct.pack(">IIBBBBB", 0, 5, 8, 2, 0, 0, 0)
    write("no_pixels.png", plain[:8] + chunk(b"IHDR", head) + plain[33:], "decode")


def others():
    base = scene(9, 7)
    for kind, name in (("GIF", "other.gif"), ("BMP", "other.bmp")):
        write(name, saved(base, kind), "unsupported_pixels")
    for kind, name in (("TIFF", "other.tif"), ("WEBP", "other.webp")):
        write(name, saved(base, kind))
    write("text.txt", b"not an image\n", "decode")


def corpus():
    """Seeds of the fuzz targets: one file of each kind, and the blocks inside them."""
    folder = os.path.join(HERE, "..", "fuzz", "corpus")
    seeds = ["rgb_17x1_sub2.jpg", "progressive.jpg", "grey.jpg", "exif_6.jpg", "icc_p3.jpg",
             "icc_grey.jpg", "icc_damaged.jpg", "cmyk.jpg", "truncated.jpg", "rgb.png",
             "interlaced_small.png", "palette_2.png", "palette_opaque.png", "rgba_opaque.png",
             "grey_alpha_opaque.png", "sixteen_bits.png", "exif_6.png", "icc_p3.png",
             "icc_not_deflated.png", "gamma_linear.png", "animated.png", "other.webp"]
    files = {"image_decode": {}, "image_exif": {}, "image_icc": {}}
    for name in seeds:
        with open(os.path.join(FOLDER, name), "rb") as f:
            files["image_decode"][name] = f.read()
    for k in (1, 6, 9):
        files["image_exif"][f"little_{k}"] = exif(k)[6:]
        files["image_exif"][f"big_{k}"] = exif(k, big=True)
    files["image_icc"] = {"p3": ICC_P3, "wide": ICC_WIDE, "grey": ICC_GREY, "srgb": ICC_SRGB,
                          "cut": ICC_P3[:200]}
    for target, inputs in files.items():
        os.makedirs(os.path.join(folder, target), exist_ok=True)
        for name, data in inputs.items():
            with open(os.path.join(folder, target, name), "wb") as f:
                f.write(data)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))
    jpegs()
    pngs()
    others()
    corpus()
    with open(os.path.join(HERE, "image_files.tsv"), "w", encoding="utf-8") as f:
        f.write("file\treason\twidth\theight\torientation\ticc\tsha256\n")
        for row in rows:
            f.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
