"""Run folders and manifests as users and strangers leave them: nothing lingers or is believed."""

import os
import sqlite3
import sys

from scenario import find, main, photographs, readings, run

QUICK = ["--boot-b", "199", "--perm-p", "199"]
SCORER = ["--scorer", "planted:absdose=1,noise=0.1"]


GOOD = """
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    if q["op"] == "hello":
        print(json.dumps({"name": "tester", "version": "1", "fingerprint": "f"}), flush=True)
        continue
    scores = [{"key": i["key"], "score": len(i["image"]["png"]) / 100} for i in q["items"]]
    print(json.dumps({"id": q["id"], "scores": scores}), flush=True)
"""


def audit(*more, status=0, folder="out"):
    return run("audit", "photos", *SCORER, *QUICK, *more, "-o", folder, status=status)


def facts(folder="out"):
    return {(f["section"], f["key"]): f["value"] for f in readings(folder)["facts"]}


def test_options_of_an_earlier_command_do_not_linger():
    photographs("photos", 8)
    audit("--alpha", "0.2")
    audit()
    before = open("out/readings.json").read()
    run("report", "out")
    assert open("out/readings.json").read() == before


def test_own_score_table_read_back_as_a_scorer():
    """table: finds every score of the run that made it, in all arms, the sham's replicates too."""
    photographs("photos", 8)
    audit()
    name = readings("out")["readings"][0]["instrument"]
    table = f"table:out/tables/scores.tsv#{name}"
    run("audit", "photos", "--scorer", table, *QUICK, "-o", "again")
    rows = [r for r in readings("again")["readings"] if r["family"] == "fidelity"]
    assert rows
    for row in rows:
        same = find(
            "out", family="fidelity", arm=row["arm"], name=row["name"], condition=row["condition"]
        )
        assert row["estimate"] == same["estimate"], (row["arm"], row["name"])


def test_arms_of_a_manifest_reach_the_scorer():
    photographs("photos", 16)
    with open("bases.csv", "w") as file:
        file.write("base,file,arm,kind,sex\n")
        for k in range(16):
            arm = "real" if k % 2 else "made"
            file.write(
                f"b{k},photo-{k:02d}.jpg,{arm},{'real' if k % 2 else 'synthetic'},x{k % 2}\n"
            )
    run(
        "audit",
        "photos",
        "--manifest",
        "bases.csv",
        "--scorer",
        "planted:arm=real:1,base=1",
        *QUICK,
        "-o",
        "out",
    )
    for arm, slope in (("real/skin", 20), ("made/skin", 0)):
        got = find("out", family="fidelity", arm=arm, name="A", condition="all doses")["estimate"]
        assert abs(got - slope) < 1e-9, (arm, got)
    page = open("out/report.html", encoding="utf-8").read()
    assert "sex" in page and "not used" in page
    run(
        "audit",
        "photos",
        "--manifest",
        "bases.csv",
        "--group",
        "sex",
        "--scorer",
        "planted:base=1,noise=1",
        *QUICK,
        "-o",
        "grouped",
    )
    assert "not used: sex" not in open("grouped/report.html", encoding="utf-8").read()
    done = run(
        "audit", "photos", "--manifest", "bases.csv", "--group", "age", *SCORER, "-o", "x", status=2
    )
    assert "age" in done.stderr, done.stderr


def test_column_options_are_for_tables():
    photographs("photos", 2)
    done = audit("--attribute", "ita", status=2)
    assert "attribute" in done.stderr, done.stderr


def test_table_does_not_overwrite_a_run():
    photographs("photos", 7)
    audit()
    page = open("out/report.html").read()
    done = run("audit", "out/tables/scores.tsv", *QUICK, "-o", "out", status=2)
    assert "run" in done.stderr and open("out/report.html").read() == page


def test_finished_run_needs_no_instrument_and_no_cpu():
    photographs("photos", 7)
    open("scorer.py", "w").write(GOOD)
    run("audit", "photos", "--scorer", f"exec:{sys.executable} scorer.py", *QUICK, "-o", "out")
    before = {n: open(f"out/{n}", "rb").read() for n in ("readings.json", "report.html")}
    os.remove("scorer.py")
    db = sqlite3.connect("out/run.sqlite")
    db.execute("UPDATE meta SET value = replace(value, 'x86', 'other') WHERE key LIKE '%runtime'")
    db.commit()
    run("report", "out")
    for name, seen in before.items():
        assert open(f"out/{name}", "rb").read() == seen, name
    db.execute("DELETE FROM batch WHERE batch = 1")
    db.commit()
    db.close()
    assert "scores are missing" in run("report", "out", status=3).stderr


def test_tampered_scores_are_refused():
    photographs("photos", 7)
    for value in ("NULL", "'many'"):
        audit(folder=f"out{value[:2]}")
        db = sqlite3.connect(f"out{value[:2]}/run.sqlite")
        db.execute(f"UPDATE score SET value = {value} WHERE base = 1 AND slot = 2")
        db.commit()
        db.close()
        done = run("report", f"out{value[:2]}", status=3)
        assert "neither a number nor a reason" in done.stderr, done.stderr


def test_names_in_a_run_folder_are_no_paths():
    photographs("photos", 7)
    audit()
    open("secret.png", "wb").write(b"not yours")
    db = sqlite3.connect("out/run.sqlite")
    keys = db.execute(
        "UPDATE meta SET value = '../../secret' WHERE key LIKE 'file.strip.%'"
    ).rowcount
    db.commit()
    db.close()
    assert keys > 0
    done = run("report", "out", status=3)
    assert "no SHA-256" in done.stderr, done.stderr


def test_replaced_photograph_is_noticed_on_a_finished_run():
    photographs("photos", 8)
    audit()
    os.utime("photos/photo-02.jpg")  # the same bytes, another time: no matter
    audit()
    os.replace("photos/photo-03.jpg", "photos/photo-02.jpg")
    photographs("photos", 1, first=3)
    done = audit(status=3)
    assert "photo-02.jpg" in done.stderr and "changed" in done.stderr, done.stderr


def test_changed_picture_is_noticed():
    photographs("photos", 7)
    audit()
    for root, _, files in os.walk("out/blobs"):
        for name in files:
            open(os.path.join(root, name), "ab").write(b"x")
    done = run("report", "out", status=3)
    assert "not what its name says" in done.stderr, done.stderr


if __name__ == "__main__":
    main()
