/* A run folder of somebody else, read as `tare report` reads it. The first byte chooses: a file
 * run.sqlite of any bytes, or statements in SQL that change a good run. Whatever it holds, the
 * audit gives readings or says what is wrong, and asks no program for anything. */
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "fuzz.h"
#include "tare.h"

#define FILE_MAX (256 << 10)
enum { STEPS = 20000 }; /* of SQLite's machine, a thousand each, for the statements */

static char folder[64], file[96];
static char *good;
static size_t good_length;

static void remove_all(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) perror(folder);
    free(good);
    good = NULL;
}

static void prepare(void)
{
    static const char path[] = TARE_SOURCE_DIR "/tests/data/run_store_1/run.sqlite";
    static mem m;
    struct stat st;
    m = mem_system();
    bool memory = stat("/dev/shm", &st) == 0 && access("/dev/shm", W_OK) == 0;
    snprintf(folder, sizeof folder, "%s/tare-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/run.sqlite", folder);
    REQUIRE(os_read_file(&good, &good_length, &m, path, FILE_MAX, NULL) == TARE_OK);
    atexit(remove_all);
}

static void write_file(const void *bytes, size_t length)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    char path[112];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", file, beside[i]);
        unlink(path);
    }
    FILE *f = fopen(file, "wb");
    REQUIRE(f && fwrite(bytes, 1, length, f) == length && fclose(f) == 0);
}

/* Rows, tables, views and triggers may be changed; other files may not. */
static int allow(void *arg, int what, const char *a, const char *b, const char *c, const char *d)
{
    (void)arg, (void)a, (void)b, (void)c, (void)d;
    return what == SQLITE_ATTACH || what == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static int count_down(void *steps)
{
    return --*(int *)steps < 0;
}

static void change(const char *sql)
{
    sqlite3 *db = NULL;
    int steps = STEPS;
    write_file(good, good_length);
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, FILE_MAX);
    sqlite3_set_authorizer(db, allow, NULL);
    sqlite3_progress_handler(db, 1000, count_down, &steps);
    for (const char *rest = sql; rest && *rest;) {
        sqlite3_stmt *q = NULL;
        if (sqlite3_prepare_v2(db, rest, -1, &q, &rest) || !q) break;
        while (sqlite3_step(q) == SQLITE_ROW) continue;
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
}

static void audit(void)
{
    static const char *const options[][2] = {{"boot-b", "99"}, {"perm-p", "99"}, {"strips", "1"}};
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *context = NULL;
    tare_job *job = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    char *summary = NULL;
    o.threads = 1;
    REQUIRE(tare_context_new(&context, &o, &err) == TARE_OK);
    REQUIRE(tare_job_new(&job, context, "audit", &err) == TARE_OK);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        REQUIRE(tare_job_set(job, options[i][0], options[i][1], &err) == TARE_OK);
    REQUIRE(tare_job_input(job, folder, &err) == TARE_OK);
    tare_status status = tare_job_run(job, &err);
    if (status == TARE_OK) {
        REQUIRE(tare_report_summary(&summary, job, 80, 0, &err) == TARE_OK);
        tare_text_free(context, summary);
    } else {
        REQUIRE(status == err.status && status != TARE_E_BUG && status != TARE_E_MEMORY);
        REQUIRE(*err.code && *err.message);
    }
    tare_job_free(job);
    tare_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > FILE_MAX) return 0;
    if (!good) prepare();
    if (data[0] & 1) {
        char *sql = strndup((const char *)data + 1, size - 1);
        REQUIRE(sql != NULL);
        change(sql);
        free(sql);
    } else {
        write_file(data + 1, size - 1);
    }
    audit();
    return 0;
}
