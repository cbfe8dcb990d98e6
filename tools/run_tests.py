#!/usr/bin/env python3
"""Run CTest in a build folder and say in one last line how it went.

  run_tests.py run FOLDER [--without LABEL] [--only LABEL] [--name NAME]
  run_tests.py sum FILE...

`run` leaves FOLDER/junit-NAME.xml; `sum` adds such files up. Both end with
`N passed, N failed, N skipped`; skipped tests are named with the reason they
printed. Exit 0 only if no test failed and at least one passed.
"""
import argparse
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case):
    """'passed', 'failed' or 'skipped' of one <testcase>."""
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    if case.find("failure") is not None or case.get("status") == "fail":
        return "failed"
    return "passed"


def reason(case):
    """The line in which a test says why it skipped itself, if it does."""
    text = case.findtext("system-out") or ""
    for line in text.splitlines():
        if line.lower().startswith(("skipped:", "skip:")):
            return line.split(":", 1)[1].strip()
    return "it could not run here"


def report(files):
    """Print names of failed and skipped tests and the line of counts. True if all is well."""
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for path in files:
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            kind = outcome(case)
            count[kind] += 1
            where = os.path.basename(os.path.dirname(path))
            if kind == "failed":
                print(f"failed: {case.get('name')} ({where})")
            elif kind == "skipped":
                print(f"skipped: {case.get('name')} ({where}): {reason(case)}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return count["failed"] == 0 and count["passed"] > 0


def run(args):
    name = args.name or args.only or "default"
    junit = os.path.abspath(os.path.join(args.folder, f"junit-{name}.xml"))
    if os.path.exists(junit):
        os.remove(junit)
    jobs = str(args.jobs or os.cpu_count() or 1)
    command = ["ctest", "--test-dir", args.folder, "-j", jobs, "--output-on-failure",
               "--output-junit", junit]
    if args.without:
        command += ["-LE", f"^({args.without})$"]
    if args.only:
        command += ["-L", f"^({args.only})$"]
    code = subprocess.run(command, check=False).returncode
    if not os.path.exists(junit):
        print("0 passed, 1 failed, 0 skipped")
        return 1
    sys.stdout.flush()
    return 0 if report([junit]) and code == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run")
    runner.add_argument("folder")
    runner.add_argument("--without", metavar="LABEL")
    runner.add_argument("--only", metavar="LABEL")
    runner.add_argument("--name")
    runner.add_argument("--jobs", type=int)
    adder = commands.add_parser("sum")
    adder.add_argument("files", nargs="+")
    args = parser.parse_args()
    if args.command == "run":
        return run(args)
    return 0 if report(args.files) else 1


if __name__ == "__main__":
    sys.exit(main())
