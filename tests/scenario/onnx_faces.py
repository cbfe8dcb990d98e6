"""A published face detector on public portraits: the same bytes for 1 and 8 threads, and a warning
that its probability is saturated (label shared; pixels only). Arguments: tare, shared,
libraries."""

import json
import os
import sys

from scenario import find, main, readings, run, same

SHARED = os.path.abspath(sys.argv[2])
LIBRARY = os.path.join(os.path.abspath(sys.argv[3]), "libonnxruntime.so.1")
FACES = os.path.join(SHARED, "data", "faces", "small")
MODEL = os.path.join(SHARED, "data", "scorers", "ultraface", "version-slim-320_simplified.onnx")
QUICK = ["--boot-b", "199", "--perm-p", "199", "--strips", "2"]
# scorers 1.4; `logit` of the probability leaves the saturated end, before the largest is taken
KINDS = {"face": [["select", -1, 1], ["max"]], "logit": [["select", -1, 1], ["max"], ["logit"]]}


def manifests():
    arguments = []
    for name, operations in KINDS.items():
        with open(f"{name}.json", "w", encoding="utf-8") as file:
            json.dump(
                {
                    "tare_scorer": 1,
                    "name": name,
                    "model": MODEL,
                    "input": {
                        "name": "input",
                        "kind": "image",
                        "size": [240, 320],
                        "resize": {"mode": "stretch", "kernel": "bilinear"},
                        "divide": 1,
                        "mean": [127, 127, 127],
                        "std": [128, 128, 128],
                    },
                    "output": {"name": "scores", "ops": operations},
                },
                file,
            )
        arguments += ["--scorer", f"onnx:{name}.json"]
    return arguments


def test_face_detector():
    arguments = manifests()
    os.makedirs("photos")
    for name in sorted(os.listdir(FACES))[:10]:
        os.symlink(os.path.join(FACES, name), os.path.join("photos", name))
    for threads in (1, 8):
        done = run(
            "audit", "photos", *arguments, *QUICK, "--threads", threads, "-o", f"out{threads}"
        )
    same("out1", "out8", "1 and 8 threads")
    said = [w for w in readings("out1")["cautions"] if "saturated" in w]
    assert len(said) == 1 and said[0].startswith("face: "), said
    assert "saturated" in done.stdout, done.stdout  # on the terminal too
    noise = find("out1", family="noise", arm="skin", instrument="face", name="noise.shift")
    assert noise["estimate"] == 0, noise


if __name__ == "__main__":
    for path in (LIBRARY, FACES, MODEL):
        if not os.path.exists(path):
            print(f"skipped: {path} is not here")
            sys.exit(77)
    os.environ["TARE_ORT_LIB"] = LIBRARY
    main()
