"""Containers of checkpoints, written with NumPy and the standard library: safetensors (whole and in
shards), torch's zip, TorchScript's zip, torch's format before 1.6. torch itself is not needed: its
names are only written.

bfloat16, which NumPy does not have, is a record of its 16 bits (BFLOAT16)."""

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

BFLOAT16 = numpy.dtype([("bfloat16", "<u2")])
STORAGE = {"float32": "FloatStorage", "float16": "HalfStorage", "bfloat16": "BFloat16Storage",
           "int64": "LongStorage"}
SAFE = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64"}


def kind(value):
    return "bfloat16" if value.dtype == BFLOAT16 else value.dtype.name


def safetensors(path, tensors, odd=False, hole=0):
    """`odd`: the numbers begin at an odd byte. `hole`: bytes before them that no tensor owns."""
    header, at = {"__metadata__": {"format": "pt"}}, hole
    for name, value in tensors.items():
        header[name] = {"dtype": SAFE[kind(value)], "shape": list(value.shape),
                        "data_offsets": [at, at + value.nbytes]}
        at += value.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8 + odd)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.seek(hole, os.SEEK_CUR)
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
    def __init__(self, key, flat):
        self.key, self.flat = key, flat


class Tensor:
    """A view of a storage: offset and strides in elements."""

    def __init__(self, storage, offset, shape, strides):
        self.storage, self.offset, self.shape, self.strides = storage, offset, shape, strides

    def __reduce__(self):
        return (sys.modules["torch._utils"]._rebuild_tensor_v2,
                (self.storage, self.offset, self.shape, self.strides, False, OrderedDict()))


def alone(key, value):
    """A storage of its own, with the elements as they lie in memory (no gaps)."""
    order = sorted(range(value.ndim), key=lambda axis: -value.strides[axis])
    strides = tuple(s // value.itemsize for s in value.strides)
    return Tensor(Storage(key, value.transpose(order).reshape(-1)), 0, value.shape, strides)


class Pickler(pickle._Pickler):  # the one in Python: its persistent_id may be overridden
    legacy = False

    def persistent_id(self, obj):
        if not isinstance(obj, Storage):
            return None
        storage = getattr(sys.modules["torch"], STORAGE[kind(obj.flat)])
        found = ("storage", storage, str(obj.key), "cpu", obj.flat.size)
        return found + (None,) if self.legacy else found  # None: no view of another storage


def add(archive, name, content):
    """Stored, its bytes beginning at a multiple of 64, as torch pads them."""
    info = zipfile.ZipInfo(name)
    begin = archive.start_dir + 30 + len(name) + 4
    pad = -begin % 64
    info.extra = struct.pack("<2sH", b"FB", pad) + b"Z" * pad
    archive.writestr(info, content)


def storages(views):
    """By key, each once."""
    return {view.storage.key: view.storage.flat for view in views.values()}


def archive(path, prefix, tree, arrays, more=(), hole=0):
    """`arrays`: of storages. `hole`: bytes before them that no entry owns."""
    names_of_torch()
    pickled = io.BytesIO()
    Pickler(pickled, 2).dump(tree)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        add(out, prefix + "/data.pkl", pickled.getvalue())
        out.start_dir += hole  # where the next entry is put
        for name, content in more:
            add(out, f"{prefix}/{name}", content)
        for key, value in arrays.items():
            add(out, f"{prefix}/data/{key}", value.tobytes())
        add(out, prefix + "/version", b"3\n")


def keyed(tensors):
    """Views; what is one already stays."""
    return OrderedDict((name, value if isinstance(value, Tensor) else alone(key, value))
                       for key, (name, value) in enumerate(tensors.items()))


def torch_zip(path, tensors, wrap=None, hole=0):
    """`wrap` puts the dict of tensors into something larger."""
    tree = keyed(tensors)
    archive(path, "archive", wrap(tree) if wrap else tree, storages(tree),
            [("byteorder", b"little")], hole)


def torch_legacy(path, tensors, wrap=None):
    """Five pickles (magic number, protocol, system, object, keys), then counts and elements."""
    names_of_torch()
    tree = keyed(tensors)
    arrays = {str(key): flat for key, flat in storages(tree).items()}
    system = {"protocol_version": 1001, "little_endian": True,
              "type_sizes": {"short": 2, "int": 4, "long": 4}}
    with open(path, "wb") as file:
        for header in (0x1950A86A20F9469CFC6C, 1001, system):
            pickle.dump(header, file, 2)
        pickler = Pickler(file, 2)
        pickler.legacy = True
        pickler.dump(wrap(tree) if wrap else tree)
        pickle.dump(sorted(arrays), file, 2)
        for key in sorted(arrays):
            file.write(struct.pack("<q", arrays[key].size) + arrays[key].tobytes())


class Module:
    """What a module of TorchScript is in a pickle: an object whose state is a dict."""


def torchscript(path, tensors, prefix):
    """A tree of modules by the dots of the names, with classes of its own and some code."""
    if "__torch__" not in sys.modules:
        sys.modules["__torch__"] = types.ModuleType("__torch__")
    made = type("Multimodal", (Module,), {"__module__": "__torch__"})
    sys.modules["__torch__"].Multimodal = made
    root = made()
    views = keyed(tensors)
    for name, value in views.items():
        *path_to, last = name.split(".")
        at = root
        at.__dict__.setdefault("training", False)
        for part in path_to:
            at = at.__dict__.setdefault(part, made())
            at.__dict__.setdefault("training", False)
        at.__dict__[last] = value
    archive(path, prefix, root, storages(views),
            [("constants.pkl", pickle.dumps((), 2)),
             ("code/__torch__.py", b"class Multimodal(Module):\n  training : bool\n")])
