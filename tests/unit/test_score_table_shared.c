/* Score tables of others, as they were published: shapes, holes and sums (counted with pandas). */
#include <string.h>

#include "score_desk.h"
#include "stats/moments.h"
#include "support/check.h"

#define JUDGES TARE_SHARED_DIR "/data/judges/"

static double sum_of(const score_table *t)
{
    neumaier sum = {0, 0};
    for (size_t l = 0; l < t->layers; l++)
        for (size_t c = 0; c < t->units * t->judge.count; c++)
            if (t->layer[l].status[c] == TARE_R_NONE) neumaier_add(&sum, t->layer[l].score[c]);
    return neumaier_total(&sum);
}

static void ifeval(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_load(&d, JUDGES "ifeval_scores.csv.gz", &err));
    assert_int_equal(d.t.units, 541 * 12);
    assert_int_equal(d.t.judge.count, 12);
    assert_int_equal(d.t.rows, 77904);
    assert_string_equal(desk_fact(&d, "Columns", "gold"), "ref (by guess)");
    assert_string_equal(desk_fact(&d, "Columns", "not used"), "met, rubrics");
    for (size_t j = 0; j < 12; j++) assert_int_equal(d.t.author_of_judge[j], j);
    neumaier gold = {0, 0};
    for (size_t u = 0; u < d.t.units; u++) neumaier_add(&gold, d.t.layer[0].gold[u]);
    assert_close(sum_of(&d.t), 69825.33333333333);
    assert_close(neumaier_total(&gold), 5823.666666666667);
    desk_close(&d);
}

static void playfav(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_load(&d, JUDGES "playfav.tsv.gz", &err));
    assert_int_equal(d.t.layers, 2);
    assert_int_equal(d.t.judge.count, 9);
    assert_int_equal(d.t.author.count, 9);
    assert_int_equal(d.t.item.count, 596);
    assert_int_equal(d.t.units, 5312);
    assert_int_equal(d.t.rows, 63891);
    assert_int_equal(score_table_missing(&d.t, SIZE_MAX, SIZE_MAX, SIZE_MAX).used, 63222);
    assert_close(sum_of(&d.t), 144099.0);
    assert_true(desk_cautions(&d, "length differs"));
    assert_string_equal(desk_fact(&d, "Columns", "not used"), "dataset");
    desk_close(&d);
}

static void xsum(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_load(&d, JUDGES "panickssery_xsum_scores.csv", &err));
    assert_int_equal(d.t.units, 5000);
    assert_int_equal(d.t.judge.count, 3);
    assert_int_equal(d.t.rows, 15000);
    assert_close(sum_of(&d.t), 61367.15403474942);
    size_t models = 0;
    for (size_t j = 0; j < 3; j++) models += d.t.author_of_judge[j] != SIZE_MAX;
    assert_int_equal(models, 3);
    desk_close(&d);
}

static void judgemark_cells(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    d.o.cells_from = "writer,judge,mean_raw,sd_raw,n";
    assert_ok(desk_load(&d, JUDGES "judgemark_v2_matrix.csv", &err));
    assert_true(d.t.cells_only);
    assert_int_equal(d.t.units, 17);
    assert_int_equal(d.t.judge.count, 14);
    size_t c = desk_unit(&d, "", "claude-3-5-sonnet-20240620") * 14 +
               desk_place(&d.t.judge, "anthropic/claude-3.5-haiku-20241022");
    assert_close(d.t.layer[0].score[c], 7.253916666666667);
    assert_close(d.t.cell_sd[c], 1.3887956791318694);
    assert_close(d.t.cell_n[c], 120);
    desk_close(&d);
}

static void flickr8k(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    d.o.author_optional = true;
    d.o.raters = "expert1,expert2,expert3";
    assert_ok(desk_load(&d, JUDGES "flickr8k_expert_fleur.csv", &err));
    assert_int_equal(d.t.units, 5664);
    assert_int_equal(d.t.judge.count, 2);
    assert_int_equal(d.t.rater.count, 3);
    assert_close(sum_of(&d.t), 2142.588112258911);
    /* means of three whole ratings: ten values from 1 to 4, exactly */
    size_t thirds = 0;
    for (size_t u = 0; u < d.t.units; u++) {
        double third = d.t.layer[0].gold[u] * 3;
        thirds += third == nearbyint(third) && nearbyint(third) / 3 == d.t.layer[0].gold[u];
    }
    assert_int_equal(thirds, 5664);
    desk_close(&d);
}

int main(void)
{
    NEED_SHARED();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ifeval),
        cmocka_unit_test(playfav),
        cmocka_unit_test(xsum),
        cmocka_unit_test(judgemark_cells),
        cmocka_unit_test(flickr8k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
