"""Plants and their innocent twins through the whole program, in the short form: every rate as
planned, the same bytes for any number of threads and after a stop, the user's own photographs, and
words for designs that cannot work.
"""

import csv
import os
import signal
import subprocess
import time

from scenario import TARE, main, photographs, run, same


def rates(folder):
    with open(f"{folder}/tables/validate.tsv", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def test_every_rate_is_as_planned():
    run("validate", "--trials", 12, "-o", "out")
    rows = rates("out")
    assert len(rows) >= 30
    wrong = [(r["plant"], r["claim"], r["hits"]) for r in rows if r["as_planned"] == "no"]
    assert not wrong, wrong
    assert all(int(r["trials"]) == 12 for r in rows), "a claim without a reading"
    # One rate of 12 trials sees little; all of a kind together see more. Four binomial standard
    # errors are .11 and .06 for these numbers of claims.
    for kind, low, high in (("detection", 0.85, 1), ("false positives", 0, 0.1)):
        mine = [r for r in rows if r["kind"] == kind]
        share = sum(int(r["hits"]) for r in mine) / (12 * len(mine))
        assert low <= share <= high, (kind, share)
    assert os.path.exists("out/report.html")
    with open("out/tables/trials.tsv", newline="") as f:
        trials = list(csv.DictReader(f, delimiter="\t"))
    for r in rows:  # every rate can be counted again
        hits = [t for t in trials if t["plant"] == r["plant"] and t["claim"] == r["claim"]]
        assert len(hits) == 12 and sum(t["holds"] == "yes" for t in hits) == int(r["hits"]), r


def test_threads_and_a_stop_change_nothing():
    run("validate", "--trials", 3, "--threads", 1, "-o", "one")
    stopped = subprocess.Popen(
        [TARE, "validate", "--trials", "3", "--threads", "2", "-o", "two"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.time() + 60
    while not os.path.exists("two/trials/00001.csv") and time.time() < deadline:
        time.sleep(0.01)
    stopped.send_signal(signal.SIGINT)
    assert stopped.wait(60) != 0, "it was not stopped"
    assert not os.path.exists("two/report.html")
    run("validate", "--trials", 3, "--threads", 2, "-o", "two")
    for name in ("readings.tsv", "tables/validate.tsv", "tables/trials.tsv"):
        assert open(f"one/{name}").read() == open(f"two/{name}").read(), name


def test_photographs_of_the_user():
    photographs("photos", 62, kind="png", width=64, height=72)
    run("validate", "photos", "--trials", 2, "-o", "out")
    assert all(int(r["trials"]) == 2 for r in rates("out"))
    assert not os.path.exists("out/photos"), "nothing is drawn then"


def test_designs_that_cannot_work():
    photographs("few", 5)
    done = run("validate", "few", "-o", "out", status=None)
    assert done.returncode == 2 and "5 photographs are not enough" in done.stderr, done.stderr
    assert run("validate", status=None).returncode == 2
    run("validate", "--trials", 1, "-o", "one")
    done = run("validate", "--trials", 1, "--side", 96, "-o", "one", status=None)
    assert done.returncode == 2 and "another design" in done.stderr, done.stderr
    assert run("validate", "--pool", 20, "-o", "new", status=None).returncode == 2
    assert not os.path.exists("new"), "nothing is written before the design is known to work"
    assert run("validate", "nowhere", "-o", "out", status=None).returncode == 2


main()
