/* From a score table to the rows of the protocol, each with its gold (judge audits C.1, C.3). */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

static const double *ratings_of(const agree *g, const score_layer *s, size_t unit)
{
    return s->rating + unit * g->t.rater.count;
}

/* A rating that the protocol does not know. */
static tare_status check_value(const agree *g, size_t unit, double x, tare_error *err)
{
    const protocol *p = g->o.protocol;
    const char *item = g->t.item.name[g->t.unit_item[unit]];
    if (x < p->least || x > p->most)
        return error_set(err, TARE_E_DATA, "agree.range", item,
                         "protocol %s: a human score of %g; it must lie between %g and %g", p->name,
                         x, p->least, p->most);
    if (p->whole && x != floor(x))
        return error_set(err, TARE_E_DATA, "agree.whole", item,
                         "protocol %s: a human score of %g; it must be a whole number", p->name, x);
    return TARE_OK;
}

static tare_status check_values(const agree *g, const score_layer *s, size_t unit, tare_error *err)
{
    tare_status status = TARE_OK;
    bool single = g->o.protocol->ratings > 0 || g->o.protocol->whole;
    if (single && s->rating) {
        for (size_t r = 0; r < g->t.rater.count; r++) {
            double x = ratings_of(g, s, unit)[r];
            if (!isnan(x)) TRY(check_value(g, unit, x, err));
        }
    } else if (s->gold && !isnan(s->gold[unit])) {
        TRY(check_value(g, unit, s->gold[unit], err));
    }
done:
    return status;
}

static size_t rating_count(const agree *g, const score_layer *s, size_t unit)
{
    size_t n = 0;
    if (!s->rating) return 0;
    for (size_t r = 0; r < g->t.rater.count; r++) n += isnan(ratings_of(g, s, unit)[r]) ? 0 : 1;
    return n;
}

/* Rows of ratings are complete in threes: an image with another number of them is skipped. In
 * columns a hole is an empty rating, and only its unit is left out. */
static tare_status skip_items(bool *skipped, const agree *g, const score_layer *s, tare_error *err)
{
    const protocol *p = g->o.protocol;
    if (p->gold != GOLD_EXACT || !g->o.human_file) return TARE_OK;
    size_t *count = mem_new(g->m, g->t.item.count + 1, sizeof *count);
    if (!count) return error_memory(err);
    for (size_t u = 0; u < g->t.units; u++)
        count[g->t.unit_item[u]] += rating_count(g, s, u);
    for (size_t i = 0; i < g->t.item.count; i++) skipped[i] = count[i] % p->ratings != 0;
    mem_free(g->m, count);
    return TARE_OK;
}

typedef enum unit_fate { UNIT_KEPT, UNIT_COPY, UNIT_NO_GOLD, UNIT_LEFT_OUT } unit_fate;

static unit_fate fate_of(const agree *g, const score_layer *s, const bool *skipped, size_t unit)
{
    const protocol *p = g->o.protocol;
    size_t ratings = rating_count(g, s, unit);
    if (g->copy && g->copy[unit]) return UNIT_COPY;
    bool gold = s->gold && !isnan(s->gold[unit]);
    bool any = p->ratings > 0 ? ratings > 0 : gold || (g->o.labels && ratings > 0);
    if (!any) return UNIT_NO_GOLD;
    if (skipped[g->t.unit_item[unit]]) return UNIT_LEFT_OUT;
    if (p->gold == GOLD_EXACT && ratings != p->ratings) return UNIT_LEFT_OUT;
    return UNIT_KEPT;
}

static void add_row(agree_layer *l, const agree *g, size_t unit, double gold, double key)
{
    l->unit[l->n] = (uint32_t)unit;
    l->cluster[l->n] = g->t.item_cluster[g->t.unit_item[unit]];
    l->gold[l->n] = gold;
    l->key[l->n++] = key;
}

/* Means only serve ranking here: sums of a fixed number of ratings are exact, other means are
 * rounded to 12 digits. */
static void add_rows(agree_layer *l, const agree *g, size_t unit)
{
    const protocol *p = g->o.protocol;
    const score_layer *s = l->scores;
    if (p->gold == GOLD_EACH) {
        for (size_t r = 0; r < g->t.rater.count; r++) {
            double x = ratings_of(g, s, unit)[r];
            if (!isnan(x)) add_row(l, g, unit, x, x);
        }
    } else if (p->gold == GOLD_EXACT) {
        double sum = 0;
        for (size_t r = 0; r < g->t.rater.count; r++) {
            double x = ratings_of(g, s, unit)[r];
            if (!isnan(x)) sum += x;
        }
        add_row(l, g, unit, sum / (double)p->ratings, sum);
    } else {
        double x = s->gold ? s->gold[unit] : NAN; /* NaN: labels on which raters differ */
        add_row(l, g, unit, x, s->rating && !g->o.labels ? rank_key(x) : x);
    }
}

