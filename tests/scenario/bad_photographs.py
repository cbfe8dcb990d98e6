"""Folders and photographs as users have them: each a clear error or a named, counted exclusion."""

import csv
import os

import numpy
from PIL import Image

from scenario import draw, main, photographs, readings, run

SCORER = ["--scorer", "planted:absdose=1,noise=0.1", "--boot-b", "199", "--perm-p", "199"]


def audit(status=0):
    return run("audit", "photos", *SCORER, "-o", "out", status=status)


def excluded():
    return {
        (row["reason"], row["count"]) for row in readings("out")["missing"] if row["what"] == "base"
    }


def save(name, array, **options):
    os.makedirs("photos", exist_ok=True)
    Image.fromarray(array).save(f"photos/{name}", **options)


def test_empty_folder():
    os.makedirs("photos")
    done = audit(3)
    assert "no photographs" in done.stderr, done.stderr
    assert not os.path.exists("out"), "a run folder of nothing"


def test_no_folder():
    done = audit(3)
    assert "photos" in done.stderr, done.stderr


def test_text_named_jpg_is_ignored_and_counted():
    photographs("photos", 7)
    open("photos/notes.jpg", "w").write("These are my notes.\n")
    audit()
    facts = {(f["section"], f["key"]): f["value"] for f in readings("out")["facts"]}
    assert facts[("Run", "found")] == "7 photographs, 1 other files ignored", facts[
        ("Run", "found")
    ]


def test_only_a_text_file():
    os.makedirs("photos")
    open("photos/notes.jpg", "w").write("These are my notes.\n")
    assert "1 other files were ignored" in audit(3).stderr


