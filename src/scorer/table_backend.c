/* table: the back end. Scores computed elsewhere (scorers 1.6): looked up, never computed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/text.h"
#include "scorer/backends.h"
#include "scorer/fingerprint.h"
#include "table/table.h"

enum { COARSE_DECIMALS = 3 };
static const size_t file_max = (size_t)8 << 30;

/* One score per key: the words of the base, dose and arm columns, or the file. */
typedef struct table_state {
    tare_context *context;
    map *keys;
    double *values;           /* by index of the key              */
    unsigned char *reasons;   /* tare_reason                      */
    const char **notes;       /* "" mostly                        */
    size_t capacity;
    bool by_file, has_dose, has_arm;
} table_state;

enum { BASE, DOSE, FILE_NAME, ARM, SCORER, SCORE, STATUS, FINGERPRINT, ROLES };

static void fill_roles(table_role roles[ROLES])
{
    static const struct { const char *role, *names; unsigned kind; } known[ROLES] = {
        {"base", "base", TABLE_TEXT},     {"dose", "dose", TABLE_NUMBER},
        {"file", "file", TABLE_TEXT},     {"arm", "arm", TABLE_TEXT},
        {"scorer", "scorer", TABLE_TEXT}, {"score", "score", TABLE_NUMBER},
        {"status", "status", TABLE_TEXT}, {"fingerprint", "fingerprint", TABLE_TEXT}};
    for (size_t i = 0; i < ROLES; i++)
        roles[i] = (table_role){.role = known[i].role, .names = known[i].names,
                                .kind = known[i].kind, .required = i == SCORE};
}

/* FILE or FILE#SCORER; a file that exists with the '#' in its name is meant whole. */
static tare_status split_rest(const char **path, const char **scorer_name, arena *a,
                              const char *rest, tare_error *err)
{
    const char *hash = strrchr(rest, '#');
    *path = rest;
    *scorer_name = NULL;
    if (!*rest)
        return error_set(err, TARE_E_USAGE, "scorer.table", NULL, "write table:FILE[#SCORER]");
    if (!hash || os_exists(rest)) return TARE_OK;
    *scorer_name = hash + 1;
    *path = arena_text(a, rest, (size_t)(hash - rest));
    return *path ? TARE_OK : error_memory(err);
}

/* Which level of the scorer column is meant; UINT32_MAX: there is no such column. */
static tare_status choose_scorer(uint32_t *code, const table *t, const table_role *role,
                                 const char *wanted, tare_error *err)
{
    *code = UINT32_MAX;
    if (role->column == TABLE_NONE) {
        if (!wanted) return TARE_OK;
        return error_set(err, TARE_E_DATA, "scorer.table", table_name(t),
                         "#%s was asked for, and there is no column scorer", wanted);
    }
    size_t levels = table_text_column(t, role->column).levels;
    char seen[200] = "";
    for (uint32_t k = 0; k < levels; k++) {
        const char *name = table_level(t, role->column, k, NULL);
        if (wanted ? strcmp(name, wanted) == 0 : levels == 1) *code = k;
        size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s%s", k ? ", " : "", name);
    }
    if (*code != UINT32_MAX || levels == 0) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "scorer.table", table_name(t),
                     "say which scorer is meant, as table:FILE#SCORER; there are %s", seen);
}

static const char *row_text(const table *t, const table_role *role, size_t row)
{
    if (role->column == TABLE_NONE) return "";
    return table_level(t, role->column, table_text_column(t, role->column).codes[row], NULL);
}

/* Is the row one of the scorer meant? UINT32_MAX: the table holds one scorer only. */
static bool row_is_meant(const table *t, const table_role roles[ROLES], size_t row, uint32_t code)
{
    return code == UINT32_MAX || table_text_column(t, roles[SCORER].column).codes[row] == code;
}

static tare_status bad_cell(const table *t, size_t row, size_t column, const char *what,
                            tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    table_where(where, t, row, column);
    return error_set(err, TARE_E_DATA, "scorer.table", where, "%s", what);
}

