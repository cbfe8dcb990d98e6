/* score_columns.c - which column of a score table is what. */
#include <stdio.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "base/os.h"
#include "base/text.h"

/* Accepted names, best first. A name that may mean two roles ("model") stands last in both lists:
 * the role that is asked first takes it. */
static const char *const accepted[ROLE_COUNT] = {
    [ROLE_ITEM] = ("item|item_id|id|question_id|prompt_id|example_id|example_index|example|"
                   "instance_id|instance|sample_id|qid|doc_id|image_id|image|question|prompt|index|"
                   "idx"),
    [ROLE_AUTHOR] = ("author|generator|writer|system|source|candidate|author_model|"
                     "generator_model|candidate_model|respondent|response_model|answerer|"
                     "evaluatee|test_model|model"),
    [ROLE_JUDGE] = ("judge|evaluator|grader|judge_model|judge_id|judge_name|evaluator_model|"
                    "grader_model|rater_model|scorer|critic|assessor|reviewer|model"),
    [ROLE_SCORE] = "score|score_text|judge_score|rating|grade|value|parsed_score",
    [ROLE_STATUS] = "status|score_status|parse_status",
    [ROLE_REASON] = "reason|status_reason",
    [ROLE_REP] = "rep|repeat|replicate|repetition|run|round|trial|seed",
    [ROLE_SETTING] = "setting|condition|mode",
    [ROLE_DIM] = "dim|dimension|aspect|criterion|rubric",
    [ROLE_GOLD] = "gold|human|human_rating|human_score|gold_score|truth|ground_truth|ref|label",
    [ROLE_CLUSTER] = "cluster|cluster_id",
    [ROLE_LENGTH] = "length|len|response_length|words|n_words|word_count|tokens|n_tokens",
    [ROLE_FOLD] = "",
    [ROLE_SD] = "",
    [ROLE_N] = "",
};
static const char *const role_name[ROLE_COUNT] = {
    "item", "author", "judge", "score", "status", "reason", "rep", "setting", "dim", "gold",
    "cluster", "length", "folds-by", "sd", "n",
};

static void set_roles(score_build *b)
{
    const score_columns *c = &b->o->columns;
    const char *const given[ROLE_COUNT] = {
        c->item, c->author, c->judge, c->score, c->status, c->reason, c->rep, c->setting, c->dim,
        c->gold, c->cluster, c->length, c->fold, NULL, NULL,
    };
    for (int k = 0; k < ROLE_COUNT; k++) {
        bool number = k == ROLE_SCORE || k == ROLE_GOLD || k == ROLE_LENGTH || k == ROLE_SD ||
                      k == ROLE_N;
        b->role[k] = (table_role){role_name[k], accepted[k], given[k], false,
                                  number ? TABLE_NUMBER : TABLE_TEXT, TABLE_NONE, TABLE_ABSENT};
    }
    if (b->o->score_expected)
        b->role[ROLE_SCORE].names = "score_expect|score_expected|expected_score";
}

/* ---- One column, one role --------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letters(const char *name, size_t length, const char *column)
{
    if (strlen(column) != length) return false;
    for (size_t i = 0; i < length; i++)
        if (lower(name[i]) != lower(column[i])) return false;
    return true;
}

static bool claimed(const score_build *b, const char *name, size_t length)
{
    for (int k = 0; k < ROLE_COUNT; k++) {
        size_t column = b->role[k].column;
        if (column != TABLE_NONE && same_letters(name, length, table_column_name(b->t, column)))
            return true;
    }
    for (size_t k = 0; k < b->lanes; k++)
        if (same_letters(name, length, table_column_name(b->t, b->lane[k].column))) return true;
    for (size_t k = 0; k < b->raters; k++)
        if (same_letters(name, length, table_column_name(b->t, b->rater[k].column))) return true;
    return false;
}

/* The accepted names that no other role has taken. */
static const char *names_left(score_build *b, const char *names)
{
    size_t n = strlen(names), used = 0;
    char *left = arena_new(&b->scratch, n + 2, 1);
    if (!left) return NULL;
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, "|");
        if (!claimed(b, name, length)) {
            if (used) left[used++] = '|';
            memcpy(left + used, name, length);
            used += length;
        }
        name += length + (name[length] == '|');
    }
    left[used] = '\0';
    return left;
}

static tare_status find(score_build *b, int role, bool required, tare_error *err)
{
    tare_status status = TARE_OK;
    table_role *r = &b->role[role];
    if (r->column != TABLE_NONE) return TARE_OK;
    if (!r->given) TRY_NEW(r->names = names_left(b, r->names));
    r->required = required;
    TRY(table_find_roles(b->t, r, 1, err));
done:
    return status;
}

/* A column that the user gave to two roles. */
static tare_status refuse_twice(const score_build *b, tare_error *err)
{
    for (int k = 0; k < ROLE_COUNT; k++)
        for (int j = 0; j < k; j++)
            if (b->role[k].column != TABLE_NONE && b->role[k].column == b->role[j].column)
                return error_set(err, TARE_E_USAGE, "score.column_twice", table_name(b->t),
                                 "one column is both --%s and --%s", b->role[j].role,
                                 b->role[k].role);
    return TARE_OK;
}

