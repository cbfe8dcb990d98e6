"""Tiny models with the tensors of the published ones: the same names, containers and head counts;
widths, depths and patches are small. 224 pixels and the real vocabularies by default, so that the
published code can score photographs with them. NumPy only."""

from collections import namedtuple

import numpy

from tiny_formula import tensor, tensors

SIDE, PATCH = 224, 32
WIDTH, LAYERS, EMBED = 64, 2, 48
CONTEXT, VOCABULARY = 77, 49408
LOGIT_SCALE = 4.605170249938965  # scorers 8.4
BERT = dict(width=48, layers=2, mlp=96, words=30524, positions=512)
Sizes = namedtuple("Sizes", "side patch context vocabulary")
PUBLISHED = Sizes(SIDE, PATCH, CONTEXT, VOCABULARY)


def tokens(sizes):
    return (sizes.side // sizes.patch) ** 2 + 1


def block(prefix, width):
    """A layer of a CLIP tower, OpenAI's names."""
    return {
        prefix + "ln_1.weight": [width],
        prefix + "ln_1.bias": [width],
        prefix + "attn.in_proj_weight": [3 * width, width],
        prefix + "attn.in_proj_bias": [3 * width],
        prefix + "attn.out_proj.weight": [width, width],
        prefix + "attn.out_proj.bias": [width],
        prefix + "ln_2.weight": [width],
        prefix + "ln_2.bias": [width],
        prefix + "mlp.c_fc.weight": [4 * width, width],
        prefix + "mlp.c_fc.bias": [4 * width],
        prefix + "mlp.c_proj.weight": [width, 4 * width],
        prefix + "mlp.c_proj.bias": [width],
    }


# Widths of vision and text, heads of both (scorers 3.1), so that every head has a whole width.
L14, H14, B32 = (64, 48, 16, 12), (64, 64, 16, 16), (48, 64, 12, 8)


def clip(which, sizes=PUBLISHED):
    """Both towers in OpenAI's names."""
    width, text_width = which[:2]
    shapes = {
        "visual.class_embedding": [width],
        "visual.positional_embedding": [tokens(sizes), width],
        "visual.proj": [width, EMBED],
        "visual.conv1.weight": [width, 3, sizes.patch, sizes.patch],
        "positional_embedding": [sizes.context, text_width],
        "text_projection": [text_width, EMBED],
        "token_embedding.weight": [sizes.vocabulary, text_width],
    }
    for name, wide in (("visual.ln_pre", width), ("visual.ln_post", width),
                        ("ln_final", text_width)):
        norm(shapes, name, wide)
    for layer in range(LAYERS):
        shapes.update(block(f"visual.transformer.resblocks.{layer}.", width))
        shapes.update(block(f"transformer.resblocks.{layer}.", text_width))
    made = tensors(shapes)
    made["logit_scale"] = numpy.array(LOGIT_SCALE, numpy.float32)
    return made


HALF = ("conv1.weight", "in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias",
        "c_fc.weight", "c_fc.bias", "c_proj.weight", "c_proj.bias", "text_projection",
        "visual.proj")


def openai(model, sizes=PUBLISHED):
    """Element types of OpenAI's archives: what its `convert_weights` makes half is half, norms and
    embeddings stay float; three sizes stand among the tensors."""
    made = {name: value.astype(numpy.float16) if name.endswith(HALF) else value
            for name, value in model.items()}
    for name, value in (("input_resolution", sizes.side), ("context_length", sizes.context),
                        ("vocab_size", sizes.vocabulary)):
        made[name] = numpy.array(value, numpy.int64)
    return made


def hf_block(made, model, old, new):
    width = model[old + "ln_1.weight"].shape[0]
    for part in ("weight", "bias"):
        rows = model[old + "attn.in_proj_" + part].reshape(3, width, -1)
        for k, name in enumerate("qkv"):
            value = rows[k] if part == "weight" else rows[k].reshape(width)
            made[f"{new}self_attn.{name}_proj.{part}"] = value
        for before, after in (("attn.out_proj", "self_attn.out_proj"), ("ln_1", "layer_norm1"),
                              ("ln_2", "layer_norm2"), ("mlp.c_fc", "mlp.fc1"),
                              ("mlp.c_proj", "mlp.fc2")):
            made[f"{new}{after}.{part}"] = model[f"{old}{before}.{part}"]


def hf(model):
    """The same numbers in the names of Hugging Face's CLIPModel."""
    made = {
        "logit_scale": model["logit_scale"],
        "visual_projection.weight": model["visual.proj"].T,
        "text_projection.weight": model["text_projection"].T,
        "vision_model.embeddings.class_embedding": model["visual.class_embedding"],
        "vision_model.embeddings.patch_embedding.weight": model["visual.conv1.weight"],
        "vision_model.embeddings.position_embedding.weight": model["visual.positional_embedding"],
        "text_model.embeddings.token_embedding.weight": model["token_embedding.weight"],
        "text_model.embeddings.position_embedding.weight": model["positional_embedding"],
        # buffers of older versions of the library
        "vision_model.embeddings.position_ids":
            numpy.arange(len(model["visual.positional_embedding"]))[None],
        "text_model.embeddings.position_ids":
            numpy.arange(len(model["positional_embedding"]))[None],
    }
    for old, new in (("visual.ln_pre", "vision_model.pre_layrnorm"),
                     ("visual.ln_post", "vision_model.post_layernorm"),
                     ("ln_final", "text_model.final_layer_norm")):
        for part in (".weight", ".bias"):
            made[new + part] = model[old + part]
    for layer in range(LAYERS):
        hf_block(made, model, f"visual.transformer.resblocks.{layer}.",
                 f"vision_model.encoder.layers.{layer}.")
        hf_block(made, model, f"transformer.resblocks.{layer}.",
                 f"text_model.encoder.layers.{layer}.")
    return {name: numpy.ascontiguousarray(value).reshape(value.shape)
            for name, value in made.items()}


def hf_config(which):
    width, text_width, vision_heads, text_heads = which
    return {
        "architectures": ["CLIPModel"],
        "model_type": "clip",
        "projection_dim": EMBED,
        "logit_scale_init_value": 2.6592,
        "vision_config": {
            "hidden_size": width, "intermediate_size": 4 * width, "num_hidden_layers": LAYERS,
            "num_attention_heads": vision_heads, "patch_size": PATCH, "image_size": SIDE,
            "hidden_act": "gelu", "layer_norm_eps": 1e-5, "projection_dim": EMBED},
        "text_config": {
            "hidden_size": text_width, "intermediate_size": 4 * text_width,
            "num_hidden_layers": LAYERS, "num_attention_heads": text_heads,
            "vocab_size": VOCABULARY, "max_position_embeddings": CONTEXT, "hidden_act": "gelu",
            "layer_norm_eps": 1e-5, "projection_dim": EMBED, "bos_token_id": 0,
            "eos_token_id": 2},
    }


def linear(shapes, name, out, inside):
    shapes[name + ".weight"], shapes[name + ".bias"] = [out, inside], [out]


def norm(shapes, name, width):
    shapes[name + ".weight"] = shapes[name + ".bias"] = [width]


def imagereward(sizes=PUBLISHED, bert=None):
    """BLIP's vision tower, BERT that looks at it, and the head; with what the file holds beside."""
    shapes, bert = {}, bert or BERT
    eye = "blip.visual_encoder."
    shapes[eye + "cls_token"] = [1, 1, WIDTH]
    shapes[eye + "pos_embed"] = [1, tokens(sizes), WIDTH]
    shapes[eye + "patch_embed.proj.weight"] = [WIDTH, 3, sizes.patch, sizes.patch]
    shapes[eye + "patch_embed.proj.bias"] = [WIDTH]
    for layer in range(LAYERS):
        at = f"{eye}blocks.{layer}."
        norm(shapes, at + "norm1", WIDTH)
        linear(shapes, at + "attn.qkv", 3 * WIDTH, WIDTH)
        linear(shapes, at + "attn.proj", WIDTH, WIDTH)
        norm(shapes, at + "norm2", WIDTH)
        linear(shapes, at + "mlp.fc1", 4 * WIDTH, WIDTH)
        linear(shapes, at + "mlp.fc2", WIDTH, 4 * WIDTH)
    norm(shapes, eye + "norm", WIDTH)
    text, width, mlp = "blip.text_encoder.", bert["width"], bert["mlp"]
    shapes[text + "embeddings.word_embeddings.weight"] = [bert["words"], width]
    shapes[text + "embeddings.position_embeddings.weight"] = [bert["positions"], width]
    norm(shapes, text + "embeddings.LayerNorm", width)
    for layer in range(bert["layers"]):
        at = f"{text}encoder.layer.{layer}."
        for kind, seen in (("attention.", width), ("crossattention.", WIDTH)):
            linear(shapes, at + kind + "self.query", width, width)
            linear(shapes, at + kind + "self.key", width, seen)
            linear(shapes, at + kind + "self.value", width, seen)
            linear(shapes, at + kind + "output.dense", width, width)
            norm(shapes, at + kind + "output.LayerNorm", width)
        linear(shapes, at + "intermediate.dense", mlp, width)
        linear(shapes, at + "output.dense", width, mlp)
        norm(shapes, at + "output.LayerNorm", width)
    linear(shapes, "blip.vision_proj", 256, WIDTH)
    linear(shapes, "blip.text_proj", 256, width)
    made = tensors(shapes)
    made.update(head("mlp.", bert["width"]))
    made[text + "embeddings.position_ids"] = numpy.arange(bert["positions"])[None]
    return made


HEAD = (32, 16, 8, 4, 1)  # LAION's and ImageReward's have 1024, 128, 64, 16, 1


def head(prefix="", inside=EMBED):
    """Five linear layers with nothing between them but dropout: numbers 0, 2, 4, 6, 7."""
    shapes = {}
    for number, out in zip((0, 2, 4, 6, 7), HEAD):
        linear(shapes, f"{prefix}layers.{number}", out, inside)
        inside = out
    return tensors(shapes)


def relu_head():
    """The same with ReLU between: numbers 0, 3, 6, 9, 11."""
    shapes, inside = {}, EMBED
    for number, out in zip((0, 3, 6, 9, 11), HEAD):
        linear(shapes, f"layers.{number}", out, inside)
        inside = out
    return tensors(shapes)


def linear_head():
    """LAION V1: one layer."""
    return {"weight": tensor("weight", [1, EMBED]), "bias": tensor("bias", [1])}
