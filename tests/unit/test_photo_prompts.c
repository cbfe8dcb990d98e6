/* Prompts of photographs and sweeps of prompts, from the manifest to the instrument and the report.
 * The instrument is tests/support/prompt_instrument.py. */
#include <string.h>
#include <sys/stat.h>

#include "audit/job.h"
#include "audit/photos/photo_run.h"
#include "audit/photos/prompt_list.h"
#include "base/hash.h"
#include "base/os.h"
#include "photo_fixture.h"
#include "support/check.h"

#define HEEDS "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/tests/support/prompt_instrument.py' "
enum { PHOTOS = 16 };

static tare_context *context;
static tare_error err;
static char spec[512];

static int begin(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    if (tare_context_new(&context, NULL, &err)) return -1;
    write_photos("photos", PHOTOS);
    snprintf(spec, sizeof spec, HEEDS "'%s'", in_scratch("asked"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static tare_status run(tare_job **job, const char *name, const char *input,
                       const char *const *options)
{
    memset(&err, 0, sizeof err);
    *job = job_with(context, name, input, options);
    return tare_job_run(*job, &err);
}

static char *slurp(const char *name)
{
    char *bytes;
    size_t length;
    assert_ok(os_read_file(&bytes, &length, &context->mem, in_scratch(name), 1 << 24, &err));
    return bytes;
}

/* Different pairs of a photograph (the hash in the key) and a prompt, of how many lines. */
static size_t asked_pairs(size_t *lines)
{
    char *log = slurp("asked");
    size_t pairs = 0;
    map *seen = map_new(&context->mem);
    *lines = 0;
    for (char *s = log, *end; (end = strchr(s, '\n')) != NULL; s = end + 1, ++*lines) {
        char pair[200], *slash = strchr(s, '/'), *tab = strchr(s, '\t');
        snprintf(pair, sizeof pair, "%.*s%.*s", (int)(slash - s), s, (int)(end - tab), tab);
        assert_true(map_add(seen, pair, strlen(pair), NULL) != SIZE_MAX);
    }
    pairs = map_count(seen);
    map_free(seen);
    mem_free(&context->mem, log);
    return pairs;
}

/* Lines of the log that end with this prompt. */
static size_t asked_with(const char *prompt)
{
    char *log = slurp("asked"), line[200];
    size_t n = 0;
    snprintf(line, sizeof line, "\t%s\n", prompt);
    for (const char *s = log; (s = strstr(s, line)) != NULL; s++) n++;
    mem_free(&context->mem, log);
    return n;
}

static const result_table *table_of(const tare_job *job, const char *name)
{
    for (size_t k = 0; k < job->result.table_count; k++)
        if (!strcmp(job->result.tables[k]->name, name)) return job->result.tables[k];
    return NULL;
}

/* ---- photographs with prompts of their own ----------------------------------------------- */

static const char own_prompts[] = "file,prompt\np0.png,a light one\np1.png,\n"
                                  "p2.png,\"a dark one, \xC3\xA0 droite\"\np3.png,\n";

static void each_photograph_its_prompt(void **state)
{
    (void)state;
    tare_job *job;
    write_text("m.csv", own_prompts);
    const char *const options[] = {"scorer", spec, "manifest", in_scratch("m.csv"), "output",
                                   in_scratch("out"), "prompt", "neutral words", NULL};
    assert_ok(run(&job, "score", in_scratch("photos"), options));
    assert_int_equal(asked_with("a light one"), 1);
    assert_int_equal(asked_with("a dark one, \xC3\xA0 droite"), 1);
    assert_int_equal(asked_with("neutral words"), 2);
    tare_job_free(job);
}

static void variants_have_their_photographs_prompt(void **state)
{
    (void)state;
    tare_job *job;
    write_text("m.csv", own_prompts);
    const char *const options[] = {"scorer", spec, "manifest", in_scratch("m.csv"), "output",
                                   in_scratch("out"), "axis", "skin", "placebo", "none",
                                   "boot-b", "99", "perm-p", "99", NULL};
    assert_ok(run(&job, "audit", in_scratch("photos"), options));
    size_t of_one = asked_with("a light one");
    assert_true(of_one >= 7); /* doses and noise passes */
    size_t lines, others = asked_with("a dark one, \xC3\xA0 droite") + asked_with("a photo");
    assert_int_equal(asked_pairs(&lines), 4); /* a photograph has one prompt at every dose */
    assert_int_equal(of_one + others, lines);
    bool said = false;
    for (size_t k = 0; k < job->result.fact_count; k++)
        said = said || (!strcmp(job->result.facts[k].key, "prompts of their own") &&
                        !strcmp(job->result.facts[k].value, "2 of 4 photographs"));
    assert_true(said);
    tare_job_free(job);
    /* Another prompt is another list of photographs: not this run. */
    write_text("m.csv", "file,prompt\np0.png,another\np1.png,\np2.png,\np3.png,\n");
    assert_int_equal(run(&job, "audit", in_scratch("photos"), options), TARE_E_DATA);
    assert_string_equal(err.code, "run.settings");
    tare_job_free(job);
    /* The folder alone knows them. */
    assert_ok(run(&job, "audit", in_scratch("out"), (const char *const[]){NULL}));
    assert_int_equal(asked_with("a light one"), of_one);
    tare_job_free(job);
}

static void run_that_goes_on_knows_them(void **state)
{
    (void)state;
    tare_job *job;
    write_text("m.csv", own_prompts);
    const char *const first[] = {"scorer", spec, "manifest", in_scratch("m.csv"), "output",
                                 in_scratch("out"), NULL};
    assert_ok(run(&job, "score", in_scratch("photos"), first));
    tare_job_free(job);
    store *s;
    arena a;
    const char *kept;
    arena_init(&a, &context->mem);
    assert_ok(store_open(&s, &context->mem, in_scratch("out"), false, &err));
    assert_ok(store_get(&kept, s, &a, "prompt.2", &err));
    assert_string_equal(kept, "a dark one, \xC3\xA0 droite");
    assert_ok(store_get(&kept, s, &a, "prompt.1", &err));
    assert_null(kept);
    store_close(s);
    arena_free(&a);
}

/* ---- sweeps ------------------------------------------------------------------------------ */

static void each_prompt_is_an_instrument(void **state)
{
    (void)state;
    tare_job *job;
    write_text("prompts.txt", "\xEF\xBB\xBFthe light side\r\n\n  the dark side \nneither\n");
    const char *const options[] = {"scorer", spec, "scorer", "planted:fidelity=1", "prompts",
                                   in_scratch("prompts.txt"), "output", in_scratch("out"),
                                   "axis", "skin", "placebo", "none", "boot-b", "99", "perm-p",
                                   "99", NULL};
    assert_ok(run(&job, "audit", in_scratch("photos"), options));
    size_t n = asked_with("the light side");
    assert_true(n > 0);
    assert_int_equal(asked_with("the dark side"), n);
    assert_int_equal(asked_with("neither"), n);
    const result_table *t = table_of(job, "prompts");
    assert_non_null(t);
    assert_int_equal(t->row_count, 2); /* FI and A of one scorer in one arm */
    const cell *a = t->cells + t->column_count;
    assert_string_equal(a[1].text, "heeds");
    assert_string_equal(a[2].text, "A");
    assert_int_equal(a[3].integer, 3);
    assert_int_equal(a[4].integer, 3);
    assert_string_equal(a[6].text, "the dark side");
    assert_string_equal(a[8].text, "the light side");
    /* Scores are own (1 +- dose / 100) and own: A of the first two are opposite, of the last 0, so
     * that the SD over the three is the larger one. */
    assert_within(a[5].number, -a[7].number, 1e-9, 0);
    assert_within(a[9].number, a[7].number, 1e-9, 0);
    assert_true(a[7].number > 0);
    assert_string_equal(a[13].text, "no");
    assert_non_null(strstr(a[14].text, "found 2 (1 below 0)"));
    bool said = false, named = false;
    for (size_t k = 0; k < job->result.answer_count; k++)
        said = said || strstr(job->result.answer[k], "asked with 3 prompts: A lies between");
    for (size_t k = 0; k < job->result.reading_count; k++)
        named = named || !strcmp(job->result.readings[k].instrument, "heeds[neither]");
    assert_true(said && named);
    tare_job_free(job);
    assert_ok(run(&job, "audit", in_scratch("out"), (const char *const[]){NULL}));
    t = table_of(job, "prompts");
    assert_non_null(t);
    assert_string_equal(t->cells[t->column_count + 8].text, "the light side");
    assert_int_equal(asked_with("neither"), n);
    tare_job_free(job);
}

static void without_a_sweep_no_table(void **state)
{
    (void)state;
    tare_job *job;
    const char *const options[] = {"scorer", spec, "output", in_scratch("out"), "axis", "skin",
                                   "placebo", "none", "boot-b", "99", "perm-p", "99", NULL};
    assert_ok(run(&job, "audit", in_scratch("photos"), options));
    assert_null(table_of(job, "prompts"));
    tare_job_free(job);
}

static void bad_lists(void **state)
{
    (void)state;
    static char longest[600], many[3000];
    memset(longest, 'x', 501);
    strcpy(longest + 501, "\nb\n");
    for (int i = 0; i <= PROMPTS_MOST; i++) sprintf(many + strlen(many), "p%d\n", i);
    static const struct { const char *text, *code, *where; } cases[] = {
        {"", "prompts.count", "p.txt"},
        {"one\n\n", "prompts.count", "p.txt"},
        {"one\ntwo\none\n", "prompts.twice", "p.txt:3"},
        {"one\n\xFFtwo\n", "prompts.utf8", "p.txt:2"},
        {"one\nt\x07wo\n", "prompts.control", "p.txt:2"},
        {longest, "prompts.long", "p.txt:1"},
        {many, "prompts.count", "p.txt:101"},
    };
    tare_job *job;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_text("p.txt", cases[k].text);
        const char *const options[] = {"scorer", spec, "prompts", in_scratch("p.txt"), "output",
                                       in_scratch("out"), NULL};
        assert_int_equal(run(&job, "score", in_scratch("photos"), options), TARE_E_DATA);
        assert_string_equal(err.code, cases[k].code);
        assert_non_null(strstr(err.where, cases[k].where));
        tare_job_free(job);
    }
    write_text("p.txt", "one\ntwo\n");
    write_text("m.csv", own_prompts);
    const char *const both[] = {"scorer", spec, "prompts", in_scratch("p.txt"), "output",
                                in_scratch("out"), "prompt", "x", NULL};
    assert_int_equal(run(&job, "score", in_scratch("photos"), both), TARE_E_USAGE);
    assert_string_equal(err.code, "prompts.both");
    tare_job_free(job);
    const char *const own[] = {"scorer", spec, "prompts", in_scratch("p.txt"), "output",
                               in_scratch("out2"), "manifest", in_scratch("m.csv"), NULL};
    assert_int_equal(run(&job, "score", in_scratch("photos"), own), TARE_E_USAGE);
    assert_string_equal(err.code, "prompts.both");
    tare_job_free(job);
}

static size_t warned;
static void count_warning(void *user, tare_level level, const char *text)
{
    (void)user;
    warned += level == TARE_WARNING && strstr(text, "differ in case or white space only") != NULL;
}

/* Two prompts that a tokeniser makes one of count as two, and it is said. */
static void prompts_alike(void **state)
{
    (void)state;
    static const struct { const char *text; size_t count, warnings; } cases[] = {
        {"a Cat\na  cat\n", 2, 1}, {"a cat\na   cat\n \nA CAT\n", 3, 2}, {"a cat\nacat\n", 2, 0}};
    tare_context_options how = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *own;
    how.message = count_warning;
    assert_ok(tare_context_new(&own, &how, &err));
    for (size_t k = 0; k < 3; k++) {
        prompt_list list;
        write_text("alike.txt", cases[k].text);
        const char *const options[] = {"prompts", in_scratch("alike.txt"), NULL};
        tare_job *job = job_with(own, "score", in_scratch("photos"), options);
        warned = 0;
        assert_ok(prompt_list_read(&list, &job->a, job, 0, &err));
        assert_int_equal(list.count, cases[k].count);
        assert_int_equal(warned, cases[k].warnings);
        tare_job_free(job);
    }
    tare_context_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_photograph_its_prompt, begin, end),
        cmocka_unit_test_setup_teardown(variants_have_their_photographs_prompt, begin, end),
        cmocka_unit_test_setup_teardown(run_that_goes_on_knows_them, begin, end),
        cmocka_unit_test_setup_teardown(each_prompt_is_an_instrument, begin, end),
        cmocka_unit_test_setup_teardown(without_a_sweep_no_table, begin, end),
        cmocka_unit_test_setup_teardown(bad_lists, begin, end),
        cmocka_unit_test_setup_teardown(prompts_alike, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
