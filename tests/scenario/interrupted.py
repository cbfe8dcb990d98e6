"""Killed at any moment and started again, a run goes on where it was: the same bytes."""

import os
import random
import signal
import sqlite3
import subprocess
import time

from scenario import TARE, main, photographs, run, same

ARGUMENTS = [
    "--scorer",
    "brisque:",
    "--scorer",
    "planted:absdose=1,noise=0.5",
    "--boot-b",
    "199",
    "--perm-p",
    "199",
    "--batch",
    "4",
]


def start(folder):
    return subprocess.Popen(
        [TARE, "audit", "photos", *ARGUMENTS, "-o", folder],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_killed_at_ten_random_moments():
    photographs("photos", 30, width=160, height=190)
    began = time.time()
    run("audit", "photos", *ARGUMENTS, "-o", "whole")
    whole = time.time() - began
    moments = random.Random(11)
    killed = 0
    for trial in range(60):
        folder = f"killed{trial}"
        began = time.time()
        process = start(folder)
        try:
            process.wait(timeout=moments.uniform(0.02, whole * 0.95))
            whole = min(whole, time.time() - began)  # the machine has become faster
            continue
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
        run("audit", "photos", *ARGUMENTS, "-o", folder)
        same("whole", folder, f"killed at moment {trial}")
        if killed == 10:
            return
    raise AssertionError(f"only {killed} of 60 runs were still going when they were to be killed")


def test_interrupt_leaves_a_resumable_run():
    photographs("photos", 60, width=200, height=240)
    run("audit", "photos", *ARGUMENTS, "-o", "whole")
    process = start("stopped")
    while not os.path.exists("stopped/run.sqlite"):
        time.sleep(0.01)
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 5, f"exit {process.returncode}: {words}"
    assert "stopped" in words, words
    run("audit", "stopped")  # the folder alone is enough
    same("whole", "stopped", "interrupted")


def test_finished_run_is_reported_again_without_the_photographs():
    photographs("photos", 8)
    run("audit", "photos", *ARGUMENTS, "-o", "out")
    os.rename("photos", "gone")
    os.makedirs("before")
    for name in ("report.html", "readings.json", "readings.tsv"):
        os.rename(f"out/{name}", f"before/{name}")
    run("report", "out")
    for name in ("report.html", "readings.json", "readings.tsv"):
        assert open(f"out/{name}", "rb").read() == open(f"before/{name}", "rb").read(), name


def test_other_options_on_the_same_folder_are_refused():
    photographs("photos", 6)
    run("audit", "photos", *ARGUMENTS, "-o", "out")
    done = run("audit", "photos", *ARGUMENTS, "--mask-set", "tight", "-o", "out", status=3)
    assert "--mask-set" in done.stderr and "tight" in done.stderr, done.stderr
    photographs("photos", 1, first=90)
    done = run("audit", "photos", *ARGUMENTS, "-o", "out", status=3)
    assert "another output folder" in done.stderr, done.stderr


def half_done(folder, order):
    """A finished run becomes one of which the first four photographs are scored, and which says
    that it asks in this order (None: nothing, as earlier builds did)."""
    with sqlite3.connect(f"{folder}/run.sqlite") as db:
        db.execute("delete from score where base >= 4 or pass > 0")
        db.execute("delete from batch where pass > 0 or batch >= 16")  # 13 slots in fours: 4 each
        db.execute("delete from meta where key in ('instruments', 'slot.order')")
        if order:
            db.execute("insert into meta (key, value) values ('slot.order', ?)", (order,))
    db.close()


def places(folder):
    """Of each photograph: the place in its batch at which each slot was asked."""
    db = sqlite3.connect(f"{folder}/run.sqlite")
    rows = db.execute("select base, value from score where pass = 0 order by base, slot").fetchall()
    db.close()
    return [[value for base, value in rows if base == k] for k in range(8)]


def test_a_run_goes_on_in_the_order_in_which_it_began():
    photographs("photos", 8, width=48, height=56)
    arguments = ["audit", "photos", "--scorer", "planted:position=1", "--batch", "4", "--boot-b",
                 "199", "--perm-p", "199", "--strips", "0", "-o", "out"]
    by_slot = [float(k % 4) for k in range(13)]
    run(*arguments)
    drawn = places("out")
    assert len({tuple(x) for x in drawn}) == 8 and by_slot not in drawn, drawn
    assert all(sorted(x) == sorted(by_slot) for x in drawn), drawn
    half_done("out", "drawn")
    run(*arguments)
    assert places("out") == drawn
    half_done("out", None)
    run(*arguments)
    assert places("out") == drawn[:4] + [by_slot] * 4, places("out")
    half_done("out", "sideways")
    done = run(*arguments, status=3)
    assert "order" in done.stderr and "another folder" in done.stderr, done.stderr


if __name__ == "__main__":
    main()
