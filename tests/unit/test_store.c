/* The run folder: what is committed stays, what is not is gone, others are told apart. */
#include "store/store.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/os.h"
#include "support/check.h"

static mem m;
static tare_error err;
static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    m = mem_system();
    memset(&err, 0, sizeof err);
    strcpy(folder, "/tmp/tare-test-store.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

struct seen { int n; double value; int status; char text[64]; };

static tare_status see_score(void *arg, const store_score *row, tare_error *e)
{
    (void)e;
    struct seen *s = arg;
    s->n++;
    s->value = row->value;
    s->status = row->status;
    return TARE_OK;
}

static tare_status see_base(void *arg, const store_base *row, tare_error *e)
{
    (void)e;
    struct seen *s = arg;
    s->n++;
    s->value = row->skin_share;
    snprintf(s->text, sizeof s->text, "%s|%s|%d", row->id, row->why, row->width);
    return TARE_OK;
}

static tare_status see_variant(void *arg, const store_variant *row, tare_error *e)
{
    (void)e;
    struct seen *s = arg;
    s->n++;
    s->value = row->dose;
    snprintf(s->text, sizeof s->text, "%s", row->measures);
    return TARE_OK;
}

static void test_rows_come_back(void **state)
{
    (void)state;
    store *s = NULL;
    struct seen seen = {0};
    unsigned char marked[4];
    const char *value = NULL;
    arena a;
    arena_init(&a, &m);
    assert_ok(store_open(&s, &m, folder, true, &err));
    assert_ok(store_begin(s, &err));
    store_base base = {.index = 0, .id = "a/\xc3\xa9.jpg", .file = "/x", .cluster = "c",
                       .group = "g", .arm = "", .kind = "real", .status = 3, .why = "why",
                       .width = 12, .height = 7, .skin_share = NAN, .pixels_hash = "ff",
                       .notes = "", .shown = "a", .mask = "", .dose = NAN, .attribute = NAN,
                       .artifact = NAN, .bytes = 99, .modified_ns = 7};
    store_variant variant = {0, 6, "skin", -15, "ff", "{\"ita\":1}"};
    store_score score = {0, 6, 1, 0, 0.1, TARE_R_NONE, ""};
    assert_ok(store_put_base(s, &base, &err));
    assert_ok(store_put_variant(s, &variant, &err));
    assert_ok(store_put_score(s, &score, &err));
    assert_ok(store_mark_batch(s, 1, 0, 2, &err));
    assert_ok(store_set(s, "k", "v", &err));
    assert_ok(store_commit(s, &err));
    store_close(s);
    assert_ok(store_open(&s, &m, folder, false, &err));
    assert_ok(store_each_base(s, see_base, &seen, &err));
    assert_int_equal(seen.n, 1);
    assert_string_equal(seen.text, "a/\xc3\xa9.jpg|why|12");
    assert_true(isnan(seen.value));
    assert_ok(store_each_variant(s, see_variant, &seen, &err));
    assert_string_equal(seen.text, "{\"ita\":1}");
    assert_true(seen.value == -15);
    assert_ok(store_each_score(s, see_score, &seen, &err));
    assert_true(seen.value == 0.1);
    assert_ok(store_marked_batches(marked, 4, s, 1, 0, &err));
    assert_memory_equal(marked, "\0\0\1\0", 4);
    assert_ok(store_marked_batches(marked, 4, s, 0, 0, &err));
    assert_memory_equal(marked, "\0\0\0\0", 4);
    assert_ok(store_get(&value, s, &a, "k", &err));
    assert_string_equal(value, "v");
    assert_ok(store_get(&value, s, &a, "absent", &err));
    assert_null(value);
    store_close(s);
    arena_free(&a);
}

/* A missing score is a status; it must not come back as a number. */
static void test_missing_score_is_no_number(void **state)
{
    (void)state;
    store *s = NULL;
    struct seen seen = {0};
    assert_ok(store_open(&s, &m, folder, true, &err));
    store_score score = {1, 2, 0, 0, NAN, TARE_R_TIMEOUT, "late"};
    assert_ok(store_put_score(s, &score, &err));
    assert_ok(store_each_score(s, see_score, &seen, &err));
    assert_true(isnan(seen.value));
    assert_int_equal(seen.status, TARE_R_TIMEOUT);
    store_close(s);
}

static void test_group_is_all_or_nothing(void **state)
{
    (void)state;
    store *s = NULL;
    struct seen seen = {0};
    store_score score = {0, 0, 0, 0, 1, TARE_R_NONE, ""};
    assert_ok(store_open(&s, &m, folder, true, &err));
    assert_ok(store_begin(s, &err));
    assert_ok(store_put_score(s, &score, &err));
    store_close(s); /* without commit */
    assert_ok(store_open(&s, &m, folder, false, &err));
    assert_ok(store_each_score(s, see_score, &seen, &err));
    assert_int_equal(seen.n, 0);
    store_close(s);
}

/* A process that is killed holds the lock no longer, and loses only what it had not committed. */
static void test_kill_keeps_what_was_committed(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        store *s = NULL;
        store_score score = {0, 0, 0, 0, 1, TARE_R_NONE, ""};
        if (store_open(&s, &m, folder, true, NULL) || store_put_score(s, &score, NULL)) _exit(1);
        if (store_begin(s, NULL)) _exit(1);
        score.slot = 1;
        if (store_put_score(s, &score, NULL)) _exit(1);
        kill(getpid(), SIGKILL);
    }
    int how = 0;
    waitpid(child, &how, 0);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    store *s = NULL;
    struct seen seen = {0};
    assert_ok(store_open(&s, &m, folder, false, &err));
    assert_ok(store_each_score(s, see_score, &seen, &err));
    assert_int_equal(seen.n, 1);
    store_close(s);
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    store *s = NULL, *second = NULL;
    assert_ok(store_open(&s, &m, folder, true, &err));
    assert_int_equal(store_open(&second, &m, folder, true, &err), TARE_E_IO);
    assert_string_equal(err.code, "store.in_use");
    assert_null(second);
    store_close(s);
}

