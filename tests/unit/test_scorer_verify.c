/* tare scorer verify, and what reports then say: a small tower and a head that gives one number for
 * every picture, the published one or the published mistake (scorers 8.5, LAION V1). */
#include <string.h>

#include "audit/job.h"
#include "base/os.h"
#include "photo_fixture.h"
#include "support/check.h"
#include "support/formula_weights.h"
#include "support/ort_fixture.h"

#define OTHER "not the published architecture; "

static tare_context *context;
static tare_error err;

static int open_scratch(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    setenv("HOME", in_scratch("home"), 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("TARE_MODELS");
    write_photo("pics/cat.jpg", 1, 40, 50);
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_scratch(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

/* A tower 64 wide, and the head 0 . x + bias. */
static void write_weights(float bias)
{
    static const formula_sizes sizes = {.width = 64, .layers = 1, .embedding = 48, .patch = 8,
                                        .side = 32};
    formula_list tower = {NULL, 0}, head = {NULL, 0};
    write_text("w/about", "small");
    formula_openai_vision(&tower, &sizes);
    formula_save(&tower, in_scratch("w/model.safetensors"), 1, 0);
    formula_tensor *w = formula_add(&head, "weight", 2, (const int64_t[]){1, 48});
    memset(w->value, 0, w->count * sizeof *w->value);
    *formula_add(&head, "bias", 1, (const int64_t[]){1})->value = bias;
    formula_save(&head, in_scratch("w/sa_0_4_vit_l_14_linear.pth"), 1, 0);
    formula_free(&tower);
    formula_free(&head);
}

static const char *spec(char out[300])
{
    snprintf(out, 300, "laion-v1:%s,arch=any", in_scratch("w"));
    return out;
}

static tare_job *verify(const char *images)
{
    char name[300];
    const char *const options[] = {"images", images, NULL};
    tare_job *job = job_with(context, "scorer", "verify", options);
    assert_ok(tare_job_input(job, spec(name), &err));
    assert_ok(tare_job_run(job, &err));
    return job;
}

static const char *outcome(const tare_job *job, size_t row)
{
    const result_table *t = job->result.tables[0];
    assert_string_equal(t->name, "published_values");
    assert_int_equal(t->row_count, 2);
    return t->cells[row * t->column_count + 5].text;
}

/* The fact in a result, and whether there is a caution. */
static void standing(const tare_job *job, bool *caution, char out[100])
{
    const audit_result *r = &job->result;
    *caution = false;
    *out = '\0';
    for (size_t i = 0; i < r->fact_count; i++)
        if (!strcmp(r->facts[i].key, "standing")) snprintf(out, 100, "%s", r->facts[i].value);
    for (size_t i = 0; i < r->caution_count; i++)
        *caution = *caution || strstr(r->cautions[i], "not verified against published values");
}

static const char *standing_of_run(const char *folder, bool *caution, char out[100])
{
    char name[300];
    const char *const options[] = {"scorer", spec(name), "output", in_scratch(folder), NULL};
    tare_job *job = job_with(context, "score", in_scratch("pics"), options);
    assert_ok(tare_job_run(job, &err));
    standing(job, caution, out);
    tare_job_free(job);
    return out;
}

/* Of a finished run, without its photographs and weights. */
static const char *standing_recalled(const char *folder, bool *caution, char out[100])
{
    tare_job *job = job_with(context, "score", in_scratch(folder), NULL);
    assert_ok(tare_job_run(job, &err));
    standing(job, caution, out);
    tare_job_free(job);
    return out;
}

static void test_holds(void **state)
{
    (void)state;
    char words[100];
    bool caution;
    write_weights(5.0491F);
    assert_string_equal(standing_of_run("before", &caution, words),
                        OTHER "not verified against published values");
    assert_true(caution);
    tare_job *job = verify(in_scratch("pics"));
    assert_string_equal(outcome(job, 0), "holds");
    assert_string_equal(outcome(job, 1), "not reproduced, as it should");
    assert_non_null(strstr(tare_job_answer(job, 0), "all 2 published values hold"));
    tare_job_free(job);
    assert_string_equal(standing_of_run("after", &caution, words),
                        OTHER "verified against published values");
    assert_false(caution);
    /* A finished run says what was true when it was made. */
    assert_string_equal(standing_recalled("before", &caution, words),
                        OTHER "not verified against published values");
    assert_true(caution);
    assert_string_equal(standing_recalled("after", &caution, words),
                        OTHER "verified against published values");
    assert_false(caution);
}

static void test_mistake(void **state)
{
    (void)state;
    char words[100];
    bool caution;
    write_weights(4.033F);
    tare_job *job = verify(in_scratch("pics"));
    assert_string_equal(outcome(job, 0), "does not hold");
    assert_string_equal(outcome(job, 1), "REPRODUCES A KNOWN MISTAKE");
    assert_non_null(strstr(tare_job_answer(job, 0), "2 of 2 published values do not hold"));
    tare_job_free(job);
    standing_of_run("run", &caution, words);
    assert_true(caution);
}

static void test_nothing_to_try(void **state)
{
    (void)state;
    char words[100];
    bool caution;
    write_weights(5.0491F);
    write_text("other/notes.txt", "no picture");
    tare_job *job = verify(in_scratch("other"));
    assert_string_equal(outcome(job, 0), "the picture is not there");
    assert_non_null(strstr(tare_job_answer(job, 0), "stays not verified"));
    tare_job_free(job);
    write_text("broken/cat.jpg", "no picture");
    job = verify(in_scratch("broken"));
    assert_true(isnan(job->result.tables[0]->cells[3].number) ||
                job->result.tables[0]->cells[3].kind == CELL_EMPTY);
    tare_job_free(job);
    standing_of_run("run", &caution, words);
    assert_true(caution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_holds, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_mistake, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_nothing_to_try, open_scratch, close_scratch),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
