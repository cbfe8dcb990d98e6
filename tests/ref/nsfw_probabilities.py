#!/usr/bin/env python3
"""nsfw_probabilities.py: write tests/ref/nsfw_probabilities.tsv, what nsfwjs 4.3.0 itself says.

nsfwjs and TF.js 4.22.0 are installed by npm in a scratch folder and run by Node with TF.js's plain
JavaScript back end, which adds in double. Photographs are decoded by Pillow and given as tensors
of bytes, so what is compared is everything behind the decoder: x / 255, the resize, the weights
made real numbers, the layers. Columns: file (of tests/data; "demo/": of build/demo/photos), width,
height, SHA-256 of the RGB bytes, the five probabilities.
"""
import hashlib
import os
import subprocess
import sys
import tempfile

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
PACKAGES = ["nsfwjs@4.3.0", "@tensorflow/tfjs@4.22.0"]
FILES = ["astronaut.png", "patches.jpg", "demo/dlib-01/01.jpg", "demo/dlib-03/05.jpg",
         "demo/dlib-06.jpg", "demo/dlib-12.jpg", "demo/group-01.jpg", "demo/group-04.jpg"]


def place(name):
    if name.startswith("demo/"):
        return os.path.join(ROOT, "build", "demo", "photos", name[5:])
    return os.path.join(ROOT, "tests", "data", name)


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "package.json"), "w", encoding="ascii") as f:
            f.write("{}")
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES],
                       cwd=folder, check=True, stdout=sys.stderr)
        lines, hashes = "", {}
        for k, name in enumerate(FILES):
            picture = Image.open(place(name)).convert("RGB")
            path = os.path.join(folder, f"{k}.rgb")
            hashes[name] = hashlib.sha256(picture.tobytes()).hexdigest()
            with open(path, "wb") as f:
                f.write(picture.tobytes())
            lines += f"{name}\t{picture.width}\t{picture.height}\t{path}\n"
        found = subprocess.run(["node", os.path.join(HERE, "nsfw_probabilities.mjs"), folder],
                               input=lines, check=True, stdout=subprocess.PIPE, text=True).stdout
    out = "file\twidth\theight\tsha256\tDrawing\tHentai\tNeutral\tPorn\tSexy\n"
    for line in found.splitlines():
        name, width, height, *numbers = line.split("\t")
        out += "\t".join([name, width, height, hashes[name], *numbers]) + "\n"
    with open(os.path.join(HERE, "nsfw_probabilities.tsv"), "w", encoding="ascii") as f:
        f.write(out)


if __name__ == "__main__":
    main()
