#!/usr/bin/env python3
"""test_c_examples.py BUILD CC PAGE [FLAGS]   compile and run the C programs of a page.

Each runs beside the score table of the transcripts, with the shared library of the build.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    build, compiler, page = sys.argv[1:4]
    build = os.path.abspath(build)
    with open(page, encoding="utf-8") as f:
        programs = re.findall(r"^```c\n(.*?)^```", f.read(), re.M | re.S)
    if not programs:
        print(f"{page} holds no C program")
        return 1
    for text in programs:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(f"{SOURCE}/tests/cli/files/scores.csv", folder)
            with open(f"{folder}/example.c", "w", encoding="utf-8") as f:
                f.write(text)
            subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", *sys.argv[4:],
                            f"-I{SOURCE}/include", f"{folder}/example.c", f"-L{build}", "-ltare",
                            f"-Wl,-rpath,{build}", "-o", f"{folder}/example"], check=True)
            done = subprocess.run([f"{folder}/example"], cwd=folder, capture_output=True,
                                  text=True, check=False)
            if done.returncode or not done.stdout.strip():
                print(f"{page}: the example gave {done.returncode}\n{done.stdout}{done.stderr}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