static tare_status keep_ratings(agree_layer *l, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t raters = g->t.rater.count;
    if (!l->scores->rating || raters == 0) return TARE_OK;
    l->raters = raters;
    l->ratings_complete = true;
    TRY_NEW(l->rating = arena_new(g->a, l->units * raters + 1, sizeof *l->rating));
    for (size_t i = 0; i < l->units; i++) {
        size_t n = 0;
        for (size_t r = 0; r < raters; r++) {
            double x = ratings_of(g, l->scores, l->kept[i])[r];
            l->rating[i * raters + r] = x;
            n += !isnan(x);
        }
        if (n < raters) l->ratings_complete = false;
        if (i == 0 || n < l->least_ratings) l->least_ratings = n;
        if (n > l->most_ratings) l->most_ratings = n;
    }
done:
    return status;
}

/* Labels: gold is each rater in turn, as for kappa; else the column. */
static void describe_labels(agree_layer *l, agree *g)
{
    size_t raters = l->rating ? l->raters : 1, n = l->rating ? l->units : l->n, used = 0;
    double share = 0;
    for (size_t c = 0; c < g->t.label.count; c++) {
        bool met = false;
        for (size_t i = 0; i < n * raters && !met; i++)
            met = (l->rating ? l->rating[i] : l->gold[i]) == (double)c;
        l->distinct += met;
    }
    for (size_t r = 0; r < raters; r++) {
        double all = 0, tied = 0;
        for (size_t c = 0; c < g->t.label.count; c++) {
            double of = 0;
            for (size_t i = 0; i < n; i++)
                of += (l->rating ? l->rating[i * raters + r] : l->gold[i]) == (double)c;
            all += of;
            tied += of * (of - 1);
        }
        if (all < 2) continue;
        share += tied / (all * (all - 1));
        used++;
    }
    l->tied = used ? share / (double)used : 0;
}

/* Range of the human scores, number of distinct gold values, share of tied pairs, SD. */
static tare_status describe_gold(agree_layer *l, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const double *x = l->rating ? l->rating : l->gold;
    size_t n = l->rating ? l->units * l->raters : l->n;
    kendall k;
    l->least = l->most = NAN;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) continue;
        if (!(x[i] >= l->least)) l->least = x[i];
        if (!(x[i] <= l->most)) l->most = x[i];
    }
    l->tied = l->gold_sd = NAN;
    if (g->t.label.count) { /* names of categories have no order */
        describe_labels(l, g);
        return TARE_OK;
    }
    TRY(kendall_tau(&k, l->key, l->key, l->n, g->m, err));
    l->distinct = k.distinct_y;
    l->tied = k.pairs > 0 ? (double)k.tied_y / (double)k.pairs : 0; /* no pair is tied */
    l->gold_constant = l->n > 0 && l->distinct < 2;
    l->gold_sd = fmax(fabs(l->least), fabs(l->most)) <= SCORE_MOST ? moments_sd(l->gold, l->n, 1)
                                                                   : NAN;
done:
    return status;
}

static tare_status layer_names(agree_layer *l, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_layer *s = l->scores;
    l->arm = g->t.setting.count ? g->t.setting.name[s->setting] : "";
    l->dim = g->t.dim.count ? g->t.dim.name[s->dim] : "";
    l->label = "";
    if (g->t.layers > 1)
        TRY_NEW(l->label = arena_printf(&g->out->a, "%s%s%s", l->arm,
                                        l->arm[0] && l->dim[0] ? ", " : "", l->dim));
done:
    return status;
}

/* One joint resample for the layer: of the clusters that a kept unit is in. */
static tare_status draw_layer(agree_layer *l, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    bool *present = mem_new(g->m, g->t.cluster.count + 1, sizeof *present);
    if (!present) FAIL_MEMORY(err);
    for (size_t i = 0; i < l->units; i++) present[l->kept_cluster[i]] = true;
    TRY(cluster_set_of(&l->set, g, present, err));
done:
    mem_free(g->m, present);
    return status;
}

