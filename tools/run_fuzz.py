#!/usr/bin/env python3
"""Run fuzz targets one after the other and print a table of how it went.

  run_fuzz.py FOLDER [--seconds N] [--only NAME]... [--merge]

FOLDER is a build with TARE_FUZZ. Every target gets N seconds of processor time, beginning with its
committed corpus; what it finds interesting is kept in FOLDER/corpus/NAME for the next time, what
breaks it in FOLDER/findings. `--merge` instead adds to a committed corpus what reaches most with
few files. Exit 1 if there are findings.
"""
import argparse
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "fuzz")
FILES_MAX, BYTES_MAX = 60, 200000  # of a committed corpus
LONGEST = 65536
INTERRUPTED = 72  # how libFuzzer ends when it is told to


def processor_seconds(pid):
    """User and system time of a running process; None once it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_for(command, log, seconds):
    """Run until it ends or has had its share of the processor. Gives exit status and seconds."""
    used = 0.0
    process = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=lambda: os.nice(19))
    try:
        while process.poll() is None:
            used = processor_seconds(process.pid) or used
            if used >= seconds:
                process.send_signal(signal.SIGINT)
                process.wait(60)
                break
            time.sleep(0.2)
    except BaseException:
        process.kill()
        raise
    return process.returncode, used


def last(pattern, text, default=0):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else default


def fuzz(folder, name, seconds):
    """One row of the table."""
    corpus, findings = (os.path.join(folder, kind, name) for kind in ("corpus", "findings"))
    for path in (corpus, findings):
        os.makedirs(path, exist_ok=True)
    log_path = os.path.join(findings, "log.txt")
    command = [os.path.join(folder, "tests", "fuzz", f"fuzz_{name}"), "-print_final_stats=1",
               "-timeout=20", "-report_slow_units=60", "-rss_limit_mb=2048", f"-max_len={LONGEST}",
               f"-artifact_prefix={findings}{os.sep}", corpus,
               os.path.join(SOURCES, "corpus", name)]
    dictionary = os.path.join(SOURCES, "dictionaries", f"{name}.dict")
    if os.path.exists(dictionary):
        command.insert(1, f"-dict={dictionary}")
    with open(log_path, "wb") as log:
        status, used = run_for(command, log, seconds)
    with open(log_path, encoding="utf-8", errors="replace") as log:
        text = log.read()
    broken = [f for f in os.listdir(findings) if f != "log.txt"]
    if status not in (0, INTERRUPTED) and not broken:
        broken = [f"exit {status}"]
    return {"target": name, "seconds": int(used),
            "executions": last(r"stat::number_of_executed_units: (\d+)", text),
            "edges": last(r"cov: (\d+)", text), "corpus": len(os.listdir(corpus)),
            "findings": " ".join(sorted(broken)) or "-"}


def merge(folder, name):
    """The smallest corpus that reaches what the committed and the found one reach."""
    kept = os.path.join(SOURCES, "corpus", name)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([os.path.join(folder, "tests", "fuzz", f"fuzz_{name}"),
                        "-set_cover_merge=1", f"-max_len={LONGEST}", scratch, kept,
                        os.path.join(folder, "corpus", name)],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Files with names that say what they are were written by hand and stay.
        for file in os.scandir(kept):
            if re.fullmatch(r"[0-9a-f]{40}", file.name):
                os.remove(file.path)
        room = FILES_MAX - 1 - len(os.listdir(kept))
        small = [f for f in os.scandir(scratch) if f.stat().st_size < BYTES_MAX // FILES_MAX]
        files = sorted(small, key=lambda f: (f.stat().st_size, f.name))
        # From short to long, evenly: the short ones alone would say little.
        step = max(1.0, len(files) / room) if room > 0 else len(files) + 1
        chosen = [files[int(k * step)] for k in range(room) if int(k * step) < len(files)]
        for file in chosen:
            shutil.copy(file.path, os.path.join(kept, file.name))
        total = sum(f.stat().st_size for f in chosen)
    print(f"{name}: {len(chosen)} of {len(files)} files, {total} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--merge", action="store_true")
    args = parser.parse_args()
    built = sorted(os.path.basename(p)[len("fuzz_"):]
                   for p in glob.glob(os.path.join(args.folder, "tests", "fuzz", "fuzz_*"))
                   if os.access(p, os.X_OK))
    names = args.only or built
    if not names or set(names) - set(built):
        parser.error(f"no such target: {' '.join(sorted(set(names) - set(built))) or 'none built'}")
    if args.merge:
        for name in names:
            merge(args.folder, name)
        return 0
    columns = ("target", "seconds", "executions", "edges", "corpus", "findings")
    line = "{:<18} {:>7} {:>12} {:>7} {:>7}  {}"
    print(line.format(*columns), flush=True)
    found = False
    for name in names:
        row = fuzz(args.folder, name, args.seconds)
        found = found or row["findings"] != "-"
        print(line.format(*(row[c] for c in columns)), flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
