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
    wrong = [(r["plant"], r["claim"], r["hits"]) for r in rows if r["as_planned"] != "yes"]
    assert not wrong, wrong
    assert all(int(r["trials"]) == 12 for r in rows), "a claim without a reading"
    assert os.path.exists("out/report.html")


def test_threads_and_a_stop_change_nothing():
    run("validate", "--trials", 4, "--threads", 1, "-o", "one")
    stopped = subprocess.Popen(
        [TARE, "validate", "--trials", "4", "--threads", "2", "-o", "two"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.time() + 60
    while not os.path.exists("two/trials/00001.csv") and time.time() < deadline:
        time.sleep(0.01)
    stopped.send_signal(signal.SIGINT)
    assert stopped.wait(60) != 0, "it was not stopped"
    assert not os.path.exists("two/report.html")
    run("validate", "--trials", 4, "--threads", 2, "-o", "two")
    for name in ("readings.tsv", "tables/validate.tsv"):
        assert open(f"one/{name}").read() == open(f"two/{name}").read(), name


def test_photographs_of_the_user():
    photographs("photos", 32, kind="png")
    run("validate", "photos", "--trials", 2, "-o", "out")
    assert all(int(r["trials"]) == 2 for r in rates("out"))
    assert not os.path.exists("out/photos"), "nothing is drawn then"


def test_designs_that_cannot_work():
    photographs("few", 5)
    done = run("validate", "few", "-o", "out", status=None)
    assert done.returncode == 2 and "5 photographs are not enough" in done.stderr, done.stderr
    assert run("validate", status=None).returncode == 2
    assert run("validate", "nowhere", "-o", "out", status=None).returncode == 2


main()
