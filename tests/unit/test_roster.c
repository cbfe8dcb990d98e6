/* The three formats of a roster give one and the same; the manual's example and the schema are
 * read. */
#include <string.h>

#include "base/os.h"
#include "judge/roster.h"
#include "support/check.h"

#define MANUAL TARE_SOURCE_DIR "/docs/roster.md"
#define SCHEMA TARE_SOURCE_DIR "/docs/schema/roster.schema.json"

typedef struct fixture {
    mem m;
    arena a;
    roster r;
} fixture;

static void begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->m = mem_system();
    arena_init(&f->a, &f->m);
}

static void parse(fixture *f, const char *name, const char *text)
{
    tare_error err;
    begin(f);
    assert_ok(roster_parse(&f->r, &f->a, name, text, strlen(text), &err));
}

/* The text between "```KIND\n" and "```" of the manual. */
static const char *block(arena *a, const char *manual, const char *kind)
{
    const char *start = strstr(manual, arena_printf(a, "\n```%s\n", kind));
    assert_non_null(start);
    start = strchr(start + 1, '\n') + 1;
    const char *end = strstr(start, "```");
    assert_non_null(end);
    return arena_text(a, start, (size_t)(end - start));
}

static void same_values(const roster_values *x, const roster_values *y)
{
    assert_int_equal(x->count, y->count);
    for (size_t i = 0; i < x->count; i++) assert_string_equal(x->value[i], y->value[i]);
}

static void same(const roster *x, const roster *y)
{
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->grouping_count, y->grouping_count);
    for (size_t g = 0; g < x->grouping_count; g++)
        assert_string_equal(x->grouping[g], y->grouping[g]);
    for (size_t k = 0; k < x->count; k++) {
        const roster_model *p = &x->models[k], *q = &y->models[k];
        assert_string_equal(p->id, q->id);
        assert_int_equal(p->alias_count, q->alias_count);
        for (size_t i = 0; i < p->alias_count; i++)
            assert_string_equal(p->alias[i], q->alias[i]);
        for (size_t g = 0; g < x->grouping_count; g++) same_values(&p->group[g], &q->group[g]);
    }
}

static void the_manual_reads_the_same_in_all_formats(void **state)
{
    (void)state;
    fixture manual, yaml, json, csv;
    tare_error err;
    char *bytes;
    size_t length;
    begin(&manual);
    assert_ok(os_read_file(&bytes, &length, &manual.m, MANUAL, 1 << 20, &err));
    parse(&yaml, "models.yaml", block(&manual.a, bytes, "yaml"));
    parse(&json, "models.json", block(&manual.a, bytes, "json"));
    parse(&csv, "models.csv", block(&manual.a, bytes, "csv"));
    same(&yaml.r, &json.r);
    same(&yaml.r, &csv.r);
    const roster *r = &yaml.r;
    assert_int_equal(r->count, 3);
    assert_string_equal(r->name, "models.yaml");
    static const char *const groupings[] = {"family", "llm_backbone", "tuning_data", "vendor"};
    assert_int_equal(r->grouping_count, 4);
    for (size_t g = 0; g < 4; g++) assert_string_equal(r->grouping[g], groupings[g]);
    /* by id and by alias, and no other spelling */
    assert_int_equal(roster_find(r, "harbour-large-2"), 0);
    assert_int_equal(roster_find(r, "Harbour Large 2"), 0);
    assert_int_equal(roster_find(r, "no"), 2);
    assert_true(roster_find(r, "Harbour-large-2") == ROSTER_NONE);
    assert_true(roster_grouping(r, "size") == ROSTER_NONE);
    assert_false(roster_share(r, roster_grouping(r, "family"), 0, 1));
    assert_true(roster_share(r, roster_grouping(r, "llm_backbone"), 0, 1));
    assert_true(roster_share(r, roster_grouping(r, "tuning_data"), 1, 0)); /* one of two */
    assert_false(roster_share(r, roster_grouping(r, "family"), 2, 2));     /* has none */
    /* the endpoint is kept as it stands */
    const json_value *endpoint = json_member(r->models[0].source, "endpoint");
    assert_string_equal(json_member(json_member(endpoint, "params"), "temperature")->text, "0");
    assert_null(csv.r.models[0].source);
    assert_int_equal(r->models[1].line, 16);
    assert_int_equal(csv.r.models[2].line, 4);
    mem_free(&manual.m, bytes);
    arena_free(&manual.a);
    arena_free(&yaml.a);
    arena_free(&json.a);
    arena_free(&csv.a);
}

/* Every key of the schema's model is a key here, in its own place. */
static void the_schema_knows_the_same_keys(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    char *bytes;
    size_t length;
    json_value *schema;
    begin(&f);
    assert_ok(os_read_file(&bytes, &length, &f.m, SCHEMA, 1 << 20, &err));
    assert_ok(json_parse(&schema, &f.a, SCHEMA, bytes, length, NULL, &err));
    const json_value *defs = json_member(schema, "$defs");
    const json_value *model = json_member(json_member(defs, "model"), "properties");
    const json_value *endpoint = json_member(json_member(defs, "endpoint"), "properties");
    assert_int_equal(model->length, 18);
    assert_int_equal(endpoint->length, model->length - 5);
    const char *wrong = "[{\"id\": \"a\", \"zzzzzzzzz\": 1}]";
    roster r;
    assert_int_equal(roster_parse(&r, &f.a, "a.json", wrong, strlen(wrong), &err), TARE_E_DATA);
    assert_string_equal(err.code, "roster.unknown_key");
    for (size_t i = 0; i < model->length; i++)
        if (!strstr(err.message, model->keys[i])) fail_msg("%s is not listed", model->keys[i]);
    for (size_t i = 0; i < endpoint->length; i++) {
        const char *key = endpoint->keys[i];
        const char *nested = arena_printf(&f.a, "- id: a\n  endpoint: {%s: TEXT}\n", key);
        const char *flat = arena_printf(&f.a, "- id: a\n  %s: TEXT\n", key);
        assert_ok(roster_parse(&r, &f.a, "a.yaml", nested, strlen(nested), &err));
        assert_ok(roster_parse(&r, &f.a, "a.yaml", flat, strlen(flat), &err));
        assert_non_null(json_member(model, key));
    }
    mem_free(&f.m, bytes);
    arena_free(&f.a);
}

