/* JSON in and out: RFC 8259, limits, positions. */
#include "base/json.h"

#include <string.h>

#include "support/check.h"

static tare_status parse(json_value **out, arena *a, const char *bytes, size_t n,
                         const json_limits *limits, tare_error *err)
{
    /* A copy of the exact size, so that reading past the end is seen. */
    char *copy = malloc(n == 0 ? 1 : n);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    tare_status status = json_parse(out, a, "t.json", copy, n, limits, err);
    free(copy);
    return status;
}

static void a_document_becomes_a_tree(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    json_value *v;
    tare_error err;
    static const char source[] =
        "\xEF\xBB\xBF {\"a\": [1, -2.5e3, true, null],\n"
        " \"b\\u00e9\": \"x\\ud83d\\ude00\\n\\u0000y\","
        "\n\t\"c\": {}, \"d\": [], \"e\": false, \"f\": 9007199254740993, \"g\": 1.0}";
    assert_ok(parse(&v, &a, source, sizeof source - 1, NULL, &err));
    assert_int_equal(v->kind, JSON_K_OBJECT);
    assert_int_equal(v->length, 7);
    const json_value *list = json_member(v, "a");
    assert_int_equal(list->length, 4);
    assert_true(list->children[0].number == 1 && list->children[0].number_is_integer);
    assert_true(list->children[1].number == -2500 && !list->children[1].number_is_integer);
    assert_true(list->children[2].kind == JSON_K_BOOL && list->children[2].boolean);
    assert_int_equal(list->children[3].kind, JSON_K_NULL);
    const json_value *words = json_member(v, "b\xC3\xA9");
    assert_int_equal(words->length, 8);
    assert_memory_equal(words->text, "x\xF0\x9F\x98\x80\n\0y", 9);
    assert_int_equal(words->line, 2);
    assert_int_equal(words->column, 13);
    assert_int_equal(json_member(v, "c")->kind, JSON_K_OBJECT);
    assert_int_equal(json_member(v, "d")->length, 0);
    assert_false(json_member(v, "e")->boolean);
    assert_false(json_member(v, "f")->number_is_integer);
    assert_false(json_member(v, "g")->number_is_integer);
    assert_null(json_member(v, "z"));
    assert_null(json_member(list, "a"));
    assert_null(json_member(NULL, "a"));
    arena_free(&a);
}

static void bad_documents_are_refused_with_their_position(void **state)
{
    (void)state;
    static const struct { const char *source, *code, *where; } cases[] = {
        {"", "json.truncated", "t.json:1:1"},
        {"  \n ", "json.truncated", "t.json:2:2"},
        {"{", "json.truncated", "t.json:1:2"},
        {"[1,", "json.truncated", "t.json:1:4"},
        {"[1", "json.truncated", "t.json:1:3"},
        {"\"abc", "json.truncated", "t.json:1:5"},
        {"\"abc\\", "json.truncated", "t.json:1:6"},
        {"[1,]", "json.syntax", "t.json:1:4"},
        {"{\"a\":1,}", "json.syntax", "t.json:1:8"},
        {"{\"a\" 1}", "json.syntax", "t.json:1:6"},
        {"{a:1}", "json.syntax", "t.json:1:2"},
        {"[1 2]", "json.syntax", "t.json:1:4"},
        {"[1}", "json.syntax", "t.json:1:3"},
        {"1 2", "json.syntax", "t.json:1:3"},
        {"01", "json.syntax", "t.json:1:1"},
        {"-", "json.truncated", "t.json:1:2"},
        {"[-x]", "json.syntax", "t.json:1:3"},
        {"[1.]", "json.syntax", "t.json:1:4"},
        {"[1e]", "json.syntax", "t.json:1:4"},
        {"[.5]", "json.syntax", "t.json:1:2"},
        {"[+1]", "json.syntax", "t.json:1:2"},
        {"NaN", "json.syntax", "t.json:1:1"},
        {"[Infinity]", "json.syntax", "t.json:1:2"},
        {"1e400", "json.range", "t.json:1:1"},
        {"tru", "json.syntax", "t.json:1:1"},
        {"\"\\x\"", "json.syntax", "t.json:1:3"},
        {"\"\\u12g4\"", "json.syntax", "t.json:1:4"},
        {"\"a\nb\"", "json.syntax", "t.json:1:3"},
        {"[1,\n \"\xFF\"]", "json.utf8", "t.json:2:3"},
        {"{\"a\":1,\n\"a\":2}", "json.duplicate_key", "t.json:2:5"},
        {"'a'", "json.syntax", "t.json:1:1"},
        {"[1] // x", "json.syntax", "t.json:1:5"},
    };
    mem m = mem_system();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arena a;
        arena_init(&a, &m);
        json_value *v;
        tare_error err;
        assert_int_equal(parse(&v, &a, cases[i].source, strlen(cases[i].source), NULL, &err),
                         TARE_E_DATA);
        assert_null(v);
        if (strcmp(err.code, cases[i].code) != 0 || strcmp(err.where, cases[i].where) != 0) {
            fail_msg("%s: got %s at %s", cases[i].source, err.code, err.where);
        }
        arena_free(&a);
    }
}

