/* Rows of a power study: their names, and components of variance over bases and clusters. */
#include <math.h>
#include <string.h>

#include "audit/power/power_study.h"
#include "base/error.h"
#include "stats/moments.h"

const char *power_name(power_id id)
{
    static const char *const names[POWER_IDS] = {"N",    "P",         "FI",        "A",
                                                 "beta", "net_drift", "net_drift", "contrast"};
    return names[id];
}

const char *power_key(power_id id)
{
    static const char *const keys[POWER_IDS] = {"N",    "P",     "FI",         "A",
                                                "beta", "drift", "drift_dose", "contrast"};
    return keys[id];
}

bool power_in_score(power_id id)
{
    return id <= POWER_A || id == POWER_CONTRAST;
}

power_row *power_row_add(power_study *p, power_id id)
{
    if (!mem_reserve(&p->context->mem, &p->row, &p->row_capacity, p->rows + 1, sizeof *p->row))
        return NULL;
    power_row *r = &p->row[p->rows++];
    const power_options *o = &p->o;
    memset(r, 0, sizeof *r);
    r->id = id;
    r->arm = r->instrument = r->condition = r->unit = r->reason = "";
    r->effect = r->margin = r->floor = r->sd0 = r->sd_lo = r->sd_hi = NAN;
    r->found = r->found_corrected = r->smallest = r->smallest_corrected = NAN;
    r->shown_small = r->negligible = NAN;
    r->bases = r->bases_lo = r->bases_hi = r->bases_corrected = r->bases_small = NAN;
    r->sim_found = r->sim_corrected = r->sim_small = NAN;
    r->spread = r->spread_null = (power_spread){.sd = NAN, .icc = NAN, .df = NAN};
    r->plan = (power_plan){.bases = o->bases, .clusters = o->clusters, .missing = o->missing,
                           .alpha = o->alpha, .target = o->target, .boot_b = o->boot_b,
                           .perm_p = o->perm_p, .has_flips = id != POWER_BETA};
    return r;
}

/* Sums of one cluster. */
typedef struct cluster_sum {
    neumaier sum;
    size_t n;
} cluster_sum;

/* One-way analysis of variance: between = within + n0 * component. */
static void components(power_spread *out, power_row *counts, const spread_rows *rows,
                       const cluster_sum *c)
{
    neumaier all = {0, 0}, between = {0, 0}, within = {0, 0};
    double n = (double)counts->n, m = (double)counts->clusters, squares = 0;
    for (size_t k = 0; k < rows->clusters; k++) {
        neumaier_add(&all, neumaier_total(&c[k].sum));
        squares += (double)c[k].n * (double)c[k].n;
    }
    double mean = neumaier_total(&all) / n;
    for (size_t k = 0; k < rows->clusters; k++) {
        if (!c[k].n) continue;
        double d = neumaier_total(&c[k].sum) / (double)c[k].n - mean;
        neumaier_add(&between, (double)c[k].n * d * d);
    }
    for (size_t i = 0; i < rows->n; i++) {
        const cluster_sum *own = &c[rows->cluster[i]];
        if (isnan(rows->x[i])) continue;
        double d = rows->x[i] - neumaier_total(&own->sum) / (double)own->n;
        neumaier_add(&within, d * d);
    }
    double msb = neumaier_total(&between) / (m - 1);
    out->df = m - 1;
    if (counts->n == counts->clusters) {
        out->sd = sqrt(msb);
        return;
    }
    double msw = neumaier_total(&within) / (n - m), size = (n - squares / n) / (m - 1);
    double component = (msb - msw) / size, total = fmax(component, 0) + msw;
    counts->icc_negative = component < 0;
    out->sd = sqrt(total);
    /* Within clusters bases differ more than between: the SD over bases is the plain one. */
    if (component < 0)
        out->sd = sqrt((neumaier_total(&between) + neumaier_total(&within)) / (n - 1));
    out->icc = total > 0 ? fmax(component, 0) / total : 0;
    /* Bases that only differ between clusters: just below 1, so that plans can use it (ours). */
    out->icc = fmin(out->icc, 1 - 1e-9);
}

tare_status power_spread_of(power_spread *out, power_row *counts, const spread_rows *rows,
                            const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    cluster_sum *c = NULL;
    *out = (power_spread){.sd = NAN, .icc = NAN, .df = NAN};
    TRY_NEW(c = mem_new(m, rows->clusters + 1, sizeof *c));
    counts->n = counts->clusters = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (isnan(rows->x[i])) continue;
        cluster_sum *own = &c[rows->cluster[i]];
        neumaier_add(&own->sum, rows->x[i]);
        counts->clusters += own->n++ == 0;
        counts->n++;
    }
    if (counts->clusters >= 2) components(out, counts, rows, c);
done:
    mem_free(m, c);
    return status;
}
