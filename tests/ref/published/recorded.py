"""The tables that make_reference.py wrote, and the photographs that they speak of."""

import os
from collections import namedtuple

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get("TARE_SHARED_FACES")  # portraits "large/008049.jpg"; None: not looked at

TensorRow = namedtuple("TensorRow", "kind photograph hash total samples")
ScoreRow = namedtuple("ScoreRow", "scorer photograph score norm first")


def lines(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def number(text):
    return None if text in ("-", "refused") else float(text)


def numbers(text):
    return None if text == "-" else numpy.array([float(x) for x in text.split()])


def tensors():
    return [TensorRow(k, p, h, number(t), numbers(s))
            for k, p, h, t, s in lines("published_tensors.tsv")]


def scores():
    """score None: the published code fails on it."""
    return [ScoreRow(k, p, number(s), number(n), numbers(f))
            for k, p, s, n, f in lines("published_scores.tsv")]


def find(photograph, drawn):
    """Its path: one of those cut from the portrait, or a shared one; None: not here."""
    if "/" not in photograph:
        return drawn[photograph]
    path = os.path.join(SHARED or "", photograph)
    return path if SHARED and os.path.exists(path) else None
