/* brisque on photographs: the values of scorers 3.5 for an astronaut and for 144 portraits. */
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/scorer.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static scorer *portable, *opencv;

static double score(scorer *s, const char *path)
{
    char *bytes;
    size_t length;
    image p;
    scorer_result r;
    assert_ok(os_read_file(&bytes, &length, &context->mem, path, (size_t)64 << 20, &err));
    assert_ok(image_decode(&p, &context->mem, bytes, length, path, NULL, &err));
    mem_free(&context->mem, bytes);
    scorer_item item = {.key = path, .base = path, .arm = "", .group = "", .prompt = "",
                        .dose = NAN, .attribute = NAN, .artifact = NAN, .pixels = &p};
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    if (r.status != TARE_R_NONE) fail_msg("%s: %s", path, r.note);
    assert_string_equal(r.note, ""); /* a photograph is near some vector of the model */
    image_free(&p, &context->mem);
    return r.value;
}

static void test_astronaut(void **state)
{
    (void)state;
    const char *path = TARE_SOURCE_DIR "/tests/data/astronaut.png";
    assert_within(score(portable, path), .495573, 0, 2e-6);
    assert_within(score(opencv, path), .4951, 0, .004);
}

static void test_single_portraits(void **state)
{
    (void)state;
    static const struct { const char *file; double raw, portable; } want[] = {
        {"large/008049.jpg", 51.5388, 51.539196}, {"large/010603.jpg", 1.6311, 1.565779},
        {"large/010764.jpg", 28.8855, 28.884968}, {"small/015124.jpg", 2.3916, 3.098058},
        {"small/020145.jpg", 11.0762, 11.076304}, {"small/020304.jpg", 21.2651, 20.991667}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char path[300];
        snprintf(path, sizeof path, TARE_SHARED_DIR "/data/faces/%s", want[i].file);
        assert_within(score(portable, path), want[i].portable, 0, 2e-6);
        assert_within(score(opencv, path), want[i].raw, 0, .004);
    }
}

static void check_folder(const char *name, size_t count, double raw, double want)
{
    char folder[200];
    arena a;
    os_listing files;
    double sum_portable = 0, sum_opencv = 0;
    snprintf(folder, sizeof folder, TARE_SHARED_DIR "/data/faces/%s", name);
    arena_init(&a, &context->mem);
    assert_ok(os_list_files(&files, &a, folder, 1000, &err));
    assert_int_equal(files.count, count);
    for (size_t i = 0; i < files.count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, files.paths[i]);
        sum_portable += score(portable, path);
        sum_opencv += score(opencv, path);
    }
    assert_within(sum_portable / (double)count, want, 0, 2e-6);
    assert_within(sum_opencv / (double)count, raw, 0, .004);
    arena_free(&a);
}

static void test_means_of_portraits(void **state)
{
    (void)state;
    check_folder("large", 54, 16.0995, 15.786424);
    check_folder("small", 90, 6.8588, 6.757649);
}

int main(void)
{
    const struct CMUnitTest always[] = {cmocka_unit_test(test_astronaut)};
    const struct CMUnitTest shared[] = {cmocka_unit_test(test_single_portraits),
                                        cmocka_unit_test(test_means_of_portraits)};
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    if (scorer_open(&portable, context, "brisque:", NULL, &err) != TARE_OK ||
        scorer_open(&opencv, context, "brisque:arithmetic=opencv", NULL, &err) != TARE_OK) {
        printf("skipped: %s\n", err.message);
        tare_context_free(context);
        return 77;
    }
    int failed = cmocka_run_group_tests(always, NULL, NULL);
    bool here = access(TARE_SHARED_DIR "/data/faces", R_OK) == 0;
    if (here) failed += cmocka_run_group_tests(shared, NULL, NULL);
    scorer_close(portable);
    scorer_close(opencv);
    tare_context_free(context);
    if (!here && !failed) printf("skipped: no shared data at %s\n", TARE_SHARED_DIR "/data");
    return failed || here ? failed : 77;
}
