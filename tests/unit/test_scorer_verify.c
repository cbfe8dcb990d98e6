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
    assert_false(tare_job_unmet(job));
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
    assert_true(tare_job_unmet(job));
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
    assert_true(tare_job_unmet(job));
    tare_job_free(job);
    write_text("broken/cat.jpg", "no picture");
    job = verify(in_scratch("broken"));
    assert_true(isnan(job->result.tables[0]->cells[3].number) ||
                job->result.tables[0]->cells[3].kind == CELL_EMPTY);
    tare_job_free(job);
    standing_of_run("run", &caution, words);
    assert_true(caution);
}

/* LAION V2: no value is on record, so the caution names no command that compares values. */
static void test_nothing_published(void **state)
{
    (void)state;
    static const char *const layers[] = {"layers.0", "layers.2", "layers.4", "layers.6",
                                         "layers.7"};
    static const int64_t width[] = {48, 4, 4, 4, 4, 1};
    char name[300], entry[40];
    formula_list head = {NULL, 0};
    write_weights(0);
    for (size_t i = 0; i < 5; i++) {
        snprintf(entry, sizeof entry, "%s.weight", layers[i]);
        formula_add(&head, entry, 2, (const int64_t[]){width[i + 1], width[i]});
        snprintf(entry, sizeof entry, "%s.bias", layers[i]);
        formula_add(&head, entry, 1, &width[i + 1]);
    }
    formula_save(&head, in_scratch("w/sac+logos+ava1-l14-linearMSE.pth"), 1, 0);
    formula_free(&head);
    snprintf(name, sizeof name, "laion-v2:%s,arch=any", in_scratch("w"));
    const char *const options[] = {"scorer", name, "output", in_scratch("run"), NULL};
    tare_job *job = job_with(context, "score", in_scratch("pics"), options);
    assert_ok(tare_job_run(job, &err));
    const char *caution = NULL;
    for (size_t i = 0; i < job->result.caution_count; i++)
        if (strstr(job->result.cautions[i], "not verified")) caution = job->result.cautions[i];
    assert_non_null(caution);
    assert_non_null(strstr(caution, "none is published from picture to score; the weights are of "
                                    "no release on record. "));
    assert_non_null(strstr(caution, "`tare scorer list FILE`"));
    assert_null(strstr(caution, "tare scorer verify"));
    tare_job_free(job);
}

#define NSFWJS TARE_SOURCE_DIR "/build/deps/nsfwjs"

/* nsfwjs's own probabilities hold for its own file, whose hash says that our tests compare it. */
static void test_nsfw(void **state)
{
    (void)state;
    char words[100];
    bool caution;
    if (!os_exists(NSFWJS "/model.min.js")) skip();
    const char *const options[] = {"images", TARE_SOURCE_DIR "/tests/data", NULL};
    const char *const score[] = {"scorer", "nsfw:" NSFWJS, "output", in_scratch("run"), NULL};
    tare_job *job = job_with(context, "score", in_scratch("pics"), score);
    assert_ok(tare_job_run(job, &err));
    standing(job, &caution, words);
    assert_string_equal(words, "compared with nsfwjs 4.3.0 in tare's tests");
    assert_false(caution);
    tare_job_free(job);
    job = job_with(context, "scorer", "verify", options);
    assert_ok(tare_job_input(job, "nsfw:" NSFWJS, &err));
    assert_ok(tare_job_run(job, &err));
    assert_string_equal(outcome(job, 0), "holds");
    assert_string_equal(outcome(job, 1), "holds");
    tare_job_free(job);
}

/* Four classes from the mean colour of side x side pixels. */
static void write_tiny(const char *side)
{
    static const char before[] =
        "{\"format\":\"layers-model\",\"modelTopology\":{\"class_name\":\"Model\",\"config\":{"
        "\"name\":\"m\",\"layers\":[{\"name\":\"in\",\"class_name\":\"InputLayer\",\"config\":{"
        "\"name\":\"in\",\"dtype\":\"float32\",\"batch_input_shape\":[null,";
    static const char after[] =
        ",3]},\"inbound_nodes\":[]},{\"name\":\"g\",\"class_name\":\"GlobalAveragePooling2D\","
        "\"config\":{\"name\":\"g\",\"data_format\":\"channels_last\"},\"inbound_nodes\":"
        "[[[\"in\",0,0,{}]]]},{\"name\":\"d\",\"class_name\":\"Dense\",\"config\":{\"name\":\"d\","
        "\"units\":4,\"activation\":\"softmax\",\"use_bias\":false},\"inbound_nodes\":"
        "[[[\"g\",0,0,{}]]]}],\"input_layers\":[[\"in\",0,0]],\"output_layers\":[[\"d\",0,0]]}},"
        "\"weightsManifest\":[{\"paths\":[\"weights.bin\"],\"weights\":[{\"name\":\"d/kernel\","
        "\"shape\":[3,4],\"dtype\":\"float32\"}]}]}";
    static const float kernel[3 * 4] = {1, 0, 0, .5F, 0, 1, 0, .5F, 0, 0, 1, .5F};
    char layers[2000];
    snprintf(layers, sizeof layers, "%s%s,%s%s", before, side, side, after);
    write_text("tiny/model.json", layers);
    assert_ok(os_write_file(in_scratch("tiny/weights.bin"), (const char *)kernel, sizeof kernel,
                            &err));
}

static void refused_as(const char *words)
{
    char name[300];
    snprintf(name, sizeof name, "nsfw:%s", in_scratch("tiny/model.json"));
    const char *const score[] = {"scorer", name, "output", in_scratch("run"), NULL};
    tare_job *job = job_with(context, "score", in_scratch("pics"), score);
    assert_int_equal(tare_job_run(job, &err), TARE_E_DATA);
    assert_string_equal(err.code, "published.layers");
    if (!strstr(err.message, words)) fail_msg("%s: not in: %s", words, err.message);
    tare_job_free(job);
}

/* A layers model that is none of nsfwjs's. */
static void test_other_layers(void **state)
{
    (void)state;
    write_tiny("10");
    refused_as("this model sees 10 x 10 pixels, and nsfw prepares 224 x 224");
    write_tiny("224");
    refused_as("this model gives 4 probabilities, and nsfw names 5 classes, Drawing to Sexy");
}

/* The published values are of the cosine: another variant of it is refused before any file is. */
static void test_other_variant(void **state)
{
    (void)state;
    static const char *const specs[] = {"clip:w,variant=x100", "clip:model=b32,variant=clipscore",
                                        "clip-b32:w,variant=x100"};
    const char *const options[] = {"images", in_scratch("pics"), NULL};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        tare_job *job = job_with(context, "scorer", "verify", options);
        assert_ok(tare_job_input(job, specs[i], &err));
        assert_int_equal(tare_job_run(job, &err), TARE_E_USAGE);
        assert_string_equal(err.code, "scorer.variant");
        assert_non_null(strstr(err.message, "are of variant=cosine"));
        tare_job_free(job);
    }
    tare_job *job = job_with(context, "scorer", "verify", options);
    assert_ok(tare_job_input(job, "clip-b32:variant=cosine", &err));
    assert_ok(tare_job_run(job, &err)); /* CLIP.png is not there */
    assert_non_null(strstr(tare_job_answer(job, 0), "3 of 3 published values could not be tried"));
    tare_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_holds, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_mistake, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_nothing_to_try, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_nothing_published, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_other_variant, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_nsfw, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_other_layers, open_scratch, close_scratch),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