def test_truncated_jpeg_is_excluded():
    photographs("photos", 7)
    whole = open("photos/photo-00.jpg", "rb").read()
    open("photos/photo-00.jpg", "wb").write(whole[: len(whole) // 2])
    audit()
    assert excluded() == {("decode", 1)}, excluded()


def test_all_truncated():
    photographs("photos", 3)
    for name in os.listdir("photos"):
        whole = open(f"photos/{name}", "rb").read()
        open(f"photos/{name}", "wb").write(whole[:400])
    done = audit(3)
    assert "no photograph could be read (of 3)" in done.stderr, done.stderr


def test_zero_skin_grey_and_tiny():
    photographs("photos", 7)
    save("blue.png", numpy.full((40, 40, 3), (20, 60, 200), numpy.uint8))
    save("grey.png", numpy.full((40, 40), 128, numpy.uint8))
    save("one.png", numpy.full((1, 1, 3), (20, 60, 200), numpy.uint8))
    audit()
    assert excluded() == {("no_skin", 3)}, excluded()


def test_all_excluded_is_an_answer():
    for k in range(3):
        save(f"blue{k}.png", numpy.full((40, 40, 3), (20, 60, 200 + k), numpy.uint8))
    audit(0)
    assert excluded() == {("no_skin", 3)}, excluded()
    page = open("out/report.html", encoding="utf-8").read()
    assert "no skin" in page or "no_skin" in page


def test_all_skin_is_flagged_and_used():
    photographs("photos", 6)
    skin = numpy.full((40, 40, 3), (224, 172, 105), numpy.uint8)
    skin[::3, ::3] = (198, 134, 66)
    save("skin.png", skin)
    audit()
    assert excluded() == set(), excluded()
    assert any("more than 95 %" in word for word in readings("out")["cautions"])
    table = open("out/tables/bases.tsv", encoding="utf-8").read()
    assert "mostly skin" in table and table.count("\n") == 8


def test_unsupported_pixels_are_refused_with_a_reason():
    photographs("photos", 7)
    rgba = numpy.dstack([draw(50), numpy.full(draw(50).shape[:2], 120, numpy.uint8)])
    save("alpha.png", rgba)
    Image.fromarray(draw(51)).convert("CMYK").save("photos/cmyk.jpg")
    Image.fromarray(draw(52)).save("photos/moving.gif")
    audit()
    assert excluded() == {("unsupported_pixels", 3)}, excluded()
    examples = [row["example"] for row in readings("out")["missing"]]
    assert any("alpha" in word for word in examples), examples
    left_out = [
        line.split("\t")
        for line in open("out/tables/bases.tsv", encoding="utf-8").read().splitlines()
        if "\tunsupported_pixels\t" in line
    ]
    assert len(left_out) == 3 and all(row[6] for row in left_out), left_out  # why, in words


def test_canonical_decoding_takes_them_and_says_so():
    photographs("photos", 7)
    rgba = numpy.dstack([draw(50), numpy.full(draw(50).shape[:2], 120, numpy.uint8)])
    save("alpha.png", rgba)
    Image.fromarray(draw(51)).convert("CMYK").save("photos/cmyk.jpg")
    run("audit", "photos", *SCORER, "--decoding", "canonical", "-o", "out")
    assert excluded() == set(), excluded()
    notes = {
        row["base"]: row["notes"]
        for row in csv.DictReader(open("out/tables/bases.tsv", encoding="utf-8"), delimiter="\t")
    }
    assert "100.00 % transparent: put over white" in notes["alpha.png"], notes
    assert "by the formula" in notes["cmyk.jpg"], notes
    facts = {row["key"]: row["value"] for row in readings("out")["facts"]}
    assert facts["transparent: put over white"] == "1 photograph, the first alpha.png", facts
    assert facts["decoding"] == "canonical" and "alpha: white" in facts["preparation"], facts
    cautions = readings("out")["cautions"]
    assert any("transparent: put over white: 1" in word for word in cautions), cautions
    done = run("audit", "photos", *SCORER, "-o", "out", status=3)
    assert "--decoding" in done.stderr and '"canonical"' in done.stderr, done.stderr
    run("audit", "out")  # the folder remembers


def test_scoring_takes_what_it_can():
    photographs("photos", 2)
    rgba = numpy.dstack([draw(50), numpy.full(draw(50).shape[:2], 0, numpy.uint8)])
    save("alpha.png", rgba)
    grey = Image.fromarray(draw(51)).convert("L")
    grey.save("photos/grey.png")
    first = ["score", "photos", "--scorer", "planted:luminance=1"]

    def scores(folder, *more):
        run(*first, *more, "-o", folder)
        rows = csv.DictReader(open(f"{folder}/tables/scores.tsv", encoding="utf-8"), delimiter="\t")
        return {row["base"]: row["score"] or row["status"] for row in rows}

    white, black = scores("white"), scores("black", "--transparent", "black")
    assert float(white["alpha.png"]) == 1 and float(black["alpha.png"]) == 0, (white, black)
    assert scores("strict", "--decoding", "strict")["alpha.png"] == "unsupported_pixels"
    refuse = scores("refuse", "--transparent", "refuse")
    assert refuse["alpha.png"] == "unsupported_pixels" and refuse["grey.png"] == white["grey.png"]
    published = scores("published", "--decoding", "published")  # Pillow's convert("RGB")
    for name in ("alpha.png", "grey.png"):
        pixels = numpy.asarray(Image.open(f"photos/{name}").convert("RGB")).astype(int)
        luma = (pixels @ [9798, 19235, 3735] + 16384) >> 15  # docs/planted.md
        assert abs(float(published[name]) - luma.mean() / 255) < 1e-12, (name, published)


def test_decoding_options_that_contradict():
    photographs("photos", 1)
    for words in (
        ["score", "--transparent", "purple"],
        ["score", "--transparent", "black", "--decoding", "strict"],
        ["score", "--prepare-size", "64", "--decoding", "published"],
        ["audit", "--decoding", "published"],
        ["audit", "--transparent", "white"],
    ):
        command, *options = words
        done = run(command, "photos", *SCORER[:2], *options, "-o", "out", status=2)
        assert "--" in done.stderr or "decoding" in done.stderr, done.stderr


def test_one_photograph_gives_no_answer():
    photographs("photos", 1)
    audit()
    rows = [
        r for r in readings("out")["readings"] if r["family"] == "fidelity" and r["name"] == "FI"
    ]
    assert rows and all(r["verdict"] in ("no answer", "descriptive") for r in rows), rows
    assert any(r["reason"] == "too_few_clusters" for r in rows), rows


def test_names_that_are_hostile():
    photographs("photos", 6)
    os.makedirs("photos/<script>alert(1)<")
    os.rename("photos/photo-00.jpg", "photos/<script>alert(1)</script>.jpg")
    os.rename("photos/photo-01.jpg", "photos/quote\"'&amp;.jpg")
    audit()
    page = open("out/report.html", encoding="utf-8").read()
    assert "<script>alert" not in page


def test_name_that_is_not_utf8():
    photographs("photos", 7)
    os.rename(b"photos/photo-00.jpg", b"photos/caf\xe9.jpg")
    done = run("audit", "photos", *SCORER, "-o", "out", status=None)
    assert done.returncode in (0, 3), done.stderr
    if done.returncode == 0:
        open("out/readings.json", encoding="utf-8").read()
    else:
        assert "UTF-8" in done.stderr, done.stderr


if __name__ == "__main__":
    main()
