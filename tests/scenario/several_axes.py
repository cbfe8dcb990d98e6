"""Several axes in one run: placebos, the body axis with silhouettes, variants of one's own; the
same bytes whatever the threads and interruptions; a base is lost to the axes that it lacks
something for, and to no other. Photographs are cut from the astronaut of tests/data."""

import csv
import os
import shutil
import signal
import subprocess
import time

import numpy
from PIL import Image

from scenario import TARE, find, main, readings, run, same

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "astronaut.png")
SMALL = ["--perm-p", "199", "--boot-b", "199", "--seeds", "0"]
AXES = ["--axis", "skin", "--axis", "warp", "--placebo", "all"]


def rows(folder, name):
    with open(os.path.join(folder, "tables", name + ".tsv"), encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def photographs(count, lines="base,file,group,silhouette"):
    """Faces from slightly different places, and a person of another width in each."""
    whole = Image.open(DATA).convert("RGB")
    os.makedirs("photos", exist_ok=True)
    os.makedirs("people", exist_ok=True)
    lines = [lines]
    for k in range(count):
        cut = whole.crop((150 + 3 * k, 10 + 2 * k, 300 + 3 * k, 190 + 2 * k)).resize((75, 90))
        cut.save(f"photos/p{k}.png")
        person = numpy.zeros((90, 75), numpy.uint8)
        person[5:85, 37 - 10 - k : 37 + 10 + k] = 255
        Image.fromarray(person).save(f"people/p{k}.png")
        lines.append(f"p{k},p{k}.png,g{k % 2},../people/p{k}.png")
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def command(*more):
    scorers = ["--scorer", "planted:absdose=1,luminance=1", "--batch", "5"]
    return ["audit", "photos", "--manifest", "m.csv", *scorers, *SMALL, *more]


def audit(out, *more, **options):
    return run(*command(*more), "-o", out, **options)


def test_threads_and_a_kill_change_no_byte():
    photographs(8)
    audit("one", *AXES, "--threads", "1")
    for threads in ("2", "3", "8"):
        audit("more", *AXES, "--threads", threads)
        same("one", "more", f"{threads} threads")
        shutil.rmtree("more")
    began = time.time()
    audit("whole", *AXES, "--scorer", "brisque:")
    whole = time.time() - began
    for part in (0.15, 0.3, 0.45, 0.6):
        child = subprocess.Popen([TARE, *command(*AXES, "--scorer", "brisque:"), "-o", "part"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(part * whole)
        child.send_signal(signal.SIGKILL)
        child.wait()
    audit("part", *AXES, "--scorer", "brisque:")
    same("whole", "part", "after kills")


def test_what_a_base_lacks():
    photographs(9)
    Image.new("RGB", (75, 90), (20, 60, 200)).save("photos/p7.png")  # no skin
    Image.new("L", (75, 90), 0).save("people/p8.png")  # nobody
    Image.new("L", (70, 90), 255).save("people/p6.png")  # another size
    audit("out", "--axis", "skin", "--axis", "warp")
    status = {}
    for r in rows("out", "scores"):
        status.setdefault((r["base"], r["arm"]), set()).add(r["status"])
    assert status["p7", "skin"] == {"no_skin"} and status["p7", "warp"] == {"ok"}, status
    assert status["p8", "warp"] == {"no_silhouette"} and status["p8", "skin"] == {"ok"}
    assert status["p6", "warp"] == {"unsupported_pixels"} and status["p6", "skin"] == {"ok"}
    assert status["p0", "warpsham"] == {"ok"}
    skin = find("out", arm="skin", name="FI", condition="all doses")
    warp = find("out", arm="warp", name="FI", condition="all doses")
    assert (skin["n_base"], warp["n_base"]) == (8, 7), (skin, warp)
    assert skin["n_missing"] == {"no_skin": 1}, skin["n_missing"]
    assert warp["n_missing"] == {"no_silhouette": 1, "unsupported_pixels": 1}, warp["n_missing"]
    shutil.rmtree("photos")
    shutil.copytree("out", "again")
    run("audit", "again")
    same("out", "again", "without the photographs")


def test_a_geometric_silhouette_repeats_the_dose():
    photographs(7)
    audit("out", "--axis", "warp")
    values = {(r["base"], float(r["dose"])): float(r["attribute"])
              for r in rows("out", "variants") if r["arm"] == "warp"}
    for k in range(7):
        widths = [values[f"p{k}", d] for d in (0.8, 0.87, 0.93, 1, 1.07, 1.13, 1.2)]
        assert widths == sorted(widths) and widths[0] < widths[-1], widths
    criterion = [r for r in rows("out", "criterion") if r.get("arm") == "warp"]
    assert criterion, rows("out", "criterion")
    text = open("out/report.html", encoding="utf-8").read()
    assert "repeats the dose" in text


def test_variants_of_ones_own():
    photographs(8)
    lines = ["base,file,dose,attribute"]
    for k in range(8):
        picture = numpy.asarray(Image.open(f"photos/p{k}.png")).astype(int)
        for dose in (-10, -5, 0, 5, 10):
            made = numpy.clip(picture + dose, 0, 255).astype(numpy.uint8)
            Image.fromarray(made).save(f"photos/v{k}_{dose}.png")
            if (k, dose) == (3, 10):
                Image.fromarray(made[:50]).save(f"photos/v{k}_{dose}.png")
            if (k, dose) != (2, -5):
                lines.append(f"p{k},v{k}_{dose}.png,{dose},{made.mean():.4f}")
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    audit("out", "--axis-name", "bright")
    status = {(r["base"], r["dose"]): r["status"] for r in rows("out", "scores")}
    assert status["p2", "-5"] == "missing" and status["p3", "10"] == "unsupported_pixels"
    assert find("out", arm="bright", name="FI", condition="all doses")["n_base"] == 6
    shutil.copytree("out", "again")
    shutil.move("photos", "gone")
    run("audit", "again")
    same("out", "again", "without the files")
    shutil.move("gone", "photos")
    said = audit("other", "--axis", "skin", status=2).stderr
    assert "column `dose`" in said, said


def own_variants(doses, name="v"):
    """Photographs and a manifest of variants, each brighter by its dose."""
    photographs(6)
    lines = ["base,file,dose"]
    for k in range(6):
        picture = numpy.asarray(Image.open(f"photos/p{k}.png")).astype(int)
        for dose in doses:
            made = numpy.clip(picture + dose - doses[0], 0, 255).astype(numpy.uint8)
            Image.fromarray(made).save(f"photos/{name}{k}_{dose}.png")
            lines.append(f"p{k},{name}{k}_{dose}.png,{dose}")
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def test_the_neutral_dose_of_variants_of_ones_own():
    own_variants((5, 10, 15))
    assert "--neutral" in audit("out", status=2).stderr
    shutil.rmtree("out", ignore_errors=True)
    audit("out", "--neutral", "10")
    arm = [r for r in rows("out", "scores") if r["base"] == "p0"]
    assert sorted(float(r["dose"]) for r in arm) == [5, 10, 15], arm
    shutil.copytree("out", "again")
    run("audit", "again")
    same("out", "again", "the neutral dose is kept")
    run("audit", "again", "--neutral", "10")
    assert "neutral dose 10" in run("audit", "again", "--neutral", "5", status=2).stderr
    photographs(6)
    for option, value in (("--neutral", "0"), ("--axis-name", "bright")):
        said = audit("bad", option, value, status=2).stderr
        assert option in said and "`dose`" in said, said


def test_a_variant_that_comes_later_or_changes():
    own_variants((-5, 0, 5))
    audit("whole")
    shutil.move("photos/v2_5.png", "later.png")
    audit("out")
    status = {(r["base"], r["dose"]): r["status"] for r in rows("out", "scores")}
    assert status["p2", "5"] == "unreadable", status["p2", "5"]
    shutil.move("later.png", "photos/v2_5.png")
    audit("out")
    assert {r["status"] for r in rows("out", "scores")} == {"ok"}
    same("whole", "out", "a variant that came later")
    os.utime("photos/v1_5.png", (1, 1))  # another time, the same picture
    audit("out")
    same("whole", "out", "a variant that was touched")
    shutil.copy("photos/v4_-5.png", "kept.png")
    shutil.copy("photos/v3_5.png", "photos/v4_-5.png")
    said = audit("out", status=3).stderr
    assert "v4_-5.png" in said and "changed since the run began" in said, said
    run("audit", "out")  # what was measured then can be read again
    same("whole", "out", "after a variant was replaced")
    os.remove("photos/v4_-5.png")
    assert "changed since the run began" in audit("out", status=3).stderr
    shutil.move("kept.png", "photos/v4_-5.png")
    audit("out")
    same("whole", "out", "the variant is back")


def test_what_is_refused():
    photographs(6)
    cases = [
        (["--doses", "skin=-5,5"], 2, "neutral dose"),
        (["--axis", "nobody:skin"], 2, "arm"),
        (["--axis", "nose"], 2, "there are"),
    ]
    for options, code, words in cases:
        said = audit("bad", *options, status=code).stderr
        assert words in said, said
        shutil.rmtree("bad", ignore_errors=True)
    audit("out", "--placebo", "none")
    said = audit("out", "--placebo", "hue", status=3).stderr
    assert "--placebo" in said, said


def test_one_sided_grids_groups_of_one_and_constant_scores():
    photographs(7)
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("base,file,group\n")
        for k in range(7):
            file.write(f"p{k},p{k}.png,{'' if k == 0 else 'alone' if k == 1 else 'rest'}\n")
    run("audit", "photos", "--manifest", "m.csv", "--scorer", "planted:offset=1", "--doses",
        "skin=0,5,10", *SMALL, "-o", "out")
    names = {r["name"] for r in readings("out")["readings"] if r.get("arm") == "skin"}
    assert "FI" in names, names
    fi = find("out", arm="skin", name="FI", condition="all doses")
    assert fi["verdict"] == "no answer", fi
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("base,file,cluster,group\n")
        for k in range(7):
            file.write(f"p{k},p{k}.png,c{k // 2},g{k % 2}\n")
    said = audit("vary", status=3).stderr
    assert "cluster" in said, said


main()
