#!/usr/bin/env python3
"""check_manifests.py PROGRAM SOURCE: manifests, the program that reads them and the schema.

PROGRAM is manifest_program. The examples of docs/onnx-scorer.md (fenced blocks of json and yaml
with `tare_scorer`) and tests/data/onnx_manifests are read and pass docs/schema/scorer.schema.json;
what is changed to be wrong passes neither."""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
sys.dont_write_bytecode = True
from check_schema import check, refuses  # noqa: E402  the path is set above

# (path of keys, new value; None: taken out): each wrong for both.
WRONG = [
    (["tare_scorer"], 2), (["tare_scorer"], None), (["name"], ""), (["name"], 7), (["model"], None),
    (["sha256"], "abc"), (["licence"], 3), (["batch"], 0), (["batch"], 4097), (["more"], 1),
    (["input", "kind"], "picture"), (["input", "size"], [224]), (["input", "size"], [0, 224]),
    (["input", "dtype"], "float"), (["input", "crop"], "centre"), (["input", "rgba"], "drop"),
    (["input", "divide"], 0),
    (["input", "mean"], [1, 2]), (["input", "resize", "mode"], "fit"),
    (["input", "resize", "mode"], "none"), (["input", "resize", "backend"], "tensor"),
    (["input", "resize", "antialias"], True), (["input", "resize", "kernel"], None),
    (["input", "resize", "corners"], "aligned"),  # of the back end tensor, without antialias
    (["input", "pad"], {"colour": [0, 0, 256], "place": "center"}), (["input", "pad"], 0),
    (["prompt"], {"mode": "per-item"}), (["prompt"], {"mode": "none", "length": 3}),
    (["prompt"], {"mode": "fixed", "tokenizer": "hf-json", "ids": "i"}),
    (["prompt"], {"mode": "fixed", "tokenizer": "clip", "text": "a cat", "ids": "i"}),
    (["prompt"], {"mode": "per-item", "tokenizer": "clip", "ids": "i"}),
    (["prompt"], {"mode": "per-item", "tokenizer": "clip", "length": 1, "ids": "i"}),
    (["prompt"], {"mode": "per-item", "tokenizer": "clip", "length": 5, "text": "x", "ids": "i"}),
    (["prompt"], {"mode": "fixed", "tokens": [-1], "ids": "i"}),
    (["output", "name"], None), (["output", "range"], [1]),
    (["output", "higher_is_better"], "true"), (["output", "ops"], "mean"),
    (["output", "ops"], [["average"]]), (["output", "ops"], [["mean", 0]]),
    (["output", "ops"], [["mean", []]]), (["output", "ops"], ["softmax"]),
    (["output", "ops"], [["select", 1]]), (["output", "ops"], [["expect", []]]),
    (["output", "ops"], [["dot", 3]]), (["output", "ops"], [["affine", 1]]),
    (["output", "ops"], [["exp", 1]]), (["output", "ops"], ["exp"] * 33),
    (["output", "map"], {"layout": "nhw", "activation": "none"}),  # beside ops
    (["output"], {"name": "o", "map": {"layout": "nchw", "activation": "none"}}),
    (["output"], {"name": "o", "map": {"layout": "nhw", "activation": "softmax"}}),
    (["output"], {"name": "o", "map": {"layout": "nhw", "activation": "none", "channel": 0}}),
    (["output"], {"name": "o", "map": {"layout": "nhwc", "activation": "relu", "channel": 0}}),
    (["output"], {"name": "o", "map": {"layout": "nchw", "activation": "none", "channel": -1}}),
    (["output"], {"name": "o", "map": {"layout": "nhw", "activation": "none", "greater": 1}}),
    (["output"], {"name": "o", "map": {"layout": "nhw", "activation": "none", "thresh": 1}}),
]


def changed(manifest, keys, value):
    out = copy.deepcopy(manifest)
    at = out
    for key in keys[:-1]:
        at = at[key]
    if value is None:
        del at[keys[-1]]
    else:
        at[keys[-1]] = value
    return out


def show(program, path):
    """The document of a file that must be a manifest."""
    done = subprocess.run([program, "show", path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr or "%s is no manifest" % path)
    return json.loads(done.stdout)


def examples(page):
    """(language, text) of the manifests in a page."""
    with open(page, encoding="utf-8") as stream:
        blocks = re.findall(r"^```(json|yaml)\n(.*?)^```", stream.read(), re.M | re.S)
    return [(kind, text) for kind, text in blocks if "tare_scorer" in text]


def check_wrong(program, schema, valid, folder):
    path = folder + "/wrong.json"
    for keys, value in WRONG:
        wrong = changed(valid, keys, value)
        with open(path, "w", encoding="utf-8") as out:
            json.dump(wrong, out)
        done = subprocess.run([program, "show", path], capture_output=True, check=False)
        if done.returncode == 0:
            sys.exit("%s = %r is read" % (".".join(keys), value))
        if not refuses(wrong, schema):
            sys.exit("%s = %r passes the schema" % (".".join(keys), value))


def main(program, source):
    with open(source + "/docs/schema/scorer.schema.json", encoding="utf-8") as stream:
        schema = json.load(stream)
    files = sorted(glob.glob(source + "/tests/data/onnx_manifests/*.json") +
                   glob.glob(source + "/tests/data/onnx_manifests/*.yaml"))
    pages = examples(source + "/docs/onnx-scorer.md")
    assert len(files) >= 7 and len(pages) >= 2, "the manifests are not where they should be"
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            check(show(program, path), schema, schema, os.path.basename(path))
        for number, (kind, text) in enumerate(pages):
            path = "%s/example%d.%s" % (folder, number, kind)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            check(show(program, path), schema, schema, "example %d" % number)
        valid = show(program, source + "/tests/data/onnx_manifests/nima.json")
        check_wrong(program, schema, valid, folder)
    print("%d files and %d examples pass, %d wrong ones do not"
          % (len(files), len(pages), len(WRONG)))


main(*sys.argv[1:])
