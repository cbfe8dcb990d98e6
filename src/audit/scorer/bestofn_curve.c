/* Net drift for every n from 2 to the pool, with a band that holds for all of them at once. All of
 * it is exact, also where the tested reading samples its draws. */
#include <math.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/bestofn.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/simultaneous.h"
#include "stats/verdict.h"

/* Mean over the used bases that have a value; NaN: none has. */
static double mean_of(const view *v, const double *x)
{
    neumaier sum = {0, 0};
    size_t n = 0;
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x[i])) continue;
        neumaier_add(&sum, x[i]);
        n++;
    }
    return n ? neumaier_total(&sum) / (double)n : NAN;
}

/* Inference of the net drift of all n in one product, with the band over them. */
static tare_status infer_net(inference *inf, interval *band, study *t, const view *v,
                             const drift_set *x, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_column *columns;
    bool *used;
    double critical;
    size_t n = 0;
    arena kept;
    arena_init(&kept, t->m);
    TRY_NEW(used = arena_new(&kept, v->f.bases + 1, sizeof *used));
    TRY_NEW(columns = arena_new(&kept, x->count, sizeof *columns));
    for (size_t i = 0; i < v->f.bases; i++) { /* the bases with values are the same for each n */
        used[i] = v->f.used[i] && !isnan(x->at[0].net[i]);
        n += used[i];
    }
    for (size_t k = 0; k < x->count; k++) {
        columns[k] = (infer_column){x->at[k].net, used};
        inf[k] = inference_none(REASON_TOO_FEW_CLUSTERS);
        band[k] = (interval){NAN, NAN, false};
    }
    if (n == 0) goto done;
    infer_rows rows = {v->f.cluster, v->f.bases};
    TRY(infer_means(inf, &v->f.plan, columns, x->count, &rows, &kept, err));
    TRY(simultaneous_band(band, &critical, inf, x->count,
                          &(simultaneous_plan){t->m, t->o.boot_b, t->o.alpha}, err));
done:
    for (size_t k = 0; k < x->count; k++) inf[k].replicates = inf[k].influence = NULL;
    arena_free(&kept);
    return status;
}

/* Enter the net drift of one n: a cell of a large table. */
static tare_status enter(drift_point *at, study *t, view *v, const reading_spec *common,
                         const inference *inf, tare_error *err)
{
    tare_status status = TARE_OK;
    reading_spec spec = *common;
    TRY_NEW(spec.condition = arena_printf(&t->out->a, "%s, n = %zu", common->condition, at->n));
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, inf, err));
    at->reading = t->out->reading_count - 1;
    t->out->readings[at->reading].detail = 1;
done:
    return status;
}

tare_status bestofn_curve(study *t, view *v, const drift_set *x, bool attribute, tare_error *err)
{
    tare_status status = TARE_OK;
    drift_curve *c;
    inference *inf;
    interval *band;
    if (v->arm->stress || x->count == 0) return TARE_OK;
    TRY_NEW(c = arena_new(&t->scratch, 1, sizeof *c));
    TRY_NEW(c->at = arena_new(&t->scratch, x->count, sizeof *c->at));
    TRY_NEW(inf = arena_new(&t->scratch, x->count, sizeof *inf));
    TRY_NEW(band = arena_new(&t->scratch, x->count, sizeof *band));
    c->count = x->count;
    c->quantity = attribute ? v->arm->attribute_name : "dose";
    c->unit = attribute ? v->arm->attribute_unit : "dose";
    c->random = mean_of(v, x->random);
    c->most = mean_of(v, x->tested.saturation);
    TRY(infer_net(inf, band, t, v, x, err));
    base_count count = count_values(v, x->at[0].net, TARE_R_MISSING);
    reading_spec spec = {.family = "bestofn", .name = "net_drift_of_n", .condition = c->quantity,
                         .unit = c->unit, .reason = drift_reason(t, v, attribute),
                         .count = &count, .margin = NAN, .floor = NAN, .descriptive = true};
    for (size_t k = 0; k < x->count; k++) {
        const drift_column *column = &x->at[k];
        drift_point *at = &c->at[k];
        double most = mean_of(v, column->saturation);
        *at = (drift_point){.n = DRIFT_LOWEST + k, .lo = band[k].lo, .hi = band[k].hi,
                            .saturation_share = most > 0 ? fabs(mean_of(v, column->net)) / most
                                                         : NAN,
                            .permutation_z = drift_permutation_z(v, column),
                            .tie_rate = mean_of(v, column->ties),
                            .reference = mean_of(v, column->reference)};
        TRY(enter(at, t, v, &spec, &inf[k], err));
    }
    v->curve[attribute ? 0 : 1] = c;
done:
    return status;
}
