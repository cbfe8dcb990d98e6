/* What a roster may not say: with file and line, and without repeating a secret. */
#include <string.h>

#include "base/text.h"
#include "judge/roster.h"
#include "support/check.h"

typedef struct refused {
    const char *name, *text, *code, *where, *words;
} refused;

static tare_status parse_bytes(const char *name, const char *bytes, size_t length, tare_error *err)
{
    mem m = mem_system();
    arena a;
    roster r;
    arena_init(&a, &m);
    tare_status status = roster_parse(&r, &a, name, bytes, length, err);
    arena_free(&a);
    return status;
}

static void each(const refused *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        tare_error err;
        tare_status status = parse_bytes(x[k].name, x[k].text, strlen(x[k].text), &err);
        if (status != TARE_E_DATA || strcmp(err.code, x[k].code) || strcmp(err.where, x[k].where) ||
            !strstr(err.message, x[k].words))
            fail_msg("%zu: status %d [%s] %s: %s", k, (int)status, err.code, err.where,
                     err.message);
    }
}

static void slips(void **state)
{
    (void)state;
    static const refused list[] = {
        {"r.yaml", "- id: a\n  famly: x\n", "roster.unknown_key", "r.yaml:2",
         "did you mean family?"},
        {"r.yaml", "- id: a\n  endpoint:\n    modle: x\n", "roster.unknown_key", "r.yaml:3",
         "did you mean model?"},
        {"r.yaml", "judge:\n  - id: a\n", "roster.unknown_key", "r.yaml:2",
         "did you mean judges?"},
        {"r.json", "[{\"id\": \"a\"},\n {\"name\": \"b\"}]", "roster.unknown_key", "r.json:2",
         "keys: id, alias, family"},
        {"r.yaml", "- id: a\n- id: b\n- id: a\n", "roster.duplicate", "r.yaml:3", "of line 1"},
        {"r.yaml", "- id: a\n- id: b\n  alias: [c, a]\n", "roster.duplicate", "r.yaml:2",
         "the alias \"a\" already names the model of line 1"},
        {"r.csv", "id,alias\na,x;y\nb,y\n", "roster.duplicate", "r.csv:3", "of line 2"},
        {"r.yaml", "- family: x\n", "roster.no_id", "r.yaml:1", "no id"},
        {"r.yaml", "- id: \"\"\n", "roster.no_id", "r.yaml:1", "empty"},
        {"r.yaml", "- id: ~\n", "roster.no_id", "r.yaml:1", "no id"},
        {"r.csv", "id,family\na,x\n,y\n", "roster.no_id", "r.csv:3", "no id"},
        {"r.csv", "name,family\na,x\n", "roster.no_id", "r.csv:1", "no column is called id"},
        {"r.json", "[{\"id\": 7}]", "roster.type", "r.json:1", "id must be text"},
        {"r.json", "[{\"id\": \"a\\u0000b\"}]", "roster.type", "r.json:1", "NUL"},
        {"r.yaml", "- id: \"a\\0b\"\n", "roster.type", "r.yaml:1", "NUL"},
        {"r.yaml", "- id: [a]\n", "roster.type", "r.yaml:1", "it is a list"},
        {"r.yaml", "- just text\n", "roster.type", "r.yaml:1", "an entry must be a mapping"},
        {"r.yaml", "just text\n", "roster.type", "r.yaml:1", "list of models"},
        {"r.yaml", "judges: []\nmodels: []\n", "roster.type", "r.yaml:1", "one list"},
        {"r.yaml", "- id: a\n  groups: [x]\n", "roster.type", "r.yaml:2", "groups must be"},
        {"r.yaml", "- id: a\n  groups: {vendor: {x: y}}\n", "roster.type", "r.yaml:2", "vendor"},
        {"r.yaml", "- id: a\n  groups: {family: x}\n", "roster.type", "r.yaml:2", "beside id"},
        {"r.yaml", "- id: a\n  groups: {vendor: \"\"}\n", "roster.type", "r.yaml:1", "empty"},
        {"r.json", "[{\"id\":\"a\",\"family\":true}]", "roster.type", "r.json:1", "true or false"},
        {"r.yaml", "- id: a\n  endpoint: {model: x}\n  provider: y\n", "roster.type", "r.yaml:3",
         "stands beside endpoint"},
        {"r.csv", "id,endpoint\na,x\n", "roster.unknown_key", "r.csv:1", "no place for endpoint"},
        {"r.yaml", "", "roster.empty", "r.yaml:1", "no model"},
        {"r.yaml", "# nothing\n", "roster.empty", "r.yaml:1", "no model"},
        {"r.yaml", "[]", "roster.empty", "r.yaml:1", "no model"},
        {"r.csv", "id,family\n", "roster.empty", "r.csv:1", "no model"},
    };
    each(list, sizeof list / sizeof *list);
}

