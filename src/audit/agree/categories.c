/* Labels and ratings as categories: kappa, the confusion matrix, exact agreement, and the mean
 * signed difference between judge and people (judge audits C.4). */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

#define NO_CODE UINT32_MAX

/* Place of x among values[k], ascending; k: none. */
static size_t place_of(const double *values, size_t k, double x)
{
    size_t lo = 0, hi = k;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (values[middle] < x) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

/* Add x to values, which are few and sorted. False: too many. */
static bool add_value(double *values, size_t *k, double x)
{
    size_t at = place_of(values, *k, x);
    if (at < *k && values[at] == x) return true;
    if (*k == AGREE_CATEGORIES) return false;
    memmove(values + at + 1, values + at, (*k - at) * sizeof *values);
    values[at] = x == 0 ? 0.0 : x;
    ++*k;
    return true;
}

/* What people said of a kept unit: ratings if there are any, else the gold. */
static double human_of(const agree_layer *l, size_t unit, size_t rater)
{
    return l->raters ? l->rating[unit * l->raters + rater] : l->gold[unit];
}

static bool are_pooled(const agree_layer *l)
{
    return l->raters > AGREE_SLOTS || (l->raters > 1 && !l->ratings_complete);
}

/* Are most of the values of a column whole numbers? */
static bool mostly_whole(const double *x, size_t n)
{
    size_t whole = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) continue;
        all++;
        whole += x[i] == floor(x[i]);
    }
    return (double)whole >= AGREE_SAME_SCALE * (double)all;
}

/* Grades in tenths are no categories of people who grade in whole numbers (ours). */
static bool one_grid(const agree *g, const agree_view *v)
{
    const agree_layer *l = v->layer;
    if (g->o.labels) return true;
    bool people = l->raters ? mostly_whole(l->rating, l->units * l->raters)
                            : mostly_whole(l->gold, l->n);
    return mostly_whole(v->x, v->s.n) == people;
}

tare_status categories_make(category_codes *out, agree *g, const agree_view *v, const sample *s,
                            arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    bool grid = one_grid(g, v), fits = s->n > 0 && grid;
    memset(out, 0, sizeof *out);
    out->raters = l->raters ? l->raters : 1;
    out->pooled = are_pooled(l);
    TRY_NEW(out->value = arena_new(keep, AGREE_CATEGORIES + 1, sizeof *out->value));
    for (size_t i = 0; i < s->n && fits; i++) {
        size_t row = s->row[i];
        double x = score_of_unit(&g->t, l->scores, l->kept[row])[v->judge];
        fits = add_value(out->value, &out->k, x);
        for (size_t r = 0; r < out->raters && fits; r++) {
            double y = human_of(l, row, r);
            fits = isnan(y) || add_value(out->value, &out->k, y);
        }
    }
    if (!fits) out->k = 0;
    if (!fits) out->reason = grid ? REASON_TOO_MANY_VALUES : REASON_OTHER_GRID;
    if (!fits) goto done;
    TRY_NEW(out->judge = arena_new(keep, s->n, sizeof *out->judge));
    TRY_NEW(out->rater = arena_new(keep, s->n * out->raters, sizeof *out->rater));
    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->row[i];
        double x = score_of_unit(&g->t, l->scores, l->kept[row])[v->judge];
        out->judge[i] = (uint32_t)place_of(out->value, out->k, x);
        for (size_t r = 0; r < out->raters; r++) {
            double y = human_of(l, row, r);
            out->rater[r * s->n + i] =
                isnan(y) ? NO_CODE : (uint32_t)place_of(out->value, out->k, y);
        }
    }
done:
    return status;
}

/* ---- kappa of two columns of codes under weights of clusters -------------------------------- */

typedef struct kappa_user {
    const category_codes *c;
    const sample *s;
} kappa_user;

/* Adds the counts of two columns to a table. */
static void count_pairs(double *table, const kappa_user *u, const uint32_t *a, const uint32_t *b,
                        const uint8_t *w)
{
    size_t k = u->c->k;
    for (size_t i = 0; i < u->s->n; i++) {
        if (a[i] == NO_CODE || b[i] == NO_CODE) continue;
        table[a[i] * k + b[i]] += w ? w[u->s->cluster[i]] : 1;
    }
}

