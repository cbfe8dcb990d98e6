/* Fidelity curve and its two numbers, FI and A (scorer audit 5.1). */
#include <math.h>
#include <string.h>

#include "audit/scorer/members.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/verdict.h"

side_counts fidelity_counts(const cube_arm *arm, bool extreme)
{
    double below = (double)arm->neutral, above = (double)(arm->doses - 1 - arm->neutral);
    if (extreme) return (side_counts){below > 0 ? 1 : 0, above > 0 ? 1 : 0};
    return (side_counts){below, above};
}

double fidelity_variance_factor(side_counts k)
{
    bool two = k.below > 0 && k.above > 0;
    return two ? 1 + (1 / k.below + 1 / k.above) / 4 : 1 + 1 / (k.below + k.above);
}

/* Mean of the scores [first, last) less the neutral one. */
static double side_mean(const double *s, size_t first, size_t last, double neutral)
{
    neumaier sum = {0, 0};
    for (size_t d = first; d < last; d++) neumaier_add(&sum, s[d] - neutral);
    return last > first ? neumaier_total(&sum) / (double)(last - first) : NAN;
}

typedef double *array_maker(study *t, size_t n);

static tare_status make_sides(sides *out, array_maker *array, study *t, const view *v,
                              bool extreme, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t doses = v->arm->doses, d0 = v->arm->neutral;
    TRY_NEW(out->n = array(t, v->f.bases));
    TRY_NEW(out->p = array(t, v->f.bases));
    TRY_NEW(out->fi = array(t, v->f.bases));
    TRY_NEW(out->a = array(t, v->f.bases));
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        const double *s = v->scores->s + i * doses;
        size_t below = extreme && d0 > 0 ? 1 : d0;
        size_t above = extreme && doses - 1 > d0 ? doses - 1 : d0 + 1;
        out->n[i] = side_mean(s, 0, below, s[d0]);
        out->p[i] = side_mean(s, above, doses, s[d0]);
        if (d0 > 0 && d0 + 1 < doses) {
            double scale = fabs(out->n[i]) + fabs(out->p[i]);
            out->fi[i] = snap_zero(-(out->n[i] + out->p[i]) / 2, scale);
            out->a[i] = snap_zero(out->p[i] - out->n[i], scale);
        } else {
            out->fi[i] = -(d0 > 0 ? out->n[i] : out->p[i]);
        }
    }
done:
    return status;
}

static tare_status report_sides(study *t, view *v, const sides *x, bool tested, bool extreme,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const names[4] = {"N", "P", "FI", "A"};
    const double *columns[4] = {x->n, x->p, x->fi, x->a};
    inference inf[4];
    if (tested && arm_main(v->arm)) members_keep(t);
    TRY(study_means(inf, t, &v->f, columns, 4, err));
    side_counts k = fidelity_counts(v->arm, extreme);
    bool two = k.below > 0 && k.above > 0;
    double factors[4] = {1 + 1 / k.below, 1 + 1 / k.above, fidelity_variance_factor(k),
                         1 / k.below + 1 / k.above};
    bool exists[4] = {k.below > 0, k.above > 0, k.below + k.above > 0, two};
    for (size_t j = 0; j < 4; j++) {
        if (!exists[j]) continue;
        bool home = tested && j >= 2 && arm_main(v->arm);
        reading_spec spec = {.family = "fidelity", .name = names[j],
                             .condition = extreme ? "extreme doses" : "all doses",
                             .unit = "score", .grid = home ? "ii" : "",
                             .reason = v->degenerate ? REASON_DEGENERATE : "",
                             .margin = view_margin(t, v, t->o.margin_sd),
                             .floor = noise_floor_of(v, factors[j]),
                             .descriptive = !tested};
        reading_id id = (reading_id)((tested ? RD_N : RD_N_OTHER) + (int)j);
        TRY(study_add(t, v, v->arm, id, &spec, &inf[j], err));
    }
    members_release(t);
done:
    return status;
}

/* Every dose with its interval; the dose of the maximum describes. */
static tare_status report_curve(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t doses = v->arm->doses, d0 = v->arm->neutral;
    const double **columns;
    inference *inf;
    TRY_NEW(columns = arena_new(&t->scratch, doses, sizeof *columns));
    TRY_NEW(inf = arena_new(&t->scratch, doses, sizeof *inf));
    for (size_t d = 0; d < doses; d++) {
        double *x;
        TRY_NEW(x = brief_array(t, v->f.bases));
        for (size_t i = 0; i < v->f.bases; i++)
            if (v->f.used[i]) x[i] = v->scores->s[i * doses + d] - v->scores->s[i * doses + d0];
        columns[d] = x;
    }
    TRY(study_means(inf, t, &v->f, columns, doses, err));
    size_t best = d0;
    for (size_t d = 0; d < doses; d++) {
        if (d == d0) continue;
        if (inf[d].estimate > (best == d0 ? 0 : inf[best].estimate)) best = d;
        const char *label;
        TRY_NEW(label = dose_text(t, v->arm->dose[d]));
        reading_spec spec = {.family = "curve", .name = "Delta", .condition = label,
                             .unit = "score",
                             .reason = v->degenerate ? REASON_DEGENERATE : "",
                             .margin = view_margin(t, v, t->o.margin_sd),
                             .floor = noise_floor_of(v, 2), .descriptive = true};
        TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf[d], err));
    }
    reading_spec spec = {.family = "curve", .name = "dose_of_maximum", .unit = "dose"};
    bool none = v->f.n == 0 || v->degenerate;
    TRY(study_number(t, v, v->arm, &spec, none ? NAN : v->arm->dose[best], err));
done:
    return status;
}

/* kappa = A / (2 FI) from the sums of A and FI. */
static double kappa_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[1] != 0 ? total[0] / (2 * total[1]) : NAN;
}

static tare_status report_kappa(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    double *rows;
    TRY_NEW(rows = brief_array(t, 2 * v->f.bases));
    bool zero = true;
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        rows[2 * i] = v->tested.a[i];
        rows[2 * i + 1] = v->tested.fi[i];
        zero = zero && v->tested.fi[i] == 0;
    }
    infer_smooth g = {.g = kappa_of};
    inference inf = inference_none(REASON_DEGENERATE);
    if (!zero) TRY(study_totals(&inf, t, &v->f, (base_rows){rows, 2}, &g, 1, err));
    reading_spec spec = {.family = "fidelity", .name = "kappa", .margin = NAN, .floor = NAN,
                         .descriptive = true};
    TRY(study_add(t, v, v->arm, RD_KAPPA, &spec, &inf, err));
done:
    return status;
}

tare_status fidelity_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    bool extreme = strcmp(t->o.doses, "extreme") == 0;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(context_check(t->context, err));
        sides other;
        TRY(make_sides(&v->tested, study_array, t, v, extreme, err));
        TRY(make_sides(&other, brief_array, t, v, !extreme, err));
        TRY(report_sides(t, v, &v->tested, true, extreme, err));
        TRY(report_sides(t, v, &other, false, !extreme, err));
        if (study_get(t, v, RD_A)) TRY(report_kappa(t, v, err));
        TRY(report_curve(t, v, err));
        arena_free(&t->brief);
    }
done:
    return status;
}