/* The dose of a row; NaN where there are none. */
static tare_status read_dose(double *dose, const table_state *s, const table *t,
                             const table_role roles[ROLES], size_t row, tare_error *err)
{
    *dose = NAN;
    if (!s->has_dose) return TARE_OK;
    table_numbers doses = table_number_column(t, roles[DOSE].column);
    if (doses.status[row] != TABLE_OK)
        return bad_cell(t, row, roles[DOSE].column, "the dose is no number", err);
    *dose = doses.values[row];
    return TARE_OK;
}

/* The key of a row or an item: parts ended by a byte that no text holds. */
static void write_key(text *out, const table_state *s, const char *base, const char *arm,
                      double dose)
{
    text_clear(out);
    text_add(out, base);
    text_add_char(out, '\0');
    if (s->has_arm) text_add(out, arm);
    text_add_char(out, '\0');
    if (s->has_dose && isfinite(dose)) text_add_number(out, dose);
}

static tare_reason reason_of(const char *status)
{
    if (!*status || strcmp(status, "ok") == 0) return TARE_R_NONE;
    for (int k = 1; k < TARE_REASON_COUNT; k++)
        if (strcmp(tare_reason_name((tare_reason)k), status) == 0) return (tare_reason)k;
    return TARE_R_SCORER_ERROR;
}

/* Value and reason of a row: a status goes before a number, a field without one is missing. */
static tare_status read_row(double *value, tare_reason *reason, const table *t,
                            const table_role roles[ROLES], size_t row, tare_error *err)
{
    table_numbers scores = table_number_column(t, roles[SCORE].column);
    *value = NAN;
    *reason = reason_of(row_text(t, &roles[STATUS], row));
    if (scores.status[row] == TABLE_BAD)
        return bad_cell(t, row, roles[SCORE].column, "the score is no number", err);
    if (*reason != TARE_R_NONE) return TARE_OK;
    if (scores.status[row] == TABLE_MISSING) *reason = TARE_R_MISSING;
    else if (scores.status[row] == TABLE_INFINITE) *reason = TARE_R_SCORE_NONFINITE;
    else *value = scores.values[row];
    return TARE_OK;
}

static bool grow(table_state *s, size_t need)
{
    const mem *m = &s->context->mem;
    size_t a = s->capacity, b = s->capacity, c = s->capacity;
    bool done = mem_reserve(m, &s->values, &a, need, sizeof *s->values) &&
                mem_reserve(m, &s->reasons, &b, need, sizeof *s->reasons) &&
                mem_reserve(m, &s->notes, &c, need, sizeof *s->notes);
    /* The least of the three holds for all. */
    if (done) s->capacity = a < b ? (a < c ? a : c) : (b < c ? b : c);
    return done;
}

/* Put one row under its key; a key that comes again must say the same. */
static tare_status keep_row(table_state *s, arena *a, const table *t,
                            const table_role roles[ROLES], size_t row, const text *key,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    double value;
    tare_reason reason;
    bool is_new;
    TRY(read_row(&value, &reason, t, roles, row, err));
    size_t at = map_add(s->keys, key->data, key->length, &is_new);
    if (at == SIZE_MAX || !grow(s, at + 1)) FAIL_MEMORY(err);
    const char *word = row_text(t, &roles[STATUS], row);
    if (!is_new) {
        bool same = s->reasons[at] == (unsigned char)reason &&
                    (reason != TARE_R_NONE || memcmp(&s->values[at], &value, sizeof value) == 0);
        if (!same)
            status = bad_cell(t, row, roles[SCORE].column,
                              "the same base, dose and arm came before with another score", err);
        goto done;
    }
    s->values[at] = value;
    s->reasons[at] = (unsigned char)reason;
    s->notes[at] = "";
    if (reason == TARE_R_SCORER_ERROR && *word) TRY_NEW(s->notes[at] = arena_copy(a, word));
done:
    return status;
}

