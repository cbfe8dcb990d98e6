/* DNSMOS on five sentences, against its own procedure (microsoft/DNS-Challenge,
 * dnsmos_local.py) followed step by step in Python with NumPy and ONNX Runtime 1.32.0: OVRL
 * before its polynomial. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/os.h"
#include "onnx_fixture.h"
#include "sound/sound.h"
#include "support/check.h"

#define DATA TARE_SOURCE_DIR "/../shared/data/"
#define MODEL DATA "scorers/dnsmos/sig_bak_ovr.onnx"

static fixture f;

static image read_recording(const char *name)
{
    mem m = mem_system();
    tare_error err = {0};
    char path[512], *bytes = NULL;
    size_t length = 0;
    sound s;
    image out;
    snprintf(path, sizeof path, DATA "speech/sense_and_sensibility_01_austen_64kb-%s.wav", name);
    assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 24, &err));
    assert_ok(sound_decode(&s, &m, bytes, length, path, &err));
    image_of_sound(&out, s.sample, s.count, s.rate);
    mem_free(&m, bytes);
    return out;
}

static void five_sentences(void **state)
{
    (void)state;
    static const struct { const char *name; double score; } want[] = {
        {"0870", 3.6935859}, {"0880", 3.3382382}, {"0890", 3.0132806}, {"0920", 3.938159},
        {"0930", 3.7208436}};
    char spec[160];
    mem m = mem_system();
    fixture_begin(&f, 1);
    fixture_write(&f, "dnsmos.json", "{\"tare_scorer\": 1, \"name\": \"dnsmos\", \"model\": "
                  "\"%s\", \"input\": {\"name\": \"input_1\", \"kind\": \"wave\", \"rate\": 16000, "
                  "\"length\": 144160, \"hop\": 16000, \"short\": \"repeat\", \"count\": "
                  "\"whole-hops\"}, \"output\": {\"name\": \"Identity:0\", \"ops\": [[\"select\", "
                  "1, 2]]}}", MODEL);
    scorer *s = fixture_open(&f, fixture_spec(&f, "dnsmos", spec));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        image recording = read_recording(want[k].name);
        scorer_item item = fixture_item(&f, 0);
        item.pixels = &recording;
        scorer_result r = fixture_score(s, &item);
        assert_int_equal(r.status, TARE_R_NONE);
        assert_within(r.value, want[k].score, 2e-6, 0);
        image_free(&recording, &m);
    }
    scorer_close(s);
    fixture_end(&f);
}

int main(void)
{
    NEED_ORT();
    if (access(MODEL, R_OK) != 0) {
        printf("skipped: no %s\n", MODEL);
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(five_sentences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
