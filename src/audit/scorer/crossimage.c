/* Cross-image baseline (scorer audit 5.6): the slope of unedited scores on the attribute over
 * photographs. Confounded with everything else that differs between photographs. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/linear.h"
#include "stats/verdict.h"

static double slope_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    double beta[2]; /* leading column of ones, slope */
    return linear_solve_spd(beta, total, 2) ? beta[1] : NAN;
}

typedef struct cross_rows {
    size_t n;
    double *x, *y;
    uint32_t *cluster;
    frame f;
} cross_rows;

static tare_status collect(cross_rows *r, study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool *used;
    TRY_NEW(used = arena_new(&t->scratch, arm->bases + 1, sizeof *used));
    TRY_NEW(r->x = brief_array(t, arm->bases));
    TRY_NEW(r->y = brief_array(t, arm->bases));
    TRY_NEW(r->cluster = arena_new(&t->brief, arm->bases + 1, sizeof *r->cluster));
    for (size_t i = 0; i < arm->bases; i++)
        used[i] = v->f.used[i] && isfinite(arm->attribute[i * arm->doses + arm->neutral]);
    TRY(frame_make(&r->f, t, arm, used, err));
    r->n = 0;
    for (size_t i = 0; i < arm->bases; i++) {
        if (!used[i]) continue;
        r->x[r->n] = arm->attribute[i * arm->doses + arm->neutral];
        r->y[r->n] = v->scores->s[i * arm->doses + arm->neutral];
        r->cluster[r->n++] = r->f.cluster[i];
    }
done:
    return status;
}

static tare_status run_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    cross_rows r;
    TRY(collect(&r, t, v, err));
    inference inf = inference_none(REASON_DEGENERATE);
    bool varied = false;
    for (size_t i = 1; i < r.n; i++) varied = varied || r.y[i] != r.y[0];
    if (varied) {
        linear_model model = {.n = r.n, .p = 1, .x = r.x, .y = r.y, .intercept = true};
        linear_clusters clusters = {.id = r.cluster, .count = r.f.plan.clusters};
        linear_ols fit;
        TRY(linear_fit(&fit, &model, &t->brief, err));
        if (fit.rank == 1) {
            linear_cov cov;
            TRY(linear_covariance(&cov, &fit, &model, LINEAR_CR2, &clusters, &t->brief, err));
            double cr2[2] = {cov.se[0], cov.df[0]}, *z;
            size_t width = LINEAR_SUMS_WIDTH(2);
            TRY_NEW(z = arena_new(&t->brief, clusters.count * width, sizeof *z));
            TRY(linear_sums(z, &model, &clusters, t->m, err));
            infer_smooth g = {.g = slope_of, .cr2 = cr2, .n = r.n};
            TRY(infer_totals(&inf, &r.f.plan, &(infer_sums){z, width}, &g, 1, NULL, err));
        }
    }
    base_count count = count_frame(v, &r.f);
    reading_spec spec = {.family = "crossimage", .name = "slope", .condition = "unedited images",
                         .count = &count,
                         .unit = "score per unit of the attribute", .margin = NAN, .floor = NAN,
                         .descriptive = true, .extra = "confounded, not a bias measure"};
    TRY(study_add(t, v, v->arm, RD_CROSS, &spec, &inf, err));
done:
    arena_free(&t->brief);
    return status;
}

tare_status crossimage_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++)
        if (t->view[k].arm->attribute && arm_main(t->view[k].arm))
            TRY(run_view(t, &t->view[k], err));
done:
    return status;
}
