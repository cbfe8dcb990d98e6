/* Do groups differ? The chance that the omnibus over groups finds a stated difference between the
 * two extreme ones, the others in the middle: by simulation with the audit's own permutation. */
#include <math.h>

#include "audit/power/power_study.h"
#include "audit/words.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/draws.h"
#include "stats/permute.h"
#include "stats/proportion.h"
#include "stats/special.h"

#define SETS_DEFAULT 500
#define TOGETHER 64
#define GROUP_LEAST 10 /* smaller groups are left out of the audit */

typedef struct group_trial {
    power_study *p;
    const power_row *r;
    permute_plan plan;
    rng_key key; /* of the draws */
    size_t group_bases, group_clusters, sets, tests;
    double effect;
    uint32_t *group; /* [clusters] */
    double *count;   /* [clusters] */
    double *sum;     /* [TOGETHER][clusters] */
    size_t found, corrected;
} group_trial;

/* Sum of `n` bases of a cluster: they share the part that the ICC says. */
static double cluster_sum(const group_trial *t, uint32_t replicate, size_t k)
{
    const power_spread *s = &t->r->spread;
    double icc = s->icc > 0 ? s->icc : 0, n = t->count[k];
    size_t g = t->group[k];
    double mean = g == 0 ? -t->effect / 2 : g + 1 == t->p->o.groups ? t->effect / 2 : 0;
    rng_stream stream;
    rng_start(&stream, t->key, replicate, k);
    double shared = norm_quantile(rng_uniform_open(&stream));
    double own = norm_quantile(rng_uniform_open(&stream));
    return n * mean + s->sd * (n * sqrt(icc) * shared + sqrt(n * (1 - icc)) * own);
}

static tare_status open_trial(group_trial *t, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_options *o = &t->p->o;
    size_t all = t->group_clusters * o->groups;
    uint64_t *h64;
    const char **ids;
    TRY_NEW(t->group = arena_new(a, all, sizeof *t->group));
    TRY_NEW(t->count = arena_new(a, all, sizeof *t->count));
    TRY_NEW(t->sum = arena_new(a, all * TOGETHER, sizeof *t->sum));
    TRY_NEW(h64 = arena_new(a, all, sizeof *h64));
    TRY_NEW(ids = arena_new(a, all, sizeof *ids));
    for (size_t k = 0; k < all; k++) {
        size_t g = k / t->group_clusters, j = k % t->group_clusters;
        size_t n = t->group_bases;
        TRY_NEW(ids[k] = arena_printf(a, "%09zu", k));
        t->group[k] = (uint32_t)g;
        t->count[k] = (double)((j + 1) * n / t->group_clusters - j * n / t->group_clusters);
    }
    draws_hash(h64, ids, all);
    t->key = rng_key_of(o->seed, "power/groups");
    t->plan = (permute_plan){.m = &t->p->context->mem, .pool = t->p->context->pool,
                             .key = rng_key_of(o->seed, "power/perm"), .h64 = h64, .clusters = all,
                             .replicates = o->perm_p, .mode = PERMUTE_SAMPLED};
done:
    return status;
}

static tare_status run_sets(group_trial *t, tare_error *err)
{
    tare_status status = TARE_OK;
    omnibus_column columns[TOGETHER];
    omnibus_result results[TOGETHER];
    double alpha = t->r->plan.alpha;
    for (size_t first = 0; first < t->sets; first += TOGETHER) {
        size_t count = t->sets - first < TOGETHER ? t->sets - first : TOGETHER;
        TRY(context_check(t->p->context, err));
        for (size_t j = 0; j < count; j++) {
            double *sum = t->sum + j * t->plan.clusters;
            for (size_t k = 0; k < t->plan.clusters; k++)
                sum[k] = cluster_sum(t, (uint32_t)(first + j), k);
            columns[j] = (omnibus_column){sum, t->count, t->group, t->p->o.groups};
        }
        TRY(permute_omnibus(results, &t->plan, columns, count, err));
        for (size_t j = 0; j < count; j++) {
            t->found += results[j].range.p <= alpha;
            t->corrected += results[j].range.p <= alpha / (double)t->tests;
        }
    }
done:
    return status;
}

