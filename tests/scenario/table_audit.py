"""Score tables that somebody else made: any names and order; what is wrong is said where."""

import csv
import os
import random
import subprocess

import scenario
from scenario import find, main, readings, run

QUICK = ["--boot-b", "999", "--perm-p", "999"]
DOSES = [-15, -10, -5, 0, 5, 10, 15]


def toy():
    """The toy table of scorer audit 15.5: 6 bases x 7 doses, all exact."""
    rows = []
    for i in range(1, 7):
        for j, dose in enumerate(DOSES):
            score = ((7 * i * i + 11 * j * j + 3 * i * j) % 17) / 10
            attribute = 10 + 2 * dose + i + ((5 * i + 3 * j) % 7) / 10
            artifact = 0 if j == 3 else ((i + 2 * j) % 5) / 20
            rows.append([str(i), dose, "toy", score, attribute, artifact])
    return rows


HEADER = ["base", "dose", "scorer", "score", "attribute", "artifact"]


def write(path, rows, header=HEADER, separator=","):
    with open(path, "w", encoding="utf-8") as file:
        for row in [header, *rows]:
            file.write(separator.join("" if cell is None else str(cell) for cell in row) + "\n")


def close(got, want):
    assert abs(got - want) <= 1e-9 * abs(want) + 1e-12, (got, want)


def test_toy_table():
    write("scores.csv", toy())
    run("audit", "scores.csv", *QUICK, "-o", "out")
    # scorer audit 15.5, exact
    for condition, values in (
        ("all doses", (1 / 30, -1 / 4, 13 / 120, -17 / 60)),
        ("extreme doses", (-1 / 60, -3 / 10, 19 / 120, -17 / 60)),
    ):
        for name, value in zip(("N", "P", "FI", "A"), values):
            close(find("out", family="fidelity", name=name, condition=condition)["estimate"], value)
    close(find("out", family="bestofn", name="net_drift", unit="dose")["estimate"], -89 / 42)


def test_rows_in_another_order_and_tabs():
    rows = toy()
    write("a.csv", rows)
    random.Random(3).shuffle(rows)
    write("b.tsv", rows, separator="\t")
    run("audit", "a.csv", *QUICK, "-o", "a")
    run("audit", "b.tsv", *QUICK, "-o", "b")
    for name in ("readings.json", "readings.tsv"):
        a, b = open(f"a/{name}").read(), open(f"b/{name}").read()
        assert a.replace("a.csv", "") == b.replace("b.tsv", ""), name


def test_columns_by_role():
    write("s.csv", toy(), ["photo", "shift", "model", "points", "ita", "clip"])
    run(
        "audit",
        "s.csv",
        *QUICK,
        "--base",
        "photo",
        "--dose",
        "shift",
        "--scorer",
        "model",
        "--score",
        "points",
        "--attribute",
        "ita",
        "--artifact",
        "clip",
        "-o",
        "out",
    )
    close(find("out", family="fidelity", name="FI", condition="all doses")["estimate"], 13 / 120)


def test_missing_column():
    write("s.csv", [row[:3] for row in toy()], HEADER[:3])
    done = run("audit", "s.csv", *QUICK, status=3)
    assert "score" in done.stderr and "s.csv" in done.stderr, done.stderr


def test_nan_is_missing_and_counted():
    rows = toy()
    rows[9][3] = "NaN"
    write("s.csv", rows)
    run("audit", "s.csv", *QUICK, "-o", "out")
    got = find("out", family="fidelity", name="FI", condition="all doses")
    assert got["n_base"] == 5 and sum(got["n_missing"].values()) == 1, got


def test_bad_number_says_where():
    rows = toy()
    rows[4][3] = "great"
    write("s.csv", rows)
    done = run("audit", "s.csv", *QUICK, status=3)
    assert "s.csv:6" in done.stderr, done.stderr