static void lists_stand_at_the_top_or_under_a_name(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"a.yaml", "- id: a\n- {id: b, family: f}\n"},
        {"a.yml", "models:\n- id: a\n- id: b\n  family: f\n"},
        {"a", "judges: [{id: a}, {id: b, family: [f]}]"},
        {"a", "  [{\"id\": \"a\"}, {\"id\": \"b\", \"family\": \"f\"}]"},
        {"a.JSON", "{\"models\": [{\"id\": \"a\"}, {\"id\": \"b\", \"family\": [\"f\"]}]}"},
        {"a", "id,family\r\na,\r\nb,f\r\n"},
        {"a", "family\t\"id\"\n\ta\nf\tb\n"},
        {"a.csv", "id;family\na;NA\nb;f\n"},
        {"a.yaml", "\xef\xbb\xbf- id: a\n- {id: b, family: f}\n"},
        {"a", "\xef\xbb\xbfid,family\na,none\nb,f\n"},
    };
    fixture first;
    parse(&first, texts[0][0], texts[0][1]);
    assert_int_equal(first.r.grouping_count, 1);
    assert_int_equal(first.r.models[0].group[0].count, 0);
    assert_string_equal(first.r.models[1].group[0].value[0], "f");
    for (size_t k = 1; k < sizeof texts / sizeof *texts; k++) {
        fixture f;
        parse(&f, texts[k][0], texts[k][1]);
        same(&first.r, &f.r);
        arena_free(&f.a);
    }
    arena_free(&first.a);
}

static void numbers_of_json_are_text(void **state)
{
    (void)state;
    fixture f;
    parse(&f, "a.json", "[{\"id\":\"a\",\"groups\":{\"params\":[7.0, 0.5, \"7b\"]}}]");
    const roster_values *v = &f.r.models[0].group[1];
    assert_int_equal(v->count, 3);
    assert_string_equal(v->value[0], "7");
    assert_string_equal(v->value[1], "0.5");
    assert_string_equal(v->value[2], "7b");
    arena_free(&f.a);
    parse(&f, "a.yaml", "- id: yes\n  groups: {params: [7.0, 007, no, \"null\", 'null']}\n"
                        "- id: ~x\n  family:\n  alias: null\n");
    v = &f.r.models[0].group[1];
    assert_string_equal(f.r.models[0].id, "yes");
    assert_string_equal(v->value[0], "7.0");
    assert_string_equal(v->value[1], "007");
    assert_string_equal(v->value[2], "no");
    assert_string_equal(v->value[3], "null"); /* quoted: a text */
    assert_int_equal(f.r.models[1].group[0].count, 0);
    assert_int_equal(f.r.models[1].alias_count, 0);
    arena_free(&f.a);
}

static void columns_of_a_table_are_groupings(void **state)
{
    (void)state;
    fixture f;
    parse(&f, "a.csv", "vendor,id,params,empty\n x ; y;,a,7b;;8b,\ny,b,N/A,null\n");
    assert_int_equal(f.r.grouping_count, 4);
    assert_string_equal(f.r.grouping[1], "empty");
    assert_true(roster_share(&f.r, roster_grouping(&f.r, "vendor"), 0, 1));
    assert_false(roster_share(&f.r, roster_grouping(&f.r, "empty"), 0, 1));
    const roster_values *v = &f.r.models[0].group[roster_grouping(&f.r, "params")];
    assert_int_equal(v->count, 2);
    assert_string_equal(v->value[1], "8b");
    assert_int_equal(f.r.models[1].group[roster_grouping(&f.r, "params")].count, 0);
    arena_free(&f.a);
}

static void a_file_is_loaded_and_standard_input_is_not(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    begin(&f);
    const char path[] = "test_roster_probe.yaml";
    assert_ok(os_write_file(path, "- id: a\n", 8, &err));
    assert_ok(roster_load(&f.r, &f.a, path, &err));
    assert_int_equal(f.r.count, 1);
    unlink(path);
    assert_int_equal(roster_load(&f.r, &f.a, path, &err), TARE_E_IO);
    assert_int_equal(roster_load(&f.r, &f.a, "-", &err), TARE_E_USAGE);
    arena_free(&f.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_reads_the_same_in_all_formats),
        cmocka_unit_test(the_schema_knows_the_same_keys),
        cmocka_unit_test(lists_stand_at_the_top_or_under_a_name),
        cmocka_unit_test(numbers_of_json_are_text),
        cmocka_unit_test(columns_of_a_table_are_groupings),
        cmocka_unit_test(a_file_is_loaded_and_standard_input_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
