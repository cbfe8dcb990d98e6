"""write_vit.py FILE NAME TYPE: the image tower of a CLIP model with random weights, as Hugging Face
names its tensors, in a safetensors file. NAME: vit-l-14 (304 million weights) or vit-h-14 (632);
TYPE: f32, f16. The weights are blocks of one array of normal numbers with an SD of .02, so that
vectors are finite; their values say nothing."""
import json
import sys

import numpy

SIZES = {  # width, layers, of the MLP, of the vector
    "vit-l-14": (1024, 24, 4096, 768),
    "vit-h-14": (1280, 32, 5120, 1024),
    "vit-tiny": (128, 2, 256, 64),
}
PATCH, TOKENS = 14, 257


def tensors(name):
    width, layers, mlp, vector = SIZES[name]
    v = "vision_model."
    yield v + "embeddings.class_embedding", (width,)
    yield v + "embeddings.patch_embedding.weight", (width, 3, PATCH, PATCH)
    yield v + "embeddings.position_embedding.weight", (TOKENS, width)
    norms = [v + "pre_layrnorm", v + "post_layernorm"]
    linear = [("self_attn." + k + "_proj", width, width) for k in "kvq"]
    linear += [("self_attn.out_proj", width, width), ("mlp.fc1", mlp, width),
               ("mlp.fc2", width, mlp)]
    for n in range(layers):
        layer = f"{v}encoder.layers.{n}."
        norms += [layer + "layer_norm1", layer + "layer_norm2"]
        for what, rows, columns in linear:
            yield layer + what + ".weight", (rows, columns)
            yield layer + what + ".bias", (rows,)
    for norm in norms:
        yield norm + ".weight", (width,)
        yield norm + ".bias", (width,)
    yield "visual_projection.weight", (vector, width)


def main():
    path, name, kind = sys.argv[1:]
    dtype, word = {"f32": ("<f4", "F32"), "f16": ("<f2", "F16")}[kind]
    pool = numpy.random.default_rng(1).standard_normal(1 << 23) * .02
    head, at, shapes = {}, 0, list(tensors(name))
    for tensor, shape in shapes:
        size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
        head[tensor] = {"dtype": word, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
        for k, (tensor, shape) in enumerate(shapes):
            count = int(numpy.prod(shape))
            values = pool[k:k + count]
            if "norm" in tensor and tensor.endswith("weight"):
                values = 1 + values
            f.write(values.astype(dtype).tobytes())


main()
