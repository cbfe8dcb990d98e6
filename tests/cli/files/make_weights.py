"""Small files of weights of the kinds that nobody ships.

make_weights.py NAME...: one.safetensors (one number, under a name of a million letters),
expanded.pt (a torch archive: a view of one number as 10^9 x 10^9), locked.pt (its storage is
marked as encrypted), escapes.safetensors (a type with what a terminal obeys).
"""
import io
import json
import struct
import sys
import zipfile


def safetensors(name, dtype="F32"):
    header = json.dumps({name: {"dtype": dtype, "shape": [1], "data_offsets": [0, 4]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(4)


def text(words):
    return b"X" + struct.pack("<I", len(words)) + words.encode()


def torch_zip():
    pickle = (b"\x80\x02}" + text("w") + b"ctorch._utils\n_rebuild_tensor_v2\n(("
              + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu")
              + b"K\1tQK\0" + 2 * (b"J" + struct.pack("<i", 10**9)) + b"\x86K\0K\0\x86\x89"
              + b"ccollections\nOrderedDict\n)RtRs.")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("a/data.pkl", pickle)
        z.writestr("a/data/0", bytes(4))
    return bytearray(out.getvalue())


def locked():
    out = torch_zip()
    out[out.rfind(b"PK\1\2") + 8] |= 1
    return out


MAKE = {"one.safetensors": lambda: safetensors("A" * 1000000), "expanded.pt": torch_zip,
        "locked.pt": locked,
        "escapes.safetensors": lambda: safetensors("w", "\x1b[31mX\x9b2J")}
for path in sys.argv[1:]:
    with open(path, "wb") as f:
        f.write(MAKE[path]())
