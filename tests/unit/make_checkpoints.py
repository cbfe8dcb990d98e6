#!/usr/bin/env python3
"""Write tests/data/checkpoints: small files of every kind that torch writes.

  make_checkpoints.py [FOLDER]

Needs torch (made with 2.4.1) and NumPy; the files are committed, so the tests need neither. Every
tensor is made of its own name in the file: splitmix64 seeded with FNV-1a (scorers 8.4), u/2, so
that a reader can check each value. Integers are (z >> 40) mod 100.
"""
import argparse
import collections
import os
import sys

import numpy
import torch

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "checkpoints")
SHAPES = (("weight", (6, 5)), ("bias", (6,)), ("block.0.conv.weight", (4, 3, 2, 2)),
          ("block.0.norm.scale", (3, 1, 2)), ("logit_scale", ()))
U64 = numpy.uint64


def bits(name, count):
    seed = 14695981039346656037
    for byte in name.encode():
        seed = (seed ^ byte) * 1099511628211 % 2**64
    with numpy.errstate(over="ignore"):
        z = U64(seed) + numpy.arange(1, count + 1, dtype=U64) * U64(0x9E3779B97F4A7C15)
        z = (z ^ z >> U64(30)) * U64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> U64(27)) * U64(0x94D049BB133111EB)
    return (z ^ z >> U64(31)) >> U64(40)


def formula(name, shape, dtype=torch.float32):
    z = bits(name, int(numpy.prod(shape, dtype=int))).astype(numpy.int64)
    if dtype.is_floating_point:
        return torch.from_numpy((z / 2**23 - 1) / 2).reshape(shape).to(torch.float32).to(dtype)
    return torch.from_numpy(z % 100).reshape(shape).to(dtype)


def state(dtype=torch.float32, prefix=""):
    return collections.OrderedDict(
        (name, formula(prefix + name, shape, dtype)) for name, shape in SHAPES)


def optimizer_file():
    """What a training run saves: whole numbers as keys, moments, groups of options."""
    parameters = [torch.nn.Parameter(formula("model." + name, shape)) for name, shape in SHAPES]
    optimizer = torch.optim.Adam(parameters, lr=1e-3)
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    saved = optimizer.state_dict()
    for number, (_, shape) in enumerate(SHAPES):
        for key in ("exp_avg", "exp_avg_sq"):
            saved["state"][number][key] = formula(f"optimizer.state.{number}.{key}", shape)
    return {"model": state(prefix="model."), "optimizer": saved, "epoch": 3}


def views():
    """Tensors of one storage: slices, a transposed one, an expanded one, a row with a stride."""
    whole = formula("whole", (8, 6))
    return {"whole": whole, "rows": whole[2:5], "transposed": whole.t(), "column": whole[:, 3],
            "corner": whole[4:, 2:4], "expanded": whole[1:2].expand(3, 6), "single": whole[7, 5],
            "strided": whole[::3, ::2], "nothing": whole[3:3],
            "flipped_axes": formula("flipped_axes", (2, 3, 4)).permute(2, 0, 1)}


class Tagged(torch.Tensor):
    """A class of somebody's own: opaque, and no harm."""


class Shell:
    """Calls the shell when Python loads it."""

    def __reduce__(self):
        return os.system, ("false",)


def odd():
    tagged = formula("tagged", (2, 2)).as_subclass(Tagged)
    tagged.tag = "mine"
    remembered = formula("remembered", (3,))
    loop = {"kept": formula("loop.kept", (2,))}
    return {"plain": formula("plain", (3, 2)), "tagged": tagged, "shell": Shell(),
            "empty": torch.zeros(0), "empty_rows": torch.zeros(4, 0, 2),
            "complex": torch.zeros(2, dtype=torch.complex64),
            "float8": torch.zeros(2).to(torch.float8_e4m3fn), "loop": loop,
            "list": [formula("list.0", (2,)), (formula("list.1.0", (1, 2)), None)],
            "same": remembered, "again": remembered, 7: formula("7", (2,)),
            (1, 2): torch.zeros(1), None: torch.zeros(1), "größe": formula("größe", (2,)),
            "storage": torch.zeros(3).untyped_storage(), "long": 2**70, "minus": -5, "text": "t",
            "bytes": b"b", "number": 0.5, "yes": True, "no": False, "device": torch.device("cpu"),
            "dtype": torch.float16, "size": torch.Size([2]), "many": list(range(300)),
            "array": numpy.arange(3)}


def types():
    kinds = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "int16", "int8",
             "uint8")
    made = {kind: formula(kind, (3, 4), getattr(torch, kind)) for kind in kinds}
    made["bool"] = formula("bool", (3, 4), torch.int64) % 2 == 1
    return made


class Block(torch.nn.Module):
    def __init__(self, prefix):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 2)
        self.conv.weight.data = formula(prefix + "conv.weight", (4, 3, 2, 2))
        self.conv.bias.data = formula(prefix + "conv.bias", (4,))

    def forward(self, x):
        return self.conv(x).relu()


class Model(torch.nn.Module):
    """Sub-modules in a list, a parameter, a buffer, and a constant in the code."""

    def __init__(self):
        super().__init__()
        self.block = torch.nn.Sequential(Block("block.0."), Block("block.1."))
        self.weight = torch.nn.Parameter(formula("weight", (6, 5)))
        self.register_buffer("input_resolution", formula("input_resolution", (), torch.int64))
        self.width = 5

    def forward(self, x):
        return self.block[0](x).sum() + self.weight.sum() * torch.tensor([1.5, 2.5]).sum() \
            + self.width


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else FOLDER
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(0)

    def save(name, value, **options):
        torch.save(value, os.path.join(folder, name), **options)

    old = {"_use_new_zipfile_serialization": False}
    save("zip_f32.pt", state())
    save("zip_f16.pt", state(torch.float16))
    save("zip_bf16.pt", state(torch.bfloat16))
    save("zip_protocol1.pt", state(), pickle_protocol=1)
    save("zip_protocol5.pt", state(), pickle_protocol=5)
    save("legacy_f32.pt", state(), **old)
    save("legacy_f16.pt", state(torch.float16), **old)
    save("bare_tensor.pt", formula("", (3, 2)))
    nested = {"state_dict": state(prefix="state_dict."), "epoch": 7,
              "args": argparse.Namespace(lr=0.1, name="run", tensor=torch.ones(2))}
    save("nested.pt", nested)
    save("nested_legacy.pt", nested, **old)
    save("optimizer.pt", optimizer_file())
    save("optimizer_legacy.pt", optimizer_file(), **old)
    save("parameters.pt", collections.OrderedDict(
        (name, torch.nn.Parameter(formula(name, shape))) for name, shape in SHAPES))
    save("views.pt", views())
    save("views_legacy.pt", views(), **old)
    save("types.pt", types())
    save("odd.pt", odd())
    save("odd_legacy.pt", odd(), **old)
    save("module.pt", Block("").state_dict())
    torch.jit.save(torch.jit.script(Model()), os.path.join(folder, "script_f32.pt"))
    torch.jit.save(torch.jit.script(Model().half()), os.path.join(folder, "script_f16.pt"))
    torch.jit.save(torch.jit.trace(Block(""), torch.zeros(1, 3, 4, 4)),
                   os.path.join(folder, "script_traced.pt"))


if __name__ == "__main__":
    main()
