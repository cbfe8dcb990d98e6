"""The towers of scorers 8.4 in float64 NumPy, written from their papers' equations and the names of
the tensors, and the numbers of 8.4 themselves. Weights are dicts in OpenAI's or BLIP's names."""

import math

import numpy

HEADS = 4
IDS = (98, 5, 17, 99)
REWARD_MEAN, REWARD_SD = 0.16717362830052426, 1.0333394966054072

# Of 8.4: first four, sum, norm. Text of 16-bit weights and the mixed archive are not in 8.4.
TABLE = {
    "vision quick": ((.26288261, .09090522, -1.04448837, -.21419687), -8.39969769, 7.74776322),
    "vision gelu": ((.27351345, .09049748, -1.03982021, -.23052334), -8.42857599, 7.76707653),
    "vision quick float16": ((.26151334, .09169540, -1.04437068, -.21477610), -8.40744169,
                             7.74787624),
    "vision quick bfloat16": ((.26031293, .08578472, -1.05354430, -.21730902), -8.40964443,
                              7.74220637),
    "text quick": ((.63576073, -1.78146044, -2.34409199, -.06228378), 2.93820429, 7.61101884),
    "text gelu": ((.64808922, -1.78509949, -2.35439226, -.06821896), 2.89838433, 7.62208844),
    "token 0": ((.56038545, -.55340383, .68309768, -.49108423), .71272705, 8.06459592),
    "token 16": ((.21400975, -.80078978, 1.64486706, .40510137), .89791557, 8.09999723),
    "bert": ((-.16524354, -.15988295, .01483272, -.64916135), .66780912, 6.99834763),
}
COSINE = {"quick": .06325412, "gelu": .06614863}
SCALED = 6.325413  # of the first
HEAD, REWARD = -.07815679, -.23741512


def quick_gelu(x):
    return x / (1 + numpy.exp(-1.702 * x))


def gelu(x):
    return x * (1 + numpy.vectorize(math.erf)(x / math.sqrt(2))) / 2


ACTIVATION = {"quick": quick_gelu, "gelu": gelu}


def norm(w, name, x, eps):
    centred = x - x.mean(-1, keepdims=True)
    deviation = numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + eps)
    return centred / deviation * w[name + ".weight"] + w[name + ".bias"]


def linear(w, name, x):
    return x @ w[name + ".weight"].T + w[name + ".bias"]


def attend(q, k, v, causal=False):
    out, wide = numpy.empty_like(q), q.shape[1] // HEADS
    for head in range(HEADS):
        at = slice(head * wide, (head + 1) * wide)
        score = q[:, at] @ k[:, at].T / math.sqrt(wide)
        if causal:
            score[numpy.triu_indices(len(score), 1)] = -numpy.inf
        score = numpy.exp(score - score.max(1, keepdims=True))
        out[:, at] = score / score.sum(1, keepdims=True) @ v[:, at]
    return out


def pixels(side=32):
    return ((7919 * numpy.arange(3 * side * side)) % 1000 / 500 - 1).astype(
        numpy.float32).astype(float).reshape(3, side, side)


def patches(conv):
    """The image's patches, row by row, times the convolution's kernels."""
    size = conv.shape[2]
    rows = pixels().reshape(3, 32 // size, size, 32 // size, size).transpose(1, 3, 0, 2, 4)
    return rows.reshape(-1, 3 * size * size) @ conv.reshape(len(conv), -1).T


# ---- CLIP ---------------------------------------------------------------------------------------


def clip_layers(w, x, root, activation, causal):
    layer = 0
    while f"{root}transformer.resblocks.{layer}.ln_1.weight" in w:
        at = f"{root}transformer.resblocks.{layer}."
        mixed = (norm(w, at + "ln_1", x, 1e-5) @ w[at + "attn.in_proj_weight"].T
                 + w[at + "attn.in_proj_bias"])
        x = x + linear(w, at + "attn.out_proj",
                       attend(*numpy.split(mixed, 3, 1), causal=causal))
        inside = linear(w, at + "mlp.c_fc", norm(w, at + "ln_2", x, 1e-5))
        x = x + linear(w, at + "mlp.c_proj", ACTIVATION[activation](inside))
        layer += 1
    return x


def clip_vision(w, activation):
    x = numpy.vstack((w["visual.class_embedding"], patches(w["visual.conv1.weight"])))
    x = norm(w, "visual.ln_pre", x + w["visual.positional_embedding"], 1e-5)
    x = clip_layers(w, x, "visual.", activation, False)
    return norm(w, "visual.ln_post", x[0], 1e-5) @ w["visual.proj"]


def clip_text(w, activation):
    x = w["token_embedding.weight"][list(IDS)] + w["positional_embedding"][:len(IDS)]
    x = clip_layers(w, x, "", activation, True)
    return norm(w, "ln_final", x[-1], 1e-5) @ w["text_projection"]


def cosine(a, b):
    return a @ b / math.sqrt((a @ a) * (b @ b))


# ---- ImageReward --------------------------------------------------------------------------------


def blip_tokens(w):
    eye, layer = "blip.visual_encoder.", 0
    x = patches(w[eye + "patch_embed.proj.weight"]) + w[eye + "patch_embed.proj.bias"]
    x = numpy.vstack((w[eye + "cls_token"][0], x)) + w[eye + "pos_embed"][0]
    while f"{eye}blocks.{layer}.norm1.weight" in w:
        at = f"{eye}blocks.{layer}."
        mixed = linear(w, at + "attn.qkv", norm(w, at + "norm1", x, 1e-6))
        x = x + linear(w, at + "attn.proj", attend(*numpy.split(mixed, 3, 1)))
        inside = linear(w, at + "mlp.fc1", norm(w, at + "norm2", x, 1e-6))
        x = x + linear(w, at + "mlp.fc2", gelu(inside))
        layer += 1
    return norm(w, eye + "norm", x, 1e-6)


def bert_row(w, image):
    root, layer = "blip.text_encoder.", 0
    x = (w[root + "embeddings.word_embeddings.weight"][list(IDS)]
         + w[root + "embeddings.position_embeddings.weight"][:len(IDS)])
    x = norm(w, root + "embeddings.LayerNorm", x, 1e-12)
    while f"{root}encoder.layer.{layer}.output.dense.weight" in w:
        at = f"{root}encoder.layer.{layer}."
        for kind, seen in (("attention.", None), ("crossattention.", image)):
            other = x if seen is None else seen
            y = attend(linear(w, at + kind + "self.query", x),
                       linear(w, at + kind + "self.key", other),
                       linear(w, at + kind + "self.value", other))
            y = linear(w, at + kind + "output.dense", y) + x
            x = norm(w, at + kind + "output.LayerNorm", y, 1e-12)
        y = linear(w, at + "output.dense", gelu(linear(w, at + "intermediate.dense", x))) + x
        x = norm(w, at + "output.LayerNorm", y, 1e-12)
        layer += 1
    return x[0]


def head(w, row):
    for number in (0, 2, 4, 6, 7):
        row = linear(w, f"mlp.layers.{number}", row)
    return row[0]
