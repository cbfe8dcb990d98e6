/* Everything that is a function of cell means, resampled in one product: R, Z and Phi~ of every
 * cell, the self contrasts, and D and Z without each of the other judges (judge audits A.3, A.7).
 */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_blocks.h"
#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"
#include "stats/moments.h"

typedef struct cell_task {
    const matrix_view *v;
    const uint8_t *kin;  /* of the family; NULL without a roster     */
    size_t ddof;
    bool leaves_out;     /* a judge at a time                        */
    bool spread;         /* no judge has SD 0                        */
} cell_task;

static void means_of(double *phi, const double *total, const matrix_view *v)
{
    size_t cells = v->G * v->E;
    phi[0] = NAN; /* compilers do not know that there are cells */
    for (size_t c = 0; c < cells; c++) {
        double n = nearbyint(total[v->balanced ? cells : cells + c]); /* counts are whole */
        phi[c] = n > 0 ? total[c] / n : NAN;
    }
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

/* D; D without the family; D of z-scored judges, K each. In a complete table a contrast against
 * all others is a residual times a factor. */
static void contrasts(double *d, const double *r, const double *phi, const cell_task *task)
{
    const matrix_view *v = task->v;
    size_t K = v->K, E = v->E;
    double scaled[MATRIX_CELLS_MOST], factor = matrix_contrast_factor(v->G, E);
    margins m;
    for (size_t g = 0; g < v->G; g++)
        for (size_t e = 0; e < E; e++) scaled[g * E + e] = phi[g * E + e] / v->judge_sd[e];
    margins_of(&m, scaled, v);
    for (size_t k = 0; k < K; k++) {
        const matrix_self *x = &v->self[k];
        size_t cell = x->author * E + x->judge;
        matrix_contrast c = {x->author, x->judge, task->kin, NULL};
        d[k] = r[cell] * factor;
        d[K + k] = task->kin ? matrix_contrast_of(phi, v->G, E, &c) : NAN;
        c = (matrix_contrast){x->author, x->judge, NULL, v->judge_sd};
        d[2 * K + k] = task->spread ? factor * (scaled[cell] - m.row[k] / (double)E
                                                - m.column[x->judge] + m.columns / (double)E)
                                    : matrix_contrast_of(phi, v->G, E, &c);
    }
}

/* For each judge left out: D, then Z of all K self cells, 0 for the judge's own. The column step
 * does not depend on who else judges, so it is made once. */
static void one_left_out(double *values, const double *phi, const double *phi1,
                         const matrix_view *v)
{
    double factor = matrix_contrast_factor(v->G, v->E - 1);
    margins raw, standard;
    margins_of(&raw, phi, v);
    margins_of(&standard, phi1, v);
    for (size_t e = 0; e < v->E; e++, values += 2 * v->K)
        for (size_t k = 0; k < v->K; k++) {
            bool own = v->self[k].judge == e;
            values[k] = own ? 0 : factor * centred_without(&raw, phi, v, k, e);
            values[v->K + k] = own ? 0 : centred_without(&standard, phi1, v, k, e);
        }
}

/* R of all cells; contrasts, where balanced; Z and Phi~ of all cells; judges left out. */
static void all_of_cells(double *values, const double *total, size_t p, const void *user)
{
    const cell_task *task = user;
    const matrix_view *v = task->v;
    size_t cells = v->G * v->E, extra = v->balanced ? 3 * v->K : 0;
    double phi[MATRIX_CELLS_MOST], phi1[MATRIX_CELLS_MOST], scratch[MATRIX_SCRATCH];
    double *z = values + cells + extra;
    (void)p;
    means_of(phi, total, v);
    preference out = {.residual = values, .scaled = phi1, .z = z, .standardised = z + cells};
    preference_of(&out, phi, &(preference_shape){v->G, v->E, task->ddof}, scratch);
    if (extra) contrasts(values + cells, values, phi, task);
    if (task->leaves_out) one_left_out(z + 2 * cells, phi, phi1, v);
}

/* At least three judges must be left. */
static bool leaves_out(const matrix_view *v)
{
    return v->balanced && v->K > 0 && v->E > 3;
}

static bool all_spread(const matrix_view *v)
{
    bool spread = true;
    for (size_t e = 0; e < v->E; e++) spread = spread && v->judge_sd[e] > 0;
    return spread;
}

tare_status matrix_view_totals(matrix_view *v, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E, extra = v->balanced ? 3 * v->K : 0;
    const uint8_t *family = v->groupings && v->grouping[0].cells ? v->grouping[0].kin : NULL;
    cell_task task = {v, family, s->o.ddof, leaves_out(v), all_spread(v)};
    size_t outputs = 3 * cells + extra + (task.leaves_out ? 2 * v->E * v->K : 0);
    infer_smooth f[2] = {{.user = &task, .many = all_of_cells, .n = v->items, .outputs = outputs}};
    inference *out;
    infer_sums sums = {v->sums, v->p};
    TRY(matrix_blocks_describe(&f[1], s, v, err));
    TRY_NEW(out = arena_new(&s->scratch, outputs + f[1].outputs, sizeof *out));
    TRY(infer_totals(out, &v->plan, &sums, f, f[1].outputs > 0 ? 2 : 1, &s->scratch, err));
    if (f[1].outputs > 0) matrix_blocks_take(v, out + outputs);
    v->cell_r = out;
    v->d = extra ? out + cells : NULL;
    v->d_kin = extra && family ? out + cells + v->K : NULL;
    v->dz = extra ? out + cells + 2 * v->K : NULL;
    v->cell_z = out + cells + extra;
    v->cell_phi2 = v->cell_z + cells;
    v->lojo = task.leaves_out ? v->cell_phi2 + cells : NULL;
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
