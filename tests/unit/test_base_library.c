/* Finding and opening libraries: which place decides, and what is said. The library is libm, which
 * every test is linked with. */
#include "base/library.h"

#include <string.h>
#include <sys/stat.h>

#include "base/os.h"
#include "support/check.h"

static const char *const NO_FILES[] = {NULL};
static const char *const NONE[] = {"libtare-none.so.1", "libtare-none.so", NULL};
static const char *const SECOND[] = {"libtare-none.so.1", "libm.so.6", NULL};

static library_wanted wanted(const char *given, const char *const *files,
                             const char *const *sonames)
{
    return (library_wanted){.name = "The library of sums", .code = "sums", .given = given,
                            .given_by = "--sums", .variable = "TARE_TEST_SUMS", .files = files,
                            .sonames = sonames, .get = "Do sums by hand"};
}

static void the_loader_comes_last(void **state)
{
    (void)state;
    tare_error err;
    library l;
    library_wanted w = wanted(NULL, NO_FILES, SECOND);
    unsetenv("TARE_TEST_SUMS");
    assert_ok(library_open(&l, &w, &err));
    assert_string_equal(l.path, "libm.so.6");
    assert_null(library_symbol(&l, "no_such_function"));
    assert_non_null(library_symbol(&l, "cos"));
    assert_true(l.path[0] == '/');
    assert_non_null(strstr(l.path, "libm"));
    library_close(&l);
    assert_null(l.handle);
    library_close(&l);

    w = wanted("", NO_FILES, NONE);
    assert_int_equal(library_open(&l, &w, &err), TARE_E_DATA);
    assert_string_equal(err.code, "sums.missing");
    assert_string_equal(err.where, "libtare-none.so.1");
    assert_string_equal(err.message, "The library of sums is not here. Do sums by hand");
    assert_null(l.handle);
}

static void what_is_named_decides(void **state)
{
    (void)state;
    tare_error err;
    library l;
    setenv("TARE_TEST_SUMS", "/nonexistent/libsums.so", 1);
    library_wanted w = wanted(NULL, NO_FILES, SECOND);
    assert_int_equal(library_open(&l, &w, &err), TARE_E_DATA);
    assert_string_equal(err.code, "sums.missing");
    assert_string_equal(err.where, "/nonexistent/libsums.so");
    assert_non_null(strstr(err.message, "TARE_TEST_SUMS names this file, which does not exist"));
    /* The option comes before the variable. */
    w = wanted("/tmp", NO_FILES, SECOND);
    assert_int_equal(library_open(&l, &w, &err), TARE_E_DATA);
    assert_string_equal(err.where, "/tmp");
    assert_non_null(strstr(err.message, "--sums names this file, which is a folder"));
    char path[] = "/tmp/tare-library-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    w = wanted(path, NO_FILES, SECOND);
    assert_int_equal(library_open(&l, &w, &err), TARE_E_DATA);
    assert_string_equal(err.code, "sums.library");
    assert_string_equal(err.where, path);
    assert_non_null(strstr(err.message, "cannot be opened"));
    unlink(path);
    unsetenv("TARE_TEST_SUMS");
}

/* A file beside the program decides, before the loader; one of another user is passed over. */
static void beside_the_program(void **state)
{
    (void)state;
    static const char *const files[] = {"tare-test-sums.so", NULL};
    tare_error err;
    library l;
    char program[4096], path[4200];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(n > 0);
    program[n] = '\0';
    *strrchr(program, '/') = '\0';
    snprintf(path, sizeof path, "%s/tare-test-sums.so", program);
    assert_ok(os_write_file(path, "no library", 10, &err));
    library_wanted w = wanted(NULL, files, SECOND);
    assert_int_equal(library_open(&l, &w, &err), TARE_E_DATA);
    assert_string_equal(err.code, "sums.library");
    assert_string_equal(err.where, path);
    if (geteuid() == 0 && chown(path, 12345, (gid_t)-1) == 0) {
        assert_ok(library_open(&l, &w, &err));
        assert_string_equal(l.path, "libm.so.6");
        library_close(&l);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loader_comes_last),
        cmocka_unit_test(what_is_named_decides),
        cmocka_unit_test(beside_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
