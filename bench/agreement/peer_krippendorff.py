"""Krippendorff's alpha by the package `krippendorff`, the fastest that was found for Python, on the
data that bench_agreement wrote. Usage: peer_krippendorff.py FOLDER REPEATS

tare does not need it: where it is not installed, that is said and nothing is measured.
"""
import sys
import time

UNITS, RATERS = 10000, 5

try:
    import importlib.metadata

    import krippendorff
    import numpy as np
except ImportError as error:
    sys.exit(print(f"alpha has no peer here: {error}", file=sys.stderr))

folder, repeats = sys.argv[1], int(sys.argv[2])
name = f"krippendorff {importlib.metadata.version('krippendorff')}"
for kinds in (5, 100):
    x = np.fromfile(f"{folder}/alpha_{kinds}").reshape(UNITS, RATERS).T
    for level in ("nominal", "ordinal", "interval", "ratio"):
        wall, cpu = [], []
        while len(wall) < repeats and sum(wall) < 2:
            start, start_cpu = time.perf_counter(), time.process_time()
            alpha = krippendorff.alpha(reliability_data=x, level_of_measurement=level)
            cpu.append(time.process_time() - start_cpu)
            wall.append(time.perf_counter() - start)
        print(f"alpha_{kinds}_{level}\t{name}\t{min(wall):.6f}\t{min(cpu):.6f}\t{alpha:.15g}",
              flush=True)
