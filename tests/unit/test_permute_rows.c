/* Flags that move within blocks: exact p by hand, what cannot move, threads, a permutation made
 * another way. */
#include "stats/permute_rows.h"

#include <string.h>

#include "support/check.h"

typedef struct set {
    mem m;
    pool *pool;
    permute_plan plan;
    uint64_t h64[64];
} set;

static void begin(set *s, size_t blocks, uint32_t replicates, unsigned threads)
{
    memset(s, 0, sizeof *s);
    s->m = mem_system();
    s->pool = pool_new(&s->m, threads);
    for (size_t b = 0; b < blocks; b++) s->h64[b] = rng_h64((const char *)&b, sizeof b);
    s->plan = (permute_plan){.m = &s->m, .pool = s->pool, .key = rng_key_of(1, "test/perm"),
                             .h64 = s->h64, .clusters = blocks, .replicates = replicates};
}

static permute_result run(set *s, const size_t *start, const uint8_t *flag, const uint32_t *label,
                          size_t labels)
{
    tare_error err;
    permute_result out;
    permute_rows_data d = {s->plan.clusters, start, flag, &label, &labels, 1};
    assert_ok(permute_rows(&out, &s->plan, &d, &err));
    return out;
}

/* One block of 3 + 3 rows, 2 flags at label 0: T = 2/3. C(6,2) = 15 placings, of which 3 + 3 put
 * both flags under one label: p = 6/15. */
static void p_of_a_small_block_by_hand(void **state)
{
    (void)state;
    set s;
    begin(&s, 1, 99999, 2);
    const size_t start[] = {0, 6};
    const uint8_t flag[] = {1, 1, 0, 0, 0, 0};
    const uint32_t label[] = {0, 0, 0, 1, 1, 1};
    permute_result x = run(&s, start, flag, label, 2);
    assert_close(x.statistic, 2. / 3);
    assert_within(x.p, .4, 0, 5 * sqrt(.4 * .6 / 99999)); /* five standard errors */
    assert_close(x.p_floor, 1e-5);
    /* four flags: the two rows without one are drawn */
    const uint8_t most[] = {0, 0, 1, 1, 1, 1};
    x = run(&s, start, most, label, 2);
    assert_close(x.statistic, 2. / 3);
    assert_within(x.p, .4, 0, 5 * sqrt(.4 * .6 / 99999));
    pool_free(s.pool);
}

/* Two blocks {0,1,2}, one flag each, both at label 2: T = 1; 3 of 9 placings agree: p = 1/3. */
static void blocks_move_apart(void **state)
{
    (void)state;
    set s;
    begin(&s, 2, 99999, 1);
    const size_t start[] = {0, 3, 6};
    const uint8_t flag[] = {0, 0, 1, 0, 1, 0};
    const uint32_t label[] = {0, 1, 2, 0, 2, 1};
    permute_result x = run(&s, start, flag, label, 3);
    assert_close(x.statistic, 1);
    assert_within(x.p, 1. / 3, 0, 5 * sqrt(2. / 9 / 99999));
    pool_free(s.pool);
}

static void what_cannot_move_has_p_one(void **state)
{
    (void)state;
    set s;
    begin(&s, 2, 99, 2);
    const size_t start[] = {0, 2, 4};
    const uint32_t label[] = {0, 1, 0, 1};
    const uint8_t none[] = {0, 0, 0, 0}, all[] = {1, 1, 1, 1}, whole[] = {1, 1, 0, 0};
    permute_result x = run(&s, start, none, label, 2);
    assert_true(x.statistic == 0 && x.p == 1);
    x = run(&s, start, all, label, 2);
    assert_true(x.statistic == 0 && x.p == 1);
    x = run(&s, start, whole, label, 2);
    assert_true(x.statistic == 0 && x.p == 1);
    /* constant within blocks: only flags within them move, T stays */
    const uint32_t outer[] = {0, 0, 1, 1};
    const uint8_t some[] = {1, 0, 0, 0};
    x = run(&s, start, some, outer, 2);
    assert_true(x.statistic == .5 && x.p == 1);
    pool_free(s.pool);
}

enum { BLOCKS = 40, WIDTH = 12, ROWS = BLOCKS * WIDTH };

