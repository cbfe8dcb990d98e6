/* Sums that are remembered: only for the very file, and never believed when anything is odd. */
#include "scorer/onnx/model_hash.h"

#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/os.h"
#include "support/check.h"

static const char SUM[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const model_stamp OLD = {7, 8, MODEL_HASH_FROM, 1000000000, 2000000000};

static char folder[64];

static const char *entry(void)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/tare/sha256/7-8", folder);
    return path;
}

static int fresh_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tare-sums-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    unsetenv("TARE_REHASH");
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void a_sum_is_kept_and_found(void **state)
{
    (void)state;
    char sum[SHA256_HEX] = "";
    assert_false(model_hash_recall(sum, &OLD));
    model_hash_keep(SUM, &OLD);
    assert_true(model_hash_recall(sum, &OLD));
    assert_string_equal(sum, SUM);
    setenv("TARE_REHASH", "1", 1);
    assert_false(model_hash_recall(sum, &OLD));
    setenv("TARE_REHASH", "0", 1);
    assert_true(model_hash_recall(sum, &OLD));
}

static void another_state_of_the_file_has_none(void **state)
{
    (void)state;
    char sum[SHA256_HEX];
    model_hash_keep(SUM, &OLD);
    for (int i = 0; i < 5; i++) {
        model_stamp s = OLD;
        if (i == 0) s.device++;
        if (i == 1) s.inode++;
        if (i == 2) s.bytes++;
        if (i == 3) s.modified_ns++;
        if (i == 4) s.changed_ns++;
        assert_false(model_hash_recall(sum, &s));
    }
    model_stamp small = OLD;
    small.bytes = MODEL_HASH_FROM - 1;
    model_hash_keep(SUM, &small);
    assert_false(model_hash_recall(sum, &small));
    assert_true(model_hash_recall(sum, &OLD));
}

static void damaged_entries_are_not_believed(void **state)
{
    (void)state;
    static const char *const entries[] = {
        "", "bytes", "bytes 1048576 mtime 1000000000 ctime 2000000000 sha256 ",
        "bytes 1048576 mtime 1000000000 ctime 2000000000 sha256 0123\n",
        "bytes 1048576 mtime 1000000000 ctime 2000000000 sha256 "
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeX\n",
        "bytes 1048576 mtime 1000000000 ctime 2000000000 sha256 "
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0\n",
        "bytes 1048576 mtime 1000000000 ctime 2000000000 sha256 "
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"};
    char sum[SHA256_HEX];
    tare_error err;
    model_hash_keep(SUM, &OLD);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        assert_ok(os_write_file(entry(), entries[i], strlen(entries[i]), &err));
        assert_false(model_hash_recall(sum, &OLD));
    }
    model_hash_keep(SUM, &OLD);
    assert_true(model_hash_recall(sum, &OLD));
}

static void places_that_cannot_be_used_do_no_harm(void **state)
{
    (void)state;
    char sum[SHA256_HEX];
    tare_error err;
    char file[256];
    snprintf(file, sizeof file, "%s/tare", folder);
    assert_ok(os_write_file(file, "in the way", 10, &err));
    model_hash_keep(SUM, &OLD);
    assert_false(model_hash_recall(sum, &OLD));
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", folder, 1);
    unlink(file);
    model_hash_keep(SUM, &OLD);
    snprintf(file, sizeof file, "%s/.cache/tare/sha256/7-8", folder);
    assert_true(os_exists(file));
    assert_true(model_hash_recall(sum, &OLD));
    unsetenv("HOME");
    assert_false(model_hash_recall(sum, &OLD));
    model_hash_keep(SUM, &OLD);
}

/* A file that was written to a moment ago may be written to again with the same times: its sum is
 * kept only once it has been left alone. The sum that is remembered is the one that is given. */
static void files_are_hashed_once(void **state)
{
    (void)state;
    enum { LENGTH = MODEL_HASH_FROM + 5 };
    static char bytes[LENGTH];
    tare_error err;
    tare_context *c;
    model_file f;
    char path[128], kept[256], sum[SHA256_HEX];
    unsigned char digest[SHA256_BYTES];
    memset(bytes, 'b', sizeof bytes);
    sha256_of(bytes, sizeof bytes, digest);
    sha256_hex(digest, sum);
    assert_ok(tare_context_new(&c, NULL, &err));
    snprintf(path, sizeof path, "%s/model", folder);
    assert_ok(os_write_file(path, bytes, sizeof bytes, &err));
    assert_ok(model_file_open(&f, c, path, MODEL_FILE_MOST, &err));
    assert_string_equal(f.sha256, sum);
    snprintf(kept, sizeof kept, "%s/tare/sha256/%llx-%llx", folder,
             (unsigned long long)f.stamp.device, (unsigned long long)f.stamp.inode);
    assert_false(os_exists(kept));
    model_file_close(&f);
    usleep(2100000);
    assert_ok(model_file_open(&f, c, path, MODEL_FILE_MOST, &err));
    assert_true(os_exists(kept));
    model_stamp stamp = f.stamp;
    model_file_close(&f);
    model_hash_keep(SUM, &stamp); /* a false one, to see where the next comes from */
    assert_ok(model_file_open(&f, c, path, MODEL_FILE_MOST, &err));
    assert_string_equal(f.sha256, SUM);
    model_file_close(&f);
    setenv("TARE_REHASH", "1", 1);
    assert_ok(model_file_open(&f, c, path, MODEL_FILE_MOST, &err));
    assert_string_equal(f.sha256, sum);
    model_file_close(&f);
    unsetenv("TARE_REHASH");
    assert_ok(model_file_open(&f, c, path, MODEL_FILE_MOST, &err));
    assert_string_equal(f.sha256, sum);
    model_file_close(&f);
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sum_is_kept_and_found, fresh_folder, remove_folder),
        cmocka_unit_test_setup_teardown(another_state_of_the_file_has_none, fresh_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(damaged_entries_are_not_believed, fresh_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(files_are_hashed_once, fresh_folder, remove_folder),
        cmocka_unit_test_setup_teardown(places_that_cannot_be_used_do_no_harm, fresh_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
