#include "audit/power/pilot_columns.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/pool_weights.h"
#include "base/error.h"
#include "base/hash.h"
#include "stats/moments.h"

/* Of the squared length of the attribute, what the artifact must leave: statistics 9. */
#define APART 1e-10

/* ---- beta ----------------------------------------------------------------------------------- */

static bool enters(const view *v, size_t i)
{
    const cube_arm *arm = v->arm;
    for (size_t d = 0; v->f.used[i] && d < arm->doses; d++) {
        if (!isfinite(arm->attribute[i * arm->doses + d])) return false;
        if (arm->artifact && !isfinite(arm->artifact[i * arm->doses + d])) return false;
    }
    return v->f.used[i];
}

/* Sum over doses of (a - mean a)(b - mean b) of one base. */
static double cross(const double *a, const double *b, size_t i, size_t m)
{
    return moments_cross(a + i * m, b + i * m, m);
}

typedef struct cross_sums {
    neumaier aa, ac, cc, as, cs; /* attribute, artifact, score */
} cross_sums;

static double ratio(const neumaier *x, const neumaier *y)
{
    return neumaier_total(y) > 0 ? neumaier_total(x) / neumaier_total(y) : 0;
}

bool pilot_beta(double *x, const view *v)
{
    const cube_arm *arm = v->arm;
    const double *a = arm->attribute, *c = arm->artifact, *s = v->scores->s;
    size_t m = arm->doses, n = 0;
    cross_sums t;
    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < arm->bases; i++) {
        if (!enters(v, i)) continue;
        n++;
        neumaier_add(&t.aa, cross(a, a, i, m));
        neumaier_add(&t.as, cross(a, s, i, m));
        if (!c) continue;
        neumaier_add(&t.ac, cross(a, c, i, m));
        neumaier_add(&t.cc, cross(c, c, i, m));
        neumaier_add(&t.cs, cross(c, s, i, m));
    }
    /* a and s less their fit on c: a - f c, s - g c */
    double f = ratio(&t.ac, &t.cc), g = ratio(&t.cs, &t.cc);
    double left = neumaier_total(&t.aa) - f * neumaier_total(&t.ac);
    if (!(left > APART * neumaier_total(&t.aa))) return false;
    double beta = (neumaier_total(&t.as) - f * neumaier_total(&t.cs)) / left;
    for (size_t i = 0; i < arm->bases; i++) {
        if (!enters(v, i)) continue;
        double aa = cross(a, a, i, m), as = cross(a, s, i, m);
        double ac = c ? cross(a, c, i, m) : 0, cc = c ? cross(c, c, i, m) : 0;
        double cs = c ? cross(c, s, i, m) : 0;
        double ls = as - g * ac - f * cs + f * g * cc, ll = aa - 2 * f * ac + f * f * cc;
        x[i] = beta + (double)n * (ls - beta * ll) / left;
    }
    return true;
}

/* ---- drift ---------------------------------------------------------------------------------- */

tare_status pilot_drift(double *x, const view *v, bool attribute, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t m = arm->doses;
    double w[POOL_WEIGHTS_MAX], ties;
    pool_weights rule = {.n = n};
    if (m > POOL_WEIGHTS_MAX || n > m) return TARE_OK;
    for (size_t i = 0; i < arm->bases; i++) {
        const double *a = attribute ? arm->attribute + i * m : arm->dose;
        bool whole = v->f.used[i];
        for (size_t d = 0; whole && d < m; d++) whole = isfinite(a[d]);
        if (!whole) continue;
        TRY(pool_weights_exact(w, &ties, &rule, v->scores->s + i * m, m, err));
        double net = moments_dot(w, a, m) - moments_mean(a, m);
        x[i] = snap_zero(net, fabs(a[m - 1] - a[0]));
    }
done:
    return status;
}

/* ---- contrast ------------------------------------------------------------------------------- */

tare_status pilot_contrast(double *x, study *t, const view *main, const view *placebo,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *index;
    map *ids = map_new(t->m);
    if (!ids) FAIL_MEMORY(err);
    TRY_NEW(index = arena_new(&t->scratch, placebo->arm->bases + 1, sizeof *index));
    for (size_t i = 0; i < placebo->arm->bases; i++) {
        const char *id = placebo->arm->base[i];
        size_t k = map_add(ids, id, strlen(id), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        index[k] = i;
    }
    for (size_t i = 0; i < main->arm->bases; i++) {
        size_t k = map_find(ids, main->arm->base[i], strlen(main->arm->base[i]));
        if (!main->f.used[i] || k == SIZE_MAX || !placebo->f.used[index[k]]) continue;
        double fi = main->tested.fi[i], other = placebo->tested.fi[index[k]];
        x[i] = snap_zero(fi - other, fabs(fi) + fabs(other));
    }
done:
    map_free(ids);
    return status;
}
