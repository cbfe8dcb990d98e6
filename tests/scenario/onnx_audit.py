"""Audits with ONNX models: the same bytes for any number of threads, any order of files and any
interruption; two heads on one tower; models that are no pure function of the image are caught.
Skipped where no ONNX Runtime is in build/deps. Arguments: tare, make_models, folder of
libraries."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from scenario import TARE, find, main, photographs, readings, results, run, same

LIBRARY = os.path.join(os.path.abspath(sys.argv[3]), "libonnxruntime.so.1")
MAKE_MODELS = os.path.abspath(sys.argv[2])
QUICK = ["--boot-b", "199", "--perm-p", "199"]
IMAGE = {
    "name": "image",
    "kind": "image",
    "size": [24, 24],
    "resize": {"mode": "stretch", "kernel": "bilinear"},
    "divide": 255,
}


def manifest(name, model, output, **more):
    """NAME.json in the working folder, with the models beside it."""
    if not os.path.exists("models"):
        os.makedirs("models")
        subprocess.run([MAKE_MODELS, "models"], check=True)
    content = {
        "tare_scorer": 1,
        "name": name,
        "model": f"models/{model}.onnx",
        "input": more.pop("input", IMAGE),
        "output": output,
        **more,
    }
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        json.dump(content, file)
    return ["--scorer", f"onnx:{name}.json"]


def mean(name="mean", **more):
    return manifest(name, "mean", {"name": "score"}, **more)


def two_heads():
    """Two heads on one tower: the second turns the first round and shifts it."""
    manifest("tower", "tower", {"name": "embedding"})
    vector = {"name": "embedding", "kind": "vector", "length": 8, "from": "tower.json"}
    plain = manifest("head", "head", {"name": "score"}, input=vector)
    turned = {"name": "score", "ops": [["affine", -2, 1]], "higher_is_better": False}
    return plain + manifest("turned", "head", turned, input=vector)


def scores(folder):
    with open(f"{folder}/tables/scores.tsv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_threads_and_batches():
    photographs("photos", 9)
    arguments = two_heads() + mean(batch=4) + mean("alone")
    for threads in (1, 2, 3, 8):
        run("audit", "photos", *arguments, *QUICK, "--threads", threads, "-o", f"out{threads}")
    for threads in (2, 3, 8):
        same("out1", f"out{threads}", f"1 and {threads} threads")
    for name in ("mean", "alone", "head", "turned"):
        noise = find("out1", family="noise", arm="skin", instrument=name, name="noise.shift")
        assert noise["estimate"] == 0, (name, noise)
    by_name = {}
    for row in scores("out1"):
        by_name.setdefault((row["base"], row["arm"], row["dose"]), {})[row["scorer"]] = row["score"]
    for of in by_name.values():
        assert of["mean"] == of["alone"], of  # a batch changes nothing
        assert abs(1 - 2 * float(of["head"]) - float(of["turned"])) < 1e-12, of


def test_vectors_that_are_kept_change_nothing():
    photographs("photos", 7)
    arguments = two_heads() + QUICK
    run("audit", "photos", *arguments, "-o", "memory")
    run("audit", "photos", *arguments, "--embeddings", "vectors", "-o", "first")
    assert os.listdir("vectors"), "nothing was kept"
    run("audit", "photos", *arguments, "--embeddings", "vectors", "-o", "second")
    same("memory", "first", "vectors kept")
    same("memory", "second", "vectors found")


def test_order_and_place_of_files():
    photographs("photos", 9)
    run("audit", "photos", *mean(), *QUICK, "-o", "out")
    names = sorted(os.listdir("photos"))
    random.Random(1).shuffle(names)
    os.makedirs("elsewhere/deep")
    for name in names:
        shutil.copy(f"photos/{name}", f"elsewhere/deep/{name}")
    run("audit", "elsewhere/deep", *mean(), *QUICK, "-o", "elsewhere/out")
    same("out", "elsewhere/out", "shuffled files")


def stop(arguments, folder, how):
    """Stop a run once it has a store; its exit status, None if it ended before."""
    process = subprocess.Popen(
        [TARE, "audit", "photos", *arguments, "-o", folder],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not os.path.exists(f"{folder}/run.sqlite") and process.poll() is None:
        time.sleep(0.005)
    time.sleep(0.1)
    process.send_signal(how)
    _, words = process.communicate(timeout=120)
    return process.returncode, words


def test_killed_and_resumed():
    photographs("photos", 24, width=160, height=190)
    arguments = two_heads() + mean(batch=4) + QUICK
    run("audit", "photos", *arguments, "-o", "whole")
    for trial in range(2):
        code, _ = stop(arguments, f"killed{trial}", signal.SIGKILL)
        assert code == -signal.SIGKILL, "the run was over before it was killed"
        run("audit", "photos", *arguments, "-o", f"killed{trial}")
        same("whole", f"killed{trial}", f"killed {trial}")


def test_interrupted_and_resumed():
    photographs("photos", 60, width=200, height=240)
    arguments = mean(batch=4) + QUICK
    run("audit", "photos", *arguments, "-o", "whole")
    code, words = stop(arguments, "stopped", signal.SIGINT)
    assert code == 5 and "stopped" in words, (code, words)
    run("audit", "photos", *arguments, "-o", "stopped")
    same("whole", "stopped", "interrupted")


def test_a_call_that_takes_long_is_interrupted():
    photographs("photos", 2)
    slow = manifest("slow", "slow", {"name": "score"})
    began = time.time()
    code, words = stop(slow + QUICK, "stopped", signal.SIGINT)
    assert code == 5, (code, words)
    assert time.time() - began < 60, "the call was waited for"


def test_batch_mates_are_caught():
    """A score that depends on who is scored with it: another batch moves it, so nothing is said."""
    photographs("photos", 12)
    run("audit", "photos", *manifest("mates", "mates", {"name": "score"}, batch=4), *QUICK,
        "-o", "out")
    shift = find("out", family="noise", arm="skin", name="noise.shift")
    assert shift["estimate"] > 1e-4 and shift["marks"][0].startswith("largest in: "), shift
    for name in ("FI", "A"):
        got = find("out", family="fidelity", arm="skin", name=name, condition="all doses")
        assert got["reason"] == "below_resolution" or abs(got["estimate"]) > got["floor"], got
        assert got["floor"] >= shift["estimate"], (got, shift)


def test_scores_that_are_no_numbers_are_counted():
    photographs("photos", 12)
    nan = manifest("nan", "nan", {"name": "score"})
    done = run("audit", "photos", *nan, *QUICK, "-o", "out")
    bad = [row for row in scores("out") if row["status"] == "score_nonfinite"]
    good = [row for row in scores("out") if row["status"] == "ok"]
    assert bad and good and not any(row["score"] for row in bad), (len(bad), len(good))
    assert all(float(row["score"]) <= 0.5 for row in good)
    words = "the output after its operations is not a number"
    assert all(row["note"] == words for row in bad), bad[0]
    assert not any(row["note"] for row in good)
    assert " ".join(done.stdout.split()).count(words) == 1, done.stdout
    rows = [row for row in readings("out")["missing"] if row["instrument"]]
    assert rows and all(row["example"].endswith(f": {words}") for row in rows), rows
    done = run("score", "photos", *nan, "-o", "scores")
    bad = [row for row in scores("scores") if row["status"] == "score_nonfinite"]
    said = f"nan: score_nonfinite, {len(bad)} scores; the first, of {bad[0]['base']}: {words}."
    assert said in " ".join(done.stdout.split()), done.stdout
    missing = [row for row in readings("out")["missing"] if row["reason"] == "score_nonfinite"]
    assert missing and sum(row["count"] for row in missing) > 0, readings("out")["missing"]


def test_another_model_or_decoding_is_refused():
    photographs("photos", 6)
    run("audit", "photos", *mean(), *QUICK, "-o", "out")
    before = results("out")
    other = mean(input=dict(IMAGE, divide=1))
    done = run("audit", "photos", *other, *QUICK, "-o", "out", status=3)
    assert "mean: the run in this folder was made with another instrument" in done.stderr
    assert "(manifest.input.divide)" in done.stderr and len(done.stderr) < 250, done.stderr
    again = mean()
    done = run("audit", "photos", *again, *QUICK, "--decoding", "canonical", "-o", "out", status=3)
    assert "decoding" in done.stderr, done.stderr
    assert results("out") == before


def test_a_prompt_that_nobody_takes_is_remarked_upon():
    photographs("photos", 2)
    done = run("score", "photos", *mean(), "--prompt", "a cat", "-o", "out")
    assert "no scorer here takes a prompt: --prompt changes nothing" in done.stderr, done.stderr
    done = run("score", "photos", *mean(), "-o", "silent")
    assert "prompt" not in done.stderr, done.stderr
    for table in ("out", "silent"):
        assert "a cat" not in json.dumps(readings(table)["facts"]), readings(table)["facts"]


def test_two_manifests_of_one_name():
    photographs("photos", 2)
    one = mean()
    shutil.copy("mean.json", "copy.json")
    done = run("score", "photos", *one, "--scorer", "onnx:copy.json", "-o", "out", status=2)
    for words in ("onnx:mean.json and onnx:copy.json", "change `name` in one manifest"):
        assert words in done.stderr, done.stderr


def test_doctor_says_which_library_is_wrong():
    with open("junk.so", "w", encoding="utf-8") as file:
        file.write("no library")
    said = " ".join(run("doctor", "--ort", "junk.so", status=None).stdout.split())
    assert "missing onnx ./junk.so: this library cannot be opened" in said, said
    said = " ".join(run("doctor", "--ort", LIBRARY, status=None).stdout.split())
    assert "ready onnx" in said and "in a batch of 4" in said, said


if __name__ == "__main__":
    if not os.path.exists(LIBRARY):
        print(f"skipped: {LIBRARY} is not here (make deps-onnxruntime)")
        sys.exit(77)
    os.environ["TARE_ORT_LIB"] = LIBRARY
    main()
