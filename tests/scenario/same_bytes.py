"""The same bytes for any number of threads, any order of files and any place of the folder."""

import os
import random
import shutil

from scenario import main, photographs, run, same

SCORERS = [
    "--scorer",
    "brisque:",
    "--scorer",
    "planted:absdose=1,noise=0.5",
    "--scorer",
    "planted:attribute=0.02,position=0.001",
]
QUICK = ["--boot-b", "499", "--perm-p", "499"]


def test_threads():
    photographs("photos", 9)
    for threads in (1, 2, 3, 8):
        run(
            "audit",
            "photos",
            *SCORERS,
            *QUICK,
            "--batch",
            4,
            "--threads",
            threads,
            "-o",
            f"out{threads}",
        )
    for threads in (2, 3, 8):
        same("out1", f"out{threads}", f"1 and {threads} threads")


def test_order_and_place_of_files():
    photographs("photos", 9)
    run("audit", "photos", *SCORERS, *QUICK, "-o", "out")
    names = sorted(os.listdir("photos"))
    random.Random(1).shuffle(names)
    os.makedirs("elsewhere/deep")
    for name in names:  # another order of creation, other inodes, another path
        shutil.copy(f"photos/{name}", f"elsewhere/deep/{name}")
    run("audit", "elsewhere/deep/", *SCORERS, *QUICK, "-o", "elsewhere/out")
    same("out", "elsewhere/out", "shuffled files")


def test_adding_a_scorer_changes_no_reading_of_the_others():
    import json

    photographs("photos", 8)
    run("audit", "photos", "--scorer", "planted:absdose=1,noise=0.5", *QUICK, "-o", "one")
    run("audit", "photos", *SCORERS, *QUICK, "-o", "three")
    pick = lambda folder: [
        dict(r, q=None, q_by=None, q_maxt=None, grid=None, verdict=None, words=None, marks=None)
        for r in json.load(open(f"{folder}/readings.json"))["readings"]
        if r["instrument"].startswith("planted:absdose")
    ]
    assert pick("one") == pick("three")


def test_adding_a_photograph_changes_no_score_of_the_others():
    photographs("photos", 8, first=2)
    run("audit", "photos", *SCORERS, *QUICK, "--batch", 4, "-o", "eight")
    photographs("photos", 2)  # sorted before the others
    run("audit", "photos", *SCORERS, *QUICK, "--batch", 4, "-o", "ten")
    eight = set(open("eight/tables/scores.tsv", encoding="utf-8").read().splitlines())
    ten = set(open("ten/tables/scores.tsv", encoding="utf-8").read().splitlines())
    assert len(ten) > len(eight) and eight < ten, sorted(eight - ten)[:3]


if __name__ == "__main__":
    main()
