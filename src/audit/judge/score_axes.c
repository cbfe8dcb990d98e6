/* score_axes.c - the names of a score table in the order of their bytes, and who is who. */
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "base/text.h"

typedef struct named { const char *name; uint32_t code; } named;

static int compare_names(const void *x, const void *y)
{
    const named *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->code > b->code) - (a->code < b->code);
}

size_t score_find_name(const name_axis *axis, const char *name)
{
    size_t lo = 0, hi = axis->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = strcmp(axis->name[mid], name);
        if (order == 0) return mid;
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return SIZE_MAX;
}

const char *score_model_name(const score_build *b, const char *name)
{
    size_t model = b->out->models ? roster_find(b->out->models, name) : ROSTER_NONE;
    return model == ROSTER_NONE ? name : b->out->models->models[model].id;
}

/* list[n] becomes an axis; place[code] is where each went. Equal names share a place. */
static tare_status make_axis(name_axis *axis, uint32_t *place, score_build *b, named *list,
                             size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    qsort(list, n, sizeof *list, compare_names);
    TRY_NEW(axis->name = arena_new(b->a, n + 1, sizeof *axis->name));
    axis->count = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || strcmp(list[k].name, list[k - 1].name) != 0)
            TRY_NEW(axis->name[axis->count++] = arena_copy(b->a, list[k].name));
        place[list[k].code] = (uint32_t)axis->count - 1;
    }
done:
    return status;
}

static tare_status only_name(name_axis *axis, score_codes *codes, score_build *b,
                             const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    *codes = (score_codes){NULL, NULL, 1};
    TRY_NEW(axis->name = arena_new(b->a, 1, sizeof *axis->name));
    axis->name[0] = name;
    axis->count = 1;
done:
    return status;
}

static tare_status say_alias(score_build *b, const char *alias, const char *id, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *from = score_shown(b, alias), *to = score_shown(b, id);
    if (!from || !to) FAIL_MEMORY(err);
    context_message(b->context, TARE_NOTE, "%s is read as %s, by the roster", from, to);
    TRY(score_fact(b, "Aliases", from, to, err));
done:
    return status;
}

/* The axis of a role's column; `stand_in` is the only name where there is no column. */
static tare_status axis_of_role(name_axis *axis, score_codes *codes, score_build *b, int role,
                                const char *stand_in, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t column = b->role[role].column;
    bool model = role == ROLE_AUTHOR || role == ROLE_JUDGE;
    named *list = NULL;
    if (column == TABLE_NONE) return only_name(axis, codes, b, stand_in, err);
    table_texts texts = table_text_column(b->t, column);
    codes->codes = texts.codes;
    codes->levels = texts.levels;
    TRY_NEW(codes->place = arena_new(&b->scratch, texts.levels + 1, sizeof *codes->place));
    TRY_NEW(list = mem_new(b->m, texts.levels + 1, sizeof *list));
    for (uint32_t k = 0; k < texts.levels; k++) {
        const char *name = table_level(b->t, column, k, NULL);
        list[k] = (named){model ? score_model_name(b, name) : name, k};
        if (list[k].name != name && strcmp(list[k].name, name) != 0)
            TRY(say_alias(b, name, list[k].name, err));
    }
    TRY(make_axis(axis, codes->place, b, list, texts.levels, err));
done:
    mem_free(b->m, list);
    return status;
}

/* Every row needs a name there. */
static tare_status refuse_empty(score_build *b, const name_axis *axis, const score_codes *codes,
                                int role, tare_error *err)
{
    if (!codes->codes || axis->count == 0 || axis->name[0][0]) return TARE_OK;
    size_t row = 0;
    while (score_place(codes, row) != 0) row++;
    return score_refuse(b->t, "score.empty_name", row, b->role[role].column,
                        role == ROLE_ITEM     ? "the item is empty: every row needs one"
                        : role == ROLE_AUTHOR ? "the author is empty: every row needs one"
                                              : "the judge is empty: every row needs one",
                        err);
}

/* The judges of a wide table are its columns. */
static tare_status axis_of_lanes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    named *list = NULL;
    uint32_t *place;
    TRY_NEW(place = arena_new(&b->scratch, b->lanes, sizeof *place));
    TRY_NEW(list = mem_new(b->m, b->lanes, sizeof *list));
    for (uint32_t k = 0; k < b->lanes; k++) {
        const char *name = table_column_name(b->t, b->lane[k].column);
        list[k] = (named){score_model_name(b, name), k};
        if (strcmp(list[k].name, name) != 0) TRY(say_alias(b, name, list[k].name, err));
    }
    TRY(make_axis(&b->out->judge, place, b, list, b->lanes, err));
    if (b->out->judge.count < b->lanes)
        for (size_t k = 1; k < b->lanes; k++)
            if (strcmp(list[k].name, list[k - 1].name) == 0)
                FAIL(err, TARE_E_DATA, "score.judge_twice", table_name(b->t),
                     "two columns of scores are the judge %s", score_shown(b, list[k].name));
    for (size_t k = 0; k < b->lanes; k++) b->lane[k].judge = place[k];
