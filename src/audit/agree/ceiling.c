/* How well do people follow people, and how far is the judge from that? (judge audits C.5, ours)
 *
 * Each rater in turn is the rater left out; the target is the sum of the others. The human value is
 * the mean over raters of tau(rater left out, target); the matched value of a judge is the mean of
 * tau(judge, target) over the same targets: judge and rater face the same gold. All of it is one
 * evaluation per set of weights, so ratio and difference are paired.
 *
 * tau_b leads whatever the protocol's headline is: a judge of many values and a rater of four have
 * other ties, and tau_c would credit the finer one for that. tau_c is printed beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/rank.h"
#include "stats/verdict.h"

enum { PEOPLE_PAIR_B, PEOPLE_PAIR_C, PEOPLE_LEFT_B, PEOPLE_LEFT_C, PEOPLE_FIXED };
enum { JUDGE_B, JUDGE_C, DIFF_B, DIFF_C, RATIO_B, RATIO_C, JUDGE_FIXED };

/* Slots of raters: complete rows of `slots` ratings each. */
typedef struct slot_table {
    size_t slots, units;
    bool hashed;
    uint32_t *rater;           /* [slots] of the score table, unless hashed            */
    double *x;                 /* [units][slots]                                       */
    uint32_t *unit;            /* [units] of the score table                           */
    uint32_t *cluster;         /* [units] of the score table                           */
} slot_table;

typedef struct ceiling_user {
    size_t slots, pairs;
    kendall_rows **pair;       /* [pairs] rater against rater                          */
    kendall_rows **left;       /* [slots] rater against the others                     */
    kendall_rows **judge;      /* [slots] judge against the others; NULL: people only  */
    size_t clusters, outputs;
} ceiling_user;

/* ---- slots ---------------------------------------------------------------------------------- */

typedef struct rater_hash { uint64_t hash; size_t rater; } rater_hash;

static int by_hash(const void *a, const void *b)
{
    const rater_hash *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->rater < y->rater ? -1 : x->rater > y->rater;
}

static size_t ratings_in(const agree_layer *l, size_t unit, const rater_hash *order, size_t raters)
{
    size_t n = 0;
    for (size_t k = 0; k < raters; k++)
        n += isnan(l->rating[unit * l->raters + order[k].rater]) ? 0 : 1;
    return n;
}

/* The number of slots that uses most ratings: slots x units with that many. */
static size_t best_slots(const agree_layer *l, const rater_hash *order, size_t raters)
{
    size_t with[AGREE_SLOTS + 1] = {0}, best = 0, used = 0;
    for (size_t i = 0; i < l->units; i++) {
        size_t n = ratings_in(l, i, order, raters);
        for (size_t k = 2; k <= AGREE_SLOTS && k <= n; k++) with[k]++;
    }
    for (size_t k = 2; k <= AGREE_SLOTS; k++)
        if (k * with[k] > used) {
            used = k * with[k];
            best = k;
        }
    return best;
}

/* Has this rater given two different ratings? Nothing can agree with one who has not. */
static bool varies(const agree_layer *l, size_t rater)
{
    double first = NAN;
    for (size_t i = 0; i < l->units; i++) {
        double x = l->rating[i * l->raters + rater];
        if (isnan(x)) continue;
        if (!isnan(first) && x != first) return true;
        first = x;
    }
    return false;
}

/* Raters who vary, in the order of the slots; the names of the others are noted (ours). */
static tare_status order_raters(rater_hash *order, size_t *count, slot_table *t, agree *g,
                                const agree_layer *l, tare_error *err)
{
    tare_status status = TARE_OK;
    agree_people *p = &g->people[l - g->layer];
    bool complete = true;
    p->constant = "";
    for (size_t r = 0; r < l->raters; r++) {
        const char *name = g->t.rater.name[r];
        if (varies(l, r)) {
            order[(*count)++] = (rater_hash){0, r};
            continue;
        }
        if (p->constants++ < AGREE_SLOTS)
            TRY_NEW(p->constant = arena_printf(&g->out->a, "%s%s%s", p->constant,
                                               p->constant[0] ? ", " : "", name));
    }
    for (size_t i = 0; i < l->units && complete; i++)
        complete = ratings_in(l, i, order, *count) == *count;
    t->hashed = !complete || *count > AGREE_SLOTS;
    for (size_t k = 0; k < *count && t->hashed; k++) {
        const char *name = g->t.rater.name[order[k].rater];
        order[k].hash = rng_h64(name, strlen(name));
    }
    qsort(order, *count, sizeof *order, by_hash);
    p->complete = complete;
done:
    return status;
}

