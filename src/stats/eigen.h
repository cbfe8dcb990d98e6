/* eigen.h - symmetric eigenvalues by cyclic Jacobi rotations, for small matrices. */
#ifndef STATS_EIGEN_H
#define STATS_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* a [n][n] symmetric, destroyed. values[n] come out in no particular order, values[k] belonging to
 * the column k of vectors [n][n] (row-major, orthonormal columns). False if a holds a NaN or
 * infinity or the sweeps do not converge. */
bool eigen_symmetric(double *values, double *vectors, double *a, size_t n);

#endif
