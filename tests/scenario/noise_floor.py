"""What an instrument adds of its own is measured for every back end, and nothing is claimed below
it (scorer audit 4, scorers 1.3)."""

import csv
import os
import sys

from scenario import find, main, photographs, readings, run

QUICK = ["--boot-b", "199", "--perm-p", "199"]

# A scorer of the mean grey value with one fault each. The images come as PNG files by path.
PROGRAM = """
import itertools, json, struct, sys
import numpy
from PIL import Image
fault = sys.argv[1]
calls = itertools.count()
sys.stdin.readline()
print(json.dumps({"name": fault, "version": "1", "fingerprint": fault, "max_batch": 4,
                  "image": "path"}), flush=True)
for line in sys.stdin:
    query, scores = json.loads(line), []
    call = next(calls)
    for place, item in enumerate(query["items"]):
        score = float(numpy.asarray(Image.open(item["image"]["path"])).mean()) / 255
        if fault == "noise":
            score += numpy.random.default_rng([call, place]).normal(0, 0.05)
        if fault == "place":
            score += 0.5 * place
        if fault == "half":
            score = float(numpy.float16(0.25 + score / 1000))
        if fault == "constant":
            score = 5.0
        scores.append({"key": item["key"], "score": score})
    print(json.dumps({"id": query["id"], "scores": scores}), flush=True)
"""


def program(fault):
    if not os.path.exists("faulty.py"):
        open("faulty.py", "w", encoding="utf-8").write(PROGRAM)
    return f"exec:{sys.executable} faulty.py {fault}"


def audit(*specs, folder="out", count=12):
    photographs("photos", count, width=48, height=56)
    arguments = [word for spec in specs for word in ("--scorer", spec)]
    run("audit", "photos", *arguments, *QUICK, "--strips", 0, "-o", folder)


def noise(instrument, name, arm="skin"):
    return find("out", family="noise", arm=arm, instrument=instrument, name=name)


def fidelity(instrument, name):
    return find("out", family="fidelity", arm="skin", instrument=instrument, name=name,
                condition="all doses")


def test_programs():
    faults = ("good", "noise", "place", "half", "constant")
    audit(*(program(fault) for fault in faults))
    assert noise("good", "noise.sd")["estimate"] == 0 == noise("good", "noise.shift")["estimate"]
    assert fidelity("good", "A")["verdict"] == "found", fidelity("good", "A")
    # sd .05 of 12 images in 5 passes; floor 2 sd sqrt(v/N) with v = 2/3 for A
    sd = noise("noise", "noise.sd")["estimate"]
    assert 0.03 < sd < 0.07, sd
    floor = max(noise("noise", "noise.shift")["estimate"], 2 * sd * (2 / 3 / 12) ** 0.5)
    assert abs(fidelity("noise", "A")["floor"] - floor) < 1e-12, (fidelity("noise", "A"), floor)
    # the neutral dose stands last in its batch of four and first when it is alone
    shift = noise("place", "noise.shift")
    assert abs(shift["estimate"] - 1.5) < 1e-9 and shift["marks"] == ["largest in: alone"], shift
    for name in ("FI", "A"):
        assert fidelity("place", name)["reason"] == "below_resolution", fidelity("place", name)
    half = noise("half", "noise.quantum")
    assert half["marks"] == ["half precision output"] and half["estimate"] >= 2**-12, half
    assert noise("good", "noise.quantum")["marks"] == []
    assert fidelity("constant", "FI")["reason"] == "degenerate", fidelity("constant", "FI")
    columns = open("out/tables/noise.tsv", encoding="utf-8").readline().split()
    assert {"estimate", "n_base", "floor", "verdict"} <= set(columns), columns
    names = {row["reading"] for row in table("noise")}
    assert {"noise.sd", "noise.shift", "noise.quantum"} <= names, names


def table(name):
    with open(f"out/tables/{name}.tsv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_planted_and_brisque():
    half = "planted:offset=0.27,absdose=0.00001,fp16"
    audit("brisque:", half, "planted:noise=1", "planted:constant=3", "planted:position=0.01")
    names = {r["instrument"] for r in readings("out")["readings"]}
    named = lambda part: next(n for n in names if part in n)
    for part in ("brisque", "noise", "constant", "fp16"):
        assert noise(named(part), "noise.shift")["estimate"] == 0, part
    assert noise(named("fp16"), "noise.quantum")["marks"] == ["half precision output"]
    assert fidelity(named("fp16"), "FI")["reason"] == "below_resolution"
    assert fidelity(named("constant"), "FI")["reason"] == "degenerate"
    assert noise(named("position"), "noise.shift")["estimate"] > 0
    assert fidelity(named("position"), "FI")["reason"] == "below_resolution"


def test_tables_say_that_the_floor_is_unknown():
    audit("planted:dose=1,base=3")
    os.rename("out/tables/scores.tsv", "scores.tsv")
    os.rename("out", "first")
    audit("table:scores.tsv", "planted:dose=1,base=4")  # an instrument that is named by its table
    of = lambda part: [r for r in readings("out")["readings"] if part in r["instrument"]]
    answered = [r for r in of("base=3") if r["verdict"] not in ("no answer", "descriptive")]
    assert answered and all("noise floor unknown" in r["marks"] for r in answered), answered[:1]
    assert not any("noise floor unknown" in r["marks"] for r in of("base=4"))
    run("audit", "scores.tsv", *QUICK, "-o", "third")  # and alone
    rows = [r for r in readings("third")["readings"] if r["verdict"] in ("found", "small")]
    assert rows and all("noise floor unknown" in r["marks"] for r in rows), rows[:1]


def test_probabilities_that_are_saturated():
    with open("scores.csv", "w", encoding="utf-8") as file:
        file.write("base,dose,scorer,score\n")
        for base in range(10):
            for dose in (-5, 0, 5):
                sure = 1 - 1e-7 * (base + 1) if dose == 0 else 0.5 + 0.01 * base
                file.write(f"b{base},{dose},high,{sure}\nb{base},{dose},low,{1 - sure}\n")
                file.write(f"b{base},{dose},wide,{sure + (base == 3 and dose == 5)}\n")
                file.write(f"b{base},{dose},open,{0.5 + 0.04 * base + 0.01 * dose}\n")
    run("audit", "scores.csv", *QUICK, "-o", "out")
    said = [w.split(":")[0] for w in readings("out")["cautions"] if "saturated" in w]
    assert sorted(said) == ["high", "low"], readings("out")["cautions"]


if __name__ == "__main__":
    main()
