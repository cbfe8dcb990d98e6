#!/usr/bin/env python3
"""Any Python scorer behind tare's exec protocol (docs/exec-scorer.md).

    tare audit photos/ --scorer 'exec:python3 exec_scorer.py my_scorer:build' -o out/

my_scorer.py holds one function that loads the model and returns another one, for PyTorch say:

    def build():
        model, preprocess = load_model("weights.pt")
        def score(images, prompts):                      # RGB PIL images, texts (or None)
            return model(torch.stack([preprocess(i) for i in images])).flatten().tolist()
        score.fingerprint = sha256_of("weights.pt") + " preprocess v1"   # all that moves a score
        return score

Without an argument it scores mean brightness, so that the pipes can be tried.
"""
import base64, hashlib, importlib, io, json, sys
from PIL import Image

replies, sys.stdout = sys.stdout, sys.stderr  # what a library prints goes to the log
try:
    import torch
    torch.set_grad_enabled(False)             # a scorer is asked, not trained
    torch.manual_seed(0)
except ImportError:
    torch = None                              # not every scorer needs it

def brightness(images, prompts):
    return [sum(i.convert("L").getdata()) / (i.width * i.height) for i in images]
brightness.fingerprint = hashlib.sha256(open(__file__, "rb").read()).hexdigest()

def build(spec):
    module, _, function = spec.partition(":")
    sys.path.insert(0, ".")
    return getattr(importlib.import_module(module), function or "build")()

score = build(sys.argv[1]) if len(sys.argv) > 1 else brightness
about = {"name": getattr(score, "name", score.__name__), "version": "1", "max_batch": 64,
         "prompt": "optional", "higher_is_better": getattr(score, "higher_is_better", True),
         "fingerprint": getattr(score, "fingerprint", None)}

for line in sys.stdin:
    request = json.loads(line)
    reply = about
    if request["op"] == "score":
        items = request["items"]
        images = [Image.open(io.BytesIO(base64.b64decode(i["image"]["png"]))) for i in items]
        values = score(images, [i.get("prompt") for i in items])
        reply = {"id": request["id"], "scores": [{"key": i["key"], "score": float(v)}
                                                 for i, v in zip(items, values)]}
    print(json.dumps(reply), file=replies, flush=True)