def test_duplicates():
    rows = toy()
    write("same.csv", rows + [rows[5]])
    run("audit", "same.csv", *QUICK, "-o", "out")
    close(find("out", family="fidelity", name="FI", condition="all doses")["estimate"], 13 / 120)
    write("other.csv", rows + [rows[5][:3] + [9.5] + rows[5][4:]])
    done = run("audit", "other.csv", *QUICK, status=3)
    assert "other.csv:44" in done.stderr and "7" in done.stderr, done.stderr


def test_base_without_dose_0():
    rows = [row for row in toy() if not (row[0] == "2" and row[1] == 0)]
    write("s.csv", rows)
    run("audit", "s.csv", *QUICK, "-o", "out")
    assert any(
        row["reason"] == "no_neutral" and row["count"] == 1 for row in readings("out")["missing"]
    ), readings("out")["missing"]


def test_one_base():
    write("s.csv", [row for row in toy() if row[0] == "1"])
    run("audit", "s.csv", *QUICK, "-o", "out")
    got = find("out", family="fidelity", name="FI", condition="all doses")
    assert got["verdict"] == "no answer" and got["reason"] == "too_few_clusters", got
    close(got["estimate"], 8 / 15)


def test_empty_table():
    open("s.csv", "w").write("")
    assert "s.csv" in run("audit", "s.csv", *QUICK, status=3).stderr
    write("s.csv", [])
    assert "s.csv" in run("audit", "s.csv", *QUICK, status=3).stderr


def test_no_score_at_all_is_exit_4():
    write("s.csv", [row[:3] + [""] + row[4:] for row in toy()])
    done = run("audit", "s.csv", *QUICK, status=4)
    assert "no row has a score" in done.stderr, done.stderr


def test_not_utf8():
    open("s.csv", "wb").write(b"base,dose,scorer,score\ncaf\xe9,0,x,1\n")
    done = run("audit", "s.csv", *QUICK, status=3)
    assert "s.csv:2" in done.stderr, done.stderr


def test_options_for_photographs_are_refused():
    write("s.csv", toy())
    for option, value in (("--mask-set", "tight"), ("--manifest", "s.csv"), ("--prompt", "x")):
        done = run("audit", "s.csv", option, value, *QUICK, status=2)
        assert option[2:] in done.stderr, done.stderr


def test_two_at_once_do_not_mix():
    """Whoever ends last is there, whole; neither fails."""
    write("scores.csv", toy())
    command = [scenario.TARE, "audit", "scores.csv", "--boot-b", "99", "--perm-p", "99", "-q"]
    for _ in range(8):
        both = [
            subprocess.Popen([*command, "-o", "out", "--seed", seed], stdout=subprocess.DEVNULL)
            for seed in ("1", "2")
        ]
        assert [p.wait() for p in both] == [0, 0]
        seeds = {str(r["seed"]) for r in readings("out")["readings"]}
        with open("out/readings.tsv", encoding="utf-8") as file:
            seeds |= {row["seed"] for row in csv.DictReader(file, delimiter="\t")}
        assert len(seeds - {""}) == 1, seeds
    assert not [f for _, _, files in os.walk("out") for f in files if ".tmp" in f]


def test_perturb_score_audit_by_hand():
    """perturb here, score elsewhere, audit the table: as good as in one go."""
    from scenario import photographs

    photographs("photos", 8)
    run("perturb", "photos", "-o", "variants")
    run("score", "variants/tables/variants.tsv", "--scorer", "brisque:", "-o", "scores")
    run(
        "audit", "scores/tables/scores.tsv", "--lower-is-better", "brisque", *QUICK, "-o", "by-hand"
    )
    run("audit", "photos", "--scorer", "brisque:", *QUICK, "-o", "at-once")
    for name in ("N", "P", "FI", "A"):
        a = find("by-hand", family="fidelity", arm="skin", name=name, condition="all doses")
        b = find("at-once", family="fidelity", arm="skin", name=name, condition="all doses")
        assert a["estimate"] == b["estimate"] and a["lo"] == b["lo"], (
            name,
            a["estimate"],
            b["estimate"],
        )


if __name__ == "__main__":
    main()