static tare_status find_given(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int k = 0; k < ROLE_COUNT; k++)
        if (b->role[k].given) TRY(find(b, k, true, err));
    TRY(refuse_twice(b, err));
done:
    return status;
}

/* Without an author column the only model there is, is the judge. */
static tare_status find_models(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    if (b->o->author_optional) {
        TRY(find(b, ROLE_JUDGE, false, err));
        TRY(find(b, ROLE_AUTHOR, false, err));
    } else {
        TRY(find(b, ROLE_AUTHOR, true, err));
        TRY(find(b, ROLE_JUDGE, false, err));
    }
done:
    return status;
}

static tare_status choose_shape(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table_options *o = b->o;
    bool judge = b->role[ROLE_JUDGE].column != TABLE_NONE;
    b->shape = o->shape;
    if (o->cells_from) b->shape = SHAPE_CELLS;
    if (b->shape == SHAPE_AUTO) {
        TRY(find(b, ROLE_SCORE, false, err));
        bool score = b->role[ROLE_SCORE].column != TABLE_NONE;
        /* one judge, and nothing to say who: agree's simplest table */
        bool alone = score && o->author_optional;
        b->shape = o->judge_count || (!judge && (!score || alone)) ? SHAPE_WIDE : SHAPE_LONG;
    }
    if (b->shape == SHAPE_WIDE) {
        if (o->columns.judge)
            FAIL(err, TARE_E_USAGE, "score.shape", table_name(b->t),
                 "a table with a column per judge has no judge column: leave out --judge");
        if (b->role[ROLE_SCORE].column != TABLE_NONE && o->judge_count == 0) {
            TRY_NEW(b->lane = arena_new(&b->scratch, 1, sizeof *b->lane));
            b->lane[0].column = b->role[ROLE_SCORE].column;
            b->lanes = 1;
        }
        b->role[ROLE_JUDGE].column = b->role[ROLE_SCORE].column = TABLE_NONE;
    } else {
        TRY(find(b, ROLE_JUDGE, true, err));
        TRY(find(b, ROLE_SCORE, true, err));
    }
done:
    return status;
}

static tare_status find_others(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    static const int order[] = {ROLE_SETTING, ROLE_DIM, ROLE_REP, ROLE_STATUS, ROLE_CLUSTER,
                                ROLE_LENGTH};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) TRY(find(b, order[k], false, err));
    if (b->shape == SHAPE_WIDE) { /* one status cannot be that of several scores */
        if (b->o->columns.status && b->lanes != 1)
            FAIL(err, TARE_E_USAGE, "score.shape", table_name(b->t),
                 "a table with a column per judge cannot have one status column: leave the field "
                 "of a missing score empty, or write the status there");
        if (b->lanes != 1) b->role[ROLE_STATUS].column = TABLE_NONE;
    }
    if (b->role[ROLE_STATUS].column != TABLE_NONE) TRY(find(b, ROLE_REASON, false, err));
    if (!b->o->human && !b->raters) TRY(find(b, ROLE_GOLD, false, err));
    if (b->role[ROLE_GOLD].column != TABLE_NONE && (b->o->human || b->o->raters))
        FAIL(err, TARE_E_USAGE, "score.two_golds", table_name(b->t),
             "the human score comes from --gold or from %s, not from both",
             b->o->human ? "--human" : "--raters");
done:
    return status;
}

/* ---- Rater columns ---------------------------------------------------------- */

/* h1, h2, ... by name: announced as a guess. */
static tare_status find_raters(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **names = NULL;
    size_t count = 0;
    if (b->o->raters) {
        if (b->o->human)
            FAIL(err, TARE_E_USAGE, "score.two_golds", table_name(b->t),
                 "human ratings come from --human or from --raters, not from both");
        TRY(score_split(&names, &count, b, b->o->raters, err));
    } else if (!b->o->human && !b->o->columns.gold) {
        TRY_NEW(names = arena_new(&b->scratch, table_columns(b->t), sizeof *names));
        for (size_t k = 0; k < table_columns(b->t); k++) {
            const char *name = table_column_name(b->t, k);
            size_t digits = name[0] == 'h' ? strspn(name + 1, "0123456789") : 0;
            if (digits && name[1 + digits] == '\0') names[count++] = name;
        }
    }
    TRY_NEW(b->rater = arena_new(&b->scratch, count + 1, sizeof *b->rater));
    for (size_t k = 0; k < count; k++) {
        table_role r = {"raters", "", names[k], true, TABLE_NUMBER, TABLE_NONE, TABLE_ABSENT};
        TRY(table_find_roles(b->t, &r, 1, err));
        b->rater[b->raters++].column = r.column;
    }
    if (count && !b->o->raters)
        context_message(b->context, TARE_NOTE,
                        "%zu columns named h1, h2, ... are taken for human ratings; say otherwise "
                        "with --raters",
                        count);
done:
    return status;
}

