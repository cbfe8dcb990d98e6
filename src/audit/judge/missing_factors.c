#include "audit/judge/missing_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

uint64_t missing_level_rows(const missing_factor *f, size_t level)
{
    uint64_t n = 0;
    for (int r = 0; r < TARE_REASON_COUNT; r++) n += f->count[level][r];
    return n;
}

double missing_level_rate(const missing_factor *f, size_t level)
{
    uint64_t n = missing_level_rows(f, level);
    return n ? (double)(n - f->count[level][TARE_R_NONE]) / (double)n : NAN;
}

/* ---- From what a row is to its level --------------------------------------------------------- */

/* The level of each author, setting, ... and which of these a row has. */
typedef struct coding {
    const uint32_t *of; /* NULL: the index is the level */
    const char **level;
    size_t levels;
} coding;

static uint32_t index_of_row(const score_table *t, factor_kind kind, size_t row)
{
    switch (kind) {
    case FACTOR_JUDGE: return t->row_judge[row];
    case FACTOR_SETTING: return t->layer[t->row_layer[row]].setting;
    case FACTOR_DIM: return t->layer[t->row_layer[row]].dim;
    case FACTOR_REP: return t->row_rep[row];
    case FACTOR_LENGTH: return t->row_unit[row];
    case FACTOR_AUTHOR:
    case FACTOR_GROUPING: break;
    }
    return t->unit_author[t->row_unit[row]];
}

/* Appends the factor if two of its levels have rows. */
static tare_status add_factor(missing_factor *list, size_t *count, arena *a, const missing_view *v,
                              const coding *c, tare_error *err)
{
    tare_status status = TARE_OK;
    missing_factor *f = &list[*count];
    size_t used = 0;
    f->level = c->level;
    f->levels = c->levels;
    if (c->levels < 2) goto done;
    if (c->levels > MISSING_LEVELS_MAX) {
        f->too_many = true;
        *count += 1;
        goto done;
    }
    TRY_NEW(f->label = arena_new(a, v->rows, sizeof *f->label));
    TRY_NEW(f->count = arena_new(a, c->levels, sizeof *f->count));
    for (size_t i = 0; i < v->rows; i++) {
        uint32_t at = index_of_row(v->t, f->kind, v->row[i]);
        if (f->kind == FACTOR_REP && at == SCORE_NO_REP) {
            f->label[i] = MISSING_NO_LEVEL;
            f->holes = true;
            continue;
        }
        f->label[i] = c->of ? c->of[at] : at;
        f->count[f->label[i]][v->t->row_status[v->row[i]]]++;
    }
    for (size_t g = 0; g < f->levels; g++) used += missing_level_rows(f, g) > 0;
    *count += used > 1;
done:
    return status;
}

static tare_status add_axis(missing_factor *list, size_t *count, arena *a, const missing_view *v,
                            const name_axis *axis, tare_error *err)
{
    const coding c = {NULL, axis->name, axis->count};
    return add_factor(list, count, a, v, &c, err);
}

static tare_status add_reps(missing_factor *list, size_t *count, arena *a, const missing_view *v,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    coding c = {NULL, NULL, 0};
    for (size_t i = 0; i < v->rows; i++) {
        uint32_t rep = v->t->row_rep[v->row[i]];
        if (rep != SCORE_NO_REP && rep >= c.levels) c.levels = (size_t)rep + 1;
    }
    TRY_NEW(c.level = arena_new(a, MISSING_LEVELS_MAX, sizeof *c.level));
    for (size_t g = 0; g < c.levels && g < MISSING_LEVELS_MAX; g++)
        TRY_NEW(c.level[g] = arena_printf(a, "%zu", g));
    TRY(add_factor(list, count, a, v, &c, err));
done:
    return status;
}

