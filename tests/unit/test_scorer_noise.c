/* tare scorer noise: scorers whose noise is known by construction. */
#include <string.h>
#include <sys/stat.h>

#include "audit/job.h"
#include "base/os.h"
#include "image/encode.h"
#include "onnx_fixture.h"
#include "support/check.h"

static tare_error err;
static fixture f;
static char photos[160];
enum { PHOTOS = 8, SIDE = 24 };

/* PHOTOS/0.png ... of different mean grey. */
static int begin(void **state)
{
    (void)state;
    fixture_begin(&f, 2);
    const mem *m = &f.context->mem;
    snprintf(photos, sizeof photos, "%s/photos", f.folder);
    assert_int_equal(mkdir(photos, 0755), 0);
    for (size_t k = 0; k < PHOTOS; k++) {
        image p;
        unsigned char *png;
        size_t length;
        char path[200];
        assert_ok(image_new(&p, m, SIDE, SIDE, &err));
        for (size_t i = 0; i < 3 * SIDE * SIDE; i++)
            p.rgb[i] = (unsigned char)(((uint32_t)i * 2654435761u >> 24) / 2 + 10 * k);
        assert_ok(image_png_encode(&png, &length, m, &p, PNG_FAST, &err));
        snprintf(path, sizeof path, "%s/%zu.png", photos, k);
        assert_ok(os_write_file(path, png, length, &err));
        mem_free(m, png);
        image_free(&p, m);
    }
    return 0;
}

