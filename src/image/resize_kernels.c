#include "image/resize_kernels.h"

#include <math.h>

const char *resize_kernel_name(resize_kernel kernel)
{
    static const char *const names[] = {"nearest", "box", "bilinear", "hamming", "bicubic",
                                        "lanczos"};
    return (size_t)kernel < sizeof names / sizeof *names ? names[kernel] : NULL;
}

const char *resize_order_name(resize_order order)
{
    static const char *const names[] = {"h-first", "pillow13"};
    return (size_t)order < sizeof names / sizeof *names ? names[order] : NULL;
}

double resize_support(resize_kernel kernel)
{
    static const double support[] = {0.5, 0.5, 1, 1, 2, 3};
    return support[kernel];
}

static double sinc(double x)
{
    if (x == 0.0) return 1.0;
    x *= M_PI;
    return sin(x) / x;
}

static double cubic(double x)
{
    const double a = -0.5;
    if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
    return x < 2.0 ? (((x - 5) * x + 8) * x - 4) * a : 0.0;
}

/* Pillow's constants are of single precision, and do not add up to 1 at 0. */
static double hamming(double x)
{
    if (x == 0.0) return 1.0;
    return x < 1.0 ? sinc(x) * (0.54f + 0.46f * cos(x * M_PI)) : 0.0;
}

double resize_weight(resize_kernel kernel, double x)
{
    double far = fabs(x);
    switch (kernel) {
    case RESIZE_BOX: return x > -0.5 && x <= 0.5 ? 1.0 : 0.0;
    case RESIZE_BILINEAR: return far < 1.0 ? 1.0 - far : 0.0;
    case RESIZE_HAMMING: return hamming(far);
    case RESIZE_BICUBIC: return cubic(far);
    case RESIZE_LANCZOS: return x >= -3.0 && x < 3.0 ? sinc(x) * sinc(x / 3) : 0.0;
    default: return 0.0;
    }
}
