/* The cache of vectors: what was put comes back, from memory and from the file, whatever happened
 * to the file in between. */
#include "support/check.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/pool.h"
#include "scorer/onnx/embedding_cache.h"
#include "support/failing_mem.h"

enum { LENGTH = 40, RECORD = 32 + 4 * LENGTH + 8, HEADER = 152 };

static tare_error err;

static const char hash_a[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char hash_b[] = "fedcba98765432100123456789abcdef0123456789abcdef0123456789abcdef";
static const char file_name[] = "0123456789abcdef-fedcba9876543210.vec";

typedef struct folder {
    char path[64], file[160];
} folder;

static folder folder_new(void)
{
    folder f = {.path = "/tmp/test_embedding_XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    snprintf(f.file, sizeof f.file, "%s/%s", f.path, file_name);
    return f;
}

static void folder_free(const folder *f)
{
    unlink(f->file);
    rmdir(f->path);
}

static embedding_cache *open_in(const char *path, size_t memory)
{
    static mem system;
    system = mem_system();
    embedding_cache_options o = {path, hash_a, hash_b, LENGTH, memory};
    embedding_cache *c;
    if (embedding_cache_open(&c, &system, &o, &err) != TARE_OK)
        fail_msg("%s: %s", err.where, err.message);
    return c;
}

static void key_of(unsigned char key[32], unsigned k)
{
    sha256_of(&k, sizeof k, key);
}

static void vector_of(float v[LENGTH], unsigned k)
{
    for (int i = 0; i < LENGTH; i++) v[i] = (float)k + 0.25f * (float)i;
}

static void put(embedding_cache *c, unsigned k)
{
    unsigned char key[32];
    float v[LENGTH];
    key_of(key, k);
    vector_of(v, k);
    assert_ok(embedding_cache_put(c, key, v, &err));
}

/* Is it there, and right? */
static bool has(embedding_cache *c, unsigned k)
{
    unsigned char key[32];
    float v[LENGTH], want[LENGTH];
    bool found;
    key_of(key, k);
    vector_of(want, k);
    assert_ok(embedding_cache_get(v, &found, c, key, &err));
    if (found) assert_memory_equal(v, want, sizeof want);
    return found;
}

static void memory_alone_forgets_the_oldest(void **state)
{
    (void)state;
    embedding_cache *c = open_in(NULL, 10 * (32 + 4 * LENGTH));
    for (unsigned k = 0; k < 1000; k++) {
        put(c, k);
        put(c, k); /* kept once */
        for (unsigned j = 0; j <= k && j < 30; j++)
            assert_int_equal(has(c, k - j), j < 10);
    }
    embedding_cache_close(c);
    c = open_in(NULL, 0); /* one at least */
    put(c, 1);
    assert_true(has(c, 1));
    put(c, 2);
    assert_false(has(c, 1));
    embedding_cache_close(c);
}

static void a_file_remembers(void **state)
{
    (void)state;
    folder f = folder_new();
    embedding_cache *c = open_in(f.path, 300 * 64); /* room for an index of 300, and 100 vectors */
    for (unsigned k = 0; k < 300; k++) put(c, k);
    for (unsigned k = 0; k < 300; k++) assert_true(has(c, k));
    embedding_cache_close(c);
    assert_int_equal(os_file_size(f.file), HEADER + 300 * RECORD);
    c = open_in(f.path, 300 * 64);
    for (unsigned k = 0; k < 300; k++) assert_true(has(c, k));
    assert_false(has(c, 300));
    for (unsigned k = 0; k < 300; k++) put(c, k);
    assert_int_equal(os_file_size(f.file), HEADER + 300 * RECORD);
    embedding_cache_close(c);
    folder_free(&f);
}

/* The index has room for some; others are computed again and not written twice. */
static void a_file_larger_than_the_index(void **state)
{
    (void)state;
    folder f = folder_new();
    embedding_cache *c = open_in(f.path, (size_t)1 << 20);
    for (unsigned k = 0; k < 300; k++) put(c, k);
    embedding_cache_close(c);
    c = open_in(f.path, 100 * 64);
    unsigned there = 0;
    for (unsigned k = 0; k < 300; k++) there += has(c, k);
    assert_true(there >= 90 && there <= 110);
    for (unsigned k = 0; k < 300; k++) put(c, k);
    assert_int_equal(os_file_size(f.file), HEADER + 300 * RECORD);
    embedding_cache_close(c);
    folder_free(&f);
}

static void a_killed_writer_costs_its_record_only(void **state)
{
    (void)state;
    folder f = folder_new();
    for (int left = 0; left < RECORD; left++) {
        embedding_cache *c = open_in(f.path, 1 << 16);
        for (unsigned k = 0; k < 5; k++) put(c, k);
        embedding_cache_close(c);
        assert_int_equal(truncate(f.file, HEADER + 4 * RECORD + left), 0);
        c = open_in(f.path, 1 << 16);
        for (unsigned k = 0; k < 4; k++) assert_true(has(c, k));
        assert_false(has(c, 4));
        assert_int_equal(os_file_size(f.file), HEADER + 4 * RECORD);
        put(c, 4);
        assert_int_equal(os_file_size(f.file), HEADER + 5 * RECORD);
        embedding_cache_close(c);
    }
    for (int left = 0; left < HEADER; left++) { /* killed while it wrote the header */
        assert_int_equal(truncate(f.file, left), 0);
        embedding_cache *c = open_in(f.path, 1 << 16);
        put(c, 7);
        assert_int_equal(os_file_size(f.file), HEADER + RECORD);
        embedding_cache_close(c);
    }
    folder_free(&f);
}

static void flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_not_equal(fputc(byte ^ 0x10, file), EOF);
    assert_int_equal(fclose(file), 0);
}

static void a_damaged_record_is_absent(void **state)
{
    (void)state;
    folder f = folder_new();
    embedding_cache *c = open_in(f.path, 1 << 16);
    for (unsigned k = 0; k < 5; k++) put(c, k);
    embedding_cache_close(c);
    for (long at = 0; at < RECORD; at++) {
        flip(f.file, HEADER + 2 * RECORD + at);
        c = open_in(f.path, 1 << 16);
        for (unsigned k = 0; k < 5; k++) assert_int_equal(has(c, k), k != 2);
        embedding_cache_close(c);
        flip(f.file, HEADER + 2 * RECORD + at);
    }
    flip(f.file, HEADER + 2 * RECORD + 40);
    flip(f.file, HEADER + 3 * RECORD + 3);
    flip(f.file, HEADER + 4 * RECORD + RECORD - 1);
    c = open_in(f.path, 1 << 16); /* the damage reaches the end: all of it goes */
    assert_int_equal(os_file_size(f.file), HEADER + 2 * RECORD);
    for (unsigned k = 0; k < 5; k++) put(c, k);
    embedding_cache_close(c);
    c = open_in(f.path, 1 << 16);
    for (unsigned k = 0; k < 5; k++) assert_true(has(c, k));
    embedding_cache_close(c);
    folder_free(&f);
}

static void refused(const folder *f, size_t length, const char *words)
{
    mem m = mem_system();
    embedding_cache_options o = {f->path, hash_a, hash_b, length, 1 << 16};
    embedding_cache *c;
    assert_int_equal(embedding_cache_open(&c, &m, &o, &err), TARE_E_DATA);
    assert_null(c);
    assert_string_equal(err.code, "embeddings.kind");
    assert_string_equal(err.where, f->file);
    assert_non_null(strstr(err.message, words));
}

static void files_of_other_kinds_stay_as_they_are(void **state)
{
    (void)state;
    folder f = folder_new();
    assert_ok(os_write_file(f.file, "my own notes", 12, &err));
    refused(&f, LENGTH, "not a file of vectors");
    assert_int_equal(os_file_size(f.file), 12);
    unlink(f.file);
    embedding_cache *c = open_in(f.path, 1 << 16);
    put(c, 1);
    embedding_cache_close(c);
    refused(&f, LENGTH + 1, "40 floats, wanted 41");
    flip(f.file, 100);
    refused(&f, LENGTH, "damaged header");
    assert_int_equal(os_file_size(f.file), HEADER + RECORD);
    unlink(f.file);
    assert_int_equal(mkdir(f.file, 0700), 0);
    mem m = mem_system();
    embedding_cache_options o = {f.path, hash_a, hash_b, LENGTH, 1 << 16};
    assert_int_equal(embedding_cache_open(&c, &m, &o, NULL), TARE_E_IO);
    rmdir(f.file);
    folder_free(&f);
}

static void two_writers_share_one_file(void **state)
{
    (void)state;
    folder f = folder_new();
    embedding_cache *a = open_in(f.path, 1 << 16), *b = open_in(f.path, 1 << 16);
    for (unsigned k = 0; k < 40; k++) {
        put(k & 1 ? a : b, k);
        assert_true(has(k & 1 ? b : a, k));
        put(k & 1 ? b : a, k);
    }
    assert_int_equal(os_file_size(f.file), HEADER + 40 * RECORD);
    /* One cuts what the other has in its index. */
    assert_int_equal(truncate(f.file, HEADER + 10 * RECORD), 0);
    embedding_cache_close(b);
    b = open_in(f.path, 1 << 16);
    put(b, 100);
    put(a, 101);
    embedding_cache_close(a);
    embedding_cache_close(b);
    a = open_in(f.path, 1 << 16);
    assert_true(has(a, 9) && has(a, 100) && has(a, 101));
    assert_false(has(a, 12));
    embedding_cache_close(a);
    folder_free(&f);
}

static void a_full_disk_is_said_once(void **state)
{
    (void)state;
    folder f = folder_new();
    embedding_cache *c = open_in(f.path, 1 << 16);
    put(c, 0);
    struct rlimit was, small;
    getrlimit(RLIMIT_FSIZE, &was);
    small = was;
    small.rlim_cur = HEADER + RECORD + RECORD / 2;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    unsigned char key[32];
    float v[LENGTH];
    vector_of(v, 1);
    key_of(key, 1);
    tare_status first = embedding_cache_put(c, key, v, &err);
    put(c, 2); /* no second complaint */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_int_equal(first, TARE_E_IO);
    assert_string_equal(err.where, f.file);
    assert_true(has(c, 0) && has(c, 1) && has(c, 2));
    embedding_cache_close(c);
    assert_int_equal(os_file_size(f.file), HEADER + RECORD);
    folder_free(&f);
}

static void no_folder_is_an_error(void **state)
{
    (void)state;
    mem m = mem_system();
    folder f = folder_new();
    assert_ok(os_write_file(f.file, "x", 1, &err));
    embedding_cache_options o = {f.file, hash_a, hash_b, LENGTH, 1 << 16};
    embedding_cache *c;
    assert_int_equal(embedding_cache_open(&c, &m, &o, &err), TARE_E_IO);
    assert_non_null(strstr(err.where, f.file));
    folder_free(&f);
}

static void a_read_only_file_is_read(void **state)
{
    (void)state;
    if (geteuid() == 0) skip(); /* root may write anywhere */
    folder f = folder_new();
    embedding_cache *c = open_in(f.path, 1 << 16);
    put(c, 0);
    embedding_cache_close(c);
    assert_int_equal(chmod(f.file, 0400), 0);
    c = open_in(f.path, 1 << 16);
    assert_true(has(c, 0));
    unsigned char key[32];
    float v[LENGTH];
    vector_of(v, 1);
    key_of(key, 1);
    assert_int_equal(embedding_cache_put(c, key, v, NULL), TARE_E_IO);
    put(c, 2);
    assert_true(has(c, 1) && has(c, 2));
    embedding_cache_close(c);
    folder_free(&f);
}

static tare_status work(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        unsigned k = (unsigned)(i * 7919 % 97);
        unsigned char key[32];
        float v[LENGTH], got[LENGTH];
        bool found;
        key_of(key, k);
        vector_of(v, k);
        tare_status status = embedding_cache_get(got, &found, arg, key, err);
        if (status == TARE_OK && found && memcmp(got, v, sizeof v) != 0)
            return error_set(err, TARE_E_BUG, "test", NULL, "another vector for %u", k);
        if (status == TARE_OK && !found) status = embedding_cache_put(arg, key, v, err);
        if (status != TARE_OK) return status;
    }
    return TARE_OK;
}

