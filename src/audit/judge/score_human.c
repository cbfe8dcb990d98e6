/* score_human.c - human ratings in a file of their own: item, [author,] [dim,] rater, rating. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"

enum { HUMAN_ITEM, HUMAN_AUTHOR, HUMAN_DIM, HUMAN_RATER, HUMAN_RATING, HUMAN_ROLES };

/* The names of a role in this file: first what the column is called in the score table. */
static const char *names_of(score_build *b, int role, const char *others)
{
    size_t column = b->role[role].column;
    if (column == TABLE_NONE) return others;
    const char *same = table_column_name(b->t, column);
    return strchr(same, '|') ? others : arena_printf(&b->scratch, "%s|%s", same, others);
}

static tare_status say_guesses(score_build *b, const table_role *role, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < HUMAN_ROLES; k++) {
        if (role[k].column == TABLE_NONE) continue;
        const char *name = score_shown(b, table_column_name(b->human.t, role[k].column));
        if (!name) FAIL_MEMORY(err);
        TRY(score_fact(b, "Columns of the human file", role[k].role, name, err));
        if (role[k].found == TABLE_BY_GUESS)
            context_message(b->context, TARE_NOTE,
                            "of the human file column %s is taken for the %s", name, role[k].role);
    }
done:
    return status;
}

tare_status score_open_human(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_human *h = &b->human;
    bool authors = b->role[ROLE_AUTHOR].column != TABLE_NONE;
    if (!b->o->human) return TARE_OK;
    table_role role[HUMAN_ROLES] = {
        [HUMAN_ITEM] = {"item", names_of(b, ROLE_ITEM, "item|item_id|id|question_id|image"), NULL,
                        true, TABLE_TEXT, TABLE_NONE, TABLE_ABSENT},
        [HUMAN_AUTHOR] = {"author", names_of(b, ROLE_AUTHOR, "author|generator|writer|system|"
                          "source|candidate|model"), NULL, authors, TABLE_TEXT, TABLE_NONE,
                          TABLE_ABSENT},
        [HUMAN_DIM] = {"dim", names_of(b, ROLE_DIM, "dim|dimension|aspect|criterion|rubric"), NULL,
                       false, TABLE_TEXT, TABLE_NONE, TABLE_ABSENT},
        [HUMAN_RATER] = {"rater", "rater|rater_id|annotator|annotator_id|worker|worker_id", NULL,
                         false, TABLE_TEXT, TABLE_NONE, TABLE_ABSENT},
        [HUMAN_RATING] = {"rating", "rating|score|human_rating|human_score|human|gold|value|grade|"
                          "label", NULL, true, TABLE_NUMBER, TABLE_NONE, TABLE_ABSENT},
    };
    for (size_t k = 0; k < HUMAN_ROLES; k++)
        if (!role[k].names) FAIL_MEMORY(err);
    if (strcmp(b->o->human, "-") == 0 && b->path && strcmp(b->path, "-") == 0)
        FAIL(err, TARE_E_USAGE, "score.two_inputs", "-",
             "scores and human ratings cannot both come from standard input");
    if (!authors) role[HUMAN_AUTHOR].names = "";
    TRY(table_open(&h->t, b->m, b->context->pool, b->o->human, NULL, err));
    if (b->o->labels) role[HUMAN_RATING].kind |= TABLE_TEXT;
    TRY(table_load_roles(h->t, role, HUMAN_ROLES, err));
    h->item = role[HUMAN_ITEM].column;
    h->author = role[HUMAN_AUTHOR].column;
    h->dim = role[HUMAN_DIM].column;
    h->rater = role[HUMAN_RATER].column;
    h->rating = role[HUMAN_RATING].column;
    if (h->dim != TABLE_NONE && b->role[ROLE_DIM].column == TABLE_NONE)
        FAIL(err, TARE_E_DATA, "score.human_dim", table_name(h->t),
             "the human ratings have dimensions and the scores have none: name the scores' column "
             "with --dim");
    TRY(say_guesses(b, role, err));
done:
    return status;
}

/* ---- Matching ------------------------------------------------------------------- */

/* place[code] on an axis of the score table; SCORE_NO_CODE: not there. */
static tare_status match(score_codes *out, score_build *b, size_t column, const name_axis *axis,
                         bool model, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (score_codes){NULL, NULL, 1};
    if (column == TABLE_NONE) return TARE_OK;
    table_texts texts = table_text_column(b->human.t, column);
    out->codes = texts.codes;
    out->levels = texts.levels;
    TRY_NEW(out->place = arena_new(&b->scratch, texts.levels + 1, sizeof *out->place));
    for (uint32_t k = 0; k < texts.levels; k++) {
        const char *name = table_level(b->human.t, column, k, NULL);
        size_t at = score_find_name(axis, model ? score_model_name(b, name) : name);
        out->place[k] = at == SIZE_MAX ? SCORE_NO_CODE : (uint32_t)at;
    }
done:
    return status;
}

