/* The allocator's edges, arenas, and errors. */
#include "base/mem.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "support/check.h"
#include "support/failing_mem.h"

static void new_memory_is_zeroed_and_sizes_do_not_wrap(void **state)
{
    (void)state;
    mem m = mem_system();
    unsigned char *p = mem_new(&m, 1000, 3);
    assert_non_null(p);
    for (int i = 0; i < 3000; i++) assert_int_equal(p[i], 0);
    mem_free(&m, p);
    assert_null(mem_new(&m, SIZE_MAX / 2, 3));
    assert_null(mem_resize(&m, NULL, SIZE_MAX, SIZE_MAX));
    char *a = mem_new(&m, 0, 8), *b = mem_new(&m, 0, 8);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    mem_free(&m, a);
    mem_free(&m, b);
    mem_free(&m, NULL);
}

static void reserve_keeps_items_and_survives_failure(void **state)
{
    (void)state;
    failing_mem f;
    mem m = failing_mem_start(&f, 2);
    int *items = NULL;
    size_t cap = 0;
    assert_true(mem_reserve(&m, &items, &cap, 5, sizeof *items));
    for (int i = 0; i < 5; i++) items[i] = i * i;
    size_t before = cap;
    assert_false(mem_reserve(&m, &items, &cap, 100, sizeof *items));
    assert_int_equal(cap, before);
    assert_true(mem_reserve(&m, &items, &cap, 100, sizeof *items));
    assert_true(cap >= 100);
    for (int i = 0; i < 5; i++) assert_int_equal(items[i], i * i);
    assert_false(mem_reserve(&m, &items, &cap, SIZE_MAX / 2, sizeof *items));
    mem_free(&m, items);
    assert_int_equal(failing_mem_live(&f), 0);
}

static void arena_blocks_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    failing_mem f;
    mem m = failing_mem_start(&f, 0);
    arena a;
    arena_init(&a, &m);
    unsigned char *blocks[600];
    size_t sizes[600];
    for (size_t i = 0; i < 600; i++) {
        sizes[i] = i % 100 == 99 ? 700000 : i * 7 % 300;
        blocks[i] = arena_new(&a, sizes[i], 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % (sizes[i] >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)(i % 251) + 1, sizes[i]);
    }
    for (size_t i = 0; i < 600; i++) {
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i % 251 + 1);
    }
    assert_true(failing_mem_live(&f) < 40); /* chunks, not blocks */
    assert_null(arena_new(&a, SIZE_MAX, 2));
    assert_null(arena_new(&a, SIZE_MAX - 100, 1));
    assert_string_equal(arena_text(&a, "abcdef", 3), "abc");
    assert_string_equal(arena_copy(&a, "caf\xC3\xA9"), "caf\xC3\xA9");
    assert_string_equal(arena_printf(&a, "%s-%03d", "x", 7), "x-007");
    arena_free(&a);
    assert_int_equal(failing_mem_live(&f), 0);
    assert_string_equal(arena_copy(&a, "again"), "again");
    arena_free(&a);
    assert_int_equal(failing_mem_live(&f), 0);
}

static void errors_are_cut_at_characters(void **state)
{
    (void)state;
    tare_error err;
    char longest[2000];
    for (size_t i = 0; i < sizeof longest; i += 2) memcpy(longest + i, "\xC3\xA9", 2);
    longest[sizeof longest - 2] = '\0';
    assert_int_equal(error_set(&err, TARE_E_DATA, "a.b", longest, "x%s", longest), TARE_E_DATA);
    assert_int_equal(err.status, TARE_E_DATA);
    assert_string_equal(err.code, "a.b");
    assert_true(utf8_valid(err.message, strlen(err.message)));
    assert_true(utf8_valid(err.where, strlen(err.where)));
    assert_in_range(strlen(err.message), sizeof err.message - 3, sizeof err.message - 1);
    assert_int_equal(error_set(NULL, TARE_E_BUG, "x", NULL, "%d", 1), TARE_E_BUG);
    /* An error may quote itself. */
    error_set(&err, TARE_E_DATA, "c", "there", "inner");
    error_set(&err, TARE_E_DATA, "c", err.where, "outer of %s", err.message);
    assert_string_equal(err.message, "outer of inner");
    assert_string_equal(err.where, "there");
}

/* A file of others may be called what a terminal obeys, and hold such names. */
static void errors_are_plain_text(void **state)
{
    (void)state;
    tare_error err;
    error_set(&err, TARE_E_DATA, "a.b", "a\x1B[2J\xFF.pt", "no %s\xC2\x9B" "5m here",
              "\x1B]0;x\x07");
    assert_string_equal(err.where, "a?[2J?.pt");
    assert_string_equal(err.message, "no ?]0;x??5m here");
    error_system(&err, ENOENT, "read", "\x1B[31m\n.csv");
    assert_string_equal(err.where, "?[31m .csv");
}

static void system_errors_name_the_path(void **state)
{
    (void)state;
    tare_error err;
    assert_int_equal(error_system(&err, ENOENT, "read", "a/b.csv"), TARE_E_IO);
    assert_string_equal(err.code, "io.read");
    assert_string_equal(err.where, "a/b.csv");
    assert_non_null(strstr(err.message, "No such file"));
    assert_int_equal(error_system(&err, ENOMEM, "read", "x"), TARE_E_MEMORY);
    assert_string_equal(tare_status_name(TARE_E_DATA), "data");
    assert_string_equal(tare_status_name(TARE_OK), "ok");
    assert_non_null(tare_status_name((tare_status)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_is_zeroed_and_sizes_do_not_wrap),
        cmocka_unit_test(reserve_keeps_items_and_survives_failure),
        cmocka_unit_test(arena_blocks_are_aligned_zeroed_and_apart),
        cmocka_unit_test(errors_are_cut_at_characters),
        cmocka_unit_test(errors_are_plain_text),
        cmocka_unit_test(system_errors_name_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
