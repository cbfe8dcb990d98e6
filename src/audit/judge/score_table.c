/* score_table.c - see score_table.h: the steps in their order, and looking up. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "base/text.h"

/* ---- What the files of this table say ------------------------------------------- */

const char *score_shown(score_build *b, const char *string)
{
    text t;
    text_init(&t, b->m);
    text_add_visible(&t, string, strlen(string), 100);
    const char *shown = t.failed ? NULL : arena_copy(&b->scratch, t.data ? t.data : "");
    text_free(&t);
    return shown;
}

tare_status score_fact(score_build *b, const char *section, const char *key, const char *value,
                       tare_error *err)
{
    return b->result ? result_fact_add(b->result, section, key, value, err) : TARE_OK;
}

tare_status score_caution(score_build *b, tare_error *err, const char *format, ...)
{
    char sentence[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    context_message(b->context, TARE_WARNING, "%s", sentence);
    return b->result ? result_caution(b->result, err, "%s", sentence) : TARE_OK;
}

tare_status score_conflict(const table *t, const char *code, const size_t rows[2], size_t column,
                           const char *what, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, t, rows[1], column);
    return error_set(err, TARE_E_DATA, code, where, "lines %zu and %zu %s", table_line(t, rows[0]),
                     table_line(t, rows[1]), what);
}

tare_status score_refuse(const table *t, const char *code, size_t row, size_t column,
                         const char *what, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, t, row, column);
    return error_set(err, TARE_E_DATA, code, where, "line %zu: %s", table_line(t, row), what);
}

/* ---- Loading --------------------------------------------------------------------- */

static tare_status count_facts(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = b->out;
    size_t scores = 0;
    for (size_t l = 0; l < t->layers; l++)
        for (size_t c = 0; c < t->units * t->judge.count; c++)
            scores += t->layer[l].status[c] == TARE_R_NONE;
    const struct { const char *key; size_t value; bool always; } facts[] = {
        {"rows", b->rows, true},
        {"items", t->item.count, !t->cells_only},
        {"authors", t->author.count, b->author.codes != NULL},
        {"judges", t->judge.count, true},
        {"settings", t->setting.count, b->setting.codes != NULL},
        {"dimensions", t->dim.count, b->dim.codes != NULL},
        {"clusters", t->cluster.count, b->cluster.codes != NULL},
        {"cells with a score", scores, true},
        {"repeats, averaged", t->reps, t->reps > 1},
        {"equal rows dropped", t->duplicates, t->duplicates > 0},
        {"text labels", t->label.count, t->label.count > 0},
        {"human raters", t->rater.count, t->rater.count > 0},
    };
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        char number[24];
        if (!facts[k].always) continue;
        snprintf(number, sizeof number, "%zu", facts[k].value);
        TRY(score_fact(b, "Rows", facts[k].key, number, err));
    }
done:
    return status;
}

static tare_status load_roster(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    roster *models;
    if (!b->o->roster) return TARE_OK;
    TRY_NEW(models = arena_new(b->a, 1, sizeof *models));
    TRY(roster_load(models, b->a, b->o->roster, err));
    b->out->models = models;
done:
    return status;
}

static tare_status build(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(load_roster(b, err));
    TRY(score_open(b, err));
    TRY(score_open_human(b, err));
    TRY(score_read_words(b, err));
    TRY(score_say_columns(b, err));
    TRY(score_make_axes(b, err));
    TRY(score_make_models(b, err));
    TRY(score_find_suspects(b, err));
    TRY(score_make_units(b, err));
    TRY(score_fill_cells(b, err));
    TRY(score_fill_items(b, err));
    TRY(score_fill_gold(b, err));
    TRY(score_fill_human(b, err));
    b->out->cells_only = b->shape == SHAPE_CELLS;
    TRY(count_facts(b, err));
done:
    return status;
}

