/* Normal equations from the sums of cells, solved in the stated order of columns (see
 * cell_regression.h). */
#include "audit/matrix/cell_regression.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"

#define DROP_BELOW 1e-5       /* as linear.h: what is left of a column of unit length */
#define COLUMNS_MOST 2048

typedef struct normal {
    size_t p, rank;
    double *xx, *low;  /* [p][p] X'X, upper triangle first, then whole */
    double *xy;        /* [p]                                         */
    double *length;    /* [p] squared length before centring           */
    double *root;      /* [p][p] rows of L for the kept columns, L L' = X'X */
    double *inverse;   /* [p][p] L^-1, in kept places                   */
    size_t *kept;      /* [p] */
} normal;

static void put(double *sum, double *low, size_t p, size_t a, size_t b, double x)
{
    size_t at = a < b ? a * p + b : b * p + a;
    neumaier s = {sum[at], low[at]};
    neumaier_add(&s, x);
    sum[at] = s.sum;
    low[at] = s.low;
}

void cell_outer_add(double *sum, double *low, const cell_design *design, size_t cell,
                    const cell_moments *m)
{
    size_t p = design->p, slope = design->slope ? design->slope[cell] : NO_COLUMN;
    size_t length = design->length;
    for (uint32_t i = design->start[cell]; i < design->start[cell + 1]; i++) {
        size_t a = design->column[i];
        for (uint32_t j = i; j < design->start[cell + 1]; j++)
            put(sum, low, p, a, design->column[j], m->one);
        if (slope != NO_COLUMN) put(sum, low, p, a, slope, m->g);
        if (length != NO_COLUMN) put(sum, low, p, a, length, m->l);
    }
    if (slope != NO_COLUMN) put(sum, low, p, slope, slope, m->gg);
    if (length != NO_COLUMN) put(sum, low, p, length, length, m->ll);
    if (slope != NO_COLUMN && length != NO_COLUMN) put(sum, low, p, slope, length, m->lg);
}

void cell_design_row(double *x, const cell_rows *rows, const cell_design *design, size_t row)
{
    size_t cell = rows->cell[row];
    memset(x, 0, design->p * sizeof *x);
    for (uint32_t i = design->start[cell]; i < design->start[cell + 1]; i++)
        x[design->column[i]] = 1;
    if (design->slope && design->slope[cell] != NO_COLUMN)
        x[design->slope[cell]] = rows->gold[row];
    if (design->length != NO_COLUMN) x[design->length] = rows->length[row];
}

static void add_cell(normal *q, neumaier *xy, const cell_rows *rows, const cell_design *design,
                     size_t cell, const double *s)
{
    cell_moments m = {s[CELL_N], s[CELL_G], s[CELL_GG], s[CELL_L], s[CELL_LG], s[CELL_LL]};
    size_t slope = design->slope ? design->slope[cell] : NO_COLUMN;
    if (s[CELL_N] == 0) return;
    cell_outer_add(q->xx, q->low, design, cell, &m);
    for (uint32_t i = design->start[cell]; i < design->start[cell + 1]; i++)
        neumaier_add(&xy[design->column[i]], s[CELL_Y]);
    if (slope != NO_COLUMN) {
        double c = rows->gold_shift[cell];
        neumaier_add(&xy[slope], s[CELL_GY]);
        q->length[slope] += s[CELL_GG] + c * (2 * s[CELL_G] + c * s[CELL_N]);
    }
    if (design->length != NO_COLUMN) {
        double c = rows->length_shift;
        neumaier_add(&xy[design->length], s[CELL_LY]);
        q->length[design->length] += s[CELL_LL] + c * (2 * s[CELL_L] + c * s[CELL_N]);
    }
}

