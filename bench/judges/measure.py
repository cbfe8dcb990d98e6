"""measure.py OUT COMMAND...: run the command with its output in OUT; prints seconds of the clock
and peak memory in MiB."""
import resource
import subprocess
import sys
import time

with open(sys.argv[1], "w") as out:
    start = time.perf_counter()
    subprocess.run(sys.argv[2:], stdout=out, check=True)
    took = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{took:.2f} {peak:.0f}")
