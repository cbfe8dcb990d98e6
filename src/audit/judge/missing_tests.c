/* missing_tests.c - does what is missing depend on a factor? */
#include <math.h>
#include <string.h>

#include "audit/judge/missing_study.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/missing.h"
#include "stats/multiple.h"
#include "stats/permute_rows.h"
#include "stats/proportion.h"

static tare_status make_plan(permute_plan *p, missing_study *s, const char *base,
                             const name_axis *units, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t *h64;
    memset(p, 0, sizeof *p);
    TRY_NEW(h64 = arena_new(s->a, units->count, sizeof *h64));
    draws_hash(h64, units->name, units->count);
    TRY(draws_key(&p->key, s->b->o.seed, base, "perm", s->b->m, err));
    p->m = s->b->m;
    p->pool = s->b->context->pool;
    p->h64 = h64;
    p->clusters = units->count;
    p->replicates = s->b->o.perm_p;
done:
    return status;
}

/* ---- Within items ---------------------------------------------------------------------------- */

static bool varies_within_items(const missing_view *v, const missing_factor *f)
{
    for (size_t k = 0; k < v->t->item.count; k++) {
        uint32_t first = MISSING_NO_LEVEL;
        for (size_t i = v->start[k]; i < v->start[k + 1]; i++) {
            if (f->label[i] == MISSING_NO_LEVEL) continue;
            if (first == MISSING_NO_LEVEL) first = f->label[i];
            if (f->label[i] != first) return true;
        }
    }
    return false;
}

static size_t items_with_rows(const missing_view *v)
{
    size_t n = 0;
    for (size_t k = 0; k < v->t->item.count; k++) n += v->start[k + 1] > v->start[k];
    return n;
}

/* The view without the rows that have no level of this factor. */
static tare_status fill_holes(missing_view *out, uint32_t **label, missing_study *s,
                              const missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const missing_view *v = &s->view;
    *out = (missing_view){.t = v->t};
    TRY_NEW(out->start = arena_new(s->a, v->t->item.count + 1, sizeof *out->start));
    TRY_NEW(out->flag = arena_new(s->a, v->rows, sizeof *out->flag));
    TRY_NEW(*label = arena_new(s->a, v->rows, sizeof **label));
    for (size_t k = 0; k < v->t->item.count; k++) {
        out->start[k] = out->rows;
        for (size_t i = v->start[k]; i < v->start[k + 1]; i++) {
            if (f->label[i] == MISSING_NO_LEVEL) continue;
            out->flag[out->rows] = v->flag[i];
            (*label)[out->rows++] = f->label[i];
        }
    }
    out->start[v->t->item.count] = out->rows;
done:
    return status;
}

static tare_status test_alone(missing_study *s, missing_factor *f, const permute_plan *plan,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    missing_view v;
    uint32_t *label;
    TRY(fill_holes(&v, &label, s, f, err));
    const uint32_t *labels[] = {label};
    permute_rows_data d = {v.t->item.count, v.start, v.flag, labels, &f->levels, 1};
    TRY(permute_rows(&f->test, plan, &d, err));
    f->clusters = items_with_rows(&v);
done:
    return status;
}

/* All factors of which every row has a level share the draws. */
static tare_status test_within(missing_study *s, const bool *within, tare_error *err)
{
    tare_status status = TARE_OK;
    permute_plan plan;
    const uint32_t **label;
    size_t *levels, k = 0;
    permute_result *x;
    TRY(make_plan(&plan, s, "missing/items", &s->t->item, err));
    TRY_NEW(label = arena_new(s->a, s->factors, sizeof *label));
    TRY_NEW(levels = arena_new(s->a, s->factors, sizeof *levels));
    TRY_NEW(x = arena_new(s->a, s->factors, sizeof *x));
    for (size_t i = 0; i < s->factors; i++) {
        if (!within[i]) continue;
        if (s->factor[i].holes) {
            TRY(test_alone(s, &s->factor[i], &plan, err));
        } else {
            label[k] = s->factor[i].label;
            levels[k++] = s->factor[i].levels;
        }
    }
    if (k == 0) goto done;
    permute_rows_data d = {s->t->item.count, s->view.start, s->view.flag, label, levels, k};
    TRY(permute_rows(x, &plan, &d, err));
    k = 0;
    for (size_t i = 0; i < s->factors; i++) {
        if (!within[i] || s->factor[i].holes) continue;
        s->factor[i].test = x[k++];
        s->factor[i].clusters = items_with_rows(&s->view);
    }
done:
    return status;
}

/* ---- Over clusters --------------------------------------------------------------------------- */

typedef struct unit_sums { double *sum, *count; uint32_t *group; } unit_sums;

static tare_status sums_new(unit_sums *x, missing_study *s, size_t units, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(x->sum = arena_new(s->a, units, sizeof *x->sum));
    TRY_NEW(x->count = arena_new(s->a, units, sizeof *x->count));
    TRY_NEW(x->group = arena_new(s->a, units, sizeof *x->group));
    memset(x->group, 0xff, units * sizeof *x->group); /* OMNIBUS_NONE */
done:
    return status;
}

