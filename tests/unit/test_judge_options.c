/* Options of judge tables as structs, the words of usage errors, facts and log. */
#include <string.h>

#include "audit/judge/judge_options.h"
#include "base/os.h"
#include "base/spelling.h"
#include "support/check.h"

static const tare_option_info options[] = {JUDGE_OPTIONS_INPUT, JUDGE_OPTIONS_COLUMNS,
                                           JUDGE_OPTIONS_STATISTICS};
static const job_class probe = {
    {"probe", "", "", "", "", options, sizeof options / sizeof *options}, NULL};

typedef struct fixture {
    tare_context *context;
    tare_job job;
    score_table_options table;
    tare_error err;
} fixture;

static void begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    assert_int_equal(tare_context_new(&f->context, NULL, NULL), TARE_OK);
    f->job.context = f->context;
    f->job.class_ = &probe;
    arena_init(&f->job.a, &f->context->mem);
    result_init(&f->job.result, &f->context->mem);
}

static void end(fixture *f)
{
    result_free(&f->job.result);
    mem_free(&f->context->mem, f->job.values);
    mem_free(&f->context->mem, f->job.inputs);
    arena_free(&f->job.a);
    tare_context_free(f->context);
}

static void set(fixture *f, const char *option, const char *value)
{
    tare_error err;
    assert_ok(tare_job_set(&f->job, option, value, &err));
}

static void refused(const char *option, const char *value, const char *code, const char *words)
{
    fixture f;
    begin(&f);
    set(&f, "judge", "model");
    set(&f, option, value);
    assert_int_equal(judge_read_table_options(&f.table, &f.job, &f.err), TARE_E_USAGE);
    assert_string_equal(f.err.code, code);
    if (!strstr(f.err.message, words)) fail_msg("\"%s\" lacks \"%s\"", f.err.message, words);
    end(&f);
}

static void columns_come_from_both_forms(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    set(&f, "judge", "rater model");
    set(&f, "map", "author=generator");
    set(&f, "map", "score=a=b");
    set(&f, "roster", "models.yaml");
    assert_int_equal(judge_read_table_options(&f.table, &f.job, &f.err), TARE_OK);
    assert_string_equal(f.table.columns.judge, "rater model");
    assert_string_equal(f.table.columns.author, "generator");
    assert_string_equal(f.table.columns.score, "a=b"); /* the first "=" parts */
    assert_null(f.table.columns.item);
    assert_string_equal(f.table.roster, "models.yaml");
    assert_int_equal(f.table.shape, SHAPE_AUTO);
    end(&f);
}

static void a_list_of_judges_makes_the_table_wide(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    set(&f, "judges", "gpt , b c,d");
    assert_int_equal(judge_read_table_options(&f.table, &f.job, &f.err), TARE_OK);
    assert_int_equal(f.table.shape, SHAPE_WIDE);
    assert_int_equal(f.table.judge_count, 3);
    assert_string_equal(f.table.judges[0], "gpt");
    assert_string_equal(f.table.judges[1], "b c");
    set(&f, "shape", "long");
    assert_int_equal(judge_read_table_options(&f.table, &f.job, &f.err), TARE_E_USAGE);
    assert_string_equal(f.err.code, "judges.shape");
    end(&f);
}

static void slips_are_named(void **state)
{
    (void)state;
    refused("map", "auhtor=x", "map.role", "did you mean author?");
    refused("map", "nonsense=x", "map.role", "roles: item, author");
    refused("map", "author", "map.form", "ROLE=COLUMN");
    refused("map", "author=", "map.form", "ROLE=COLUMN");
    refused("map", "=x", "map.form", "ROLE=COLUMN");
    refused("map", "judge=other", "map.twice", "\"model\" and \"other\"");
    refused("judges", "a,,b", "judges.empty", "name 2");
    refused("judges", "a,", "judges.empty", "name 2");
    refused("judges", "a, a", "judges.twice", "\"a\"");
}

static void statistics_have_the_defaults_of_the_manual(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    book_options o = judge_read_book_options(&f.job);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.boot_b, 9999);
    assert_int_equal(o.perm_p, 9999);
    assert_close(o.alpha, .05);
    assert_string_equal(o.ci, "auto");
    assert_string_equal(o.boot_p, "centred");
    assert_string_equal(o.fdr, "bh");
    assert_true(isnan(o.margin));
    set(&f, "margin", "0.25");
    set(&f, "seed", "9007199254740991");
    o = judge_read_book_options(&f.job);
    assert_close(o.margin, .25);
    assert_true(o.seed == 9007199254740991u);
    end(&f);
}

static const char *fact(const fixture *f, const char *key)
{
    for (size_t k = 0; k < f->job.result.fact_count; k++)
        if (!strcmp(f->job.result.facts[k].key, key)) return f->job.result.facts[k].value;
    return NULL;
}

static void facts_hold_options_and_the_log_the_bytes(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    score_table t;
    const char path[] = "judge_options_probe.csv";
    memset(&t, 0, sizeof t);
    begin(&f);
    assert_ok(os_write_file(path, "abc", 3, &err));
    assert_ok(tare_job_input(&f.job, path, &err));
    set(&f, "map", "author=generator");
    set(&f, "output", "somewhere");
    assert_ok(judge_facts(&f.job, &t, &err));
    assert_string_equal(fact(&f, "command"), "probe");
    assert_string_equal(fact(&f, "map"), "author=generator");
    assert_string_equal(fact(&f, "seed"), "1");
    assert_null(fact(&f, "output")); /* a path of this machine */
    assert_null(fact(&f, "margin"));
    assert_int_equal(f.job.result.log_count, 1);
    /* SHA-256 of "abc": FIPS 180-2, appendix B.1 */
    assert_string_equal(f.job.result.log[0].value,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    unlink(path);
    end(&f);
    begin(&f);
    assert_ok(tare_job_input(&f.job, "duckdb:SELECT 1", &err));
    assert_ok(judge_facts(&f.job, &t, &err));
    assert_int_equal(f.job.result.log_count, 0);
    end(&f);
}

static void near_names(void **state)
{
    (void)state;
    static const char *const names[] = {"provider", "price", "params"};
    assert_string_equal(spelling_nearest("Provder", names, 3), "provider");
    assert_string_equal(spelling_nearest("pirce", names, 3), "price");
    assert_null(spelling_nearest("temperature", names, 3));
    assert_null(spelling_nearest("x", names, 0));
    char huge[200];
    memset(huge, 'a', sizeof huge);
    huge[199] = '\0';
    assert_null(spelling_nearest(huge, names, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_come_from_both_forms),
        cmocka_unit_test(a_list_of_judges_makes_the_table_wide),
        cmocka_unit_test(slips_are_named),
        cmocka_unit_test(statistics_have_the_defaults_of_the_manual),
        cmocka_unit_test(facts_hold_options_and_the_log_the_bytes),
        cmocka_unit_test(near_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
