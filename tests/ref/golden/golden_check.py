#!/usr/bin/env python3
"""golden_check.py GOLDEN_TOWER LIBRARY [beyond]: the numbers of scorers 8.4, to 5e-6, from every
container of golden_containers.py through ONNX Runtime. GOLDEN_TOWER is golden_tower.c; `beyond`
asks for the files above 4 GiB. Whole vectors are compared with the float64 reference of
golden_reference.py, which itself is held to the table of 8.4; weights given as values and opened
from the folder (1.21 on) give the same bits; mutants are told apart. Exit 77 without NumPy or the
library."""

import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    import numpy

    import golden_containers
    import golden_reference as reference
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TOLERANCE = 5e-6
ACTIVATION = {"clip": "quick", "hpsv2.0": "gelu", "pickscore": "gelu", "imagereward": "gelu"}
# Largest differences of the vision vector that 8.4 says of plans that are wrong, to one digit.
PLANS = (("the other GELU", "hpsv2.0", 4, 3e-2), ("2 heads", "clip", 2, .6),
         ("8 heads", "clip", 8, 1.6))


class Wrong(Exception):
    pass


def need(true, *words):
    if not true:
        raise Wrong(" ".join(str(word) for word in words))


# ---- The program --------------------------------------------------------------------------------


def is_old(library):
    return "1.17" in os.path.basename(library)


def run(program, library, scratch, recipe, heads, path):
    """Words of each line by the words before them: {"kind": [...], ("values", "vision"): ...}."""
    feeds = "values" if is_old(library) else "values,folder"
    done = subprocess.run([program, recipe, str(heads), feeds, path], capture_output=True,
                          text=True, timeout=500,
                          env=dict(os.environ, TARE_ORT_LIB=library, XDG_CACHE_HOME=scratch))
    need(done.returncode == 0, "exit", done.returncode, done.stdout[:300], done.stderr)
    found = {}
    for line in done.stdout.splitlines():
        first, *rest = line.split(" ")
        if first in ("values", "folder"):
            found[first, rest[0]] = rest[1:]
        else:
            found[first] = rest
    return found


def vector(found, what):
    return numpy.array([float(x) for x in found["values", what]])


# ---- The numbers --------------------------------------------------------------------------------


def of_table(value, row, tolerance):
    """The largest difference, of four rounded numbers, sum and norm. The sum is of 48 or 64."""
    first, total, length = reference.TABLE[row]
    far = max([abs(a - b) for a, b in zip(value, first)] + [abs(math.sqrt(value @ value) - length)])
    need(far <= tolerance, row, "is", far, "from 8.4")
    need(abs(value.sum() - total) <= 4 * tolerance, row, "has sum", value.sum(), "not", total)
    return far


def close(value, want, what):
    need(value.shape == want.shape, what, value.shape, want.shape)
    far = numpy.abs(value - want).max()
    need(far <= TOLERANCE, what, "is", far, "from the reference")
    return far


def clip_errors(c, weights, found):
    kind, far, want = ACTIVATION[c.recipe], [], {}
    want["vision"] = reference.clip_vision(weights, kind)
    want["text"] = reference.clip_text(weights, kind)
    for tower, value in want.items():
        row = f"{tower} {kind} {c.label}".strip()
        far.append(close(vector(found, tower), value, tower))
        if row in reference.TABLE:
            of_table(value, row, 1e-8)
            far.append(of_table(vector(found, tower), row, TOLERANCE))
    if not c.label:
        got = reference.cosine(vector(found, "vision"), vector(found, "text"))
        scale = float(found["values", "scale"][0])
        need(scale == float(numpy.float32(4.605170249938965)), "logit_scale", scale)
        need(abs(got - reference.COSINE[kind]) <= 1e-6, "cosine", got)
        need(kind == "gelu" or abs(got * math.exp(scale) - reference.SCALED) <= 1e-4, "scaled")
    return far


