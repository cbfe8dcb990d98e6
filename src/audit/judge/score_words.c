/* score_words.c - statuses, and scores that are words: of the status vocabulary, or labels (judge
 * audits 0.3). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/missing.h"

#define ROWS_AT_ONCE 65536
#define WORDS                                                                                      \
    "ok, unparsed, refused, blocked, truncated, empty, error, absent, out_of_range, no_marker, "   \
    "missing, timeout"

/* TARE_R_NONE for ok; TARE_REASON_COUNT: no word of the vocabulary. Letter case does not count. */
static tare_reason reason_of(const char *word)
{
    static const tare_reason known[] = {
        TARE_R_UNPARSED, TARE_R_REFUSED, TARE_R_BLOCKED, TARE_R_TRUNCATED, TARE_R_EMPTY,
        TARE_R_ERROR, TARE_R_ABSENT, TARE_R_OUT_OF_RANGE, TARE_R_NO_MARKER, TARE_R_MISSING,
        TARE_R_TIMEOUT, TARE_R_SCORE_NONFINITE,
    };
    char low[24];
    size_t n = strlen(word);
    if (n >= sizeof low) return TARE_REASON_COUNT;
    for (size_t i = 0; i <= n; i++)
        low[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] - 'A' + 'a' : word[i]);
    if (strcmp(low, "ok") == 0) return TARE_R_NONE;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(low, tare_reason_name(known[k])) == 0) return known[k];
    return TARE_REASON_COUNT;
}

static bool is_blank(const char *word)
{
    static const char *const blank[] = {"", "na", "NA", "null", "none", "None", "nan", "NaN"};
    for (size_t k = 0; k < sizeof blank / sizeof *blank; k++)
        if (strcmp(word, blank[k]) == 0) return true;
    return false;
}

/* ---- The status column ------------------------------------------------------- */

typedef struct status_words {
    score_build *b;
    const uint32_t *status, *reason; /* codes; NULL: no such column */
    uint8_t *of_status, *of_reason;  /* [levels] */
} status_words;

static tare_status refuse_status(score_build *b, size_t column, uint32_t code, tare_error *err)
{
    table_texts texts = table_text_column(b->t, column);
    size_t row = 0;
    while (texts.codes[row] != code) row++;
    const char *word = score_shown(b, table_level(b->t, column, code, NULL));
    char where[TABLE_WHERE_MAX];
    if (!word) return error_memory(err);
    table_where(where, b->t, row, column);
    return error_set(err, TARE_E_DATA, "score.status", where,
                     "line %zu: \"%s\" is no status; the words are " WORDS,
                     table_line(b->t, row), word);
}

static tare_status read_status_words(status_words *w, score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t column = b->role[ROLE_STATUS].column, reason = b->role[ROLE_REASON].column;
    if (column == TABLE_NONE) return TARE_OK;
    table_texts texts = table_text_column(b->t, column);
    w->status = texts.codes;
    TRY_NEW(w->of_status = arena_new(&b->scratch, texts.levels + 1, 1));
    for (uint32_t k = 0; k < texts.levels; k++) {
        const char *word = table_level(b->t, column, k, NULL);
        tare_reason r = is_blank(word) ? TARE_R_NONE : reason_of(word);
        if (r == TARE_REASON_COUNT) TRY(refuse_status(b, column, k, err));
        w->of_status[k] = (uint8_t)r;
    }
    if (reason == TABLE_NONE) goto done;
    /* A reason may be free text: only what refines `unparsed` is taken from it. */
    texts = table_text_column(b->t, reason);
    w->reason = texts.codes;
    TRY_NEW(w->of_reason = arena_new(&b->scratch, texts.levels + 1, 1));
    for (uint32_t k = 0; k < texts.levels; k++) {
        tare_reason r = reason_of(table_level(b->t, reason, k, NULL));
        bool refines = r == TARE_R_OUT_OF_RANGE || r == TARE_R_NO_MARKER;
        w->of_reason[k] = refines ? (uint8_t)r : (uint8_t)TARE_R_UNPARSED;
    }
done:
    return status;
}

