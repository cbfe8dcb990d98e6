"""The published scorers' own code on tiny models, for make_reference.py only.

Nothing here computes a score by itself: models, image transforms, normalisations and constants are
those of the packages. What is changed is said where it is: sizes of models, and where files come
from (the packages would fetch gigabytes). The heads of LAION V1 and V2 are in no package of theirs:
the class of V2 is the copy in image-reward (AestheticScore.MLP), V1 is nn.Linear."""

import contextlib
import importlib
import json
import os
import shutil
import sys
import types

import numpy
import torch
from PIL import Image

import make_tiny
import tiny_models

PROMPT = "a photo"
CLIP_IDS = [49406, 320, 1125, 49407]


def silent_modules():
    """hpsv2 imports `turtle` for a name that it does not use; ImageReward.ReFL needs the trainer's
    packages."""
    sys.modules.setdefault("turtle", types.ModuleType("turtle")).forward = None
    sys.modules.setdefault("ImageReward.ReFL", types.ModuleType("ImageReward.ReFL"))


def torch_tensors(tensors):
    return {name: torch.from_numpy(numpy.array(value)) for name, value in tensors.items()}


# ---- OpenAI's CLIP and LAION's heads -------------------------------------------------------------


def openai_clip(which):
    """clip.model with the head counts of the published sizes: `build_model` takes width / 64, which
    a narrow tower does not have."""
    import clip.model as official

    width, text_width, heads, text_heads = which
    side, patch, layers = tiny_models.SIDE, tiny_models.PATCH, tiny_models.LAYERS
    model = official.CLIP(tiny_models.EMBED, side, layers, 64, patch, tiny_models.CONTEXT,
                          tiny_models.VOCABULARY, text_width, text_heads, layers)
    model.visual = official.VisionTransformer(side, patch, width, layers, heads,
                                              tiny_models.EMBED)
    official.convert_weights(model)
    state = torch_tensors(tiny_models.openai(tiny_models.clip(which)))
    for name in ("input_resolution", "context_length", "vocab_size"):
        del state[name]
    for name, value in model.state_dict().items():
        assert value.dtype == state[name].dtype, name  # the fixture's types are those of the code
    model.load_state_dict(state)
    return model.float().eval()  # as clip.load does on a CPU


def openai_preprocess():
    from clip.clip import _transform

    return _transform(tiny_models.SIDE)


def openai_embedding(model, photo):
    return model.encode_image(openai_preprocess()(Image.open(photo)).unsqueeze(0))


def laion_v2(model, photo, relu=False):
    """improved-aesthetic-predictor, simple_inference.py: encode, `normalized`, MLP."""
    from ImageReward.models.AestheticScore import MLP

    head = MLP(tiny_models.EMBED)
    sizes, made = (tiny_models.EMBED, *tiny_models.HEAD), []
    for k, drop in enumerate((.2, .2, .1, None, None)):  # its modules, with smaller widths
        made.append(torch.nn.Linear(sizes[k], sizes[k + 1]))
        if relu and k < 4:
            made.append(torch.nn.ReLU())
        if drop is not None:
            made.append(torch.nn.Dropout(drop))
    head.layers = torch.nn.Sequential(*made)
    head.load_state_dict(torch_tensors(tiny_models.relu_head() if relu else tiny_models.head()))
    vector = openai_embedding(model, photo)
    array = vector.cpu().detach().numpy()
    norm = numpy.atleast_1d(numpy.linalg.norm(array, 2, -1))
    norm[norm == 0] = 1
    return vector, head.eval()(torch.from_numpy(array / numpy.expand_dims(norm, -1))).item()


def laion_v1(model, photo):
    """aesthetic-predictor's notebook."""
    head = torch.nn.Linear(tiny_models.EMBED, 1)
    head.load_state_dict(torch_tensors(tiny_models.linear_head()))
    vector = openai_embedding(model, photo)
    return vector, head(vector / vector.norm(dim=-1, keepdim=True)).item()


def clip_cosine(model, photo):
    """image-reward's CLIPScore.score."""
    import clip

    text = torch.nn.functional.normalize(model.encode_text(clip.tokenize(PROMPT, truncate=True)))
    vector = openai_embedding(model, photo)
    image = torch.nn.functional.normalize(vector)
    return vector, torch.sum(torch.mul(text, image), dim=1, keepdim=True).item()


# ---- PickScore -----------------------------------------------------------------------------------


def hf_processor():
    from transformers import CLIPImageProcessor

    return CLIPImageProcessor()  # defaults: short side 224, bicubic, crop, CLIP's mean and SD


def pickscore_model(folder):
    from transformers import CLIPModel

    return CLIPModel.from_pretrained(folder).eval()


def pickscore(model, photo):
    """PickScore's README: calc_probs up to the soft-max."""
    pixels = hf_processor()(images=Image.open(photo), return_tensors="pt")
    ids = torch.tensor([CLIP_IDS + [CLIP_IDS[-1]] * (tiny_models.CONTEXT - len(CLIP_IDS))])
    mask = torch.zeros_like(ids)
    mask[:, : len(CLIP_IDS)] = 1
    vector = model.get_image_features(**pixels)
    image = vector / torch.norm(vector, dim=-1, keepdim=True)
    text = model.get_text_features(input_ids=ids, attention_mask=mask)
    text = text / torch.norm(text, dim=-1, keepdim=True)
    return vector, (model.logit_scale.exp() * (text @ image.T)[0]).item()


