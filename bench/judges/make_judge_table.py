"""make_judge_table.py OUT.csv OUT.jsonl [ITEMS]: a table of 12 judges x 12 authors x ITEMS items x
2 settings on a scale of 1 to 10: authors of different quality, judges of different severity and
spread, items of different difficulty, a planted bonus for the own text in four judges."""
import sys

import numpy as np

items = int(sys.argv[3]) if len(sys.argv) > 3 else 4500
models = [f"model-{k:02d}" for k in range(12)]
rng = np.random.default_rng(1)
shape = (2, items, 12, 12)  # setting, item, author, judge
quality = rng.normal(0, .5, 12)[None, None, :, None]
severity = rng.normal(0, .7, 12)[None, None, None, :]
spread = np.exp(rng.uniform(-.4, .4, 12))[None, None, None, :]
item = rng.normal(0, 1, items)[None, :, None, None]
own = np.zeros((12, 12))
own[range(4), range(4)] = .3
score = 6 + severity + spread * (quality + item + own + rng.normal(0, .8, shape))
score = np.clip(np.rint(score * 2) / 2, 1, 10)
with open(sys.argv[1], "w") as csv, open(sys.argv[2], "w") as jsonl:
    csv.write("item,author,judge,setting,score\n")
    for s, setting in enumerate(("with-reference", "without")):
        for j, judge in enumerate(models):
            for a, author in enumerate(models):
                values = score[s, :, a, j].tolist()
                csv.write("".join(f"q{i:05d},{author},{judge},{setting},{v}\n"
                                  for i, v in enumerate(values)))
                jsonl.write("".join(
                    f'{{"item": "q{i:05d}", "author": "{author}", "judge": "{judge}", '
                    f'"setting": "{setting}", "score": {v}}}\n' for i, v in enumerate(values)))
