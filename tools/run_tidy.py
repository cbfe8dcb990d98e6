#!/usr/bin/env python3
"""Run clang-tidy with .clang-tidy over src/ and print each finding once.

  run_tidy.py FOLDER [FILE]...     FOLDER: a configured build with compile_commands.json

Exit 1 if there is a finding, or a file that clang cannot read.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def check(folder, path):
    done = subprocess.run(["clang-tidy", "-p", folder, "--quiet", path], capture_output=True,
                          text=True, errors="replace", check=False)
    lines = re.findall(r"^(/.*?:\d+:\d+: (?:error|warning): .*)$", done.stdout, re.M)
    if done.returncode != 0 and not lines:
        lines = [f"{path}: clang-tidy failed: {(done.stdout + done.stderr).strip()[-400:]}"]
    return lines


def main():
    folder, chosen = sys.argv[1], [os.path.abspath(p) for p in sys.argv[2:]]
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        known = {os.path.normpath(os.path.join(c["directory"], c["file"])) for c in json.load(file)}
    files = sorted(p for p in known if p.startswith(os.path.join(ROOT, "src") + os.sep)
                   and (not chosen or p in chosen))
    if not files:
        sys.exit("run_tidy: no file of src/ is in that build")
    findings = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        for lines in threads.map(lambda p: check(folder, p), files):
            for line in lines:
                line = line.replace(ROOT + os.sep, "")
                if line not in findings:
                    print(line, flush=True)
                findings.add(line)
    print(f"{len(files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
