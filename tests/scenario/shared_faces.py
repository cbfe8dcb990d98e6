"""Planted scorers are told apart on public portraits (label shared; pixels only)."""

import os
import sys

from scenario import find, main, readings, run

FACES = (
    os.path.abspath(os.path.join(sys.argv[2], "data", "faces", "large"))
    if len(sys.argv) > 2
    else ""
)


def test_planted_and_brisque():
    specs = [
        "planted:dose=1,noise=1",
        "planted:absdose=1,noise=1",
        "planted:noise=1",
        "planted:clip=1",
        "brisque:",
    ]
    arguments = [word for spec in specs for word in ("--scorer", spec)]
    run("audit", FACES, *arguments, "--boot-b", "999", "--perm-p", "999", "-o", "out")
    names = sorted({r["instrument"] for r in readings("out")["readings"] if r["instrument"]})

    def named(part):
        return [n for n in names if part in n][0]

    def verdict(instrument, name):
        return find(
            "out",
            family="fidelity",
            arm="skin",
            instrument=instrument,
            name=name,
            condition="all doses",
        )["verdict"]

    assert verdict(named("planted:dose"), "A") == "found"
    assert verdict(named("planted:dose"), "FI") in ("inconclusive", "negligible", "small")
    assert verdict(named("planted:absdose"), "FI") == "found"
    assert verdict(named("planted:noise"), "FI") in ("inconclusive", "negligible")
    assert verdict(named("planted:noise"), "A") in ("inconclusive", "negligible")
    assert verdict(named("brisque"), "FI") != "no answer"


if __name__ == "__main__":
    if not os.path.isdir(FACES):
        print("skipped: no shared faces")
        sys.exit(77)
    main()
