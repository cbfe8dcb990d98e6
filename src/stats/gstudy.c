#include "stats/gstudy.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"

static void add_square(neumaier *s, double x)
{
    neumaier_add(s, x * x);
}

static double mean_square(const neumaier *s, double times, size_t df)
{
    return df > 0 ? times * neumaier_total(s) / (double)df : NAN;
}

/* ---- Two-way --------------------------------------------------------------------------------- */

/* Values are taken relative to the first one, so that equal values leave exactly nothing. */
typedef struct plane {
    const double *y;
    size_t rows, columns, stride;
} plane;

static double row_mean(const plane *t, size_t i)
{
    neumaier s = {0, 0};
    for (size_t j = 0; j < t->columns; j++) neumaier_add(&s, t->y[i * t->stride + j] - t->y[0]);
    return neumaier_total(&s) / (double)t->columns;
}

enum { STRIP = 64 }; /* columns taken together */

static void column_means(double *mean, const plane *t, size_t from, size_t count)
{
    neumaier s[STRIP];
    memset(s, 0, sizeof s);
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < count; j++)
            neumaier_add(&s[j], t->y[i * t->stride + from + j] - t->y[0]);
    for (size_t j = 0; j < count; j++) mean[j] = neumaier_total(&s[j]) / (double)t->rows;
}

two_way two_way_table(const double *y, size_t rows, size_t columns, size_t stride)
{
    two_way out = {NAN, NAN, NAN, NAN, NAN};
    plane t = {y, rows, columns, stride};
    neumaier all = {0, 0}, row = {0, 0}, column = {0, 0}, rest = {0, 0};
    double mean[STRIP];
    if (rows == 0 || columns == 0) return out;
    for (size_t i = 0; i < rows; i++) neumaier_add(&all, row_mean(&t, i));
    double grand = neumaier_total(&all) / (double)rows;
    for (size_t i = 0; i < rows; i++) add_square(&row, row_mean(&t, i) - grand);
    for (size_t from = 0; from < columns; from += STRIP) {
        size_t count = columns - from < STRIP ? columns - from : STRIP;
        column_means(mean, &t, from, count);
        for (size_t j = 0; j < count; j++) add_square(&column, mean[j] - grand);
        for (size_t i = 0; i < rows; i++) {
            double effect = row_mean(&t, i) - grand;
            for (size_t j = 0; j < count; j++)
                add_square(&rest, (y[i * stride + from + j] - y[0]) - mean[j] - effect);
        }
    }
    out.grand = y[0] + grand;
    out.ms_row = mean_square(&row, (double)columns, rows - 1);
    out.ms_column = mean_square(&column, (double)rows, columns - 1);
    out.ms_error = mean_square(&rest, 1, (rows - 1) * (columns - 1));
    if (out.ms_error > 0) out.f = out.ms_column / out.ms_error;
    return out;
}

two_way_parts two_way_components(const two_way *t, size_t rows, size_t columns)
{
    return (two_way_parts){.row = (t->ms_row - t->ms_error) / (double)columns,
                           .column = (t->ms_column - t->ms_error) / (double)rows,
                           .error = t->ms_error};
}

/* ---- Three-way ------------------------------------------------------------------------------- */

typedef struct space {
    const double *y;
    size_t I, G, J;
    neumaier *sum;              /* [G J] over items                    */
    double *gj, *g, *j;         /* means over the other factors        */
    double *ig, *ij, i, grand;  /* of the item at hand                 */
} space;

static void factor_means(space *t)
{
    size_t cells = t->G * t->J;
    neumaier all = {0, 0};
    for (size_t i = 0; i < t->I; i++)
        for (size_t c = 0; c < cells; c++)
            neumaier_add(&t->sum[c], t->y[i * cells + c] - t->y[0]);
    for (size_t c = 0; c < cells; c++) {
        t->gj[c] = neumaier_total(&t->sum[c]) / (double)t->I;
        neumaier_add(&all, t->gj[c]);
    }
    t->grand = neumaier_total(&all) / (double)cells;
    for (size_t g = 0; g < t->G; g++) t->g[g] = moments_mean(t->gj + g * t->J, t->J);
    for (size_t j = 0; j < t->J; j++) {
        neumaier s = {0, 0};
        for (size_t g = 0; g < t->G; g++) neumaier_add(&s, t->gj[g * t->J + j]);
        t->j[j] = neumaier_total(&s) / (double)t->G;
    }
}

static void item_means(space *t, size_t i)
{
    const double *y = t->y + i * t->G * t->J;
    for (size_t g = 0; g < t->G; g++) {
        neumaier s = {0, 0};
        for (size_t j = 0; j < t->J; j++) neumaier_add(&s, y[g * t->J + j] - t->y[0]);
        t->ig[g] = neumaier_total(&s) / (double)t->J;
    }
    for (size_t j = 0; j < t->J; j++) {
        neumaier s = {0, 0};
        for (size_t g = 0; g < t->G; g++) neumaier_add(&s, y[g * t->J + j] - t->y[0]);
        t->ij[j] = neumaier_total(&s) / (double)t->G;
    }
    t->i = moments_mean(t->ig, t->G);
}

