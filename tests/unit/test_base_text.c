/* Buffers and UTF-8. */
#include "base/text.h"

#include <string.h>

#include "support/check.h"
#include "support/failing_mem.h"

static void buffers_grow(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    text_add_bytes(&t, NULL, 0);
    for (int i = 0; i < 1000; i++) {
        text_add(&t, "ab");
        text_add_char(&t, 'c');
        text_add_format(&t, "%d", 4);
    }
    assert_false(t.failed);
    assert_int_equal(t.length, 4000);
    assert_int_equal(strlen(t.data), 4000);
    assert_memory_equal(t.data + 3996, "abc4", 5);
    text_clear(&t);
    assert_string_equal(t.data, "");
    text_add_number(&t, -0.0);
    char *taken = text_take(&t);
    assert_string_equal(taken, "0");
    assert_null(t.data);
    mem_free(&m, taken);
    taken = text_take(&t);
    assert_string_equal(taken, "");
    mem_free(&m, taken);
    text_free(&t);
    text_free(NULL);
}

static void a_failed_buffer_stays_failed(void **state)
{
    (void)state;
    failing_mem f;
    mem m = failing_mem_start(&f, 2);
    text t;
    text_init(&t, &m);
    text_add(&t, "abc");
    text_add_format(&t, "%0200d", 1);
    assert_true(t.failed);
    text_add(&t, "later");
    assert_null(text_take(&t));
    assert_int_equal(failing_mem_live(&f), 0);
}

/* Cases of the Unicode Standard 15, table 3-7, and around them. */
static void utf8_is_checked(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t valid; } cases[] = {
        {"plain ascii, more than eight bytes", 34},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9},
        {"ab\xC3", 2}, {"\x80", 0}, {"\xC0\xAF", 0}, {"\xC1\xBF", 0},
        {"\xE0\x80\xAF", 0}, {"\xE0\x9F\xBF", 0}, {"\xE0\xA0\x80", 3},
        {"\xED\x9F\xBF", 3}, {"\xED\xA0\x80", 0}, {"\xED\xBF\xBF", 0}, {"\xEE\x80\x80", 3},
        {"\xF0\x8F\xBF\xBF", 0}, {"\xF0\x90\x80\x80", 4}, {"\xF4\x8F\xBF\xBF", 4},
        {"\xF4\x90\x80\x80", 0}, {"\xF5\x80\x80\x80", 0}, {"\xFF", 0},
        {"12345678\xE2\x82", 8}, {"\xE2\x28\xA1", 0}, {"\xF0\x9F\x98z", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].bytes);
        if (utf8_valid_prefix(cases[i].bytes, n) != cases[i].valid) fail_msg("case %zu", i);
        assert_int_equal(utf8_valid(cases[i].bytes, n), cases[i].valid == n);
    }
    assert_true(utf8_valid("a\0b", 3));
}

static void bytes_of_others_are_made_visible(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    text_add_visible(&t, "a\n\x1B[31m\xFF\xC3\xA9\0z", 12, 100);
    assert_string_equal(t.data, "a\\x0A\\x1B[31m\xEF\xBF\xBD\xC3\xA9\\x00z");
    text_clear(&t);
    text_add_visible(&t, "abc\xC3\xA9\xC3\xA9", 7, 4);
    assert_string_equal(t.data, "abc...");
    text_clear(&t);
    text_add_visible(&t, "abcd", 4, 4);
    assert_string_equal(t.data, "abcd");
    text_free(&t);
}

static void one_line_for_a_terminal(void **state)
{
    (void)state;
    static const struct { const char *bytes, *plain; } cases[] = {
        {"", ""},
        {"caf\xC3\xA9 \xF0\x9F\x98\x80 \xC2\xA0", "caf\xC3\xA9 \xF0\x9F\x98\x80 \xC2\xA0"},
        {"\x1B[31mred\x1B]0;t\x07", "?[31mred?]0;t?"}, {"a\r\nb\tc\x7F", "a? b c?"},
        {"\xC2\x9B" "31m\xC2\x80\xC2\x9F", "?31m??"}, /* U+009B is ESC [ in one character */
        {"\x9B" "31m\xFF\xE2\x82", "?31m???"}, {"\xE2\x82\xAC\xC3", "\xE2\x82\xAC?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[40];
        strcpy(line, cases[i].bytes);
        text_make_plain(line);
        assert_string_equal(line, cases[i].plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(a_failed_buffer_stays_failed),
        cmocka_unit_test(utf8_is_checked),
        cmocka_unit_test(bytes_of_others_are_made_visible),
        cmocka_unit_test(one_line_for_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