static void limits_hold(void **state)
{
    (void)state;
    static const json_limits tight = {3, 4, 5, false};
    static const struct { const char *source, *code; } cases[] = {
        {"[[[[]]]]", "json.depth"}, {"\"abcde\"", "json.text"}, {"[1,2,3,4,5]", "json.values"},
        {"\"ab\\n\\n\\nc\"", "json.text"}};
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    json_value *v;
    tare_error err;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(parse(&v, &a, cases[i].source, strlen(cases[i].source), &tight, &err),
                         TARE_E_LIMIT);
        assert_string_equal(err.code, cases[i].code);
    }
    assert_ok(parse(&v, &a, "[[[]],1,2]", 10, &tight, &err));
    assert_ok(parse(&v, &a, "\"abcd\"", 6, &tight, &err));
    char *deep = malloc(100000);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    assert_int_equal(parse(&v, &a, deep, 100000, NULL, &err), TARE_E_LIMIT);
    json_limits all = {1000000, 10, 1000000, false};
    assert_int_equal(parse(&v, &a, deep, 100000, &all, &err), TARE_E_LIMIT);
    free(deep);
    arena_free(&a);
}

static void bare_nan_and_lone_surrogates(void **state)
{
    (void)state;
    mem m = mem_system();
    json_limits loose = JSON_LIMITS_DEFAULT;
    loose.bare_nan = true;
    static const char source[] = "[NaN,-Infinity,Infinity,-1,\"\\ud800x\\udc00\\ud800\\ud801\"]";
    json_reader r;
    json_event e;
    tare_error err;
    json_open(&r, &m, "t", source, sizeof source - 1, &loose);
    assert_ok(json_next(&e, &r, &err));
    assert_int_equal(e, JSON_ARRAY);
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_NUMBER && isnan(r.number));
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_NUMBER && r.number == -(double)INFINITY);
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_NUMBER && r.number == (double)INFINITY);
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_NUMBER && r.number == -1 && r.number_is_integer);
    assert_ok(json_next(&e, &r, &err));
    assert_int_equal(e, JSON_TEXT);
    assert_string_equal(r.string, "\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_int_equal(r.lone_surrogates, 4);
    assert_ok(json_next(&e, &r, &err));
    assert_int_equal(e, JSON_ARRAY_END);
    assert_ok(json_next(&e, &r, &err));
    assert_int_equal(e, JSON_END);
    assert_ok(json_next(&e, &r, &err));
    assert_int_equal(e, JSON_END);
    json_close(&r);
}