/* How many decimals the shortest form of a number has; a number with an exponent counts as many. */
static int decimals(double value)
{
    char out[NUMBER_TEXT_MAX];
    number_format(value, out);
    const char *point = strchr(out, '.');
    if (strpbrk(out, "eE")) return COARSE_DECIMALS + 1;
    return point ? (int)strlen(point + 1) : 0;
}

static tare_status read_rows(table_state *s, arena *a, const table *t,
                             const table_role roles[ROLES], uint32_t scorer_code, tare_error *err)
{
    tare_status status = TARE_OK;
    text key;
    text_init(&key, a->m);
    size_t used = 0;
    bool coarse = true;
    for (size_t row = 0; row < table_rows(t); row++) {
        double dose;
        if (!row_is_meant(t, roles, row, scorer_code)) continue;
        TRY(read_dose(&dose, s, t, roles, row, err));
        const char *base = row_text(t, &roles[s->by_file ? FILE_NAME : BASE], row);
        write_key(&key, s, base, row_text(t, &roles[ARM], row), dose);
        if (key.failed) FAIL_MEMORY(err);
        TRY(keep_row(s, a, t, roles, row, &key, err));
        used++;
        size_t at = map_find(s->keys, key.data, key.length);
        if (s->reasons[at] == TARE_R_NONE && coarse)
            coarse = decimals(s->values[at]) <= COARSE_DECIMALS;
    }
    if (!used) FAIL(err, TARE_E_DATA, "scorer.table", table_name(t), "there is no score in it");
    if (coarse)
        context_message(s->context, TARE_WARNING, "%s: no score has more than three decimals; "
                        "rounding makes ties, and ties hide effects", table_name(t));
done:
    text_free(&key);
    return status;
}

/* The one fingerprint of the rows meant, or NULL. Errors: DATA (several). */
static tare_status read_fingerprint(const char **out, const table *t,
                                    const table_role roles[ROLES], uint32_t scorer_code,
                                    tare_error *err)
{
    *out = NULL;
    if (roles[FINGERPRINT].column == TABLE_NONE) return TARE_OK;
    for (size_t row = 0; row < table_rows(t); row++) {
        if (!row_is_meant(t, roles, row, scorer_code)) continue;
        const char *seen = row_text(t, &roles[FINGERPRINT], row);
        if (*out && strcmp(*out, seen) != 0)
            return bad_cell(t, row, roles[FINGERPRINT].column,
                            "one scorer has two fingerprints: these are two instruments", err);
        *out = seen;
    }
    if (*out && !**out) *out = NULL;
    return TARE_OK;
}

static tare_status describe(scorer_description *d, arena *a, const char *print,
                            const char *file_hash, tare_error *err)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", "table");
    fingerprint_number(&f, "version", 1);
    fingerprint_text(&f, "scorer", d->name);
    /* With a fingerprint two tables of one instrument join; without, a table stands alone. */
    if (print) fingerprint_text(&f, "fingerprint", print);
    else fingerprint_text(&f, "file_sha256", file_hash);
    return fingerprint_describe(d, a, fingerprint_end(&f), err);
}

