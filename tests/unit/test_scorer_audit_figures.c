/* What the charts put on one axis (scorer audit 13): replicates of a sham are no doses. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void put_arm(bench *b, const char *arm, int step)
{
    for (int i = 0; i < 12; i++)
        for (int d = -2; d <= 2; d++)
            text_add_format(&b->csv, "%s,f%02d,%d,s,%d,%d,%d\n", arm, i, step * d,
                            i % 5 + (i + d + 9) % 4, 40 + step * d, abs(d));
}

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    assert_ok(bench_run(b, &err));
}

static const figure *find(const bench *b, const char *start)
{
    for (size_t i = 0; i < b->result.figure_count; i++)
        if (strncmp(b->result.figures[i]->id, start, strlen(start)) == 0)
            return b->result.figures[i];
    fail_msg("no figure %s", start);
    return NULL;
}

static size_t count(const figure *f, const char *panel, const char *series)
{
    size_t n = 0;
    for (size_t k = 0; k < f->point_count; k++)
        n += strcmp(f->points[k].panel, panel) == 0 && strcmp(f->points[k].series, series) == 0;
    return n;
}

static const char head[] = "arm,base,dose,scorer,score,ita,artifact\n";

static void the_sham_has_a_panel_of_its_own(void **state)
{
    (void)state;
    static const char *const measures[2] = {"attribute", "artifact"};
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, head);
    put_arm(&b, "skin", 5);
    put_arm(&b, "sham", 1);
    run(&b);
    const figure *curve = find(&b, "fidelity");
    assert_int_equal(count(curve, "dose", "skin"), 5);
    assert_int_equal(count(curve, "sham replicates", "sham"), 5);
    assert_int_equal(curve->point_count, 10);
    for (size_t k = 0; k < 2; k++) {
        const figure *f = find(&b, measures[k]);
        assert_int_equal(count(f, "", "skin"), 5);
        assert_int_equal(f->point_count, 5);
    }
    bench_close(&b);
}

static void one_unit_needs_no_panel(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, head);
    put_arm(&b, "skin", 5);
    put_arm(&b, "nonskin", 5);
    run(&b);
    const figure *curve = find(&b, "fidelity");
    assert_int_equal(count(curve, "", "skin"), 5);
    assert_int_equal(count(curve, "", "nonskin"), 5);
    assert_string_equal(curve->x_title, "dose");
    bench_clear(&b);
    text_add(&b.csv, head); /* degrees of hue are no L* */
    put_arm(&b, "skin", 5);
    put_arm(&b, "hue", 10);
    run(&b);
    assert_int_equal(count(find(&b, "attribute"), "hue (degrees)", "hue"), 5);
    assert_int_equal(count(find(&b, "attribute"), "lightness (L*)", "skin"), 5);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sham_has_a_panel_of_its_own),
        cmocka_unit_test(one_unit_needs_no_panel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
