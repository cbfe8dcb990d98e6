"""peer_read.py PROGRAM FILE: the same reading with pandas (its C reader) or polars, one run; TSV of
seconds of the clock and of all processors, MB at most, check. Exits with 77 where the program is
not here."""
import importlib
import resource
import sys
import time

program, path = sys.argv[1:]
try:
    library = importlib.import_module(program)
except ImportError:
    sys.exit(77)

TEXTS = ["item", "author", "judge", "setting"]
start, cpu_start = time.perf_counter(), time.process_time()
if program == "pandas":
    frame = library.read_json(path, lines=True) if ".jsonl" in path else library.read_csv(path)
    took, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    levels = sum(frame[name].nunique() for name in TEXTS)
else:
    frame = library.read_ndjson(path) if ".jsonl" in path else library.read_csv(path)
    took, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    levels = sum(frame[name].n_unique() for name in TEXTS)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{took:.4f}\t{cpu:.4f}\t{peak:.0f}\t{len(frame)} rows, {levels} levels, "
      f"sum {frame['score'].sum():.2f}")
