/* Judges against each other on the rows that both have, and how often each is the first (judge
 * audits C.6). */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"

/* More pairs than this keep no replicates: their q from max-T is not made. */
#define PAIRS_KEPT 500

/* What is compared: the statistics that lead, of one judge on some rows. */
enum { COMPARED = 2 };

typedef struct side {
    const agree_view *v;
    inference stat[COMPARED];  /* tau_b, tau_c; or the kappa that leads */
} side;

static bool same_rows(const sample *a, const sample *b)
{
    return a->n == b->n && memcmp(a->row, b->row, a->n * sizeof *a->row) == 0;
}

static const sample *rows_of(const agree *g, const agree_view *v)
{
    return g->o.labels ? &v->u : &v->s;
}

/* The rows that all the views have. */
static tare_status common_rows(sample *out, agree *g, agree_view *const *views, size_t count,
                               arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = views[0]->layer;
    size_t n = g->o.labels ? l->units : l->n;
    uint32_t *have = mem_new(g->m, n + 1, sizeof *have);
    bool *used = mem_new(g->m, n + 1, sizeof *used);
    if (!have || !used) FAIL_MEMORY(err);
    for (size_t k = 0; k < count; k++) {
        const sample *s = rows_of(g, views[k]);
        for (size_t i = 0; i < s->n; i++) have[s->row[i]]++;
    }
    for (size_t i = 0; i < n; i++) used[i] = have[i] == count;
    const uint32_t *cluster = g->o.labels ? l->kept_cluster : l->cluster;
    TRY(sample_make(out, l, &(row_set){cluster, used, n}, keep, err));
done:
    mem_free(g->m, have);
    mem_free(g->m, used);
    return status;
}

/* The judge's ranking keys and the gold's on rows of the protocol. */
static void take_columns(double *x, double *y, const agree_view *v, const sample *s)
{
    size_t at = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (v->s.row[at] != s->row[i]) at++;
        x[i] = v->key[at];
        y[i] = v->gold_key[at];
    }
}

static tare_status infer_on(side *out, agree *g, const sample *s, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_view *v = out->v;
    double *x = NULL;
    if (g->o.labels) {
        inference inf[CATS];
        category_codes c;
        TRY(categories_make(&c, g, v, s, keep, err));
        TRY(categories_infer(inf, g, s, &c, keep, err));
        out->stat[0] = inf[strcmp(g->o.kappa, "linear") == 0      ? CAT_LINEAR
                           : strcmp(g->o.kappa, "quadratic") == 0 ? CAT_QUADRATIC
                                                                  : CAT_NOMINAL];
    } else {
        TRY_NEW(x = mem_new(g->m, 2 * s->n + 1, sizeof *x));
        take_columns(x, x + s->n, v, s);
        const double *const xy[2] = {x, x + s->n};
        TRY(coefficients_infer(out->stat, g, s, xy, COMPARED, keep, err));
    }
done:
    mem_free(g->m, x);
    return status;
}

/* The statistics of a judge on the common rows: its own reading where they are the same. */
static tare_status side_make(side *out, agree *g, const agree_view *v, const sample *common,
                             arena *keep, tare_error *err)
{
    out->v = v;
    out->stat[0] = v->stat[g->o.labels ? STAT_KAPPA : STAT_TAU_B];
    out->stat[1] = v->stat[STAT_TAU_C];
    if (same_rows(rows_of(g, v), common)) return TARE_OK;
    return infer_on(out, g, common, keep, err);
}

static size_t tau_c_categories(const agree_view *v)
{
    return v->tau.distinct_x < v->tau.distinct_y ? v->tau.distinct_x : v->tau.distinct_y;
}

static bool ties_differ(const agree_view *a, const agree_view *b)
{
    return fabs(a->tied - b->tied) > AGREE_TIES_DIFFER ||
           tau_c_categories(a) != tau_c_categories(b);
}

