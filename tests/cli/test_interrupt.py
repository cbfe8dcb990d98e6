#!/usr/bin/env python3
"""test_interrupt.py PROGRAM: the first interrupt leaves a run that goes on, the second ends it.

The resumed run must give the same bytes as one that nobody interrupted.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
PROGRAM = os.path.abspath(sys.argv[1])


def start(folder, out, how):
    command = [PROGRAM, "audit", "photos", "--scorer",
               f"exec:{sys.executable} {FILES}/bad_scorer.py {how}", "-o", out]
    # a group of its own, so that an interrupt can go to all of it, as from a keyboard
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, start_new_session=True)


def expect(process, code, what):
    _, err = process.communicate(timeout=300)
    if process.returncode != code:
        sys.exit(f"{what}: exit code {process.returncode} instead of {code}\n{err}")
    return err


def wait_for_run(folder, out):
    end = time.monotonic() + 60
    while not os.path.exists(os.path.join(folder, out, "run.sqlite")):
        if time.monotonic() > end:
            sys.exit("the run did not begin")
        time.sleep(0.02)


def same(folder, a, b):
    for name in ("readings.json", "readings.tsv", "report.html"):
        with open(os.path.join(folder, a, name), "rb") as f, \
                open(os.path.join(folder, b, name), "rb") as g:
            if f.read() != g.read():
                sys.exit(f"{name} of the interrupted run differs")


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, f"{FILES}/make_photos.py", f"{folder}/photos"]
                       + [f"portrait-{k}" for k in range(6)], check=True)
        expect(start(folder, "whole", "slow"), 0, "a run without interrupts")

        stopped = 0
        for pause in (0.1, 0.4, 0.2):
            process = start(folder, "parts", "slow")
            wait_for_run(folder, "parts")
            time.sleep(pause)
            os.killpg(process.pid, signal.SIGINT)
            err = expect(process, 5 if process.poll() is None else process.returncode,
                         "an interrupted run")
            stopped += process.returncode == 5
            if process.returncode == 5 and "stopping" not in err:
                sys.exit(f"nothing was said about stopping: {err}")
        if not stopped:
            sys.exit("no run was stopped in time")
        expect(start(folder, "parts", "slow"), 0, "the resumed run")
        same(folder, "whole", "parts")

        process = start(folder, "hung", "hang")
        wait_for_run(folder, "hung")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            expect(process, 130, "a second interrupt")
        elif process.returncode != 5:
            sys.exit(f"a hung scorer, interrupted: exit code {process.returncode}")
    print(f"stopped {stopped} times, the same bytes in the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
