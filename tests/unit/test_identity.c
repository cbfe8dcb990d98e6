#include <string.h>

#include "base/mem.h"
#include "stats/identity.h"
#include "support/check.h"

#define PLAN(seed, analysis, draws) \
    (&(identity_plan){&m, rng_key_of((seed), (analysis)), (draws)})

/* The numbers to compare with come from a Python program that goes through itertools.permutations
 * over the matrices made here. */
static void fill(double *r, size_t K)
{
    for (size_t a = 0; a < K; a++)
        for (size_t b = 0; b < K; b++)
            r[a * K + b] = (double)((7 * a * a + 3 * b * b + 5 * a * b + 11 * a) % 17) - 8
                           + (a == b ? 3 : 0);
}

static void test_toy(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    /* double-centred residuals of the toy of judge audits A.10: only the identity reaches them */
    const double r[9] = {68, -43, -25, -16, 71, -55, -52, -28, 80};
    identity_result out;
    assert_ok(identity_permutation(&out, r, 3, 1, PLAN(1, "items/perm", 9999), &err));
    assert_true(out.exact && out.total == 6);
    assert_close(out.statistic, 73);
    assert_within(out.mean, 0, 0, 1e-12);
    assert_close(out.p_one, 1.0 / 6);
    assert_close(out.p_floor, 1.0 / 6);
}

static void test_exact(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[64];
    identity_result out;
    fill(r, 5);
    assert_ok(identity_permutation(&out, r, 5, 1, PLAN(1, "a", 0), &err));
    assert_close(out.statistic, 5);
    assert_close(out.mean, .08);
    assert_close(out.p_one, 3 / 120.0);
    assert_close(out.p_two, 6 / 120.0);
    fill(r, 8);
    assert_ok(identity_permutation(&out, r, 8, 1, PLAN(1, "a", 0), &err));
    assert_close(out.p_one, 344 / 40320.0);
    assert_close(out.p_two, 500 / 40320.0);
    assert_true(out.total == 40320);
}

/* Multiples of a tenth are not exact: ties must still be ties. */
static void test_ties(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[64];
    identity_result out;
    fill(r, 8);
    for (size_t i = 0; i < 64; i++) r[i] = r[i] * .1 + 1e3;
    assert_ok(identity_permutation(&out, r, 8, 1, PLAN(1, "a", 0), &err));
    assert_close(out.p_one, 344 / 40320.0);
    assert_close(out.p_two, 500 / 40320.0);
    for (size_t i = 0; i < 64; i++) r[i] = .1;
    assert_ok(identity_permutation(&out, r, 8, 1, PLAN(1, "a", 0), &err));
    assert_true(out.p_one == 1 && out.p_two == 1);
}

/* All 362,880 maps of nine: shares .0048335538 and .0102237654. */
static void test_sampled(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[81], pair[162];
    identity_result out, two[2];
    const double share[2] = {.004833553791887125, .010223765432098766};
    uint32_t draws = 49999;
    fill(r, 9);
    assert_ok(identity_permutation(&out, r, 9, 1, PLAN(1, "items/perm", draws), &err));
    assert_true(!out.exact && out.total == draws);
    assert_close(out.p_floor, 1.0 / (draws + 1));
    assert_within(out.p_one, share[0], 0, 5 * sqrt(share[0] / draws) + 1.0 / draws);
    assert_within(out.p_two, share[1], 0, 5 * sqrt(share[1] / draws) + 1.0 / draws);
    /* two matrices share the draws */
    memcpy(pair, r, sizeof r);
    for (size_t i = 0; i < 81; i++) pair[81 + i] = 2 * r[i];
    assert_ok(identity_permutation(two, pair, 9, 2, PLAN(1, "items/perm", draws), &err));
    assert_true(two[0].p_one == out.p_one && two[1].p_one == out.p_one);
}

static void relate(uint8_t *same, size_t K, const size_t *member, size_t count)
{
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) same[member[a] * K + member[b]] = 1;
}

static void raise_cells(double *r, const uint8_t *same, size_t K, double by)
{
    for (size_t a = 0; a < K; a++)
        for (size_t b = 0; b < K; b++)
            if (a != b && same[a * K + b]) r[a * K + b] += by;
}

static void test_blocks_exact(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[36];
    uint8_t same[36] = {0};
    block_result out;
    fill(r, 6);
    relate(same, 6, (const size_t[]){0, 1}, 2);
    relate(same, 6, (const size_t[]){2, 3, 4}, 3);
    raise_cells(r, same, 6, 8);
    assert_ok(block_permutation(&out, r, same, 6, 1, PLAN(1, "a", 49999), &err));
    assert_close(out.statistic, 2.25);
    assert_close(out.p, 60 / 720.0);
    assert_close(out.p_floor, 12 / 720.0); /* 2! 3! 1! orders change no block */
    /* blocks that overlap */
    memset(same, 0, sizeof same);
    fill(r, 6);
    relate(same, 6, (const size_t[]){0, 1, 2}, 3);
    relate(same, 6, (const size_t[]){2, 3}, 2);
    raise_cells(r, same, 6, 4);
    assert_ok(block_permutation(&out, r, same, 6, 1, PLAN(1, "a", 49999), &err));
    assert_close(out.statistic, 4.215909090909091);
    assert_close(out.p, 56 / 720.0);
    assert_close(out.p_floor, 4 / 720.0);
}

/* Nine models, all 362,880 orders: share .0716931216931217. */
static void test_blocks_sampled(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[81];
    uint8_t same[81] = {0};
    block_result out;
    fill(r, 9);
    relate(same, 9, (const size_t[]){0, 1, 2}, 3);
    relate(same, 9, (const size_t[]){3, 4}, 2);
    relate(same, 9, (const size_t[]){5, 6}, 2);
    raise_cells(r, same, 9, 3);
    assert_ok(block_permutation(&out, r, same, 9, 1, PLAN(1, "a", 49999), &err));
    assert_close(out.statistic, 2.896774193548387);
    double share = .0716931216931217;
    assert_within(out.p, share, 0, 5 * sqrt(share * (1 - share) / 49999) + 2e-5);
    assert_close(out.p_floor, 1 / 50000.0);
}

static void test_degenerate(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double r[81];
    uint8_t none[81] = {0}, all[81];
    identity_result id;
    block_result block;
    memset(all, 1, sizeof all);
    fill(r, 9);
    assert_ok(block_permutation(&block, r, none, 9, 1, PLAN(1, "a", 99), &err));
    assert_true(isnan(block.p) && isnan(block.statistic));
    assert_ok(block_permutation(&block, r, all, 9, 1, PLAN(1, "a", 99), &err));
    assert_true(isnan(block.p));
    r[3] = NAN;
    assert_ok(identity_permutation(&id, r, 9, 1, PLAN(1, "a", 99), &err));
    assert_true(isnan(id.p_one) && isnan(id.p_two));
    assert_int_equal(identity_permutation(&id, r, 1, 1, PLAN(1, "a", 99), &err),
                     TARE_E_USAGE);
    assert_int_equal(identity_permutation(&id, r, 9, 1, PLAN(1, "a", 0), &err),
                     TARE_E_USAGE);
    assert_int_equal(block_permutation(&block, r, none, 0, 1, PLAN(1, "a", 9), &err),
                     TARE_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toy),           cmocka_unit_test(test_exact),
        cmocka_unit_test(test_ties),          cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_blocks_exact),  cmocka_unit_test(test_blocks_sampled),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