/* An entry whose score is a word stays TARE_REASON_COUNT until the word is known. */
static tare_status read_rows(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    static const uint8_t of_cell[TABLE_CELL_KINDS] = {
        [TABLE_OK] = TARE_R_NONE,
        [TABLE_MISSING] = TARE_R_MISSING,
        [TABLE_INFINITE] = TARE_R_SCORE_NONFINITE,
        [TABLE_BAD] = TARE_REASON_COUNT,
    };
    const status_words *w = arg;
    score_build *b = w->b;
    (void)worker, (void)err;
    for (size_t i = begin; i < end; i++) {
        uint8_t r = w->status ? w->of_status[w->status[i]] : TARE_R_NONE;
        if (r == TARE_R_UNPARSED && w->reason) r = w->of_reason[w->reason[i]];
        for (size_t k = 0; k < b->lanes; k++)
            b->reason[i * b->lanes + k] = r != TARE_R_NONE ? r : of_cell[b->lane[k].cell[i]];
    }
    return TARE_OK;
}

/* ---- Words in columns of scores ---------------------------------------------- */

/* A column whose fields may be words. */
typedef struct word_column {
    table *t;         /* where it was read as text */
    score_lane *lane;
    size_t index;     /* of the lane, SIZE_MAX if it holds no scores of judges */
    uint32_t *label;  /* [levels] 1 where it is a label, then its place */
    uint8_t *status;  /* [levels] reason, TARE_REASON_COUNT */
} word_column;

static bool is_word(const score_build *b, const word_column *w, size_t row)
{
    if (w->index == SIZE_MAX) return w->lane->cell[row] != TABLE_MISSING;
    uint8_t r = b->reason[row * b->lanes + w->index];
    return r == TARE_REASON_COUNT || r == TARE_R_NONE || r == TARE_R_SCORE_NONFINITE;
}

/* The columns once more, as text. */
static tare_status read_again(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned *kinds;
    if (b->text_too || b->again) return TARE_OK;
    if (b->bytes)
        TRY(table_open_bytes(&b->again, b->m, b->context->pool, b->bytes, NULL, err));
    else
        TRY(table_open(&b->again, b->m, b->context->pool, b->path, NULL, err));
    TRY_NEW(kinds = arena_new(&b->scratch, table_columns(b->again), sizeof *kinds));
    if (table_columns(b->again) == table_columns(b->t))
        for (size_t k = 0; k < b->lanes; k++) kinds[b->lane[k].column] = TABLE_TEXT;
    TRY(table_load(b->again, kinds, err));
    if (table_columns(b->again) != table_columns(b->t) || table_rows(b->again) != b->rows)
        FAIL(err, TARE_E_DATA, "score.changed", table_name(b->t),
             "the file was changed while it was read");
done:
    return status;
}

static tare_status refuse_word(score_build *b, const word_column *w, size_t row, tare_error *err)
{
    table_texts texts = table_text_column(w->t, w->lane->column);
    const char *word = score_shown(b, table_level(w->t, w->lane->column, texts.codes[row], NULL));
    char where[TABLE_WHERE_MAX];
    if (!word) return error_memory(err);
    table_where(where, w->t, row, w->lane->column);
    return error_set(err, TARE_E_DATA, "score.text", where,
                     "the score \"%s\" is no number. Where there is no score say why in a status "
                     "column (" WORDS "); tare agree and tare panel read text labels with --labels",
                     word);
}

/* Statuses in the place of scores are taken; *labels: there are other words. */
static tare_status sort_words(word_column *w, score_build *b, size_t *statuses, bool *labels,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    table_texts texts = table_text_column(w->t, w->lane->column);
    TRY_NEW(w->label = arena_new(&b->scratch, texts.levels + 1, sizeof *w->label));
    TRY_NEW(w->status = arena_new(&b->scratch, texts.levels + 1, 1));
    for (uint32_t k = 0; k < texts.levels; k++) {
        tare_reason r = reason_of(table_level(w->t, w->lane->column, k, NULL));
        bool taken = w->index != SIZE_MAX && r != TARE_R_NONE;
        w->status[k] = (uint8_t)(taken ? r : TARE_REASON_COUNT);
    }
    for (size_t i = 0; i < table_rows(w->t); i++) {
        if (w->lane->cell[i] != TABLE_BAD || !is_word(b, w, i)) continue;
        uint8_t r = w->status[texts.codes[i]];
        if (r == TARE_REASON_COUNT) {
            if (!b->o->labels) TRY(refuse_word(b, w, i, err));
            *labels = true;
        } else {
            b->reason[i * b->lanes + w->index] = r;
            ++*statuses;
        }
    }
done:
    return status;
}

/* ---- Labels ------------------------------------------------------------------ */

