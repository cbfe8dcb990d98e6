#!/usr/bin/env python3
"""Decode files of every kind by every policy, and compare with Pillow and with the formulas.

  image_policies.py IMAGE_DUMP IMAGE_MAKE_JPEG             the test
  image_policies.py IMAGE_DUMP IMAGE_MAKE_JPEG --fixtures  write tests/ref/image_policies/ and .tsv

Published decoding must give Pillow's samples, mode and convert("RGB"). Canonical: the formulas of
scorers 5 in NumPy on samples known beforehand, colour profiles by Pillow's ImageCms (relative
colorimetric, black point compensation). Strict: canonical, or refused. Exits 77 without Pillow.
"""
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import numpy as np
    from PIL import Image, ImageCms
except ImportError as missing:
    print(f"skipped: no {missing.name} in {sys.executable}")
    sys.exit(77)

import image_cases

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ("file", "reason", "mode", "width", "height", "orientation", "icc", "samples", "palette",
          "rgb", "note")
GROUNDS = {"white": (255, 255, 255), "black": (0, 0, 0), "#336699": (0x33, 0x66, 0x99)}
RUNS = [("strict", "white"), ("published", "white"), ("canonical", "white"),
        ("canonical", "black"), ("canonical", "#336699"), ("canonical", "drop"),
        ("canonical", "refuse")]
EXPANDED = {"L": "grey repeated", "LA": "grey repeated", "P": "palette expanded",
            "1": "bilevel expanded"}


def sha(array):
    return hashlib.sha256(np.ascontiguousarray(array, dtype=np.uint8).tobytes()).hexdigest()


# ---- canonical ------------------------------------------------------------------------------

def to_srgb(rgb, profile, mode):
    """[...][k] bytes by the profile, as an image of one row."""
    flat = rgb.reshape(1, -1) if mode == "L" else rgb.reshape(1, -1, rgb.shape[-1])
    image = Image.fromarray(np.ascontiguousarray(flat, dtype=np.uint8), mode)
    out = ImageCms.profileToProfile(image, io.BytesIO(profile), ImageCms.createProfile("sRGB"),
                                    renderingIntent=1, outputMode="RGB", flags=0x2000)
    return np.asarray(out).reshape(*rgb.shape[:2], 3).astype(np.int64)


def profile_space(case):
    return case.icc[16:20] if case.icc else b""


def cmyk_formula(ink):
    light = 255 - ink[..., 3:]
    return light - (2 * ink[..., :3] * light + 255) // 510


