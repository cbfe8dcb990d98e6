/* proportion.c - see proportion.h. */
#include "stats/proportion.h"

#include <math.h>

#include "stats/moments.h"
#include "stats/special.h"

void wilson_interval(double *lo, double *hi, double x, double n, double alpha)
{
    *lo = *hi = NAN;
    if (!(n > 0) || !(x >= 0 && x <= n)) return;
    double z = norm_quantile(1 - alpha / 2), rate = x / n, share = z * z / n;
    double middle = (rate + share / 2) / (1 + share);
    double half = z / (1 + share) * sqrt(rate * (1 - rate) / n + share / (4 * n));
    *lo = x > 0 ? middle - half : 0;
    *hi = x < n ? middle + half : 1;
}

double binomial_upper(uint64_t x, uint64_t n, double p)
{
    if (!(p >= 0 && p <= 1)) return NAN;
    if (x == 0) return 1;
    if (x > n || p == 0) return 0;
    if (p == 1) return 1;
    return beta_inc(p, (double)x, (double)(n - x) + 1);
}

/* ---- Fisher ---------------------------------------------------------------------------------- */

/* The margins fix a table by its first cell k: f(k + 1) / f(k). */
typedef struct margins { double row, column, n; } margins;

static double step(const margins *m, double k)
{
    return (m->row - k) / (k + 1) * ((m->column - k) / (m->n - m->row - m->column + k + 1));
}

/* Tables as probable as the observed one count with it in spite of rounding: 1e-7 as in R. */
#define FISHER_TIE (1 + 1e-7)

/* f from one cell of the mode to the end of the support in one direction, as long as it is not
 * 0; adds to the sum of all and of those no larger than `most`. */
static void walk(neumaier *all, neumaier *tail, const margins *m, double k, int direction,
                 double most)
{
    double f = 1;
    for (;;) {
        f *= direction > 0 ? step(m, k) : 1 / step(m, k - 1);
        k += direction;
        if (!(f > 0)) return;
        neumaier_add(all, f);
        if (f <= most) neumaier_add(tail, f);
    }
}

/* f(k) / f(mode). */
static double relative(const margins *m, double mode, double k)
{
    double f = 1;
    for (double j = mode; j < k && f > 0; j++) f *= step(m, j);
    for (double j = mode; j > k && f > 0; j--) f /= step(m, j - 1);
    return f;
}

double fisher_exact(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    margins m = {(double)a + (double)b, (double)a + (double)c, 0};
    m.n = m.row + (double)c + (double)d;
    double low = fmax(0, m.row + m.column - m.n), high = fmin(m.row, m.column);
    if (m.n >= 9007199254740992.0) return NAN;
    if (!(m.n > 0) || low == high) return 1; /* the margins leave one table */
    double mode = floor((m.row + 1) / (m.n + 2) * (m.column + 1));
    mode = fmin(fmax(mode, low), high);
    double most = relative(&m, mode, (double)a) * FISHER_TIE;
    neumaier all = {1, 0}, tail = {most >= 1 ? 1 : 0, 0};
    walk(&all, &tail, &m, mode, +1, most);
    walk(&all, &tail, &m, mode, -1, most);
    return fmin(1, neumaier_total(&tail) / neumaier_total(&all));
}

/* ---- Chi-square ------------------------------------------------------------------------------ */

static double line_sum(const double *x, size_t n, size_t stride)
{
    neumaier s = {0, 0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, x[i * stride]);
    return neumaier_total(&s);
}

/* The sums of the shorter side are made again for each cell, so that nothing is allocated. */
typedef struct grid {
    const double *table;
    size_t lines, line_stride;   /* the shorter side: outer */
    size_t places, place_stride; /* the longer side         */
} grid;

static chi_square over_grid(const grid *g, double n)
{
    chi_square out = {0, 0, NAN, NAN, NAN};
    size_t full_lines = 0, full_places = 0;
    neumaier sum = {0, 0};
    for (size_t i = 0; i < g->lines; i++) {
        const double *line = g->table + i * g->line_stride;
        double line_total = line_sum(line, g->places, g->place_stride);
        full_lines += line_total > 0;
        for (size_t j = 0; j < g->places; j++) {
            const double *place = g->table + j * g->place_stride;
            double place_total = line_sum(place, g->lines, g->line_stride);
            if (i == 0) full_places += place_total > 0;
            if (!(line_total > 0) || !(place_total > 0)) continue;
            double expected = line_total / n * place_total;
            double off = line[j * g->place_stride] - expected;
            neumaier_add(&sum, off * off / expected);
            out.least = fmin(out.least, expected); /* fmin passes over the first NaN */
        }
    }
    if (full_lines < 2 || full_places < 2) return out;
    out.statistic = neumaier_total(&sum);
    out.df = (double)(full_lines - 1) * (double)(full_places - 1);
    out.p = chi2_sf(out.statistic, out.df);
    double smaller = (double)(full_lines < full_places ? full_lines : full_places) - 1;
    out.v = sqrt(out.statistic / n / smaller);
    return out;
}

chi_square chi_square_table(const double *table, size_t rows, size_t columns)
{
    double n = line_sum(table, rows * columns, 1);
    grid g = rows < columns ? (grid){table, rows, columns, columns, 1}
                            : (grid){table, columns, 1, rows, columns};
    if (!(n > 0)) return (chi_square){0, 0, NAN, NAN, NAN};
    return over_grid(&g, n);
}
