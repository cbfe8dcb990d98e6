/* Tables with a column per judge, rater columns, cell means without items (judge audits A.1,
 * C.1). */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"

static void judges_by_name_and_by_guess(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    const char *csv = "item,author,m2,m1,note,gold\n"
                      "a,m1,3,4,fine,2\nb,m1,,5,so,2\na,m2,refused,6,7,1\nb,m2,8,9,x,\n";
    static const char *const judges[] = {"m1", "m2"};
    desk_open(&d, 2);
    for (int named = 0; named < 2; named++) {
        d.o.judges = judges;
        d.o.judge_count = named ? 2 : 0;
        assert_ok(desk_read(&d, csv, &err));
        assert_int_equal(d.t.judge.count, 2);
        assert_string_equal(d.t.judge.name[0], "m1");
        assert_close(desk_score(&d, "a", "m1", "m2"), 3);
        assert_close(desk_score(&d, "b", "m2", "m1"), 9);
        assert_int_equal(desk_reason(&d, "b", "m1", "m2"), TARE_R_MISSING);
        assert_int_equal(desk_reason(&d, "a", "m2", "m2"), TARE_R_REFUSED);
        assert_close(d.t.layer[0].gold[desk_unit(&d, "a", "m2")], 1);
        assert_int_equal(d.t.rows, 8);
        assert_int_equal(d.t.author_of_judge[0], 0);
        bool said = strstr(d.said.data, "no judge column") != NULL;
        assert_int_equal(said, !named);
    }
    assert_string_equal(desk_fact(&d, "Columns", "judges (by option)"), "m1, m2");
    assert_string_equal(desk_fact(&d, "Columns", "not used"), "note");
    /* a column that is named as a judge is nothing else */
    static const char *const odd[] = {"human", "rating"};
    d.o.judges = odd;
    assert_ok(desk_read(&d, "item,author,human,rating,value\na,x,1,2,3\n", &err));
    assert_close(desk_score(&d, "a", "x", "human"), 1);
    assert_null(d.t.layer[0].gold);
    d.o.columns.gold = "human";
    assert_int_equal(desk_read(&d, "item,author,human,rating,value\na,x,1,2,3\n", &err),
                     TARE_E_USAGE);
    assert_string_equal(err.code, "score.column_twice");
    desk_close(&d);
}

static void wide_and_long_are_the_same(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d, "item,author,setting,p,q\na,x,s,1,2\nb,x,s,3,4\na,x,r,5,\n", &err));
    char *wide = desk_dump(&d);
    assert_ok(desk_read(&d,
                        "item,author,setting,judge,score\nb,x,s,q,4\na,x,s,p,1\na,x,s,q,2\n"
                        "b,x,s,p,3\na,x,r,p,5\na,x,r,q,\n",
                        &err));
    char *rows = desk_dump(&d);
    assert_string_equal(rows, wide);
    free(rows);
    free(wide);
    desk_close(&d);
}

static void raters_beside_judges(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.author_optional = true;
    const char *csv = "image,raw,smooth,h2,h1,h3\n0,.5,.4,1,2,2\n1,1,.9,4,,3\n2,0,.1,,,\n";
    for (int named = 0; named < 2; named++) {
        d.o.raters = named ? "h1, h2,h3" : NULL;
        assert_ok(desk_read(&d, csv, &err));
        const score_layer *l = &d.t.layer[0];
        assert_int_equal(d.t.judge.count, 2);
        assert_int_equal(d.t.rater.count, 3);
        assert_string_equal(d.t.rater.name[0], "h1");
        assert_close(l->rating[0], 2);
        assert_close(l->rating[1], 1);
        assert_true(l->gold[0] == 5.0 / 3.0); /* one way to divide: ties are exact */
        assert_true(l->gold[1] == 3.5);
        assert_true(isnan(l->gold[2]) && isnan(l->rating[3]));
    }
    /* parts that are no integers: 12 digits, so that .1 + .2 and .3 + 0 tie */
    assert_ok(desk_read(&d, "image,raw,h1,h2,h3\n0,1,.1,.2,.3\n1,1,.3,.2,.1\n2,1,.6,0,0\n", &err));
    assert_true(d.t.layer[0].gold[0] == d.t.layer[0].gold[1]);
    assert_true(d.t.layer[0].gold[0] == d.t.layer[0].gold[2]);
    /* long rows repeat the ratings, which must agree */
    assert_int_equal(desk_read(&d, "image,judge,score,h1,h2\n0,a,1,3,\n0,b,2,3,\n", &err),
                     TARE_E_USAGE); /* h3 was asked for */
    d.o.raters = NULL;
    assert_ok(desk_read(&d, "image,judge,score,h1,h2\n0,a,1,3,\n0,b,2,3,\n", &err));
    assert_close(d.t.layer[0].gold[0], 3);
    assert_int_equal(desk_read(&d, "image,judge,score,h1,h2\n0,a,1,3,\n0,b,2,4,\n", &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "score.gold_varies");
    assert_non_null(strstr(err.message, "lines 2 and 3"));
    desk_close(&d);
}

static void one_judge_without_a_name(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.author_optional = true;
    assert_ok(desk_read(&d, "item,score,human,status\na,1,2,\nb,,3,refused\n", &err));
    assert_int_equal(d.t.judge.count, 1);
    assert_string_equal(d.t.judge.name[0], "score");
    assert_int_equal(desk_reason(&d, "b", "", "score"), TARE_R_REFUSED);
    assert_close(d.t.layer[0].gold[1], 3);
    /* several captions of one image, and no word on which column tells them apart */
    assert_int_equal(desk_read(&d, "image,judge,score,caption\na,j,1,x\na,j,2,y\n", &err),
                     TARE_E_DATA);
    assert_non_null(strstr(err.message, "--author"));
    desk_close(&d);
}

static void cell_means(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.cells_from = "writer, judge,mean_raw,sd,n";
    assert_ok(desk_read(&d,
                        "judge,writer,n,mean_raw,sd\nj,w,120,7.5,1.25\nk,w,119,6,2\nj,v,118,5,.5\n",
                        &err));
    assert_true(d.t.cells_only);
    assert_int_equal(d.t.item.count, 1);
    assert_int_equal(d.t.units, 2);
    assert_close(desk_score(&d, "", "w", "j"), 7.5);
    assert_int_equal(desk_reason(&d, "", "v", "k"), TARE_R_ABSENT);
    size_t c = desk_unit(&d, "", "w") * 2;
    assert_close(d.t.cell_sd[c + 1], 2);
    assert_close(d.t.cell_n[c], 120);
    assert_true(isnan(d.t.cell_n[1]));
    d.o.cells_from = "writer,judge";
    assert_int_equal(desk_read(&d, "judge,writer,m\nj,w,1\n", &err), TARE_E_USAGE);
    assert_string_equal(err.code, "score.cells_from");
    d.o.cells_from = "writer,judge,nope";
    assert_int_equal(desk_read(&d, "judge,writer,m\nj,w,1\n", &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "no column nope (--cells-from)"));
    d.o.cells_from = "writer,,m";
    assert_int_equal(desk_read(&d, "judge,writer,m\nj,w,1\n", &err), TARE_E_USAGE);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_by_name_and_by_guess),
        cmocka_unit_test(wide_and_long_are_the_same),
        cmocka_unit_test(raters_beside_judges),
        cmocka_unit_test(one_judge_without_a_name),
        cmocka_unit_test(cell_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
