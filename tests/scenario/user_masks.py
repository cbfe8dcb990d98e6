"""Masks that users drew: read as they are stored, and one that cannot be used leaves out its
photograph, in words that name the file."""

import csv
import os
import sqlite3
import struct

import numpy
from PIL import Image

from scenario import draw, main, photographs, readings, run

QUICK = ["--scorer", "planted:absdose=1,noise=0.1", "--boot-b", "199", "--perm-p", "199"]
COUNT = 8


def grey_profile():
    """A grey ICC profile of version 2 with a straight curve (ICC.1:2001): under it 120 is far above
    128 in sRGB."""

    def tag(kind, body):
        data = kind + b"\0\0\0\0" + body
        return data + b"\0" * (-len(data) % 4)

    tags = {
        b"wtpt": tag(b"XYZ ", struct.pack(">3i", 63190, 65536, 54061)),
        b"kTRC": tag(b"curv", struct.pack(">I", 0)),
        b"cprt": tag(b"text", b"none\0"),
        b"desc": tag(b"desc", struct.pack(">I", 5) + b"grey\0" + b"\0" * 78),
    }
    table, data, at = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, body in tags.items():
        table += name + struct.pack(">II", at + len(data), len(body))
        data += body
    head = struct.pack(">I4sI4s4s4s", 128 + len(table) + len(data), b"none", 0x02100000, b"mntr",
                       b"GRAY", b"XYZ ")
    head += b"\0" * 12 + b"acsp" + b"\0" * 28 + struct.pack(">3i", 63190, 65536, 54061)
    return head.ljust(128, b"\0") + table + data


def manifest(masks):
    photographs("photos", COUNT)
    os.makedirs("photos/masks", exist_ok=True)
    with open("bases.csv", "w") as file:
        file.write("base,file,mask\n")
        for k in range(COUNT):
            file.write(f"b{k},photo-{k:02d}.jpg,{masks.get(k, '')}\n")


