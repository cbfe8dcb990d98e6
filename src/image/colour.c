#include "image/colour.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "image/wide.h"

#define WHITE_X 0.95047
#define WHITE_Z 1.08883
/* Rows are worked on in blocks of a fixed length, which compilers turn into vectors. */
#define BLOCK 64

double colour_encode(double u)
{
    return u > 0.0031308 ? 1.055 * pow(u, 1 / 2.4) - 0.055 : 12.92 * u;
}

static inline double guess_step(double r, double x)
{
    double e = 1.0 - x * (r * r * r);
    return r + r * (e * (1.0 / 3 + e * (2.0 / 9 + e * (14.0 / 81))));
}

/* Reciprocal cube root by its series about a guess taken from the exponent bits (off by at most
 * 4 %), twice; then one Newton step on the root itself. No division, no branch. */
static inline double cube_root(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t third = ((bits >> 32) * UINT64_C(0x55555556)) >> 32;
    bits = (UINT64_C(0x553ef0ff) - third) << 32;
    double r;
    memcpy(&r, &bits, sizeof r);
    r = guess_step(guess_step(r, x), x);
    double y = x * (r * r);
    return y - (y * y * y - x) * (r * r * (1.0 / 3));
}

/* yes ? a : b without a branch, so that the loops around it become vectors. */
static inline double pick(int yes, double a, double b)
{
    uint64_t mask = UINT64_C(0) - (uint64_t)yes, p, q;
    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    p = (p & mask) | (q & ~mask);
    memcpy(&a, &p, sizeof a);
    return a;
}

double colour_cbrt(double x)
{
    return x > 0.0 ? cube_root(x) : 0.0;
}

static inline double lab_h(double t)
{
    double root = cube_root(t), line = (24389.0 / 27 * t + 16) * (1.0 / 116);
    return pick(t > 216.0 / 24389, root, line);
}

static inline double lab_h_inverse(double u)
{
    double cube = u * u * u, line = (116 * u - 16) * (27 / 24389.0);
    return pick(u > 6.0 / 29, cube, line);
}

/* x, y, z (relative to white) of linear RGB. */
static inline void xyz_of_linear(double *x, double *y, double *z, double r, double g, double b)
{
    *x = (0.412453 * r + 0.357580 * g + 0.180423 * b) * (1 / WHITE_X);
    *y = 0.212671 * r + 0.715160 * g + 0.072169 * b;
    *z = (0.019334 * r + 0.119193 * g + 0.950227 * b) * (1 / WHITE_Z);
}

static inline void lab_of_xyz(double *l, double *a, double *b, double x, double y, double z)
{
    double hx = lab_h(x), hy = lab_h(y), hz = lab_h(z);
    *l = 116 * hy - 16;
    *a = 500 * (hx - hy);
    *b = 200 * (hy - hz);
}

static inline void linear_of_lab(double *r, double *g, double *blue, double l, double a, double b)
{
    const double *inverse = colour_inverse;
    double fy = (l + 16) * (1.0 / 116);
    double x = WHITE_X * lab_h_inverse(fy + a * (1.0 / 500));
    double y = lab_h_inverse(fy);
    double z = WHITE_Z * lab_h_inverse(fy - b * (1.0 / 200));
    *r = inverse[0] * x + inverse[1] * y + inverse[2] * z;
    *g = inverse[3] * x + inverse[4] * y + inverse[5] * z;
    *blue = inverse[6] * x + inverse[7] * y + inverse[8] * z;
}

static void lab_of_linear(double lab[3], double r, double g, double b)
{
    double x, y, z;
    xyz_of_linear(&x, &y, &z, r, g, b);
    lab_of_xyz(&lab[0], &lab[1], &lab[2], x, y, z);
}

void colour_lab_of_rgb(double lab[3], const unsigned char rgb[3])
{
    lab_of_linear(lab, colour_linear[rgb[0]], colour_linear[rgb[1]], colour_linear[rgb[2]]);
}

static double decode_value(double v)
{
    return v > 0.04045 ? pow((v + 0.055) / 1.055, 2.4) : v / 12.92;
}

void colour_lab_of_encoded(double lab[3], const double rgb[3])
{
    lab_of_linear(lab, decode_value(rgb[0]), decode_value(rgb[1]), decode_value(rgb[2]));
}

void colour_linear_of_lab(double linear[3], const double lab[3])
{
    linear_of_lab(&linear[0], &linear[1], &linear[2], lab[0], lab[1], lab[2]);
}

void colour_rgb_of_lab(unsigned char rgb[3], const double lab[3])
{
    double linear[3];
    colour_linear_of_lab(linear, lab);
    for (int c = 0; c < 3; c++) rgb[c] = colour_byte(linear[c]);
}

/* Lab of BLOCK pixels; the planes hold linear RGB on entry and Lab on return. */
IMAGE_WIDE
static void lab_block(double *restrict p, double *restrict q, double *restrict s)
{
    for (int i = 0; i < BLOCK; i++) {
        double x, y, z;
        xyz_of_linear(&x, &y, &z, p[i], q[i], s[i]);
        lab_of_xyz(&p[i], &q[i], &s[i], x, y, z);
    }
}

void colour_lab_of_rgb_row(colour_planes lab, const unsigned char *rgb, size_t n)
{
    double r[BLOCK] = {0}, g[BLOCK] = {0}, b[BLOCK] = {0};
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        int whole = count == BLOCK; /* then there is no need to go through r, g, b */
        double *p = whole ? lab.p[0] + at : r, *q = whole ? lab.p[1] + at : g,
               *s = whole ? lab.p[2] + at : b;
        for (size_t i = 0; i < count; i++) {
            const unsigned char *byte = rgb + 3 * (at + i);
            p[i] = colour_linear[byte[0]];
            q[i] = colour_linear[byte[1]];
            s[i] = colour_linear[byte[2]];
        }
        lab_block(p, q, s);
        if (whole) continue;
        memcpy(lab.p[0] + at, r, count * sizeof *r);
        memcpy(lab.p[1] + at, g, count * sizeof *g);
        memcpy(lab.p[2] + at, b, count * sizeof *b);
    }
}

IMAGE_WIDE
static void linear_block(double *restrict p, double *restrict q, double *restrict s)
{
    for (int i = 0; i < BLOCK; i++) {
        double r, g, b;
        linear_of_lab(&r, &g, &b, p[i], q[i], s[i]);
        p[i] = r;
        q[i] = g;
        s[i] = b;
    }
}

void colour_linear_of_lab_row(colour_planes planes, size_t n)
{
    double p[BLOCK] = {0}, q[BLOCK] = {0}, s[BLOCK] = {0};
    size_t at = 0;
    for (; at + BLOCK <= n; at += BLOCK)
        linear_block(planes.p[0] + at, planes.p[1] + at, planes.p[2] + at);
    if (at == n) return;
    memcpy(p, planes.p[0] + at, (n - at) * sizeof *p);
    memcpy(q, planes.p[1] + at, (n - at) * sizeof *q);
    memcpy(s, planes.p[2] + at, (n - at) * sizeof *s);
    linear_block(p, q, s);
    memcpy(planes.p[0] + at, p, (n - at) * sizeof *p);
    memcpy(planes.p[1] + at, q, (n - at) * sizeof *q);
    memcpy(planes.p[2] + at, s, (n - at) * sizeof *s);
}
