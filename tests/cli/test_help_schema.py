#!/usr/bin/env python3
"""test_help_schema.py PROGRAM SCHEMA: `tare help --json` against the published schema."""
import copy
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from check_schema import check, refuses  # noqa: E402


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        schema = json.load(file)
    done = subprocess.run([sys.argv[1], "help", "--json"], capture_output=True, check=True)
    help_ = json.loads(done.stdout.decode("utf-8"))
    check(help_, schema, schema, "$")
    assert help_["commands"] and help_["scorers"] and help_["exit_codes"]
    for key in ("name", "type", "choices"):
        wrong = copy.deepcopy(help_)
        del wrong["commands"][0]["options"][0][key]
        assert refuses(wrong, schema), f"an option without {key} passes"
    wrong = copy.deepcopy(help_)
    wrong["commands"][0]["options"][0]["type"] = "colour"
    assert refuses(wrong, schema), "an unknown type passes"
    for command in help_["commands"]:
        for option in command["options"]:
            flag = option["type"] == "flag"
            assert flag == (option["argument"] is None), option
            assert bool(option["choices"]) == (option["type"] == "choice"), option
            assert ("minimum" in option) == ("maximum" in option), option
    print(f"{len(help_['commands'])} commands fit the schema")


if __name__ == "__main__":
    main()
