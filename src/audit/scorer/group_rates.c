#include "audit/scorer/group_rates.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/group_set.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/missing.h"
#include "stats/proportion.h"

tare_status missing_plan(permute_plan *plan, study *t, const cube_arm *arm, size_t extra,
                         bool by_base, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(plan, 0, sizeof *plan);
    size_t own = by_base ? arm->bases : arm->clusters;
    uint64_t *h64;
    const char **ids;
    const char *base_set;
    TRY_NEW(h64 = arena_new(&t->scratch, own + extra + 1, sizeof *h64));
    TRY_NEW(ids = arena_new(&t->scratch, own + extra + 1, sizeof *ids));
    TRY_NEW(base_set = arena_printf(&t->scratch, "scorer/%s/missing", arm->kind));
    for (size_t i = 0; i < own; i++) ids[i] = by_base ? arm->base[i] : arm->cluster_id[i];
    for (size_t i = 0; i < extra; i++)
        TRY_NEW(ids[own + i] = arena_printf(&t->scratch, "%s\t%zu", "excluded", i));
    draws_hash(h64, ids, own + extra);
    TRY(draws_key(&plan->key, t->o.seed, base_set, "perm", t->m, err));
    plan->m = t->m;
    plan->pool = t->context->pool;
    plan->h64 = h64;
    plan->clusters = own + extra;
    plan->replicates = t->o.perm_p;
done:
    return status;
}

inference group_rate(double missing, double n, double alpha)
{
    inference x = inference_none("");
    if (!(n > 0)) return x;
    x.estimate = missing / n;
    wilson_interval(&x.lo, &x.hi, missing, n, alpha);
    x.interval_method = "Wilson";
    return x;
}

/* ---- the test -------------------------------------------------------------------------------- */

/* Excluded bases of one arm and group that every scorer lacks. */
static size_t excluded_in(const study *t, const cube_arm *arm, const char *group)
{
    size_t count = 0;
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        if (excluded_from(x, arm) && strcmp(x->group, group) == 0) count += x->count;
    }
    return count;
}

static bool named_before(const study *t, const cube_arm *arm, size_t i)
{
    const char *group = t->c->missing[i].group;
    for (size_t g = 0; g < arm->groups; g++)
        if (strcmp(arm->group_id[g], group) == 0) return true;
    for (size_t k = 0; k < i; k++)
        if (excluded_from(&t->c->missing[k], arm) && strcmp(t->c->missing[k].group, group) == 0)
            return true;
    return false;
}

size_t group_rates_known(study *t, const cube_arm *arm)
{
    size_t known = 0;
    for (size_t g = 0; g < arm->groups; g++) known += arm->group_id[g][0] != '\0';
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        known += excluded_from(x, arm) && x->group[0] && !named_before(t, arm, i);
    }
    return known;
}

static tare_status name_groups(group_rates *g, study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = arm->groups + t->c->missing_count + 1;
    memset(g, 0, sizeof *g);
    TRY_NEW(g->name = arena_new(&t->scratch, most, sizeof *g->name));
    TRY_NEW(g->count = arena_new(&t->scratch, most, sizeof *g->count));
    TRY_NEW(g->missing = arena_new(&t->scratch, most, sizeof *g->missing));
    TRY_NEW(g->rate = study_array(t, most));
    for (size_t k = 0; k < arm->groups; k++) g->name[g->groups++] = arm->group_id[k];
    for (size_t i = 0; i < t->c->missing_count; i++)
        if (excluded_from(&t->c->missing[i], arm) && !named_before(t, arm, i))
            g->name[g->groups++] = t->c->missing[i].group;
done:
    return status;
}

/* What the labels move between: `missing` of `count` bases each. */
typedef struct label_units {
    double *missing, *count;
    uint32_t *group;
    size_t own, extra; /* clusters or bases of the arm; excluded bases */
    bool by_base;
} label_units;