static tare_status normal_equations(normal *q, const cell_rows *rows, const cell_design *design,
                                    const double *sums, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = design->p;
    neumaier *xy;
    q->p = p;
    TRY_NEW(q->xx = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(q->low = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(q->root = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(q->inverse = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(q->xy = arena_new(a, p + 1, sizeof(double)));
    TRY_NEW(q->length = arena_new(a, p + 1, sizeof(double)));
    TRY_NEW(q->kept = arena_new(a, p + 1, sizeof *q->kept));
    TRY_NEW(xy = arena_new(a, p + 1, sizeof *xy));
    for (size_t c = 0; c < rows->cells; c++)
        add_cell(q, xy, rows, design, c, sums + c * CELL_SUMS);
    for (size_t j = 0; j < p; j++) q->xy[j] = neumaier_total(&xy[j]);
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            q->xx[i * p + j] += q->low[i * p + j];
            q->xx[j * p + i] = q->xx[i * p + j];
        }
    for (size_t j = 0; j < p; j++) q->length[j] = fmax(q->length[j], q->xx[j * p + j]);
done:
    return status;
}

/* Weights of the kept columns in column j, whose row of L is in q->root at place `rank`. */
static void describe_drop(cell_fit *out, const normal *q, size_t j)
{
    size_t p = q->p;
    const double *top = q->root + q->rank * p;
    double *row = out->depends + j * p;
    for (size_t k = q->rank; k-- > 0;) {
        double c = top[k];
        for (size_t m = k + 1; m < q->rank; m++) c -= q->root[m * p + k] * row[q->kept[m]];
        row[q->kept[k]] = c / q->root[k * p + k];
    }
    for (size_t k = 0; k < q->rank; k++) {
        size_t i = q->kept[k];
        double share = row[i] * sqrt(q->length[i]);
        if (fabs(share) < DROP_BELOW * sqrt(q->length[j])) row[i] = 0;
    }
}

static void factor(cell_fit *out, normal *q)
{
    size_t p = q->p;
    for (size_t j = 0; j < p; j++) {
        double *row = q->root + q->rank * p;
        neumaier pivot = {q->xx[j * p + j], 0};
        for (size_t k = 0; k < q->rank; k++) {
            const double *other = q->root + k * p;
            neumaier s = {q->xx[j * p + q->kept[k]], 0};
            for (size_t m = 0; m < k; m++) neumaier_add(&s, -row[m] * other[m]);
            row[k] = neumaier_total(&s) / other[k];
            neumaier_add(&pivot, -row[k] * row[k]);
        }
        double left = neumaier_total(&pivot);
        out->dropped[j] = !(left > DROP_BELOW * DROP_BELOW * q->length[j]);
        if (out->dropped[j]) {
            if (q->length[j] > 0) describe_drop(out, q, j);
            continue;
        }
        row[q->rank] = sqrt(left);
        q->kept[q->rank++] = j;
    }
    out->rank = q->rank;
}

/* inverse = L^-1, lower triangular. */
static void invert(normal *q)
{
    size_t p = q->p;
    for (size_t c = 0; c < q->rank; c++) {
        q->inverse[c * p + c] = 1 / q->root[c * p + c];
        for (size_t r = c + 1; r < q->rank; r++) {
            neumaier s = {0, 0};
            for (size_t k = c; k < r; k++)
                neumaier_add(&s, -q->root[r * p + k] * q->inverse[k * p + c]);
            q->inverse[r * p + c] = neumaier_total(&s) / q->root[r * p + r];
        }
    }
}

/* beta += (X'X)^-1 v over the kept columns; half [p] is scratch. */
static void solve_add(double *beta, const normal *q, const double *v, double *half)
{
    size_t p = q->p;
    for (size_t r = 0; r < q->rank; r++) {
        neumaier s = {0, 0};
        for (size_t c = 0; c <= r; c++)
            neumaier_add(&s, q->inverse[r * p + c] * v[q->kept[c]]);
        half[r] = neumaier_total(&s);
    }
    for (size_t c = 0; c < q->rank; c++) {
        neumaier s = {0, 0};
        for (size_t r = c; r < q->rank; r++) neumaier_add(&s, q->inverse[r * p + c] * half[r]);
        beta[q->kept[c]] += neumaier_total(&s);
    }
}

/* out = T' (T meat T') T with T = L^-1, back in the columns' places. work: 2 rank^2. */
static void sandwich(double *out, const normal *q, const double *meat, double *work)
{
    size_t p = q->p, k = q->rank;
    double *left = work, *core = work + k * k;
    for (size_t i = 0; i < p * p; i++) out[i] = NAN;
    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++) {
            neumaier s = {0, 0};
            for (size_t m = 0; m <= r; m++)
                neumaier_add(&s, q->inverse[r * p + m] * meat[q->kept[m] * p + q->kept[c]]);
            left[r * k + c] = neumaier_total(&s);
        }
    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++) {
            neumaier s = {0, 0};
            for (size_t m = 0; m <= c; m++)
                neumaier_add(&s, left[r * k + m] * q->inverse[c * p + m]);
            core[r * k + c] = neumaier_total(&s);
        }
    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++) {
            neumaier s = {0, 0};
            for (size_t m = r; m < k; m++)
                neumaier_add(&s, q->inverse[m * p + r] * core[m * k + c]);
            left[r * k + c] = neumaier_total(&s);
        }
    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++) {
            neumaier s = {0, 0};
            for (size_t m = c; m < k; m++)
                neumaier_add(&s, left[r * k + m] * q->inverse[m * p + c]);
            out[q->kept[r] * p + q->kept[c]] = neumaier_total(&s);
        }
}