static tare_status open_layer(agree_layer *l, agree *g, size_t index, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_layer *s = &g->t.layer[index];
    size_t units = g->t.units, most = units;
    bool *skipped = NULL;
    memset(l, 0, sizeof *l);
    l->index = index;
    l->scores = s;
    TRY(layer_names(l, g, err));
    if (g->o.protocol->gold == GOLD_EACH) most = units * (g->t.rater.count + 1);
    TRY_NEW(skipped = mem_new(g->m, g->t.item.count + 1, sizeof *skipped));
    TRY_NEW(l->unit = arena_new(g->a, most + 1, sizeof *l->unit));
    TRY_NEW(l->cluster = arena_new(g->a, most + 1, sizeof *l->cluster));
    TRY_NEW(l->gold = arena_new(g->a, most + 1, sizeof *l->gold));
    TRY_NEW(l->key = arena_new(g->a, most + 1, sizeof *l->key));
    TRY_NEW(l->kept = arena_new(g->a, units + 1, sizeof *l->kept));
    TRY_NEW(l->kept_cluster = arena_new(g->a, units + 1, sizeof *l->kept_cluster));
    TRY(skip_items(skipped, g, s, err));
    for (size_t u = 0; u < units; u++) {
        TRY(check_values(g, s, u, err));
        switch (fate_of(g, s, skipped, u)) {
        case UNIT_COPY: l->copies++; continue;
        case UNIT_NO_GOLD: l->no_gold++; continue;
        case UNIT_LEFT_OUT: l->left_out++; continue;
        case UNIT_KEPT: break;
        }
        l->kept[l->units] = (uint32_t)u;
        l->kept_cluster[l->units++] = g->t.item_cluster[g->t.unit_item[u]];
        add_rows(l, g, u);
    }
    TRY(draw_layer(l, g, err));
    TRY(keep_ratings(l, g, err));
    TRY(describe_gold(l, g, err));
done:
    mem_free(g->m, skipped);
    return status;
}