/* Ratings of a unit go to its slots in the order of the raters' hashes; the rest is not used. */
static tare_status make_slots(slot_table *t, agree *g, const agree_layer *l, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t raters = 0;
    rater_hash *order = NULL;
    memset(t, 0, sizeof *t);
    TRY_NEW(order = mem_new(g->m, l->raters, sizeof *order));
    TRY(order_raters(order, &raters, t, g, l, err));
    if (raters < 2) goto done;
    t->slots = t->hashed ? best_slots(l, order, raters) : raters;
    if (t->slots == 0) goto done;
    TRY_NEW(t->x = arena_new(g->a, l->units * t->slots + 1, sizeof *t->x));
    TRY_NEW(t->rater = arena_new(g->a, t->slots, sizeof *t->rater));
    TRY_NEW(t->unit = arena_new(g->a, l->units + 1, sizeof *t->unit));
    TRY_NEW(t->cluster = arena_new(g->a, l->units + 1, sizeof *t->cluster));
    for (size_t k = 0; k < t->slots; k++) t->rater[k] = (uint32_t)order[k].rater;
    for (size_t i = 0; i < l->units; i++) {
        if (ratings_in(l, i, order, raters) < t->slots) continue;
        double *x = t->x + t->units * t->slots;
        size_t at = 0;
        for (size_t k = 0; k < raters && at < t->slots; k++) {
            double value = l->rating[i * l->raters + order[k].rater];
            if (!isnan(value)) x[at++] = value;
        }
        t->unit[t->units] = l->kept[i];
        t->cluster[t->units++] = l->kept_cluster[i];
    }
done:
    mem_free(g->m, order);
    return status;
}

/* Units of the layer that a judge has no place in, or no score for. */
static missing_counts missing_of(const agree *g, const agree_layer *l, const slot_table *t,
                                 const size_t *judge)
{
    missing_counts m = agree_missing(g, l, (unit_list){t->unit, t->units}, judge, judge ? 1 : 0);
    m.expected += l->units - t->units;
    m.by_reason[TARE_R_MISSING] += l->units - t->units; /* too few ratings */
    return m;
}

/* ---- one evaluation ------------------------------------------------------------------------- */

/* Means over the pairs of columns; tau_b of each into `each`, if it is not NULL. */
static void mean_tau(double mean[2], double *each, kendall_rows *const *rows, size_t count,
                     const uint8_t *w, void *scratch)
{
    mean[0] = mean[1] = 0;
    for (size_t k = 0; k < count; k++) {
        kendall t;
        kendall_clustered(&t, rows[k], w, scratch);
        if (each) each[k] = t.tau_b;
        mean[0] += t.tau_b;
        mean[1] += t.tau_c;
    }
    mean[0] /= (double)count;
    mean[1] /= (double)count;
}

/* The same for KENDALL_LANES sets; `step`: from the values of one set to those of the next. */
static void mean_tau_lanes(double *mean, double *each, size_t step, kendall_rows *const *rows,
                           size_t count, const kendall_sets *sets, void *scratch)
{
    for (size_t i = 0; i < KENDALL_LANES; i++) mean[i * step] = mean[i * step + 1] = 0;
    for (size_t k = 0; k < count; k++) {
        kendall t[KENDALL_LANES];
        kendall_lanes(t, rows[k], sets, scratch);
        for (size_t i = 0; i < KENDALL_LANES; i++) {
            if (each) each[i * step + k] = t[i].tau_b;
            mean[i * step] += t[i].tau_b;
            mean[i * step + 1] += t[i].tau_c;
        }
    }
    for (size_t i = 0; i < KENDALL_LANES; i++) {
        mean[i * step] /= (double)count;
        mean[i * step + 1] /= (double)count;
    }
}

static double ratio_of(double judge, double human)
{
    return human > 0 ? judge / human : NAN;
}

static void compare_judge(double *values, const double left[2])
{
    values[DIFF_B] = values[JUDGE_B] - left[0];
    values[DIFF_C] = values[JUDGE_C] - left[1];
    values[RATIO_B] = ratio_of(values[JUDGE_B], left[0]);
    values[RATIO_C] = ratio_of(values[JUDGE_C], left[1]);
}

