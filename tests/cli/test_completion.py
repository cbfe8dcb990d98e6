#!/usr/bin/env python3
"""test_completion.py PROGRAM SHELL: what the shell itself offers, with tare's script for it.

bash: its completion function is called as bash does; an empty list means that bash goes on with
file names. zsh: an interactive one on a terminal, its matches caught. fish: asked with
`complete -C`.
Exit 77 where the shell is not installed.
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM, SHELL = os.path.abspath(sys.argv[1]), sys.argv[2]

ZSH = r"""
PROMPT=; PS2=; unsetopt zle_bracketed_paste prompt_sp 2>/dev/null
fpath=($fpath); autoload -U compinit; compinit -D -u
source ./script
compadd() {
    if [[ " $* " == *" -"(O|A|D)" "* ]]; then builtin compadd "$@"; return; fi
    local -a hits; builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- $'\n'"<MATCH>"$^hits"</MATCH>"
    builtin compadd "$@"
}
complete-and-say() { zle complete-word; print -r -- $'\n''<''END>' }
zle -N complete-and-say; bindkey '^I' complete-and-say; bindkey '^G' kill-whole-line
print '<''READY>'
"""


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{command[:2]}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def offered_by_bash(line):
    # as bash splits: at blanks, and at each = and :
    words = [w for part in line.split(" ") for w in re.split(r"([=:])", part) if w]
    if line.endswith(" "):
        words.append("")
    quoted = " ".join("'" + w + "'" for w in words)
    return run(["bash", "--norc", "-c", f"source ./script; COMP_WORDS=({quoted}); "
                f"COMP_CWORD={len(words) - 1}; _tare; "
                "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"; true"]).split()


def offered_by_fish(line):
    rows = run(["fish", "--no-config", "-c", f"source ./script; complete -C '{line}'"])
    return [row.split("\t")[0] for row in rows.splitlines()]


class Zsh:
    def __init__(self):
        with open("start", "w", encoding="utf-8") as file:
            file.write(ZSH)
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", COLUMNS="200", LINES="100")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        os.write(self.fd, b" source ./start\n")
        self.read_to("<READY>")

    def read_to(self, mark):
        seen, end = b"", time.time() + 60
        while mark.encode() not in seen:
            if not select.select([self.fd], [], [], max(0, end - time.time()))[0]:
                raise AssertionError(f"zsh did not answer: {seen!r}")
            seen += os.read(self.fd, 65536)
        return seen.decode(errors="replace")

    def offered(self, line):
        os.write(self.fd, b"\x07" + line.encode() + b"\t")
        return re.findall(r"<MATCH>(.*?)</MATCH>", self.read_to("<END>"))


def main():
    if not shutil.which(SHELL):
        print(f"skipped: {SHELL} is not installed")
        return 77
    described = json.loads(run([PROGRAM, "help", "--json"]))
    script = run([PROGRAM, "completion", SHELL])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.makedirs("photos")
        for name, text in (("script", script), ("scores.csv", ""), ("photos/a.png", "")):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        os.environ.update(HOME=scratch, XDG_CONFIG_HOME=scratch, XDG_DATA_HOME=scratch)
        offered = {"bash": offered_by_bash, "fish": offered_by_fish}.get(SHELL)
        faults = try_all(offered or Zsh().offered, described)
        os.chdir("/")
    print("\n".join(faults) if faults else f"{SHELL} offers what it should")
    return 1 if faults else 0


def plain(words):
    """Without what shells put around a word: the option before '=', a final blank."""
    return {w.split("=", 1)[-1].strip() if re.match(r"--[a-z-]+=.", w) else w.strip().rstrip("=")
            for w in words}


def try_all(offered, described):
    faults = []

    def expect(line, wanted):
        got = plain(offered(line))
        if got != set(wanted):
            faults.append(f"{line!r}: offers {sorted(got)}, not {sorted(wanted)}")

    commands = [c["name"] for c in described["commands"]]
    schemes = [s["scheme"] + ":" for s in described["scorers"]]
    files = SHELL != "bash"  # bash goes on with file names by itself
    expect("tare ", commands)
    expect("tare mat", ["matrix"])
    expect("tare help mat", ["matrix"])
    expect("tare completion ", ["bash", "zsh", "fish"])
    expect("tare audit --scorer ", schemes)
    expect("tare audit --scorer bri", ["brisque:"])
    expect("tare score --scorer pla", ["planted:"])
    expect("tare audit --preset ", ["tare", "paper"])
    expect("tare scorer ", ["list", "where", "verify", "noise"])
    expect("tare scorer where ima", ["imagereward"])
    expect("tare scorer where clip-l14 clip-b", ["clip-b32"])
    expect("tare scorer verify pick", ["pickscore"])
    expect("tare scorer noise bri", ["brisque:"])
    expect("tare audit --preset=pa", ["paper"])
    expect("tare matrix --colour al", ["always"])
    expect("tare audit --scorer table:scor",
           {"bash": [], "zsh": ["scores.csv"], "fish": ["table:scores.csv"]}[SHELL])
    expect("tare audit --seed ", [])
    expect("tare audit --alpha 0", [])
    expect("tare audit --manifest sc", ["script", "scores.csv"] if files else [])
    expect("tare audit --manifest scor", ["scores.csv"] if files else [])
    expect("tare audit scor", ["scores.csv"] if files else [])
    expect("tare audit --alph", ["--alpha"])
    for command in described["commands"]:
        expect(f"tare {command['name']} --", ["--" + o["name"] for o in command["options"]])
        for option in command["options"]:
            if option["choices"] and option["argument"]:
                expect(f"tare {command['name']} --{option['name']} ", option["choices"])
    return faults


if __name__ == "__main__":
    sys.exit(main())