static tare_status collect_labels(map *words, word_column *w, const score_build *b, size_t rows,
                                  tare_error *err)
{
    table_texts texts = table_text_column(w->t, w->lane->column);
    for (size_t i = 0; i < rows; i++)
        if (w->status[texts.codes[i]] == TARE_REASON_COUNT && is_word(b, w, i))
            w->label[texts.codes[i]] = 1;
    for (uint32_t k = 0; k < texts.levels; k++) {
        size_t length;
        const char *word = table_level(w->t, w->lane->column, k, &length);
        if (w->label[k] && map_add(words, word, length, NULL) == SIZE_MAX)
            return error_memory(err);
    }
    return TARE_OK;
}

static int compare_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static tare_status make_labels(score_build *b, const map *words, tare_error *err)
{
    tare_status status = TARE_OK;
    name_axis *axis = &b->out->label;
    axis->count = map_count(words);
    TRY_NEW(axis->name = arena_new(b->a, axis->count + 1, sizeof *axis->name));
    for (size_t k = 0; k < axis->count; k++)
        TRY_NEW(axis->name[k] = arena_copy(b->a, map_key(words, k, NULL)));
    if (axis->count) qsort(axis->name, axis->count, sizeof *axis->name, compare_text);
done:
    return status;
}

/* The column's numbers are the places of its labels from here on. */
static tare_status use_labels(word_column *w, score_build *b, size_t rows, tare_error *err)
{
    tare_status status = TARE_OK;
    table_texts texts = table_text_column(w->t, w->lane->column);
    double *value;
    uint8_t *cell;
    TRY_NEW(value = arena_new(&b->scratch, rows + 1, sizeof *value));
    TRY_NEW(cell = arena_new(&b->scratch, rows + 1, 1));
    for (uint32_t k = 0; k < texts.levels; k++)
        if (w->label[k])
            w->label[k] = (uint32_t)score_find_name(
                &b->out->label, table_level(w->t, w->lane->column, k, NULL));
    for (size_t i = 0; i < rows; i++) {
        bool label = w->status[texts.codes[i]] == TARE_REASON_COUNT && is_word(b, w, i);
        value[i] = label ? (double)w->label[texts.codes[i]] : NAN;
        cell[i] = label ? TABLE_OK : TABLE_MISSING;
        if (label && w->index != SIZE_MAX) b->reason[i * b->lanes + w->index] = TARE_R_NONE;
    }
    w->lane->value = value;
    w->lane->cell = cell;
done:
    return status;
}

/* A gold column of text: not taken if it was only guessed. */
static tare_status check_gold(score_build *b, tare_error *err)
{
    const table_role *r = &b->role[ROLE_GOLD];
    size_t row = 0;
    if (r->column == TABLE_NONE) return TARE_OK;
    while (row < b->rows && b->gold.cell[row] != TABLE_BAD && b->gold.cell[row] != TABLE_INFINITE)
        row++;
    if (row == b->rows) return TARE_OK;
    if (r->found != TABLE_BY_GUESS)
        return score_refuse(b->t, "score.gold_text", row, r->column,
                            "the human or true score is no finite number", err);
    context_message(b->context, TARE_WARNING,
                    "column %s holds text, so it is not taken for the human score; name the column "
                    "with --gold",
                    score_shown(b, table_column_name(b->t, r->column)));
    b->kinds[r->column] = 0;
    b->role[ROLE_GOLD].column = TABLE_NONE;
    return TARE_OK;
}

static tare_status check_ratings(const table *t, const score_lane *lane, tare_error *err)
{
    for (size_t i = 0; i < table_rows(t); i++)
        if (lane->cell[i] == TABLE_BAD || lane->cell[i] == TABLE_INFINITE)
            return score_refuse(t, "score.rating_text", i, lane->column,
                                "the human rating is no finite number", err);
    return TARE_OK;
}

/* Everything that can hold a label; the scores first. */
static tare_status list_columns(word_column **list, size_t *count, score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    word_column *w;
    *count = 0;
    TRY_NEW(w = *list = arena_new(&b->scratch, b->lanes + b->raters + 2, sizeof **list));
    for (size_t k = 0; k < b->lanes; k++)
        w[(*count)++] = (word_column){b->again ? b->again : b->t, &b->lane[k], k, NULL, NULL};
    if (!b->o->labels) goto done;
    for (size_t k = 0; k < b->raters; k++)
        w[(*count)++] = (word_column){b->t, &b->rater[k], SIZE_MAX, NULL, NULL};
    if (b->role[ROLE_GOLD].column != TABLE_NONE)
        w[(*count)++] = (word_column){b->t, &b->gold, SIZE_MAX, NULL, NULL};
    if (b->human.t)
        w[(*count)++] = (word_column){b->human.t, &b->human.lane, SIZE_MAX, NULL, NULL};
done:
    return status;
}

