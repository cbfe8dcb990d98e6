/* Everything that is a function of cell means, resampled in one product: R, Z and Phi~ of every
 * cell, the self contrasts, and D and Z without each of the other judges (judge audits A.3, A.7).
 * The functions are several only so that their conclusions run side by side. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_blocks.h"
#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"
#include "stats/moments.h"

enum { PARTS = 4 }; /* of the judges left out, at most as many as there are judges */

typedef struct cell_task {
    const matrix_view *v;
    const uint8_t *kin;  /* of the family; NULL without a roster */
    size_t ddof;
    size_t from, to;     /* judges left out, one after the other */
} cell_task;

static void means_of(double *phi, const double *total, const matrix_view *v)
{
    size_t cells = v->G * v->E;
    for (size_t c = 0; c < cells; c++) {
        double n = nearbyint(total[v->balanced ? cells : cells + c]); /* counts are whole */
        phi[c] = n > 0 ? total[c] / n : NAN;
    }
}

/* R of all cells; then D, D without the family, D of z-scored judges, K each, where balanced. */
static void residuals(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    const matrix_view *v = task->v;
    double phi[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    (void)p;
    means_of(phi, total, v);
    preference out = {.residual = values};
    preference_of(&out, phi, &(preference_shape){v->G, v->E, task->ddof}, scratch);
    if (!v->balanced) return;
    double *d = values + v->G * v->E, factor = matrix_contrast_factor(v->G, v->E);
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        matrix_contrast c = {x->author, x->judge, task->kin, NULL};
        d[k] = values[x->author * v->E + x->judge] * factor;
        d[v->K + k] = task->kin ? matrix_contrast_of(phi, v->G, v->E, &c) : NAN;
        c = (matrix_contrast){x->author, x->judge, NULL, v->judge_sd};
        d[2 * v->K + k] = matrix_contrast_of(phi, v->G, v->E, &c);
    }
}

static void standardised(double *values, const double *total, const matrix_view *v, bool twice,
                         size_t ddof)
{
    double phi[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    means_of(phi, total, v);
    preference out = {.z = twice ? NULL : values, .standardised = twice ? values : NULL};
    preference_of(&out, phi, &(preference_shape){v->G, v->E, ddof}, scratch);
}

static void z_residuals(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    (void)p;
    standardised(values, total, task->v, false, task->ddof);
}

static void twice_standardised(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    (void)p;
    standardised(values, total, task->v, true, task->ddof);
}

/* What the self cells need of a matrix: row sums of their authors, column means. */
typedef struct margins { double row[MATRIX_MOST], column[MATRIX_MOST], columns; } margins;

static void margins_of(margins *m, const double *phi, const matrix_view *v)
{
    neumaier all = {0, 0};
    for (size_t k = 0; k < v->K; k++)
        m->row[k] = moments_sum(phi + v->self[k].author * v->E, v->E);
    for (size_t e = 0; e < v->E; e++) {
        neumaier sum = {0, 0};
        for (size_t g = 0; g < v->G; g++) neumaier_add(&sum, phi[g * v->E + e]);
        m->column[e] = neumaier_total(&sum) / (double)v->G;
        neumaier_add(&all, m->column[e]);
    }
    m->columns = neumaier_total(&all);
}

/* Double-centred self cell k without judge `out`. */
static double centred_without(const margins *m, const double *phi, const matrix_view *v, size_t k,
                              size_t out)
{
    const matrix_self *x = &v->self[k];
    double others = (double)v->E - 1;
    double row = (m->row[k] - phi[x->author * v->E + out]) / others;
    double grand = (m->columns - m->column[out]) / others;
    return phi[x->author * v->E + x->judge] - row - m->column[x->judge] + grand;
}

/* For each judge of the task left out: D, then Z of all K self cells, 0 for the judge's own. The
 * column step does not depend on who else judges, so it is made once. */
static void one_left_out(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    const matrix_view *v = task->v;
    double phi[MATRIX_CELLS_MOST], phi1[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    double factor = matrix_contrast_factor(v->G, v->E - 1);
    margins raw, standard;
    (void)p;
    means_of(phi, total, v);
    preference out = {.scaled = phi1};
    preference_of(&out, phi, &(preference_shape){v->G, v->E, task->ddof}, scratch);
    margins_of(&raw, phi, v);
    margins_of(&standard, phi1, v);
    for (size_t e = task->from; e < task->to; e++, values += 2 * v->K)
        for (size_t k = 0; k < v->K; k++) {
            bool own = v->self[k].judge == e;
            values[k] = own ? 0 : factor * centred_without(&raw, phi, v, k, e);
            values[v->K + k] = own ? 0 : centred_without(&standard, phi1, v, k, e);
        }
}

/* At least three judges must be left. */
static bool leaves_out(const matrix_view *v)
{
    return v->balanced && v->K > 0 && v->E > 3;
}

tare_status matrix_view_totals(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E, extra = v->balanced ? 3 * v->K : 0;
    size_t outputs = 3 * cells + extra, dropped = leaves_out(v) ? v->E : 0;
    size_t parts = dropped ? PARTS : 0;
    infer_smooth *f, blocks;
    cell_task *task;
    inference *out;
    const uint8_t *family = v->groupings && v->grouping[0].cells ? v->grouping[0].kin : NULL;
    infer_sums sums = {v->sums, v->p};
    TRY(matrix_blocks_describe(&blocks, s, v, err));
    outputs += 2 * dropped * v->K;
    TRY_NEW(f = arena_new(&s->scratch, 3 + parts + 1, sizeof *f));
    TRY_NEW(task = arena_new(&s->scratch, 3 + parts, sizeof *task));
    TRY_NEW(out = arena_new(&s->scratch, outputs + blocks.outputs, sizeof *out));
    for (size_t k = 0; k < 3 + parts; k++) {
        size_t part = k < 3 ? 0 : k - 3;
        task[k] = (cell_task){v, family, s->o.ddof, part * dropped / PARTS,
                              (part + 1) * dropped / PARTS};
        f[k] = (infer_smooth){.user = &task[k], .many = one_left_out, .n = v->items,
                              .outputs = 2 * v->K * (task[k].to - task[k].from)};
    }
    f[0].many = residuals;
    f[0].outputs = cells + extra;
    f[1].many = z_residuals;
    f[2].many = twice_standardised;
    f[1].outputs = f[2].outputs = cells;
    f[3 + parts] = blocks;
    TRY(infer_totals(out, &v->plan, &sums, f, 3 + parts + (blocks.outputs > 0), &s->scratch, err));
    if (blocks.outputs > 0) matrix_blocks_take(v, out + outputs);
    v->cell_r = out;
    v->d = extra ? out + cells : NULL;
    v->d_kin = extra && family ? out + cells + v->K : NULL;
    v->dz = extra ? out + cells + 2 * v->K : NULL;
    v->cell_z = out + cells + extra;
    v->cell_phi2 = v->cell_z + cells;
    v->lojo = dropped ? v->cell_phi2 + cells : NULL;
done:
    return status;
}

tare_status matrix_cells_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->views; k++) {
        matrix_view *v = &s->view[k];
        if (v->cells_only || v->reason[0]) continue;
        TRY(matrix_view_totals(v, s, err));
        for (size_t c = 0; c < v->G * v->E; c++)
            v->cell_r[c].n = v->cell_z[c].n = v->cell_phi2[c].n = (size_t)v->n[c];
    }
done:
    return status;
}