static tare_status make_units(label_units *u, study *t, const cube_arm *arm, const group_rates *g,
                              const bool *used, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(u, 0, sizeof *u);
    u->by_base = group_labels_vary(arm);
    u->own = u->by_base ? arm->bases : arm->clusters;
    for (size_t k = 0; k < g->groups; k++) u->extra += excluded_in(t, arm, g->name[k]);
    size_t units = u->own + u->extra, at = u->own;
    TRY_NEW(u->missing = arena_new(&t->scratch, units + 1, sizeof *u->missing));
    TRY_NEW(u->count = arena_new(&t->scratch, units + 1, sizeof *u->count));
    TRY_NEW(u->group = arena_new(&t->scratch, units + 1, sizeof *u->group));
    for (size_t i = 0; i < arm->bases; i++) {
        size_t unit = u->by_base ? i : arm->cluster[i];
        u->missing[unit] += used && !used[i];
        u->count[unit] += 1;
        u->group[unit] = arm->group[i];
    }
    for (size_t k = 0; k < g->groups; k++)
        for (size_t n = excluded_in(t, arm, g->name[k]); n > 0; n--, at++) {
            u->missing[at] = u->count[at] = 1;
            u->group[at] = (uint32_t)k;
        }
done:
    return status;
}

/* Rates, and how many bases have a label. */
static void sum_groups(group_rates *g, const label_units *u)
{
    for (size_t i = 0; i < u->own + u->extra; i++) {
        size_t k = u->group[i], n = (size_t)u->count[i];
        g->missing[k] += u->missing[i];
        g->count[k].clusters++;
        g->count[k].n += n; /* in a rate the missing ones count */
        g->count[k].expected += n;
    }
    for (size_t k = 0; k < g->groups; k++)
        if (g->count[k].n > 0) g->rate[k] = g->missing[k] / (double)g->count[k].n;
}

/* Which groups are tested, and of these the largest difference between rates. All that have a
 * label; where these are more than can be, those that are not too small for the readings (ours). */
static tare_status choose_groups(bool *tested, group_rates *g, const study *t, const cube_arm *arm,
                                 tare_error *err)
{
    double low = INFINITY, high = -INFINITY;
    size_t count = 0, least = 1;
    for (size_t k = 0; k < g->groups; k++) count += g->name[k][0] && g->count[k].n > 0;
    if (count > OMNIBUS_GROUPS_MAX) least = t->o.group_min;
    count = 0;
    for (size_t k = 0; k < g->groups; k++) {
        tested[k] = g->name[k][0] && g->count[k].n >= least;
        if (!tested[k]) continue;
        count++;
        g->all.n += g->count[k].n;
        g->all.expected += g->count[k].expected;
        g->all.clusters += g->count[k].clusters;
        low = fmin(low, g->rate[k]);
        high = fmax(high, g->rate[k]);
    }
    g->spread = high > low ? high - low : 0;
    return group_limit(count, t, arm, err);
}

tare_status group_rates_test(group_rates *g, study *t, const cube_arm *arm, const bool *used,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    label_units u;
    permute_plan plan;
    omnibus_result result;
    bool *tested;
    TRY(name_groups(g, t, arm, err));
    TRY(make_units(&u, t, arm, g, used, err));
    TRY_NEW(tested = arena_new(&t->scratch, g->groups + 1, sizeof *tested));
    sum_groups(g, &u);
    TRY(choose_groups(tested, g, t, arm, err));
    for (size_t i = 0; i < u.own + u.extra; i++)
        if (!tested[u.group[i]]) u.group[i] = OMNIBUS_NONE;
    TRY(missing_plan(&plan, t, arm, u.extra, u.by_base, err));
    omnibus_column column = {u.missing, u.count, u.group, g->groups};
    TRY(permute_omnibus(&result, &plan, &column, 1, err));
    g->test = result.range;
done:
    return status;
}
