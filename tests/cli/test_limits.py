#!/usr/bin/env python3
"""test_limits.py ROOT: the table of limits in SECURITY.md says what the source says."""
import os
import re
import sys

UNITS = {"": 1, "MiB": 1 << 20, "GiB": 1 << 30}


def said(text):
    number, unit = re.fullmatch(r"(\d+) ?(\w*)", text).groups()
    return int(number) * UNITS[unit]


def value(expression):
    """A sum of shifts of whole numbers, as C has it."""
    plain = re.sub(r"\((?:size_t|uint64_t)\)|[uUlL]+\b", "", expression).strip()
    if not re.fullmatch(r"[\d <*()]+", plain):
        raise ValueError(f"not a number: {expression}")
    return eval(plain)  # pylint: disable=eval-used


def found(text, name, member):
    if member:
        body = re.search(rf"{name}\s*\\?\s*\(\(\w+\)\{{(.*?)\}}\)", text, re.S).group(1)
        return value(body.split(",")[int(member)])
    for match in re.finditer(rf"\b{name}\b(?: =)? ([\d(][^;,/}}\n]*)", text):
        try:
            return value(match.group(1))
        except (ValueError, SyntaxError):
            continue
    raise ValueError(f"no number after {name}")


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "SECURITY.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| (.*?) \| (\d[^|]*?) \| `(\S+) (\S+)(?: (\d+))?` \|$",
                          file.read(), re.M)
    faults = []
    for what, limit, path, name, member in rows:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            real = found(file.read(), name, member)
        if real != said(limit):
            faults.append(f"{what}: {limit} is said, {path} has {real}")
    print("\n".join(faults) if faults else f"{len(rows)} limits agree")
    return 1 if faults or len(rows) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