done:
    mem_free(b->m, list);
    return status;
}

tare_status score_make_axes(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    name_axis reps = {NULL, 0};
    TRY(axis_of_role(&out->item, &b->item, b, ROLE_ITEM, "", err));
    TRY(refuse_empty(b, &out->item, &b->item, ROLE_ITEM, err));
    TRY(axis_of_role(&out->author, &b->author, b, ROLE_AUTHOR, "", err));
    TRY(refuse_empty(b, &out->author, &b->author, ROLE_AUTHOR, err));
    TRY(axis_of_role(&out->setting, &b->setting, b, ROLE_SETTING, "", err));
    TRY(axis_of_role(&out->dim, &b->dim, b, ROLE_DIM, "", err));
    TRY(axis_of_role(&reps, &b->rep, b, ROLE_REP, "0", err));
    out->reps = reps.count;
    if (b->shape == SHAPE_WIDE) {
        TRY(axis_of_lanes(b, err));
    } else {
        TRY(axis_of_role(&out->judge, &b->judge, b, ROLE_JUDGE, "", err));
        TRY(refuse_empty(b, &out->judge, &b->judge, ROLE_JUDGE, err));
    }
done:
    return status;
}

/* ---- Who is who ------------------------------------------------------------- */

static tare_status find_models(size_t **out, score_build *b, const name_axis *axis,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(*out = arena_new(b->a, axis->count + 1, sizeof **out));
    for (size_t k = 0; k < axis->count; k++)
        (*out)[k] = b->out->models ? roster_find(b->out->models, axis->name[k]) : ROSTER_NONE;
done:
    return status;
}

static void list_strangers(text *list, const name_axis *axis, const size_t *model,
                           const name_axis *listed)
{
    for (size_t k = 0; k < axis->count; k++) {
        const char *name = axis->name[k];
        if (model[k] != ROSTER_NONE || (listed && score_find_name(listed, name) != SIZE_MAX))
            continue;
        if (list->length > 300) {
            text_add(list, ", ...");
            return;
        }
        if (list->length) text_add(list, ", ");
        text_add_visible(list, name, strlen(name), 60);
    }
}

static tare_status caution_strangers(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, b->m);
    list_strangers(&list, &b->out->judge, b->out->judge_model, NULL);
    if (b->author.codes)
        list_strangers(&list, &b->out->author, b->out->author_model, &b->out->judge);
    if (list.failed) FAIL_MEMORY(err);
    if (list.length)
        TRY(score_caution(b, err,
                          "Not in the roster, so without family or other grouping: %s.",
                          list.data));
done:
    text_free(&list);
    return status;
}

/* Of a roster that serves several tables some models are in none of this one. */
static tare_status tell_absent(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = b->out;
    bool *seen = NULL;
    text list;
    text_init(&list, b->m);
    TRY_NEW(seen = mem_new(b->m, t->models->count + 1, sizeof *seen));
    for (size_t k = 0; k < t->judge.count; k++)
        if (t->judge_model[k] != ROSTER_NONE) seen[t->judge_model[k]] = true;
    for (size_t k = 0; k < t->author.count; k++)
        if (t->author_model[k] != ROSTER_NONE) seen[t->author_model[k]] = true;
    for (size_t k = 0; k < t->models->count && list.length <= 300; k++) {
        const char *name = t->models->models[k].id;
        if (seen[k]) continue;
        if (list.length) text_add(&list, ", ");
        text_add_visible(&list, name, strlen(name), 60);
        if (list.length > 300) text_add(&list, ", ...");
    }
    if (list.failed) FAIL_MEMORY(err);
    if (list.length) TRY(score_fact(b, "Roster", "not in the table", list.data, err));
done:
    mem_free(b->m, seen);
    text_free(&list);
    return status;
}

tare_status score_make_models(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    TRY(find_models(&out->author_model, b, &out->author, err));
    TRY(find_models(&out->judge_model, b, &out->judge, err));
    TRY_NEW(out->author_of_judge = arena_new(b->a, out->judge.count + 1,
                                             sizeof *out->author_of_judge));
    for (size_t k = 0; k < out->judge.count; k++) {
        size_t author = score_find_name(&out->author, out->judge.name[k]);
        out->author_of_judge[k] = author;
        const char *name = score_shown(b, out->judge.name[k]);
        if (!name) FAIL_MEMORY(err);
        if (b->author.codes)
            TRY(score_fact(b, "Judges", name,
                           author == SIZE_MAX ? "no author of this name" : "also an author", err));
    }
    if (out->models) TRY(caution_strangers(b, err));
    if (out->models) TRY(tell_absent(b, err));
done:
    return status;
}