static void four_threads(void **state)
{
    (void)state;
    mem m = mem_system();
    folder f = folder_new();
    pool *p = pool_new(&m, 4);
    for (int with_file = 0; with_file < 2; with_file++) {
        embedding_cache *c = open_in(with_file ? f.path : NULL, 20 * 56);
            if (pool_for(p, 2000, 10, work, c, &err) != TARE_OK) fail_msg("%s", err.message);
        embedding_cache_close(c);
    }
    pool_free(p);
    folder_free(&f);
}

static tare_status whole_life(const mem *m, const char *path)
{
    embedding_cache_options o = {path, hash_a, hash_b, LENGTH, 1 << 13};
    tare_status status = TARE_OK;
    embedding_cache *c = NULL;
    bool found;
    float v[LENGTH] = {1, 2, 3};
    TRY(embedding_cache_open(&c, m, &o, NULL));
    for (unsigned k = 0; k < 50; k++) {
        unsigned char key[32];
        key_of(key, k);
        TRY(embedding_cache_put(c, key, v, NULL));
        TRY(embedding_cache_get(v, &found, c, key, NULL));
        assert_true(found);
    }
done:
    embedding_cache_close(c);
    return status;
}

static void no_memory(void **state)
{
    (void)state;
    folder f = folder_new();
    for (int with_file = 0; with_file < 2; with_file++)
        for (long k = 1;; k++) {
            failing_mem failing;
            mem m = failing_mem_start(&failing, k);
            unlink(f.file);
            tare_status status = whole_life(&m, with_file ? f.path : NULL);
            assert_int_equal(failing_mem_live(&failing), 0);
            if (!failing_mem_failed(&failing)) {
                assert_int_equal(status, TARE_OK);
                break;
            }
            assert_int_equal(status, TARE_E_MEMORY);
        }
    folder_free(&f);
}

static void lengths(void **state)
{
    (void)state;
    mem m = mem_system();
    embedding_cache *c;
    const size_t bad[] = {0, (size_t)EMBEDDING_LENGTH_MOST + 1, SIZE_MAX};
    for (size_t i = 0; i < 3; i++) {
        embedding_cache_options o = {NULL, hash_a, hash_b, bad[i], 1 << 16};
        assert_int_equal(embedding_cache_open(&c, &m, &o, NULL), TARE_E_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_alone_forgets_the_oldest),
        cmocka_unit_test(a_file_remembers),
        cmocka_unit_test(a_file_larger_than_the_index),
        cmocka_unit_test(a_killed_writer_costs_its_record_only),
        cmocka_unit_test(a_damaged_record_is_absent),
        cmocka_unit_test(files_of_other_kinds_stay_as_they_are),
        cmocka_unit_test(two_writers_share_one_file),
        cmocka_unit_test(a_full_disk_is_said_once),
        cmocka_unit_test(no_folder_is_an_error),
        cmocka_unit_test(a_read_only_file_is_read),
        cmocka_unit_test(four_threads),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
