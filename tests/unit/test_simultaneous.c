/* A band over estimates that were resampled together: how often all truths lie inside. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "stats/infer.h"
#include "stats/simultaneous.h"
#include "stats/special.h"
#include "support/check.h"

enum { COLUMNS = 6, MOST = 60, B = 399, SETS = 400 };

static uint64_t state_of_noise;

static double noise(void)
{
    uint64_t z = (state_of_noise += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return norm_quantile(((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53);
}

typedef struct setting {
    mem m;
    pool *pool;
    infer_plan plan;
    uint32_t cluster[MOST];
    char name[MOST][24];
    const char *ids[MOST];
    double x[COLUMNS][MOST];
    infer_column columns[COLUMNS];
    arena kept;
} setting;

static void open_setting(setting *s, size_t clusters)
{
    memset(s, 0, sizeof *s);
    s->m = mem_system();
    s->pool = pool_new(&s->m, 1);
    assert_non_null(s->pool);
    arena_init(&s->kept, &s->m);
    for (size_t i = 0; i < clusters; i++) {
        s->cluster[i] = (uint32_t)i;
        snprintf(s->name[i], sizeof s->name[i], "c%02zu", i);
        s->ids[i] = s->name[i];
    }
    s->plan = (infer_plan){.m = &s->m, .pool = s->pool, .seed = 1, .analysis = "band",
                           .clusters = clusters, .ids = s->ids, .boot_b = B, .perm_p = 99,
                           .alpha = 0.05, .power = 0.8};
    for (size_t j = 0; j < COLUMNS; j++) s->columns[j] = (infer_column){s->x[j], NULL};
}

static void close_setting(setting *s)
{
    arena_free(&s->kept);
    pool_free(s->pool);
}

/* Columns that hang together as the n of a curve do; the truth is 0. */
static void draw_columns(setting *s)
{
    for (size_t i = 0; i < s->plan.clusters; i++) {
        double walk = noise();
        for (size_t j = 0; j < COLUMNS; j++) {
            s->x[j][i] = walk;
            walk = 0.8 * walk + 0.6 * noise();
        }
    }
}

static double infer_band(interval *band, inference *inf, setting *s)
{
    tare_error err = {0};
    double critical;
    infer_rows rows = {s->cluster, s->plan.clusters};
    arena_free(&s->kept);
    assert_ok(infer_means(inf, &s->plan, s->columns, COLUMNS, &rows, &s->kept, &err));
    simultaneous_plan plan = {&s->m, s->plan.boot_b, s->plan.alpha};
    assert_ok(simultaneous_band(band, &critical, inf, COLUMNS, &plan, &err));
    return critical;
}

/* Acceptance: 4 standard errors of a share of .95 in SETS sets, which is .044, below and above;
 * the percentile interval of 30 clusters is known to cover .938 by itself (statistics 4). */
static void all_truths_lie_inside(void **state)
{
    (void)state;
    static const size_t sizes[3] = {10, 20, 54};
    for (size_t k = 0; k < 3; k++) {
        setting s;
        open_setting(&s, sizes[k]);
        state_of_noise = 11 + k;
        int all = 0, single = 0;
        for (int set = 0; set < SETS; set++) {
            inference inf[COLUMNS];
            interval band[COLUMNS];
            draw_columns(&s);
            infer_band(band, inf, &s);
            bool inside = true, inside_single = true;
            for (size_t j = 0; j < COLUMNS; j++) {
                assert_true(band[j].lo <= inf[j].lo && band[j].hi >= inf[j].hi);
                inside = inside && band[j].lo <= 0 && band[j].hi >= 0;
                inside_single = inside_single && inf[j].lo <= 0 && inf[j].hi >= 0;
            }
            all += inside;
            single += inside_single;
        }
        print_message("M = %zu: all inside %.3f, of the intervals one by one %.3f\n", sizes[k],
                      (double)all / SETS, (double)single / SETS);
        assert_true(all >= (0.95 - 0.044) * SETS && all <= (0.95 + 0.044) * SETS);
        assert_true(single < 0.92 * SETS); /* or there would be nothing to correct */
        close_setting(&s);
    }
}

/* One estimate alone: c is its own quantile; equal columns need no more than one. */
static void copies_cost_nothing(void **state)
{
    (void)state;
    setting s;
    open_setting(&s, 54);
    state_of_noise = 5;
    draw_columns(&s);
    for (size_t j = 1; j < COLUMNS; j++) memcpy(s.x[j], s.x[0], sizeof s.x[0]);
    inference inf[COLUMNS];
    interval band[COLUMNS];
    double c = infer_band(band, inf, &s);
    assert_within(c, 1.96, 0, 0.3);
    for (size_t j = 1; j < COLUMNS; j++) {
        assert_within(band[j].lo, band[0].lo, 0, 0);
        assert_within(band[j].hi, band[0].hi, 0, 0);
    }
    close_setting(&s);
}

static void what_does_not_vary_keeps_its_interval(void **state)
{
    (void)state;
    setting s;
    open_setting(&s, 20);
    state_of_noise = 6;
    draw_columns(&s);
    inference inf[COLUMNS];
    interval band[COLUMNS], without[COLUMNS];
    for (size_t i = 0; i < 20; i++) s.x[2][i] = 7;
    double c = infer_band(band, inf, &s);
    assert_within(band[2].lo, 7, 0, 0);
    assert_within(band[2].hi, 7, 0, 0);
    inf[2].reason = "degenerate"; /* and one without an answer has none */
    tare_error err = {0};
    double again;
    simultaneous_plan plan = {&s.m, B, 0.05};
    assert_ok(simultaneous_band(without, &again, inf, COLUMNS, &plan, &err));
    assert_true(isnan(without[2].lo) && isnan(without[2].hi));
    assert_within(again, c, 0, 0);
    inf[0].replicates = NULL;
    assert_int_equal(simultaneous_band(without, &again, inf, COLUMNS, &plan, &err), TARE_E_USAGE);
    for (size_t j = 0; j < COLUMNS; j++) inf[j].reason = "degenerate";
    assert_ok(simultaneous_band(without, &again, inf, COLUMNS, &plan, &err));
    assert_true(isnan(again));
    close_setting(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_truths_lie_inside),
        cmocka_unit_test(copies_cost_nothing),
        cmocka_unit_test(what_does_not_vary_keeps_its_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
