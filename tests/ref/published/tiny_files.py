"""Containers of checkpoints, written with NumPy and the standard library: safetensors (whole and in
shards), torch's zip, TorchScript's zip. torch itself is not needed: its names are only written."""

import io
import json
import os
import pickle
import struct
import sys
import types
import zipfile
from collections import OrderedDict

import numpy

STORAGE = {"float32": "FloatStorage", "float16": "HalfStorage", "int64": "LongStorage"}
SAFE = {"float32": "F32", "float16": "F16", "int64": "I64"}


def safetensors(path, tensors, metadata=None):
    header, at = {"__metadata__": metadata or {"format": "pt"}}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": SAFE[value.dtype.name], "shape": list(value.shape),
                        "data_offsets": [at, at + value.nbytes]}
        at += value.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for value in tensors.values():
            file.write(value.tobytes())


def safetensors_shards(folder, tensors, count):
    """model-0000k-of-0000n.safetensors and the index, about as many tensors in each."""
    whole = sum(v.nbytes for v in tensors.values())
    part, places = [{} for _ in range(count)], {}
    for place, (name, value) in enumerate(tensors.items()):
        k = place * count // len(tensors)
        part[k][name] = value
        places[name] = f"model-{k + 1:05d}-of-{count:05d}.safetensors"
    for k in range(count):
        safetensors(os.path.join(folder, f"model-{k + 1:05d}-of-{count:05d}.safetensors"), part[k])
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as file:
        json.dump({"metadata": {"total_size": whole}, "weight_map": places}, file, indent=2)


# ---- pickles ------------------------------------------------------------------------------------


def names_of_torch():
    """Modules with torch's names for the pickler to find, where torch is not loaded."""
    if "torch" in sys.modules:
        return
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def rebuild(*_):
        raise NotImplementedError

    rebuild.__module__, rebuild.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    rebuild.__name__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2, torch._utils = rebuild, utils
    for name in STORAGE.values():
        setattr(torch, name, type(name, (), {"__module__": "torch"}))
    sys.modules["torch"], sys.modules["torch._utils"] = torch, utils


class Storage:
    def __init__(self, key, value):
        self.key, self.value = key, value


class Tensor:
    def __init__(self, key, value):
        self.storage = Storage(key, value)

    def __reduce__(self):
        value = self.storage.value
        strides = tuple(s // value.itemsize for s in value.strides)
        return (sys.modules["torch._utils"]._rebuild_tensor_v2,
                (self.storage, 0, value.shape, strides, False, OrderedDict()))


class Pickler(pickle._Pickler):  # the one in Python: its persistent_id may be overridden
    def persistent_id(self, obj):
        if not isinstance(obj, Storage):
            return None
        kind = getattr(sys.modules["torch"], STORAGE[obj.value.dtype.name])
        return ("storage", kind, str(obj.key), "cpu", obj.value.size)


def add(archive, name, content):
    """Stored, its bytes beginning at a multiple of 64, as torch pads them."""
    info = zipfile.ZipInfo(name)
    begin = archive.fp.tell() + 30 + len(name) + 4
    pad = -begin % 64
    info.extra = struct.pack("<2sH", b"FB", pad) + b"Z" * pad
    archive.writestr(info, content)


def archive(path, prefix, tree, arrays, more=()):
    names_of_torch()
    pickled = io.BytesIO()
    Pickler(pickled, 2).dump(tree)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        add(out, prefix + "/data.pkl", pickled.getvalue())
        for name, content in more:
            add(out, f"{prefix}/{name}", content)
        for key, value in enumerate(arrays):
            add(out, f"{prefix}/data/{key}", value.tobytes())
        add(out, prefix + "/version", b"3\n")


def keyed(tensors):
    return OrderedDict((name, Tensor(key, value))
                       for key, (name, value) in enumerate(tensors.items()))


def torch_zip(path, tensors, wrap=None):
    """`wrap` puts the dict of tensors into something larger."""
    tree = keyed(tensors)
    archive(path, "archive", wrap(tree) if wrap else tree, tensors.values(),
            [("byteorder", b"little")])


class Module:
    """What a module of TorchScript is in a pickle: an object whose state is a dict."""


def torchscript(path, tensors, prefix):
    """A tree of modules by the dots of the names, with classes of its own and some code."""
    if "__torch__" not in sys.modules:
        sys.modules["__torch__"] = types.ModuleType("__torch__")
    made = type("Multimodal", (Module,), {"__module__": "__torch__"})
    sys.modules["__torch__"].Multimodal = made
    root = made()
    for name, value in keyed(tensors).items():
        *path_to, last = name.split(".")
        at = root
        at.__dict__.setdefault("training", False)
        for part in path_to:
            at = at.__dict__.setdefault(part, made())
            at.__dict__.setdefault("training", False)
        at.__dict__[last] = value
    archive(path, prefix, root, tensors.values(),
            [("constants.pkl", pickle.dumps((), 2)),
             ("code/__torch__.py", b"class Multimodal(Module):\n  training : bool\n")])