static void fill(size_t *start, uint8_t *flag, uint32_t *label, uint32_t *other)
{
    rng_stream draw;
    rng_start(&draw, rng_key_of(7, "test"), 0, 0);
    for (size_t b = 0; b <= BLOCKS; b++) start[b] = b * WIDTH;
    for (size_t r = 0; r < ROWS; r++) {
        label[r] = (uint32_t)(r % 4);
        other[r] = (uint32_t)(r / 4 % 3);
        flag[r] = rng_uniform(&draw) < (label[r] == 2 ? .3 : .1);
    }
}

static void threads_and_company_change_nothing(void **state)
{
    (void)state;
    size_t start[BLOCKS + 1];
    uint8_t flag[ROWS];
    uint32_t label[ROWS], other[ROWS];
    fill(start, flag, label, other);
    const uint32_t *both[] = {label, other};
    const size_t labels[] = {4, 3};
    permute_result first[2];
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        set s;
        tare_error err;
        permute_result x[2];
        begin(&s, BLOCKS, 999, threads);
        permute_rows_data d = {BLOCKS, start, flag, both, labels, 2};
        assert_ok(permute_rows(x, &s.plan, &d, &err));
        if (threads == 1) memcpy(first, x, sizeof x);
        assert_int_equal(x[0].count, first[0].count);
        assert_int_equal(x[1].count, first[1].count);
        permute_result alone = run(&s, start, flag, other, 3);
        assert_int_equal(alone.count, first[1].count);
        pool_free(s.pool);
    }
    assert_true(first[0].p < .05);
}

/* The same distribution as when whole rows are shuffled by sorting keys (permute_labels.c): flags
 * of one column per condition. */
static void agrees_with_permuted_conditions(void **state)
{
    (void)state;
    uint8_t flag[BLOCKS * 4];
    uint32_t label[BLOCKS * 4];
    size_t start[BLOCKS + 1];
    set s;
    tare_error err;
    permute_result other;
    rng_stream draw;
    begin(&s, BLOCKS, 20000, 2);
    rng_start(&draw, rng_key_of(3, "test"), 0, 0);
    for (size_t r = 0; r < BLOCKS * 4; r++) {
        label[r] = (uint32_t)(r % 4);
        flag[r] = rng_uniform(&draw) < .15 + .1 * (r % 4 == 0);
    }
    for (size_t b = 0; b <= BLOCKS; b++) start[b] = b * 4;
    permute_result x = run(&s, start, flag, label, 4);
    assert_ok(permute_conditions(&other, &s.plan, flag, 4, &err));
    assert_close(x.statistic, other.statistic);
    assert_true(x.p > .01 && x.p < .99);
    assert_within(x.p, other.p, 0, 5 * sqrt(2 * x.p * (1 - x.p) / 20000));
    pool_free(s.pool);
}

/* 10 blocks of 12 rows, 4 labels: T = .4/3, p = .71167 from 400,000 permutations in NumPy (argsort
 * of uniforms within each block). */
static void agrees_with_numpy(void **state)
{
    (void)state;
    enum { N = 120 };
    size_t start[11];
    uint8_t flag[N];
    uint32_t label[N];
    set s;
    begin(&s, 10, 99999, 2);
    for (size_t b = 0; b <= 10; b++) start[b] = b * 12;
    for (uint32_t r = 0; r < N; r++) {
        label[r] = r % 4;
        flag[r] = (r * 37 + r * r * 11) % 101 < 14;
    }
    permute_result x = run(&s, start, flag, label, 4);
    assert_close(x.statistic, .4 / 3);
    assert_within(x.p, .71167, 0, 5 * sqrt(.71 * .29 * (1. / 99999 + 1. / 400000)));
    pool_free(s.pool);
}

static void a_label_out_of_range_is_refused(void **state)
{
    (void)state;
    set s;
    tare_error err;
    permute_result out;
    begin(&s, 1, 99, 1);
    const size_t start[] = {0, 2}, labels = 2;
    const uint8_t flag[] = {0, 1};
    const uint32_t wrong[] = {0, 2}, *label = wrong;
    permute_rows_data d = {1, start, flag, &label, &labels, 1};
    assert_int_equal(permute_rows(&out, &s.plan, &d, &err), TARE_E_USAGE);
    pool_free(s.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_of_a_small_block_by_hand),
        cmocka_unit_test(blocks_move_apart),
        cmocka_unit_test(what_cannot_move_has_p_one),
        cmocka_unit_test(threads_and_company_change_nothing),
        cmocka_unit_test(agrees_with_permuted_conditions),
        cmocka_unit_test(agrees_with_numpy),
        cmocka_unit_test(a_label_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