static int end(void **state)
{
    char path[200];
    (void)state;
    for (size_t k = 0; k < PHOTOS; k++) {
        snprintf(path, sizeof path, "%s/%zu.png", photos, k);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/empty", f.folder);
    rmdir(path);
    rmdir(photos);
    fixture_end(&f);
    return 0;
}

/* options: pairs, ended by NULL. */
static tare_job *noise(const char *spec, const char *const *options)
{
    tare_job *job;
    assert_ok(tare_job_new(&job, f.context, "scorer", &err));
    const char *inputs[] = {"noise", spec, photos};
    for (size_t i = 0; i < 3; i++) assert_ok(tare_job_input(job, inputs[i], &err));
    for (; options && *options; options += 2)
        assert_ok(tare_job_set(job, options[0], options[1], &err));
    assert_ok(tare_job_run(job, &err));
    return job;
}

static const tare_reading *reading(const tare_job *job, const char *name, const char *condition)
{
    for (size_t i = 0; i < tare_job_reading_count(job); i++) {
        const tare_reading *r = tare_job_reading(job, i);
        if (!strcmp(r->name, name) && !strcmp(r->condition, condition)) return r;
    }
    fail_msg("no reading %s %s", name, condition);
    return NULL;
}

static double number(const tare_job *job, const char *name, const char *condition)
{
    return reading(job, name, condition)->estimate;
}

static void assert_says(const tare_job *job, const char *words)
{
    for (size_t i = 0; tare_job_answer(job, i); i++)
        if (strstr(tare_job_answer(job, i), words)) return;
    fail_msg("the answer does not say \"%s\"; it begins: %s", words, tare_job_answer(job, 0));
}

static const char *const TRIALS[] = {"repeat", "order, reversed", "order, shuffled", "threads"};

static void a_function_of_pixels_has_none(void **state)
{
    (void)state;
    tare_job *job = noise("planted:luminance=10", NULL);
    for (size_t k = 0; k < 4; k++) {
        assert_true(number(job, "max", TRIALS[k]) == 0);
        assert_true(number(job, "sd", TRIALS[k]) == 0);
        assert_int_equal(reading(job, "max", TRIALS[k])->n_base, PHOTOS);
    }
    assert_true(number(job, "max", "batch mates") == 0);
    assert_true(number(job, "max", "re-encode, PNG") == 0);
    assert_true(number(job, "max", "re-encode, JPEG 95") > 0);
    assert_true(number(job, "noise.sd", "") == 0);
    assert_true(number(job, "noise.shift", "") == 0);
    assert_true(number(job, "noise.quantum", "") > 0);
    assert_says(job, "no noise of its own");
    assert_says(job, "library: not measured: it does not run on ONNX Runtime");
    tare_job_free(job);
}

/* The score rises by .5 with the place in a batch of 4: 0, .5, 1, 1.5, twice. Alone every place is
 * the first; reversed, place p becomes 3 - p. Maxima and means by hand, SDs sqrt(2.5 / 7) and
 * sqrt(10 / 7). */
static void the_place_in_a_batch_is_seen(void **state)
{
    (void)state;
    const char *const options[] = {"batch", "4", NULL};
    tare_job *job = noise("planted:luminance=1,position=0.5", options);
    assert_true(number(job, "max", "repeat") == 0);
    assert_true(number(job, "max", "threads") == 0);
    assert_close(number(job, "max", "batch mates"), 1.5);
    assert_close(number(job, "sd", "batch mates"), sqrt(2.5 / 7));
    assert_close(number(job, "max", "order, reversed"), 1.5);
    assert_close(number(job, "sd", "order, reversed"), sqrt(10.0 / 7));
    assert_close(number(job, "noise.shift", ""), 0.75);
    assert_true(number(job, "noise.sd", "") > 0.3);
    assert_says(job, "noise of its own: a score changes by up to 1.5");
    tare_job_free(job);
}

static void what_cannot_be_measured_is_said(void **state)
{
    (void)state;
    const char *const options[] = {"most", "3", NULL};
    tare_job *job = noise("planted:constant=2", options);
    assert_int_equal(reading(job, "max", "repeat")->n_base, 3);
    assert_says(job, "gives all of 3 photographs the same score");
    assert_says(job, "it does not look at pixels");
    assert_int_equal(reading(job, "noise.quantum", "")->verdict, TARE_NO_ANSWER);
    tare_job_free(job);
    char spec[200];
    fixture_write(&f, "scores.csv", "base,dose,scorer,score\na,0,x,1.25\n");
    snprintf(spec, sizeof spec, "table:%s/scores.csv", f.folder);
    job = noise(spec, NULL);
    assert_says(job, "it cannot be asked again");
    assert_int_equal(reading(job, "noise.sd", "")->verdict, TARE_NO_ANSWER);
    tare_job_free(job);
}

static void assert_never_says(const tare_job *job, const char *words)
{
    for (size_t i = 0; tare_job_answer(job, i); i++)
        if (strstr(tare_job_answer(job, i), words))
            fail_msg("the answer says \"%s\": %s", words, tare_job_answer(job, i));
    for (size_t i = 0; i < tare_job_reading_count(job); i++)
        if (strstr(tare_job_reading(job, i)->words, words))
            fail_msg("a reading says \"%s\"", words);
}

/* Half of the photographs get no score, and one photograph has no spread. */
static void what_got_a_score_is_counted(void **state)
{
    (void)state;
    char words[80];
    const char *const one[] = {"most", "1", NULL};
    tare_job *job = noise("planted:constant=2,fail=0.7", NULL);
    const size_t n = reading(job, "noise.shift", "")->n_base;
    assert_true(n > 1 && n < PHOTOS);
    snprintf(words, sizeof words, "gives all of %zu photographs the same score", n);
    assert_says(job, words);
    assert_says(job, "All scores are equal: how far scores lie apart");
    tare_job_free(job);
    job = noise("planted:luminance=10", one);
    assert_says(job, "gives the one photograph that it scores the same score");
    assert_says(job, "One photograph got a score: how far scores lie apart");
    assert_never_says(job, "all of 1");
    assert_never_says(job, " nan");
    tare_job_free(job);
    /* The JPEG changes the one score, and still there is no SD of changes. */
    job = noise("planted:luminance=10,position=0.5", one);
    assert_never_says(job, " nan");
    tare_job_free(job);
}

static tare_status refused(const char *spec, const char *where)
{
    tare_job *job;
    assert_ok(tare_job_new(&job, f.context, "scorer", &err));
    const char *inputs[] = {"noise", spec, where};
    for (size_t i = 0; i < 3; i++) assert_ok(tare_job_input(job, inputs[i], &err));
    tare_error why;
    tare_status status = tare_job_run(job, &why);
    err = why;
    tare_job_free(job);
    return status;
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    char text[200];
    assert_int_equal(refused("planted:fail=1", photos), TARE_E_INSTRUMENT);
    assert_string_equal(err.code, "scorer.silent");
    assert_int_equal(refused("nonsense:", photos), TARE_E_USAGE);
    snprintf(text, sizeof text, "%s/empty", f.folder);
    assert_int_equal(mkdir(text, 0755), 0);
    assert_int_equal(refused("planted:luminance=1", text), TARE_E_DATA);
    assert_string_equal(err.code, "photos.none");
    fixture_write(&f, "no-photo.txt", "words");
    snprintf(text, sizeof text, "%s/no-photo.txt", f.folder);
    assert_int_equal(refused("planted:luminance=1", text), TARE_E_DATA);
    assert_string_equal(err.code, "photos.unreadable");
}

/* mates.onnx: an image's score is less the mean of its batch. */
static void mates_and_libraries(void **state)
{
    (void)state;
    static const char oldest[] = TARE_SOURCE_DIR "/build/deps/ort-1.17/libonnxruntime.so.1.17.0";
    if (fixture_library() == NULL || !os_exists(oldest)) skip();
    const char *const options[] = {"batch", "4", "ort", fixture_library(), "ort-other", oldest,
                                   NULL};
    char spec[160];
    fixture_write(&f, "mates.json", "{\"tare_scorer\": 1, \"name\": \"mates\", \"model\": "
                  "\"mates.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", %s}, "
                  "\"output\": {\"name\": \"score\", \"ops\": [], \"higher_is_better\": true}}",
                  fixture_input);
    tare_job *job = noise(fixture_spec(&f, "mates", spec), options);
    assert_true(number(job, "max", "repeat") == 0);
    assert_true(number(job, "max", "threads") == 0);
    assert_true(number(job, "max", "batch mates") > 0.01);
    assert_true(number(job, "max", "order, shuffled") > 0.001);
    assert_true(number(job, "max", "library") < 1e-5);
    tare_job_free(job);
    job = noise(fixture_spec(&f, "0", spec), options);
    assert_true(number(job, "max", "batch mates") == 0);
    assert_true(number(job, "max", "library") < 1e-5);
    assert_true(number(job, "max", "re-encode, PNG") == 0);
    tare_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_of_pixels_has_none),
        cmocka_unit_test(the_place_in_a_batch_is_seen),
        cmocka_unit_test(what_cannot_be_measured_is_said),
        cmocka_unit_test(what_got_a_score_is_counted),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(mates_and_libraries),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
