"""Two runs on photographs beside each other: tare compare (scorer audit 8)."""

import csv
import os
import shutil

from scenario import find, main, photographs, readings, run

QUICK = ["--boot-b", "499", "--perm-p", "99", "--strips", "0"]


def audit(folder, out, *specs, status=0):
    arguments = [word for spec in specs for word in ("--scorer", spec)]
    return run("audit", folder, *arguments, *QUICK, "-o", out, status=status)


def compare(a, b, *more, status=0):
    return run("compare", a, b, *QUICK[:4], *more, "-o", "out", status=status)


def cells(**wanted):
    with open("out/tables/transfer.tsv", encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    return [r for r in rows if all(r[k] == v for k, v in wanted.items())]


def caution():
    return " ".join(readings("out")["cautions"])


def test_other_photographs_are_independent():
    """One scorer, other photographs: doses are the same for all, so nothing differs."""
    photographs("first", 34)
    photographs("second", 34, first=40)
    audit("first", "a", "planted:dose=1")
    audit("second", "b", "planted:dose=1")
    shutil.rmtree("first")
    shutil.rmtree("second")
    compare("a", "b")
    (row,) = cells(reading="A")
    assert row["class"] == "unchanged" and row["confirmed"] == "", row
    assert float(row["difference"]) == 0 and row["reference"] == "a/skin", row
    assert "paired" not in row["marks"], row
    for arm in ("a", "b"):
        alone = find(arm, family="fidelity", arm="skin", name="A", condition="all doses")
        here = find("out", family="fidelity", arm=arm + "/skin", name="A", condition="all doses")
        assert alone["estimate"] == here["estimate"] and alone["lo"] == here["lo"], (alone, here)


def test_same_photographs_are_paired():
    """The same pixels under the same names: differences by photograph, and both ways round."""
    photographs("photos", 32)
    audit("photos", "a", "planted:absdose=1")
    audit("photos", "b", "planted:absdose=1", "brisque:")
    compare("a", "b")
    assert "Only b has scores of: brisque" in caution(), caution()
    (row,) = cells(reading="FI")
    assert "paired" in row["marks"] and row["n_base"] == "32", row
    assert float(row["difference"]) == 0 and float(row["ratio"]) == 1, row
    # Other photographs under the same names are no pairs.
    shutil.rmtree("photos")
    photographs("photos", 32, first=60)
    for k in range(32):
        os.rename(f"photos/photo-{k + 60}.jpg", f"photos/photo-{k:02d}.jpg")
    audit("photos", "c", "planted:absdose=1")
    compare("a", "c")
    (row,) = cells(reading="FI")
    assert "paired" not in row["marks"] and row["n_base"] == "64", row


def test_image_sizes_are_named():
    photographs("small", 8)
    photographs("large", 8, first=20, width=192, height=224)
    audit("small", "a", "planted:dose=1")
    audit("large", "b", "planted:dose=1")
    compare("a", "b")
    assert "are 96 to 96 pixels on their short side" in caution(), caution()
    assert "--prepare-size" in caution(), caution()


def test_other_settings_are_named():
    photographs("photos", 8)
    audit("photos", "a", "planted:dose=1")
    run("audit", "photos", "--scorer", "planted:dose=1", *QUICK, "--mask-set", "tight", "-o", "b")
    compare("a", "b")
    assert "differ in --mask-set (a: default; b: tight)" in caution(), caution()


def test_a_run_and_a_table():
    """The scores of a run as a table: the same numbers, and nobody vouches for the instrument."""
    photographs("photos", 12)
    audit("photos", "a", "planted:dose=1")
    with open("a/tables/used_scores.tsv", encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, delimiter="\t") if r["arm"] == "skin"]
    with open("b.csv", "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, ["base", "dose", "scorer", "score", "arm"])
        writer.writeheader()
        writer.writerows({k: r[k] for k in writer.fieldnames} for r in rows)
    compare("a", "b.csv", "--paired", "yes")
    (row,) = cells(reading="A")
    assert float(row["difference"]) == 0 and row["class"] == "unchanged", row
    assert "taken on trust" in caution(), caution()
    compare("a", "b.csv")
    assert "say --paired yes" in caution(), caution()


TURNS = "planted:arm=synthetic:0.02,arm=real:-0.003,base=1,noise=0.01"  # 15.6: -0.15 of the slope


def manifest(name, *kinds):
    """Photographs of each kind, 32 of them, in the folder of that name."""
    with open(name, "w", encoding="utf-8") as f:
        f.write("base,file,arm,kind\n")
        for kind in kinds:
            for k in range(32):
                number = k + 40 * (kind == "real")
                photo = f"{kind}/photo-{number:02d}.jpg"
                f.write(f"{kind}-{k:02d},{photo},{kind},{kind}\n")


def test_reversal_is_confirmed():
    """In one run with two arms, and the same from two runs."""
    photographs("synthetic", 32)
    photographs("real", 32, first=40)
    manifest("both.csv", "synthetic", "real")
    run("audit", ".", "--manifest", "both.csv", "--scorer", TURNS, *QUICK, "-o", "out")
    (row,) = cells(reading="A")
    assert row["class"] == "reversal" and row["confirmed"] == "confirmed", row
    assert row["reference"] == "synthetic/skin" and row["compared"] == "real/skin", row
    assert abs(float(row["ratio"]) - 0.15) < 0.05, row
    said = " ".join(readings("out")["answer"])
    assert "synthetic-arm effects do not transfer to real images" in said, said
    assert (row["operator"], row["grid"]) == ("skin", "v"), row
    shutil.rmtree("out")
    for kind in ("synthetic", "real"):
        manifest(kind + ".csv", kind)
        out = f"{kind}-run"
        run("audit", ".", "--manifest", kind + ".csv", "--scorer", TURNS, *QUICK, "-o", out)
    compare("synthetic-run", "real-run", "--label-a", "made", "--label-b", "taken")
    (two,) = cells(reading="A")
    assert two["reference"] == "made/synthetic/skin", two
    assert two["class"] == "reversal" and two["confirmed"] == "confirmed", two
    assert two["difference"] == row["difference"] and two["lo"] == row["lo"], (two, row)
    # The other way round the difference turns, and a seventh becomes a multiple.
    compare("real-run", "synthetic-run")
    (turned,) = cells(reading="A")
    assert float(turned["difference"]) == -float(row["difference"]), turned
    assert turned["class"] == "reversal" and float(turned["ratio"]) > 5, turned


def test_unfinished_runs_are_refused():
    photographs("photos", 8)
    audit("photos", "a", "planted:dose=1")
    os.mkdir("none")
    done = compare("a", "none", status=3)
    assert "no run" in done.stderr, done.stderr
    audit("photos", "stopped", "exec:/bin/false", status=None)
    done = compare("a", "stopped", status=3)
    assert "finish it with tare audit" in done.stderr, done.stderr
    done = compare("a", "./a/", status=2)
    assert "both inputs are the same" in done.stderr, done.stderr
    done = run("compare", "a", "stopped", "-o", "a", status=2)
    assert "its report would be lost" in done.stderr, done.stderr


if __name__ == "__main__":
    main()