/* False where a unit has two levels. */
static bool fill_sums(unit_sums *x, const missing_study *s, const missing_factor *f,
                      const uint32_t *unit_of_item)
{
    const missing_view *v = &s->view;
    bool one = true;
    for (size_t k = 0; k < v->t->item.count; k++) {
        size_t at = unit_of_item ? unit_of_item[k] : k;
        for (size_t i = v->start[k]; i < v->start[k + 1]; i++) {
            if (f->label[i] == MISSING_NO_LEVEL) continue;
            one = one && (x->group[at] == OMNIBUS_NONE || x->group[at] == f->label[i]);
            x->group[at] = f->label[i];
            x->sum[at] += v->flag[i];
            x->count[at] += 1;
        }
    }
    return one;
}

/* The factor is constant within items. Labels move over clusters; where a cluster holds items of
 * several levels, over the items of each cluster. */
static tare_status test_over_clusters(missing_study *s, missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    permute_plan plan;
    unit_sums x;
    omnibus_result out;
    size_t units = t->cluster.count;
    TRY(sums_new(&x, s, units, err));
    if (fill_sums(&x, s, f, t->item_cluster)) {
        TRY(make_plan(&plan, s, "missing/clusters", &t->cluster, err));
    } else {
        units = t->item.count;
        TRY(sums_new(&x, s, units, err));
        fill_sums(&x, s, f, NULL);
        TRY(make_plan(&plan, s, "missing/items", &t->item, err));
        plan.stratum = t->item_cluster;
        plan.strata = t->cluster.count;
    }
    omnibus_column column = {x.sum, x.count, x.group, f->levels};
    TRY(permute_omnibus(&out, &plan, &column, 1, err));
    f->test = out.range;
    f->clusters = out.clusters;
    if (out.degenerate) /* all units miss the same share */
        f->test = (permute_result){.p = 1, .p_floor = 1 / ((double)plan.replicates + 1)};
done:
    return status;
}

/* ---- Beside the permutation ------------------------------------------------------------------ */

/* Levels by (with a score, without): Pearson's chi-square, or Fisher for small 2 x 2 tables. */
static tare_status describe(missing_study *s, missing_factor *f, tare_error *err)
{
    tare_status status = TARE_OK;
    double *table, *rates;
    size_t n = 0;
    TRY_NEW(table = arena_new(s->a, 2 * f->levels, sizeof *table));
    TRY_NEW(rates = arena_new(s->a, f->levels, sizeof *rates));
    for (size_t g = 0; g < f->levels; g++) {
        uint64_t all = missing_level_rows(f, g), used = f->count[g][TARE_R_NONE];
        rates[g] = missing_level_rate(f, g);
        if (!all) continue;
        if (n == 0 || rates[g] > rates[f->high]) f->high = g;
        if (n == 0 || rates[g] < rates[f->low]) f->low = g;
        table[2 * n] = (double)used;
        table[2 * n + 1] = (double)(all - used);
        n++;
    }
    f->spread = missing_rate_spread(rates, f->levels);
    chi_square x = chi_square_table(table, n, 2);
    bool small = n == 2 && x.least < 5;
    f->v = x.v;
    f->chi_df = small ? NAN : x.df;
    f->chi_p = small ? fisher_exact((uint64_t)table[0], (uint64_t)table[1], (uint64_t)table[2],
                                    (uint64_t)table[3])
                     : x.p;
    f->chi_method = small ? "Fisher" : "chi-square";
done:
    return status;
}

tare_status missing_test_factors(missing_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    bool *within;
    TRY_NEW(within = arena_new(s->a, s->factors + 1, sizeof *within));
    for (size_t k = 0; k < s->factors; k++) {
        missing_factor *f = &s->factor[k];
        if (f->too_many) continue;
        within[k] = varies_within_items(&s->view, f);
        TRY(describe(s, f, err));
        if (!within[k]) TRY(test_over_clusters(s, f, err));
    }
    TRY(test_within(s, within, err));
done:
    return status;
}

tare_status missing_adjust(missing_study *s, size_t studies, tare_error *err)
{
    tare_status status = TARE_OK;
    double *p;
    size_t n = 0;
    const book *b = s[0].b;
    for (size_t i = 0; i < studies; i++) n += s[i].factors;
    TRY_NEW(p = arena_new(s[0].a, n + 1, sizeof *p));
    n = 0;
    for (size_t i = 0; i < studies; i++)
        for (size_t k = 0; k < s[i].factors; k++)
            p[n++] = s[i].factor[k].too_many ? NAN : s[i].factor[k].test.p;
    TRY(multiple_adjust(p, NULL, p, n, MULTIPLE_BH, b->m, err));
    n = 0;
    for (size_t i = 0; i < studies; i++)
        for (size_t k = 0; k < s[i].factors; k++, n++) {
            missing_factor *f = &s[i].factor[k];
            f->q = p[n];
            f->informative = missing_informative(p[n], b->o.alpha, f->spread);
        }
done:
    return status;
}