static void evaluate(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const ceiling_user *u = user;
    if (!u->judge) {
        double *each = values + PEOPLE_FIXED;
        mean_tau(values + PEOPLE_LEFT_B, each, u->left, u->slots, w, scratch);
        mean_tau(values + PEOPLE_PAIR_B, each + u->slots, u->pair, u->pairs, w, scratch);
        return;
    }
    double left[2];
    mean_tau(left, NULL, u->left, u->slots, w, scratch);
    mean_tau(values + JUDGE_B, NULL, u->judge, u->slots, w, scratch);
    compare_judge(values, left);
}

static void evaluate_lanes(double *values, const uint8_t *lanes, const uint8_t *w,
                           const void *user, void *scratch)
{
    const ceiling_user *u = user;
    const kendall_sets sets = {lanes, w, u->clusters};
    if (!u->judge) {
        double *each = values + PEOPLE_FIXED;
        mean_tau_lanes(values + PEOPLE_LEFT_B, each, u->outputs, u->left, u->slots, &sets, scratch);
        mean_tau_lanes(values + PEOPLE_PAIR_B, each + u->slots, u->outputs, u->pair, u->pairs,
                       &sets, scratch);
        return;
    }
    double left[2 * KENDALL_LANES];
    mean_tau_lanes(left, NULL, 2, u->left, u->slots, &sets, scratch);
    mean_tau_lanes(values + JUDGE_B, NULL, u->outputs, u->judge, u->slots, &sets, scratch);
    for (size_t i = 0; i < KENDALL_LANES; i++)
        compare_judge(values + i * u->outputs, left + 2 * i);
}

static void user_free(ceiling_user *u)
{
    for (size_t k = 0; u->pair && k < u->pairs; k++) kendall_rows_free(u->pair[k]);
    for (size_t k = 0; u->left && k < u->slots; k++) kendall_rows_free(u->left[k]);
    for (size_t k = 0; u->judge && k < u->slots; k++) kendall_rows_free(u->judge[k]);
}

static tare_status rows_of(kendall_rows **out, agree *g, const sample *s, const double *x,
                           const double *y, tare_error *err)
{
    tare_status status = kendall_rows_new(out, x, y, s->n, g->m, err);
    return status ? status : kendall_rows_cluster(*out, s->cluster, err);
}

/* Columns of the sample: ratings by slot [slots][n], then what the others of each gave [slots][n].
 * Sums of whole numbers are exact; other sums are rounded to 12 digits. */
static void fill_columns(double *x, double *others, const slot_table *t, const sample *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const double *row = t->x + (size_t)s->row[i] * t->slots;
        for (size_t k = 0; k < t->slots; k++) {
            double sum = 0;
            for (size_t j = 0; j < t->slots; j++) sum += j == k ? 0 : row[j];
            x[k * s->n + i] = row[k];
            others[k * s->n + i] = rank_key(sum);
        }
    }
}

/* The objects that are evaluated; `key` [s->n]: the judge's ranking keys, or NULL. */
static tare_status user_make(ceiling_user *u, agree *g, const slot_table *t, const sample *s,
                             const double *key, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = s->n;
    double *x = NULL;
    u->slots = t->slots;
    u->pairs = key ? 0 : t->slots * (t->slots - 1) / 2;
    TRY_NEW(x = mem_new(g->m, 2 * t->slots * n, sizeof *x));
    double *others = x + t->slots * n;
    fill_columns(x, others, t, s);
    TRY_NEW(u->left = arena_new(g->a, t->slots, sizeof(kendall_rows *)));
    TRY_NEW(u->pair = arena_new(g->a, u->pairs + 1, sizeof(kendall_rows *)));
    for (size_t k = 0; k < t->slots; k++)
        TRY(rows_of(&u->left[k], g, s, x + k * n, others + k * n, err));
    for (size_t k = 0, at = 0; k < t->slots && !key; k++)
        for (size_t j = k + 1; j < t->slots; j++)
            TRY(rows_of(&u->pair[at++], g, s, x + k * n, x + j * n, err));
    if (!key) goto done;
    TRY_NEW(u->judge = arena_new(g->a, t->slots, sizeof(kendall_rows *)));
    for (size_t k = 0; k < t->slots; k++)
        TRY(rows_of(&u->judge[k], g, s, key, others + k * n, err));
done:
    mem_free(g->m, x);
    return status;
}

