#!/usr/bin/env python3
"""measure_photos.py TARE [COUNT ...] - `tare audit` on many small photographs: time and memory.

For each COUNT (1000 and 10000 unless given) as many seeded portraits of 40 x 48 pixels are drawn,
and the program audits them with a cheap scorer. Prints TSV: how many photographs and variants, the
wall and CPU seconds, variants per second, the peak of the resident memory, and how large the
results are. The peak is of the program alone (wait4 of the child). Options after -- go to tare.

With --steps (2500 and 10000 photographs unless given): three axes, skin, hue and nonskin, with
their sham; the whole run, and the finished run analysed again.
"""
import os
import shutil
import sys
import tempfile
import time

WIDTH, HEIGHT, SLOTS = 40, 48, 13


def draw(folder, count):
    """One folder per hundred, as photographs lie in practice."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(20240501)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    tones = np.array([[224, 172, 145], [198, 140, 112], [141, 95, 75], [110, 72, 58]])
    for k in range(count):
        cx = WIDTH * rng.uniform(0.45, 0.55)
        face = ((x - cx) / (0.3 * WIDTH)) ** 2 + ((y - HEIGHT / 2) / (0.35 * HEIGHT)) ** 2 < 1
        rgb = np.full((HEIGHT, WIDTH, 3), rng.integers(40, 180, 3).astype(float))
        rgb[face] = tones[k % 4] * (1 - 0.004 * (x[face] - cx))[:, None]
        rgb += rng.normal(0, 3, rgb.shape)
        place = os.path.join(folder, f"{k // 100:04d}")
        os.makedirs(place, exist_ok=True)
        Image.fromarray(rgb.clip(0, 255).astype(np.uint8)).save(
            os.path.join(place, f"{k:06d}.png"), compress_level=1)


def in_a_child(work, *arguments):
    """A child begins with the memory of its parent, which counts to its peak: keep that small."""
    child = os.fork()
    if child == 0:
        work(*arguments)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit("measure_photos.py: the photographs could not be drawn")


SCORER = ["--scorer", "planted:luminance=1,absdose=0.001"]
AXES = ["--axis", "skin", "--axis", "hue", "--axis", "nonskin"]


def measure(program, photos, out, options):
    return launch([program, "audit", photos, *SCORER, "-q", "-o", out, *options])


def launch(arguments):
    """Wall seconds, CPU seconds, peak of the resident memory in MiB."""
    began = time.time()
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.execv(arguments[0], arguments)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"measure_photos.py: tare ended with {os.waitstatus_to_exitcode(status)}")
    return time.time() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def kib(path):
    return os.path.getsize(path) // 1024


def measure_steps(program, counts):
    print("step", "photographs", "axes", "seconds", "cpu_seconds", "peak_mib", sep="\t")
    fast = ["--perm-p", "199", "--boot-b", "199", "--seeds", "0", "--strips", "0"]
    for count in counts:
        scratch = tempfile.mkdtemp(prefix="tare-bench-photos-")
        try:
            photos, out = os.path.join(scratch, "photos"), os.path.join(scratch, "out")
            in_a_child(draw, photos, count)
            steps = [("score and analyse", [program, "audit", photos, *SCORER, *AXES, *fast, "-q",
                                            "-o", out]),
                     ("analyse again", [program, "audit", out, "-q"])]
            for name, arguments in steps:
                wall, cpu, peak = launch(arguments)
                print(name, count, len(AXES) // 2, f"{wall:.1f}", f"{cpu:.1f}", f"{peak:.0f}",
                      sep="\t", flush=True)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def main():
    words = sys.argv[1:]
    steps = "--steps" in words
    words = [w for w in words if w != "--steps"]
    options = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    program, counts = os.path.abspath(words[0]), [int(w) for w in words[1:]] or [1000, 10000]
    if steps:
        return measure_steps(program, [int(w) for w in words[1:]] or [2500, 10000])
    print("photographs", "variants", "seconds", "cpu_seconds", "variants_per_second", "peak_mib",
          "report_kib", "scores_kib", "store_kib", sep="\t")
    for count in counts:
        scratch = tempfile.mkdtemp(prefix="tare-bench-photos-")
        try:
            photos, out = os.path.join(scratch, "photos"), os.path.join(scratch, "out")
            in_a_child(draw, photos, count)
            wall, cpu, peak = measure(program, photos, out, options)
            print(count, count * SLOTS, f"{wall:.1f}", f"{cpu:.1f}", f"{count * SLOTS / wall:.0f}",
                  f"{peak:.0f}", kib(f"{out}/report.html"), kib(f"{out}/tables/scores.tsv"),
                  kib(f"{out}/run.sqlite"), sep="\t", flush=True)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