static void squares_without_items(g_study *out, const space *t)
{
    neumaier g = {0, 0}, j = {0, 0}, gj = {0, 0};
    for (size_t a = 0; a < t->G; a++) add_square(&g, t->g[a] - t->grand);
    for (size_t b = 0; b < t->J; b++) add_square(&j, t->j[b] - t->grand);
    for (size_t a = 0; a < t->G; a++)
        for (size_t b = 0; b < t->J; b++)
            add_square(&gj, (t->gj[a * t->J + b] - t->g[a]) - (t->j[b] - t->grand));
    out->ms_g = mean_square(&g, (double)(t->I * t->J), t->G - 1);
    out->ms_j = mean_square(&j, (double)(t->I * t->G), t->J - 1);
    out->ms_gj = mean_square(&gj, (double)t->I, (t->G - 1) * (t->J - 1));
}

static void squares_with_items(g_study *out, space *t)
{
    neumaier i = {0, 0}, ig = {0, 0}, ij = {0, 0}, rest = {0, 0};
    for (size_t k = 0; k < t->I; k++) {
        item_means(t, k);
        double item = t->i - t->grand;
        add_square(&i, item);
        for (size_t a = 0; a < t->G; a++) add_square(&ig, (t->ig[a] - t->g[a]) - item);
        for (size_t b = 0; b < t->J; b++) add_square(&ij, (t->ij[b] - t->j[b]) - item);
        for (size_t a = 0; a < t->G; a++)
            for (size_t b = 0; b < t->J; b++) {
                double y = t->y[(k * t->G + a) * t->J + b] - t->y[0];
                add_square(&rest, (y - t->gj[a * t->J + b]) - (t->ig[a] - t->g[a])
                                      - (t->ij[b] - t->j[b]) + item);
            }
    }
    size_t I = t->I - 1, G = t->G - 1, J = t->J - 1;
    out->ms_i = mean_square(&i, (double)(t->G * t->J), I);
    out->ms_ig = mean_square(&ig, (double)t->J, I * G);
    out->ms_ij = mean_square(&ij, (double)t->G, I * J);
    out->ms_e = mean_square(&rest, 1, I * G * J);
}

tare_status g_study_table(g_study *out, const double *y, size_t items, size_t generators,
                          size_t judges, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    space t = {.y = y, .I = items, .G = generators, .J = judges};
    double *work = NULL, ni = (double)items, ng = (double)generators, nj = (double)judges;
    if (items == 0 || generators == 0 || judges == 0) {
        *out = (g_study){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        goto done;
    }
    TRY_NEW(t.sum = mem_new(m, generators, judges * sizeof *t.sum));
    TRY_NEW(work = mem_new(m, generators * judges + 2 * generators + 2 * judges, sizeof *work));
    t.gj = work;
    t.g = t.gj + generators * judges;
    t.ig = t.g + generators;
    t.j = t.ig + generators;
    t.ij = t.j + judges;
    factor_means(&t);
    squares_without_items(out, &t);
    squares_with_items(out, &t);
    out->s2_e = out->ms_e;
    out->s2_ig = (out->ms_ig - out->ms_e) / nj;
    out->s2_ij = (out->ms_ij - out->ms_e) / ng;
    out->s2_gj = (out->ms_gj - out->ms_e) / ni;
    out->s2_i = (out->ms_i - out->ms_ig - out->ms_ij + out->ms_e) / (ng * nj);
    out->s2_g = (out->ms_g - out->ms_ig - out->ms_gj + out->ms_e) / (ni * nj);
    out->s2_j = (out->ms_j - out->ms_ij - out->ms_gj + out->ms_e) / (ni * ng);
done:
    mem_free(m, t.sum);
    mem_free(m, work);
    return status;
}

/* Negative components are 0; what is not there stays NaN. */
static double component(double raw)
{
    return raw < 0 ? 0 : raw;
}

g_coefficients g_study_design(const g_study *g, double n_items, double n_judges)
{
    double cells = n_items * n_judges, between = component(g->s2_g);
    g_coefficients out = {.relative = component(g->s2_gj) / n_judges
                                      + component(g->s2_ig) / n_items + component(g->s2_e) / cells};
    out.absolute = out.relative + component(g->s2_j) / n_judges + component(g->s2_i) / n_items
                   + component(g->s2_ij) / cells;
    out.e_rho2 = between / (between + out.relative);
    out.phi = between / (between + out.absolute);
    return out;
}