static void write_database(const char *bytes, size_t length)
{
    char path[96];
    snprintf(path, sizeof path, "%s/run.sqlite", folder);
    assert_ok(os_write_file(path, bytes, length, &err));
}

static void test_what_is_no_run(void **state)
{
    (void)state;
    store *s = NULL;
    char text[8192], command[256];
    memset(text, 'x', sizeof text);
    assert_int_equal(store_open(&s, &m, folder, false, &err), TARE_E_DATA);
    assert_string_equal(err.code, "store.absent");
    write_database(text, sizeof text);
    assert_int_equal(store_open(&s, &m, folder, true, &err), TARE_E_DATA);
    assert_string_equal(err.code, "store.damaged");
    snprintf(command, sizeof command,
             "rm %s/run.sqlite && sqlite3 %s/run.sqlite 'CREATE TABLE t (x)'", folder, folder);
    if (system("command -v sqlite3 >/dev/null") == 0) {
        assert_int_equal(system(command), 0);
        assert_int_equal(store_open(&s, &m, folder, true, &err), TARE_E_DATA);
        assert_string_equal(err.code, "store.foreign");
    }
    assert_null(s);
}

static void test_newer_version_is_refused(void **state)
{
    (void)state;
    store *s = NULL;
    assert_ok(store_open(&s, &m, folder, true, &err));
    store_close(s);
    /* Offset 60 of the file header is user_version, big-endian (SQLite file format). */
    char path[96];
    snprintf(path, sizeof path, "%s/run.sqlite", folder);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, 60, SEEK_SET);
    fwrite("\0\0\0\x63", 1, 4, f);
    fclose(f);
    assert_int_equal(store_open(&s, &m, folder, true, &err), TARE_E_DATA);
    assert_string_equal(err.code, "store.version");
    assert_non_null(strstr(err.message, "99"));
}

static void test_blobs_are_named_by_content(void **state)
{
    (void)state;
    store *s = NULL;
    char hash[65], again[65], *back = NULL;
    size_t length = 0;
    assert_ok(store_open(&s, &m, folder, true, &err));
    assert_ok(store_put_blob(s, hash, "abc", 3, ".txt", &err));
    assert_ok(store_put_blob(s, again, "abc", 3, ".txt", &err));
    /* FIPS 180-4's example for "abc" */
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(hash, again);
    assert_ok(store_get_blob(&back, &length, s, hash, ".txt", &err));
    assert_int_equal(length, 3);
    assert_memory_equal(back, "abc", 3);
    mem_free(&m, back);
    store_close(s);
}

static const char *in_folder(const char *name)
{
    static char path[2][160];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* SQLite would delete the file that a journal names (its "super-journal") before we could look at
 * the database. */
static void test_journal_is_refused(void **state)
{
    (void)state;
    store *s = NULL;
    assert_ok(store_open(&s, &m, folder, true, &err));
    store_close(s);
    s = NULL;
    assert_false(os_exists(in_folder("run.sqlite-journal")));
    assert_ok(os_write_file(in_folder("run.sqlite-journal"), "x", 1, &err));
    assert_int_equal(store_open(&s, &m, folder, false, &err), TARE_E_DATA);
    assert_string_equal(err.code, "store.journal");
    assert_true(os_exists(in_folder("run.sqlite-journal")));
    assert_null(s);
}

/* Nothing is made, locked or written where a link in the folder leads. */
static void test_links_are_not_followed(void **state)
{
    (void)state;
    static const char *const names[] = {"run.lock", "run.sqlite", "run.sqlite-wal",
                                        "run.sqlite-shm"};
    store *s = NULL;
    char hash[65], elsewhere[160];
    assert_ok(store_open(&s, &m, folder, true, &err));
    store_close(s);
    s = NULL;
    snprintf(elsewhere, sizeof elsewhere, "%s", in_folder("elsewhere"));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        rename(in_folder(names[k]), in_folder("aside"));
        assert_int_equal(symlink(elsewhere, in_folder(names[k])), 0);
        assert_int_equal(store_open(&s, &m, folder, true, &err), TARE_E_DATA);
        assert_string_equal(err.code, "store.link");
        assert_non_null(strstr(err.message, names[k]));
        assert_null(s);
        assert_false(os_exists(elsewhere));
        assert_int_equal(unlink(in_folder(names[k])), 0);
        rename(in_folder("aside"), in_folder(names[k]));
    }
    assert_ok(os_make_folders(elsewhere, &err));
    assert_int_equal(symlink(elsewhere, in_folder("blobs")), 0);
    assert_ok(store_open(&s, &m, folder, true, &err));
    assert_int_equal(store_put_blob(s, hash, "abc", 3, ".txt", &err), TARE_E_IO);
    assert_string_equal(err.code, "io.link");
    assert_int_equal(rmdir(elsewhere), 0); /* nothing in it */
    store_close(s);
}

int main(void)
{
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_rows_come_back),
        WITH_FOLDER(test_missing_score_is_no_number),
        WITH_FOLDER(test_group_is_all_or_nothing),
        WITH_FOLDER(test_kill_keeps_what_was_committed),
        WITH_FOLDER(test_one_at_a_time),
        WITH_FOLDER(test_what_is_no_run),
        WITH_FOLDER(test_newer_version_is_refused),
        WITH_FOLDER(test_blobs_are_named_by_content),
        WITH_FOLDER(test_journal_is_refused),
        WITH_FOLDER(test_links_are_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
