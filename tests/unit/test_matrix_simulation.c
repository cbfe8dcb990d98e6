/* The simulation of judge audits A.11: 10 authors = judges, 200 items, item SD 1, noise SD 1. The
 * innocent twin, a judge with a wide scale whose model happens to be good, is not accused, and a
 * bonus is found. Runs the whole program on every table.
 *
 * The text does not say how noise enters; with SD 1 on every score, whatever the judge's slope, and
 * the power at slopes of 1, NumPy gives the printed shares (.20 to .63 with D alone; .75 and .71).
 */
#include "support/check.h"

#include <string.h>

#include "matrix_fixture.h"

enum { N = 10, ITEMS = 200, TABLES = 120 };

typedef struct design { double quality_sd, bonus; bool slopes; uint64_t seed; } design;
typedef struct shares { double d, found, wrong; } shares;

static void put_table(matrix_bench *b, const design *x, uint64_t seed)
{
    double quality[N], slope[N];
    uint32_t n = 0;
    for (int g = 0; g < N; g++) quality[g] = x->quality_sd * matrix_bench_gauss(seed, n++);
    for (int e = 0; e < N; e++)
        slope[e] = x->slopes ? exp((2 * matrix_bench_uniform(seed, n++) - 1) * log(2)) : 1;
    text_clear(&b->csv);
    text_add(&b->csv, "item,author,judge,score\n");
    for (int i = 0; i < ITEMS; i++) {
        double item = matrix_bench_gauss(seed, n++);
        for (int g = 0; g < N; g++)
            for (int e = 0; e < N; e++)
                text_add_format(&b->csv, "%d,m%d,m%d,%.9g\n", i, g, e,
                                slope[e] * (quality[g] + item) + matrix_bench_gauss(seed, n++) +
                                    (g == e ? x->bonus : 0));
    }
}

static shares simulate(const design *x)
{
    static const char *const options[] = {"boot-b=499", "perm-p=199", "block-perm=199", NULL};
    tare_error err = {0};
    shares s = {0, 0, 0};
    matrix_bench b;
    matrix_bench_open(&b, 2);
    for (int t = 0; t < TABLES; t++) {
        put_table(&b, x, x->seed + (uint64_t)t);
        assert_ok(matrix_bench_run(&b, NULL, options, &err));
        for (int j = 0; j < N; j++) {
            char name[8];
            snprintf(name, sizeof name, "m%d", j);
            const tare_reading *r = matrix_bench_reading(&b, "self", "D", name, NULL);
            bool sig = r->q <= .05 && (r->lo > 0 || r->hi < 0);
            s.d += sig;
            s.found += r->verdict == TARE_FOUND;
            s.wrong += r->verdict == TARE_FOUND && r->estimate < 0;
        }
    }
    matrix_bench_close(&b);
    s.d /= TABLES * N;
    s.found /= TABLES * N;
    s.wrong /= TABLES * N;
    return s;
}

/* D alone accuses a fifth to two thirds of innocent judges; with Z at most .03 + .03. */
static void innocent(void **state)
{
    (void)state;
    shares s = simulate(&(design){.quality_sd = .3, .slopes = true, .seed = 1000});
    printf("quality SD .3: D alone %.3f, found %.3f\n", s.d, s.found);
    assert_true(s.d >= .17 && s.d <= .66);
    assert_true(s.found <= .06);
    s = simulate(&(design){.quality_sd = 1, .slopes = true, .seed = 2000});
    printf("quality SD 1: D alone %.3f, found %.3f\n", s.d, s.found);
    assert_true(s.d >= .17 && s.d <= .66);
    assert_true(s.d >= .45); /* the wider quality, the more innocent judges D alone accuses */
    assert_true(s.found <= .06);
}

static void bonus(void **state)
{
    (void)state;
    shares s = simulate(&(design){.quality_sd = .3, .bonus = .2, .seed = 3000});
    printf("bonus: D alone %.3f, found %.3f\n", s.d, s.found);
    assert_within(s.d, .76, 0, .03);
    assert_within(s.found, .71, 0, .03);
    assert_true(s.wrong <= .005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(innocent), cmocka_unit_test(bonus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
