"""The published scorers in whole audits, from tiny checkpoints in their authors' layouts: one
command, the same bytes for any number of threads, both ways of feeding the weights, vectors kept
for other heads, and files that are wrong. Skipped where no ONNX Runtime is in build/deps.
Arguments: tare, folder of the generator of checkpoints, folder of libraries."""

import csv
import json
import os
import struct
import subprocess
import sys

from scenario import main, photographs, run, same

LIBRARY = os.path.join(os.path.abspath(sys.argv[3]), "libonnxruntime.so.1")
OLDEST = os.path.join(os.path.abspath(sys.argv[3]), "ort-1.17", "libonnxruntime.so.1.17.0")
MAKE_TINY = os.path.join(os.path.abspath(sys.argv[2]), "make_tiny.py")
QUICK = ["--boot-b", "199", "--perm-p", "199", "--strips", "0"]
ALL = ("laion-v1", "laion-v2", "pickscore", "hpsv2.0", "hpsv2.1", "imagereward", "clip")


def tiny():
    subprocess.run([sys.executable, MAKE_TINY, "weights"], check=True)


def spec(name, *more):
    return ["--scorer", ",".join([f"{name}:weights/{name}", "arch=any", *more])]


def scores(folder):
    with open(f"{folder}/tables/scores.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {(r["base"], r["scorer"], r["dose"]): (r["status"], r["score"]) for r in rows}


def facts(folder):
    with open(f"{folder}/readings.json", encoding="utf-8") as file:
        return json.dumps(json.load(file))


def test_one_command():
    """All seven beside one another; the bytes do not depend on threads or feed."""
    tiny()
    photographs("photos", 8)
    every = [word for name in ALL for word in spec(name)]
    said = run("audit", "photos", *every, *QUICK, "-o", "out").stdout
    assert "not the published architecture; not verified" in " ".join(said.split()), said
    assert all(status == "ok" for status, _ in scores("out").values())
    assert len({scorer for _, scorer, _ in scores("out")}) == len(ALL)
    for threads in (1, 3, 8):
        run("audit", "photos", *every, *QUICK, "--threads", threads, "-o", f"out{threads}")
        same("out", f"out{threads}", f"{threads} threads")
    run("audit", "photos", *every, *QUICK, "--low-memory", "-o", "low")
    assert scores("low") == scores("out")


def test_weights_by_option_and_variable():
    tiny()
    photographs("photos", 2)
    run("score", "photos", *spec("laion-v2"), "-o", "named")
    run("score", "photos", "--scorer", "laion-v2:arch=any", "--weights", "weights", "-o", "option")
    environment = dict(os.environ, TARE_MODELS=os.path.abspath("weights"))
    run("score", "photos", "--scorer", "laion-v2:arch=any", "-o", "variable", env=environment)
    assert scores("named") == scores("option") == scores("variable")


def test_one_tower_for_three_heads():
    """V1, V2 and the CLIP score look through one tower: its vectors are kept once, and a second run
    asks for none."""
    tiny()
    photographs("photos", 4)
    for name in ("laion-v1", "laion-v2"):
        os.remove(f"weights/{name}/ViT-L-14.pt")
        os.symlink("../clip/ViT-L-14.pt", f"weights/{name}/ViT-L-14.pt")
    three = spec("laion-v1") + spec("laion-v2") + spec("clip")
    keep = ["--embeddings", "vectors"]
    run("score", "photos", *three, *keep, "-o", "out")
    files = os.listdir("vectors")
    assert len(files) == 1, files
    size = os.path.getsize(f"vectors/{files[0]}")
    run("score", "photos", *three, *keep, "-o", "again")
    assert scores("again") == scores("out")
    assert os.listdir("vectors") == files and os.path.getsize(f"vectors/{files[0]}") == size


def refused(says, *arguments):
    said = " ".join(run("score", "photos", *arguments, "-o", "bad", status=None).stderr.split())
    for part in says.split(" | "):
        assert part in said, f"{part!r} is not in {said!r}"


def safetensors_with_nan(path, name):
    """Sets the first number of one tensor to NaN."""
    with open(path, "r+b") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        begin = json.loads(file.read(length))[name]["data_offsets"][0]
        file.seek(8 + length + begin)
        file.write(struct.pack("<f", float("nan")))


def test_files_that_are_wrong():
    tiny()
    photographs("photos", 1)
    refused("not the architecture of laion-v1 | arch=any", "--scorer", "laion-v1:weights/laion-v1")
    refused("hpsv2.0: | hpsv2.1:", "--scorer", "hpsv2:weights/hpsv2.0")
    refused("pickscore | model.safetensors | tare scorer where pickscore",
            "--scorer", "pickscore:weights/clip")
    head = "head=weights/laion-v1/sa_0_4_vit_l_14_linear.pth"
    refused("not the head of laion-v2 | layers.0.weight", *spec("laion-v2", head))
    head = "backbone=weights/laion-v2/sac+logos+ava1-l14-linearMSE.pth"
    refused("not the backbone of laion-v2 | visual.conv1.weight", *spec("laion-v2", head))
    with open("weights/clip/ViT-L-14.pt", "r+b") as file:
        file.truncate(50000)
    refused("weights/clip/ViT-L-14.pt | copied or downloaded whole", *spec("clip"))
    with open("weights/pickscore/config.json", encoding="utf-8") as file:
        config = json.load(file)
    config["vision_config"]["hidden_act"] = "quick_gelu"
    with open("weights/pickscore/config.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    refused("config.json | hidden_act", *spec("pickscore"))
    os.remove("weights/pickscore/config.json")
    name = "vision_model.encoder.layers.1.mlp.fc2.weight"
    safetensors_with_nan("weights/pickscore/model.safetensors", name)
    refused(f"{name} | not finite", *spec("pickscore"))
    with open("weights/hpsv2.0/HPS_v2_compressed.pt", "wb") as file:
        file.write(b"<!DOCTYPE html><html>Sign in</html>")
    refused("HPS_v2_compressed.pt | page", *spec("hpsv2.0"))


def test_prompts_need_a_vocabulary():
    tiny()
    photographs("photos", 1)
    refused("vocabulary | bpe_simple_vocab_16e6.txt.gz", *spec("clip"), "--prompt", "a dog")
    refused("vocabulary | vocab.txt", *spec("imagereward"), "--prompt", "a dog")


def clip_archive(change):
    """weights/odd/ViT-L-14.pt: the tiny CLIP with some of its tensors changed."""
    sys.path.insert(0, os.path.dirname(MAKE_TINY))
    import tiny_files
    import tiny_models

    tensors = tiny_models.openai(tiny_models.clip(tiny_models.L14))
    change(tensors)
    os.makedirs("weights/odd", exist_ok=True)
    tiny_files.torchscript("weights/odd/ViT-L-14.pt", tensors, "ViT-L-14")
    return ["--scorer", "clip:weights/odd,arch=any"]


def test_sizes_that_contradict_one_another():
    photographs("photos", 1)

    def narrow_text(tensors):
        tensors["text_projection"] = tensors["text_projection"][:, :-4].copy()

    refused("have no cosine | 48 | 44", *clip_archive(narrow_text))

    def few_words(tensors):
        tensors["token_embedding.weight"] = tensors["token_embedding.weight"][:1000].copy()

    refused("the token 49406 | 1000", *clip_archive(few_words))


def test_settings_and_vocabularies():
    """Two settings are two instruments of one run; a vocabulary counts by the ids that it gives."""
    tiny()
    photographs("photos", 2)
    two = spec("hpsv2.1", "antialias=true") + spec("hpsv2.1", "antialias=false")
    run("score", "photos", *two, "-o", "two")
    names = {scorer for _, scorer, _ in scores("two")}
    assert names == {"hpsv2.1-antialias", "hpsv2.1-no-antialias"}, names
    vocabulary = os.path.join(os.path.dirname(MAKE_TINY), "../../data/tokens/bpe.txt.gz")
    run("score", "photos", *spec("clip"), "-o", "out")
    said = run("score", "photos", *spec("clip"), "--vocabulary", vocabulary, "-o", "out", status=3)
    assert "(prompt.ids)" in said.stderr, said.stderr


def excuses():
    """What sanitizers are not to say of 1.17 itself: tests/support/ort_excuses.c says why."""
    environment = dict(os.environ)
    for name, kind in (("LSAN_OPTIONS", "leak"), ("TSAN_OPTIONS", "race")):
        with open(f"{kind}.supp", "w", encoding="utf-8") as file:
            file.write(f"{kind}:libonnxruntime.so.1.17\n")
        more = "suppressions=" + os.path.abspath(f"{kind}.supp")
        environment[name] = f"{environment.get(name, '')} {more}".strip()
    return environment


def test_low_memory_of_an_old_library():
    if not os.path.exists(OLDEST):
        return
    tiny()
    photographs("photos", 1)
    refused("low memory | 1.21", *spec("clip"), "--low-memory", "--ort", OLDEST)
    run("score", "photos", *spec("clip"), "--ort", OLDEST, "-o", "old", env=excuses())
    run("score", "photos", *spec("clip"), "-o", "new")
    for key, (_, score) in scores("old").items():
        assert abs(float(score) - float(scores("new")[key][1])) < 1e-5


def test_graphs_for_other_viewers():
    tiny()
    photographs("photos", 1)
    run("score", "photos", *spec("imagereward"), "--dump-graph", "graphs", "-o", "out")
    assert sorted(os.listdir("graphs")) == ["imagereward-image.onnx", "imagereward-text.onnx"]
    assert all(os.path.getsize(f"graphs/{f}") < 200000 for f in os.listdir("graphs"))
    for name in ("laion-v1", "laion-v2"):  # one tower, a file for each
        os.remove(f"weights/{name}/ViT-L-14.pt")
        os.symlink("../clip/ViT-L-14.pt", f"weights/{name}/ViT-L-14.pt")
    two = spec("laion-v1") + spec("laion-v2")
    run("score", "photos", *two, "--dump-graph", "both", "-o", "out2")
    assert sorted(os.listdir("both")) == ["laion-v1-image.onnx", "laion-v2-image.onnx"]


if __name__ == "__main__":
    if not os.path.exists(LIBRARY):
        print(f"skipped: {LIBRARY} is not here (make deps-onnxruntime)")
        sys.exit(77)
    os.environ["TARE_ORT_LIB"] = LIBRARY
    main()
