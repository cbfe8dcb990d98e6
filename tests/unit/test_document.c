/* Small documents: JSON or YAML by their first byte, one tree, and what YAML may not say. */
#include <string.h>

#include "base/text.h"
#include "support/check.h"
#include "support/failing_mem.h"
#include "table/document.h"

typedef struct parsed {
    mem m;
    arena a;
    json_value *top;
} parsed;

static tare_error err;

static tare_status parse_bytes(parsed *p, const char *bytes, size_t length)
{
    memset(&err, 0, sizeof err);
    p->m = mem_system();
    arena_init(&p->a, &p->m);
    return document_parse(&p->top, &p->a, "d", bytes, length, &err);
}

static tare_status parse_text(parsed *p, const char *bytes)
{
    return parse_bytes(p, bytes, strlen(bytes));
}

/* One value as text: what kind it has. */
static const char *shown(const json_value *v, char out[64])
{
    switch (v->kind) {
    case JSON_K_NULL: return "null";
    case JSON_K_BOOL: return v->boolean ? "true" : "false";
    case JSON_K_NUMBER:
        snprintf(out, 64, "%s %.17g", v->number_is_integer ? "integer" : "number", v->number);
        return out;
    case JSON_K_TEXT: snprintf(out, 64, "text %s", v->text); return out;
    default: return "?";
    }
}

static void plain_scalars_have_their_kinds(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "null"}, {"~", "null"}, {"null", "null"}, {"\"\"", "text "}, {"'~'", "text ~"},
        {"true", "true"}, {"False", "false"}, {"yes", "text yes"}, {"no", "text no"},
        {"'true'", "text true"}, {"tRUE", "text tRUE"},
        {"7", "integer 7"}, {"-12", "integer -12"}, {"+3", "integer 3"}, {"0", "integer 0"},
        {"7.0", "number 7"}, {".5", "number 0.5"}, {"5.", "number 5"}, {"-0.25", "number -0.25"},
        {"1e3", "number 1000"}, {"2E-2", "number 0.02"}, {"'7'", "text 7"}, {"\"7\"", "text 7"},
        {"9007199254740992", "integer 9007199254740992"},
        {"9007199254740993", "integer 9007199254740992"}, /* read as a double, as JSON's are */
        {"18014398509481984", "number 18014398509481984"},
        {"007", "text 007"}, {"-01", "text -01"}, {"0x1f", "text 0x1f"}, {"1_000", "text 1_000"},
        {"1e", "text 1e"}, {".", "text ."}, {"1.2.3", "text 1.2.3"},
        {".inf", "text .inf"}, {"nan", "text nan"}, {"inf", "text inf"}, {"!!str 7", "text 7"},
        {"2024-01-01", "text 2024-01-01"}, {"0.5.0", "text 0.5.0"}, {"00.5", "text 00.5"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        parsed p;
        char yaml[80], out[64];
        snprintf(yaml, sizeof yaml, "k: %s\n", cases[k][0]);
        assert_ok(parse_text(&p, yaml));
        const char *got = shown(json_member(p.top, "k"), out);
        if (strcmp(got, cases[k][1]) != 0) fail_msg("%s: %s", cases[k][0], got);
        arena_free(&p.a);
    }
}

static void all_is_text_for_those_who_ask(void **state)
{
    (void)state;
    static const char yaml[] = "[true, 7, .5, ~, x]";
    static const char *const want[] = {"text true", "text 7", "text .5", "null", "text x"};
    mem m = mem_system();
    arena a;
    json_value *top;
    tare_error err;
    arena_init(&a, &m);
    assert_ok(document_yaml(&top, &a, "d", yaml, sizeof yaml - 1, DOCUMENT_TEXT, &err));
    for (size_t k = 0; k < 5; k++) {
        char out[64];
        assert_string_equal(shown(&top->children[k], out), want[k]);
    }
    arena_free(&a);
}

static void json_and_yaml_give_one_tree(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\": [1, 2.5, \"x\"], \"b\": {\"c\": null, \"d\": true}}",
        "\xef\xbb\xbf  \r\n\t{\"a\": [1, 2.5, \"x\"], \"b\": {\"c\": null, \"d\": true}}",
        "a: [1, 2.5, x]\nb:\n  c:\n  d: true\n",
        "\xef\xbb\xbf" "a:\n- 1\n- 2.5\n- 'x'\nb: {c: ~, d: True}\n",
    };
    for (size_t k = 0; k < 4; k++) {
        parsed p;
        char out[64];
        assert_ok(parse_text(&p, texts[k]));
        assert_int_equal(p.top->length, 2);
        const json_value *a = json_member(p.top, "a"), *b = json_member(p.top, "b");
        assert_int_equal(a->kind, JSON_K_ARRAY);
        assert_int_equal(a->length, 3);
        assert_string_equal(shown(&a->children[0], out), "integer 1");
        assert_string_equal(shown(&a->children[1], out), "number 2.5");
        assert_string_equal(shown(&a->children[2], out), "text x");
        assert_string_equal(shown(json_member(b, "c"), out), "null");
        assert_string_equal(shown(json_member(b, "d"), out), "true");
        arena_free(&p.a);
    }
}

