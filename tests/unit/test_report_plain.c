#include "support/check.h"

#include <string.h>

#include "report/plain.h"
#include "report/wrap.h"

static mem m;

static char *line(const char *string, size_t limit)
{
    text t;
    text_init(&t, &m);
    text_add(&t, "");
    plain_line(&t, string, limit);
    char *got = text_take(&t);
    assert_non_null(got);
    return got;
}

static void assert_line(const char *string, size_t limit, const char *want)
{
    char *got = line(string, limit);
    assert_string_equal(got, want);
    mem_free(&m, got);
}

#define BAD "\xEF\xBF\xBD"

static void test_valid_text_passes(void **state)
{
    (void)state;
    assert_line("plain \xC3\xA9 \xE6\xB5\x8B \xF0\x9F\x94\xAC", 0,
                "plain \xC3\xA9 \xE6\xB5\x8B \xF0\x9F\x94\xAC");
    assert_line("", 0, "");
    assert_line("a\tb\nc", 0, "a b c");
}

static void test_invalid_utf8(void **state)
{
    (void)state;
    assert_line("\xFF" "a", 0, BAD "a");
    assert_line("\xC3(", 0, BAD "(");
    assert_line("\xC0\xAF", 0, BAD BAD);          /* overlong */
    assert_line("\xE0\x80\x80", 0, BAD);          /* overlong, three bytes */
    assert_line("\xED\xA0\x80", 0, BAD);          /* surrogate */
    assert_line("\xF4\x90\x80\x80", 0, BAD);      /* above U+10FFFF */
    assert_line("cut\xE2\x82", 0, "cut" BAD);     /* ends in the middle */
    assert_line("\xEF\xBF\xBF", 0, BAD);          /* noncharacter */
}

static void test_controls_and_directions(void **state)
{
    (void)state;
    assert_line("\x1b[31m\x07\x7f\r", 0, BAD "[31m" BAD BAD BAD);
    assert_line("\xC2\x9B" "31m", 0, BAD "31m"); /* the one-byte form of ESC [ */
    assert_line("a\xE2\x80\xAE" "b\xE2\x81\xA6", 0, "a" BAD "b" BAD);
}

static void test_limit(void **state)
{
    (void)state;
    assert_line("abcdef", 3, "abc\xE2\x80\xA6");
    assert_line("abc", 3, "abc");
    assert_int_equal(plain_count("\xE6\xB5\x8B" "ab"), 3);
}

static void test_widths(void **state)
{
    (void)state;
    assert_int_equal(plain_width("abc"), 3);
    assert_int_equal(plain_width("\xE6\xB5\x8B\xE8\xAF\x95"), 4);      /* CJK */
    assert_int_equal(plain_width("\xEA\xB0\x80"), 2);                  /* Hangul */
    assert_int_equal(plain_width("e\xCC\x81"), 1);                     /* combining acute */
    assert_int_equal(plain_width("\xEF\xBC\xA1"), 2);                  /* fullwidth A */
    assert_int_equal(plain_width("\xE2\x88\x92" "1"), 2);              /* minus sign */
}

static void assert_wrapped(const char *string, size_t columns, const char *want)
{
    text t;
    text_init(&t, &m);
    wrap_text(&t, string, 0, 2, columns);
    assert_false(t.failed);
    assert_string_equal(t.data, want);
    text_free(&t);
}

static void test_wrap(void **state)
{
    (void)state;
    assert_wrapped("one two three", 8, "one two\n  three");
    assert_wrapped("one two  three", 80, "one two three");
    assert_wrapped("abcdefghij", 6, "abcdef\n  ghij");
    /* Five wide characters in six columns: breaks between them, no space comes in. */
    assert_wrapped("\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80", 6,
                   "\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80\n  \xE4\xB8\x80\xE4\xB8\x80");
}

static void test_wrap_never_exceeds(void **state)
{
    (void)state;
    const char *const words = "a bb ccc dddd \xE6\xB5\x8B\xE8\xAF\x95 eeeeeeeeeeeeeeeeeeee f, g; "
                              "\xE6\xB5\x8B" "mixed\xE8\xAF\x95 e\xCC\x81t\xC3\xA9";
    for (size_t columns = 6; columns < 60; columns++) {
        text t;
        text_init(&t, &m);
        wrap_text(&t, words, 0, 2, columns);
        for (char *at = strtok(t.data, "\n"); at; at = strtok(NULL, "\n"))
            assert_true(plain_width(at) <= columns);
        text_free(&t);
    }
}

static void test_cells(void **state)
{
    (void)state;
    text t;
    text_init(&t, &m);
    wrap_cell(&t, "ab", 4, false);
    wrap_cell(&t, "ab", 4, true);
    wrap_cell(&t, "abcdef", 4, false);
    wrap_cell(&t, "\xE6\xB5\x8B\xE8\xAF\x95\xE6\xB5\x8B", 4, false); /* 6 wide: cut to 2, padded */
    assert_string_equal(t.data, "ab    ababc\xE2\x80\xA6\xE6\xB5\x8B\xE2\x80\xA6 ");
    text_free(&t);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_text_passes), cmocka_unit_test(test_invalid_utf8),
        cmocka_unit_test(test_controls_and_directions), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_widths), cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_wrap_never_exceeds), cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