static tare_status report(group_trial *t, result_table *table, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_row *r = t->r;
    audit_result *out = t->p->out;
    double sets = (double)t->sets, share = (double)t->found / sets;
    double lo, hi;
    wilson_interval(&lo, &hi, (double)t->found, sets, 0.05);
    cell *c;
    TRY_NEW(c = result_add_row(out, table));
    c[0] = words_cell(r->arm);
    c[1] = words_cell(r->instrument);
    c[2] = words_cell(power_name(r->id));
    c[3] = count_cell(t->p->o.groups);
    c[4] = count_cell(t->group_bases);
    c[5] = count_cell(t->group_clusters);
    c[6] = number_cell(t->effect);
    c[7] = number_cell(share);
    c[8] = number_cell(lo);
    c[9] = number_cell(hi);
    c[10] = number_cell((double)t->corrected / sets);
    c[11] = count_cell(t->tests);
    c[12] = count_cell(t->sets);
    tare_reading *reading;
    TRY_NEW(reading = result_add_reading(out));
    reading->family = "groups";
    reading->arm = r->arm;
    reading->instrument = r->instrument;
    reading->name = power_name(r->id);
    reading->condition = "chance that the omnibus finds the difference";
    reading->unit = "share";
    reading->estimate = share;
    reading->lo = lo;
    reading->hi = hi;
    reading->interval_method = "Wilson, of the simulation";
    reading->n_base = t->group_bases * t->p->o.groups;
    reading->n_cluster = t->plan.clusters;
    reading->replicates = t->sets;
    reading->seed = t->p->o.seed;
    const char *size;
    TRY_NEW(size = number_text(t->p->a, t->effect));
    TRY_NEW(reading->words = arena_printf(
                t->p->a, "With %zu groups of %zu bases a difference in %s of %s between the two "
                "extreme groups is found in %.0f %% of such studies (simulated %zu times, between "
                "%.0f and %.0f %%).", t->p->o.groups, t->group_bases, power_name(r->id), size,
                100 * share, t->sets, 100 * lo, 100 * hi));
    TRY(result_answer(out, err, "%s", reading->words));
done:
    return status;
}

static tare_status run_row(power_study *p, const power_row *r, size_t tests, result_table *table,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const power_options *o = &p->o;
    double kept = 1 - r->plan.missing;
    double of_group = o->group_size ? (double)o->group_size
                                    : floor(r->plan.bases / (double)o->groups);
    group_trial t = {.p = p, .r = r, .tests = o->tests ? o->tests : tests,
                     .sets = o->simulate ? o->simulate : SETS_DEFAULT};
    arena a;
    arena_init(&a, &p->context->mem);
    t.group_bases = (size_t)fmax(0, floor(of_group * kept + 1e-9));
    double clusters = (double)t.group_bases * r->size.clusters / r->size.bases;
    t.group_clusters = (size_t)fmax(1, nearbyint(clusters));
    t.effect = isnan(o->group_effect) ? r->margin
                                      : fabs(o->group_effect) * (o->effect.in_sd0 ? r->sd0 : 1);
    if (t.group_bases < GROUP_LEAST)
        FAIL(err, TARE_E_USAGE, "power.groups", "--groups",
             "%zu groups of %zu bases: groups of fewer than %d are left out of the audit",
             o->groups, t.group_bases, GROUP_LEAST);
    if (isnan(t.effect))
        FAIL(err, TARE_E_USAGE, "power.groups", "--group-effect",
             "say which difference between the extreme groups is to be found");
    TRY(open_trial(&t, &a, err));
    TRY(run_sets(&t, err));
    TRY(report(&t, table, err));
done:
    arena_free(&a);
    return status;
}

tare_status power_groups(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {
        "arm",   "instrument", "reading",         "groups", "bases_per_group", "clusters_per_group",
        "difference", "power", "power_lo", "power_hi", "power_corrected", "tests", "simulated"};
    result_table *table;
    size_t tests;
    if (!p->o.groups) return TARE_OK;
    TRY_NEW(table = result_add_table(p->out, "power_groups", "Differences between groups", columns,
                                     sizeof columns / sizeof *columns));
    tests = power_home_grid(p, POWER_FI);
    for (size_t k = 0; k < p->rows; k++) {
        const power_row *r = &p->row[k];
        if ((r->id == POWER_FI || r->id == POWER_A) && !r->reason[0])
            TRY(run_row(p, r, tests, table, err));
    }
done:
    return status;
}
