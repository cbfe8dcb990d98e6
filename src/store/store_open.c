#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "store/store_internal.h"

/* Raised whenever a table changes its meaning; older runs are refused with a clear word. */
#define STORE_VERSION 1
/* "tare" in ASCII: says which program owns the file. */
#define STORE_APPLICATION 0x74617265

static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE base (idx INTEGER PRIMARY KEY, id TEXT NOT NULL, file TEXT NOT NULL,"
    " cluster TEXT NOT NULL, grp TEXT NOT NULL, arm TEXT NOT NULL, kind TEXT NOT NULL,"
    " status INTEGER NOT NULL, why TEXT NOT NULL, width INTEGER, height INTEGER,"
    " skin_share REAL, pixels_hash TEXT NOT NULL, notes TEXT NOT NULL, shown TEXT NOT NULL,"
    " mask TEXT NOT NULL, dose REAL, attribute REAL, artifact REAL, bytes INTEGER,"
    " modified_ns INTEGER);"
    "CREATE TABLE variant (base INTEGER, slot INTEGER, operator TEXT NOT NULL,"
    " dose REAL NOT NULL, pixels_hash TEXT NOT NULL, measures TEXT NOT NULL,"
    " PRIMARY KEY (base, slot)) WITHOUT ROWID;"
    "CREATE TABLE score (pass INTEGER, scorer INTEGER, base INTEGER, slot INTEGER,"
    " value REAL, status INTEGER NOT NULL, note TEXT NOT NULL,"
    " PRIMARY KEY (pass, scorer, base, slot)) WITHOUT ROWID;"
    "CREATE TABLE batch (scorer INTEGER, pass INTEGER, batch INTEGER,"
    " PRIMARY KEY (scorer, pass, batch)) WITHOUT ROWID;";

#define TABLE_COUNT 5

static const char *const statements[STATEMENT_COUNT] = {
    [STATEMENT_SET] = "INSERT OR REPLACE INTO meta VALUES (?1, ?2)",
    [STATEMENT_GET] = "SELECT value FROM meta WHERE key = ?1",
    [STATEMENT_PUT_BASE] =
        ("INSERT OR REPLACE INTO base VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
         "?16,?17,?18,?19,?20,?21)"),
    [STATEMENT_PUT_VARIANT] = "INSERT OR REPLACE INTO variant VALUES (?1,?2,?3,?4,?5,?6)",
    [STATEMENT_PUT_SCORE] = "INSERT OR REPLACE INTO score VALUES (?1,?2,?3,?4,?5,?6,?7)",
    [STATEMENT_MARK] = "INSERT OR REPLACE INTO batch VALUES (?1,?2,?3)",
    [STATEMENT_MARKED] = "SELECT batch FROM batch WHERE scorer = ?1 AND pass = ?2 ORDER BY batch",
    [STATEMENT_EACH_BASE] = "SELECT * FROM base ORDER BY idx",
    [STATEMENT_EACH_VARIANT] = "SELECT * FROM variant ORDER BY base, slot",
    [STATEMENT_EACH_SCORE] = "SELECT * FROM score ORDER BY pass, scorer, base, slot",
    [STATEMENT_UNMARK] =
        "DELETE FROM batch WHERE scorer = ?1 AND pass = ?2 AND batch >= ?3 AND batch < ?4",
    [STATEMENT_FORGET_VARIANTS] = "DELETE FROM variant WHERE base = ?1",
};

tare_status store_fail(const store *s, const char *doing, tare_error *err)
{
    const char *word = s->db ? sqlite3_errmsg(s->db) : "out of memory";
    int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM;
    if (code == SQLITE_NOMEM) return error_memory(err);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return error_set(err, TARE_E_DATA, "store.damaged", s->folder,
                         "run.sqlite is not a readable run (%s): use another output folder", word);
    const char *hint =
        code == SQLITE_FULL ? "; free some space and run the same command again" : "";
    return error_set(err, TARE_E_IO, "store.io", s->folder, "cannot %s the run: %s%s", doing, word,
                     hint);
}

tare_status store_prepare(sqlite3_stmt **out, store *s, enum store_statement which,
                          tare_error *err)
{
    sqlite3_stmt **kept = &s->statement[which];
    if (!*kept &&
        sqlite3_prepare_v3(s->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT, kept, NULL))
        return store_fail(s, "read", err);
    sqlite3_reset(*kept);
    sqlite3_clear_bindings(*kept);
    *out = *kept;
    return TARE_OK;
}

tare_status store_step(store *s, sqlite3_stmt *statement, const char *doing, tare_error *err)
{
    int code = sqlite3_step(statement);
    tare_status status = code == SQLITE_DONE ? TARE_OK : store_fail(s, doing, err);
    sqlite3_reset(statement);
    return status;
}

static tare_status run_sql(store *s, const char *sql, const char *doing, tare_error *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? store_fail(s, doing, err) : TARE_OK;
}

static tare_status pragma_value(int *out, store *s, const char *sql, tare_error *err)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL)) return store_fail(s, "read", err);
    tare_status status = TARE_OK;
    if (sqlite3_step(statement) == SQLITE_ROW) *out = sqlite3_column_int(statement, 0);
    else status = store_fail(s, "read", err);
    sqlite3_finalize(statement);
    return status;
}

