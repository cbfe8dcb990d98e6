#!/usr/bin/env python3
"""embed.py OUT.c HEADER NAME=FILE ...: files as NUL-terminated C arrays.

For each NAME: `const char NAME[]` and `const size_t NAME_length`. FILE `-` is an empty array.
String literals, one for each line of the file, are the fastest form that every C compiler reads."""
import sys


def literal(data: bytes) -> str:
    out = []
    for byte in data:
        char = chr(byte)
        if char in '"\\?':  # '?' as well: no trigraphs
            out.append("\\" + char)
        elif 32 <= byte < 127:
            out.append(char)
        else:
            out.append("\\%03o" % byte)
    return '"' + "".join(out) + '"'


def pieces(data: bytes, size: int = 4000):
    for line in data.splitlines(keepends=True):
        for start in range(0, len(line), size):
            yield line[start:start + size]


def main(out: str, header: str, *pairs: str) -> None:
    text = ['#include "%s"\n' % header]
    for pair in pairs:
        name, file = pair.split("=", 1)
        data = b""
        if file != "-":
            with open(file, "rb") as stream:
                data = stream.read()
        if b"\0" in data:
            sys.exit("%s: holds a NUL byte" % file)
        body = "\n".join(map(literal, pieces(data))) or '""'
        text.append("\nconst char %s[] =\n%s;\nconst size_t %s_length = %d;\n"
                    % (name, body, name, len(data)))
    with open(out, "w", encoding="ascii", newline="\n") as stream:
        stream.write("".join(text))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
