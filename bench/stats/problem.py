"""The data of the benchmark; bench_stats.c makes the same bits. A 64-bit mixer of the index, so
that both sides need no file."""
import numpy as np

TESTS, ITEMS, DOSES, COVARIATES, B = 48, 500, 9, 3, 2000


def mixed(start, shape):
    """splitmix64 of start + index, as uniforms in [-.5, .5)."""
    z = np.arange(start, start + int(np.prod(shape)), dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = (z + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return ((z >> np.uint64(11)).astype(np.float64) * 2.0**-53 - 0.5).reshape(shape)


def make():
    """x [TESTS][ITEMS][DOSES][COVARIATES], y [TESTS][ITEMS][DOSES]: an effect of the item, a slope
    that grows with the test, noise."""
    x = mixed(0, (TESTS, ITEMS, DOSES, COVARIATES))
    item = mixed(1 << 40, (TESTS, ITEMS, 1))
    noise = mixed(1 << 41, (TESTS, ITEMS, DOSES))
    y = item + (np.arange(TESTS)[:, None, None] / 400.0) * x[..., 0] - 0.05 * x[..., 1] + noise
    return x, y