static double exact_share(const double *table, size_t k)
{
    double hits = 0, all = 0;
    for (size_t i = 0; i < k * k; i++) all += table[i];
    for (size_t i = 0; i < k; i++) hits += table[i * k + i];
    return all > 0 ? hits / all : NAN;
}

/* Adds the four statistics of a table; one that is undefined makes the mean undefined. */
static void add_table(double *sums, const double *table, size_t k)
{
    static const kappa_weights kinds[3] = {KAPPA_NOMINAL, KAPPA_LINEAR, KAPPA_QUADRATIC};
    for (size_t j = 0; j < 3; j++) sums[j] += kappa_table(table, k, kinds[j]);
    sums[CAT_EXACT] += exact_share(table, k);
}

static void evaluate_judge(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const kappa_user *u = user;
    size_t k = u->c->k, tables = u->c->pooled ? 1 : u->c->raters;
    memset(values, 0, CATS * sizeof *values);
    memset(scratch, 0, k * k * sizeof(double));
    for (size_t r = 0; r < u->c->raters; r++) {
        if (!u->c->pooled) memset(scratch, 0, k * k * sizeof(double));
        count_pairs(scratch, u, u->c->judge, u->c->rater + r * u->s->n, w);
        if (!u->c->pooled || r + 1 == u->c->raters) add_table(values, scratch, k);
    }
    for (size_t j = 0; j < CATS; j++) values[j] /= (double)tables;
}

static void evaluate_people(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const kappa_user *u = user;
    size_t raters = u->c->raters, n = u->s->n, k = u->c->k;
    bool pooled = u->c->pooled;
    memset(values, 0, CATS * sizeof *values);
    memset(scratch, 0, k * k * sizeof(double));
    for (size_t r = 0; r < raters; r++)
        for (size_t q = r + 1; q < raters; q++) {
            if (!pooled) memset(scratch, 0, k * k * sizeof(double));
            count_pairs(scratch, u, u->c->rater + r * n, u->c->rater + q * n, w);
            if (!pooled) {
                add_table(values, scratch, k);
                continue;
            }
            /* Who of two is first means nothing: both orders. */
            count_pairs(scratch, u, u->c->rater + q * n, u->c->rater + r * n, w);
        }
    if (pooled) add_table(values, scratch, k);
    double tables = pooled ? 1 : (double)(raters * (raters - 1) / 2);
    for (size_t j = 0; j < CATS; j++) values[j] /= tables;
}

static tare_status infer_kappas(inference *out, agree *g, const kappa_user *u, bool people,
                                arena *keep, tare_error *err)
{
    infer_weighted what = {.evaluate = people ? evaluate_people : evaluate_judge, .user = u,
                           .outputs = CATS,
                           .scratch_bytes = u->c->k * u->c->k * sizeof(double)};
    return sample_infer(out, g, u->s, what, keep, err);
}

tare_status categories_infer(inference *out, agree *g, const sample *s, const category_codes *c,
                             arena *keep, tare_error *err)
{
    const char *reason = !s->set ? REASON_NO_SCORES : c->reason ? c->reason : "";
    for (size_t k = 0; k < CATS; k++) out[k] = inference_none(reason);
    if (!s->set || c->k == 0) return TARE_OK;
    return infer_kappas(out, g, &(kappa_user){c, s}, false, keep, err);
}

/* ---- readings ------------------------------------------------------------------------------- */

static const char *const kappa_names[CATS] = {"kappa", "kappa_linear", "kappa_quadratic",
                                              "exact_agreement"};

static size_t leading_kappa(const agree *g)
{
    if (strcmp(g->o.kappa, "linear") == 0) return CAT_LINEAR;
    if (strcmp(g->o.kappa, "quadratic") == 0) return CAT_QUADRATIC;
    return CAT_NOMINAL;
}

