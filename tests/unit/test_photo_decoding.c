/* How photographs of a run are decoded: options, hashes of pixels of any mode, equal photographs,
 * what a run folder remembers. */
#include <string.h>

#include "audit/photos/photo_decoding.h"
#include "base/hash.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_context(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static tare_status read_with(image_decoding *out, const char *job, const char *const *options)
{
    tare_job *j = job_with(context, job, NULL, options);
    tare_status status = photo_decoding_read(out, j, &err);
    tare_job_free(j);
    return status;
}

static void test_policies(void **state)
{
    (void)state;
    image_decoding how;
    assert_ok(read_with(&how, "audit", NULL));
    assert_int_equal(how.policy, IMAGE_STRICT);
    assert_ok(read_with(&how, "perturb", (const char *[]){"decoding", "canonical", NULL}));
    assert_int_equal(how.policy, IMAGE_CANONICAL);
    assert_int_equal(how.alpha, IMAGE_ALPHA_OVER);
    assert_int_equal(how.background[1], 255);
    assert_ok(read_with(&how, "score", (const char *[]){"max-pixels", "77", NULL}));
    assert_int_equal(how.policy, IMAGE_CANONICAL);
    assert_int_equal(how.limits.pixels, 77);
    assert_ok(read_with(&how, "score", (const char *[]){"transparent", "#102030", NULL}));
    assert_memory_equal(how.background, "\x10\x20\x30", 3);
    image_decoding mask = photo_decoding_mask(&how);
    assert_int_equal(mask.policy, IMAGE_PUBLISHED); /* no profile moves its border */
    assert_int_equal(mask.limits.pixels, how.limits.pixels);
}

static void test_contradictions(void **state)
{
    (void)state;
    image_decoding how;
    static const char *const bad[][5] = {
        {"transparent", "purple"},
        {"transparent", "white", "decoding", "strict"},
        {"transparent", "drop", "decoding", "published"},
        {"prepare-size", "64", "decoding", "published"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(read_with(&how, "score", bad[k]), TARE_E_USAGE);
}

/* "MODE WIDTHxHEIGHT\n", the palette, the samples. */
static void test_a_hash_covers_mode_size_and_palette(void **state)
{
    (void)state;
    unsigned char pixels[6] = {1, 2, 3, 4, 5, 6}, palette[256][4] = {{9}}, digest[SHA256_BYTES];
    char hash[6][65], by_hand[65];
    image i = {.width = 2, .height = 1, .channels = 3, .rgb = pixels};
    photo_hash(hash[0], &i);
    sha256_of("RGB 2x1\n\1\2\3\4\5\6", 14, digest);
    sha256_hex(digest, by_hand);
    assert_string_equal(hash[0], by_hand);
    i.width = 1, i.height = 2;
    photo_hash(hash[1], &i);
    i = (image){.width = 6, .height = 1, .channels = 1, .rgb = pixels, .mode = IMAGE_GREY};
    photo_hash(hash[2], &i);
    i.mode = IMAGE_BILEVEL;
    photo_hash(hash[3], &i);
    i.mode = IMAGE_PALETTE;
    i.palette = palette;
    photo_hash(hash[4], &i);
    palette[200][3] = 1;
    photo_hash(hash[5], &i);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++) assert_string_not_equal(hash[a], hash[b]);
}

static bool cautioned(const tare_job *job, const char *words)
{
    bool found = false;
    for (size_t k = 0; k < job->result.caution_count; k++)
        found = found || strstr(job->result.cautions[k], words) != NULL;
    return found;
}

static void test_equal_photographs_are_named(void **state)
{
    (void)state;
    static const char words[] = "pixels of another: 1, the first p9.png, which equals p0.png";
    write_photos("photos", 2);
    write_photo("photos/p9.png", 0, 24, 28);
    const char *const options[] = {"output", in_scratch("out"), NULL};
    tare_job *job = job_with(context, "perturb", in_scratch("photos"), options);
    assert_ok(tare_job_run(job, &err));
    assert_true(cautioned(job, words));
    tare_job_free(job);
    write_text("m.csv", "base,file,arm,cluster\na,p0.png,x,one\nb,p1.png,x,two\nc,p9.png,x,one\n");
    const char *const clustered[] = {"output", in_scratch("out2"), "manifest",
                                     in_scratch("m.csv"), NULL};
    job = job_with(context, "perturb", in_scratch("photos"), clustered);
    assert_ok(tare_job_run(job, &err));
    assert_false(cautioned(job, "pixels of another"));
    tare_job_free(job);
}

/* Which library is opened and which folder is written to is never taken from a run folder. */
static void test_a_folder_does_not_choose_libraries(void **state)
{
    (void)state;
    write_photos("photos", 2);
    const char *const options[] = {"output", in_scratch("out"), "scorer", "planted:luminance=1",
                                   "ort", in_scratch("libevil.so"), "embeddings",
                                   in_scratch("vectors"), NULL};
    tare_job *job = job_with(context, "score", in_scratch("photos"), options);
    assert_ok(tare_job_run(job, &err));
    tare_job_free(job);
    job = job_with(context, "score", in_scratch("out"), NULL);
    assert_ok(tare_job_run(job, &err));
    assert_string_equal(job_text_at(job, "scorer", 0), "planted:luminance=1");
    assert_null(job_text(job, "ort"));
    assert_null(job_text(job, "embeddings"));
    tare_job_free(job);
}

int main(void)
{
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(test_policies),
        WITH_CONTEXT(test_contradictions),
        WITH_CONTEXT(test_a_hash_covers_mode_size_and_palette),
        WITH_CONTEXT(test_equal_photographs_are_named),
        WITH_CONTEXT(test_a_folder_does_not_choose_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