static tare_status refuse_link(const store *s, const char *name, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "store.link", s->folder,
                     "%s in it is a link, or no plain file, and could lead elsewhere: remove it, "
                     "or use another folder", name);
}

/* A run folder may come from somebody else, and SQLite believes what it finds beside the database
 * before anybody is asked: a rollback journal may name any file of the disk to be deleted. Tare
 * keeps a write-ahead log and never makes a journal; links are not followed. */
static tare_status check_files(const store *s, tare_error *err)
{
    static const char *const plain[] = {"run.sqlite", "run.sqlite-wal", "run.sqlite-shm"};
    tare_status status = TARE_OK;
    struct stat st;
    text path;
    text_init(&path, s->m);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        text_clear(&path);
        text_add_format(&path, "%s/%s", s->folder, plain[k]);
        if (path.failed) FAIL_MEMORY(err);
        if (lstat(path.data, &st) == 0 && !S_ISREG(st.st_mode))
            TRY(refuse_link(s, plain[k], err));
    }
    text_clear(&path);
    text_add_format(&path, "%s/run.sqlite-journal", s->folder);
    if (path.failed) FAIL_MEMORY(err);
    if (lstat(path.data, &st) == 0)
        FAIL(err, TARE_E_DATA, "store.journal", s->folder,
             "run.sqlite-journal in it is not tare's, and SQLite would delete files that it names: "
             "remove it, or use another folder");
done:
    text_free(&path);
    return status;
}

/* One writer at a time. The kernel gives the lock back when the process dies, however it dies. */
static tare_status take_lock(store *s, const char *path, tare_error *err)
{
    s->lock = os_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    int number = errno;
    if (s->lock < 0 && (number == EACCES || number == EROFS || number == EPERM))
        return error_set(err, TARE_E_IO, "store.read_only", s->folder,
                         "a run folder must be writable, also to read it, and run.lock cannot be "
                         "written here: change its permissions, or copy the folder to a place of "
                         "yours");
    if (s->lock < 0 && number != ELOOP) return error_system(err, number, "open", path);
    if (s->lock < 0 || !os_is_own_file(path)) return refuse_link(s, "run.lock", err);
    if (flock(s->lock, LOCK_EX | LOCK_NB) == 0) return TARE_OK;
    if (errno == EWOULDBLOCK)
        return error_set(err, TARE_E_IO, "store.in_use", s->folder,
                         "another tare is working in this folder: wait for it, or choose "
                         "another output folder");
    return error_system(err, errno, "lock", path);
}

/* A run folder may come from somebody else, and SQL in it (a view, a trigger) would run as soon as
 * its table is asked: nothing but our own tables may be there, word for word. */
static tare_status check_tables(store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    sqlite3_stmt *q = NULL;
    int tables = 0, code;
    if (sqlite3_prepare_v2(s->db, "SELECT type, sql FROM sqlite_master", -1, &q, NULL))
        TRY(store_fail(s, "read", err));
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(q, 0);
        const char *sql = (const char *)sqlite3_column_text(q, 1);
        const char *ours = type && sql && !strcmp(type, "table") ? strstr(schema, sql) : NULL;
        if (!ours || ours[strlen(sql)] != ';')
            FAIL(err, TARE_E_DATA, "store.tables", s->folder,
                 "run.sqlite holds tables, views or triggers that tare did not make: remove them, "
                 "or use another output folder");
        tables++;
    }
    if (code != SQLITE_DONE) TRY(store_fail(s, "read", err));
    if (tables != TABLE_COUNT)
        FAIL(err, TARE_E_DATA, "store.tables", s->folder,
             "run.sqlite lacks some of its tables: use another output folder");
done:
    sqlite3_finalize(q);
    return status;
}