static tare_status allocate(cell_fit *out, const cell_rows *rows, size_t p, arena *a,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (cell_fit){.n = rows->n, .p = p};
    if (p > COLUMNS_MOST)
        FAIL(err, TARE_E_LIMIT, "regression.columns", NULL, "%zu columns; %d are the most", p,
             COLUMNS_MOST);
    TRY_NEW(out->beta = arena_new(a, p + 1, sizeof(double)));
    TRY_NEW(out->dropped = arena_new(a, p + 1, sizeof(bool)));
    TRY_NEW(out->depends = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(out->hc0 = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(out->cr0 = arena_new(a, p * p + 1, sizeof(double)));
done:
    return status;
}

static double total_squares(const cell_rows *rows, const double *sums)
{
    neumaier yy = {0, 0}, y = {0, 0};
    for (size_t c = 0; c < rows->cells; c++) {
        neumaier_add(&yy, sums[c * CELL_SUMS + CELL_YY]);
        neumaier_add(&y, sums[c * CELL_SUMS + CELL_Y]);
    }
    double sum = neumaier_total(&y);
    return rows->n > 0 ? neumaier_total(&yy) - sum * sum / (double)rows->n : NAN;
}

tare_status cell_regression(cell_fit *out, const cell_rows *rows, const cell_design *design,
                            const double *sums, arena *a, pool *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t columns = design->p;
    normal q = {.p = 0};
    cell_meat meat;
    arena work;
    double *scratch;
    arena_init(&work, a->m);
    TRY(allocate(out, rows, columns, a, err));
    TRY(normal_equations(&q, rows, design, sums, &work, err));
    factor(out, &q);
    invert(&q);
    out->tss = total_squares(rows, sums);
    TRY_NEW(scratch = arena_new(&work, 2 * columns * columns + columns + 1, sizeof *scratch));
    solve_add(out->beta, &q, q.xy, scratch);
    TRY(cell_meat_of(&meat, rows, design, out->beta, &work, p, err));
    solve_add(out->beta, &q, meat.score, scratch); /* refinement */
    sandwich(out->cr0, &q, meat.clusters, scratch);
    sandwich(out->hc0, &q, meat.rows, scratch);
    out->rss = meat.rss;
    out->clusters = meat.used;
    for (size_t j = 0; j < columns; j++)
        if (out->dropped[j]) out->beta[j] = NAN;
done:
    arena_free(&work);
    return status;
}

double cell_cr1_factor(const cell_fit *f)
{
    if (f->clusters < 2 || f->n <= f->rank) return NAN;
    double m = (double)f->clusters, n = (double)f->n;
    return m / (m - 1) * (n - 1) / (n - (double)f->rank);
}

double cell_hc1_factor(const cell_fit *f)
{
    return f->n > f->rank ? (double)f->n / (double)(f->n - f->rank) : NAN;
}
