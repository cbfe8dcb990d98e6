/* Recordings: WAV files made here by the format's description; other rates against the sine that
 * was sampled. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sound/sound.h"
#include "support/check.h"

static mem memory;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    char library[SOUND_LIBRARY_TEXT];
    memory = mem_system();
    sound_library(library);
    return *library ? 0 : -1;
}

static void put(text *t, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) text_add_char(t, (char)(value >> (8 * i)));
}

typedef struct wav {
    unsigned format, channels, rate, bits; /* format 1: whole numbers, 3: floats */
    uint32_t promised;                     /* bytes of data in the header        */
} wav;

static void begin(text *t, wav w)
{
    text_init(t, &memory);
    text_add(t, "RIFF");
    put(t, 36 + w.promised, 4);
    text_add(t, "WAVEfmt ");
    put(t, 16, 4);
    put(t, w.format, 2);
    put(t, w.channels, 2);
    put(t, w.rate, 4);
    put(t, w.rate * w.channels * w.bits / 8, 4);
    put(t, w.channels * w.bits / 8, 2);
    put(t, w.bits, 2);
    text_add(t, "data");
    put(t, w.promised, 4);
}

static void mean_of_two_channels(void **state)
{
    (void)state;
    text t;
    sound s;
    begin(&t, (wav){1, 2, 16000, 16, 12});
    const int16_t samples[] = {16384, 0, -32768, -32768, 100, -100};
    for (size_t i = 0; i < 6; i++) put(&t, (uint16_t)samples[i], 2);
    assert_true(sound_sniff(t.data, t.length));
    assert_ok(sound_decode(&s, &memory, t.data, t.length, "a.wav", &err));
    assert_int_equal(s.count, 3);
    assert_int_equal(s.channels, 2);
    assert_true(s.rate == 16000);
    assert_string_equal(s.format, "wav");
    assert_true(s.sample[0] == 0.25f);
    assert_true(s.sample[1] == -1.0f);
    assert_true(s.sample[2] == 0.0f);
    sound_free(&s, &memory);
    text_free(&t);
}

static void widths(void **state)
{
    (void)state;
    static const struct { unsigned format, bits; uint64_t raw; float value; } cases[] = {
        {1, 8, 192, 0.5f},          {1, 24, 0x400000, 0.5f}, {1, 32, 0xc0000000, -0.5f},
        {3, 32, 0x3e800000, 0.25f}, {3, 64, UINT64_C(0xbfd0000000000000), -0.25f},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        text t;
        sound s;
        begin(&t, (wav){cases[k].format, 1, 8000, cases[k].bits, 2 * cases[k].bits / 8});
        put(&t, cases[k].raw, cases[k].bits / 8);
        put(&t, cases[k].raw, cases[k].bits / 8);
        assert_ok(sound_decode(&s, &memory, t.data, t.length, "w.wav", &err));
        assert_int_equal(s.count, 2);
        assert_true(s.sample[0] == cases[k].value);
        sound_free(&s, &memory);
        text_free(&t);
    }
}

static void refused(const text *t, const char *code, const char *says)
{
    sound s;
    memset(&err, 0, sizeof err);
    assert_int_not_equal(sound_decode(&s, &memory, t->data, t->length, "bad.wav", &err), TARE_OK);
    assert_null(s.sample);
    assert_string_equal(err.code, code);
    if (!strstr(err.message, says)) fail_msg("\"%s\" does not say \"%s\"", err.message, says);
}

static void what_cannot_be_used(void **state)
{
    (void)state;
    text t;
    begin(&t, (wav){3, 1, 8000, 32, 8});
    put(&t, 0, 4);
    put(&t, 0x7fc00000, 4); /* NaN */
    refused(&t, "sound.samples", "sample 1 is not finite");
    text_free(&t);
    begin(&t, (wav){1, 1, 8000, 16, 0});
    refused(&t, "sound.samples", "no samples");
    text_free(&t);
    begin(&t, (wav){1, 1, 8000, 16, 400});
    put(&t, 0, 4);
    refused(&t, "sound.decode", "400 bytes of sound are promised and 4 are there");
    text_free(&t);
    text_init(&t, &memory);
    text_add(&t, "RIFF____WAVEfmt and no more");
    refused(&t, "sound.decode", "no recording");
    text_free(&t);
}

/* A sine of 440 Hz at one rate becomes the same sine at another, away from the ends. */
static void another_rate(void **state)
{
    (void)state;
    static const double rates[][2] = {{48000, 16000}, {44100, 16000}, {8000, 16000}};
    for (size_t k = 0; k < 3; k++) {
        double from = rates[k][0], to = rates[k][1], w = 2 * acos(-1.0) * 440;
        sound in = {NULL, (size_t)from, from, 1, "wav"}, out;
        in.sample = mem_new(&memory, in.count, sizeof *in.sample);
        for (size_t i = 0; i < in.count; i++) in.sample[i] = (float)sin(w * (double)i / from);
        assert_ok(sound_resample(&out, &memory, &in, to, &err));
        assert_int_equal(out.count, (size_t)to);
        for (size_t i = out.count / 4; i < 3 * out.count / 4; i++)
            assert_within(out.sample[i], sin(w * (double)i / to), 0, 2e-6);
        sound_free(&out, &memory);
        sound_free(&in, &memory);
    }
}

static void the_same_rate_is_a_copy(void **state)
{
    (void)state;
    float samples[] = {0.5f, -0.25f, 0.125f};
    sound in = {samples, 3, 16000, 1, "wav"}, out;
    assert_ok(sound_resample(&out, &memory, &in, 16000, &err));
    assert_int_equal(out.count, 3);
    assert_memory_equal(out.sample, samples, sizeof samples);
    sound_free(&out, &memory);
    in.rate = 0.001;
    assert_int_equal(sound_resample(&out, &memory, &in, 16000, &err), TARE_E_DATA);
}

static void first_bytes(void **state)
{
    (void)state;
    static const char wave[16] = "RIFF1234WAVEfmt", webp[16] = "RIFF1234WEBPVP8";
    static const char flac[] = "fLaC", jpeg[] = "\xff\xd8\xff\xe0";
    assert_true(sound_sniff(wave, 16));
    assert_false(sound_sniff(webp, 16));
    assert_true(sound_sniff(flac, 4));
    assert_false(sound_sniff(jpeg, 4));
    assert_true(sound_sniff("\xff\xfb\x90", 3));
    assert_false(sound_sniff("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_of_two_channels), cmocka_unit_test(widths),
        cmocka_unit_test(what_cannot_be_used),  cmocka_unit_test(another_rate),
        cmocka_unit_test(the_same_rate_is_a_copy), cmocka_unit_test(first_bytes),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
