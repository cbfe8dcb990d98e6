#!/usr/bin/env python3
"""Write tests/data/checkpoints/official.safetensors with the library safetensors itself.

  make_safetensors.py FOLDER     (needs torch and safetensors; the committed file: 2.4.1 and 0.8.0)
"""
import sys

import safetensors.torch
import torch

eighths = torch.arange(12, dtype=torch.float64) / 8 - 1
safetensors.torch.save_file({
    "block.weight": eighths.float().reshape(3, 4),
    "half": eighths.half().reshape(4, 3),
    "brain": eighths.bfloat16(),
    "wide": eighths[3].clone(),
    "ids": torch.arange(-2, 3),
    "byte": torch.arange(5, dtype=torch.uint8),
    "none": torch.zeros(0, 7),
    "flag": torch.tensor([True, False]),
    "small": eighths.to(torch.float8_e4m3fn),
    "smaller": eighths.to(torch.float8_e5m2),
}, f"{sys.argv[1]}/official.safetensors", metadata={"format": "pt", "note": "a \"quoted\" note"})