# ---- HPSv2 ---------------------------------------------------------------------------------------


def hpsv2_module():
    """hpsv2 1.2.0 reads a vocabulary that the package lacks: openai-clip's is put there, in the
    environment."""
    silent_modules()
    import clip

    hps = os.path.join(os.path.dirname(os.path.dirname(clip.__file__)), "hpsv2", "src", "open_clip")
    vocabulary = "bpe_simple_vocab_16e6.txt.gz"
    if not os.path.exists(os.path.join(hps, vocabulary)):
        shutil.copy(os.path.join(os.path.dirname(clip.__file__), vocabulary), hps)
    import hpsv2.img_score as module

    return module


def hpsv2_ready():
    """img_score.initialize_model with a tiny entry in its table of configurations, and no
    download."""
    module = hpsv2_module()
    from hpsv2.src.open_clip import factory

    width, text_width, heads, text_heads = tiny_models.H14
    factory._MODEL_CONFIGS["tiny"] = {
        "embed_dim": tiny_models.EMBED,
        "vision_cfg": {"image_size": tiny_models.SIDE, "layers": tiny_models.LAYERS,
                       "width": width, "head_width": width // heads,
                       "patch_size": tiny_models.PATCH},
        "text_cfg": {"context_length": tiny_models.CONTEXT, "vocab_size": tiny_models.VOCABULARY,
                     "width": text_width, "heads": text_heads, "layers": tiny_models.LAYERS}}
    model, _, preprocess = module.create_model_and_transforms(
        "tiny", None, precision="amp", device="cpu", jit=False, force_quick_gelu=False,
        force_custom_text=False, force_patch_dropout=False, force_image_size=None,
        pretrained_image=False, image_mean=None, image_std=None, light_augmentation=True,
        aug_cfg={}, output_dict=True, with_score_predictor=False, with_region_predictor=False)
    module.model_dict.update(model=model, preprocess_val=preprocess)
    return module


@contextlib.contextmanager
def antialias(on):
    """torchvision resizes tensors without antialias up to 0.16 and with it from 0.17."""
    from hpsv2.src.open_clip import transform

    whole = transform.F.resize
    if not on:
        transform.F.resize = lambda img, size, how: whole(img, size, how, antialias=False)
    try:
        yield
    finally:
        transform.F.resize = whole


def hpsv2(module, photo, checkpoint):
    value = module.score(photo, PROMPT, cp=checkpoint)[0]
    model = module.model_dict["model"]
    pixels = module.model_dict["preprocess_val"](Image.open(photo)).unsqueeze(0)
    return model.encode_image(pixels), float(value)


# ---- ImageReward ---------------------------------------------------------------------------------


def bert_words(folder):
    """A vocabulary file that has the prompt's words in their places, for the real tokeniser."""
    words = [f"[unused{k}]" for k in range(30522)]
    for word, place in (("[PAD]", 0), ("[UNK]", 100), ("[CLS]", 101), ("[SEP]", 102),
                        ("[MASK]", 103), ("a", 1037), ("photo", 6302)):
        words[place] = word
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(words) + "\n")


def imagereward_model(folder, scratch):
    """ImageReward.ImageReward with a tiny vision tower, BERT and head."""
    silent_modules()
    from transformers import BertTokenizer

    from ImageReward.models.BLIP import blip, blip_pretrain

    module = importlib.import_module("ImageReward.ImageReward")

    bert_words(scratch)
    tokenizer = BertTokenizer(os.path.join(scratch, "vocab.txt"))
    blip.BertTokenizer = types.SimpleNamespace(from_pretrained=lambda name: tokenizer)
    width = tiny_models.WIDTH
    blip_pretrain.create_vit = lambda *_: (
        blip.VisionTransformer(img_size=tiny_models.SIDE, patch_size=tiny_models.PATCH,
                               embed_dim=width, depth=tiny_models.LAYERS, num_heads=16), width)
    config = os.path.join(scratch, "med_config.json")
    with open(config, "w", encoding="utf-8") as file:
        json.dump(make_tiny.med_config(), file)
    model = module.ImageReward(device="cpu", med_config=config)
    sizes = (tiny_models.BERT["width"], *tiny_models.HEAD)
    linear = iter([torch.nn.Linear(sizes[k], sizes[k + 1]) for k in range(5)])
    model.mlp.layers = torch.nn.Sequential(*[
        next(linear) if isinstance(layer, torch.nn.Linear) else layer
        for layer in model.mlp.layers])
    said = model.load_state_dict(
        torch.load(os.path.join(folder, "ImageReward.pt"), map_location="cpu"), strict=False)
    left = set(said.missing_keys) | set(said.unexpected_keys)
    assert left <= {"blip.text_encoder.embeddings.position_ids"}, said
    return model.eval()


def imagereward(model, photo):
    pixels = model.preprocess(Image.open(photo)).unsqueeze(0)
    return model.blip.visual_encoder(pixels)[:, 0], model.score(PROMPT, photo)
