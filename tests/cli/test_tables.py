#!/usr/bin/env python3
"""test_tables.py PROGRAM: help, manual pages and completions tell the same as `help --json`.

Each option of each command must stand in all five texts, and no text may know another one.
"""
import json
import re
import subprocess
import sys

program = sys.argv[1]


def tare(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    return done.stdout


def long_options(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", text))


def table_part(text):
    """The table of options: not the examples and paragraphs, which may name other commands."""
    return "\n".join(re.findall(r"^ {2}(?:-\w, | {4})--[a-z0-9-]+", text, re.M))


def man_options(text):
    plain = text[text.index(".SH OPTIONS"):].replace("\\-", "-")
    found = set()
    for line in re.findall(r"^\.TP\n(.*)$", plain, re.M):
        found |= long_options(re.sub(r"\\f[BRI]", " ", line))
    return found


def main():
    described = json.loads(tare("help", "--json"))
    scripts = {shell: tare("completion", shell) for shell in ("bash", "zsh", "fish")}
    faults = []
    assert described["commands"] and described["exit_codes"], "an empty description"
    for command in described["commands"]:
        name = command["name"]
        want = {option["name"] for option in command["options"]}
        bash = re.search(rf"^    {name}:-\*\) COMPREPLY=\(\$\(compgen -W '([^']*)'",
                         scripts["bash"], re.M)
        zsh = re.search(rf"^{name}\)\n(.*?);;", scripts["zsh"], re.M | re.S)
        fish = re.findall(rf"from {name}' -l ([a-z0-9-]+)", scripts["fish"])
        texts = {
            "help": long_options(table_part(tare("help", name))),
            "--help": long_options(table_part(tare(name, "--help"))),
            "man": man_options(tare("help", "--man", name)),
            "bash": long_options(bash.group(1)) if bash else set(),
            "zsh": set(re.findall(r"^\s+'\*?--([a-z0-9-]+)", zsh.group(1), re.M)) if zsh else set(),
            "fish": set(fish),
        }
        for where, got in texts.items():
            if got != want:
                faults.append(f"{name}, {where}: lacks {sorted(want - got)}, "
                              f"adds {sorted(got - want)}")
        if name not in tare("help"):
            faults.append(f"{name} is not in the overview")
        for option in command["options"]:
            if not option["help"] or len(option["help"]) > 200:
                faults.append(f"{name} --{option['name']}: help is empty or long")
            if option["default"] is not None and option["choices"]:
                if option["default"] not in option["choices"]:
                    faults.append(f"{name} --{option['name']}: its default is no choice")
    print("\n".join(faults) if faults else f"{len(described['commands'])} commands agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
