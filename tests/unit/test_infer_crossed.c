/* Two crossed factors: totals of one product give what weights one by one give. */
#include "support/check.h"

#include <string.h>

#include "stats/infer.h"

enum { M = 40, LEVELS = 7, P = LEVELS + 1, B = 300 };

static tare_error err;
static double z[M * P];

/* Mean over levels, weighted, of their means over clusters; the last column counts. */
static void of_totals(double *values, const double *total, const uint8_t *w2, const void *user)
{
    double sum = 0, count = 0;
    (void)user;
    for (int l = 0; l < LEVELS; l++) {
        double weight = w2 ? w2[l] : 1;
        sum += weight * total[l] / total[LEVELS];
        count += weight;
    }
    values[0] = sum / count;
}

static void of_weights(double *values, const uint8_t *w, const uint8_t *w2, const void *user,
                       void *scratch)
{
    double *total = scratch;
    memset(total, 0, P * sizeof *total);
    for (int c = 0; c < M; c++)
        for (int j = 0; j < P; j++) total[j] += (w ? w[c] : 1) * z[c * P + j];
    of_totals(values, total, w2, user);
}

static char names[M + LEVELS][8];
static const char *ids[M], *ids2[LEVELS];

static infer_plan make_plan(const mem *m, pool *p)
{
    for (int k = 0; k < M + LEVELS; k++) snprintf(names[k], sizeof names[k], "%03d", k);
    for (int c = 0; c < M; c++) ids[c] = names[c];
    for (int l = 0; l < LEVELS; l++) ids2[l] = names[M + l];
    for (int c = 0; c < M; c++)
        for (int j = 0; j < P; j++)
            z[c * P + j] = j == LEVELS ? 1 + c % 2 : sin(c * P + j) + .3 * j;
    return (infer_plan){.m = m, .pool = p, .seed = 1, .analysis = "test", .clusters = M,
                        .ids = ids, .boot_b = B, .perm_p = 99, .alpha = .05, .power = .8};
}

static void the_same(void **state)
{
    mem m = mem_system();
    (void)state;
    pool *p = pool_new(&m, 2);
    infer_plan plan = make_plan(&m, p);
    infer_sums sums = {z, P};
    infer_crossed what = {.evaluate = of_weights, .outputs = 1, .n = M, .ids2 = ids2,
                          .levels = LEVELS, .scratch_bytes = P * sizeof(double)};
    inference a, b;
    arena keep;
    arena_init(&keep, &m);
    assert_ok(infer_two_way(&a, &plan, &what, &keep, &err));
    what.evaluate = NULL;
    what.sums = &sums;
    what.of_totals = of_totals;
    assert_ok(infer_two_way(&b, &plan, &what, &keep, &err));
    assert_within(b.estimate, a.estimate, 1e-13, 0);
    for (int r = 0; r < B; r++) assert_within(b.replicates[r], a.replicates[r], 1e-12, 1e-14);
    assert_within(b.lo, a.lo, 1e-12, 0);
    assert_close(b.p, a.p);
    arena_free(&keep);
    pool_free(p);
}

/* Replicates of too few levels are left out and counted, all others stay as they are; where that
 * is more than one in twenty there is no answer. */
static void too_few_levels(void **state)
{
    mem m = mem_system();
    (void)state;
    pool *p = pool_new(&m, 2);
    infer_plan plan = make_plan(&m, p);
    infer_sums sums = {z, P};
    infer_crossed what = {.of_totals = of_totals, .sums = &sums, .outputs = 1, .n = M,
                          .ids2 = ids2, .levels = LEVELS};
    inference all, some, most;
    arena keep;
    size_t out = 0;
    arena_init(&keep, &m);
    assert_ok(infer_two_way(&all, &plan, &what, &keep, &err));
    assert_int_equal(all.left_out, 0);
    what.least = 3; /* of 7 levels fewer than three are drawn in 6.8 %: about one in twenty */
    assert_ok(infer_two_way(&some, &plan, &what, &keep, &err));
    for (int r = 0; r < B; r++) {
        out += isnan(some.replicates[r]);
        assert_true(isnan(some.replicates[r]) || some.replicates[r] == all.replicates[r]);
    }
    assert_true(out > 0 && some.left_out == out);
    bool many = (double)out > .05 * B;
    assert_string_equal(some.reason, many ? "degenerate_replicates" : "");
    what.least = 2;
    assert_ok(infer_two_way(&some, &plan, &what, &keep, &err));
    assert_true(some.left_out < out && some.left_out > 0);
    assert_string_equal(some.reason, "");
    assert_close(some.p_floor, 1 / (B - (double)some.left_out - (double)some.undefined + 1));
    what.least = 6;
    assert_ok(infer_two_way(&most, &plan, &what, &keep, &err));
    assert_string_equal(most.reason, "degenerate_replicates");
    assert_true(most.estimate == all.estimate && isnan(most.lo));
    arena_free(&keep);
    pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same),
                                       cmocka_unit_test(too_few_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
