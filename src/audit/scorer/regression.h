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
} design;

/* Fit, CR2 and replicates of all columns: out[p] in column order; dropped columns get reason
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

#endif
