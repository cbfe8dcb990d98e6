"""make_sides.py FILE PREFIX SLOPE [BASES]   a score table of two scorers, by a formula.

`turns` goes by SLOPE x dose, `keeps` by 0.5 x dose, each a little more or less from base to base.
"""
import sys

path, prefix, slope = sys.argv[1], sys.argv[2], float(sys.argv[3])
with open(path, "w", encoding="utf-8") as f:
    f.write("base,dose,scorer,score\n")
    for i in range(int(sys.argv[4]) if len(sys.argv) > 4 else 20):
        for d in (-1, 0, 1):
            wobble = 1 + (i * 7 % 5 - 2) / 20
            level = i * 3 % 7 / 10
            for name, size in (("turns", slope), ("keeps", 0.5)):
                f.write(f"{prefix}{i:02d},{d},{name},{level + size * wobble * d:.6f}\n")
