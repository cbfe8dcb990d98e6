"""A folder of forty hostile files and ten good photographs: each of the forty stands in a table
with its reason, the ten are audited, in little memory and time."""

import io
import os
import resource
import struct
import time
import zlib

import numpy
from PIL import Image

from scenario import TARE, draw, main, photographs, readings, run

GOOD = 10
SECONDS_MOST, KILOBYTES_MOST = 240, 1200000


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, data, bits=8, colour=2, more=b""):
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def saved(picture, kind, **options):
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def tiff(entries):
    """A little-endian TIFF of one page: {tag: (type, count, value)}."""
    body = b"".join(struct.pack("<HHII", tag, *entries[tag]) for tag in sorted(entries))
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + body + b"\0" * 4


def box(kind, data=b""):
    return struct.pack(">I", 8 + len(data)) + kind + data


def zeros(count):
    """`count` zero bytes, deflated."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(count >> 20)]
    return b"".join(parts) + packer.flush()


def scans(count):
    """A progressive JPEG whose last scan is repeated."""
    data = saved(Image.fromarray(draw(1)), "JPEG", quality=60, progressive=True)
    at = data.rindex(b"\xff\xda")
    return data[:at] + data[at:-2] * count + b"\xff\xd9"


def bombs():
    size = {256: (4, 1, 50000), 257: (4, 1, 50000), 258: (3, 1, 8), 259: (3, 1, 1),
            262: (3, 1, 1), 273: (4, 1, 8), 277: (3, 1, 1), 278: (4, 1, 1), 279: (4, 1, 100)}
    grey = {**size, 256: (4, 1, 64), 257: (4, 1, 0xFFFFFFF0)}
    frame = b"\x2f" + struct.pack("<I", 16382 | 16382 << 14) + bytes(20)
    webp = b"WEBPVP8L" + struct.pack("<I", len(frame)) + frame + b"\0" * (len(frame) % 2)
    still = box(b"ispe", struct.pack(">III", 0, 60000, 60000))
    heif = (box(b"ftyp", b"heic\0\0\0\0mif1heic") + box(b"meta", b"\0\0\0\0" + box(
        b"hdlr", bytes(8) + b"pict" + bytes(13)) + box(b"pitm", b"\0\0\0\0\0\1") + box(
            b"iinf", b"\0\0\0\0\0\1" + box(b"infe", b"\2\0\0\0\0\1\0\0hvc1\0")) + box(
                b"iprp", box(b"ipco", still) + box(b"ipma", b"\0\0\0\0\0\0\0\1\0\1\1\1"))))
    return {
        "png_50000.png": (png(50000, 50000, zeros(4 << 20)), "decode"),
        "png_wide.png": (png(2000000000, 1, b""), "decode"),
        "tiff_50000.tif": (tiff(size), "decode"),
        "tiff_tall.tif": (tiff(grey), "decode"),
        "webp_16383.webp": (b"RIFF" + struct.pack("<I", len(webp)) + webp, "decode"),
        "heic_60000.heic": (heif, "decode unsupported_pixels"),
        "scans.jpg": (scans(600), "decode"),
        "png_lie.png": (png(64, 64, zlib.compress(b"\0" * 100)), "decode"),
        "png_chunk.png": (png(8, 8, zlib.compress(bytes(200)), more=struct.pack(
            ">I", 0x7FFFFFFF) + b"tEXtabc"), "decode"),
        "png_icc.png": (png(8, 8, zlib.compress(bytes(200)), more=chunk(
            b"iCCP", b"x\0\0" + zeros(16 << 20))), "decode"),
    }


def truncated():
    photo = Image.fromarray(draw(2))
    files = {}
    for kind, name in (("JPEG", "jpg"), ("PNG", "png"), ("WEBP", "webp"), ("TIFF", "tif")):
        whole = saved(photo, kind)
        files[f"truncated.{name}"] = (whole[:len(whole) * 2 // 3], "decode")
    files["only_magic.jpg"] = (b"\xff\xd8\xff\xe0", "decode")
    files["only_magic.avif"] = (box(b"ftyp", b"avif\0\0\0\0avifmif1"),
                                "decode unsupported_pixels")
    files["cut_box.heic"] = (box(b"ftyp", b"heic\0\0\0\0mif1heic") + b"\0\0\1\0meta", "decode")
    return files


def kinds():
    rgb = draw(3)
    photo = Image.fromarray(rgb)
    clear = photo.copy()
    clear.putalpha(120)
    other = Image.fromarray(draw(4))
    deep = Image.fromarray(rgb[..., 0].astype(numpy.uint16) * 257)
    moving = {"save_all": True, "append_images": [other]}
    bad = "unsupported_pixels"
    return {
        "cmyk.jpg": (saved(photo.convert("CMYK"), "JPEG"), bad),
        "cmyk.tif": (saved(photo.convert("CMYK"), "TIFF"), bad),
        "deep.png": (saved(deep, "PNG"), bad),
        "deep.tif": (saved(deep, "TIFF"), bad),
        "float.tif": (saved(Image.fromarray(rgb[..., 0].astype(numpy.float32)), "TIFF"), bad),
        "alpha.png": (saved(clear, "PNG"), bad),
        "alpha.webp": (saved(clear, "WEBP"), bad),
        "moving.webp": (saved(photo, "WEBP", **moving), bad),
        "moving.gif": (saved(photo, "GIF", **moving), bad),
        "moving.png": (saved(photo, "PNG", **moving), bad),
        "pages.tif": (saved(photo, "TIFF", **moving), bad),
        "bitmap.bmp": (saved(photo, "BMP"), bad),
        "wavelet.jp2": (b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(40), bad),
        "next.jxl": (b"\xff\x0a" + bytes(40), bad),
        "gif_named.jpg": (saved(photo, "GIF"), bad),
    }


def no_images():
    """What is ignored, and the words for it."""
    other = "not an image"
    return {
        "empty.jpg": (b"", "empty"),
        "text.jpg": (b"These are my notes.\n", other),
        "zeros.png": (bytes(4096), other),
        "drawing.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", other),
        "paper.pdf": (b"%PDF-1.7\n" + bytes(64), other),
    }


def odd_ones():
    os.mkfifo("photos/pipe.jpg")
    os.symlink("nowhere.jpg", "photos/dangling.jpg")
    os.symlink("photos", "photos/folder.jpg")
    return {"pipe.jpg": "pipe", "dangling.jpg": "link", "folder.jpg": "link"}


def good_ones():
    """Ten photographs; some have what is odd and not hostile: another name, garbage beside the
    pixels, names that are hard to print."""
    photographs("photos", GOOD)
    exif = b"Exif\0\0II*\0\xff\xff\xff\xff" + bytes(range(200))
    Image.fromarray(draw(5)).save("photos/photo-05.jpg", quality=92, exif=exif)
    Image.fromarray(draw(6)).save("photos/photo-06.jpg", quality=92, icc_profile=b"\xaa" * 3000)
    os.rename("photos/photo-00.jpg", "photos/photo-00.png")  # by its bytes, not by its name
    Image.fromarray(draw(1)).save("photos/photo-01.jpg", "WEBP", lossless=True)
    Image.fromarray(draw(2)).save("photos/photo-02.jpg", "TIFF")
    os.rename(b"photos/photo-03.jpg", b"photos/caf\xe9-03.jpg")
    os.rename("photos/photo-04.jpg", "photos/new\nline-04.jpg")
    os.rename("photos/photo-07.jpg", "photos/" + "long" * 60 + ".jpg")


def rows_of(table):
    """The rows of a table of the run, by their first column; line feeds may be quoted."""
    import csv

    with open(f"out/tables/{table}.tsv", encoding="utf-8", newline="") as file:
        return {row[next(iter(row))]: row for row in csv.DictReader(file, delimiter="\t")}


def test_forty_hostile_files():
    good_ones()
    images = {**bombs(), **truncated(), **kinds()}
    others = no_images()
    for name, (data, _) in {**images, **others}.items():
        open(f"photos/{name}", "wb").write(data)
    ignored = {name: words for name, (_, words) in others.items()}
    ignored.update(odd_ones())
    assert len(images) + len(ignored) == 40, (len(images), len(ignored))
    assert os.path.getsize("photos/png_50000.png") < 10000, "a bomb is small"

    began = time.time()
    done = run("audit", "photos", "--scorer", "planted:absdose=1,noise=0.1", "--boot-b", "199",
               "--perm-p", "199", "-o", "out")
    seconds = time.time() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"      {seconds:.1f} s, {peak / 1024:.0f} MB", flush=True)
    assert seconds < SECONDS_MOST and peak < KILOBYTES_MOST, (seconds, peak, done.stderr)

    bases = rows_of("bases")
    used = [row for row in bases.values() if row["status"] == "ok"]
    assert len(used) == GOOD, sorted(row["base"] for row in used)
    assert len(bases) == GOOD + len(images)
    for name, (_, reasons) in images.items():
        row = bases[name]
        assert row["status"] in reasons.split(), (name, row["status"], row["why"])
        assert len(row["why"]) >= 15 and row["why"].isprintable(), (name, row["why"])
    table = rows_of("ignored")
    assert set(table) == set(ignored), sorted(table)
    for name, words in ignored.items():
        assert words in table[name]["why"], (name, table[name]["why"])
    missing = sum(row["count"] for row in readings("out")["missing"] if row["what"] == "base")
    assert missing == len(images), missing
    facts = {(f["section"], f["key"]): f["value"] for f in readings("out")["facts"]}
    assert facts[("Run", "found")].startswith(
        f"{GOOD + len(images)} photographs, {len(ignored)} other files ignored")


def test_the_table_of_ignored_files_survives_the_photographs():
    photographs("photos", 7)
    open("photos/notes.txt", "w").write("These are my notes.\n")
    options = ["--scorer", "planted:absdose=1", "--boot-b", "199", "--perm-p", "199"]
    run("audit", "photos", *options, "-o", "out")
    before = open("out/tables/ignored.tsv", encoding="utf-8").read()
    os.remove("photos/notes.txt")
    os.remove("out/tables/ignored.tsv")
    run("audit", "out")
    assert open("out/tables/ignored.tsv", encoding="utf-8").read() == before
    assert "notes.txt" in before


def test_an_unreadable_file_is_named():
    if os.geteuid() == 0:
        print("      skipped as root: everything can be read", flush=True)
        return
    photographs("photos", 7)
    os.chmod("photos/photo-00.jpg", 0)
    run("audit", "photos", "--scorer", "planted:absdose=1", "--boot-b", "199", "--perm-p", "199",
        "-o", "out")
    row = rows_of("bases")["photo-00.jpg"]
    assert row["status"] == "unreadable" and "denied" in row["why"], row


if __name__ == "__main__":
    assert TARE
    main()