static void large_objects_find_their_duplicates(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    text_add(&t, "{");
    for (int i = 0; i < 1000; i++) text_add_format(&t, "\"k%d\":%d,", i, i);
    size_t length = t.length;
    text_add(&t, "\"z\":0}");
    arena a;
    arena_init(&a, &m);
    json_value *v;
    tare_error err;
    assert_ok(parse(&v, &a, t.data, t.length, NULL, &err));
    assert_int_equal(v->length, 1001);
    assert_true(json_member(v, "k999")->number == 999);
    t.length = length;
    text_add(&t, "\"k500\":0}");
    assert_int_equal(parse(&v, &a, t.data, t.length, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "json.duplicate_key");
    arena_free(&a);
    text_free(&t);
}

static void write_sample(json_writer *w)
{
    json_object(w);
    json_key(w, "a");
    json_array(w);
    json_number(w, 0.1);
    json_number(w, (double)NAN);
    json_integer(w, INT64_MIN);
    json_array_end(w);
    json_key(w, "q\"");
    json_string_bytes(w, "\x01\\\xFF\n\xC3\xA9\x7F", 7);
    json_key(w, "o");
    json_object(w);
    json_object_end(w);
    json_key(w, "t");
    json_bool(w, true);
    json_key(w, "n");
    json_null(w);
    json_object_end(w);
}

static void the_writer_places_commas_and_lines(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    json_writer w;
    text_init(&t, &m);
    json_begin(&w, &t, 0);
    write_sample(&w);
    assert_string_equal(t.data, "{\"a\":[0.1,null,-9223372036854775808],"
                                "\"q\\\"\":\"\\u0001\\\\\xEF\xBF\xBD\\n\xC3\xA9\\u007f\","
                                "\"o\":{},\"t\":true,\"n\":null}");
    text_clear(&t);
    json_begin(&w, &t, 2);
    write_sample(&w);
    assert_string_equal(t.data, "{\n  \"a\": [\n    0.1,\n    null,\n    -9223372036854775808\n"
                                "  ],\n  \"q\\\"\": \"\\u0001\\\\\xEF\xBF\xBD\\n\xC3\xA9\\u007f\","
                                "\n  \"o\": {},\n  \"t\": true,\n  \"n\": null\n}");
    arena a;
    arena_init(&a, &m);
    json_value *v;
    tare_error err;
    assert_ok(parse(&v, &a, t.data, t.length, NULL, &err));
    assert_int_equal(v->length, 5);
    arena_free(&a);
    text_free(&t);
}

/* Every length and place of what ends a run of plain characters, so that each lane of a vector load
 * and the tail behind it is met. */
static void strings_of_every_length(void **state)
{
    (void)state;
    mem m = mem_system();
    for (size_t n = 0; n < 70; n++) {
        for (size_t k = 0; k <= n; k++) {
            static const char *const insert[] = {"", "\\n", "\xC3\xA9", "\x01", "\xC3"};
            static const char *const becomes[] = {"", "\n", "\xC3\xA9", NULL, NULL};
            for (int i = 0; i < 5; i++) {
                char source[100] = "[\"", want[100] = "";
                memset(source + 2, 'x', k);
                strcpy(source + 2 + k, insert[i]);
                size_t from = strlen(source);
                memset(source + from, 'y', n - k);
                strcpy(source + from + n - k, "\"]");
                arena a;
                json_value *v;
                tare_error err;
                arena_init(&a, &m);
                tare_status status = parse(&v, &a, source, strlen(source), NULL, &err);
                if (becomes[i] == NULL) {
                    assert_int_equal(status, TARE_E_DATA);
                    snprintf(want, sizeof want, "t.json:1:%zu", k + 3);
                    assert_string_equal(err.where, want);
                } else {
                    assert_int_equal(status, TARE_OK);
                    memset(want, 'x', k);
                    strcpy(want + k, becomes[i]);
                    memset(want + strlen(want), 'y', n - k);
                    assert_string_equal(v->children[0].text, want);
                }
                arena_free(&a);
            }
        }
    }
}

static void a_lazy_reader_gives_places(void **state)
{
    (void)state;
    mem m = mem_system();
    static const char source[] = "[\"plain\",\"esc\\t\",1e999,-0.50,\"\"]";
    static const char second[] = " {\"k\":tru}";
    json_reader r;
    json_event e;
    tare_error err;
    size_t line, column;
    json_open(&r, &m, "t", source, sizeof source - 1, NULL);
    r.lazy = true;
    assert_ok(json_next(&e, &r, &err));
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_TEXT && r.string == source + 2 && r.string_length == 5);
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_TEXT && r.string_length == 4);
    assert_string_equal(r.string, "esc\t");
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_NUMBER && isnan(r.number) && r.at - r.token == 5);
    assert_ok(json_next(&e, &r, &err));
    assert_memory_equal(r.token, "-0.50", 5);
    json_position(&r, &line, &column);
    assert_true(line == 1 && column == 24);
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_TEXT && r.string_length == 0);
    json_open_next(&r, second, sizeof second - 1);
    assert_ok(json_next(&e, &r, &err));
    assert_ok(json_next(&e, &r, &err));
    assert_true(e == JSON_KEY && r.string == second + 3 && r.string_length == 1);
    assert_int_equal(json_next(&e, &r, &err), TARE_E_DATA);
    assert_string_equal(err.where, "t:1:7");
    json_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_becomes_a_tree),
        cmocka_unit_test(bad_documents_are_refused_with_their_position),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(bare_nan_and_lone_surrogates),
        cmocka_unit_test(strings_of_every_length),
        cmocka_unit_test(a_lazy_reader_gives_places),
        cmocka_unit_test(large_objects_find_their_duplicates),
        cmocka_unit_test(the_writer_places_commas_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
