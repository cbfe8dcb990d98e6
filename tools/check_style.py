#!/usr/bin/env python3
"""Check the written rules of style on the files that Git knows.

  check_style.py [ROOT]

Code: lines to 100 columns, no tabs, no blanks at line ends, files to 600 lines; functions of C
under 80 lines with at most 7 parameters; the same for Python; file names unique in the tree.
All text: none of the words below. Each page of docs/ is reached from docs/index.md.
"""
import ast
import os
import re
import subprocess
import sys

CODE = (".c", ".h", ".py", ".sh", ".ts", ".mjs", ".cmake", "CMakeLists.txt", ".ci/run")
UNIQUE = (".c", ".h", ".py", ".sh", ".ts")
COLUMNS, FILE_LINES, FUNCTION_LINES, PARAMETERS = 100, 600, 79, 7

# Written apart, so that this file does not find itself.
FORBIDDEN = [
    (r"\bTO" + r"DO\b|\bFIX" + r"ME\b|\bXX" + r"X\b|\bHA" + r"CK\b", "an unfinished thing"),
    (r"/wo" + r"rk/(?:main|shared)|/ro" + r"ot/|/ho" + r"me/\w", "a path of one machine"),
    (r"registry\.npm" + r"js|deb\.deb" + r"ian\.org|py" + r"pi\.org|pythonhosted\.o" + r"rg",
     "the host of a package registry"),
]


def files_of(root):
    """Paths, relative to root: those Git knows, or all of a tree without Git."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True,
                             text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        return [p for p in listing.stdout.split("\0") if p and os.path.isfile(f"{root}/{p}")]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [d for d in folders if d not in ("build", ".git", "node_modules")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def parameters(signature):
    """Number of parameters in the last pair of parentheses of a signature."""
    depth, count, inside, end = 0, 0, "", signature.rfind(")")
    for at in range(end, -1, -1):
        c = signature[at]
        depth += (c == ")") - (c == "(")
        if depth == 0:
            inside = signature[at + 1:end].strip()
            break
        count += c == "," and depth == 1
    return 0 if inside in ("", "void") else count + 1


def c_functions(lines):
    """(line, length, parameters) of functions, which begin with `{` and end with `}` in column 1
    or have the brace at the end of an unindented line."""
    start = None
    signature = ""
    for number, line in enumerate(lines, 1):
        if start is None:
            if line == "{" or (re.match(r"[A-Za-z].*\)\s*\{$", line)):
                head = signature + " " + line
                if "(" in head and not re.match(r"\s*(?:typedef|struct|enum|union)\b[^(]*\{", head):
                    start = (number - (line == "{"), head.rstrip("{ \n"))
            signature = "" if line.endswith((";", "}")) or not line.strip() or line[0] in "#/" \
                else signature + " " + line
        elif line.startswith("}"):
            yield start[0], number - start[0] + 1, parameters(start[1])
            start, signature = None, ""


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            count = len(node.args.args) + len(node.args.kwonlyargs)
            yield node.lineno, node.end_lineno - node.lineno + 1, count


def check_code(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield 1, f"{len(lines)} lines; {FILE_LINES} is the most"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield number, f"{len(line)} columns; {COLUMNS} is the most"
        if "\t" in line:
            yield number, "a tab"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
    functions = ()
    if path.endswith((".c", ".h")):
        functions = c_functions(lines)
    elif path.endswith(".py"):
        functions = python_functions(text)
    for number, length, count in functions:
        if length > FUNCTION_LINES:
            yield number, f"a function of {length} lines; it is to be under {FUNCTION_LINES + 1}"
        if count > PARAMETERS:
            yield number, f"{count} parameters; {PARAMETERS} is the most"


def check_words(text):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in FORBIDDEN:
            if re.search(pattern, line):
                yield number, what


def check_index(root, paths):
    """Pages of the manual that its index does not link to."""
    index = os.path.join(root, "docs/index.md")
    if not os.path.exists(index):
        return []
    with open(index, encoding="utf-8") as f:
        linked = set(re.findall(r"\]\(([^)#]+)", f.read()))
    return [f"{path}:1: docs/index.md does not link to it" for path in paths
            if re.fullmatch(r"docs/[^/]+\.md", path) and path[5:] not in linked | {"index.md"}]


def check(root):
    """The faults of a tree, as lines of text."""
    faults, seen = [], {}
    for path in sorted(files_of(root)):
        try:
            with open(os.path.join(root, path), encoding="utf-8") as f:
                text = f.read()
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            continue
        found = list(check_words(text))
        if path.endswith(CODE):
            found += check_code(path, text)
        name = os.path.basename(path)
        if name.endswith(UNIQUE):
            if name in seen:
                found.append((1, f"{seen[name]} has the same name"))
            seen[name] = path
        if re.search(r"(?:^|/)(?:util|utils|common|misc)/", path):
            found.append((1, "a folder that says nothing about what is in it"))
        faults += [f"{path}:{line}: {wrong}" for line, wrong in sorted(found)]
    return faults + check_index(root, sorted(files_of(root)))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(__file__)) or "."
    faults = check(root)
    print("\n".join(faults) if faults else "style: in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
