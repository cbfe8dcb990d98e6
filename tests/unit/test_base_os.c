/* Files and folders, good and bad. */
#include "base/os.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os_out.h"
#include "support/check.h"

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void files_come_back_as_written(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    char *data;
    size_t n;
    assert_ok(os_write_file(in_folder("a"), "x\0y", 3, &err));
    assert_ok(os_read_file(&data, &n, &m, in_folder("a"), 3, &err));
    assert_int_equal(n, 3);
    assert_memory_equal(data, "x\0y", 4);
    mem_free(&m, data);
    assert_int_equal(os_read_file(&data, &n, &m, in_folder("a"), 2, &err), TARE_E_LIMIT);
    assert_null(data);
    assert_ok(os_write_file(in_folder("a"), "", 0, &err)); /* replaces */
    assert_ok(os_read_file(&data, &n, &m, in_folder("a"), 0, &err));
    assert_int_equal(n, 0);
    mem_free(&m, data);
    assert_true(os_exists(in_folder("a")));
    assert_int_equal(os_file_size(in_folder("a")), 0);
    assert_int_equal(os_read_file(&data, &n, &m, in_folder("b"), 10, &err), TARE_E_IO);
    assert_string_equal(err.code, "io.open");
    assert_int_equal(os_read_file(&data, &n, &m, folder, 10, &err), TARE_E_IO);
    assert_int_equal(os_write_file(in_folder("no/such"), "x", 1, &err), TARE_E_IO);
    os_listing l; /* no temporary file stays behind */
    arena a;
    arena_init(&a, &m);
    assert_ok(os_list_files(&l, &a, folder, 100, &err));
    assert_int_equal(l.count, 1);
    arena_free(&a);
}

static void a_device_without_end_hits_the_limit(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    char *data;
    size_t n;
    assert_int_equal(os_read_file(&data, &n, &m, "/dev/zero", 1000000, &err), TARE_E_LIMIT);
    assert_ok(os_read_file(&data, &n, &m, "/proc/self/status", 1 << 20, &err)); /* size says 0 */
    assert_true(n > 100);
    mem_free(&m, data);
}

static void a_pipe_is_no_plain_file(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    char *data;
    size_t n;
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0); /* that nobody writes to */
    alarm(20); /* it would be waited for */
    assert_int_equal(os_read_plain(&data, &n, &m, in_folder("fifo"), 100, &err), TARE_E_IO);
    alarm(0);
    assert_null(data);
    assert_string_equal(err.where, in_folder("fifo"));
    assert_non_null(strstr(err.message, "a pipe, not a file"));
    assert_int_equal(os_read_plain(&data, &n, &m, "/dev/zero", 100, &err), TARE_E_IO);
    assert_non_null(strstr(err.message, "a device, not a file"));
    assert_int_equal(os_read_plain(&data, &n, &m, folder, 100, &err), TARE_E_IO);
    assert_int_equal(os_read_plain(&data, &n, &m, in_folder("none"), 100, &err), TARE_E_IO);
    assert_string_equal(err.code, "io.open");
    assert_ok(os_write_file(in_folder("a"), "abc", 3, &err));
    assert_int_equal(os_read_plain(&data, &n, &m, in_folder("a"), 2, &err), TARE_E_LIMIT);
    assert_ok(os_read_plain(&data, &n, &m, in_folder("a"), 3, &err));
    assert_int_equal(n, 3);
    assert_string_equal(data, "abc");
    mem_free(&m, data);
}

/* Tables come from pipes, too. */
static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    char *data, path[64];
    size_t n;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n", 4), 4);
    assert_int_equal(close(ends[1]), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_ok(os_read_file(&data, &n, &m, path, 100, &err));
    assert_string_equal(data, "a,b\n");
    assert_int_equal(n, 4);
    mem_free(&m, data);
    close(ends[0]);
}

