"""What the scenario tests share: drawn photographs, runs of the program, comparing run folders.

A test is a script with functions named test_*; `main()` runs them in a scratch folder each and says
which failed. Photographs are drawn from a seed: a face-coloured ellipse on a background, with
shading, texture and a dark mark, so that masks, clipping and quality scorers have something to do.
"""

import hashlib
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import numpy
from PIL import Image

TARE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "tare"
TONES = [
    (60, 32, 20),
    (141, 85, 36),
    (198, 134, 66),
    (224, 172, 105),
    (241, 194, 125),
    (245, 205, 160),
]


def draw(seed, width=96, height=112, tone=None):
    """One photograph as an array [height][width][3] of bytes."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width].astype(float)
    picture = numpy.empty((height, width, 3))
    picture[:] = random.integers(40, 200, 3) * numpy.array([0.55, 0.9, 1.1])
    picture += 18 * numpy.sin(x / random.uniform(3, 9))[..., None]
    tone = numpy.array(TONES[seed % len(TONES)] if tone is None else tone, float)
    cx, cy = width * random.uniform(0.45, 0.55), height * random.uniform(0.45, 0.55)
    inside = ((x - cx) / (0.36 * width)) ** 2 + ((y - cy) / (0.42 * height)) ** 2 < 1
    shade = 0.82 + 0.3 * (x / width) + 0.05 * numpy.sin(y / 5)
    picture[inside] = (tone * shade[..., None])[inside]
    for side in (-1, 1):
        eye = ((x - cx - side * 0.14 * width) / 4) ** 2 + ((y - cy + 10) / 2.5) ** 2 < 1
        picture[eye] = (30, 25, 25)
    picture += random.normal(0, 2.5, picture.shape)
    return numpy.clip(picture, 0, 255).astype(numpy.uint8)


def photographs(folder, count, first=0, kind="jpg", **options):
    os.makedirs(folder, exist_ok=True)
    for k in range(first, first + count):
        picture = Image.fromarray(draw(k, **options))
        name = os.path.join(folder, f"photo-{k:02d}.{kind}")
        picture.save(name, **({"quality": 92} if kind == "jpg" else {}))


def run(*arguments, status=0, env=None, **options):
    """Run tare; its exit status must be `status` (None: any). Gives the finished process."""
    done = subprocess.run(
        [TARE, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, **(env or {})),
        **options,
    )
    if status is not None and done.returncode != status:
        raise AssertionError(
            f"tare {' '.join(map(str, arguments))}\nexit {done.returncode}, wanted "
            f"{status}\n{done.stdout}\n{done.stderr}"
        )
    return done


def results(folder):
    """SHA-256 of every result file: readings, tables, figures, report; not the raw store."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f != "blobs"]
        for name in files:
            path = os.path.join(root, name)
            relative = os.path.relpath(path, folder)
            if relative.startswith("run.") or relative.endswith(".log"):
                continue
            with open(path, "rb") as file:
                found[relative] = hashlib.sha256(file.read()).hexdigest()
    return found


def same(first, second, what):
    a, b = results(first), results(second)
    assert (
        a and "report.html" in a and "readings.json" in a
    ), f"{what}: {first} has no results: {sorted(a)}"
    different = sorted(name for name in set(a) | set(b) if a.get(name) != b.get(name))
    assert not different, f"{what}: these differ: {different}"


def readings(folder):
    import json

    with open(os.path.join(folder, "readings.json"), encoding="utf-8") as file:
        return json.load(file)


def find(folder, **wanted):
    """The one reading with these fields."""
    rows = [
        r for r in readings(folder)["readings"] if all(r.get(k) == v for k, v in wanted.items())
    ]
    assert len(rows) == 1, f"{len(rows)} readings match {wanted}"
    return rows[0]


def main():
    tests = [
        f
        for name, f in inspect.getmembers(sys.modules["__main__"], inspect.isfunction)
        if name.startswith("test_")
    ]
    failed = 0
    here = os.getcwd()
    for test in tests:
        scratch = tempfile.mkdtemp(prefix="tare-scenario-")
        os.chdir(scratch)
        began = time.time()
        try:
            test()
            print(f"ok    {test.__name__} ({time.time() - began:.1f} s)", flush=True)
        except Exception:
            failed += 1
            traceback.print_exc()
            print(f"FAIL  {test.__name__}", flush=True)
        os.chdir(here)
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