def half(dark=0, light=255, shape=draw(0).shape[:2], kind=numpy.uint8):
    """Light in the left half."""
    mask = numpy.full(shape, dark, kind)
    mask[:, : shape[1] // 2] = light
    return mask


def save(name, array, **options):
    Image.fromarray(array).save(f"photos/masks/{name}", **options)


def bases(folder="out"):
    with open(f"{folder}/tables/bases.tsv", encoding="utf-8", newline="") as file:
        return {row["base"]: row for row in csv.DictReader(file, delimiter="\t")}


def audit(status=0):
    return run("audit", "photos", "--manifest", "bases.csv", *QUICK, "-o", "out", status=status)


def test_a_profile_moves_no_mask():
    """120 is no skin and 140 is, whatever a profile makes of them."""
    manifest({0: "masks/plain.png", 1: "masks/profile.png", 2: "masks/profile.jpg"})
    save("plain.png", half(120, 140))
    save("profile.png", half(120, 140), icc_profile=grey_profile())
    save("profile.jpg", half(120, 140), icc_profile=grey_profile(), quality=100)
    audit()
    seen = bases()
    for k in range(3):
        assert float(seen[f"b{k}"]["skin_share"]) == 0.5, seen[f"b{k}"]
    assert seen["b0"]["notes"] == "", seen["b0"]
    assert seen["b1"]["notes"] == seen["b2"]["notes"] == "mask: colour profile ignored", seen["b1"]
    assert not any("Decoding changed" in word for word in readings("out")["cautions"])


def test_masks_are_not_turned():
    """As stored: a mask belongs to the photograph as it is after it was turned."""
    manifest({0: "masks/turned.jpg", 1: "masks/pages.tif"})
    exif = Image.Exif()
    exif[0x0112] = 6
    save("turned.jpg", half(), exif=exif, quality=100)
    pages = [Image.fromarray(half()), Image.fromarray(half(255, 0))]
    pages[0].save("photos/masks/pages.tif", save_all=True, append_images=pages[1:])
    audit()
    seen = bases()
    assert float(seen["b0"]["skin_share"]) == float(seen["b1"]["skin_share"]) == 0.5, seen
    assert "mask: EXIF orientation ignored" in seen["b0"]["notes"], seen["b0"]
    assert "mask: first of 2 pages" in seen["b1"]["notes"], seen["b1"]
    cautions = " ".join(readings("out")["cautions"])
    assert "mask: first of several pages: 1" in cautions, cautions


def test_more_bits_are_scaled():
    """A grey sample of 16 bits is skin from half of 65535 on, not from 128 on."""
    manifest({0: "masks/deep.png"})
    Image.fromarray(half(20000, 40000, kind=numpy.uint16)).save("photos/masks/deep.png")
    audit()
    seen = bases()["b0"]
    assert float(seen["skin_share"]) == 0.5 and "mask: 16 bits to 8" in seen["notes"], seen


def test_bad_masks_leave_out_their_photographs():
    """(scorer audit 15: a bad photograph is counted, with a reason, and does not end the run)"""
    names = ["alpha.png", "float.tif", "missing.png", "size.png", "dark.png", "few.png", "text.png"]
    manifest({k: f"masks/{name}" for k, name in enumerate(names)})
    height, width = draw(0).shape[:2]
    rgba = numpy.full((height, width, 4), 255, numpy.uint8)
    rgba[0, 0, 3] = 254
    save("alpha.png", rgba)
    save("float.tif", half(kind=numpy.float32))
    save("size.png", half(shape=(height, width + 1)))
    save("dark.png", half(0, 127))
    few = numpy.zeros((height, width), numpy.uint8)
    few[0] = 255
    save("few.png", few)
    open("photos/masks/text.png", "w").write("no image at all")
    audit()
    wanted = {
        "alpha.png": ("unsupported_pixels", "transparent"),
        "float.tif": ("unsupported_pixels", ""),
        "missing.png": ("unreadable", "No such file"),
        "size.png": ("unsupported_pixels", f"{width + 1} x {height} pixels, the photograph "
                     f"{width} x {height}"),
        "dark.png": ("no_skin", "dark everywhere: skin is where its mean is 128 or more"),
        "few.png": ("no_skin", "covers 0.9 % of the image, less than 5 %"),
        "text.png": ("decode", "not an image"),
    }
    seen = bases()
    for k, name in enumerate(names):
        row = seen[f"b{k}"]
        status, words = wanted[name]
        assert row["status"] == status and words in row["why"], row
        assert f"the mask masks/{name}" in row["why"], row
    assert seen["b7"]["status"] == "ok"
    for name in names:  # mended: looked at again
        save(name.replace(".tif", ".png"), half())
    save("float.tif", half())
    audit()
    assert {row["status"] for row in bases().values()} == {"ok"}, bases()
    run("audit", "photos", "--manifest", "bases.csv", *QUICK, "-o", "fresh")
    assert readings("out")["readings"] == readings("fresh")["readings"]


def test_no_usable_mask_is_no_answer():
    manifest({k: "masks/none.png" for k in range(COUNT)})
    done = audit(3)
    assert "masks/none.png" in done.stderr and "of 8" in done.stderr, done.stderr


def test_scoring_does_not_ask_for_masks():
    manifest({0: "masks/none.png"})
    run("score", "photos", "--manifest", "bases.csv", "--scorer", "planted:luminance=1", "-o",
        "out")
    assert {row["status"] for row in bases().values()} == {"ok"}


def test_a_mask_that_changed_is_noticed():
    """Half of the photographs are scored under one mask, and the other half shall not be under
    another of the same share."""
    manifest({k: f"masks/{k}.png" for k in range(COUNT)})
    for k in range(COUNT):
        save(f"{k}.png", half())
    audit()
    with sqlite3.connect("out/run.sqlite") as db:
        db.execute("delete from score where base >= 4")
        db.execute("delete from batch where batch >= 4")
        db.execute("delete from meta where key = 'instruments'")
    db.close()
    save("6.png", half(255, 0))
    done = audit(3)
    assert "masks/6.png" in done.stderr and "changed since the run began" in done.stderr
    save("6.png", half())
    audit()


def test_what_files_held_is_recorded():
    photographs("photos", 1)
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(draw(1)).save("photos/turned.jpg", exif=exif)
    Image.fromarray(draw(2)).convert("L").save("photos/grey.png", icc_profile=grey_profile())
    Image.fromarray(half(kind=numpy.uint16)).save("photos/deep.png")
    Image.fromarray(draw(3)).save("photos/moving.gif")
    open("photos/cut.png", "wb").write(open("photos/grey.png", "rb").read()[:60])
    for _ in range(2):  # the second time from the run folder
        run("score", "photos", "--decoding", "strict", "--scorer", "planted:luminance=1", "-o",
            "out")
        got = {name: tuple(row[k] for k in ("format", "mode", "orientation", "icc"))
               for name, row in bases().items()}
        assert got.pop("cut.png")[0] == "png", got
        assert got == {
            "photo-00.jpg": ("jpeg", "RGB", "1", "none"),
            "turned.jpg": ("jpeg", "RGB", "6", "none"),
            "grey.png": ("png", "L", "1", "converted"),
            "deep.png": ("png", "L;16", "", ""),
            "moving.gif": ("gif", "", "", ""),
        }, got


if __name__ == "__main__":
    main()
