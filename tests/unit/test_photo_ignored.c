/* Files that were left out: counted, named up to a bound, and the same after the run folder kept
 * them. */
#include "audit/photos/photo_ignored.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan, again;
static store *s;

static int open_all(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    if (tare_context_new(&context, NULL, &err)) return -1;
    arena_init(&a, &context->mem);
    photo_plan_init(&plan, &a);
    photo_plan_init(&again, &a);
    return store_open(&s, &context->mem, in_scratch("out"), true, &err) ? -1 : 0;
}

static int close_all(void **state)
{
    (void)state;
    store_close(s);
    arena_free(&a);
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static void test_names_to_a_bound(void **state)
{
    (void)state;
    char name[32];
    for (size_t i = 0; i < PHOTO_IGNORED_NAMED + 7; i++) {
        snprintf(name, sizeof name, "file %zu\n", i);
        assert_ok(photo_ignored_add(&plan, arena_copy(&a, name), "an empty file", &err));
    }
    assert_int_equal(plan.ignored, PHOTO_IGNORED_NAMED + 7);
    assert_int_equal(plan.ignored_named, PHOTO_IGNORED_NAMED);
    assert_string_equal(plan.first_ignored, "file 0\n");
    assert_ok(photo_ignored_keep(&plan, s, &err));
    assert_ok(photo_ignored_recall(&again, s, &err));
    assert_int_equal(again.ignored_named, PHOTO_IGNORED_NAMED);
    for (size_t i = 0; i < again.ignored_named; i++) {
        assert_string_equal(again.ignored_files[i].path, plan.ignored_files[i].path);
        assert_string_equal(again.ignored_files[i].why, "an empty file");
    }
}

static void test_none_is_no_list(void **state)
{
    (void)state;
    assert_ok(photo_ignored_recall(&again, s, &err)); /* a folder of an older version */
    assert_int_equal(again.ignored_named, 0);
    assert_ok(photo_ignored_keep(&plan, s, &err));
    assert_ok(photo_ignored_recall(&again, s, &err));
    assert_int_equal(again.ignored_named, 0);
}

static void test_damage_is_told(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "[", "{}", "[\"a\"]", "[1,2]", "[\"a\",null]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_ok(store_set(s, "plan.ignored_files", bad[i], &err));
        assert_int_equal(photo_ignored_recall(&again, s, &err), TARE_E_DATA);
        assert_int_equal(again.ignored_named, 0);
    }
}

/* What is no file stands after the files. */
static void test_a_folder_of_odd_things(void **state)
{
    (void)state;
    static const struct { const char *path, *why; } want[] = {
        {"empty.jpg", "empty"}, {"notes.txt", "not an image"}, {"gone.jpg", "nowhere"},
        {"here.jpg", "folder"}, {"pipe.jpg", "pipe"}};
    write_text("photos/notes.txt", "hello\n");
    write_text("photos/empty.jpg", "");
    assert_int_equal(mkfifo(in_scratch("photos/pipe.jpg"), 0600), 0);
    assert_int_equal(symlink("nowhere", in_scratch("photos/gone.jpg")), 0);
    assert_int_equal(symlink(".", in_scratch("photos/here.jpg")), 0);
    tare_job *job = job_with(context, "audit", in_scratch("photos"), NULL);
    assert_ok(photo_plan_bases(&plan, job, in_scratch("photos"), &err));
    tare_job_free(job);
    assert_int_equal(plan.base_count, 0);
    assert_int_equal(plan.ignored_named, sizeof want / sizeof *want);
    for (size_t i = 0; i < plan.ignored_named; i++) {
        assert_string_equal(plan.ignored_files[i].path, want[i].path);
        assert_non_null(strstr(plan.ignored_files[i].why, want[i].why));
    }
}

int main(void)
{
#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)
    const struct CMUnitTest tests[] = {
        WITH_STORE(test_names_to_a_bound), WITH_STORE(test_none_is_no_list),
        WITH_STORE(test_damage_is_told), WITH_STORE(test_a_folder_of_odd_things)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
