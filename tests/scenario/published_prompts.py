"""What the published scorers read where prompts stand: prompts that are cut, prompts for which
tokenisers differ, and prompts that no vocabulary is there for, of the run, of photographs and of a
sweep. Skipped where no ONNX Runtime is in build/deps.
Arguments: tare, folder of the generator of checkpoints, folder of libraries."""

import json
import os
import subprocess
import sys

from scenario import main, photographs, run

LIBRARY = os.path.join(os.path.abspath(sys.argv[3]), "libonnxruntime.so.1")
MAKE_TINY = os.path.join(os.path.abspath(sys.argv[2]), "make_tiny.py")
BPE = os.path.join(os.path.dirname(MAKE_TINY), "..", "..", "data", "tokens", "bpe.txt.gz")
LONG = "cat " * 60


def tiny():
    subprocess.run([sys.executable, MAKE_TINY, "weights"], check=True)


def spec(name):
    return ["--scorer", f"{name}:weights/{name},arch=any"]


def readings(folder):
    with open(f"{folder}/readings.json", encoding="utf-8") as file:
        return json.load(file)


def facts(folder, key):
    """The values of a key, in the sections of the scorers."""
    made = readings(folder)["facts"]
    return [f["value"] for f in made if f["section"].startswith("Scorer ") and f["key"] == key]


def manifest(*prompts):
    with open("m.csv", "w", encoding="utf-8") as file:
        file.write("file,prompt\n")
        for k, prompt in enumerate(prompts):
            file.write(f'photo-{k:02d}.jpg,"{prompt}"\n')
    return ["--manifest", "m.csv"]


def cautions(folder):
    return [c for c in readings(folder)["cautions"] if "end of prompts" in c or "tokenisers" in c]


def test_ids_of_every_run():
    """The ids of the neutral prompt are those of the specification (7), quiet or not."""
    tiny()
    photographs("photos", 2)
    run("score", "photos", *spec("clip"), *spec("imagereward"), "-q", "-o", "out")
    ids = ["4 ids: 49406 320 1125 49407", "4 ids: 101 1037 6302 102"]
    assert facts("out", "prompt") == ids, facts("out", "prompt")
    assert not cautions("out")


def test_prompt_of_the_run():
    tiny()
    photographs("photos", 2)
    words = ["--vocabulary", BPE]
    run("score", "photos", *spec("clip"), *words, "--prompt", LONG, "-q", "-o", "long")
    (cut,) = facts("long", "prompts cut")
    assert cut.endswith(" cut to 77"), cut
    (caution,) = cautions("long")
    assert "clip" in caution and cut in caution, caution
    run("score", "photos", *spec("clip"), *words, "--prompt", "a café", "-q", "-o", "odd")
    (differ,) = facts("odd", "tokenisers may differ")
    assert differ in facts("odd", "prompt"), differ
    (caution,) = cautions("odd")
    assert "tokenisers may differ" in caution and differ in caution, caution
    run("score", "odd", "-q")  # from the folder alone
    assert cautions("odd") == [caution] and facts("odd", "tokenisers may differ") == [differ]


def test_prompts_of_photographs():
    tiny()
    photographs("photos", 4)
    own = manifest("a & b", "", LONG, "a & b")
    run("score", "photos", *spec("clip"), "--vocabulary", BPE, *own, "-q", "-o", "out")
    (cut,) = facts("out", "prompts cut")
    start = "1 of 3 prompts, of 1 of 4 photographs; the first: that of photo-02.jpg, "
    assert cut.startswith(start) and cut.endswith(" cut to 77"), cut
    (differ,) = facts("out", "tokenisers may differ")
    start = "1 of 3 prompts, of 2 of 4 photographs; the first: that of photo-00.jpg, "
    assert differ.startswith(start), differ
    assert len(cautions("out")) == 2, cautions("out")


def test_prompts_of_a_sweep():
    """One caution for all prompts of one scorer."""
    tiny()
    photographs("photos", 2)
    with open("prompts.txt", "w", encoding="utf-8") as file:
        file.write("a photo\nun café\nune fenêtre\n")
    sweep = ["--prompts", "prompts.txt", "--vocabulary", BPE]
    run("score", "photos", *spec("clip"), *sweep, "-q", "-o", "out")
    (caution,) = cautions("out")
    assert caution.startswith("clip") and '2 of 3 prompts; the first, "un café"' in caution, caution
    assert len(facts("out", "tokenisers may differ")) == 2


def test_prompts_without_a_vocabulary():
    """No photograph drops out: those with an empty prompt would be a selected sample."""
    tiny()
    photographs("photos", 3)
    for name, file in (("clip", "bpe_simple_vocab_16e6.txt.gz"), ("imagereward", "vocab.txt")):
        for command in ("score", "audit"):
            own = manifest("", "A photo", "a dog")
            done = run(command, "photos", *spec(name), *own, "-o", "bad", status=None)
            said = " ".join(done.stderr.split())
            assert done.returncode == 3, (done.returncode, said)
            for word in ("photo-02.jpg", "a dog", file, "prompt.vocabulary"):
                assert word in said, (word, said)
    run("score", "photos", *spec("clip"), *manifest("", "A photo", ""), "-o", "good")


if __name__ == "__main__":
    if not os.path.exists(LIBRARY):
        print(f"skipped: {LIBRARY} is not here (make deps-onnxruntime)")
        sys.exit(77)
    os.environ["TARE_ORT_LIB"] = LIBRARY
    main()
