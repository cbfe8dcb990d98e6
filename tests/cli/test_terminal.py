#!/usr/bin/env python3
"""test_terminal.py PROGRAM: the summary on terminals of several locales, and without a terminal."""
import os
import pty
import subprocess
import sys
import tempfile

TARE = os.path.abspath(sys.argv[1])


def table(path):
    """Twelve bases whose scores fall with the dose: something is found, and negative."""
    with open(path, "w", encoding="ascii") as file:
        file.write("base,dose,scorer,score\n")
        for base in range(1, 13):
            for k, dose in enumerate((-15, -10, -5, 0, 5, 10, 15)):
                file.write(f"b{base},{dose},toy,{base % 3 - dose / 10 + (base * k % 5) / 100}\n")


def environment(locale, columns=None):
    kept = {k: v for k, v in os.environ.items() if k not in ("LANG", "LC_CTYPE", "COLUMNS")}
    return dict(kept, LC_ALL=locale, TERM="xterm", **({"COLUMNS": columns} if columns else {}))


def summary(locale, terminal, columns=None):
    """What tare prints, in bytes."""
    command = [TARE, "audit", "scores.csv", "-q", "--boot-b", "99", "--perm-p", "99",
               "--colour", "never"]
    if not terminal:
        return subprocess.run(command, env=environment(locale, columns), capture_output=True,
                              check=True).stdout
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, env=environment(locale), stdout=theirs,
                          stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
    os.close(ours)
    assert process.returncode == 0, process.returncode
    return seen.replace(b"\r\n", b"\n")


def main():
    os.chdir(tempfile.mkdtemp())
    table("scores.csv")
    utf8 = summary("C.UTF-8", True).decode("utf-8")
    plain = summary("C", True).decode("ascii")  # fails on any other byte
    assert "\u2212" in utf8 and "\u25cf" in utf8, utf8
    assert summary("C", False) == summary("C.UTF-8", False), "a pipe is UTF-8 everywhere"
    assert plain.count("?") == utf8.count("?"), plain  # every sign has a word of its own
    for ours, theirs in zip(plain.splitlines(), utf8.splitlines()):
        assert len(ours) == len(theirs), (ours, theirs)
    assert summary("xx_XX.UTF-8", True).decode("utf-8") == utf8, "a locale that is not installed"
    piped = summary("C", False)
    for columns, widest in (("60", 60), ("72", 72), ("999", 120)):
        lines = summary("C", False, columns).decode("utf-8").splitlines()
        assert widest - 20 < max(map(len, lines)) <= widest, (columns, max(map(len, lines)))
    assert summary("C", False, "1") == summary("C", False, "40"), "40 is the least"
    for nonsense in ("wide", "60 ", "-60", "0"):
        assert summary("C", False, nonsense) == piped, nonsense
    print("the summary fits its terminal")


if __name__ == "__main__":
    main()