def blip_errors(weights, found):
    tokens = reference.blip_tokens(weights)
    row = reference.bert_row(weights, tokens)
    value, reward = float(found["values", "head"][0]), float(found["values", "reward"][0])
    got = vector(found, "vision").reshape(tokens.shape)
    for number in (0, 16):
        of_table(tokens[number], f"token {number}", 1e-8)
        of_table(got[number], f"token {number}", TOLERANCE)
    of_table(row, "bert", 1e-8)
    of_table(vector(found, "bert"), "bert", TOLERANCE)
    need(abs(reference.head(weights, row) - reference.HEAD) < 1e-8, "head of the reference")
    far = [abs(value - reference.HEAD), abs(reward - reference.REWARD)]
    need(max(far) <= TOLERANCE, "head and reward", value, reward)
    return far + [close(got, tokens, "tokens"), close(vector(found, "bert"), row, "bert")]


def check_way(c, library, found):
    """It is the container that it should be, and went the way that it should."""
    for key, want in (("kind", c.kind), ("layout", c.layout), ("prefix", c.prefix)):
        need(" ".join(found[key]).lower() == want, key, found[key], "and not", want)
    need((int(found["opaque"][0]) > 0) or c.prefix == "", "nothing opaque beside the tensors")
    for key in [k for k in found if k[0] == "values"]:
        if is_old(library):
            continue
        other = found["folder", key[1]]
        if key[1].endswith("-session"):
            need(found[key][0] == "values" and other[0] == "folder", "feeds", found[key], other)
        else:
            need(other == found[key], key[1], "differs between values and folder")
    copies = int(found["values", "vision-session"][3])
    need(c.copies[0] <= copies <= c.copies[1], copies, "tensors were copied")


# ---- Tests --------------------------------------------------------------------------------------


def written(c, scratch):
    folder = tempfile.mkdtemp(dir=scratch)
    path = os.path.join(folder, c.file)
    return path, c.write(path)


def holds(c, program, library, scratch):
    path, weights = written(c, scratch)
    found = run(program, library, scratch, c.recipe, reference.HEADS, path)
    check_way(c, library, found)
    far = blip_errors(weights, found) if c.layout == "blip" else clip_errors(c, weights, found)
    print(f"{c.name}: largest error {max(far):.2g}, ONNX Runtime "
          f"{found['values', 'vision-session'][1]}")
    os.remove(path)


def fails(c, program, library, scratch):
    """Read without a complaint, and far from the numbers."""
    path, weights = written(c, scratch)
    found = run(program, library, scratch, c.recipe, reference.HEADS, path)
    far = numpy.abs(vector(found, "vision") - reference.clip_vision(weights, "quick")).max()
    need(not far <= 1000 * TOLERANCE, "the mutant is only", far, "away")  # NaN is away, too
    print(f"mutant, {c.name}: {far:.2g} away")


def plan_fails(plan, program, library, scratch):
    name, recipe, heads, digit = plan
    path, weights = written(golden_containers.containers()[0], scratch)
    found = run(program, library, scratch, recipe, heads, path)
    far = numpy.abs(vector(found, "vision") - reference.clip_vision(weights, "quick")).max()
    one = 10 ** math.floor(math.log10(digit))
    need(abs(far - digit) <= .6 * one, "the mutant is", far, "away, and 8.4 says", digit)
    print(f"mutant, {name}: {far:.2g} away")


def main():
    program, library = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not os.path.isfile(library):
        print(f"skipped: no ONNX Runtime at {library}; tools/fetch_onnxruntime.sh gets it")
        sys.exit(77)
    wrong, place = 0, None
    if sys.argv[3:] == ["beyond"]:
        place = os.path.dirname(program)  # on a disk: in memory, mapped holes would take room
        tests = [(holds, c, c.name) for c in golden_containers.beyond()]
    else:
        tests = [(holds, c, c.name) for c in golden_containers.containers()]
        tests += [(fails, c, "mutant, " + c.name) for c in golden_containers.mutants()]
        tests += [(plan_fails, plan, "mutant, " + plan[0]) for plan in PLANS]
    with tempfile.TemporaryDirectory(dir=place) as scratch:
        for test, what, name in tests:
            try:
                test(what, program, library, scratch)
            except (Wrong, KeyError, ValueError) as failed:
                wrong += 1
                print(f"FAIL  {name}: {failed}")
    print(f"{len(tests) - wrong} of {len(tests)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
