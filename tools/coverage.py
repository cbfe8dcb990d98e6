#!/usr/bin/env python3
"""Print which lines and branches of src/ a test run reached, by room, from gcov's data.

  coverage.py FOLDER     FOLDER: a build with --coverage whose tests have run

FOLDER/coverage.txt gets a line for every file, with the lines that were never reached.
"""
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def data_files(folder):
    for here, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcno"):
                yield os.path.join(here, name)


def collect(folder):
    """{file below src: ({line: times reached}, {(line, k): branch taken})}"""
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    notes = sorted(f for f in data_files(folder) if f"{os.sep}src{os.sep}" in f)
    for start in range(0, len(notes), 50):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                               *map(os.path.abspath, notes[start:start + 50])],
                              capture_output=True, text=True, cwd=folder, check=False)
        for text in done.stdout.splitlines():
            if not text.startswith("{"):
                continue
            data = json.loads(text)
            for file in data["files"]:
                path = os.path.normpath(os.path.join(data["current_working_directory"],
                                                     file["file"]))
                path = os.path.relpath(path, os.path.join(ROOT, "src"))
                if path.startswith("..") or not path.endswith(".c"):
                    continue
                for line in file["lines"]:
                    n = line["line_number"]
                    lines[path][n] = lines[path].get(n, 0) + line["count"]
                    for k, branch in enumerate(line["branches"]):
                        taken = branches[path].get((n, k), 0)
                        branches[path][n, k] = taken + branch["count"]
    return lines, branches


def share(counts):
    return f"{100 * sum(1 for c in counts if c) / len(counts):6.1f} %" if counts else "     - "


def ranges(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    out = []
    for n in numbers:
        if out and n == out[-1][1] + 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return " ".join(f"{a}-{b}" if b > a else str(a) for a, b in out)


def main():
    folder = sys.argv[1]
    lines, branches = collect(folder)
    if not lines:
        sys.exit(f"coverage: no data below {folder}")
    rooms = collections.defaultdict(lambda: ([], []))
    with open(os.path.join(folder, "coverage.txt"), "w", encoding="utf-8") as report:
        for path in sorted(lines):
            counts, taken = list(lines[path].values()), list(branches[path].values())
            for room in (path.split(os.sep)[0], "all"):
                rooms[room][0].extend(counts)
                rooms[room][1].extend(taken)
            missed = ranges(sorted(n for n, c in lines[path].items() if not c))
            report.write(f"{share(counts)} {share(taken)}  {path}  {missed}\n")
    print(f"{'room':<10} {'lines':>7} {'reached':>8}  {'branches':>8} {'taken':>8}")
    for room, (counts, taken) in sorted(rooms.items(), key=lambda r: (r[0] == "all", r[0])):
        print(f"{room:<10} {len(counts):>7} {share(counts)}  {len(taken):>8} {share(taken)}")
    print(f"never reached, by file: {os.path.join(folder, 'coverage.txt')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
