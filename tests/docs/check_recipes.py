#!/usr/bin/env python3
"""check_recipes.py SOURCE: the shipped recipes against docs/schema/recipe.schema.json, and their
`input` against that of manifests; what is changed to be wrong passes neither."""
import copy
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
sys.dont_write_bytecode = True
from check_schema import check, refuses  # noqa: E402  the path is set above

# (path of keys, new value; None: taken out), for laion-v2
WRONG = [
    (["tare_recipe"], 2), (["name"], None), (["version"], 0), (["more"], 1), (["files"], []),
    (["files", 0, "role"], "tail"), (["files", 0, "hub"], "clip"), (["files", 0, "address"], None),
    (["files", 0, "sha256"], ["ab"]), (["files", 1, "layers"], [1]), (["layouts"], ["timm"]),
    (["vision", "activation"], "quickgelu"), (["vision", "heads"], None), (["vision", "eps"], 0),
    (["vision", "width"], -1), (["score", "kind"], "mean"), (["score", "sd"], 0),
    (["input"], "image"),
]


def changed(recipe, keys, value):
    out = copy.deepcopy(recipe)
    at = out
    for key in keys[:-1]:
        at = at[key]
    if value is None:
        del at[keys[-1]]
    else:
        at[keys[-1]] = value
    return out


def main(source):
    def read(path):
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)
    schema = read(source + "/docs/schema/recipe.schema.json")
    manifest = read(source + "/docs/schema/scorer.schema.json")
    files = sorted(glob.glob(source + "/src/scorer/recipe/data/*.json"))
    assert len(files) >= 9, "the recipes are not where they should be"
    for path in files:
        recipe = read(path)
        check(recipe, schema, schema, os.path.basename(path))
        check(recipe["input"], manifest["$defs"]["image"], manifest,
              os.path.basename(path) + " input")
    valid = read(source + "/src/scorer/recipe/data/laion-v2.json")
    for keys, value in WRONG:
        if not refuses(changed(valid, keys, value), schema):
            sys.exit("%r = %r passes the schema" % (keys, value))
    print("%d recipes pass, %d wrong ones do not" % (len(files), len(WRONG)))


main(*sys.argv[1:])