static tare_status load(score_build *b, tare_error *err)
{
    static const score_table_options defaults;
    if (!b->o) b->o = &defaults;
    b->m = &b->context->mem;
    memset(b->out, 0, sizeof *b->out);
    arena_init(&b->scratch, b->m);
    tare_status status = build(b, err);
    table_free(b->human.t);
    table_free(b->again);
    table_free(b->t);
    arena_free(&b->scratch);
    return status;
}

tare_status score_table_load(score_table *out, arena *a, tare_context *context, const char *path,
                             const score_table_options *options, audit_result *result,
                             tare_error *err)
{
    score_build b = {.context = context, .a = a, .path = path, .o = options, .result = result,
                     .out = out};
    return load(&b, err);
}

tare_status score_table_load_bytes(score_table *out, arena *a, tare_context *context,
                                   const table_bytes *in, const score_table_options *options,
                                   audit_result *result, tare_error *err)
{
    score_build b = {.context = context, .a = a, .bytes = in, .o = options, .result = result,
                     .out = out};
    return load(&b, err);
}

/* ---- Looking up -------------------------------------------------------------------- */

const double *score_of_unit(const score_table *t, const score_layer *l, size_t unit)
{
    return &l->score[unit * t->judge.count];
}

tare_status score_table_index(size_t **index, arena *a, const score_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t items = t->item.count, authors = t->author.count, *at;
    if (items > SCORE_CELLS_MAX / (authors + 1))
        FAIL(err, TARE_E_LIMIT, "score.index", "", "%zu items by %zu authors are too many pairs",
             items, authors);
    TRY_NEW(at = *index = arena_new(a, items * authors + 1, sizeof *at));
    for (size_t k = 0; k < items * authors; k++) at[k] = SIZE_MAX;
    for (size_t u = 0; u < t->units; u++) at[t->unit_item[u] * authors + t->unit_author[u]] = u;
done:
    return status;
}

static void add_tally(missing_counts *counts, const uint32_t *tally)
{
    counts->used += tally[TARE_R_NONE];
    for (int r = 0; r < TARE_REASON_COUNT; r++) {
        counts->expected += tally[r];
        if (r != TARE_R_NONE) counts->by_reason[r] += tally[r];
    }
}

/* Without a tally: the cells of one layer, where unit and judge both occur. */
static void add_cells(missing_counts *counts, const score_table *t, const score_layer *l,
                      size_t author, size_t judge)
{
    size_t judges = t->judge.count;
    for (size_t j = 0; j < judges; j++) {
        bool occurs = false;
        if (judge != SIZE_MAX && j != judge) continue;
        for (size_t u = 0; u < t->units && !occurs; u++)
            occurs = l->status[u * judges + j] != TARE_R_ABSENT;
        for (size_t u = 0; u < t->units && occurs; u++) {
            bool here = false;
            if (author != SIZE_MAX && t->unit_author[u] != author) continue;
            for (size_t k = 0; k < judges && !here; k++)
                here = l->status[u * judges + k] != TARE_R_ABSENT;
            if (here) missing_add(counts, (tare_reason)l->status[u * judges + j]);
        }
    }
}

missing_counts score_table_missing(const score_table *t, size_t layer, size_t author, size_t judge)
{
    missing_counts counts = {0};
    for (size_t l = 0; l < t->layers; l++) {
        if (layer != SIZE_MAX && l != layer) continue;
        if (!t->tally) {
            add_cells(&counts, t, &t->layer[l], author, judge);
            continue;
        }
        for (size_t g = 0; g < t->author.count; g++) {
            if (author != SIZE_MAX && g != author) continue;
            for (size_t j = 0; j < t->judge.count; j++) {
                if (judge != SIZE_MAX && j != judge) continue;
                size_t at = (l * t->author.count + g) * t->judge.count + j;
                add_tally(&counts, &t->tally[at * TARE_REASON_COUNT]);
            }
        }
    }
    return counts;
}

bool score_table_kin(const score_table *t, size_t grouping, size_t author, size_t judge)
{
    size_t a = t->author_model[author], j = t->judge_model[judge];
    if (!t->models || a == ROSTER_NONE || j == ROSTER_NONE) return false;
    return roster_share(t->models, grouping, a, j);
}
