/* Everything that is a function of cell means, resampled in one product: R, Z and Phi~ of every
 * cell, the self contrasts, and D and Z without each of the other judges (judge audits A.3, A.7).
 * The functions are several only so that their conclusions run side by side. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_blocks.h"
#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"

typedef struct cell_task {
    const matrix_view *v;
    const uint8_t *kin;  /* of the family; NULL without a roster */
    size_t ddof, without;
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

/* D, then Z of all K self cells without judge `without`; those of the judge itself are 0. */
static void one_left_out(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    const matrix_view *v = task->v;
    double phi[MATRIX_CELLS_MOST], r[MATRIX_CELLS_MOST], z[MATRIX_CELLS_MOST];
    double factor = matrix_contrast_factor(v->G, v->E - 1);
    (void)p;
    means_of(phi, total, v);
    matrix_without(r, z, NULL, phi,
                   &(matrix_dropped){v->G, v->E, task->without, task->ddof});
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        bool own = x->judge == task->without;
        size_t at = own ? 0 : x->author * (v->E - 1) + x->judge - (x->judge > task->without);
        values[k] = own ? 0 : r[at] * factor;
        values[v->K + k] = own ? 0 : z[at];
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
    size_t cells = v->G * v->E, extra = v->balanced ? 3 * v->K : 0, functions = 3;
    size_t outputs = 3 * cells + extra, dropped = leaves_out(v) ? v->E : 0;
    infer_smooth *f, blocks;
    cell_task *task;
    inference *out;
    const uint8_t *family = v->groupings && v->grouping[0].cells ? v->grouping[0].kin : NULL;
    infer_sums sums = {v->sums, v->p};
    TRY(matrix_blocks_describe(&blocks, s, v, err));
    outputs += 2 * dropped * v->K;
    TRY_NEW(f = arena_new(&s->scratch, functions + dropped + 1, sizeof *f));
    TRY_NEW(task = arena_new(&s->scratch, functions + dropped, sizeof *task));
    TRY_NEW(out = arena_new(&s->scratch, outputs + blocks.outputs, sizeof *out));
    for (size_t k = 0; k < functions + dropped; k++) {
        task[k] = (cell_task){v, family, s->o.ddof, k < functions ? SIZE_MAX : k - functions};
        f[k] = (infer_smooth){.user = &task[k], .many = one_left_out, .outputs = 2 * v->K,
                              .n = v->items};
    }
    f[0].many = residuals;
    f[0].outputs = cells + extra;
    f[1].many = z_residuals;
    f[2].many = twice_standardised;
    f[1].outputs = f[2].outputs = cells;
    f[functions + dropped] = blocks;
    TRY(infer_totals(out, &v->plan, &sums, f, functions + dropped + (blocks.outputs > 0),
                     &s->scratch, err));
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
