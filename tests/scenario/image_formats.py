"""The same photographs in every format that is read: stored without loss they are the same pixels
and give the same answer; HEIC and AVIF are what the tools of their own libraries make of them."""

import csv
import hashlib
import os
import shutil
import subprocess
import sys

import numpy
from PIL import Image

from scenario import draw, main, readings, run

SCORER = ["--scorer", "planted:absdose=1,noise=0.1", "--boot-b", "199", "--perm-p", "199"]
TOOLS = ("heif-enc", "heif-convert", "avifenc", "avifdec")


def audit(folder):
    run("audit", folder, *SCORER, "-o", "out-" + folder)
    with open(f"out-{folder}/tables/bases.tsv", encoding="utf-8", newline="") as file:
        return {os.path.splitext(row["base"])[0]: row for row in csv.DictReader(
            file, delimiter="\t")}


def sha(picture):
    """As tables/bases.tsv has it: the mode and size, then the pixels."""
    rgb = picture.convert("RGB")
    head = f"RGB {rgb.width}x{rgb.height}\n".encode()
    return hashlib.sha256(head + rgb.tobytes()).hexdigest()


def write(folder, suffix, save, name="photo-{}.{}"):
    os.makedirs(folder)
    for k in range(7):
        save(Image.fromarray(draw(k)), f"scratch.{suffix}")
        os.rename(f"scratch.{suffix}", os.path.join(folder, name.format(k, suffix)))
    return audit(folder)


def tool(*words):
    subprocess.run(words, check=True, capture_output=True)


def from_png(*words):
    """A writer that gives a PNG to a program: {in} and {out} stand for its files."""
    def save(picture, path):
        picture.save("scratch.png")
        tool(*[word.format(**{"in": "scratch.png", "out": path}) for word in words])
    return save


def near(path, k, least):
    """Peak signal to noise, in dB, of what a tool made of the k-th photograph."""
    got = numpy.asarray(Image.open(path).convert("RGB")).astype(float)
    error = ((got - draw(k).astype(float)) ** 2).mean()
    assert 10 * numpy.log10(255 ** 2 / max(error, 1e-9)) > least, (path, error)


def test_lossless_formats_are_the_same_pixels():
    ways = {
        "png": lambda p, path: p.save(path),
        "webp": lambda p, path: p.save(path, lossless=True),
        "tif": lambda p, path: p.save(path),
        "tiff": lambda p, path: p.save(path, compression="tiff_lzw"),
        "tif8": lambda p, path: p.save(path, "TIFF", compression="tiff_adobe_deflate"),
    }
    if shutil.which("avifenc"):
        ways["avif"] = from_png("avifenc", "-l", "-s", "9", "{in}", "{out}")
    answers = {}
    for suffix, save in ways.items():
        rows = write(suffix, suffix, save, "photo-{}.jpg")  # draws go by the name of the file
        assert len(rows) == 7
        for k in range(7):
            row = rows[f"photo-{k}"]
            assert row["status"] == "ok", (suffix, row["why"])
            assert row["pixels_sha256"] == sha(Image.fromarray(draw(k))), (suffix, k)
        answers[suffix] = [(r["family"], r["name"], r["condition"], r["estimate"])
                           for r in readings("out-" + suffix)["readings"]]
        assert answers[suffix] == answers["png"], suffix


def test_lossy_webp_and_tiff_are_pillows_pixels():
    for suffix, options in (("webp", {"quality": 80}), ("tif", {"compression": "jpeg"})):
        rows = write(suffix, suffix, lambda p, path, o=options: p.save(path, **o))
        for k in range(7):
            want = sha(Image.open(f"{suffix}/photo-{k}.{suffix}"))
            assert rows[f"photo-{k}"]["pixels_sha256"] == want, (suffix, k)


def test_heic_and_avif_are_what_their_tools_show():
    ways = {"heic": from_png("heif-enc", "-q", "90", "-o", "{out}", "{in}"),
            "avif": from_png("heif-enc", "-A", "-q", "90", "-o", "{out}", "{in}")}
    for suffix, save in ways.items():
        rows = write(suffix, suffix, save)
        for k in range(7):
            tool("heif-convert", f"{suffix}/photo-{k}.{suffix}", "shown.png")
            near("shown.png", k, 26)  # the colours are halved
            got = rows[f"photo-{k}"]
            assert got["pixels_sha256"] == sha(Image.open("shown.png")), (suffix, k, got["why"])


def test_another_library_reads_the_same_avif():
    rows = write("avif", "avif", from_png("avifenc", "-y", "444", "--min", "4", "--max", "8",
                                          "-s", "9", "{in}", "{out}"))
    run("perturb", "avif", "-o", "shown")
    for k in range(7):
        assert rows[f"photo-{k}"]["status"] == "ok"
        tool("avifdec", f"avif/photo-{k}.avif", "other.png")
        near("other.png", k, 33)
        with open("shown/tables/variants.tsv", encoding="utf-8", newline="") as file:
            path = next(row["file"] for row in csv.DictReader(file, delimiter="\t")
                        if row["base"] == f"photo-{k}.avif" and float(row["dose"]) == 0)
        ours = numpy.asarray(Image.open(f"shown/{path}")).astype(int)
        theirs = numpy.asarray(Image.open("other.png").convert("RGB")).astype(int)
        assert abs(ours - theirs).max() <= 2, k  # each rounds YCbCr to RGB in its own way


def test_without_libheif_the_others_are_audited():
    os.makedirs("mixed")
    for k in range(7):
        Image.fromarray(draw(k)).save(f"mixed/photo-{k}.webp", lossless=True)
    Image.fromarray(draw(8)).save("scratch.png")
    tool("heif-enc", "-o", "mixed/phone.heic", "scratch.png")
    run("audit", "mixed", *SCORER, "-o", "out", env={"TARE_LIBHEIF": "/nonexistent/libheif.so.1"})
    missing = [row for row in readings("out")["missing"] if row["what"] == "base"]
    assert [(row["reason"], row["count"]) for row in missing] == [("unsupported_pixels", 1)]
    assert "libheif1" in missing[0]["example"], missing
    again = ["--boot-b", "199", "--perm-p", "199"]
    run("audit", "out", *again)  # a run folder is looked at as it is
    assert [row["count"] for row in readings("out")["missing"] if row["what"] == "base"] == [1]
    run("audit", "mixed", *SCORER, "-o", "out")  # the library is here now
    run("audit", "mixed", *SCORER, "-o", "fresh")
    assert [row for row in readings("out")["missing"] if row["what"] == "base"] == []
    assert readings("out")["readings"] == readings("fresh")["readings"]
    done = run("doctor", status=None, env={"TARE_LIBHEIF": "/nonexistent/libheif.so.1"})
    words = " ".join(done.stdout.split())  # wrapped where the lines end
    assert "missing heif" in words and "apt install libheif1" in words, done.stdout


if __name__ == "__main__":
    lacking = [name for name in TOOLS if not shutil.which(name)]
    if lacking:
        print("skipped: not here:", ", ".join(lacking))
        sys.exit(77)
    main()
