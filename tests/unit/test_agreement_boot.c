/* Tau by images, as the protocols of judge audits C.3 have it: SEs and the paired difference of
 * C.9 golden 2, from 9,999 resamples of 1,000 images. Golden SEs are rounded to .0001 and come from
 * other draws: 5 Monte Carlo standard errors of an SE are 5 / sqrt(2 B), 3.5 %. */
#include <string.h>
#include <zlib.h>

#include "stats/infer.h"
#include "stats/kendall.h"
#include "unit/expert_fixture.h"

enum { IMAGES = 1000 };

static experts data;
static char image[RATINGS][64];

/* The rows of flickr8k_expert.tsv.gz come three to a caption, in the order of the captions. */
static void read_images(void)
{
    gzFile f = gzopen(TARE_SHARED_DIR "/data/judges/flickr8k_expert.tsv.gz", "rb");
    char line[4096];
    assert_non_null(f);
    assert_non_null(gzgets(f, line, sizeof line));
    for (int i = 0; i < RATINGS; i++) {
        double rating;
        assert_non_null(gzgets(f, line, sizeof line));
        assert_int_equal(sscanf(line, "%63s %lf", image[i], &rating), 2);
        assert_true(rating == data.rating[i / EXPERTS][i % EXPERTS]);
    }
    gzclose(f);
}

typedef struct judges {
    kendall_rows *smooth, *raw;
} judges;

static void evaluate(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const judges *j = user;
    kendall smooth, raw;
    kendall_clustered(&smooth, j->smooth, w, scratch);
    kendall_clustered(&raw, j->raw, w, scratch);
    values[0] = smooth.tau_b;
    values[1] = smooth.tau_c;
    values[2] = smooth.tau_b - raw.tau_b;
}

static void test_images(void **state)
{
    (void)state;
    static double sum[CAPTIONS];
    static uint32_t cluster[CAPTIONS];
    static const char *ids[IMAGES];
    mem m = mem_system();
    tare_error err;
    inference r[3];
    judges j;
    size_t images = 0;
    for (int i = 0; i < CAPTIONS; i++) {
        const char *name = image[i * EXPERTS];
        if (i == 0 || strcmp(name, ids[images - 1]) != 0) {
            assert_true(images < IMAGES && (images == 0 || strcmp(ids[images - 1], name) < 0));
            ids[images++] = name;
        }
        cluster[i] = (uint32_t)images - 1;
        sum[i] = data.rating[i][0] + data.rating[i][1] + data.rating[i][2];
    }
    assert_int_equal(images, IMAGES);
    pool *two = pool_new(&m, 2);
    infer_plan plan = {.m = &m, .pool = two, .seed = 1, .analysis = "items", .clusters = IMAGES,
                       .ids = ids, .boot_b = 9999, .perm_p = 9999, .alpha = .05, .power = .8};
    assert_ok(kendall_rows_new(&j.smooth, data.smooth, sum, CAPTIONS, &m, &err));
    assert_ok(kendall_rows_new(&j.raw, data.raw, sum, CAPTIONS, &m, &err));
    assert_ok(kendall_rows_cluster(j.smooth, cluster, &err));
    assert_ok(kendall_rows_cluster(j.raw, cluster, &err));
    infer_weighted what = {.evaluate = evaluate, .user = &j, .outputs = 3, .n = CAPTIONS,
                           .scratch_bytes = kendall_scratch_bytes(j.smooth)};
    assert_true(kendall_scratch_bytes(j.raw) <= what.scratch_bytes);
    assert_ok(infer_weights(r, &plan, &what, NULL, &err));
    assert_within(r[0].se, .0083, .035, 5e-5);
    assert_within(r[1].se, .0090, .035, 5e-5);
    assert_within(r[2].estimate, .01599, 0, 5e-6);
    assert_within(r[2].se, .0073, .035, 5e-5);
    assert_within(r[2].lo, .002, 0, 1.2e-3); /* 5 SE of a 2.5 % quantile are .0010; rounding */
    assert_within(r[2].hi, .031, 0, 1.5e-3);
    kendall_rows_free(j.smooth);
    kendall_rows_free(j.raw);
    pool_free(two);
}

int main(void)
{
    NEED_SHARED();
    experts_read(&data);
    read_images();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