/* Whose database is this? *fresh: of nobody yet. Only reads. */
static tare_status check_version(bool *fresh, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    int application = 0, version = 0, tables = 0;
    TRY(pragma_value(&application, s, "PRAGMA application_id", err));
    TRY(pragma_value(&version, s, "PRAGMA user_version", err));
    TRY(pragma_value(&tables, s, "SELECT count(*) FROM sqlite_master", err));
    *fresh = application == 0 && version == 0 && tables == 0;
    if (*fresh) goto done;
    if (application != STORE_APPLICATION)
        FAIL(err, TARE_E_DATA, "store.foreign", s->folder,
             "run.sqlite here was not made by tare: choose another output folder");
    if (version != STORE_VERSION)
        FAIL(err, TARE_E_DATA, "store.version", s->folder,
             "this run was made by another version of tare (store version %d, this tare reads "
             "%d): use that version, or start anew in another folder", version, STORE_VERSION);
    TRY(check_tables(s, err));
done:
    return status;
}

static tare_status make_tables(store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    char sql[96];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION, STORE_VERSION);
    TRY(run_sql(s, "BEGIN IMMEDIATE", "write", err));
    TRY(run_sql(s, schema, "write", err));
    TRY(run_sql(s, sql, "write", err));
    TRY(run_sql(s, "COMMIT", "write", err));
done:
    return status;
}

/* The change to WAL is itself written with a journal: in memory, so that none is ever left. */
static tare_status use_log(store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, "PRAGMA journal_mode", -1, &q, NULL) ||
        sqlite3_step(q) != SQLITE_ROW)
        TRY(store_fail(s, "open", err));
    const char *mode = (const char *)sqlite3_column_text(q, 0);
    bool is_log = mode && !strcmp(mode, "wal");
    sqlite3_finalize(q);
    q = NULL;
    if (!is_log) TRY(run_sql(s, "PRAGMA journal_mode = MEMORY", "open", err));
    if (!is_log) TRY(run_sql(s, "PRAGMA journal_mode = WAL", "open", err));
    TRY(run_sql(s, "PRAGMA synchronous = NORMAL", "open", err));
done:
    sqlite3_finalize(q);
    return status;
}

tare_status store_open(store **out, const mem *m, const char *folder, bool create, tare_error *err)
{
    tare_status status = TARE_OK;
    text path;
    text_init(&path, m);
    store *s = mem_new(m, 1, sizeof *s);
    if (!s) FAIL_MEMORY(err);
    s->m = m;
    s->lock = -1;
    TRY_NEW(s->folder = mem_new(m, strlen(folder) + 1, 1));
    memcpy(s->folder, folder, strlen(folder) + 1);
    if (create) TRY(os_make_folders(folder, err));
    text_add_format(&path, "%s/run.sqlite", folder);
    if (path.failed) FAIL_MEMORY(err);
    bool fresh = false;
    if (!create && !os_exists(path.data))
        FAIL(err, TARE_E_DATA, "store.absent", folder, "no run here: run.sqlite is missing");
    text_clear(&path);
    text_add_format(&path, "%s/run.lock", folder);
    if (path.failed) FAIL_MEMORY(err);
    TRY(take_lock(s, path.data, err));
    TRY(check_files(s, err));
    text_clear(&path);
    text_add_format(&path, "%s/run.sqlite", folder);
    if (path.failed) FAIL_MEMORY(err);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path.data, &s->db, flags, NULL)) TRY(store_fail(s, "open", err));
    /* What a stranger put into the file must not run, and a damaged page must not be believed. */
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    TRY(run_sql(s, "PRAGMA cell_size_check = ON", "open", err));
    TRY(check_version(&fresh, s, err));
    TRY(use_log(s, err));
    if (fresh) TRY(make_tables(s, err));
    *out = s;
    s = NULL;
done:
    store_close(s);
    text_free(&path);
    return status;
}

void store_close(store *s)
{
    if (!s) return;
    if (s->writing) store_rollback(s);
    for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(s->statement[i]);
    sqlite3_close(s->db);
    if (s->lock >= 0) close(s->lock);
    mem_free(s->m, s->folder);
    mem_free(s->m, s);
}

tare_status store_begin(store *s, tare_error *err)
{
    tare_status status = run_sql(s, "BEGIN IMMEDIATE", "write", err);
    s->writing = status == TARE_OK;
    return status;
}

tare_status store_commit(store *s, tare_error *err)
{
    tare_status status = run_sql(s, "COMMIT", "write", err);
    if (status == TARE_OK) s->writing = false;
    return status;
}

void store_rollback(store *s)
{
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->writing = false;
}