static tare_status load(table_state *s, scorer_description *d, arena *a, const char *rest,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    table_role roles[ROLES];
    table *t = NULL;
    char *bytes = NULL;
    size_t length;
    uint32_t code;
    unsigned *kinds = NULL;
    const char *path, *wanted, *print, *file_hash;
    fill_roles(roles);
    TRY(split_rest(&path, &wanted, a, rest, err));
    TRY(os_read_file(&bytes, &length, m, path, file_max, err));
    TRY_NEW(file_hash = fingerprint_hash(a, bytes, length));
    TRY(table_open_bytes(&t, m, s->context->pool, &(table_bytes){path, bytes, length}, NULL,
                         err));
    mem_free(m, bytes);
    bytes = NULL;
    TRY(table_find_roles(t, roles, ROLES, err));
    TRY_NEW(kinds = mem_new(m, table_columns(t), sizeof *kinds));
    for (size_t i = 0; i < ROLES; i++)
        if (roles[i].column != TABLE_NONE) kinds[roles[i].column] |= roles[i].kind;
    TRY(table_load(t, kinds, err));
    s->by_file = roles[BASE].column == TABLE_NONE;
    s->has_dose = roles[DOSE].column != TABLE_NONE;
    s->has_arm = roles[ARM].column != TABLE_NONE && !s->by_file;
    if (s->by_file && roles[FILE_NAME].column == TABLE_NONE)
        FAIL(err, TARE_E_DATA, "scorer.table", path, "no column base (or file)");
    if (s->by_file) s->has_dose = false;
    TRY(choose_scorer(&code, t, &roles[SCORER], wanted, err));
    TRY(read_rows(s, a, t, roles, code, err));
    TRY(read_fingerprint(&print, t, roles, code, err));
    d->identified = print != NULL;
    if (code != UINT32_MAX)
        TRY_NEW(d->name = arena_copy(a, table_level(t, roles[SCORER].column, code, NULL)));
    TRY(describe(d, a, print, file_hash, err));
done:
    mem_free(m, kinds);
    mem_free(m, bytes);
    table_free(t);
    return status;
}

static void table_close(void *state)
{
    table_state *s = state;
    const mem *m = &s->context->mem;
    map_free(s->keys);
    mem_free(m, s->values);
    mem_free(m, s->reasons);
    mem_free(m, (void *)s->notes);
    mem_free(m, s);
}

static tare_status table_backend_open(void **state, scorer_description *d, arena *a,
                                      tare_context *context, const char *rest,
                                      const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    table_state *s = NULL;
    (void)options;
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    s->context = context;
    TRY_NEW(s->keys = map_new(&context->mem));
    d->batch = 1;
    d->parallel = true;
    d->repeatable = false;
    d->source = "scores computed elsewhere";
    TRY(load(s, d, a, rest, err));
    *state = s;
    s = NULL;
done:
    if (s) table_close(s);
    return status;
}

static size_t find(const table_state *s, const scorer_item *item, text *key)
{
    const char *arm = item->arm ? item->arm : "";
    if (s->by_file) {
        write_key(key, s, item->key, "", NAN);
        size_t at = key->failed ? SIZE_MAX : map_find(s->keys, key->data, key->length);
        /* A file name stands for the photograph itself, not for its variants. */
        if (at != SIZE_MAX || isfinite(item->dose)) return at;
    }
    if (!s->has_dose && isfinite(item->dose) && item->dose != 0.0) return SIZE_MAX;
    write_key(key, s, item->base ? item->base : "", arm, item->dose);
    return key->failed ? SIZE_MAX : map_find(s->keys, key->data, key->length);
}

static tare_status table_score(void *state, scorer_result *results, const scorer_item *items,
                               size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const table_state *s = state;
    text key;
    text_init(&key, &s->context->mem);
    for (size_t i = 0; i < n; i++) {
        size_t at = find(s, &items[i], &key);
        if (key.failed) FAIL_MEMORY(err);
        if (at == SIZE_MAX)
            scorer_result_fail(&results[i], TARE_R_MISSING, "not in the table");
        else if (s->reasons[at] == TARE_R_NONE)
            scorer_result_value(&results[i], s->values[at]);
        else
            scorer_result_fail(&results[i], (tare_reason)s->reasons[at], "%s", s->notes[at]);
    }
done:
    text_free(&key);
    return status;
}

static tare_status table_check(tare_context *context, tare_error *err)
{
    (void)context;
    (void)err;
    return TARE_OK;
}

const scorer_backend scorer_table = {
    .scheme = "table",
    .summary = "scores computed elsewhere: columns base, dose (or file), score, optional arm, "
               "scorer, status, fingerprint",
    .usage = "table:FILE[#SCORER]",
    .open = table_backend_open,
    .score = table_score,
    .close = table_close,
    .check = table_check,
};
