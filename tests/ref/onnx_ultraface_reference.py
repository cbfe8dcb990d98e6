#!/usr/bin/env python3
"""Print the best score that the Ultra-Light face detector gives to portraits, by ONNX Runtime's own
Python and Pillow: pasted into tests/unit/test_onnx_ultraface.c.

  onnx_ultraface_reference.py FOLDER      (the shared data; needs `pip install onnxruntime`)

Preparation of scorers 1.4: bilinear to 320 x 240, (x - 127)/128. Printed: the best score, and the
log odds that come before the soft-max of the best box, which do not saturate.
"""
import os
import sys

import numpy as np
import onnxruntime
from PIL import Image

root = sys.argv[1]
onnxruntime.set_default_logger_severity(3)
session = onnxruntime.InferenceSession(
    f"{root}/scorers/ultraface/version-slim-320_simplified.onnx",
    providers=["CPUExecutionProvider"])
print(f"/* ONNX Runtime {onnxruntime.__version__}, NumPy {np.__version__} */")
print("/*", [(i.name, i.shape) for i in session.get_inputs()],
      [(o.name, o.shape) for o in session.get_outputs()], "*/")
for size in ("large", "small"):
    for name in sorted(os.listdir(f"{root}/faces/{size}"))[:4]:
        image = Image.open(f"{root}/faces/{size}/{name}").convert("RGB")
        x = np.asarray(image.resize((320, 240), Image.BILINEAR), np.float32)
        x = ((x - np.float32(127)) / np.float32(128)).transpose(2, 0, 1)[None]
        scores = session.run(["scores"], {"input": x})[0].astype(np.float64)
        best = scores[0, :, 1].max()
        print(f'    {{"{size}/{name}", {best:.9g}}},')
