#include <math.h>
#include <string.h>

#include "base/error.h"
#include "store/store_internal.h"

static void bind_text(sqlite3_stmt *q, int i, const char *value)
{
    sqlite3_bind_text(q, i, value ? value : "", -1, SQLITE_TRANSIENT);
}

/* NaN has no place in SQL: it is NULL. */
static void bind_number(sqlite3_stmt *q, int i, double value)
{
    if (isnan(value)) sqlite3_bind_null(q, i);
    else sqlite3_bind_double(q, i, value);
}

static const char *column_text(sqlite3_stmt *q, int i)
{
    const char *value = (const char *)sqlite3_column_text(q, i);
    return value ? value : "";
}

static double column_number(sqlite3_stmt *q, int i)
{
    int type = sqlite3_column_type(q, i);
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(q, i) : NAN;
}

tare_status store_set(store *s, const char *key, const char *value, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_SET, err);
    if (status) return status;
    bind_text(q, 1, key);
    bind_text(q, 2, value);
    return store_step(s, q, "write", err);
}

tare_status store_get(const char **out, store *s, arena *a, const char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    sqlite3_stmt *q = NULL;
    *out = NULL;
    TRY(store_prepare(&q, s, STATEMENT_GET, err));
    bind_text(q, 1, key);
    int code = sqlite3_step(q);
    if (code == SQLITE_ROW) TRY_NEW(*out = arena_copy(a, column_text(q, 0)));
    else if (code != SQLITE_DONE) TRY(store_fail(s, "read", err));
done:
    if (q) sqlite3_reset(q);
    return status;
}

tare_status store_put_base(store *s, const store_base *row, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_PUT_BASE, err);
    if (status) return status;
    sqlite3_bind_int64(q, 1, row->index);
    const char *words[] = {row->id, row->file, row->cluster, row->group, row->arm, row->kind};
    for (int i = 0; i < 6; i++) bind_text(q, i + 2, words[i]);
    sqlite3_bind_int(q, 8, row->status);
    bind_text(q, 9, row->why);
    sqlite3_bind_int(q, 10, row->width);
    sqlite3_bind_int(q, 11, row->height);
    bind_number(q, 12, row->skin_share);
    bind_text(q, 13, row->pixels_hash);
    bind_text(q, 14, row->notes);
    bind_text(q, 15, row->shown);
    bind_text(q, 16, row->mask);
    bind_number(q, 17, row->dose);
    bind_number(q, 18, row->attribute);
    bind_number(q, 19, row->artifact);
    sqlite3_bind_int64(q, 20, row->bytes);
    sqlite3_bind_int64(q, 21, row->modified_ns);
    return store_step(s, q, "write", err);
}

tare_status store_put_variant(store *s, const store_variant *row, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_PUT_VARIANT, err);
    if (status) return status;
    sqlite3_bind_int64(q, 1, row->base);
    sqlite3_bind_int64(q, 2, row->slot);
    bind_text(q, 3, row->operator_name);
    sqlite3_bind_double(q, 4, row->dose);
    bind_text(q, 5, row->pixels_hash);
    bind_text(q, 6, row->measures);
    return store_step(s, q, "write", err);
}

tare_status store_put_score(store *s, const store_score *row, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_PUT_SCORE, err);
    if (status) return status;
    const int64_t keys[] = {row->pass, row->scorer, row->base, row->slot};
    for (int i = 0; i < 4; i++) sqlite3_bind_int64(q, i + 1, keys[i]);
    bind_number(q, 5, row->value);
    sqlite3_bind_int(q, 6, row->status);
    bind_text(q, 7, row->note);
    return store_step(s, q, "write", err);
}

tare_status store_mark_batch(store *s, int64_t scorer, int64_t pass, int64_t batch, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_MARK, err);
    if (status) return status;
    const int64_t keys[] = {scorer, pass, batch};
    for (int i = 0; i < 3; i++) sqlite3_bind_int64(q, i + 1, keys[i]);
    return store_step(s, q, "write", err);
}

tare_status store_unmark_batches(store *s, int64_t scorer, int64_t pass, int64_t first,
                                 int64_t count, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_UNMARK, err);
    if (status) return status;
    const int64_t keys[] = {scorer, pass, first, first + count};
    for (int i = 0; i < 4; i++) sqlite3_bind_int64(q, i + 1, keys[i]);
    return store_step(s, q, "write", err);
}

