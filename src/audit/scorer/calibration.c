/* Does the measured attribute follow the dose (scorer audit 6)? One answer per arm. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"
#include "stats/verdict.h"

#define PASS_R2 0.50
#define PASS_RHO 0.90
#define PASS_MONOTONE 0.90

/* Sums of one base about its own means: Sxy, Sxx, Syy with x the dose and y the attribute. */
static double slope_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[1] > 0 ? total[0] / total[1] : NAN;
}

static double r2_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[1] > 0 && total[2] > 0 ? total[0] * total[0] / (total[1] * total[2]) : NAN;
}

static tare_status base_values(double *sums, double *rho, int *monotone, study *t,
                               const cube_arm *arm, size_t i, tare_error *err)
{
    const double *y = arm->attribute + i * arm->doses;
    sums[0] = moments_cross(arm->dose, y, arm->doses);
    sums[1] = moments_cross(arm->dose, arm->dose, arm->doses);
    sums[2] = moments_cross(y, y, arm->doses);
    *monotone = rank_monotone(y, arm->doses);
    return rank_spearman(rho, arm->dose, y, arm->doses, t->m, err);
}

static tare_status report(study *t, const cube_arm *arm, reading_spec spec, const inference *inf,
                          tare_error *err)
{
    spec.family = "calibration";
    spec.condition = arm->attribute_name;
    spec.margin = spec.floor = NAN;
    spec.descriptive = true;
    return study_add(t, NULL, arm, RD_NONE, &spec, inf, err);
}

static tare_status calibrate(study *t, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[a];
    instrument_check *check = &t->instrument[a];
    bool *used;
    double *rows, *rho, *monotone;
    frame f;
    TRY_NEW(used = arena_new(&t->scratch, arm->bases + 1, sizeof *used));
    TRY_NEW(rows = brief_array(t, 3 * arm->bases));
    TRY_NEW(rho = brief_array(t, arm->bases));
    TRY_NEW(monotone = brief_array(t, arm->bases));
    neumaier overall = {0, 0};
    for (size_t i = 0; i < arm->bases; i++) {
        used[i] = true;
        for (size_t d = 0; d < arm->doses; d++)
            used[i] = used[i] && isfinite(arm->attribute[i * arm->doses + d]);
        if (!used[i]) continue;
        int direction;
        TRY(base_values(rows + 3 * i, &rho[i], &direction, t, arm, i, err));
        monotone[i] = direction;
        neumaier_add(&overall, rows[3 * i]);
    }
    /* Monotone in the direction of the common slope (ours: a measure may fall with the dose). */
    double sign = neumaier_total(&overall) < 0 ? -1 : 1;
    for (size_t i = 0; i < arm->bases; i++)
        if (used[i]) monotone[i] = monotone[i] == sign;
    TRY(frame_make(&f, t, arm, used, err));
    base_count count = count_arm(t, arm, &f);
    check->run = f.n > 0;
    infer_smooth functions[2] = {{.g = r2_of}, {.g = slope_of}};
    inference pooled[2], means[2];
    const double *columns[2] = {rho, monotone};
    TRY(study_totals(pooled, t, &f, (base_rows){rows, 3}, functions, 2, err));
    TRY(study_means(means, t, &f, columns, 2, err));
    inference_share(&pooled[0]);
    inference_share(&means[1]);
    check->r2 = pooled[0].estimate;
    check->slope = pooled[1].estimate;
    check->rho = means[0].estimate;
    check->monotone = means[1].estimate;
    check->pass = check->r2 >= PASS_R2 && fabs(check->rho) >= PASS_RHO &&
                  check->monotone >= PASS_MONOTONE;
    const char *slope_unit;
    TRY_NEW(slope_unit = arena_printf(&t->out->a, "%s per dose unit", arm->attribute_unit));
    TRY(report(t, arm, (reading_spec){.name = "R2", .count = &count}, &pooled[0], err));
    TRY(report(t, arm, (reading_spec){.name = "slope", .unit = slope_unit, .count = &count},
               &pooled[1], err));
    TRY(report(t, arm, (reading_spec){.name = "mean_rho", .count = &count}, &means[0], err));
    TRY(report(t, arm, (reading_spec){.name = "monotone", .unit = "share", .count = &count},
               &means[1], err));
done:
    return status;
}

tare_status calibration_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t a = 0; a < t->c->arms; a++) {
        t->instrument[a] = (instrument_check){false, false, NAN, NAN, NAN, NAN};
        if (t->c->arm[a].attribute) TRY(calibrate(t, a, err));
        arena_free(&t->brief);
    }
done:
    return status;
}