/* The condition of a reading on each rater in turn. */
static const char *against(const agree_layer *l)
{
    if (are_pooled(l)) return "all ratings";
    return l->raters > 1 ? "mean over raters" : l->raters == 1 ? "the rater" : "gold";
}

static tare_status enter_kappas(agree_view *v, agree *g, const inference *inf, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t leads = leading_kappa(g);
    for (size_t k = 0; k < CATS; k++) {
        entry_spec spec = agree_entry(g, v->layer, "categories", v->name, kappa_names[k]);
        bool tested = g->o.labels && k == leads;
        inference x = inf[k];
        size_t entry;
        if (k == CAT_EXACT) inference_share(&x);
        spec.condition = against(v->layer);
        spec.descriptive = !tested;
        spec.grid = tested ? "agreement" : "";
        spec.missing = &v->missing_units;
        spec.plus = g->gold_column ? "agrees with gold more often than chance"
                                   : "agrees with people more often than chance";
        spec.minus = g->gold_column ? "agrees with gold less often than chance"
                                    : "agrees with people less often than chance";
        if (!v->same_scale) spec.reason = REASON_OTHER_SCALE;
        TRY(agree_add(g, &spec, &x, &entry, err));
        if (k == CAT_EXACT) v->exact = entry;
        if (k != leads) continue;
        v->entry[STAT_KAPPA] = entry;
        v->stat[STAT_KAPPA] = inf[k];
    }
done:
    return status;
}

/* judge - people, in their unit: a judge can rank well and still be lenient by a constant. */
static tare_status enter_leniency(agree_view *v, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    double *d;
    bool can = v->s.set && v->same_scale && !v->too_large;
    inference inf = inference_none(!v->s.set         ? REASON_NO_SCORES
                                   : !v->same_scale ? REASON_OTHER_SCALE
                                                    : REASON_OUT_OF_RANGE);
    TRY_NEW(d = arena_new(g->a, v->s.n + 1, sizeof *d));
    for (size_t i = 0; i < v->s.n && can; i++) d[i] = v->x[i] - v->gold[i];
    if (can) {
        infer_column column = {d, NULL};
        TRY(infer_mean(&inf, &v->s.set->plan, &column, &(infer_rows){v->s.cluster, v->s.n}, g->a,
                       err));
    }
    entry_spec spec = agree_entry(g, l, "leniency", v->name, "leniency");
    spec.condition = "";
    spec.unit = "score";
    spec.grid = v->same_scale ? "leniency" : "";
    spec.descriptive = !v->same_scale;
    spec.margin = l->gold_sd > 0 ? AGREE_DRIFT_SD * l->gold_sd : NAN;
    spec.plus = g->gold_column ? "the judge gives more than the gold column"
                               : "the judge gives more than people do";
    spec.minus = g->gold_column ? "the judge gives less than the gold column"
                                : "the judge gives less than people do";
    spec.missing = &v->missing;
    TRY(agree_add(g, &spec, &inf, &v->leniency, err));
done:
    return status;
}

static const char *value_text(agree *g, double x)
{
    if (g->o.labels && x >= 0 && x < (double)g->t.label.count) return g->t.label.name[(size_t)x];
    return arena_printf(&g->out->a, "%.12g", x);
}

/* Rows of the confusion matrix: what people said, what the judge said, how often. */
static tare_status confusion(agree_view *v, agree *g, result_table *table,
                             const category_codes *c, tare_error *err)
{
    tare_status status = TARE_OK;
    double *counts;
    kappa_user u = {c, &v->u};
    TRY_NEW(counts = arena_new(g->a, c->k * c->k + 1, sizeof *counts));
    for (size_t r = 0; r < c->raters; r++)
        count_pairs(counts, &u, c->rater + r * v->u.n, c->judge, NULL);
    for (size_t i = 0; i < c->k; i++)
        for (size_t j = 0; j < c->k; j++) {
            cell *row;
            const char *human, *judge;
            TRY_NEW(human = value_text(g, c->value[i]));
            TRY_NEW(judge = value_text(g, c->value[j]));
            TRY_NEW(row = result_add_row(g->out, table));
            row[0] = (cell){CELL_TEXT, v->name, NAN, 0};
            row[1] = (cell){CELL_TEXT, v->layer->arm, NAN, 0};
            row[2] = (cell){CELL_TEXT, v->layer->dim, NAN, 0};
            row[3] = (cell){CELL_TEXT, human, NAN, 0};
            row[4] = (cell){CELL_TEXT, judge, NAN, 0};
            row[5] = (cell){CELL_INTEGER, "", NAN, (int64_t)counts[i * c->k + j]};
        }
done:
    return status;
}