static tare_status enter_difference(agree *g, agree_pair *p, size_t which, const inference *inf,
                                    tare_error *err)
{
    tare_status status = TARE_OK;
    size_t stat = g->o.labels ? STAT_KAPPA : which;
    bool leads = stat == agree_headline(g, 0);
    const agree_layer *l = p->a->layer;
    unit_list units = g->o.labels ? (unit_list){l->kept, l->units} : (unit_list){l->unit, l->n};
    missing_counts missing =
        agree_missing(g, l, units, (const size_t[]){p->a->judge, p->b->judge}, 2);
    const char *name, *condition, *plus, *minus;
    arena *a = &g->out->a;
    TRY_NEW(name = arena_printf(a, "d_%s", agree_stat_name(stat)));
    TRY_NEW(condition = arena_printf(a, "less %s", p->b->name));
    TRY_NEW(plus = arena_printf(a, "%s follows %s better than %s", p->a->name, agree_whom(g),
                                p->b->name));
    TRY_NEW(minus = arena_printf(a, "%s follows %s better than %s", p->b->name, agree_whom(g),
                                 p->a->name));
    entry_spec spec = agree_entry(g, l, "pairs", p->a->name, name);
    spec.condition = condition;
    spec.grid = leads ? "pairs" : "";
    spec.descriptive = !leads;
    spec.detail = true; /* until it is known which judge is the best */
    spec.margin = AGREE_MARGIN;
    spec.plus = plus;
    spec.minus = minus;
    spec.missing = &missing;
    spec.extra = p->ties_differ ? "tie densities differ" : "";
    TRY(agree_add(g, &spec, inf, &p->entry[which], err));
    if (leads) p->lead = inf->estimate;
done:
    return status;
}

/* Both sides saw the same draws, so replicates subtracted one by one are paired. Influences, which
 * cost one evaluation for each cluster, are there only where few clusters or an option ask for
 * them. */
static tare_status subtract(inference *out, const side *a, const side *b, size_t which,
                            const sample *common, arena *keep, tare_error *err)
{
    const inference *x = &a->stat[which], *y = &b->stat[which];
    const infer_plan *plan = &common->set->plan;
    const char *reason = x->reason[0] ? x->reason : y->reason;
    if (!x->replicates || !y->replicates) {
        *out = inference_none(reason);
        out->estimate = x->estimate - y->estimate;
        return TARE_OK;
    }
    if (x->influence && y->influence)
        return infer_difference(out, x, y, plan, true, keep, err);
    tare_status status = infer_difference(out, x, y, plan, false, keep, err);
    if (status) return status;
    out->clusters = common->clusters;
    out->df = (double)common->clusters - 1;
    out->zero_variance = out->estimate == 0 && out->lo == 0 && out->hi == 0;
    return TARE_OK;
}

static tare_status compare(agree *g, agree_pair *p, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    sample common;
    side a, b;
    double estimate[COMPARED] = {NAN, NAN};
    arena own;
    arena_init(&own, g->m);
    agree_view *both[2] = {(agree_view *)p->a, (agree_view *)p->b};
    TRY(common_rows(&common, g, both, 2, &own, err));
    p->n = common.n;
    p->lead = NAN;
    p->ties_differ = !g->o.labels && ties_differ(p->a, p->b);
    if (common.set) {
        TRY(side_make(&a, g, p->a, &common, &own, err));
        TRY(side_make(&b, g, p->b, &common, &own, err));
    }
    bool none = !p->a->s.n || !p->b->s.n;
    for (size_t k = 0; k < (g->o.labels ? 1 : COMPARED); k++) {
        inference d = inference_none(none ? REASON_NO_SCORES : REASON_NO_COMMON_ROWS);
        if (common.set) TRY(subtract(&d, &a, &b, k, &common, keep, err));
        d.n = common.n;
        TRY(enter_difference(g, p, k, &d, err));
        estimate[k] = d.estimate;
    }
    /* Which of two judges is closer must not depend on how coarse their scores are (ours). */
    p->orders_differ = p->ties_differ && estimate[0] * estimate[1] < 0;
    if (p->orders_differ)
        for (size_t k = 0; k < COMPARED; k++)
            g->b.entries[p->entry[k]].condition_note = NOTE_ORDERS_DIFFER;
done:
    arena_free(&own);
    return status;
}

