"""fault_calls.py PROGRAM LIBRARY: the system refuses one call in turn through whole commands.

preload_faults.c makes the k-th read, or the k-th write, of a file below the scratch folder fail.
Every such run ends with an error that names a file, or counts what it could not read; its numbers
for all else are right; and the same command without faults then ends with the bytes of an
undisturbed run.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenario"))
from scenario import TARE, main, photographs, results  # noqa: E402

LIBRARY = os.path.abspath(sys.argv[2])
READS, WRITES = "open read pread", "create write pwrite sync rename truncate mkdir"
EVERY, THEN = 100, 32  # the first calls one by one, then one in so many
AUDIT = ["audit", "photos", "--scorer", "planted:absdose=1,noise=0.5", "--boot-b", "99",
         "--perm-p", "99", "--threads", "1"]


def start(arguments, calls="", k=0, kind="EIO"):
    """The finished process, how many calls were counted, and which failed ("" for none)."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as note:
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, TARE_FAULT_BELOW=os.getcwd() + "/",
                           TARE_FAULT_CALLS=calls, TARE_FAULT_AT=str(k), TARE_FAULT_KIND=kind,
                           TARE_FAULT_NOTE=note.name)
        done = subprocess.run([TARE, *arguments], capture_output=True, text=True, timeout=120,
                              env=environment, check=False)
        with open(note.name, encoding="utf-8") as file:
            count, _, failed = file.read().strip().partition(" ")
    return done, int(count or 0), failed


def unreadable(folder):
    with open(os.path.join(folder, "readings.json"), encoding="utf-8") as file:
        rows = json.load(file)["missing"]
    return sum(r["count"] for r in rows if r["reason"] == "unreadable" and r["what"] == "base")


def rows_of_scores(folder):
    with open(os.path.join(folder, "tables", "scores.tsv"), encoding="utf-8") as file:
        return {(r["base"], r["arm"], r["dose"]): (r["score"], r["status"])
                for r in csv.DictReader(file, delimiter="\t")}


def check_finished(folder, wanted, whole, what):
    """It says that it is done: then it is, or it says what it could not read."""
    got = results(folder)
    if got == wanted:
        return
    assert os.path.exists(os.path.join(whole, "tables", "scores.tsv")), f"{what}: other results"
    if unreadable(folder) == 0:  # a picture of the report could not be drawn: all numbers stand
        differ = {n for n in set(got) | set(wanted) if got.get(n) != wanted.get(n)}
        assert not [n for n in differ if n.startswith("tables") or n.endswith(".tsv")], \
            f"{what}: these differ: {sorted(differ)}"
        assert any(n.startswith("figures") for n in set(wanted) - set(got)), f"{what}: {differ}"
        return
    assert unreadable(folder) == 1, f"{what}: {unreadable(folder)} are unreadable"
    good = rows_of_scores(whole)
    for key, (score, status) in rows_of_scores(folder).items():
        assert status == "unreadable" or (score, status) == good[key], f"{what}: {key} {score}"


def check_refused(done, what):
    words = done.stderr.strip().splitlines()
    assert done.returncode in (3, 5), f"{what}: exit {done.returncode}\n{done.stderr}"
    assert words and any(p in words[-1] for p in ("out", "photos", ".csv", ".yaml")), \
        f"{what}: names no file: {done.stderr}"


def next_k(k):
    return k + 1 if k < EVERY else k + THEN


def each_call(arguments, calls, kinds):
    """`arguments` without -o. Every fault of these kinds, and what comes after."""
    done, _, _ = start([*arguments, "-o", "whole"])
    assert done.returncode == 0, done.stderr
    wanted = results("whole")
    assert len(wanted) > 3
    for kind in kinds:
        k, refused, finished, began = 1, 0, 0, time.time()
        while True:
            shutil.rmtree("out", ignore_errors=True)
            done, count, failed = start([*arguments, "-o", "out"], calls, k, kind)
            what = f"{kind} at {k} of {count} ({failed})"
            if not failed:
                break
            if kind in ("EINTR", "short"):
                assert done.returncode == 0, f"{what}: exit {done.returncode}\n{done.stderr}"
            if done.returncode == 0:
                check_finished("out", wanted, "whole", what)
                finished += 1
            else:
                check_refused(done, what)
                refused += 1
            if kind in ("EINTR", "short"):
                assert results("out") == wanted, f"{what}: other results"
            else:
                again, _, _ = start([*arguments, "-o", "out"])
                assert again.returncode == 0, f"{what}, then: {again.stderr}"
                assert results("out") == wanted, f"{what}, then other results"
            k = next_k(k)
        assert refused + finished >= 3, f"{kind}: only {refused + finished} calls were reached"
        print(f"      {arguments[0]} {calls.split()[0]}... {kind}: {k - 1} calls, {refused} "
              f"refused, {finished} finished, {time.time() - began:.1f} s", flush=True)
    return refused


def write_scores():
    with open("scores.csv", "w", encoding="utf-8") as file:
        file.write("arm,base,dose,scorer,score,attribute,artifact\n")
        for i in range(8):
            for dose in (-5, 0, 5):
                file.write(f"skin,b{i},{dose},s,{3 + dose}.{(i * 37 + dose * 11) % 17},"
                           f"{40 + dose},0.{i % 3}\n")


def write_judges():
    with open("judges.csv", "w", encoding="utf-8") as file:
        file.write("item,author,judge,score\n")
        for i in range(8):
            for a in range(3):
                for j in range(3):
                    file.write(f"i{i},m{a},m{j},{(i * 7 + a * 5 + j * 3 + (a == j)) % 11}\n")


def test_reads_of_photographs():
    photographs("photos", 3, width=24, height=28, kind="png")
    refused = each_call(AUDIT, READS, ("EINTR", "short", "EIO"))
    assert refused > 0


def test_writes_of_photographs():
    photographs("photos", 3, width=24, height=28, kind="png")
    each_call([*AUDIT, "--strips", "1"], WRITES, ("ENOSPC", "EIO"))
    shutil.rmtree("whole")
    # SQLite asks again for all but a flush, which no signal ends on a disk
    each_call([*AUDIT, "--strips", "1"], WRITES.replace("sync ", ""), ("EINTR",))


def test_reads_of_tables():
    write_scores()
    assert each_call(["audit", "scores.csv", "--boot-b", "99", "--perm-p", "99"], READS,
                     ("EINTR", "short", "EIO")) > 0
    shutil.rmtree("whole")
    write_judges()
    assert each_call(["matrix", "judges.csv", "--boot-b", "99", "--perm-p", "99"], READS,
                     ("EINTR", "short", "EIO")) > 0


def test_writes_of_tables():
    write_judges()
    assert each_call(["matrix", "judges.csv", "--boot-b", "99", "--perm-p", "99"], WRITES,
                     ("ENOSPC", "EIO")) > 0


def test_finished_run_read_again():
    """A run folder alone: what cannot be read of it is an error, and it stays whole."""
    photographs("photos", 3, width=24, height=28, kind="png")
    done, _, _ = start([*AUDIT, "-o", "out"])
    assert done.returncode == 0, done.stderr
    wanted = results("out")
    k, refused = 1, 0
    while True:
        done, count, failed = start(["report", "out"], f"{READS} {WRITES}", k, "EIO")
        if not failed:
            break
        what = f"EIO at {k} of {count} ({failed})"
        if done.returncode != 0:
            check_refused(done, what)
            refused += 1
        k = next_k(k)
    assert refused >= 3
    done, _, _ = start(["report", "out"])
    assert done.returncode == 0 and results("out") == wanted, done.stderr


if __name__ == "__main__":
    main()
