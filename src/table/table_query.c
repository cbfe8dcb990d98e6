/* table_query.c - the rows of a query that DuckDB answers; Parquet files are the query for all of
 * theirs.
 *
 * The query is asked twice, each time as what stands in the parentheses of a SELECT of ours, so
 * that nothing but a question can be asked: without rows for the names and types of the columns,
 * and for the columns that are wanted as text or double. One thread: sums of doubles and the order
 * of groups would change from run to run with more. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "table/cell.h"
#include "table/duckdb_api.h"
#include "table/query_parts.h"

static const char SCHEME[] = "duckdb:";

bool table_is_query(const char *path)
{
    return strncmp(path, SCHEME, sizeof SCHEME - 1) == 0 || table_ends_with(path, ".parquet");
}

enum { NAME_SHOWN = 180 };

/* The query in one line, cut between characters. */
static void query_name(char out[TABLE_WHERE_MAX], const table *t)
{
    size_t n = strlen(t->name), length = n < NAME_SHOWN ? n : NAME_SHOWN;
    while (length < n && length > 0 && ((unsigned char)t->name[length] & 0xC0) == 0x80) length--;
    for (size_t i = 0; i < length; i++) {
        out[i] = (unsigned char)t->name[i] < ' ' ? ' ' : t->name[i];
    }
    memcpy(out + length, length < n ? "..." : "", length < n ? 4 : 1);
}

/* DuckDB's own words, in one line, without the part that shows our SELECT. */
static tare_status refused(const table *t, const char *why, tare_error *err)
{
    char where[TABLE_WHERE_MAX], message[512];
    size_t n = 0;
    if (why == NULL) why = "DuckDB gave no reason";
    const char *end = strstr(why, "\nLINE ");
    for (const char *s = why; *s != '\0' && s != end && n + 1 < sizeof message; s++) {
        bool space = (unsigned char)*s <= ' ';
        if (!space || (n > 0 && message[n - 1] != ' ')) message[n++] = space ? ' ' : *s;
    }
    while (n > 0 && message[n - 1] == ' ') n--;
    message[n] = '\0';
    query_name(where, t);
    return error_set(err, TARE_E_DATA, "duckdb.query", where, "%s", message);
}

/* ---- The database ---------------------------------------------------------- */

/* In memory, with nothing fetched or loaded from elsewhere, no secrets of the user and nothing
 * spilled into his folders. Files that the query names are read. A setting that a version does not
 * know is left out. */
static tare_status open_database(query *q, const table *t, tare_error *err)
{
    static const char *const settings[][2] = {
        {"threads", "1"},
        {"autoinstall_known_extensions", "false"},
        {"autoload_known_extensions", "false"},
        {"allow_community_extensions", "false"},
        {"allow_persistent_secrets", "false"},
        {"temp_directory", ""},
    };
    tare_status status = TARE_OK;
    const duckdb_api *d = &q->api;
    void *config = NULL;
    char *why = NULL;
    if (d->create_config(&config) != 0) FAIL_MEMORY(err);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        d->set_config(config, settings[i][0], settings[i][1]);
    }
    if (d->open_ext(NULL, &q->database, config, &why) != 0) TRY(refused(t, why, err));
    if (d->connect(q->database, &q->connection) != 0) {
        TRY(refused(t, "no connection to a database in memory", err));
    }
done:
    if (why != NULL) d->release(why);
    d->destroy_config(&config);
    return status;
}

static void drop_answer(query *q)
{
    if (q->answered) q->api.destroy_result(&q->rows);
    if (q->statement != NULL) q->api.destroy_prepare(&q->statement);
    q->answered = false;
}

/* Asks; the answer is q->rows until drop_answer. */
static tare_status ask(const table *t, const char *sql, tare_error *err)
{
    query *q = t->query;
    const duckdb_api *d = &q->api;
    drop_answer(q);
    if (d->prepare(q->connection, sql, &q->statement) != 0) {
        return refused(t, q->statement == NULL ? NULL : d->prepare_error(q->statement), err);
    }
    q->answered = true;
    if (d->execute_prepared(q->statement, &q->rows) != 0) {
        return refused(t, d->result_error(&q->rows), err);
    }
    return TARE_OK;
}

static void close_query(table *t)
{
    query *q = t->query;
    if (q == NULL) return;
    drop_answer(q);
    if (q->connection != NULL) q->api.disconnect(&q->connection);
    if (q->database != NULL) q->api.close(&q->database);
    duckdb_api_close(&q->api);
    mem_free(t->m, q->types);
    text_free(&q->sql);
    mem_free(t->m, q);
    t->query = NULL;
}

/* ---- Opening --------------------------------------------------------------- */

/* The query without what ends it. */
static void write_query(query *q, const char *path)
{
    size_t length = strlen(path);
    if (strncmp(path, SCHEME, sizeof SCHEME - 1) == 0) {
        path += sizeof SCHEME - 1;
        length -= sizeof SCHEME - 1;
        while (length > 0 && (path[length - 1] == ';' || (unsigned char)path[length - 1] <= ' ')) {
            length--;
        }
        text_add_bytes(&q->sql, path, length);
        return;
    }
    text_add(&q->sql, "SELECT * FROM read_parquet('");
    for (const char *s = path; *s != '\0'; s++) {
        if (*s == '\'') text_add_char(&q->sql, '\'');
        text_add_char(&q->sql, *s);
    }
    text_add(&q->sql, "')");
}