static tare_status read_labels(score_build *b, word_column *w, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    map *words = NULL;
    TRY_NEW(words = map_new(b->m));
    for (size_t k = 0; k < count; k++)
        TRY(collect_labels(words, &w[k], b, table_rows(w[k].t), err));
    TRY(make_labels(b, words, err));
    for (size_t k = 0; k < count; k++) TRY(use_labels(&w[k], b, table_rows(w[k].t), err));
done:
    map_free(words);
    return status;
}

static tare_status read_texts(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    word_column *w;
    size_t count, statuses = 0;
    bool labels = false;
    TRY(read_again(b, err));
    TRY(list_columns(&w, &count, b, err));
    for (size_t k = 0; k < count; k++) {
        /* text in a column that is only guessed to be gold makes no labels of numbers */
        bool guess = w[k].lane == &b->gold && b->role[ROLE_GOLD].found == TABLE_BY_GUESS;
        if (guess && !labels) TRY(check_gold(b, err));
        if (guess && b->role[ROLE_GOLD].column == TABLE_NONE) {
            w[k--] = w[--count];
            continue;
        }
        TRY(sort_words(&w[k], b, &statuses, &labels, err));
    }
    if (statuses) {
        char number[24];
        snprintf(number, sizeof number, "%zu", statuses);
        TRY(score_fact(b, "Rows", "statuses in place of a score", number, err));
    }
    if (labels) TRY(read_labels(b, w, count, err));
done:
    return status;
}

/* ---- All of it --------------------------------------------------------------- */

static void take_numbers(score_lane *lane, const table *t, size_t column)
{
    table_numbers n = table_number_column(t, column);
    lane->column = column;
    lane->value = n.values;
    lane->cell = n.status;
}

/* Scores that carry a status other than ok are not used: said, so that nobody wonders. */
static tare_status count_unused(score_build *b, tare_error *err)
{
    size_t unused = 0;
    char number[24];
    for (size_t i = 0; i < b->rows; i++)
        for (size_t k = 0; k < b->lanes; k++)
            unused += b->lane[k].cell[i] == TABLE_OK && b->reason[i * b->lanes + k] != TARE_R_NONE;
    snprintf(number, sizeof number, "%zu", unused);
    return unused ? score_fact(b, "Rows", "scores not used: their status is not ok", number, err)
                  : TARE_OK;
}

tare_status score_read_words(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    status_words w = {b, NULL, NULL, NULL, NULL};
    bool all_scores = b->role[ROLE_STATUS].column == TABLE_NONE, words = false;
    for (size_t k = 0; k < b->lanes; k++) {
        take_numbers(&b->lane[k], b->t, b->lane[k].column);
        table_numbers n = table_number_column(b->t, b->lane[k].column);
        all_scores = all_scores && n.count[TABLE_OK] == b->rows;
        words = words || n.count[TABLE_BAD] > 0;
    }
    for (size_t k = 0; k < b->raters; k++) take_numbers(&b->rater[k], b->t, b->rater[k].column);
    if (b->role[ROLE_GOLD].column != TABLE_NONE)
        take_numbers(&b->gold, b->t, b->role[ROLE_GOLD].column);
    if (b->human.t) take_numbers(&b->human.lane, b->human.t, b->human.rating);
    if (!b->o->labels) TRY(check_gold(b, err));
    TRY_NEW(b->reason = arena_new(&b->scratch, b->rows * b->lanes, 1));
    if (!all_scores) {
        TRY(read_status_words(&w, b, err));
        TRY(pool_for(b->context->pool, b->rows, ROWS_AT_ONCE, read_rows, &w, err));
    }
    if (words || b->o->labels) TRY(read_texts(b, err));
    if (b->o->labels) TRY(check_gold(b, err)); /* infinite ones are left */
    for (size_t k = 0; k < b->raters; k++) TRY(check_ratings(b->t, &b->rater[k], err));
    if (b->human.t) TRY(check_ratings(b->human.t, &b->human.lane, err));
    if (w.status) TRY(count_unused(b, err));
done:
    return status;
}