tare_status store_forget_variants(store *s, int64_t base, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_FORGET_VARIANTS, err);
    if (status) return status;
    sqlite3_bind_int64(q, 1, base);
    return store_step(s, q, "write", err);
}

tare_status store_marked_batches(unsigned char *out, int64_t count, store *s, int64_t scorer,
                                 int64_t pass, tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, STATEMENT_MARKED, err);
    if (status) return status;
    memset(out, 0, (size_t)count);
    sqlite3_bind_int64(q, 1, scorer);
    sqlite3_bind_int64(q, 2, pass);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t batch = sqlite3_column_int64(q, 0);
        if (batch >= 0 && batch < count) out[batch] = 1;
    }
    if (code != SQLITE_DONE) status = store_fail(s, "read", err);
    sqlite3_reset(q);
    return status;
}

/* Walk the rows of a statement; `give` turns the current row into the caller's struct. */
struct walk {
    tare_status (*give)(const struct walk *w, sqlite3_stmt *q, tare_error *err);
    tare_status (*base)(void *arg, const store_base *, tare_error *);
    tare_status (*variant)(void *arg, const store_variant *, tare_error *);
    tare_status (*score)(void *arg, const store_score *, tare_error *);
    void *arg;
};

static tare_status walk_rows(store *s, enum store_statement which, const struct walk *w,
                             tare_error *err)
{
    sqlite3_stmt *q = NULL;
    tare_status status = store_prepare(&q, s, which, err);
    if (status) return status;
    int code = SQLITE_DONE;
    while (status == TARE_OK && (code = sqlite3_step(q)) == SQLITE_ROW)
        status = w->give(w, q, err);
    if (status == TARE_OK && code != SQLITE_DONE) status = store_fail(s, "read", err);
    sqlite3_reset(q);
    return status;
}

static tare_status give_base(const struct walk *w, sqlite3_stmt *q, tare_error *err)
{
    store_base row = {
        sqlite3_column_int64(q, 0), column_text(q, 1), column_text(q, 2), column_text(q, 3),
        column_text(q, 4), column_text(q, 5), column_text(q, 6), sqlite3_column_int(q, 7),
        column_text(q, 8), sqlite3_column_int(q, 9), sqlite3_column_int(q, 10),
        column_number(q, 11), column_text(q, 12), column_text(q, 13), column_text(q, 14),
        column_text(q, 15), column_number(q, 16), column_number(q, 17), column_number(q, 18),
        sqlite3_column_int64(q, 19), sqlite3_column_int64(q, 20)};
    return w->base(w->arg, &row, err);
}

static tare_status give_variant(const struct walk *w, sqlite3_stmt *q, tare_error *err)
{
    store_variant row = {sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
                         column_text(q, 2),          sqlite3_column_double(q, 3),
                         column_text(q, 4),          column_text(q, 5)};
    return w->variant(w->arg, &row, err);
}

static tare_status give_score(const struct walk *w, sqlite3_stmt *q, tare_error *err)
{
    store_score row = {sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3),
                       sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 0),
                       column_number(q, 4),        sqlite3_column_int(q, 5),
                       column_text(q, 6)};
    return w->score(w->arg, &row, err);
}

tare_status store_each_base(store *s, tare_status (*row)(void *, const store_base *, tare_error *),
                            void *arg, tare_error *err)
{
    struct walk w = {.give = give_base, .base = row, .arg = arg};
    return walk_rows(s, STATEMENT_EACH_BASE, &w, err);
}

tare_status store_each_variant(store *s,
                               tare_status (*row)(void *, const store_variant *, tare_error *),
                               void *arg, tare_error *err)
{
    struct walk w = {.give = give_variant, .variant = row, .arg = arg};
    return walk_rows(s, STATEMENT_EACH_VARIANT, &w, err);
}

tare_status store_each_score(store *s,
                             tare_status (*row)(void *, const store_score *, tare_error *),
                             void *arg, tare_error *err)
{
    struct walk w = {.give = give_score, .score = row, .arg = arg};
    return walk_rows(s, STATEMENT_EACH_SCORE, &w, err);
}
