/* Human ratings in a file of their own (judge audits B.1, C.1). */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"

/* Reads the scores with these ratings beside them. */
static tare_status read_both(score_desk *d, const char *scores, const char *ratings,
                             tare_error *err)
{
    char path[64];
    desk_file(path, ".csv", ratings);
    d->o.human = path;
    tare_status status = desk_read(d, scores, err);
    d->o.human = NULL;
    unlink(path);
    return status;
}

static const char *const scores = "item,author,judge,score,dim\n"
                                  "a,x,j,1,d1\nb,x,j,2,d1\na,y,j,3,d1\na,x,j,4,d2\n";

static void ratings_and_their_mean(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(read_both(&d, scores,
                        "item,author,dim,rater,rating\n"
                        "a,x,d1,r2,1\na,x,d1,r1,2\na,x,d1,r3,2\na,x,d2,r1,5\na,x,d2,r2,\n"
                        "zz,x,d1,r1,9\na,x,d1,r1,2.0\n",
                        &err));
    const score_table *t = &d.t;
    size_t u = desk_unit(&d, "a", "x");
    assert_int_equal(t->rater.count, 3);
    assert_string_equal(t->rater.name[0], "r1");
    assert_true(t->layer[0].gold[u] == 5.0 / 3.0);
    assert_close(t->layer[0].rating[u * 3 + 1], 1);
    assert_close(t->layer[1].gold[u], 5);
    assert_true(isnan(t->layer[0].gold[desk_unit(&d, "a", "y")]));
    assert_string_equal(desk_fact(&d, "Rows", "human ratings of nothing that was scored"),
                        "1 of 7");
    assert_non_null(strstr(d.said.data, "first in line 7"));
    /* without a dim column a rating holds for every dimension; without raters there is one */
    assert_ok(read_both(&d, scores, "item,author,rating\na,x,3\na,y,1\n", &err));
    assert_string_equal(d.t.rater.name[0], "human");
    assert_close(d.t.layer[0].gold[desk_unit(&d, "a", "x")], 3);
    assert_close(d.t.layer[1].gold[desk_unit(&d, "a", "x")], 3);
    desk_close(&d);
}

static void columns_as_in_the_scores(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.columns.author = "caption";
    assert_ok(read_both(&d, "image,caption,judge,score\na,one,j,.5\na,two,j,.25\n",
                        "caption,annotator,image,score\ntwo,r,a,4\none,r,a,2\n", &err));
    assert_close(d.t.layer[0].gold[desk_unit(&d, "a", "two")], 4);
    /* items alone are units */
    d.o.columns.author = NULL;
    d.o.author_optional = true;
    assert_ok(read_both(&d, "item,judge,score\na,j,.5\nb,j,.25\n", "item,rater,rating\nb,r,4\n",
                        &err));
    assert_close(d.t.layer[0].gold[1], 4);
    desk_close(&d);
}

static void labels_of_people(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    d.o.labels = d.o.author_optional = true;
    assert_ok(read_both(&d, "item,judge,score\na,j,yes\nb,j,no\n",
                        "item,rater,rating\na,1,yes\na,2,yes\nb,1,no\nb,2,unsure\n", &err));
    assert_int_equal(d.t.label.count, 3);
    assert_close(d.t.layer[0].gold[0], 2);
    assert_true(isnan(d.t.layer[0].gold[1])); /* they differ, and labels have no mean */
    assert_close(d.t.layer[0].rating[3], 1);
    desk_close(&d);
}

static void what_is_refused(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    const struct { const char *ratings, *code; tare_status status; } bad[] = {
        {"item,author,rater,rating\na,x,r,1\na,x,r,2\n", "score.duplicate_rating", TARE_E_DATA},
        {"item,author,rating\na,x,1\na,x,2\n", "score.duplicate_rating", TARE_E_DATA},
        {"item,author,rater,rating\nq,x,r,1\n", "score.human_unknown", TARE_E_DATA},
        {"item,rater,rating\na,r,1\n", "table.no_role", TARE_E_DATA},
        {"item,author,rater,rating\na,x,r,good\n", "score.rating_text", TARE_E_DATA},
        {"item,author,rater,rating\na,x,r,inf\n", "score.rating_text", TARE_E_DATA},
        {"item,author,rater,rating\n", "score.human_unknown", TARE_E_DATA},
        {"", "table.empty", TARE_E_DATA},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(read_both(&d, scores, bad[k].ratings, &err), bad[k].status);
        assert_string_equal(err.code, bad[k].code);
    }
    assert_int_equal(read_both(&d, "item,author,judge,score,gold\na,x,j,1,1\n",
                               "item,author,rater,rating\na,x,r,1\n", &err),
                     TARE_OK); /* the file wins over a column that was not asked for */
    d.o.columns.gold = "gold";
    assert_int_equal(read_both(&d, "item,author,judge,score,gold\na,x,j,1,1\n",
                               "item,author,rater,rating\na,x,r,1\n", &err),
                     TARE_E_USAGE);
    assert_string_equal(err.code, "score.two_golds");
    d.o.columns.gold = NULL;
    assert_int_equal(read_both(&d, "item,author,judge,score\na,x,j,1\n",
                               "item,author,dim,rater,rating\na,x,d,r,1\n", &err),
                     TARE_E_DATA);
    assert_string_equal(err.code, "score.human_dim");
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_and_their_mean),
        cmocka_unit_test(columns_as_in_the_scores),
        cmocka_unit_test(labels_of_people),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