/* ---- who is first --------------------------------------------------------------------------- */

/* Shares of the replicates in which each of the sides leads; equal ones share. */
static void count_first(double *share, const side *sides, size_t count, uint32_t replicates)
{
    size_t defined = 0;
    for (uint32_t r = 0; r < replicates; r++) {
        double best = NAN;
        size_t ties = 0;
        bool whole = true;
        for (size_t k = 0; k < count; k++) {
            double x = sides[k].stat[0].replicates[r];
            whole = whole && !isnan(x);
            if (!(x <= best)) {
                best = x;
                ties = 1;
            } else if (x == best) {
                ties++;
            }
        }
        if (!whole) continue;
        defined++;
        for (size_t k = 0; k < count; k++)
            if (sides[k].stat[0].replicates[r] == best) share[k] += 1.0 / (double)ties;
    }
    for (size_t k = 0; k < count; k++) share[k] = defined ? share[k] / (double)defined : NAN;
}

/* Judges of a layer that have an answer. */
static size_t answered(agree_view **out, agree *g, size_t layer)
{
    size_t judges = g->t.judge.count, n = 0;
    for (size_t j = 0; j < judges; j++) {
        agree_view *v = &g->view[layer * judges + j];
        const inference *x = &v->stat[agree_headline(g, 0)];
        if (x->replicates && !x->reason[0]) out[n++] = v;
    }
    return n;
}

static tare_status rank(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count;
    agree_view **views = mem_new(g->m, judges + 1, sizeof *views);
    side *sides = mem_new(g->m, judges + 1, sizeof *sides);
    double *share = mem_new(g->m, judges + 1, sizeof *share);
    arena own;
    arena_init(&own, g->m);
    if (!views || !sides || !share) FAIL_MEMORY(err);
    size_t n = answered(views, g, layer);
    sample common;
    if (n < 2) goto done;
    TRY(common_rows(&common, g, views, n, &own, err));
    if (!common.set) goto done;
    for (size_t k = 0; k < n; k++) {
        TRY(side_make(&sides[k], g, views[k], &common, &own, err));
        if (agree_headline(g, 0) == STAT_TAU_C) sides[k].stat[0] = sides[k].stat[1];
        if (!sides[k].stat[0].replicates) goto done;
    }
    count_first(share, sides, n, g->b.o.boot_b);
    for (size_t k = 0; k < n; k++) {
        entry_spec spec = agree_entry(g, views[k]->layer, "pairs", views[k]->name,
                                      "probability_first");
        TRY_NEW(spec.condition = arena_printf(&g->out->a, "of %zu judges, %zu rows that all have",
                                              n, common.n));
        views[k]->first = share[k];
        views[k]->first_rows = common.n;
        TRY(book_number(&g->b, &spec, share[k], err));
    }
done:
    arena_free(&own);
    mem_free(g->m, views);
    mem_free(g->m, sides);
    mem_free(g->m, share);
    return status;
}

/* ---- who stands where ----------------------------------------------------------------------- */

typedef struct standing {
    const agree_view *v;
    size_t won, lost;          /* of the comparisons */
    double lead;               /* their sum          */
} standing;

static bool stands_before(const standing *a, const standing *b, size_t stat)
{
    size_t x = a->won + b->lost, y = b->won + a->lost;
    if (x != y) return x > y;
    if (a->lead != b->lead) return a->lead > b->lead;
    return a->v->stat[stat].estimate > b->v->stat[stat].estimate;
}

