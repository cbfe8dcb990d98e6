/* Prompts of photographs as a fact of the run: what tare compare says of two runs that differ in
 * nothing else, and the column of the tables. The instrument is tests/support/prompt_instrument.py,
 * which has one fingerprint whatever it is asked. */
#include <string.h>
#include <sys/stat.h>

#include "audit/job.h"
#include "base/hash.h"
#include "photo_fixture.h"
#include "support/check.h"

#define HEEDS "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/tests/support/prompt_instrument.py'"
#define SAME_PHOTOGRAPHS "The runs differ in the prompts of their photographs ("

static tare_context *context;
static tare_error err;

static int begin(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    write_photos("photos", 4);
    return tare_context_new(&context, NULL, &err) ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

/* An audit of the photographs, with `manifest` as their table (NULL: none). Released by the
 * caller. */
static tare_job *audit(const char *out, const char *manifest, const char *prompt,
                       const char *scorer)
{
    char options_out[512], table[512] = "";
    snprintf(options_out, sizeof options_out, "%s", in_scratch(out));
    if (manifest) {
        write_text("m.csv", manifest);
        snprintf(table, sizeof table, "%s", in_scratch("m.csv"));
    }
    const char *const options[] = {"scorer", scorer, "output", options_out, "axis", "skin",
                                   "placebo", "none", "boot-b", "99", "perm-p", "99", "prompt",
                                   prompt, manifest ? "manifest" : NULL, table, NULL};
    tare_job *job = job_with(context, "audit", in_scratch("photos"), options);
    assert_ok(tare_job_run(job, &err));
    return job;
}

static const char *fact(const tare_job *job, const char *key)
{
    for (size_t k = 0; k < job->result.fact_count; k++)
        if (!strcmp(job->result.facts[k].key, key)) return job->result.facts[k].value;
    return NULL;
}

/* The caution of two runs, into `text`; "" if there is none. */
static void compared(char *text, size_t size, const char *a, const char *b)
{
    const char *const options[] = {"boot-b", "99", "perm-p", "99", NULL};
    tare_job *job = job_with(context, "compare", in_scratch(a), options);
    text[0] = '\0';
    assert_ok(tare_job_input(job, in_scratch(b), &err));
    assert_ok(tare_job_run(job, &err));
    for (size_t k = 0; k < job->result.caution_count; k++)
        if (!strncmp(job->result.cautions[k], SAME_PHOTOGRAPHS, strlen(SAME_PHOTOGRAPHS)))
            snprintf(text, size, "%s", job->result.cautions[k]);
    tare_job_free(job);
}

#define FOUR(a, b) "file,prompt\np0.png," a "\np1.png," b "\np2.png," b "\np3.png," b "\n"

static void runs_are_told_apart(void **state)
{
    (void)state;
    char said[800];
    tare_job_free(audit("cat", FOUR("a photo of a cat", "a photo of a cat"), "a photo", HEEDS));
    tare_job_free(audit("dog", FOUR("a photo of a dog", "a photo of a dog"), "a photo", HEEDS));
    tare_job_free(audit("one", FOUR("a photo of a dog", ""), "a photo", HEEDS));
    tare_job_free(audit("none", NULL, "a photo", HEEDS));
    tare_job_free(audit("plain", NULL, "a photo", HEEDS));
    tare_job_free(audit("all", NULL, "a photo of a cat", HEEDS));
    compared(said, sizeof said, "cat", "dog");
    assert_non_null(strstr(said, "cat: 4 of 4 have one of their own"));
    assert_non_null(strstr(said, "what differs between them can come from that"));
    compared(said, sizeof said, "one", "dog");
    assert_non_null(strstr(said, "one: 1 of 4 have one of their own"));
    compared(said, sizeof said, "one", "none");
    assert_non_null(strstr(said, "none: none has one of its own"));
    compared(said, sizeof said, "none", "plain"); /* --prompt says it all */
    assert_string_equal(said, "");
    compared(said, sizeof said, "cat", "all"); /* the same by another way */
    assert_string_equal(said, "");
}

static void who_takes_no_prompt_has_none(void **state)
{
    (void)state;
    char said[800];
    tare_job_free(audit("cat", FOUR("a cat", ""), "a photo", "planted:dose=1"));
    tare_job *job = audit("dog", FOUR("a dog", ""), "a photo", "planted:dose=1");
    assert_null(fact(job, "prompts of photographs, SHA-256"));
    tare_job_free(job);
    compared(said, sizeof said, "cat", "dog");
    assert_string_equal(said, "");
}

/* printf 'p0.png\0a cat\0p1.png\0a photo\0p2.png\0a photo\0p3.png\0a photo\0' | sha256sum */
static void hash_is_that_of_ids_and_prompts(void **state)
{
    (void)state;
    tare_job *job = audit("out", FOUR("a cat", ""), "a photo", HEEDS);
    assert_string_equal(fact(job, "prompts of their own"), "1 of 4 photographs");
    assert_string_equal(fact(job, "prompts of photographs, SHA-256"),
                        "a76d0590fe2fb5bb60cbc902d6df5f5149b5030e682be4c79fee448aa7cf7b1b");
    tare_job_free(job);
    /* The folder alone says the same. */
    job = job_with(context, "audit", in_scratch("out"), (const char *const[]){NULL});
    assert_ok(tare_job_run(job, &err));
    assert_non_null(fact(job, "prompts of photographs, SHA-256"));
    tare_job_free(job);
}

static const result_table *table_of(const tare_job *job, const char *name)
{
    for (size_t k = 0; k < job->result.table_count; k++)
        if (!strcmp(job->result.tables[k]->name, name)) return job->result.tables[k];
    return NULL;
}

/* The last column of a row. */
static const char *last_of(const result_table *t, size_t index, arena *a)
{
    cell *row = arena_new(a, t->column_count, sizeof *row);
    if (t->make) assert_ok(t->make(t->arg, row, index, a, &err));
    else memcpy(row, t->cells + index * t->column_count, t->column_count * sizeof *row);
    return row[t->column_count - 1].text;
}

static bool has_column(const result_table *t, const char *name)
{
    for (size_t k = 0; k < t->column_count; k++)
        if (!strcmp(t->columns[k], name)) return true;
    return false;
}

static void tables_have_a_column(void **state)
{
    (void)state;
    arena a;
    arena_init(&a, &context->mem);
    tare_job *job = audit("out", FOUR("a cat", ""), "a photo", HEEDS);
    const result_table *t = table_of(job, "bases");
    assert_string_equal(t->columns[t->column_count - 1], "prompt");
    assert_string_equal(last_of(t, 0, &a), "a cat");
    assert_string_equal(last_of(t, 1, &a), "a photo");
    t = table_of(job, "scores");
    assert_string_equal(t->columns[t->column_count - 1], "prompt");
    assert_string_equal(last_of(t, 0, &a), "a cat");
    assert_string_equal(last_of(t, t->row_count - 1, &a), "a photo");
    tare_job_free(job);
    job = audit("plain", NULL, "a photo", HEEDS);
    assert_false(has_column(table_of(job, "bases"), "prompt"));
    assert_false(has_column(table_of(job, "scores"), "prompt"));
    tare_job_free(job);
    job = audit("untaken", FOUR("a cat", ""), "a photo", "planted:dose=1");
    assert_false(has_column(table_of(job, "scores"), "prompt"));
    tare_job_free(job);
    arena_free(&a);
}

static void a_sweep_has_the_column(void **state)
{
    (void)state;
    arena a;
    arena_init(&a, &context->mem);
    write_text("prompts.txt", "the light side\nthe dark side\n");
    const char *const options[] = {"scorer", HEEDS, "scorer", "planted:dose=1", "prompts",
                                   in_scratch("prompts.txt"), "output", in_scratch("out"), NULL};
    tare_job *job = job_with(context, "score", in_scratch("photos"), options);
    assert_ok(tare_job_run(job, &err));
    const result_table *t = table_of(job, "scores");
    assert_int_equal(t->row_count, 12);
    assert_string_equal(last_of(t, 0, &a), "the light side");
    assert_string_equal(last_of(t, 4, &a), "the dark side");
    assert_string_equal(last_of(t, 8, &a), ""); /* takes none */
    assert_false(has_column(table_of(job, "bases"), "prompt"));
    tare_job_free(job);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_are_told_apart, begin, end),
        cmocka_unit_test_setup_teardown(who_takes_no_prompt_has_none, begin, end),
        cmocka_unit_test_setup_teardown(hash_is_that_of_ids_and_prompts, begin, end),
        cmocka_unit_test_setup_teardown(tables_have_a_column, begin, end),
        cmocka_unit_test_setup_teardown(a_sweep_has_the_column, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