/* ---- Length ---------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Tertiles over the units (ours); units without a length are a level of their own. */
static tare_status add_length(missing_factor *list, size_t *count, arena *a, const missing_view *v,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = v->t;
    double *sorted;
    size_t n = 0;
    uint32_t *of;
    char one[NUMBER_TEXT_MAX], two[NUMBER_TEXT_MAX];
    coding c = {NULL, NULL, 4};
    TRY_NEW(sorted = arena_new(a, t->units, sizeof *sorted));
    for (size_t u = 0; u < t->units; u++)
        if (isfinite(t->length[u])) sorted[n++] = t->length[u];
    if (n == 0) goto done;
    qsort(sorted, n, sizeof *sorted, by_value);
    double first = sorted[(n - 1) / 3], second = sorted[2 * (n - 1) / 3];
    TRY_NEW(c.of = of = arena_new(a, t->units, sizeof *of));
    for (size_t u = 0; u < t->units; u++) {
        double x = t->length[u];
        of[u] = !isfinite(x) ? 3 : x <= first ? 0 : x <= second ? 1 : 2;
    }
    number_format(first, one);
    number_format(second, two);
    TRY_NEW(c.level = arena_new(a, c.levels, sizeof *c.level));
    TRY_NEW(c.level[0] = arena_printf(a, "up to %s", one));
    TRY_NEW(c.level[1] = arena_printf(a, "above %s, up to %s", one, two));
    TRY_NEW(c.level[2] = arena_printf(a, "above %s", two));
    c.level[3] = "(none)";
    TRY(add_factor(list, count, a, v, &c, err));
done:
    return status;
}

/* ---- Groupings of the roster ----------------------------------------------------------------- */

/* An author of several values is of the level that names them all; one of none, or that is not in
 * the roster, of "(none)". */
static tare_status level_text(text *out, const score_table *t, size_t grouping, size_t author,
                              tare_error *err)
{
    size_t model = t->author_model[author];
    text_clear(out);
    if (model != ROSTER_NONE) {
        const roster_values *x = &t->models->models[model].group[grouping];
        for (size_t i = 0; i < x->count; i++) {
            if (i) text_add(out, "; ");
            text_add(out, x->value[i]);
        }
    }
    if (!out->length) text_add(out, "(none)");
    return out->failed ? error_memory(err) : TARE_OK;
}

static tare_status add_grouping(missing_factor *list, size_t *count, arena *a,
                                const missing_view *v, size_t grouping, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = v->t;
    uint32_t *of;
    coding c = {NULL, NULL, 0};
    map *names = NULL;
    text level;
    text_init(&level, a->m);
    TRY_NEW(names = map_new(a->m));
    TRY_NEW(c.of = of = arena_new(a, t->author.count, sizeof *of));
    for (size_t k = 0; k < t->author.count; k++) {
        TRY(level_text(&level, t, grouping, k, err));
        size_t at = map_add(names, level.data, level.length, NULL);
        if (at == SIZE_MAX) FAIL_MEMORY(err);
        of[k] = (uint32_t)at;
    }
    c.levels = map_count(names);
    TRY_NEW(c.level = arena_new(a, c.levels, sizeof *c.level));
    for (size_t g = 0; g < c.levels; g++)
        TRY_NEW(c.level[g] = arena_copy(a, map_key(names, g, NULL)));
    TRY(add_factor(list, count, a, v, &c, err));
done:
    map_free(names);
    text_free(&level);
    return status;
}

tare_status missing_factors_make(missing_factor **out, size_t *count, arena *a,
                                 const missing_view *v, factor_choice which, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = v->t;
    size_t groupings = t->models ? t->models->grouping_count : 0;
    missing_factor *x;
    static const char *const names[] = {"author", "judge", "setting", "dim"};
    const name_axis *const axes[] = {&t->author, &t->judge, &t->setting, &t->dim};
    *count = 0;
    TRY_NEW(x = *out = arena_new(a, 6 + groupings, sizeof *x));
    for (int i = which.within ? 0 : 2; i < (which.layers ? 4 : 2); i++) {
        x[*count] = (missing_factor){.kind = (factor_kind)i, .name = names[i]};
        TRY(add_axis(x, count, a, v, axes[i], err));
    }
    if (!which.within) goto done;
    x[*count] = (missing_factor){.kind = FACTOR_REP, .name = "rep"};
    if (t->reps > 1) TRY(add_reps(x, count, a, v, err));
    x[*count] = (missing_factor){.kind = FACTOR_LENGTH, .name = "length"};
    if (t->length) TRY(add_length(x, count, a, v, err));
    for (size_t g = 0; g < groupings; g++) {
        x[*count] = (missing_factor){.kind = FACTOR_GROUPING, .name = t->models->grouping[g]};
        TRY(add_grouping(x, count, a, v, g, err));
    }
done:
    return status;
}
