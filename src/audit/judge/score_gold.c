/* score_gold.c - the human or true score of a unit: one column, or columns of raters. */
#include <math.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

/* to[unit][width] of the rows of dimension `dim` gets the lane's values, which agree in a unit. */
static tare_status fill_constant(double *to, size_t width, score_build *b, const score_lane *lane,
                                 uint32_t dim, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < b->rows; i++) {
        if (lane->cell[i] != TABLE_OK || score_place(&b->dim, i) != dim) continue;
        double *x = &to[score_row_unit(b, i) * width];
        if (isnan(*x)) *x = lane->value[i];
        if (*x == lane->value[i]) continue;
        size_t first = 0;
        while (score_row_unit(b, first) != score_row_unit(b, i) ||
               score_place(&b->dim, first) != dim || lane->cell[first] != TABLE_OK)
            first++;
        TRY(score_conflict(b->t, "score.gold_varies", (const size_t[2]){first, i}, lane->column,
                           "give two human or true scores of one item, author and dimension",
                           err));
    }
done:
    return status;
}

double *score_new_values(score_build *b, size_t n)
{
    double *x = arena_new(b->a, n, sizeof *x);
    for (size_t k = 0; x && k < n; k++) x[k] = NAN;
    return x;
}

static bool whole(double x)
{
    return fabs(x) <= 4503599627370496.0 && x == floor(x); /* 2^52: sums of a few stay exact */
}

/* Whole ratings: sum / count, so that equal means are equal. Others: rounded to 12 digits. Of
 * labels: the one that all raters gave (ours). */
static double mean_rating(const double *rating, size_t raters, bool labels)
{
    neumaier sum = {0, 0};
    size_t n = 0;
    bool exact = true, alike = true;
    double first = NAN;
    for (size_t k = 0; k < raters; k++) {
        if (isnan(rating[k])) continue;
        if (n == 0) first = rating[k];
        alike = alike && rating[k] == first;
        exact = exact && whole(rating[k]);
        neumaier_add(&sum, rating[k]);
        n++;
    }
    if (n == 0) return NAN;
    if (labels) return alike ? first : NAN;
    if (alike) return first;
    double mean = neumaier_total(&sum) / (double)n;
    return exact ? mean : rank_key(mean);
}

void score_mean_ratings(score_build *b, double *gold, const double *rating)
{
    size_t raters = b->out->rater.count;
    for (size_t u = 0; u < b->out->units; u++)
        gold[u] = mean_rating(&rating[u * raters], raters, b->out->label.count > 0);
}

/* Layers of one dimension share what was made for the first of them. */
score_layer *score_same_dim(const score_table *t, size_t layer)
{
    for (size_t k = 0; k < layer; k++)
        if (t->layer[k].dim == t->layer[layer].dim) return &t->layer[k];
    return NULL;
}

static tare_status name_raters(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    name_axis *axis = &b->out->rater;
    TRY_NEW(axis->name = arena_new(b->a, b->raters, sizeof *axis->name));
    for (size_t k = 0; k < b->raters; k++) { /* few: by insertion */
        const char *name = table_column_name(b->t, b->rater[k].column);
        score_lane lane = b->rater[k];
        size_t at = k;
        for (; at > 0 && strcmp(axis->name[at - 1], name) > 0; at--) {
            axis->name[at] = axis->name[at - 1];
            b->rater[at] = b->rater[at - 1];
        }
        if (at > 0 && strcmp(axis->name[at - 1], name) == 0)
            FAIL(err, TARE_E_USAGE, "score.column_twice", table_name(b->t),
                 "column %s is named twice in --raters", score_shown(b, name));
        TRY_NEW(axis->name[at] = arena_copy(b->a, name));
        b->rater[at] = lane;
    }
    axis->count = b->raters;
done:
    return status;
}

static tare_status fill_ratings(score_build *b, score_layer *l, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t units = b->out->units;
    if (units > SCORE_CELLS_MAX / b->raters)
        FAIL(err, TARE_E_LIMIT, "score.ratings", table_name(b->t),
             "%zu items by authors and %zu raters are more than %zu ratings", units, b->raters,
             SCORE_CELLS_MAX);
    TRY_NEW(l->rating = score_new_values(b, units * b->raters));
    TRY_NEW(l->gold = score_new_values(b, units));
    for (size_t k = 0; k < b->raters; k++)
        TRY(fill_constant(l->rating + k, b->raters, b, &b->rater[k], l->dim, err));
    score_mean_ratings(b, l->gold, l->rating);
done:
    return status;
}

tare_status score_fill_gold(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    bool column = b->role[ROLE_GOLD].column != TABLE_NONE;
    if (!column && !b->raters) return TARE_OK;
    if (b->raters) TRY(name_raters(b, err));
    for (size_t k = 0; k < out->layers; k++) {
        score_layer *l = &out->layer[k], *same = score_same_dim(out, k);
        if (same) {
            l->gold = same->gold;
            l->rating = same->rating;
        } else if (b->raters) {
            TRY(fill_ratings(b, l, err));
        } else {
            TRY_NEW(l->gold = score_new_values(b, out->units));
            TRY(fill_constant(l->gold, 1, b, &b->gold, l->dim, err));
        }
    }
done:
    return status;
}
