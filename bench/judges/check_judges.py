"""check_judges.py RUN VALUES: do tare's readings in folder RUN and the values a peer printed
("check", name, value) say the same? Names with ~ come from different random draws: within 8 %;
all others to 1e-9. Prints how many were compared and exits 1 on a difference."""
import csv
import sys
from statistics import fmean


def table(name):
    with open(f"{sys.argv[1]}/{name}", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


readings, regression = table("readings.tsv"), table("tables/regression.tsv")
ARM = next(r["arm"] for r in readings if r["family"] == "cells")


def of(family, name, column="estimate", arm=ARM, condition=None, own=False):
    rows = [r for r in readings if (r["family"], r["name"], r["arm"]) == (family, name, arm)
            and condition in (None, r["condition"])
            and (not own or r["instrument"] == r["condition"])]
    return fmean(float(r["hi"]) - float(r["lo"]) if column == "width" else float(r[column])
                 for r in rows)


def term(form, name, column):
    return fmean(float(r[column]) for r in regression
                 if (r["setting"], r["form"], r["term"]) == (ARM, form, name))


BETWEEN = next(r["arm"] for r in readings if r["family"] == "settings")
POOLED = "with gold, pooled"
known = {
    "R of self cells": lambda: of("cells", "R", own=True),
    "Phi~ of self cells": lambda: of("cells", "Phi~", own=True),
    "D_z": lambda: of("self", "D_z"),
    "author F": lambda: of("reliability", "F_author"),
    "D without a judge, least": lambda: of("leave-one-judge-out", "D_least"),
    "Phi~ without a judge, most": lambda: of("leave-one-judge-out", "Phi~_most"),
    "verdict holds": lambda: of("leave-one-judge-out", "verdict_holds"),
    "self with gold": lambda: term("with gold", "self", "estimate"),
    "self with gold, SE": lambda: term("with gold", "self", "se"),
    "severity, SE": lambda: term("with gold", "severity", "se"),
    "self with gold, HC0 SE": lambda: term("with gold", "self", "se_hc0"),
    "self pooled": lambda: term(POOLED, "self", "estimate"),
    "self pooled, SE": lambda: term(POOLED, "self", "se"),
    "self additive": lambda: term("additive", "self", "estimate"),
    "self additive, SE": lambda: term("additive", "self", "se"),
    "self over models, SE": lambda: of("models", "pooled self effect", "se",
                                       condition="more models"),
    "residual component": lambda: of("variance", "component", condition="residual"),
    "judge component": lambda: of("variance", "component", condition="judge"),
    "D between settings": lambda: of("settings", "D", arm=BETWEEN),
    "~ width of R": lambda: of("cells", "R", "width"),
    "~ width of R between settings": lambda: of("settings", "R", "width", arm=BETWEEN),
    "~ SE of mean D over both": lambda: of("models", "mean D", "se",
                                           condition="two-way")}
compared, bad = 0, 0
for line in open(sys.argv[2]):
    kind, name, *value = line.rstrip("\n").split("\t")
    if kind != "check":
        continue
    mine, theirs = known[name](), float(value[0])
    allowed = .08 if name.startswith("~") else 1e-9
    compared += 1
    if not abs(mine - theirs) <= allowed * abs(mine):
        bad += 1
        print(f"{name}: {mine!r} and {theirs!r}", file=sys.stderr)
print(f"{compared - bad}/{compared}")
sys.exit(bad > 0)