static tare_status infer_ceiling(inference *out, agree *g, ceiling_user *u, const sample *s,
                                 size_t outputs, tare_error *err)
{
    size_t bytes = 0;
    for (size_t k = 0; k < u->slots; k++) {
        size_t left = kendall_lanes_bytes(u->left[k]);
        size_t judge = u->judge ? kendall_lanes_bytes(u->judge[k]) : 0;
        bytes = left > bytes ? left : bytes;
        bytes = judge > bytes ? judge : bytes;
    }
    for (size_t k = 0; k < u->pairs; k++) {
        size_t pair = kendall_lanes_bytes(u->pair[k]);
        bytes = pair > bytes ? pair : bytes;
    }
    u->clusters = s->set->count;
    u->outputs = outputs;
    infer_weighted what = {.evaluate = evaluate, .evaluate_lanes = evaluate_lanes, .user = u,
                           .outputs = outputs, .scratch_bytes = bytes};
    return sample_infer(out, g, s, what, g->a, err);
}

/* ---- people --------------------------------------------------------------------------------- */

typedef struct people_row {
    const char *name, *condition;
    const missing_counts *missing;
} people_row;

static tare_status enter_people(agree *g, agree_layer *l, people_row row, const inference *inf,
                                size_t *entry, tare_error *err)
{
    entry_spec spec = agree_entry(g, l, "ceiling", "people", row.name);
    inference x = *inf;
    x.p = NAN; /* that people agree at all is not asked */
    spec.condition = row.condition;
    spec.descriptive = true;
    spec.detail = entry == NULL;
    spec.missing = row.missing;
    return agree_add(g, &spec, &x, entry, err);
}

static const char *slot_name(agree *g, const slot_table *t, size_t slot)
{
    return t->hashed ? arena_printf(&g->out->a, "slot %zu", slot + 1)
                     : g->t.rater.name[t->rater[slot]];
}

static tare_status report_people(agree *g, size_t layer, const slot_table *t,
                                 const inference *inf, tare_error *err)
{
    tare_status status = TARE_OK;
    agree_layer *l = &g->layer[layer];
    agree_people *p = &g->people[layer];
    missing_counts missing = missing_of(g, l, t, NULL);
    const char *pairs = "pairs of raters, mean", *left = "rater against the others, mean";
    size_t other, at = PEOPLE_FIXED;
    TRY(enter_people(g, l, (people_row){"tau_b", pairs, &missing}, &inf[PEOPLE_PAIR_B],
                     &p->pairwise, err));
    TRY(enter_people(g, l, (people_row){"tau_b", left, &missing}, &inf[PEOPLE_LEFT_B], &p->left_out,
                     err));
    TRY(enter_people(g, l, (people_row){"tau_c", pairs, &missing}, &inf[PEOPLE_PAIR_C], &other,
                     err));
    TRY(enter_people(g, l, (people_row){"tau_c", left, &missing}, &inf[PEOPLE_LEFT_C], &other,
                     err));
    const inference *band = &inf[PEOPLE_LEFT_B];
    p->band = band->estimate;
    p->band_lo = band->lo;
    p->band_hi = band->hi;
    for (size_t k = 0; k < t->slots; k++) {
        const char *condition, *a;
        TRY_NEW(a = slot_name(g, t, k));
        TRY_NEW(condition = arena_printf(&g->out->a, "%s against the others", a));
        TRY(enter_people(g, l, (people_row){"tau_b", condition, &missing}, &inf[at++], NULL, err));
    }
    for (size_t k = 0; k < t->slots; k++)
        for (size_t j = k + 1; j < t->slots; j++) {
            const char *condition, *a, *b;
            TRY_NEW(a = slot_name(g, t, k));
            TRY_NEW(b = slot_name(g, t, j));
            TRY_NEW(condition = arena_printf(&g->out->a, "%s and %s", a, b));
            TRY(enter_people(g, l, (people_row){"tau_b", condition, &missing}, &inf[at++], NULL,
                             err));
        }
done:
    return status;
}

static tare_status people_run(agree *g, size_t layer, const slot_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    agree_people *p = &g->people[layer];
    agree_layer *l = &g->layer[layer];
    ceiling_user u = {0};
    sample s;
    size_t outputs = PEOPLE_FIXED + t->slots + t->slots * (t->slots - 1) / 2;
    inference *inf;
    TRY_NEW(inf = arena_new(g->a, outputs, sizeof *inf));
    TRY(sample_make(&s, l, &(row_set){t->cluster, NULL, t->units}, g->a, err));
    TRY(user_make(&u, g, t, &s, NULL, err));
    TRY(infer_ceiling(inf, g, &u, &s, outputs, err));
    p->slots = t->slots;
    p->hashed = t->hashed;
    p->units = t->units;
    p->units_short = l->units - t->units;
    TRY(report_people(g, layer, t, inf, err));
done:
    user_free(&u);
    return status;
}

