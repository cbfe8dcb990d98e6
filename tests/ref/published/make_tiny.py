#!/usr/bin/env python3
"""make_tiny.py FOLDER: write tiny checkpoints as the authors of the published scorers do, one
folder a scorer. Some 120 MB by formula in a second; nothing of it is kept in the source tree."""

import argparse
import json
import os
import sys

import tiny_files
import tiny_models


def folder_of(root, name):
    path = os.path.join(root, name)
    os.makedirs(path, exist_ok=True)
    return path


def write(root):
    l14, h14 = tiny_models.clip(tiny_models.L14), tiny_models.clip(tiny_models.H14)
    for name in ("laion-v1", "laion-v2", "laion-relu", "clip"):
        at = folder_of(root, name)
        backbone = os.path.join(at, "ViT-L-14.pt")
        tiny_files.torchscript(backbone, tiny_models.openai(l14), "ViT-L-14")
    tiny_files.torchscript(os.path.join(folder_of(root, "clip-b32"), "ViT-B-32.pt"),
                           tiny_models.openai(tiny_models.clip(tiny_models.B32)), "ViT-B-32")
    heads = (("laion-v1", "sa_0_4_vit_l_14_linear.pth", tiny_models.linear_head()),
             ("laion-v2", "sac+logos+ava1-l14-linearMSE.pth", tiny_models.head()),
             ("laion-relu", "ava+logos-l14-reluMSE.pth", tiny_models.relu_head()))
    for name, file, tensors in heads:
        tiny_files.torch_zip(os.path.join(root, name, file), tensors)
    shared = tiny_models.hf(h14)
    for name in ("pickscore", "pickscore-shards"):
        at = folder_of(root, name)
        with open(os.path.join(at, "config.json"), "w", encoding="utf-8") as file:
            json.dump(tiny_models.hf_config(tiny_models.H14), file, indent=2)
        if name == "pickscore":
            tiny_files.safetensors(os.path.join(at, "model.safetensors"), shared)
        else:
            tiny_files.safetensors_shards(at, shared, 3)
    for version, file in (("hpsv2.0", "HPS_v2_compressed.pt"),
                          ("hpsv2.1", "HPS_v2.1_compressed.pt")):
        half = version == "hpsv2.1"
        tensors = {k: v.astype("float16") if half else v for k, v in h14.items()}
        tiny_files.torch_zip(
            os.path.join(folder_of(root, version), file), tensors,
            lambda tree: {"epoch": 7, "args": argparse.Namespace(name="tiny"),
                          "state_dict": tree})
    at = folder_of(root, "imagereward")
    tiny_files.torch_zip(os.path.join(at, "ImageReward.pt"), tiny_models.imagereward())
    with open(os.path.join(at, "med_config.json"), "w", encoding="utf-8") as file:
        json.dump(med_config(), file, indent=2)


def med_config():
    bert = tiny_models.BERT
    return {"architectures": ["BertModel"], "attention_probs_dropout_prob": 0.1,
            "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": bert["width"],
            "initializer_range": 0.02, "intermediate_size": bert["mlp"],
            "layer_norm_eps": 1e-12, "max_position_embeddings": bert["positions"],
            "model_type": "bert", "num_attention_heads": 12,
            "num_hidden_layers": bert["layers"], "pad_token_id": 0,
            "add_type_embeddings": False, "vocab_size": bert["words"],
            "encoder_width": tiny_models.WIDTH, "add_cross_attention": True}


if __name__ == "__main__":
    write(sys.argv[1])