tare_status agree_order(const agree_view **views, size_t n, const agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t stat = agree_headline(g, 0);
    standing *s;
    TRY_NEW(s = mem_new(g->m, n + 1, sizeof *s));
    for (size_t i = 0; i < n; i++) {
        standing x = {views[i], 0, 0, 0};
        for (size_t j = 0; j < n; j++) {
            double d = agree_lead(g, views[i], views[j]);
            if (isnan(d)) continue;
            x.won += d > 0;
            x.lost += d < 0;
            x.lead += d;
        }
        size_t at = i;
        for (; at > 0 && stands_before(&x, &s[at - 1], stat); at--) s[at] = s[at - 1];
        s[at] = x;
    }
    for (size_t i = 0; i < n; i++) views[i] = s[i].v;
done:
    mem_free(g->m, s);
    return status;
}

/* What is shown first of the pairs: those of the best judge, by the statistic that leads. */
static tare_status show_best(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count, stat = agree_headline(g, 0);
    const agree_view **views = mem_new(g->m, judges + 1, sizeof *views);
    if (!views) FAIL_MEMORY(err);
    for (size_t l = 0; l < g->layers; l++) {
        size_t n = 0;
        for (size_t j = 0; j < judges; j++) {
            const agree_view *v = &g->view[l * judges + j];
            if (!isnan(v->stat[stat].estimate)) views[n++] = v;
        }
        TRY(agree_order(views, n, g, err));
        for (size_t k = 1; k < n; k++) {
            const agree_pair *p = agree_pair_of(g, views[0], views[k]);
            book_reading(&g->b, p->entry[stat == STAT_TAU_C ? 1 : 0])->detail = 0;
        }
    }
done:
    mem_free(g->m, views);
    return status;
}

tare_status agree_pairs_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count, all = g->layers * (judges * (judges - 1) / 2);
    arena *keep = all <= PAIRS_KEPT ? g->a : NULL;
    if (judges < 2) return TARE_OK;
    TRY_NEW(g->pair = arena_new(g->a, all + 1, sizeof *g->pair));
    for (size_t l = 0; l < g->layers; l++) {
        for (size_t i = 0; i < judges; i++)
            for (size_t j = i + 1; j < judges; j++) {
                agree_pair *p = &g->pair[g->pairs++];
                *p = (agree_pair){.a = &g->view[l * judges + i], .b = &g->view[l * judges + j],
                                  .entry = {BOOK_NONE, BOOK_NONE}};
                TRY(context_check(g->context, err));
                TRY(compare(g, p, keep, err));
            }
        TRY(rank(g, l, err));
    }
    TRY(show_best(g, err));
done:
    return status;
}

/* The place of i < j among the pairs of J judges. */
static size_t place_of(size_t i, size_t j, size_t judges)
{
    return i * (2 * judges - i - 1) / 2 + (j - i - 1);
}

const agree_pair *agree_pair_of(const agree *g, const agree_view *a, const agree_view *b)
{
    size_t judges = g->t.judge.count, layer = (size_t)(a->layer - g->layer);
    size_t i = a->judge < b->judge ? a->judge : b->judge;
    size_t j = a->judge < b->judge ? b->judge : a->judge;
    if (g->pairs == 0 || a == b || a->layer != b->layer) return NULL;
    return &g->pair[layer * (judges * (judges - 1) / 2) + place_of(i, j, judges)];
}

double agree_lead(const agree *g, const agree_view *a, const agree_view *b)
{
    const agree_pair *p = agree_pair_of(g, a, b);
    return !p ? NAN : p->a == a ? p->lead : -p->lead;
}

void agree_pairs_cap(agree *g)
{
    size_t stat = agree_headline(g, 0);
    for (size_t k = 0; k < g->pairs; k++) {
        const agree_pair *p = &g->pair[k];
        bool capped = g->b.entries[p->a->entry[stat]].capped ||
                      g->b.entries[p->b->entry[stat]].capped;
        for (size_t i = 0; i < COMPARED; i++)
            if (capped && p->entry[i] != BOOK_NONE) g->b.entries[p->entry[i]].capped = true;
    }
}