static void secrets_are_refused_and_not_repeated(void **state)
{
    (void)state;
    static const char *const texts[][3] = {
        {"r.yaml", "- id: a\n  api_key: sk-123456\n", "api_key_env"},
        {"r.yaml", "- id: a\n  endpoint: {apiKey: sk-123456}\n", "api_key_env"},
        {"r.yaml", "api_key: sk-123456\njudges: [{id: a}]\n", "api_key_env"},
        {"r.json", "[{\"id\": \"a\", \"token\": \"sk-123456\"}]", "api_key_env"},
        {"r.yaml", "- id: a\n  api_key_env: sk-123456\n", "name of an environment variable"},
        {"r.yaml", "- id: a\n  headers: {Authorization: Bearer sk-123456}\n", "${VARIABLE}"},
        {"r.yaml", "- id: a\n  endpoint: {headers: {X-Goog-Api-Key: sk-123456}}\n", "${VARIABLE}"},
        {"r.csv", "id,api_key\na,sk-123456\n", "no keys"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        tare_error err;
        assert_int_equal(parse_bytes(texts[k][0], texts[k][1], strlen(texts[k][1]), &err),
                         TARE_E_DATA);
        assert_string_equal(err.code, "roster.secret");
        assert_null(strstr(err.message, "sk-123456"));
        if (!strstr(err.message, texts[k][2])) fail_msg("%s", err.message);
    }
    const char fine[] = "- id: a\n  api_key_env: MY_KEY_2\n"
                        "  headers: {Authorization: \"Bearer ${KEY}\", X-Team: t, X-Monkey: m}\n";
    tare_error err;
    assert_ok(parse_bytes("r.yaml", fine, sizeof fine - 1, &err));
}

static void yaml_that_is_more_than_a_tree(void **state)
{
    (void)state;
    static const refused list[] = {
        {"r.yaml", "- id: a\n  family: &f x\n- id: b\n  family: *f\n", "roster.syntax",
         "r.yaml:2", "anchors"},
        {"r.yaml", "a: &a [x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b]\n", "roster.syntax",
         "r.yaml:1", "anchors"},
        {"r.yaml", "- id: *a\n", "roster.syntax", "r.yaml:1", "aliases"},
        {"r.yaml", "- <<: {id: a}\n", "roster.syntax", "r.yaml:1", "merge keys"},
        {"r.yaml", "- id: !!binary YQ==\n", "roster.syntax", "r.yaml:1", "tags"},
        {"r.yaml", "- id: !ruby/object x\n", "roster.syntax", "r.yaml:1", "tags"},
        {"r.yaml", "- [a]: b\n", "roster.syntax", "r.yaml:1", "a key is a list"},
        {"r.yaml", "- id: a\n  id: b\n", "roster.syntax", "r.yaml:2", "twice"},
        {"r.yaml", "- id: a\n---\n- id: b\n", "roster.syntax", "r.yaml:2", "one document"},
        {"r.yaml", "- id: a\n\t- b\n", "roster.syntax", "r.yaml:2", "not YAML"},
        {"r.yaml", "- id: [a\n", "roster.syntax", "r.yaml:2", "not YAML"},
        {"r.yaml", "- id: \"a\n", "roster.syntax", "r.yaml:2", "not YAML"},
        {"r.yaml", "- id: a\n- id: \xff\n", "roster.syntax", "r.yaml:2", "not YAML"},
        {"r.json", "[{\"id\": \"a\"}", "json.truncated", "r.json:1:13", ""},
    };
    each(list, sizeof list / sizeof *list);
    const char str[] = "- id: !!str a\n"; /* says what is so anyway */
    tare_error err;
    assert_ok(parse_bytes("r.yaml", str, sizeof str - 1, &err));
    const char utf16[] = "\xff\xfe-\0 \0";
    assert_int_equal(parse_bytes("r.yaml", utf16, 6, &err), TARE_E_DATA);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void limited(text *t, const char *name, const char *code)
{
    tare_error err;
    assert_false(t->failed);
    assert_int_equal(parse_bytes(name, t->data, t->length, &err), TARE_E_LIMIT);
    if (code) assert_string_equal(err.code, code);
    text_clear(t);
}

static void limits_hold(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    tare_error err;
    text_init(&t, &m);
    text_add(&t, "- id: a\n#");
    while (t.length <= (size_t)4 << 20) text_add(&t, "0123456789012345678901234567890123456789");
    limited(&t, "r.yaml", "roster.bytes");
    for (int k = 0; k < 10001; k++) text_add_format(&t, "- id: m%d\n", k);
    limited(&t, "r.yaml", "roster.models");
    text_add(&t, "id,family\n");
    for (int k = 0; k < 10001; k++) text_add_format(&t, "m%d,f\n", k);
    limited(&t, "r.csv", NULL);
    text_add(&t, "- id: a\n  groups:\n");
    for (int k = 0; k < 99; k++) text_add_format(&t, "    g%d: x\n", k);
    assert_ok(parse_bytes("r.yaml", t.data, t.length, &err)); /* with family: 100 */
    text_add(&t, "    more: x\n");
    limited(&t, "r.yaml", "roster.groupings");
    text_add(&t, "- id: a\n  params: ");
    for (int k = 0; k < 70; k++) text_add(&t, "[");
    limited(&t, "r.yaml", "roster.depth");
    for (int k = 0; k < 100000; k++) text_add(&t, "[");
    limited(&t, "r.yaml", "roster.depth");
    for (int k = 0; k < 100000; k++) text_add(&t, "[");
    limited(&t, "r.json", "json.depth");
    for (int k = 0; k < 70; k++) text_add_format(&t, "%*sk:\n", k, "");
    limited(&t, "r.yaml", "roster.depth");
    text_free(&t);
}

static void every_beginning_ends(void **state)
{
    (void)state;
    const char yaml[] = "judges:\n  - id: 'a'\n    alias: [x, \"y\\n\"]\n    groups: {v: |\n"
                        "      long\n   }\n  - {id: b, family: >-\n    folded}\n";
    for (size_t n = 0; n < sizeof yaml; n++) {
        tare_error err;
        tare_status status = parse_bytes("r.yaml", yaml, n, &err);
        assert_true(status == TARE_OK || status == TARE_E_DATA);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips),
        cmocka_unit_test(secrets_are_refused_and_not_repeated),
        cmocka_unit_test(yaml_that_is_more_than_a_tree),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(every_beginning_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
