"""Photographs in the sizes and modes in which the published recipes differ, cut from NASA's
portrait of an astronaut (tests/data/astronaut.png) without any resampling, so that their pixels are
the same everywhere. Written as PNG by Pillow."""

import os

import numpy
from PIL import Image

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")


def cube(picture):
    """Palette of 6 x 6 x 6 colours; indices by division."""
    step = (picture.astype(int) * 6) // 256
    made = Image.fromarray((step[..., 0] * 36 + step[..., 1] * 6 + step[..., 2]).astype("uint8"),
                           "P")
    colours = [51 * c for k in range(216) for c in (k // 36, k // 6 % 6, k % 6)]
    made.putpalette(colours + [0] * (768 - len(colours)))
    return made


def pictures():
    a = numpy.asarray(Image.open(os.path.join(DATA, "astronaut.png")))
    assert a.shape == (512, 512, 3)
    rgba = a[60:443, 0:500]
    y, x = numpy.mgrid[0:383, 0:500]
    alpha = numpy.where((y // 40 + x // 40) % 3 == 0, 0, (x * 255) // 499).astype("uint8")
    yield "square", Image.fromarray(a)
    yield "portrait", Image.fromarray(numpy.ascontiguousarray(a[16:496, 100:401]))
    yield "landscape", Image.fromarray(numpy.ascontiguousarray(rgba))
    yield "tie-227x224", Image.fromarray(numpy.ascontiguousarray(a[0:224, 60:287]))
    yield "tie-224x231", Image.fromarray(numpy.ascontiguousarray(a[0:231, 140:364]))
    yield "small-100x90", Image.fromarray(numpy.ascontiguousarray(a[30:480:5, 0:500:5]))
    yield "equal-224x224", Image.fromarray(numpy.ascontiguousarray(a[0:224, 120:344]))
    yield "long-224x101", Image.fromarray(numpy.ascontiguousarray(a[40:141, 110:334]))
    yield "panorama", Image.fromarray(numpy.ascontiguousarray(a[80:205, :]))
    yield "grey", Image.fromarray(numpy.ascontiguousarray(a[20:420, 90:423, 1]))
    yield "alpha", Image.fromarray(numpy.dstack([rgba, alpha]), "RGBA")
    yield "grey-alpha", Image.fromarray(numpy.dstack([rgba[..., 0], alpha]), "LA")
    yield "palette", cube(a[100:400, 50:450])
    yield "bilevel", Image.fromarray(
        numpy.ascontiguousarray(a[40:300, 80:400, 1] >= 128)).convert("1", dither=0)


def write(folder):
    """Names and paths."""
    os.makedirs(folder, exist_ok=True)
    made = []
    for name, picture in pictures():
        path = os.path.join(folder, name + ".png")
        picture.save(path)
        made.append((name, path))
    return made