static tare_status learn_columns(table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    query *q = t->query;
    size_t capacity = 0;
    char where[TABLE_WHERE_MAX];
    text sql;
    text_init(&sql, t->m);
    text_add(&sql, "SELECT * FROM (\n");
    text_add_bytes(&sql, q->sql.data, q->sql.length);
    text_add(&sql, "\n) LIMIT 0");
    if (sql.failed || q->sql.failed) FAIL_MEMORY(err);
    TRY(ask(t, sql.data, err));
    size_t count = (size_t)q->api.column_count(&q->rows);
    query_name(where, t);
    if (count > t->options.max_columns) {
        FAIL(err, TARE_E_LIMIT, "table.columns", where, "the result has more than %zu columns",
             t->options.max_columns);
    }
    TRY_NEW(q->types = mem_new(t->m, count, sizeof *q->types));
    for (size_t i = 0; i < count; i++) {
        const char *name = q->api.column_name(&q->rows, i);
        if (name == NULL || !table_add_column(t, &capacity, name, strlen(name))) FAIL_MEMORY(err);
        q->types[i] = q->api.column_type(&q->rows, i);
    }
done:
    text_free(&sql);
    return status;
}

/* A file that is not there is an error like that of other files, with or without DuckDB. */
static tare_status check_file(const char *path, tare_error *err)
{
    if (strncmp(path, SCHEME, sizeof SCHEME - 1) == 0 || strpbrk(path, "*?[") != NULL
        || os_exists(path)) {
        return TARE_OK;
    }
    return error_set(err, TARE_E_IO, "io.open", path, "cannot open: no such file");
}

tare_status table_open_query(table *t, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    query *q;
    t->source = &table_query;
    t->options.delimiter = 0;
    TRY(check_file(path, err));
    TRY_NEW(q = t->query = mem_new(t->m, 1, sizeof *q));
    text_init(&q->sql, t->m);
    write_query(q, path);
    TRY(duckdb_api_open(&q->api, err));
    TRY(open_database(q, t, err));
    TRY(learn_columns(t, err));
done:
    return status;
}

tare_status table_duckdb_check(tare_error *err)
{
    duckdb_api api;
    tare_status status = duckdb_api_open(&api, err);
    duckdb_api_close(&api);
    return status;
}

/* ---- Loading --------------------------------------------------------------- */

static tare_status write_wanted(text *sql, const table *t, query_output *outputs, size_t *count)
{
    const query *q = t->query;
    size_t n = 0;
    text_add(sql, "SELECT ");
    for (size_t i = 0; i < t->column_count; i++) {
        unsigned kind = t->columns[i].kind;
        bool direct = q->types[i] >= DUCKDB_BOOLEAN && q->types[i] <= DUCKDB_DOUBLE;
        if (direct && (kind & TABLE_NUMBER)) {
            text_add_format(sql, "CAST(c%zu AS DOUBLE), ", i);
            outputs[n++] = (query_output){i, true, TABLE_NUMBER};
            kind &= ~(unsigned)TABLE_NUMBER;
        }
        if (kind != TABLE_SKIP) {
            text_add_format(sql, "CAST(c%zu AS VARCHAR), ", i);
            outputs[n++] = (query_output){i, false, kind};
        }
    }
    text_add(sql, "0 FROM (\n"); /* a column at least, so that rows are counted */
    text_add_bytes(sql, q->sql.data, q->sql.length);
    text_add(sql, "\n) AS answer(");
    for (size_t i = 0; i < t->column_count; i++) text_add_format(sql, "%sc%zu", i ? ", " : "", i);
    text_add(sql, ")");
    *count = n;
    return sql->failed ? TARE_E_MEMORY : TARE_OK;
}

static tare_status load_query(table *t, const unsigned *kinds, tare_error *err)
{
    tare_status status = TARE_OK;
    query *q = t->query;
    query_output *outputs = NULL;
    size_t count;
    text sql;
    text_init(&sql, t->m);
    TRY(table_make_columns(t, kinds, 1, err));
    TRY_NEW(outputs = mem_new(t->m, 2 * t->column_count, sizeof *outputs));
    if (write_wanted(&sql, t, outputs, &count) != TARE_OK) FAIL_MEMORY(err);
    TRY(ask(t, sql.data, err));
    TRY(query_fetch(t, outputs, count, err));
    for (size_t i = 0; i < t->column_count; i++) {
        if (t->columns[i].kind & TABLE_NUMBER) table_count_cells(&t->columns[i], t->rows);
    }
done:
    drop_answer(q); /* the columns have copies of what they need */
    mem_free(t->m, outputs);
    text_free(&sql);
    return status;
}

/* ---- Places ---------------------------------------------------------------- */

static size_t query_line(const table *t, size_t row)
{
    (void)t;
    return row + 1;
}

static void query_where(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column_index)
{
    query_name(out, t);
    size_t n = strlen(out);
    int more = snprintf(out + n, TABLE_WHERE_MAX - n, ": query result row %zu", row + 1);
    n += more > 0 ? (size_t)more : 0;
    if (column_index == TABLE_NONE || n >= TABLE_WHERE_MAX) return;
    snprintf(out + n, TABLE_WHERE_MAX - n, ", column %.60s", t->columns[column_index].name);
}

const table_source table_query = {load_query, query_line, query_where, close_query,
                                  "query result rows"};
