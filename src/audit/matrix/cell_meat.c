/* The second walk over the rows: residuals, scores of clusters, squares of residuals by cell (see
 * cell_regression.h). Clusters are cut into pieces; each has its own sums, which are added up in
 * order. */
#include <math.h>
#include <string.h>

#include "audit/matrix/cell_regression.h"
#include "base/error.h"
#include "stats/moments.h"

/* Squares of residuals in a cell times 1, g, gg, l, lg, ll. */
enum { SQUARES = 6 };

typedef struct piece {
    neumaier *meat;    /* [p][p] upper triangle */
    neumaier *square;  /* [cells][SQUARES]      */
    neumaier *total;   /* [p] sum of scores     */
    neumaier *score;   /* [p] of the cluster    */
    uint32_t *touched; /* [p] columns of the cluster's rows */
    uint8_t *seen;     /* [p] */
    size_t used;
} piece;

typedef struct meat_job {
    const cell_rows *rows;
    const cell_design *design;
    const double *beta, *fitted; /* fitted [cells]: sum of its indicators' coefficients */
    size_t pieces;
    piece *piece;
} meat_job;

static void touch(piece *t, size_t *count, size_t column, double x)
{
    if (!t->seen[column]) {
        t->seen[column] = 1;
        t->touched[(*count)++] = (uint32_t)column;
    }
    neumaier_add(&t->score[column], x);
}

static void add_row(piece *t, size_t *count, const meat_job *job, size_t i)
{
    const cell_rows *rows = job->rows;
    const cell_design *design = job->design;
    size_t cell = rows->cell[i], slope = design->slope ? design->slope[cell] : NO_COLUMN;
    double g = slope != NO_COLUMN ? rows->gold[i] : 0;
    double l = design->length != NO_COLUMN ? rows->length[i] : 0;
    double e = rows->y[i] - job->fitted[cell];
    neumaier *square = t->square + cell * SQUARES;
    if (slope != NO_COLUMN) e -= job->beta[slope] * g;
    if (design->length != NO_COLUMN) e -= job->beta[design->length] * l;
    for (uint32_t k = design->start[cell]; k < design->start[cell + 1]; k++)
        touch(t, count, design->column[k], e);
    neumaier_add(&square[0], e * e);
    if (slope != NO_COLUMN) {
        touch(t, count, slope, e * g);
        neumaier_add(&square[1], e * e * g);
        neumaier_add(&square[2], e * e * g * g);
    }
    if (design->length != NO_COLUMN) {
        touch(t, count, design->length, e * l);
        neumaier_add(&square[3], e * e * l);
        neumaier_add(&square[5], e * e * l * l);
        if (slope != NO_COLUMN) neumaier_add(&square[4], e * e * l * g);
    }
}

/* The outer product of the cluster's score; only columns that its rows have. */
static void add_cluster(piece *t, size_t count, size_t p)
{
    for (size_t i = 0; i < count; i++) {
        size_t a = t->touched[i];
        double x = neumaier_total(&t->score[a]);
        neumaier_add(&t->total[a], x);
        for (size_t j = i; j < count; j++) {
            size_t b = t->touched[j];
            double product = x * neumaier_total(&t->score[b]);
            neumaier_add(&t->meat[a < b ? a * p + b : b * p + a], product);
        }
    }
    for (size_t i = 0; i < count; i++) {
        t->score[t->touched[i]] = (neumaier){0, 0};
        t->seen[t->touched[i]] = 0;
    }
}

static tare_status meat_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const meat_job *job = arg;
    const cell_rows *rows = job->rows;
    (void)worker;
    (void)err;
    for (size_t k = begin; k < end; k++) {
        piece *t = &job->piece[k];
        size_t from = k * rows->clusters / job->pieces;
        size_t to = (k + 1) * rows->clusters / job->pieces;
        for (size_t c = from; c < to; c++) {
            size_t count = 0;
            for (size_t i = rows->start[c]; i < rows->start[c + 1]; i++)
                add_row(t, &count, job, i);
            add_cluster(t, count, job->design->p);
            t->used += rows->start[c + 1] > rows->start[c];
        }
    }
    return TARE_OK;
}

static tare_status make_pieces(meat_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = job->design->p, cells = job->rows->cells;
    job->pieces = cell_pieces(job->rows, (p * p + cells * SQUARES) * sizeof(neumaier));
    TRY_NEW(job->piece = arena_new(a, job->pieces, sizeof *job->piece));
    for (size_t k = 0; k < job->pieces; k++) {
        piece *t = &job->piece[k];
        TRY_NEW(t->meat = arena_new(a, p * p + 1, sizeof *t->meat));
        TRY_NEW(t->square = arena_new(a, cells + 1, SQUARES * sizeof *t->square));
        TRY_NEW(t->total = arena_new(a, p + 1, sizeof *t->total));
        TRY_NEW(t->score = arena_new(a, p + 1, sizeof *t->score));
        TRY_NEW(t->touched = arena_new(a, p + 1, sizeof *t->touched));
        TRY_NEW(t->seen = arena_new(a, p + 1, 1));
    }
done:
    return status;
}

static double across(const meat_job *job, size_t offset, size_t at)
{
    neumaier s = {0, 0};
    for (size_t k = 0; k < job->pieces; k++) {
        const neumaier *array = offset == 0   ? job->piece[k].meat
                                : offset == 1 ? job->piece[k].square
                                              : job->piece[k].total;
        neumaier_add(&s, neumaier_total(&array[at]));
    }
    return neumaier_total(&s);
}

static void mirror(double *total, const double *low, size_t p)
{
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            total[i * p + j] += low ? low[i * p + j] : 0;
            total[j * p + i] = total[i * p + j];
        }
}

static tare_status gather(cell_meat *out, const meat_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = job->design->p;
    double *low;
    neumaier rss = {0, 0};
    TRY_NEW(out->clusters = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(out->rows = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(low = arena_new(a, p * p + 1, sizeof(double)));
    TRY_NEW(out->score = arena_new(a, p + 1, sizeof(double)));
    for (size_t j = 0; j < p; j++) out->score[j] = across(job, 2, j);
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) out->clusters[i * p + j] = across(job, 0, i * p + j);
    mirror(out->clusters, NULL, p);
    for (size_t c = 0; c < job->rows->cells; c++) {
        double x[SQUARES];
        for (size_t k = 0; k < SQUARES; k++) x[k] = across(job, 1, c * SQUARES + k);
        cell_moments m = {x[0], x[1], x[2], x[3], x[4], x[5]};
        cell_outer_add(out->rows, low, job->design, c, &m);
        neumaier_add(&rss, x[0]);
    }
    mirror(out->rows, low, p);
    out->rss = neumaier_total(&rss);
    out->used = 0;
    for (size_t k = 0; k < job->pieces; k++) out->used += job->piece[k].used;
done:
    return status;
}

tare_status cell_meat_of(cell_meat *out, const cell_rows *rows, const cell_design *design,
                         const double *beta, arena *a, pool *p, tare_error *err)
{
    tare_status status = TARE_OK;
    double *fitted;
    meat_job job = {.rows = rows, .design = design, .beta = beta};
    TRY_NEW(fitted = arena_new(a, rows->cells + 1, sizeof *fitted));
    for (size_t c = 0; c < rows->cells; c++)
        for (uint32_t k = design->start[c]; k < design->start[c + 1]; k++)
            fitted[c] += beta[design->column[k]];
    job.fitted = fitted;
    TRY(make_pieces(&job, a, err));
    TRY(pool_for(p, job.pieces, 1, meat_range, &job, err));
    TRY(gather(out, &job, a, err));
done:
    return status;
}