static int compare_raters(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static tare_status make_raters(score_codes *out, score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    name_axis *axis = &b->out->rater;
    size_t column = b->human.rater;
    size_t levels = column == TABLE_NONE ? 1 : table_text_column(b->human.t, column).levels;
    TRY_NEW(axis->name = arena_new(b->a, levels + 1, sizeof *axis->name));
    for (uint32_t k = 0; k < levels; k++) {
        const char *name = "human";
        if (column != TABLE_NONE) name = table_level(b->human.t, column, k, NULL);
        TRY_NEW(axis->name[axis->count++] = arena_copy(b->a, name));
    }
    if (levels > 1) qsort(axis->name, levels, sizeof *axis->name, compare_raters);
    TRY(match(out, b, column, axis, false, err));
done:
    return status;
}

/* ---- Ratings --------------------------------------------------------------------- */

typedef struct human_rows {
    score_build *b;
    score_codes item, author, dim, rater;
    double **rating;  /* [dims][units][raters] */
    uint8_t *seen;    /* [dims][units][raters] a row said so, NaN too */
    size_t raters, unknown, first_unknown;
} human_rows;

static tare_status refuse_rating(human_rows *h, size_t row, size_t unit, size_t dim,
                                 tare_error *err)
{
    score_build *b = h->b;
    size_t first = 0, raters = h->raters;
    for (;; first++) {
        uint32_t item = score_place(&h->item, first), author = score_place(&h->author, first);
        if (item == SCORE_NO_CODE || author == SCORE_NO_CODE) continue;
        if (score_find_unit(b, item, author) != unit) continue;
        if (h->dim.codes && score_place(&h->dim, first) != dim) continue;
        if (raters == 1 || score_place(&h->rater, first) == score_place(&h->rater, row)) break;
    }
    return score_conflict(b->human.t, "score.duplicate_rating", (const size_t[2]){first, row},
                          b->human.rating,
                          h->rater.codes ? "are of one item, author and rater, with other ratings"
                                         : "are of one item and author, with other ratings: a "
                                           "column `rater` tells people apart",
                          err);
}

static tare_status put_rating(human_rows *h, size_t row, size_t unit, size_t dim, tare_error *err)
{
    score_build *b = h->b;
    const score_lane *lane = &b->human.lane;
    size_t at = unit * h->raters + score_place(&h->rater, row);
    size_t seen = dim * b->out->units * h->raters + at;
    double x = lane->cell[row] == TABLE_OK ? lane->value[row] : NAN, *old = &h->rating[dim][at];
    bool same = x == *old || (isnan(x) && isnan(*old));
    if (h->seen[seen] && !same) return refuse_rating(h, row, unit, dim, err);
    h->seen[seen] = 1;
    *old = x;
    return TARE_OK;
}

static tare_status put_ratings(human_rows *h, tare_error *err)
{
    tare_status status = TARE_OK;
    score_build *b = h->b;
    size_t dims = b->out->dim.count, rows = table_rows(b->human.t);
    for (size_t i = 0; i < rows; i++) {
        uint32_t item = score_place(&h->item, i), author = score_place(&h->author, i);
        uint32_t dim = score_place(&h->dim, i);
        size_t unit = item == SCORE_NO_CODE || author == SCORE_NO_CODE || dim == SCORE_NO_CODE
                          ? SIZE_MAX
                          : score_find_unit(b, item, author);
        if (unit == SIZE_MAX) {
            if (h->unknown++ == 0) h->first_unknown = i;
            continue;
        }
        if (h->dim.codes) {
            TRY(put_rating(h, i, unit, dim, err));
            continue;
        }
        for (size_t d = 0; d < dims; d++) TRY(put_rating(h, i, unit, d, err));
    }
    if (h->unknown == rows)
        FAIL(err, TARE_E_DATA, "score.human_unknown", table_name(b->human.t),
             "no human rating is of an item%s that was scored",
             h->author.codes ? ", author and dimension" : "");
done:
    return status;
}

static tare_status say_unknown(const human_rows *h, tare_error *err)
{
    tare_status status = TARE_OK;
    score_build *b = h->b;
    if (h->unknown == 0) return TARE_OK;
    char number[64];
    snprintf(number, sizeof number, "%zu of %zu", h->unknown, table_rows(b->human.t));
    context_message(b->context, TARE_NOTE,
                    "%s human ratings are of nothing that was scored, first in line %zu", number,
                    table_line(b->human.t, h->first_unknown));
    TRY(score_fact(b, "Rows", "human ratings of nothing that was scored", number, err));
done:
    return status;
}

tare_status score_fill_human(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    human_rows h = {.b = b};
    if (!b->human.t) return TARE_OK;
    TRY(match(&h.item, b, b->human.item, &out->item, false, err));
    TRY(match(&h.author, b, b->human.author, &out->author, true, err));
    TRY(match(&h.dim, b, b->human.dim, &out->dim, false, err));
    TRY(make_raters(&h.rater, b, err));
    h.raters = out->rater.count;
    if (h.raters > 0 && out->units > SCORE_CELLS_MAX / h.raters / out->dim.count)
        FAIL(err, TARE_E_LIMIT, "score.ratings", table_name(b->human.t),
             "%zu items by authors, %zu raters and %zu dimensions are more than %zu ratings",
             out->units, h.raters, out->dim.count, SCORE_CELLS_MAX);
    size_t each = out->units * h.raters;
    TRY_NEW(h.rating = arena_new(&b->scratch, out->dim.count, sizeof *h.rating));
    TRY_NEW(h.seen = arena_new(&b->scratch, each * out->dim.count, 1));
    for (size_t d = 0; d < out->dim.count; d++)
        TRY_NEW(h.rating[d] = score_new_values(b, each));
    TRY(put_ratings(&h, err));
    for (size_t k = 0; k < out->layers; k++) {
        score_layer *l = &out->layer[k], *same = score_same_dim(out, k);
        l->rating = h.rating[l->dim];
        if (!same) TRY_NEW(l->gold = score_new_values(b, out->units));
        if (!same) score_mean_ratings(b, l->gold, l->rating);
        if (same) l->gold = same->gold;
    }
    TRY(say_unknown(&h, err));
done:
    return status;
}
