"""Weights by formula (scorers 8.4): a tensor's numbers follow from its name, so that any program
can make them again and nothing needs to be stored. NumPy only."""

import numpy

FNV_OFFSET, FNV_PRIME = 14695981039346656037, 1099511628211
ONES64 = (1 << 64) - 1


def uniform(name, count):
    """`count` numbers in [-1, 1) of 24 bits."""
    seed = FNV_OFFSET
    for byte in name.encode():
        seed = (seed ^ byte) * FNV_PRIME & ONES64
    with numpy.errstate(over="ignore"):
        step = numpy.uint64(0x9E3779B97F4A7C15)
        z = numpy.uint64(seed) + numpy.arange(1, count + 1, dtype=numpy.uint64) * step
        z = (z ^ z >> numpy.uint64(30)) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> numpy.uint64(27)) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return (z >> numpy.uint64(40)).astype(numpy.float64) / 2.0**23 - 1


EMBEDDINGS = ("embedding", "cls_token", "pos_embed", "embeddings.weight")
NORMS = ("ln_", "norm", "LayerNorm")


def tensor(name, shape):
    """float32 of `shape`; the kind is told by the name. Heads have whole u for weights (8.4: u/4),
    or five layers of them would give every photograph the same."""
    u = uniform(name, int(numpy.prod(shape)))
    parts = name.split(".")
    of_norm = len(parts) > 1 and any(mark in parts[-2] for mark in NORMS)
    if parts[-1] == "bias" or parts[-1] == "in_proj_bias":
        value = u / 8
    elif of_norm:
        value = 1 + u / 8
    elif any(mark in name for mark in EMBEDDINGS) and "patch_embed" not in name:
        value = u / 2
    else:
        of_head = parts[0] in ("weight", "layers", "mlp")
        value = u if of_head else u / 4
    return value.astype(numpy.float32).reshape(shape)


def tensors(shapes):
    return {name: tensor(name, shape) for name, shape in shapes.items()}
