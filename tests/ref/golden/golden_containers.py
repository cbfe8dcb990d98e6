"""The towers of scorers 8.4 in every container and layout in which weights are published, a few of
which are wrong on purpose. Written with NumPy alone, at test time."""

import argparse
import os
import sys
from collections import OrderedDict, namedtuple

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "published"))
import tiny_files  # noqa: E402
import tiny_formula  # noqa: E402
import tiny_models  # noqa: E402

SIZES = tiny_models.Sizes(side=32, patch=8, context=16, vocabulary=100)
BERT = dict(tiny_models.BERT, words=100, positions=40)
HOLE = 1 << 32

# write(path) -> weights in OpenAI's or BLIP's names, as they are stored. `label`: of the table's
# row, after the activation. copies: least and most of the vision tower's 40 weights that are copied
# before they are given to the library.
Container = namedtuple("Container", "name file write recipe kind layout prefix label copies",
                       defaults=("openai", "", "", (0, 0)))
ANY, SOME = (0, 40), (1, 40)  # any: by how long the pickles happen to be
TURNED = (1, 8)  # slices of q, k, v, the convolution, positions; other matrices lie as transposes


# ---- Weights ------------------------------------------------------------------------------------


def clip():
    return tiny_models.clip((64, 64, 4, 4), SIZES)


def blip():
    made = tiny_models.imagereward(SIZES, BERT)
    for name in made:
        if name.startswith("mlp.") and name.endswith("weight"):  # as 8.4 has it
            u = tiny_formula.uniform(name, made[name].size)
            made[name] = (u / 4).astype(numpy.float32).reshape(made[name].shape)
    return made


def brain(value):
    """Rounded to bfloat16, to even."""
    bits = numpy.frombuffer(value.tobytes(), numpy.uint32)
    upper = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    made = numpy.empty(value.shape, tiny_files.BFLOAT16)
    made["bfloat16"] = upper.reshape(value.shape)
    return made


def in_double(value):
    if value.dtype != tiny_files.BFLOAT16:
        return value.astype(float)
    bits = value["bfloat16"].astype(numpy.uint32) << numpy.uint32(16)
    return numpy.frombuffer(bits.tobytes(), numpy.float32).astype(float).reshape(value.shape)


def wide(tensors):
    """In double, whatever they are stored as."""
    return {name: in_double(value) for name, value in tensors.items()}


def halves(tensors):
    return {name: value.astype(numpy.float16) for name, value in tensors.items()}


def brains(tensors):
    return {name: brain(value) for name, value in tensors.items()}


def training(tree):
    """What HPSv2 and open_clip save."""
    return {"state_dict": tree, "epoch": 7, "args": argparse.Namespace(name="tiny", lr=1e-3)}


