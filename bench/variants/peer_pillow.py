#!/usr/bin/env python3
"""peer_pillow.py FOLDER PROCESSES bytes|measures: the work of bench_variants with Pillow, NumPy,
SciPy and scikit-image, in as many processes. Prints the same TSV line. Imports and the start of
the processes are not counted. Its measures are the ITA and the mean colour difference only.
"""
import os
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import multiprocessing  # noqa: E402

import numpy as np  # noqa: E402
from PIL import Image, ImageOps  # noqa: E402
from scipy.ndimage import gaussian_filter  # noqa: E402
from skimage.color import lab2rgb, rgb2lab  # noqa: E402

DOSES = (-15, -10, -5, 0, 5, 10, 15)
warnings.filterwarnings("ignore")


def skin_mask(rgb):
    r, g, b = (rgb[..., c].astype(np.int32) for c in range(3))
    cr = 500000 * r - 418688 * g - 81312 * b
    cb = -168736 * r - 331264 * g + 500000 * b
    return ((cb >= -51000000) & (cb <= -1000000) & (cr >= 5000000) & (cr <= 45000000))


def one(job):
    path, measures = job
    start = time.process_time()
    photo = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))
    mask = skin_mask(photo)
    if mask.mean() < 0.05:
        return 0, 0, time.process_time() - start
    w = gaussian_filter(mask.astype(float), 3 * min(photo.shape[:2]) / 224, mode="reflect")
    lab, total = rgb2lab(photo), 0
    for dose in DOSES:
        moved = lab.copy()
        moved[..., 0] += dose * w
        out = np.floor(255 * lab2rgb(moved) + 0.5).astype(np.uint8)
        total += int(out.sum(dtype=np.uint64))
        if measures:
            now = rgb2lab(out)
            mean = now[mask].mean(0)
            np.degrees(np.arctan2(mean[0] - 50, mean[2]))
            np.sqrt(((now - lab) ** 2).sum(-1)).mean()
    return len(DOSES), total, time.process_time() - start


def main():
    folder, processes, work = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    measures = work == "measures"
    jobs = [(os.path.join(folder, n), measures) for n in sorted(os.listdir(folder))
            if n.lower().endswith((".jpg", ".jpeg", ".png"))]
    with multiprocessing.Pool(processes) as pool:
        pool.map(one, jobs[:processes], 1)  # warm up
        start = time.perf_counter()
        done = pool.map(one, jobs, 1)
        seconds = time.perf_counter() - start
    variants, total, cpu = (sum(column) for column in zip(*done))
    print("pillow+skimage", work, processes, len(jobs), variants, f"{seconds:.4f}", f"{cpu:.4f}",
          total, sep="\t")


if __name__ == "__main__":
    main()