/* ---- Reading ---------------------------------------------------------------- */

/* Can the file be read a second time, as it is? Not a pipe, and no answer of a database. */
static bool replayable(const score_build *b)
{
    if (!b->path) return true;
    size_t n = strlen(b->path);
    bool parquet = n >= 8 && strcmp(b->path + n - 8, ".parquet") == 0;
    return !parquet && strncmp(b->path, "duckdb:", 7) != 0 && os_file_size(b->path) > 0;
}

static void set_kinds(score_build *b)
{
    unsigned words = b->text_too ? TABLE_TEXT : 0;
    for (int k = 0; k < ROLE_COUNT; k++)
        if (b->role[k].column != TABLE_NONE) b->kinds[b->role[k].column] |= b->role[k].kind;
    for (size_t k = 0; k < b->lanes; k++) b->kinds[b->lane[k].column] |= TABLE_NUMBER | words;
    for (size_t k = 0; k < b->raters; k++) b->kinds[b->rater[k].column] |= TABLE_NUMBER | words;
    if (b->role[ROLE_GOLD].column != TABLE_NONE) b->kinds[b->role[ROLE_GOLD].column] |= words;
}

static tare_status take_cells_from(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    static const int order[5] = {ROLE_AUTHOR, ROLE_JUDGE, ROLE_SCORE, ROLE_SD, ROLE_N};
    const char *names[5] = {NULL};
    if (!b->o->cells_from) return TARE_OK;
    TRY(score_split_cells(names, b, err));
    for (size_t k = 0; k < 5; k++) {
        table_role *r = &b->role[order[k]];
        if (!names[k]) continue;
        r->given = names[k];
        r->role = "cells-from"; /* the option to name if there is no such column */
        TRY(find(b, order[k], true, err));
        r->role = role_name[order[k]];
    }
done:
    return status;
}

tare_status score_open(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    if (b->bytes)
        TRY(table_open_bytes(&b->t, b->m, b->context->pool, b->bytes, NULL, err));
    else
        TRY(table_open(&b->t, b->m, b->context->pool, b->path, NULL, err));
    TRY_NEW(b->kinds = arena_new(&b->scratch, table_columns(b->t), sizeof *b->kinds));
    set_roles(b);
    TRY(take_cells_from(b, err));
    TRY(find_given(b, err));
    TRY(find_raters(b, err));
    if (b->o->judge_count) TRY(score_name_lanes(b, err));
    TRY(find_models(b, err));
    TRY(choose_shape(b, err));
    if (b->shape != SHAPE_CELLS) TRY(find(b, ROLE_ITEM, true, err));
    TRY(find_others(b, err));
    b->text_too = b->o->labels || !replayable(b);
    if (!b->o->judge_count) TRY(score_name_lanes(b, err));
    set_kinds(b);
    TRY(table_load(b->t, b->kinds, err));
    b->rows = table_rows(b->t);
    if (b->rows == 0)
        FAIL(err, TARE_E_DATA, "score.no_rows", table_name(b->t),
             "the table has a header and no rows");
    TRY(score_guess_lanes(b, err));
done:
    return status;
}

/* ---- What was taken for what ------------------------------------------------ */

static tare_status say_role(score_build *b, int k, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const how[] = {"", "by option", "by its name", "by guess"};
    const table_role *r = &b->role[k];
    const char *name = score_shown(b, table_column_name(b->t, r->column)), *value;
    if (!name) FAIL_MEMORY(err);
    TRY_NEW(value = arena_printf(&b->scratch, "%s (%s)", name, how[r->found]));
    TRY(score_fact(b, "Columns", r->role, value, err));
    if (r->found == TABLE_BY_GUESS)
        context_message(b->context, TARE_NOTE,
                        "column %s is taken for the %s; say otherwise with --%s COLUMN", name,
                        r->role, r->role);
done:
    return status;
}

/* Columns that nothing uses, in the order of the file. */
static tare_status say_unused(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, b->m);
    for (size_t k = 0; k < table_columns(b->t); k++) {
        if (b->kinds[k]) continue;
        if (list.length > 400) {
            text_add(&list, ", ...");
            break;
        }
        const char *name = table_column_name(b->t, k);
        if (list.length) text_add(&list, ", ");
        text_add_visible(&list, name, strlen(name), 60);
    }
    if (list.failed) FAIL_MEMORY(err);
    if (list.length) TRY(score_fact(b, "Columns", "not used", list.data, err));
done:
    text_free(&list);
    return status;
}

tare_status score_say_columns(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int k = 0; k < ROLE_COUNT; k++)
        if (b->role[k].column != TABLE_NONE) TRY(say_role(b, k, err));
    for (size_t k = 0; k < b->raters; k++) {
        const char *name = score_shown(b, table_column_name(b->t, b->rater[k].column));
        if (!name) FAIL_MEMORY(err);
        TRY(score_fact(b, "Columns", "rater", name, err));
    }
    TRY(say_unused(b, err));
done:
    return status;
}
