/* The same chances by doing it: data sets are drawn and inferred as the audit infers (stats/infer),
 * so that the formula can be held against what it stands for. */
#include <math.h>
#include <string.h>

#include "audit/power/power_study.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/equivalence.h"
#include "stats/infer.h"
#include "stats/special.h"

#define TOGETHER 64 /* data sets in one product */

typedef struct trial {
    power_study *p;
    const power_row *r;
    infer_plan plan;
    size_t bases;
    uint32_t *cluster; /* [bases] */
    double *x;         /* [TOGETHER][bases] */
    inference *inf;    /* [TOGETHER] */
} trial;

static double normal_of(rng_key key, uint32_t replicate, size_t which)
{
    rng_stream s;
    rng_start(&s, key, replicate, which);
    return norm_quantile(rng_uniform_open(&s));
}

/* A contribution with the row's mean and spread. */
static void draw_normal(double *x, const trial *t, uint32_t replicate, bool null)
{
    const power_row *r = t->r;
    const power_spread *s = null ? &r->spread_null : &r->spread;
    rng_key base = rng_key_of(t->p->o.seed, "power/normal/base");
    rng_key shared = rng_key_of(t->p->o.seed, "power/normal/cluster");
    double icc = s->icc > 0 ? s->icc : 0;
    for (size_t i = 0; i < t->bases; i++)
        x[i] = (null ? 0 : r->effect) +
               s->sd * (sqrt(icc) * normal_of(shared, replicate, t->cluster[i]) +
                        sqrt(1 - icc) * normal_of(base, replicate, i));
}

static tare_status draw_set(double *x, const trial *t, uint32_t replicate, bool null,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    side_means none = {0, 0};
    if (!t->r->by_model) {
        draw_normal(x, t, replicate, null);
        return TARE_OK;
    }
    model_draw what = {t->r->id, null ? none : t->r->truth};
    for (size_t i = 0; i < t->bases; i++)
        TRY(stated_draw(&x[i], t->p->model, what, (model_base){replicate, i, t->cluster[i]}, err));
done:
    return status;
}

/* Sets first .. first + count, each in its slot. */
typedef struct batch { trial *t; size_t first; bool null; } batch;

static tare_status draw_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const batch *b = arg;
    (void)worker;
    for (size_t k = begin; k < end; k++)
        TRY(draw_set(b->t->x + k * b->t->bases, b->t, (uint32_t)(b->first + k), b->null, err));
done:
    return status;
}

typedef struct tally { size_t found, corrected, small; } tally;

static tare_status run_sets(tally *out, trial *t, bool null, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_row *r = t->r;
    infer_rows rows = {t->cluster, t->bases};
    infer_column columns[TOGETHER];
    double level = r->plan.alpha / (double)r->tests;
    size_t all = t->p->o.simulate;
    memset(out, 0, sizeof *out);
    for (size_t first = 0; first < all; first += TOGETHER) {
        size_t count = all - first < TOGETHER ? all - first : TOGETHER;
        TRY(context_check(t->p->context, err));
        batch b = {t, first, null};
        TRY(pool_for(t->p->context->pool, count, 1, draw_range, &b, err));
        for (size_t k = 0; k < count; k++)
            columns[k] = (infer_column){t->x + k * t->bases, NULL};
        TRY(infer_means(t->inf, &t->plan, columns, count, &rows, NULL, err));
        for (size_t k = 0; k < count; k++) {
            const inference *i = &t->inf[k];
            if (i->reason[0]) continue;
            bool excludes = i->lo > 0 || i->hi < 0;
            bool answers = !(r->size.floor > 0) || fabs(i->estimate) > r->size.floor;
            out->found += answers && excludes && i->p <= r->plan.alpha;
            out->corrected += answers && excludes && i->p <= level;
            out->small += equivalence_interval(i->lo90, i->hi90, r->margin);
        }
    }
done:
    return status;
}

/* Clusters of the plan have the sizes of the pilot's, each as often as another; equal ones without
 * a pilot. Every cluster has a base. */
static void place_bases(const trial *t, size_t clusters)
{
    const power_spread *s = &t->r->spread;
    double each = (double)t->bases / (double)clusters, all = 0, sum = 0;
    size_t at = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < clusters; k++) {
            size_t like = s->sizes ? (2 * k + 1) * s->sizes / (2 * clusters) : 0;
            double size = s->sizes ? power_cluster_size(s, like, each) : 1;
            if (!pass) {
                all += size;
                continue;
            }
            sum += size;
            size_t least = at + 1, most = t->bases - (clusters - 1 - k);
            size_t end = (size_t)(sum / all * (double)t->bases + 0.5);
            end = end < least ? least : end > most ? most : end;
            while (at < end) t->cluster[at++] = (uint32_t)k;
        }
}

static tare_status open_trial(trial *t, infer_draws **draws, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const power_options *o = &t->p->o;
    const power_size *size = &t->r->size;
    size_t clusters = (size_t)fmax(1, nearbyint(size->clusters));
    const char **ids;
    t->bases = (size_t)fmax((double)clusters, nearbyint(size->bases));
    TRY_NEW(t->cluster = arena_new(a, t->bases, sizeof *t->cluster));
    TRY_NEW(t->x = arena_new(a, TOGETHER * t->bases, sizeof *t->x));
    TRY_NEW(t->inf = arena_new(a, TOGETHER, sizeof *t->inf));
    TRY_NEW(ids = arena_new(a, clusters, sizeof *ids));
    for (size_t k = 0; k < clusters; k++) TRY_NEW(ids[k] = arena_printf(a, "%09zu", k));
    place_bases(t, clusters);
    t->plan = (infer_plan){.m = &t->p->context->mem, .pool = t->p->context->pool, .seed = o->seed,
                           .analysis = "power", .clusters = clusters, .ids = ids,
                           .boot_b = o->boot_b, .perm_p = o->perm_p, .alpha = o->alpha,
                           .power = o->target, .interval = CI_AUTO, .boot_p = P_CENTRED};
    TRY(infer_plan_prepare(draws, &t->plan, err));
    t->plan.draws = *draws;
done:
    return status;
}

static tare_status simulate_row(power_study *p, power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    trial t = {.p = p, .r = r};
    infer_draws *draws = NULL;
    tally with, without;
    double all = (double)p->o.simulate;
    arena a;
    arena_init(&a, &p->context->mem);
    TRY(open_trial(&t, &draws, &a, err));
    TRY(run_sets(&with, &t, false, err));
    if (r->margin > 0) TRY(run_sets(&without, &t, true, err));
    r->simulated = p->o.simulate;
    r->sim_found = (double)with.found / all;
    r->sim_corrected = (double)with.corrected / all;
    if (r->margin > 0) r->sim_small = (double)without.small / all;
done:
    infer_draws_free(draws);
    arena_free(&a);
    return status;
}

tare_status power_simulate(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; p->o.simulate && k < p->rows; k++)
        if (!p->row[k].reason[0]) TRY(simulate_row(p, &p->row[k], err));
done:
    return status;
}