/* ---- judges --------------------------------------------------------------------------------- */

static tare_status enter_judge(agree *g, agree_view *v, const slot_table *t, const inference *inf,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    missing_counts missing = missing_of(g, v->layer, t, &v->judge);
    for (size_t both = 0; both < 2; both++) {
        bool use_c = both == 1, leads = both == 0;
        const struct { size_t at; const char *name, *condition; size_t *entry; } rows[] = {
            {use_c ? JUDGE_C : JUDGE_B, use_c ? "tau_c" : "tau_b", "matched to people",
             &v->matched},
            {use_c ? DIFF_C : DIFF_B, use_c ? "d_tau_c" : "d_tau_b", "less people",
             &v->ceiling_difference},
            {use_c ? RATIO_C : RATIO_B, use_c ? "tau_c_ratio" : "tau_b_ratio", "judge / people",
             &v->ceiling_ratio}};
        for (size_t k = 0; k < 3; k++) {
            entry_spec spec = agree_entry(g, v->layer, "ceiling", v->name, rows[k].name);
            bool tested = leads && k == 1;
            spec.condition = rows[k].condition;
            spec.descriptive = !tested;
            spec.detail = !leads;
            spec.grid = tested ? "ceiling" : "";
            spec.margin = tested ? AGREE_MARGIN : NAN;
            spec.plus = "follows people better than a single rater does";
            spec.minus = "follows people less well than a single rater does";
            spec.missing = &missing;
            spec.extra = t->hashed ? "raters hashed into slots" : "";
            inference x = inf[rows[k].at];
            if (k != 1) x.p = NAN; /* 0 is not what these are held against */
            TRY(agree_add(g, &spec, &x, leads ? rows[k].entry : NULL, err));
        }
    }
done:
    return status;
}

static tare_status judge_run(agree *g, agree_view *v, const slot_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    ceiling_user u = {0};
    inference inf[JUDGE_FIXED];
    sample s;
    bool *used = NULL;
    double *key = NULL;
    for (size_t k = 0; k < JUDGE_FIXED; k++) inf[k] = inference_none(REASON_NO_SCORES);
    TRY_NEW(used = mem_new(g->m, t->units + 1, sizeof *used));
    TRY_NEW(key = mem_new(g->m, t->units + 1, sizeof *key));
    for (size_t i = 0; i < t->units; i++)
        used[i] = !isnan(score_of_unit(&g->t, l->scores, t->unit[i])[v->judge]);
    TRY(sample_make(&s, l, &(row_set){t->cluster, used, t->units}, g->a, err));
    for (size_t i = 0; i < s.n; i++) {
        double x = score_of_unit(&g->t, l->scores, t->unit[s.row[i]])[v->judge];
        key[i] = g->t.reps > 1 ? rank_key(x) : x;
    }
    if (s.set) {
        TRY(user_make(&u, g, t, &s, key, err));
        TRY(infer_ceiling(inf, g, &u, &s, JUDGE_FIXED, err));
    }
    TRY(enter_judge(g, v, t, inf, err));
done:
    user_free(&u);
    mem_free(g->m, used);
    mem_free(g->m, key);
    return status;
}

static tare_status no_ceiling(agree *g, agree_layer *l, tare_error *err)
{
    const agree_people *p = &g->people[l - g->layer];
    inference inf = inference_none(p->constants ? REASON_DEGENERATE : REASON_ONE_RATER);
    size_t entry;
    return enter_people(g, l, (people_row){"tau_b", "rater against the others, mean", NULL}, &inf,
                        &entry, err);
}

tare_status agree_ceiling_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count;
    for (size_t k = 0; k < g->layers; k++) {
        slot_table t;
        agree_people *p = &g->people[k];
        p->pairwise = p->left_out = BOOK_NONE;
        p->band = p->band_lo = p->band_hi = NAN;
        if (g->o.labels || !g->layer[k].raters) continue;
        TRY(make_slots(&t, g, &g->layer[k], err));
        if (t.units == 0) {
            TRY(no_ceiling(g, &g->layer[k], err));
            continue;
        }
        TRY(people_run(g, k, &t, err));
        for (size_t j = 0; j < judges; j++) {
            TRY(context_check(g->context, err));
            TRY(judge_run(g, &g->view[k * judges + j], &t, err));
        }
    }
done:
    return status;
}