static void values_know_their_place(void **state)
{
    (void)state;
    parsed p;
    assert_ok(parse_text(&p, "a: 1\nbb:\n  - x\n  - {c: y}\n"));
    const json_value *bb = json_member(p.top, "bb");
    assert_int_equal(json_member(p.top, "a")->column, 4);
    assert_int_equal(bb->children[0].line, 3);
    assert_int_equal(bb->children[0].column, 5);
    assert_int_equal(json_member(&bb->children[1], "c")->line, 4);
    assert_int_equal(json_member(&bb->children[1], "c")->column, 9);
    arena_free(&p.a);
}

static void refused_with_line_and_column(void **state)
{
    (void)state;
    static const struct { const char *text, *code, *where, *words; } list[] = {
        {"", "document.empty", "d:1:1", "nothing in it"},
        {"# only this\n", "document.empty", "d:1:1", "nothing in it"},
        {"a: 1\nb: &x 2\n", "document.syntax", "d:2:4", "anchors"},
        {"a: *x\n", "document.syntax", "d:1:4", "aliases"},
        {"a: !int 3\n", "document.syntax", "d:1:4", "tags"},
        {"a: 1\n<<: {b: 2}\n", "document.syntax", "d:2:1", "merge keys"},
        {"a: 1\nb: 2\na: 3\n", "document.syntax", "d:3:4", "\"a\" stands twice"},
        {"? [a]\n: b\n", "document.syntax", "d:1:3", "a key is a list"},
        {"\"a\\0b\": 1\n", "document.syntax", "d:1:1", "NUL"},
        {"a: 1\n---\nb: 2\n", "document.syntax", "d:2:1", "one document"},
        {"a: [1\n", "document.syntax", "d:2:1", "not YAML"},
        {"a: 1\nb: \xff\n", "document.syntax", "d:2:4", "not YAML"},
        {"a: 1e999\n", "document.range", "d:1:4", "beyond"},
        {"{\"a\": 1, \"a\": 2}", "json.duplicate_key", "d:1:15", "twice"},
        {"{\"a\": 1, \"a\\u0000\": 2}", "json.key", "d:1:10", "NUL"},
        {"{\"a\": 1", "json.truncated", "d:1:8", ""},
        {"[NaN]", "json.syntax", "d:1:2", ""},
        {"[1] x", "json.syntax", "d:1:5", ""},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        parsed p;
        tare_status status = parse_text(&p, list[k].text);
        if (status != TARE_E_DATA || strcmp(err.code, list[k].code) ||
            strcmp(err.where, list[k].where) || !strstr(err.message, list[k].words))
            fail_msg("%zu: status %d [%s] %s: %s", k, (int)status, err.code, err.where,
                     err.message);
        arena_free(&p.a);
    }
}

static void keys_of_long_mappings_differ_too(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    parsed p;
    text_init(&t, &m);
    for (int k = 0; k < 40; k++) text_add_format(&t, "k%d: %d\n", k, k);
    assert_ok(parse_bytes(&p, t.data, t.length));
    assert_int_equal(p.top->length, 40);
    arena_free(&p.a);
    text_add(&t, "k7: x\n");
    assert_int_equal(parse_bytes(&p, t.data, t.length), TARE_E_DATA);
    assert_string_equal(err.where, "d:41:5");
    arena_free(&p.a);
    text_free(&t);
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const struct { const char *open, *code; size_t depth; tare_status status; } list[] = {
        {"[", "json.depth", 65, TARE_E_LIMIT},
        {"[", "json.truncated", 64, TARE_E_DATA},
        {"- ", "document.depth", 65, TARE_E_LIMIT},
        {"- ", "document.depth", 10000, TARE_E_LIMIT},
        {"- ", "", 64, TARE_OK},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        mem m = mem_system();
        text t;
        parsed p;
        text_init(&t, &m);
        for (size_t i = 0; i < list[k].depth; i++) text_add(&t, list[k].open);
        assert_int_equal(parse_bytes(&p, t.data, t.length), list[k].status);
        assert_string_equal(err.code, list[k].code);
        arena_free(&p.a);
        text_free(&t);
    }
}

static void each_allocation_fails(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\": [1, 2.5, \"x\\n\"], \"b\": {\"c\": null, \"d\": true}}",
        "a: [1, 2.5, x]\nb: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 1, k: 2,"
        " l: 3, m: 4, n: 5, o: 6, p: 7, q: 8}\n",
        "a: 1\na: 2\n", /* the message needs memory, too */
    };
    static const tare_status ends[] = {TARE_OK, TARE_OK, TARE_E_DATA};
    for (size_t n = 0; n < 3; n++)
        for (long k = 1;; k++) {
            failing_mem f;
            mem m = failing_mem_start(&f, k);
            arena a;
            json_value *top;
            tare_error err;
            arena_init(&a, &m);
            tare_status status = document_parse(&top, &a, "d", texts[n], strlen(texts[n]), &err);
            arena_free(&a);
            assert_int_equal(failing_mem_live(&f), 0);
            if (!failing_mem_failed(&f)) {
                assert_int_equal(status, ends[n]);
                assert_true(k > 2);
                break;
            }
            assert_int_equal(status, TARE_E_MEMORY);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_scalars_have_their_kinds),
        cmocka_unit_test(all_is_text_for_those_who_ask),
        cmocka_unit_test(json_and_yaml_give_one_tree),
        cmocka_unit_test(values_know_their_place),
        cmocka_unit_test(refused_with_line_and_column),
        cmocka_unit_test(keys_of_long_mappings_differ_too),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(each_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
