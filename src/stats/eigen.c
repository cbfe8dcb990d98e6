/* eigen.c - see eigen.h. */
#include "stats/eigen.h"

#include <math.h>

#define SWEEPS 60

/* Rotate rows and columns i < j of a so that a[i][j] becomes 0; the same for the vectors. */
static void rotate(double *a, double *vectors, size_t n, size_t i, size_t j)
{
    double apq = a[i * n + j];
    double theta = 0.5 * (a[j * n + j] - a[i * n + i]) / apq;
    double t = copysign(1.0 / (fabs(theta) + hypot(theta, 1.0)), theta);
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (size_t k = 0; k < n; k++) {
        double x = a[k * n + i], y = a[k * n + j];
        a[k * n + i] = c * x - s * y;
        a[k * n + j] = s * x + c * y;
    }
    for (size_t k = 0; k < n; k++) {
        double x = a[i * n + k], y = a[j * n + k];
        a[i * n + k] = c * x - s * y;
        a[j * n + k] = s * x + c * y;
    }
    a[i * n + j] = a[j * n + i] = 0.0;
    for (size_t k = 0; k < n; k++) {
        double x = vectors[k * n + i], y = vectors[k * n + j];
        vectors[k * n + i] = c * x - s * y;
        vectors[k * n + j] = s * x + c * y;
    }
}

bool eigen_symmetric(double *values, double *vectors, double *a, size_t n)
{
    double largest = 0.0;
    for (size_t k = 0; k < n * n; k++) {
        if (!isfinite(a[k])) return false;
        largest = fmax(largest, fabs(a[k]));
        vectors[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    }
    bool done = largest == 0.0;
    for (int sweep = 0; !done && sweep < SWEEPS; sweep++) {
        done = true;
        for (size_t i = 0; i + 1 < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                if (fabs(a[i * n + j]) <= 1e-17 * largest) continue;
                rotate(a, vectors, n, i, j);
                done = false;
            }
        }
    }
    for (size_t k = 0; k < n; k++) values[k] = a[k * (n + 1)];
    return done;
}
