/* Recordings into models of sound: segments by their description (scorers 1.4), and a small model
 * whose score can be said beforehand. */
#include <stdio.h>
#include <string.h>

#include "base/os.h"
#include "onnx_fixture.h"
#include "scorer/onnx/onnx_wave.h"
#include "sound/sound.h"
#include "support/check.h"

static fixture f;
static mem memory;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    memory = mem_system();
    fixture_begin(&f, 2);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fixture_end(&f);
    return 0;
}

/* 1, 2, 3, ... */
static image counting(size_t n, double rate)
{
    image out;
    float *sample = mem_new(&memory, n, sizeof *sample);
    for (size_t i = 0; i < n; i++) sample[i] = (float)(i + 1);
    image_of_sound(&out, sample, n, rate);
    return out;
}

static void segments(void **state)
{
    (void)state;
    static const struct {
        size_t samples, length, hop, whole, segments, after; /* after: samples after lengthening */
    } cases[] = {
        {10, 4, 4, 0, 2, 10}, {10, 4, 2, 0, 4, 10}, {10, 4, 3, 0, 3, 10}, {4, 4, 4, 0, 1, 4},
        {10, 4, 3, 1, 2, 10}, /* nine samples are whole hops */
        {3, 4, 2, 0, 2, 6},   /* twice over */
        {3, 8, 3, 1, 1, 9},   {1, 5, 1, 0, 1, 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        onnx_wave_input in = {8000, cases[k].length, cases[k].hop, ONNX_SHORT_REPEAT,
                              cases[k].whole ? ONNX_WHOLE_HOPS : ONNX_ALL_SAMPLES};
        image recording = counting(cases[k].samples, 8000);
        onnx_wave w;
        assert_ok(onnx_wave_make(&w, &memory, &recording, &in, &err));
        assert_int_equal(w.segments, cases[k].segments);
        assert_int_equal(w.count, cases[k].after);
        onnx_wave_free(&w, &memory);
        image_free(&recording, &memory);
    }
}

static void what_a_segment_holds(void **state)
{
    (void)state;
    onnx_wave_input in = {8000, 4, 2, ONNX_SHORT_ZERO, ONNX_ALL_SAMPLES};
    image recording = counting(3, 8000);
    onnx_wave w;
    float out[8];
    assert_ok(onnx_wave_make(&w, &memory, &recording, &in, &err));
    onnx_wave_cut(out, &w, &in, 0, 2); /* past the last one, the last */
    const float want[8] = {1, 2, 3, 0, 1, 2, 3, 0};
    assert_memory_equal(out, want, sizeof want);
    onnx_wave_free(&w, &memory);
    in.when_short = ONNX_SHORT_REPEAT;
    assert_ok(onnx_wave_make(&w, &memory, &recording, &in, &err));
    onnx_wave_cut(out, &w, &in, 0, 2);
    const float again[8] = {1, 2, 3, 1, 3, 1, 2, 3};
    assert_memory_equal(out, again, sizeof again);
    onnx_wave_free(&w, &memory);
    image_free(&recording, &memory);
}

/* Mean of the absolute samples of [N,400]. */
static void write_loudness(void)
{
    fixture_write(&f, "loud.json", "{\"tare_scorer\": 1, \"name\": \"loud\", \"model\": "
                  "\"loud.onnx\", \"input\": {\"name\": \"wave\", \"kind\": \"wave\", \"rate\": "
                  "8000, \"length\": 400, \"hop\": 200, \"short\": \"zero\"}, \"batch\": 2, "
                  "\"output\": {\"name\": \"score\"}}");
}

static void the_mean_over_segments(void **state)
{
    (void)state;
    char spec[160];
    write_loudness();
    scorer *s = fixture_open(&f, fixture_spec(&f, "loud", spec));
    const scorer_description *d = scorer_describe(s);
    assert_true(d->hears);
    assert_int_equal(d->batch, 1);
    assert_non_null(strstr(d->runtime, "libsndfile"));
    assert_null(strstr(d->identity, "decoding"));
    image recording = counting(900, 8000); /* from 1, 201, 401: 200.5, 400.5, 600.5 */
    scorer_item item = fixture_item(&f, 0);
    item.pixels = &recording;
    scorer_result r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_NONE);
    assert_within(r.value, 400.5, 1e-6, 0);
    item.pixels = &f.picture[0];
    r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_UNSUPPORTED_PIXELS);
    assert_string_equal(r.note, "a picture, and this instrument takes recordings");
    scorer_close(s);
    s = fixture_open(&f, fixture_spec_of(&f, BY_MEAN, spec));
    item.pixels = &recording;
    r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_UNSUPPORTED_PIXELS);
    assert_string_equal(r.note, "a recording, and this instrument takes pictures");
    scorer_close(s);
    image_free(&recording, &memory);
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments),
        cmocka_unit_test(what_a_segment_holds),
        cmocka_unit_test(the_mean_over_segments),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
