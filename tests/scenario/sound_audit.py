"""An audit of recordings: variants that somebody made elsewhere, scored by a model of sound, with
the statistics that photographs get. Skipped where no ONNX Runtime is in build/deps. Arguments:
tare, make_models, folder of libraries."""

import csv
import json
import os
import subprocess
import sys
import wave

import numpy
from PIL import Image

from scenario import find, main, run, same

LIBRARY = os.path.join(os.path.abspath(sys.argv[3]), "libonnxruntime.so.1")
MAKE_MODELS = os.path.abspath(sys.argv[2])
QUICK = ["--boot-b", "199", "--perm-p", "199"]
RATE = 8000
GAIN = {-2: 0.25, -1: 0.5, 0: 1.0, 1: 0.9, 2: 0.8}


def voice(seed):
    """A second of a few tones, as whole numbers of 16 bits."""
    random = numpy.random.default_rng(seed)
    t = numpy.arange(RATE - 37 * seed) / RATE
    tones = random.uniform([0.05, 90], [0.2, 900], (3, 2))
    return sum(a * numpy.sin(6.2831853 * f * t) for a, f in tones)


def write(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())


def sounds(count=12):
    """The recordings, sounds.csv, the model; gives {(base, dose): whole samples}."""
    made = {}
    os.makedirs("sounds")
    subprocess.run([MAKE_MODELS, "."], check=True)
    with open("sounds.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["base", "file", "dose"])
        for k in range(count):
            for dose, gain in GAIN.items():
                samples = numpy.round(voice(k) * gain * 32768)
                made[f"v{k:02d}", dose] = samples
                write(f"sounds/v{k:02d}_{dose}.wav", samples)
                rows.writerow([f"v{k:02d}", f"sounds/v{k:02d}_{dose}.wav", dose])
    content = {
        "tare_scorer": 1,
        "name": "loud",
        "model": "loud.onnx",
        "input": {"name": "wave", "kind": "wave", "rate": RATE, "length": 400, "hop": 200,
                  "short": "zero"},
        "output": {"name": "score"},
    }
    with open("loud.json", "w", encoding="utf-8") as file:
        json.dump(content, file)
    return made


def loudness(samples):
    x = numpy.abs((samples / 32768).astype(numpy.float32))
    starts = range(0, len(x) - 400 + 1, 200)
    return numpy.mean([numpy.mean(x[s : s + 400], dtype=float) for s in starts])


def scores(folder):
    with open(f"{folder}/tables/scores.tsv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def audit(folder, *more, **options):
    return run("audit", ".", "--manifest", "sounds.csv", "--axis-name", "gain", "--scorer",
               "onnx:loud.json", *QUICK, "-o", folder, *more, **options)


def test_scores_and_readings():
    made = sounds()
    said = audit("out").stdout
    assert "recordings" in said and "image" not in said and "photograph" not in said, said
    for row in scores("out"):
        want = loudness(made[row["base"], int(row["dose"])])
        assert abs(float(row["score"]) - want) < 1e-6, row
    minus = numpy.mean([loudness(made[b, d]) for b, d in made if d < 0])
    plus = numpy.mean([loudness(made[b, d]) for b, d in made if d > 0])
    neutral = numpy.mean([loudness(made[b, 0]) for b, d in made if d == 0])
    a = find("out", name="A", condition="all doses")
    fi = find("out", name="FI", condition="all doses")
    assert abs(float(a["estimate"]) - (plus - minus)) < 1e-6, a
    assert abs(float(fi["estimate"]) - (neutral - (plus + minus) / 2)) < 1e-6, fi
    assert a["verdict"] == "found"
    assert not os.path.exists("out/figures/strip.png")
    for threads in (1, 3, 8):
        audit(f"out{threads}", "--threads", threads)
        same("out", f"out{threads}", f"{threads} threads")


def test_what_does_not_belong():
    """A picture at one dose, a file that is cut short, one that is gone: reasons, not zeros."""
    sounds()
    Image.new("RGB", (64, 64), (90, 120, 30)).save("sounds/v00_1.wav", format="PNG")
    with open("sounds/v01_2.wav", "r+b") as file:
        file.truncate(1000)
    os.remove("sounds/v02_-1.wav")
    audit("out")
    status = {(row["base"], row["dose"]): row["status"] for row in scores("out")}
    assert status["v00", "1"] == "unsupported_pixels", status["v00", "1"]
    assert status["v01", "2"] == "decode", status["v01", "2"]
    assert status["v02", "-1"] == "unreadable", status["v02", "-1"]
    assert status["v03", "0"] == "ok"


def test_axes_of_photographs_are_refused():
    sounds(2)
    with open("list.csv", "w", encoding="utf-8") as file:
        file.write("file\nsounds/v00_0.wav\nsounds/v01_0.wav\n")
    run("score", "list.csv", "--scorer", "onnx:loud.json", "-o", "scored")
    assert [row["status"] for row in scores("scored")] == ["ok", "ok"]
    run("score", "list.csv", "--scorer", "planted:fidelity=1", "-o", "planted", status=None)


def test_a_folder_of_recordings():
    """Nothing says what is a variant of what: the user is told to name them in a table. The noise
    of an instrument can be measured without one."""
    sounds(2)
    said = run("score", "sounds", "--scorer", "onnx:loud.json", "-o", "bad", status=3).stderr
    assert "recordings among them: name those in a table" in " ".join(said.split()), said
    said = " ".join(run("scorer", "noise", "onnx:loud.json", "sounds").stdout.split())
    assert "10 recordings keep their scores" in said and "photograph" not in said, said
    assert "not measured: it takes recordings" in said, said


if __name__ == "__main__":
    if not os.path.exists(LIBRARY):
        print(f"skipped: {LIBRARY} is not here (make deps-onnxruntime)")
        sys.exit(77)
    os.environ["TARE_ORT_LIB"] = LIBRARY
    main()