def by_columns(tensors):
    """Every matrix in memory by columns, the convolution with its channels last."""
    turned = {}
    for name, value in tensors.items():
        if value.ndim == 2:
            value = numpy.asfortranarray(value)
        elif value.ndim == 4:
            value = numpy.ascontiguousarray(value.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
        turned[name] = value
    return turned


def pooled(tensors):
    """Views of one storage, as of a model whose parameters were flattened."""
    flat = numpy.concatenate([value.reshape(-1) for value in tensors.values()])
    storage, at, views = tiny_files.Storage(0, flat), 0, OrderedDict()
    for name, value in tensors.items():
        strides = tuple(s // value.itemsize for s in value.strides)
        views[name] = tiny_files.Tensor(storage, at, value.shape, strides)
        at += value.size
    return views


def every_second(tensors):
    """Storages of twice the length, of which a tensor has every second element."""
    views = OrderedDict()
    for key, (name, value) in enumerate(tensors.items()):
        flat = numpy.full(2 * value.size, 7, value.dtype)
        flat[::2] = value.reshape(-1)
        strides = tuple(2 * s // value.itemsize for s in value.strides)
        views[name] = tiny_files.Tensor(tiny_files.Storage(key, flat), 0, value.shape, strides)
    return views


# ---- Writers ------------------------------------------------------------------------------------


def writes(writer, make=clip, change=None, store=None, **options):
    """A function of a path: `change` alters values, `store` how they lie in the file."""
    def write(path):
        tensors = make()
        tensors = change(tensors) if change else tensors
        writer(path, store(tensors) if store else tensors, **options)
        return wide(tensors)
    return write


def mixed_archive(path):
    tensors = tiny_models.openai(clip(), SIZES)
    tiny_files.torchscript(path, tensors, "ViT-tiny")
    return wide(tensors)


def shards(path, tensors):
    tiny_files.safetensors_shards(os.path.dirname(path), tensors, 3)


ZIP, LEGACY, SAFE = tiny_files.torch_zip, tiny_files.torch_legacy, tiny_files.safetensors
INDEX = "model.safetensors.index.json"


def containers():
    """All that hold the right numbers."""
    hf, reward = tiny_models.hf, "imagereward"
    of = Container
    return [
        of("zip", "a.pt", writes(ZIP), "clip", "torch zip"),
        of("zip fp16", "a.pt", writes(ZIP, change=halves), "clip", "torch zip", label="float16"),
        of("zip bf16", "a.pt", writes(ZIP, change=brains), "clip", "torch zip",
           label="bfloat16"),
        of("zip exact gelu", "a.pt", writes(ZIP), "hpsv2.0", "torch zip"),
        of("torchscript mixed", "a.pt", mixed_archive, "clip", "torchscript zip", label="mixed"),
        of("zip state_dict", "a.pt", writes(ZIP, wrap=training), "hpsv2.0", "torch zip",
           prefix="state_dict."),
        of("legacy", "a.pth", writes(LEGACY), "clip", "torch legacy", copies=ANY),
        of("legacy fp16", "a.pth", writes(LEGACY, change=halves), "clip", "torch legacy",
           label="float16", copies=ANY),
        of("legacy state_dict", "a.pth", writes(LEGACY, wrap=training), "hpsv2.0", "torch legacy",
           prefix="state_dict.", copies=ANY),
        of("safetensors", "a.safetensors", writes(SAFE), "clip", "safetensors"),
        of("safetensors bf16", "a.safetensors", writes(SAFE, change=brains), "clip",
           "safetensors", label="bfloat16"),
        of("hf", "model.safetensors", writes(SAFE, store=hf), "clip", "safetensors", "hf"),
        of("hf exact gelu", "model.safetensors", writes(SAFE, store=hf), "pickscore",
           "safetensors", "hf"),
        of("hf fp16", "model.safetensors", writes(SAFE, change=halves, store=hf), "clip",
           "safetensors", "hf", label="float16"),
        of("hf odd offset", "model.safetensors", writes(SAFE, store=hf, odd=True), "clip",
           "safetensors", "hf", copies=SOME),
        of("hf shards", INDEX, writes(shards, store=hf), "clip", "safetensors", "hf"),
        of("zip by columns", "a.pt", writes(ZIP, store=by_columns), "clip", "torch zip",
           copies=TURNED),
        of("zip one storage", "a.pt", writes(ZIP, store=pooled), "clip", "torch zip"),
        of("zip every second", "a.pt", writes(ZIP, store=every_second), "clip", "torch zip",
           copies=SOME),
        of("legacy one storage", "a.pth", writes(LEGACY, store=pooled), "clip", "torch legacy",
           copies=ANY),
        of("blip zip", "a.pt", writes(ZIP, make=blip), reward, "torch zip", "blip"),
        of("blip legacy", "a.pth", writes(LEGACY, make=blip), reward, "torch legacy", "blip",
           copies=ANY),
        of("blip safetensors", "a.safetensors", writes(SAFE, make=blip), reward, "safetensors",
           "blip"),
        of("blip zip by columns", "a.pt", writes(ZIP, make=blip, store=by_columns), reward,
           "torch zip", "blip", copies=TURNED),
    ]


def beyond():
    """Tensors above 4 GiB, in files that take no room on the disk."""
    return [
        Container("safetensors above 4 GiB", "a.safetensors", writes(SAFE, hole=HOLE), "clip",
                  "safetensors"),
        Container("zip above 4 GiB", "a.pt", writes(ZIP, hole=HOLE), "clip", "torch zip"),
    ]


# ---- Mutants ------------------------------------------------------------------------------------

OUT = "visual.transformer.resblocks.1.attn.out_proj.weight"


def one_off(tensors):
    views = pooled(tensors)
    views[OUT].offset += 1
    return views


def columns_as_rows(tensors):
    views = tiny_files.keyed(by_columns(tensors))
    views[OUT].strides = views[OUT].strides[::-1]
    return views


def half_for_brain(tensors):
    return {name: value["bfloat16"].copy().view(numpy.float16)
            for name, value in brains(tensors).items()}


def query_for_key(tensors):
    made = tiny_models.hf(tensors)
    q, k = (f"vision_model.encoder.layers.0.self_attn.{x}_proj.weight" for x in "qk")
    made[q], made[k] = made[k], made[q]
    return made


def mutants():
    """The right container with one mistake in it, of those that keep every shape."""
    return [
        Container("a view begins an element late", "a.pt", writes(ZIP, store=one_off), "clip",
                  "torch zip"),
        Container("columns taken for rows", "a.pt", writes(ZIP, store=columns_as_rows), "clip",
                  "torch zip", copies=ANY),
        Container("bf16 taken for fp16", "a.pt", writes(ZIP, store=half_for_brain), "clip",
                  "torch zip"),
        Container("query and key exchanged", INDEX, writes(shards, store=query_for_key), "clip",
                  "safetensors", "hf"),
    ]
