"""What an instrument adds of its own is measured for every back end, and nothing is claimed below
it (scorer audit 4, scorers 1.3)."""

import csv
import os
import sys

from scenario import find, main, photographs, readings, run

QUICK = ["--boot-b", "199", "--perm-p", "199"]

# A scorer with one fault each: of the mean grey value, or of one corner, which no edit touches. The
# images come as PNG files by path. The second word is the size of a batch.
PROGRAM = """
import itertools, json, struct, sys
import numpy
from PIL import Image
fault, batch = sys.argv[1], int(sys.argv[2])
calls = itertools.count()
sys.stdin.readline()
print(json.dumps({"name": fault, "version": "1", "fingerprint": fault,
                  "max_batch": batch, "image": "path"}), flush=True)
for line in sys.stdin:
    query, scores = json.loads(line), []
    call = next(calls)
    for place, item in enumerate(query["items"]):
        pixels = numpy.asarray(Image.open(item["image"]["path"])).astype(float) / 255
        score = float(pixels[0, 0].mean() if fault in ("corner", "warm") else pixels.mean())
        if fault == "noise":
            score += numpy.random.default_rng([call, place]).normal(0, 0.05)
        if fault == "place":
            score += 0.5 * place
        if fault == "corner":
            score += 0.01 * place
        if fault == "warm":
            score += 0.001 * call
        if fault == "half":
            score = float(numpy.float16(0.25 + score / 1000))
        if fault == "constant":
            score = 5.0
        scores.append({"key": item["key"], "score": score})
    print(json.dumps({"id": query["id"], "scores": scores}), flush=True)
"""


def program(fault, batch=4):
    if not os.path.exists("faulty.py"):
        open("faulty.py", "w", encoding="utf-8").write(PROGRAM)
    return f"exec:{sys.executable} faulty.py {fault} {batch}"


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
    # the neutral dose stands anywhere in its batch of four and first when it is alone
    shift, places = noise("place", "noise.shift"), neutral_places("place", "good")
    assert 0.5 < sum(places) / 12 < 2.5 and len(set(places)) > 2, places
    assert abs(shift["estimate"] - 0.5 * sum(places) / 12) < 1e-9, (shift, places)
    assert shift["marks"] == ["largest in: alone"], shift
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


def neutral_places(faulty, good):
    """The place of each neutral image in its batch, from what two instruments gave it."""
    first = {name: {r["base"]: float(r["score"]) for r in table("scores")
                    if r["scorer"] == name and r["arm"] == "skin" and float(r["dose"]) == 0}
             for name in (faulty, good)}
    return [round(2 * (first[faulty][base] - first[good][base])) for base in first[good]]


def table(name):
    with open(f"out/tables/{name}.tsv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_place_in_the_batch_is_no_preference():
    """Of an instrument that knows nothing else, nothing is found (scorer audit 15.6)."""
    nothing_is_found("planted:base=0.1,position=0.01", "planted:dose=0.001,base=1,position=0.01",
                     count=40)


def test_a_program_that_knows_its_place_or_warms_up():
    nothing_is_found(program("corner", 16), program("warm", 1), count=20)


def nothing_is_found(*specs, count):
    audit(*specs, count=count)
    names = {r["instrument"] for r in readings("out")["readings"]} - {""}
    assert len(names) == len(specs), names
    for name in names:
        assert noise(name, "noise.shift")["estimate"] > 0, name
        seen = [r for r in readings("out")["readings"] if r["instrument"] == name and
                r["family"] in ("fidelity", "regression", "bestofn", "placebo", "shape")]
        assert {"FI", "A", "beta", "net_drift", "FI_contrast"} <= {r["name"] for r in seen}, name
        found = [r for r in seen if r["verdict"] in ("found", "small")]
        assert not found, (name, found[0])
        for reading in ("FI", "A"):
            assert fidelity(name, reading)["reason"] == "below_resolution", (name, reading)


def test_a_step_is_a_floor_of_both_arms():
    """What the skin arm cannot resolve is lost in its contrast with a sham that stands still."""
    audit("planted:offset=0.27,fidelity=1e-5,fp16", count=40)
    name = max(r["instrument"] for r in readings("out")["readings"])
    fi = fidelity(name, "FI")
    for reading in ("FI_contrast", "FI_contrast_per_energy"):
        row = find("out", family="placebo", instrument=name, name=reading)
        assert row["reason"] == "below_resolution", row
    row = find("out", family="placebo", instrument=name, name="FI_contrast")
    assert row["floor"] == fi["floor"] == 2**-13, (row, fi)
    said = readings("out")["answer"]
    assert not any("no effect is lost" in s for s in said), said
    assert any("come in steps of about 0.000244: effects below about 0.000122" in s
               for s in said), said


# A scorer that dies for good at its n-th batch, or goes silent on what is asked alone.
MORTAL = """
import json, os, sys
most, calls = int(sys.argv[1]), 0
sys.stdin.readline()
if os.path.exists("dead"):
    os._exit(9)
print(json.dumps({"name": "mortal", "version": "1", "fingerprint": "m", "max_batch": 16}),
      flush=True)
for line in sys.stdin:
    query, calls = json.loads(line), calls + 1
    if calls > most:
        open("dead", "w").close()
        os._exit(9)
    scores = [{"key": i["key"], "score": 0.01 * len(i["key"])} for i in query["items"]]
    print(json.dumps({"id": query["id"], "scores": scores}), flush=True)
"""


def test_an_instrument_that_died():
    open("mortal.py", "w", encoding="utf-8").write(MORTAL)
    audit(f"exec:{sys.executable} mortal.py 2", "planted:dose=1,base=1", count=8)
    result = readings("out")
    sd = noise("mortal", "noise.sd")
    assert sd["n_base"] == 1 and sd["n_missing"] == {"scorer_error": 7}, sd
    said = result["answer"] + result["cautions"]
    assert not any("mortal" in s and "no effect is lost" in s for s in said), said
    part = "mortal: noise measured on 1 of 8 images and 1 of 4 configurations only"
    assert any(s.startswith(part) for s in result["cautions"]), result["cautions"]
    died = [s for s in result["cautions"] if s.startswith("mortal gave no score for ")]
    assert len(died) == 1 and "of 104 images (scorer error); the first: " in died[0], died
    assert "given up" in died[0], died
    assert not any(s.startswith("planted") and "gave no score" in s for s in said), said


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
    assert all(r["floor"] is None for r in of("base=3") if r["arm"] == "skin"), answered[:1]
    assert any(r["floor"] == 0 for r in of("base=4")), of("base=4")[:1]
    assert not any("noise floor unknown" in r["marks"] for r in of("base=4"))
    run("audit", "scores.tsv", *QUICK, "-o", "third")  # and alone
    rows = [r for r in readings("third")["readings"] if r["verdict"] in ("found", "small")]
    assert rows and all("noise floor unknown" in r["marks"] for r in rows), rows[:1]
    assert all(r["floor"] is None for r in rows), rows[:1]


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
