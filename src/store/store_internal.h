/* store_internal.h - the handle, shared by the files of this room only. */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include <sqlite3.h>

#include "base/mem.h"
#include "store/store.h"

/* Prepared statements, made when first needed. */
enum store_statement {
    STATEMENT_SET, STATEMENT_GET, STATEMENT_PUT_BASE, STATEMENT_PUT_VARIANT, STATEMENT_PUT_SCORE,
    STATEMENT_MARK, STATEMENT_MARKED, STATEMENT_EACH_BASE, STATEMENT_EACH_VARIANT,
    STATEMENT_EACH_SCORE, STATEMENT_UNMARK, STATEMENT_FORGET_VARIANTS, STATEMENT_COUNT
};

struct store {
    const mem *m;
    char *folder;
    sqlite3 *db;
    int lock;     /* descriptor of run.lock, held while the store is open */
    bool writing; /* inside begin .. commit */
    sqlite3_stmt *statement[STATEMENT_COUNT];
};

/* Text of errors: what SQLite says about the run folder. */
tare_status store_fail(const store *s, const char *doing, tare_error *err);
/* The prepared statement, reset and without bindings. */
tare_status store_prepare(sqlite3_stmt **out, store *s, enum store_statement which,
                          tare_error *err);
/* Step a statement that gives no row. */
tare_status store_step(store *s, sqlite3_stmt *statement, const char *doing, tare_error *err);

#endif