static tare_status add_confusion(agree_view *v, agree *g, result_table **table,
                                 const category_codes *c, tare_error *err)
{
    static const char *const columns[] = {"judge", "setting", "dim", "people", "score", "count"};
    if (!*table)
        *table = result_add_table(g->out, "confusion",
                                  "What people said and what the judge said; each rater counts",
                                  columns, sizeof columns / sizeof *columns);
    return *table ? confusion(v, g, *table, c, err) : error_memory(err);
}

/* The human twin of the kappas, over the pairs of raters. */
static tare_status people_kappas(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    agree_layer *l = &g->layer[layer];
    category_codes c;
    inference inf[CATS];
    agree_people *people = &g->people[layer];
    people->kappa = BOOK_NONE;
    if (l->raters < 2 || l->raters > AGREE_SLOTS || l->units == 0) return TARE_OK;
    memset(&c, 0, sizeof c);
    c.raters = l->raters;
    c.pooled = are_pooled(l);
    bool fits = true;
    TRY_NEW(c.value = arena_new(g->a, AGREE_CATEGORIES + 1, sizeof *c.value));
    for (size_t i = 0; i < l->units * l->raters && fits; i++)
        fits = isnan(l->rating[i]) || add_value(c.value, &c.k, l->rating[i]);
    if (!fits) return TARE_OK; /* ratings on a fine scale are no categories */
    TRY_NEW(c.rater = arena_new(g->a, l->units * l->raters, sizeof *c.rater));
    for (size_t i = 0; i < l->units; i++)
        for (size_t r = 0; r < l->raters; r++) {
            double x = l->rating[i * l->raters + r];
            c.rater[r * l->units + i] = isnan(x) ? NO_CODE : (uint32_t)place_of(c.value, c.k, x);
        }
    sample s;
    TRY(sample_make(&s, l, &(row_set){l->kept_cluster, NULL, l->units}, g->a, err));
    TRY(infer_kappas(inf, g, &(kappa_user){&c, &s}, true, NULL, err));
    for (size_t k = 0; k < CATS; k++) {
        entry_spec spec = agree_entry(g, l, "categories", "people", kappa_names[k]);
        size_t entry;
        if (k == CAT_EXACT) inference_share(&inf[k]);
        spec.condition = c.pooled ? "all pairs of ratings" : "mean over pairs of raters";
        spec.descriptive = true;
        TRY(agree_add(g, &spec, &inf[k], &entry, err));
        if (k == leading_kappa(g)) people->kappa = entry;
    }
done:
    return status;
}

tare_status agree_categories_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *table = NULL;
    for (size_t k = 0; k < g->views; k++) {
        agree_view *v = &g->view[k];
        category_codes c = {0};
        inference inf[CATS];
        TRY(context_check(g->context, err));
        if (v->same_scale) TRY(categories_make(&c, g, v, &v->u, g->a, err));
        TRY(categories_infer(inf, g, &v->u, &c, g->a, err));
        if (!v->s.set)
            for (size_t i = 0; i < CATS; i++) inf[i] = inference_none(REASON_NO_SCORES);
        TRY(enter_kappas(v, g, inf, err));
        if (!g->o.labels) TRY(enter_leniency(v, g, err));
        if (c.k) TRY(add_confusion(v, g, &table, &c, err));
    }
    for (size_t l = 0; l < g->layers; l++) TRY(people_kappas(g, l, err));
done:
    return status;
}
