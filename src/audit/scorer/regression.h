/* regression.h - within-base models of the score: attribute beside artifact, and the curve adjusted
 * for the artifact (scorer audit 5.4). */
#ifndef AUDIT_SCORER_REGRESSION_H
#define AUDIT_SCORER_REGRESSION_H

#include "audit/scorer/study.h"
#include "stats/linear.h"

/* Rows of the bases with a score, and what else is asked for, at every dose; everything demeaned
 * within the base. Columns that do not vary within any base are exactly 0. */
typedef struct design {
    size_t n, p;          /* rows, columns                                  */
    size_t bases;         /* effects absorbed                               */
    double *x;            /* [p][n]                                         */
    double *y;            /* [n]                                            */
    double y_scale;       /* largest |y| after demeaning                    */
    uint32_t *effect;     /* [n] number of the base among those used        */
    uint32_t *cluster;    /* [n] into the frame's ids                       */
    const frame *f;
    struct design_sums *sums; /* NULL, or what design_infer leaves of the last column */
} design;

/* A fitted coefficient as sums by cluster: other draws need no second fit. */
typedef struct design_sums {
    double *z, *cr2;      /* [clusters][width]; [kept][2]; z NULL: no coefficient */
    size_t width, kept, column; /* column: its place among those kept             */
    size_t rows, bases;
    double x_scale, y_scale;
    frame f;
} design_sums;
/* The coefficient under the draws of `plan`, which has the clusters of sums->f. */
tare_status design_again(inference *out, const design_sums *sums, const infer_plan *plan,
                         tare_error *err);

/* A design and its fit are in t->brief; what it leaves in `sums` is not.
 *
 * Fit, CR2 and replicates of all columns: out[p] in column order; dropped columns get reason
 * `inseparable`, or `degenerate` if they do not vary. fit->dropped says which. */
tare_status design_infer(inference *out, linear_ols *fit, study *t, const design *d,
                         tare_error *err);
/* Rows from the bases used by `f` of one view. column(k) fills [doses] raw values of a base. */
typedef struct design_columns {
    size_t p;
    const double *per_base[2];  /* [bases][doses] or NULL: columns 0.. that differ by base */
    size_t per_base_count;
    const double *per_dose;     /* [p - per_base_count][doses]: the same for every base    */
} design_columns;
tare_status design_make(design *d, study *t, const view *v, const frame *f,
                        const design_columns *columns, tare_error *err);

/* Frees t->brief.
 * Beta beside the artifact, if the arm has one, with `attribute` [bases][doses] in the place of the
 * arm's own. */
tare_status regression_beta(inference *out, base_count *count, study *t, const view *v,
                            const double *attribute, tare_error *err);

#endif
