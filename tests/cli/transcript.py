#!/usr/bin/env python3
"""Run the commands of a transcript and compare what they print.

  transcript.py [--redo] [--program TARE] [--files FOLDER] FILE

In a .t file a command is a line `  $ command`, indented by two blanks; the indented lines after it
are what it prints (stdout and stderr together), and `  [2]` its exit code if that is not 0.
Everything else is for people. In a .md file the fenced blocks marked `console` are read in the
same way, without the indent, and only tare, head, cat and ls are run.

In what is expected, `...` stands for any text within a line, and a line that is `...` alone for
any lines. A line `# needs: COMMAND` says that the file is skipped (exit 77) where COMMAND fails.

All commands of a file run in one scratch folder, which begins as a copy of --files. There,
$SOURCE is the source folder of tare. --redo writes what was printed into FILE; lines that still
match keep their patterns.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 300


class Step:
    """One command: the line numbers [begin, end) of what is expected of it, and that text."""

    def __init__(self, command, begin, indent):
        self.command, self.begin, self.end, self.indent = command, begin, begin, indent
        self.expected = []


def read_steps(path, lines):
    """The commands of a file, in order."""
    steps, step = [], None
    is_page = path.endswith(".md")
    inside = not is_page
    indent = "" if is_page else "  "
    for number, line in enumerate(lines):
        if is_page and line.startswith("```"):
            inside = not inside and line.strip() == "```console"
            step = None
            continue
        if not inside or not line.startswith(indent):
            step = None
            continue
        body = line[len(indent):]
        if body.startswith("$ "):
            runs = not is_page or re.match(r"\$ (?:tare|head|cat|ls) ", body)
            step = Step(body[2:], number + 1, indent) if runs else None
            if step:
                steps.append(step)
        elif step and step.command.endswith("\\"):
            step.command = step.command[:-1] + body.lstrip("> ")
            step.begin = step.end = number + 1
        elif step:
            step.expected.append(body)
            step.end = number + 1
    return steps


def line_matches(expected, got):
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, got) is not None


def matches(expected, got):
    """Do the lines got satisfy the lines expected? `...` alone takes any number of lines."""
    reach = {0}
    for want in expected:
        step = set()
        for at in reach:
            if want == "...":
                step.update(range(at, len(got) + 1))
            elif at < len(got) and line_matches(want, got[at]):
                step.add(at + 1)
        reach = step
    return len(got) in reach


def run(step, folder, program):
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    environment.update(PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"],
                       LC_ALL="C.UTF-8", TERM="dumb", HOME=folder, SOURCE=SOURCE)
    try:
        done = subprocess.run(["bash", "-c", step.command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return [f"did not end within {SECONDS} seconds"]
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return lines + ([f"[{code}]"] if code else [])


def redone(expected, got):
    """The lines got, keeping each expected line that still matches at its place."""
    if matches(expected, got):
        return expected
    return [expected[i] if i < len(expected) and expected[i] != "..."
            and line_matches(expected[i], line) else line for i, line in enumerate(got)]


def skip_reason(text):
    for need in re.findall(r"^# needs: (.*)$", text, re.M):
        code = subprocess.run(["bash", "-c", need], env=dict(os.environ, SOURCE=SOURCE),
                              capture_output=True, check=False).returncode
        if code:
            return need
    return None


def replay(args, lines, folder):
    """Run all steps; the number of steps that failed. With --redo, `lines` are changed."""
    failed, shift = 0, 0
    for step in read_steps(args.file, list(lines)):
        got = run(step, folder, args.program)
        if matches(step.expected, got):
            continue
        failed += 1
        if args.redo:
            new = [step.indent + line for line in redone(step.expected, got)]
            lines[step.begin + shift:step.end + shift] = new
            shift += len(new) - (step.end - step.begin)
            continue
        print(f"{args.file}:{step.begin}: $ {step.command}\n  expected:")
        print("".join(f"    {line}\n" for line in step.expected) + "  got:")
        print("".join(f"    {line}\n" for line in got))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--redo", action="store_true")
    parser.add_argument("--program", default=os.path.join(SOURCE, "build/dev/tare"))
    parser.add_argument("--files")
    parser.add_argument("file")
    args = parser.parse_args()
    args.program = os.path.abspath(args.program)
    with open(args.file, encoding="utf-8") as f:
        text = f.read()
    reason = skip_reason(text)
    if reason:
        print(f"skipped: not here: {reason}")
        return 77
    lines = text.splitlines()
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "work")
        if args.files:
            shutil.copytree(args.files, folder)
        else:
            os.mkdir(folder)
        failed = replay(args, lines, folder)
    if args.redo and failed:
        with open(args.file, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        print(f"{args.file}: {failed} steps written anew; look at the difference")
        return 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
