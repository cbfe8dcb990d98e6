#!/usr/bin/env python3
"""make_reference.py [--tensors FOLDER] [PHOTOGRAPH...]: score photographs with the published
scorers' own code and tiny models, and write published_scores.tsv and published_tensors.tsv beside
this file. Photographs: those of photographs.py, and more, which are named by the last two parts of
their paths; the tables hold six of TARE_SHARED_FACES: large/008049, large/010603, large/010764,
small/015124, small/020145, small/020304.

Needs Python 3.11 and, from PyPI: torch 2.4.1, torchvision 0.19.1, numpy 1.26.4, pillow 9.4.0,
transformers 4.44.2, timm 0.6.13, fairscale 0.4.13, ftfy, regex, clint; without their dependencies
openai-clip 1.0.1, hpsv2 1.2.0, image-reward 1.5. `make test` needs none of it. --tensors keeps the
whole tensors as .npy for check_published.py."""

import argparse
import hashlib
import importlib.metadata
import os
import tempfile

import numpy
import torch
from PIL import Image

import make_tiny
import official
import photographs
import tiny_models

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ("torch", "torchvision", "numpy", "pillow", "transformers", "timm", "openai-clip",
            "hpsv2", "image-reward")
SAMPLES = 24


def preparations():
    """Name and function from an open picture to [3][224][224], of each package."""
    module = official.hpsv2_ready()
    silent = official.silent_modules
    silent()
    from ImageReward.ImageReward import _transform as imagereward

    def hpsv2(smooth):
        def run(picture):
            with official.antialias(smooth):
                made = module.model_dict["preprocess_val"](picture)
            return made if made.shape == (3, 224, 224) else None  # the model refuses it
        return run

    pick = official.hf_processor()
    yield "clip", official.openai_preprocess()
    yield "pickscore", lambda p: pick(images=p, return_tensors="pt")["pixel_values"][0]
    yield "hpsv2-antialias=1", hpsv2(True)
    yield "hpsv2-antialias=0", hpsv2(False)
    yield "imagereward", imagereward(224)


def tensor_row(kind, name, path, prepare, keep):
    made = prepare(Image.open(path))
    if made is None:
        return f"{kind}\t{name}\trefused\t-\t-"
    flat = numpy.ascontiguousarray(made.numpy(), numpy.float32)
    if keep:
        numpy.save(os.path.join(keep, f"{kind}.{name.replace('/', '-')}.npy"), flat)
    flat = flat.ravel()
    some = " ".join(f"{flat[k * 7919 % flat.size]:.9g}" for k in range(SAMPLES))
    return "\t".join([kind, name, hashlib.sha256(flat.tobytes()).hexdigest()[:16],
                      f"{flat.astype(float).sum():.9g}", some])


def scorers(root, scratch):
    """Name and function from a path to (embedding, score)."""
    l14, b32 = official.openai_clip(tiny_models.L14), official.openai_clip(tiny_models.B32)
    pick = {name: official.pickscore_model(os.path.join(root, name))
            for name in ("pickscore", "pickscore-shards")}
    reward = official.imagereward_model(os.path.join(root, "imagereward"), scratch)
    module = official.hpsv2_ready()

    def hpsv2(version, file, smooth):
        def run(photo):
            with official.antialias(smooth):
                return official.hpsv2(module, photo, os.path.join(root, version, file))
        return run

    yield "laion-v1", lambda p: official.laion_v1(l14, p)
    yield "laion-v2", lambda p: official.laion_v2(l14, p)
    yield "laion-relu", lambda p: official.laion_v2(l14, p, relu=True)
    yield "clip", lambda p: official.clip_cosine(l14, p)
    yield "clip-b32", lambda p: official.clip_cosine(b32, p)
    for name, model in pick.items():
        yield name, lambda p, model=model: official.pickscore(model, p)
    yield "hpsv2.0", hpsv2("hpsv2.0", "HPS_v2_compressed.pt", True)
    yield "hpsv2.0-antialias=0", hpsv2("hpsv2.0", "HPS_v2_compressed.pt", False)
    yield "hpsv2.1", hpsv2("hpsv2.1", "HPS_v2.1_compressed.pt", True)
    yield "imagereward", lambda p: official.imagereward(reward, p)


def score_row(kind, name, path, score):
    try:
        vector, value = score(path)
    except RuntimeError as failed:  # hpsv2: four channels, or no square
        assert kind.startswith("hpsv2"), failed
        return f"{kind}\t{name}\trefused\t-\t-"
    vector = vector.detach().double().numpy().ravel()
    first = " ".join(f"{x:.7g}" for x in vector[:3])
    return f"{kind}\t{name}\t{value:.9g}\t{numpy.linalg.norm(vector):.7g}\t{first}"


def write(name, head, rows):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in PACKAGES)
        file.write(f"# made by make_reference.py with {versions}\n# {head}\n")
        file.write("\n".join(rows) + "\n")


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--tensors")
    asked.add_argument("photographs", nargs="*")
    asked = asked.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        root = os.path.join(scratch, "tiny")
        make_tiny.write(root)
        photos = photographs.write(os.path.join(scratch, "photographs"))
        photos += [("/".join(p.split(os.sep)[-2:]), p) for p in asked.photographs]
        write("published_tensors.tsv", "preparation, photograph, SHA-256 of the float32 tensor (16 "
              "digits), its sum, elements k * 7919 mod n",
              [tensor_row(kind, name, path, prepare, asked.tensors)
               for kind, prepare in preparations() for name, path in photos])
        write("published_scores.tsv", "scorer, photograph, score, norm of the image's vector "
              "before it is normalised, its first elements",
              [score_row(kind, name, path, score)
               for kind, score in scorers(root, scratch) for name, path in photos])


if __name__ == "__main__":
    main()
