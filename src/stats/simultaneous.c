#include "stats/simultaneous.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/special.h"

/* SD of the replicates of what varies and has an answer; 0 of all else. */
static tare_status spreads(double *sd, double *scratch, const inference *x, size_t k,
                           uint32_t b, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t j = 0; j < k; j++) {
        sd[j] = 0;
        if (x[j].reason[0] || x[j].zero_variance) continue;
        if (!x[j].replicates)
            FAIL(err, TARE_E_USAGE, "simultaneous.replicates", NULL,
                 "a band needs the replicates of all estimates");
        size_t n = boot_defined(scratch, x[j].replicates, b);
        if (n > 1) sd[j] = moments_sd(scratch, n, 1);
    }
done:
    return status;
}

/* Largest studentised distance of each replicate; NaN where a replicate is undefined. */
static void maxima(double *most, const double *sd, const inference *x, size_t k, uint32_t b)
{
    for (uint32_t r = 0; r < b; r++) {
        double largest = 0;
        for (size_t j = 0; j < k && !isnan(largest); j++) {
            if (!(sd[j] > 0)) continue;
            double far = fabs(x[j].replicates[r] - x[j].estimate) / sd[j];
            largest = isfinite(far) ? fmax(largest, far) : NAN;
        }
        most[r] = largest;
    }
}

static bool bootstrap_leads(const inference *x)
{
    return strncmp(x->interval_method, "percentile", 10) == 0 ||
           strcmp(x->interval_method, "BCa") == 0;
}

static interval band_of(const inference *x, double critical)
{
    double factor = bootstrap_leads(x) ? critical
                                       : t_quantile(1 - norm_sf(critical), x->df);
    double half = factor * x->se;
    return (interval){.lo = fmin(x->lo, x->estimate - half),
                      .hi = fmax(x->hi, x->estimate + half), .extreme = x->extreme};
}

tare_status simultaneous_band(interval *out, double *critical, const inference *x, size_t k,
                              const simultaneous_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    double *sd = NULL, *most = NULL, *defined = NULL;
    bool varies = false, extreme = false;
    *critical = NAN;
    TRY_NEW(sd = mem_new(plan->m, k, sizeof *sd));
    TRY_NEW(most = mem_new(plan->m, plan->boot_b, sizeof *most));
    TRY_NEW(defined = mem_new(plan->m, plan->boot_b, sizeof *defined));
    TRY(spreads(sd, most, x, k, plan->boot_b, err));
    for (size_t j = 0; j < k; j++) varies = varies || sd[j] > 0;
    if (varies) {
        maxima(most, sd, x, k, plan->boot_b);
        size_t n = boot_defined(defined, most, plan->boot_b);
        if (n) *critical = interval_quantile(defined, n, 1 - plan->alpha, &extreme);
    }
    for (size_t j = 0; j < k; j++) {
        out[j] = (interval){x[j].lo, x[j].hi, x[j].extreme};
        if (x[j].reason[0]) out[j] = (interval){NAN, NAN, false};
        else if (sd[j] > 0 && isfinite(*critical)) out[j] = band_of(&x[j], *critical);
    }
done:
    mem_free(plan->m, defined);
    mem_free(plan->m, most);
    mem_free(plan->m, sd);
    return status;
}