static void large_files_are_read_on_all_threads(void **state)
{
    (void)state;
    enum { SIZE = 9000001 };
    mem m = mem_system();
    tare_error err;
    char *data = mem_new(&m, SIZE, 1), *back;
    size_t n;
    pool *p = pool_new(&m, 3);
    for (size_t i = 0; i < SIZE; i++) data[i] = (char)(i * 31 + i / 4096);
    assert_ok(os_write_file(in_folder("a"), data, SIZE, &err));
    for (int pass = 0; pass < 2; pass++) {
        assert_ok(os_read_file_on(&back, &n, pass ? p : NULL, &m, in_folder("a"), SIZE, &err));
        assert_int_equal(n, SIZE);
        assert_memory_equal(back, data, SIZE);
        for (size_t i = 0; i < OS_READ_PADDING; i++) assert_int_equal(back[n + i], 0);
        mem_free(&m, back);
        assert_int_equal(os_read_file_on(&back, &n, p, &m, in_folder("a"), SIZE - 1, &err),
                         TARE_E_LIMIT);
    }
    assert_int_equal(os_read_file_on(&back, &n, p, &m, in_folder("none"), SIZE, &err), TARE_E_IO);
    mem_free(&m, data);
    pool_free(p);
}

static void folders_are_made_and_listed(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    assert_ok(os_make_folders(in_folder("d/e/f"), &err));
    assert_ok(os_make_folders(in_folder("d/e/f/"), &err));
    assert_true(os_is_folder(in_folder("d/e/f")));
    assert_ok(os_write_file(in_folder("d/z"), "1", 1, &err));
    assert_ok(os_write_file(in_folder("d/e/f/b"), "1", 1, &err));
    assert_ok(os_write_file(in_folder("d/.hidden"), "1", 1, &err));
    assert_ok(os_write_file(in_folder("d/Z"), "1", 1, &err));
    assert_int_equal(os_make_folders(in_folder("d/z/y"), &err), TARE_E_IO);
    assert_int_equal(symlink("z", in_folder("d/link")), 0);
    assert_int_equal(symlink("..", in_folder("d/loop")), 0);
    assert_int_equal(symlink("nowhere", in_folder("d/dangling")), 0);
    assert_int_equal(mkfifo(in_folder("d/fifo"), 0600), 0);
    os_listing l;
    arena a;
    arena_init(&a, &m);
    assert_ok(os_list_files(&l, &a, in_folder("d"), 100, &err));
    static const char *const want[] = {"Z", "e/f/b", "link", "z"};
    assert_int_equal(l.count, 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(l.paths[i], want[i]);
    assert_int_equal(l.denied, 0);
    assert_int_equal(os_list_files(&l, &a, in_folder("d"), 3, &err), TARE_E_LIMIT);
    assert_int_equal(os_list_files(&l, &a, in_folder("none"), 3, &err), TARE_E_IO);
    if (geteuid() != 0) { /* root may enter everything */
        assert_int_equal(chmod(in_folder("d/e"), 0), 0);
        assert_ok(os_list_files(&l, &a, in_folder("d"), 100, &err));
        assert_int_equal(l.denied, 1);
        assert_string_equal(l.first_denied, in_folder("d/e"));
        assert_int_equal(chmod(in_folder("d/e"), 0700), 0);
    }
    arena_free(&a);
}

static void the_clock_and_the_cores(void **state)
{
    (void)state;
    double before = os_seconds();
    assert_true(os_seconds() >= before);
    assert_true(os_cores() >= 1);
}

/* What a killed writer left is no file of ours for long, and a link put there is not followed. */
static void a_killed_writer_leaves_nothing_for_long(void **state)
{
    (void)state;
    tare_error err = {0};
    char left[128], victim[128];
    strcpy(left, in_folder("a.tmp"));
    strcpy(victim, in_folder("victim"));
    FILE *f = fopen(left, "w");
    assert_non_null(f);
    fputs("half", f);
    fclose(f);
    assert_ok(os_write_file(in_folder("a"), "whole", 5, &err));
    assert_false(os_exists(left));
    assert_true(os_file_size(in_folder("a")) == 5);
    assert_int_equal(symlink(victim, left), 0);
    assert_ok(os_write_file(in_folder("a"), "again", 5, &err));
    assert_false(os_exists(victim));
    assert_false(os_exists(left));
}

/* Looking at a pipe must not take its bytes, nor end who writes to it. */
static void a_pipe_is_not_looked_at(void **state)
{
    (void)state;
    tare_error err = {0};
    char path[128], bytes[8] = "";
    size_t length = 1;
    strcpy(path, in_folder("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDWR | O_NONBLOCK);
    assert_int_equal(write(fd, "abc", 3), 3);
    assert_true(os_gives_once(path) && os_gives_once("-"));
    assert_int_equal(os_read_start(bytes, &length, sizeof bytes, path, &err), TARE_E_IO);
    assert_int_equal(length, 0);
    assert_non_null(strstr(err.message, "a pipe"));
    assert_int_equal(read(fd, bytes, sizeof bytes), 3);
    close(fd);
    assert_false(os_gives_once(in_folder("")));
}

/* Two that write one file at once do not write into each other's: the later end stays, whole. */
static void writers_of_one_file_do_not_mix(void **state)
{
    (void)state;
    tare_error err = {0};
    os_out first, second;
    char path[128], bytes[8] = "";
    size_t length;
    strcpy(path, in_folder("a"));
    assert_ok(os_out_open(&first, path, &err));
    assert_ok(os_out_open(&second, path, &err));
    assert_ok(os_out_add(&first, "one", 3, &err));
    assert_ok(os_out_add(&second, "second", 6, &err));
    assert_ok(os_out_done(&first, &err));
    assert_ok(os_read_start(bytes, &length, sizeof bytes, path, &err));
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "one", 3);
    assert_ok(os_out_done(&second, &err));
    assert_ok(os_read_start(bytes, &length, sizeof bytes, path, &err));
    assert_int_equal(length, 6);
    assert_memory_equal(bytes, "second", 6);
    assert_false(os_exists(in_folder("a.tmp")));
    assert_false(os_exists(in_folder("a.tmp.1")));
}

static void own_folders_are_no_links(void **state)
{
    (void)state;
    tare_error err = {0};
    char link[128];
    strcpy(link, in_folder("d/own"));
    assert_ok(os_make_own_folder(in_folder("d"), &err));
    assert_ok(os_make_own_folder(in_folder("d"), &err)); /* there already */
    assert_ok(os_make_own_folder(in_folder("d/e"), &err));
    assert_int_equal(os_make_own_folder(in_folder("none/e"), &err), TARE_E_IO);
    assert_string_equal(err.code, "io.create");
    assert_int_equal(symlink(in_folder("d/e"), link), 0);
    assert_true(os_is_folder(link));
    assert_false(os_is_own_folder(link));
    assert_int_equal(os_make_own_folder(link, &err), TARE_E_IO);
    assert_string_equal(err.code, "io.link");
}

static void one_at_a_time_in_a_folder(void **state)
{
    (void)state;
    tare_error err = {0};
    int first, second;
    assert_ok(os_lock_folder(&first, folder, 0, &err));
    if (first < 0) skip(); /* a file system without locks */
    double before = os_seconds();
    assert_int_equal(os_lock_folder(&second, folder, 0.1, &err), TARE_E_IO);
    assert_true(os_seconds() - before >= 0.1);
    assert_string_equal(err.code, "io.in_use");
    close(first);
    assert_ok(os_lock_folder(&second, folder, 0, &err));
    close(second);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tare-os-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"a", "d/z", "d/e/f/b", "d/.hidden", "d/Z", "d/link",
                                        "d/loop", "d/own", "d/dangling", "d/fifo"};
    static const char *const folders[] = {"d/e/f", "d/e", "d", ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(in_folder(files[i]));
    for (size_t i = 0; i < 4; i++) rmdir(in_folder(folders[i]));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_back_as_written),
        cmocka_unit_test(a_device_without_end_hits_the_limit),
        cmocka_unit_test(a_pipe_is_no_plain_file),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test(large_files_are_read_on_all_threads),
        cmocka_unit_test(folders_are_made_and_listed),
        cmocka_unit_test(a_killed_writer_leaves_nothing_for_long),
        cmocka_unit_test(a_pipe_is_not_looked_at),
        cmocka_unit_test(writers_of_one_file_do_not_mix),
        cmocka_unit_test(own_folders_are_no_links),
        cmocka_unit_test(one_at_a_time_in_a_folder),
        cmocka_unit_test(the_clock_and_the_cores),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