static tare_status count_missing(agree *g, const agree_layer *l, tare_error *err)
{
    tare_status status = TARE_OK;
    const struct { size_t count; tare_reason reason; const char *example; } rows[] = {
        {l->no_gold, TARE_R_MISSING, g->gold_column ? "no gold score" : "no human score"},
        {l->copies, TARE_R_EXCLUDED, "the candidate equals one of its references"},
        {l->left_out, TARE_R_EXCLUDED, "the protocol leaves it out: not all ratings are there"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        result_missing *m;
        if (rows[k].count == 0) continue;
        TRY_NEW(m = result_add_missing(g->out));
        *m = (result_missing){.what = g->gold_column ? "gold score" : "human score",
                              .arm = l->arm, .instrument = "people", .group = l->dim,
                              .reason = rows[k].reason, .count = rows[k].count,
                              .of = g->t.units, .example = rows[k].example};
    }
done:
    return status;
}

/* Is there a human side, and one that fits the protocol? */
static tare_status check_human(const agree *g, tare_error *err)
{
    const protocol *p = g->o.protocol;
    bool gold = false, rating = false;
    for (size_t k = 0; k < g->t.layers; k++) {
        gold = gold || g->t.layer[k].gold;
        rating = rating || g->t.layer[k].rating;
    }
    if (!gold && !rating)
        return error_set(err, TARE_E_DATA, "agree.no_human", NULL,
                         "no human scores: name a column (--gold COLUMN), the raters' columns "
                         "(--raters h1,h2,h3) or a file of ratings (--human FILE)");
    if (p->ratings > 0 && !rating)
        return error_set(err, TARE_E_DATA, "agree.ratings", NULL,
                         "protocol %s needs the %zu ratings of single people: --raters or --human",
                         p->name, p->ratings);
    if (p->ratings > 0 && g->t.rater.count < p->ratings)
        return error_set(err, TARE_E_DATA, "agree.ratings", NULL,
                         "protocol %s needs %zu raters per row; there are %zu", p->name,
                         p->ratings, g->t.rater.count);
    if (p->gold == GOLD_SINGLE && g->t.rater.count > 1)
        return error_set(err, TARE_E_DATA, "agree.ratings", NULL,
                         "protocol %s has one rating per caption, not the mean of %zu raters: "
                         "--gold COLUMN", p->name, g->t.rater.count);
    return TARE_OK;
}

/* Rows of the protocol, and units, that have a score of the judge. */
static tare_status take_samples(agree_view *v, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    size_t most = l->n > l->units ? l->n : l->units;
    bool *used = mem_new(g->m, most + 1, sizeof *used);
    if (!used) FAIL_MEMORY(err);
    for (size_t i = 0; i < l->n; i++)
        used[i] = !isnan(score_of_unit(&g->t, l->scores, l->unit[i])[v->judge]);
    TRY(sample_make(&v->s, l, &(row_set){l->cluster, used, l->n}, g->a, err));
    for (size_t i = 0; i < l->units; i++)
        used[i] = !isnan(score_of_unit(&g->t, l->scores, l->kept[i])[v->judge]);
    TRY(sample_make(&v->u, l, &(row_set){l->kept_cluster, used, l->units}, g->a, err));
done:
    mem_free(g->m, used);
    return status;
}

static tare_status open_view(agree_view *v, agree *g, agree_layer *l, size_t judge,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    memset(v, 0, sizeof *v);
    v->layer = l;
    v->judge = judge;
    v->name = g->t.judge.name[judge];
    v->missing = agree_missing(g, l, (unit_list){l->unit, l->n}, &judge, 1);
    v->missing_units = agree_missing(g, l, (unit_list){l->kept, l->units}, &judge, 1);
    v->first = v->inside = NAN;
    v->leniency = v->exact = v->matched = v->ceiling_difference = v->ceiling_ratio = BOOK_NONE;
    for (size_t k = 0; k < STATS; k++) v->entry[k] = BOOK_NONE;
    TRY(take_samples(v, g, err));
    TRY_NEW(v->x = arena_new(g->a, v->s.n + 1, sizeof *v->x));
    TRY_NEW(v->key = arena_new(g->a, v->s.n + 1, sizeof *v->key));
    TRY_NEW(v->gold = arena_new(g->a, v->s.n + 1, sizeof *v->gold));
    TRY_NEW(v->gold_key = arena_new(g->a, v->s.n + 1, sizeof *v->gold_key));
    size_t inside = 0;
    for (size_t i = 0; i < v->s.n; i++) {
        size_t row = v->s.row[i];
        double x = score_of_unit(&g->t, l->scores, l->unit[row])[judge];
        v->x[i] = x;
        v->key[i] = g->t.reps > 1 ? rank_key(x) : x;
        v->gold[i] = l->gold[row];
        v->gold_key[i] = l->key[row];
        inside += x >= l->least && x <= l->most;
        v->too_large = v->too_large || fabs(x) > SCORE_MOST || fabs(l->gold[row]) > SCORE_MOST;
    }
    if (v->s.n) v->inside = (double)inside / (double)v->s.n;
    v->same_scale = g->o.labels || strcmp(g->o.scale, "same") == 0 ||
                    (strcmp(g->o.scale, "auto") == 0 && v->inside >= AGREE_SAME_SCALE);
done:
    return status;
}

/* Columns of people that say nothing at all are no human side. */
static tare_status check_ratings(const agree *g, tare_error *err)
{
    for (size_t k = 0; k < g->layers; k++)
        if (g->layer[k].no_gold < g->t.units) return TARE_OK;
    return error_set(err, TARE_E_DATA, "agree.no_human", NULL,
                     "no human rating: all of them are empty (are the columns of people the right "
                     "ones? --gold, --raters, --human)");
}

const char *agree_whom(const agree *g)
{
    return g->gold_column ? "the gold column" : "people";
}

const char *agree_whom_named(agree *g)
{
    if (!g->gold_column || strcmp(g->gold_column, "gold") == 0) return agree_whom(g);
    return arena_printf(&g->out->a, "the gold column %s", g->gold_column);
}

/* Does the name of a column say that people gave what is in it? (ours) */
static bool names_people(const char *column)
{
    static const char *const words[] = {"human", "people", "person", "rater", "annotat", "crowd"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasestr(column, words[k])) return true;
    return false;
}

/* The gold column as the load of the table wrote it down: "ref (by option)". A named protocol is of
 * people by what it is. */
static tare_status find_gold_column(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!protocol_is_custom(g->o.protocol) || g->t.rater.count > 0 || g->o.human_file) goto done;
    for (size_t k = 0; k < g->out->fact_count; k++) {
        const result_fact *f = &g->out->facts[k];
        if (strcmp(f->section, "Columns") != 0 || strcmp(f->key, "gold") != 0) continue;
        const char *end = strstr(f->value, " (by "), *name;
        size_t size = end ? (size_t)(end - f->value) : strlen(f->value);
        TRY_NEW(name = arena_printf(&g->out->a, "%.*s", (int)size, f->value));
        g->gold_column = names_people(name) ? NULL : name;
    }
done:
    return status;
}

tare_status agree_open(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count;
    TRY(check_human(g, err));
    TRY(find_gold_column(g, err));
    g->layers = g->t.layers;
    g->views = g->layers * judges;
    TRY_NEW(g->layer = arena_new(g->a, g->layers + 1, sizeof *g->layer));
    TRY_NEW(g->people = arena_new(g->a, g->layers + 1, sizeof *g->people));
    TRY_NEW(g->view = arena_new(g->a, g->views + 1, sizeof *g->view));
    for (size_t k = 0; k < g->layers; k++) {
        TRY(open_layer(&g->layer[k], g, k, err));
        TRY(count_missing(g, &g->layer[k], err));
        for (size_t j = 0; j < judges; j++)
            TRY(open_view(&g->view[k * judges + j], g, &g->layer[k], j, err));
    }
    TRY(check_ratings(g, err));
done:
    return status;
}