def colours(case):
    """Opaque sRGB and alpha, before the ground."""
    v = case.samples
    if case.mode not in ("P", "1"):
        v = (v * 255 + case.maximum // 2) // case.maximum
    alpha = np.full(v.shape[:2], 255)
    if case.mode == "P":
        entry = case.palette.astype(np.int64)[v[..., 0]]
        rgb, alpha = entry[..., :3], entry[..., 3]
    elif case.mode in ("L", "1", "LA"):
        rgb = np.repeat(v[..., :1], 3, -1)
        alpha = v[..., 1] if case.mode == "LA" else alpha
    elif case.mode == "CMYK":
        converted = case.icc_state == "converted"
        return to_srgb(v, case.icc, "CMYK") if converted else cmyk_formula(v), alpha
    else:
        rgb = v[..., :3]
        alpha = v[..., 3] if case.mode == "RGBA" else alpha
    if case.icc_state == "converted":
        grey = profile_space(case) == b"GRAY"
        rgb = to_srgb(rgb[..., 0], case.icc, "L") if grey else to_srgb(rgb, case.icc, "RGB")
    return rgb, alpha


def bits_of(case):
    return 0 if case.mode in ("P", "1") or case.maximum <= 255 else case.maximum.bit_length()


def share_text(alpha):
    share = (alpha < 255).mean()
    return "under 0.01" if share < 0.0001 else f"{100 * share:.2f}"


def upright(rgb, orientation):
    turned = np.rot90(rgb, {6: -1, 8: 1}.get(orientation, 0))
    return np.ascontiguousarray(turned)


def colour_remark(case):
    if case.mode == "CMYK":
        return {"none": "CMYK without a profile: by the formula",
                "unreadable": "CMYK with an unusable profile: by the formula",
                "converted": "CMYK by its profile"}[case.icc_state]
    return {"converted": "colours converted to sRGB", "none": None,
            "unreadable": "colour profile unreadable: taken as sRGB"}[case.icc_state]


def canonical(case, word):
    if case.never:
        return refusal("unsupported_pixels", case.never)
    rgb, alpha = colours(case)
    remarks = []
    if (alpha < 255).any():
        share = share_text(alpha)
        if word == "refuse":
            return refusal("unsupported_pixels",
                           f"{share} % of the pixels are transparent: put it on a background")
        if word == "drop":
            remarks.append(f"{share} % transparent: alpha dropped")
        else:
            a = alpha[..., None]
            rgb = (rgb * a + np.array(GROUNDS[word]) * (255 - a) + 127) // 255
            ground = {"white": "white", "black": "#000000"}.get(word, word)
            remarks.append(f"{share} % transparent: put over {ground}")
    remarks += [case.doubt, case.remark, colour_remark(case)]
    if case.numbers:
        return {"reason": "ok", "mode": "RGB", "width": rgb.shape[1], "height": rgb.shape[0],
                "orientation": 1, "icc": "converted",
                "note": f"{case.doubt}; colours converted to sRGB"}
    if bits_of(case):
        remarks.append(f"{bits_of(case)} bits to 8")
    if case.frames > 1:
        remarks.append(f"first of {case.frames} frames")
    remarks.append(EXPANDED.get(case.mode))
    if case.orientation > 1:
        remarks.append("turned upright by EXIF")
    rgb = upright(rgb, case.orientation)
    return {"reason": "ok", "mode": "RGB", "width": rgb.shape[1], "height": rgb.shape[0],
            "orientation": case.orientation, "icc": case.icc_state, "samples": sha(rgb),
            "palette": "-", "rgb": sha(rgb), "note": "; ".join(r for r in remarks if r)}


def refusal(reason, note):
    return {"reason": reason, "note": note}


def strict(case):
    why = None
    if case.never:
        why = case.never
    elif case.frames > 1:
        why = "an animated PNG: save the frame that is meant"
    elif case.mode == "CMYK":
        why = "a CMYK image: convert it to RGB"
    elif bits_of(case):
        why = f"{bits_of(case)} bits per channel: convert it to 8"
    elif case.doubt:
        why = case.doubt
    return refusal("unsupported_pixels", why) if why else canonical(case, "refuse")


# ---- published ------------------------------------------------------------------------------

def published(case):
    image = Image.open(io.BytesIO(case.data))
    image.load()
    mode, samples, palette = image.mode, np.asarray(image), "-"
    sixteen_grey = mode.startswith("I")  # kept; on the way to RGB values above 255 become white
    if sixteen_grey:
        mode, samples = "I", np.frombuffer(samples.astype(np.int32).tobytes(), np.uint8)
    if mode == "1":
        samples = samples * 255
    if mode == "P":
        palette = sha(np.asarray(image.convert("RGBA")))
    if mode == "RGBA" and case.mode == "LA":  # Pillow opens 16-bit LA so; the same samples
        mode, samples = "LA", samples[..., 2:]
    remarks = []
    alpha = np.asarray(image.convert("RGBA"))[..., 3]
    if image.mode in ("RGBA", "LA", "P") and (alpha < 255).any():
        remarks.append(f"{share_text(alpha)} % transparent: alpha dropped")
    if mode == "CMYK":
        remarks.append("CMYK by the formula")
    if bits_of(case):
        remarks.append(f"{bits_of(case)} bits to 8: "
                       + ("above 255 is white" if sixteen_grey else "high byte"))
    if case.frames > 1:
        remarks.append(f"first of {case.frames} frames")
    if case.icc_state != "none":
        remarks.append("colour profile ignored")
    remarks += [r for r in (case.unseen, case.remark) if r]
    if case.orientation > 1:
        remarks.append("EXIF orientation ignored")
    return {"reason": "ok", "mode": mode, "width": image.width, "height": image.height,
            "orientation": 1, "icc": "none" if case.icc_state == "none" else "ignored",
            "samples": sha(samples), "palette": palette, "rgb": sha(image.convert("RGB")),
            "note": "; ".join(remarks)}


# ---- comparing ------------------------------------------------------------------------------

def expected(case, policy, word):
    if case.refused and not (policy == "strict" and case.mode == "CMYK"):
        return refusal(case.refused, None)
    if policy == "published":
        return published(case)
    return strict(case) if policy == "strict" else canonical(case, word)


def dump(program, policy, word, paths):
    out = subprocess.run([program, policy, word, *paths], check=True, capture_output=True,
                         text=True).stdout
    lines = [dict(zip(FIELDS, line.split("\t"))) for line in out.splitlines()]
    return {os.path.basename(line["file"]): line for line in lines}


def differences(case, want, got):
    for field, value in want.items():
        if value is not None and str(value) != got[field]:
            yield f"{field}: {got[field]}, and not {value}"
    if case.in_note not in got["note"]:
        yield f"note: {got['note']}, without '{case.in_note}'"


def golden(program, folder):
    """Scorers 8.2, modes."""
    cases = [
        ("RGB", np.array([[0xff, 0x100, 0x7fff], [0x8000, 0xfeff, 0]]), 16, "published",
         [[0, 1, 127], [128, 254, 0]]),
        ("L", np.array([[0], [255], [256], [32768], [65535]]), 16, "published",
         [[0] * 3, [255] * 3, [255] * 3, [255] * 3, [255] * 3]),
        ("L", np.array([[0], [128], [129], [255], [256], [32768], [65535]]), 16, "canonical",
         [[0] * 3, [0] * 3, [1] * 3, [1] * 3, [1] * 3, [128] * 3, [255] * 3])]
    for mode, samples, depth, policy, want in cases:
        path = os.path.join(folder, "golden.png")
        data = image_cases.png_case("golden", mode, depth, samples=samples[None]).data
        with open(path, "wb") as f:
            f.write(data)
        got = dump(program, policy, "white", [path])["golden.png"]
        if got["rgb"] != sha(np.array(want)):
            yield f"golden {mode} {depth} bits, {policy}: other bytes"


def run(program, maker, folder):
    cases = {case.name: case for case in image_cases.all_cases(maker, folder)}
    paths = [os.path.join(folder, name) for name in cases]
    for path, case in zip(paths, cases.values()):
        with open(path, "wb") as f:
            f.write(case.data)
    compared, bad = 0, list(golden(program, folder))
    for policy, word in RUNS:
        for name, got in dump(program, policy, word, paths).items():
            wrong = list(differences(cases[name], expected(cases[name], policy, word), got))
            bad += [f"{name} {policy} {word}: {text}" for text in wrong]
            compared += 1
    before = time.monotonic()
    dump(program, "canonical", "white", [os.path.join(folder, "huge.png")])
    if time.monotonic() - before > 1:
        bad.append("huge.png: not refused at once")
    return cases, compared, bad


FIXTURES = """L_1.png L_2.png L_4_key.png L_16.png L_16_key.png RGB_16.png RGB_8_key.png LA_8.png
LA_16.png RGBA_8.png RGBA_16.png RGBA_8_interlaced.png RGBA_opaque.png RGBA_one.png RGBA_1x1.png
P_1.png P_2_alpha.png P_4_alpha_interlaced.png P_8_short.png RGB_gamma.png RGB_gamma_130.png
RGB_chrm.png RGB_8_pq.png RGB_16_hlg.png LA_16_pq.png RGB_narrow.png RGB_bt2020.png
RGB_display_p3.png RGB_linear.png critical.png ztxt_bomb.png text_crc.png RGBA_exif.png
RGBA_animated.png RGBA_8_p3.png LA_8_icc.png P_4_alpha_p3.png RGBA_16_much.png huge.png ycc_411.jpg
ycc_440.jpg ycc_420.jpg restart_progressive.jpg cmyk.jpg cmyk_bare.jpg ycck_sampled.jpg
cmyk_icc.jpg cmyk_damaged.jpg arithmetic.jpg restart_wrong.jpg""".split()


def write_fixtures(cases):
    folder = os.path.join(HERE, "image_policies")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    lines = ["file\tpolicy\talpha\treason\tmode\twidth\theight\ticc\tsamples\trgb\tnote"]
    for name in FIXTURES:
        with open(os.path.join(folder, name), "wb") as f:
            f.write(cases[name].data)
        for policy, word in RUNS:
            if word in ("black", "refuse"):
                continue
            want = expected(cases[name], policy, word)
            lines.append("\t".join([name, policy, word] + [
                str(want.get(k) if want.get(k) not in (None, "") else "-") for k in
                ("reason", "mode", "width", "height", "icc", "samples", "rgb", "note")]))
    with open(os.path.join(HERE, "image_policies.tsv"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def main():
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        cases, compared, bad = run(sys.argv[1], sys.argv[2], folder)
    print(f"{len(cases)} files, {compared} decodings compared, {len(bad)} differences")
    for text in bad[:60]:
        print(text)
    if "--fixtures" in sys.argv:
        write_fixtures(cases)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
