/* Score tables that cannot be used: where it stands, and what to do (issue: bad input). */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"

typedef struct bad_table { const char *csv, *code, *where, *words; tare_status status; } bad_table;

static void refuse(score_desk *d, const bad_table *bad, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        tare_error err = {0};
        assert_int_equal(desk_read(d, bad[k].csv, &err), bad[k].status);
        assert_string_equal(err.code, bad[k].code);
        if (bad[k].where) assert_string_equal(err.where, bad[k].where);
        if (bad[k].words && !strstr(err.message, bad[k].words))
            fail_msg("\"%s\" is not in \"%s\"", bad[k].words, err.message);
    }
}

#define HEAD "item,author,judge,score"

static void scores_and_statuses(void **state)
{
    (void)state;
    score_desk d;
    desk_open(&d, 2);
    const bad_table bad[] = {
        {HEAD "\na,x,j,1\nb,x,j,good\n", "score.text", "scores.csv:3:7", "\"good\"", TARE_E_DATA},
        {HEAD "\na,x,j,7/10\n", "score.text", "scores.csv:2:7", "--labels", TARE_E_DATA},
        {HEAD "\na,x,j,1\na,x,j,2\n", "score.duplicate", "scores.csv:3:7", "lines 2 and 3",
         TARE_E_DATA},
        {HEAD "\na,x,j,1\na,x,j,2\n", "score.duplicate", NULL, "--rep", TARE_E_DATA},
        {HEAD ",status\na,x,j,1,\na,x,j,1,refused\n", "score.duplicate", NULL, "lines 2 and 3",
         TARE_E_DATA},
        {HEAD ",rep\na,x,j,1,0\na,x,j,1,1\na,x,j,2,1\n", "score.duplicate", NULL, "lines 3 and 4",
         TARE_E_DATA},
        {HEAD ",status\na,x,j,1,fine\n", "score.status", "scores.csv:2:9", "unparsed, refused",
         TARE_E_DATA},
        {"item,author,p,q\na,x,1,2\nb,x,3,great\nc,x,3,4\n", "score.text", "scores.csv:3:7",
         "\"great\"", TARE_E_DATA},
    };
    refuse(&d, bad, sizeof bad / sizeof *bad);
    desk_close(&d);
}

static void columns(void **state)
{
    (void)state;
    score_desk d;
    desk_open(&d, 1);
    const bad_table bad[] = {
        {"", "table.empty", NULL, NULL, TARE_E_DATA},
        {HEAD "\n", "score.no_rows", "scores.csv", "no rows", TARE_E_DATA},
        {"author,judge,score\nx,j,1\n", "table.no_role", NULL, "--item", TARE_E_DATA},
        {"item,judge,score\na,j,1\n", "table.no_role", NULL, "--author", TARE_E_DATA},
        {"item,author,score\na,x,1\n", "table.no_role", NULL, "--judge", TARE_E_DATA},
        {"item,author,judge\na,x,j\n", "table.no_role", NULL, "--score", TARE_E_DATA},
        {"item,author,text\na,x,hello\n", "score.no_judges", NULL, "--judges", TARE_E_DATA},
        {HEAD "\n,x,j,1\n", "score.empty_name", "scores.csv:2:1", "item", TARE_E_DATA},
        {HEAD "\na,,j,1\n", "score.empty_name", "scores.csv:2:3", "author", TARE_E_DATA},
        {HEAD "\na,x,,1\n", "score.empty_name", "scores.csv:2:5", "judge", TARE_E_DATA},
        {HEAD "\na,x,j\n", "table.ragged", NULL, NULL, TARE_E_DATA},
        {"item;author;judge;score\na,x,j,1\n", NULL, NULL, NULL, TARE_E_DATA},
        {HEAD ",score\na,x,j,1,2\n", "table.two_columns", NULL, NULL, TARE_E_DATA},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tare_error err = {0};
        if (bad[k].code)
            refuse(&d, &bad[k], 1);
        else /* mixed delimiters: the table room's word */
            assert_int_equal(desk_read(&d, bad[k].csv, &err), bad[k].status);
    }
    desk_close(&d);
}

static void what_must_not_vary(void **state)
{
    (void)state;
    score_desk d;
    desk_open(&d, 1);
    const bad_table bad[] = {
        {HEAD ",cluster\na,x,j,1,c\na,x,k,1,d\n", "score.varies", "scores.csv:3:9",
         "lines 2 and 3", TARE_E_DATA},
        {HEAD ",cluster\na,x,j,1,b\nb,x,j,1,\n", "score.cluster", NULL, "b", TARE_E_DATA},
        {HEAD ",gold\na,x,j,1,2\na,y,j,1,3\na,x,k,1,3\n", "score.gold_varies", "scores.csv:4:9",
         "lines 2 and 4", TARE_E_DATA},
        {HEAD ",gold\na,x,j,1,good\n", "score.gold_text", "scores.csv:2:9", NULL, TARE_E_DATA},
        {HEAD ",length\na,x,j,1,long\n", "score.length", "scores.csv:2:9", NULL, TARE_E_DATA},
    };
    refuse(&d, bad, sizeof bad / sizeof *bad);
    d.o.columns.fold = "fold";
    const bad_table folds[] = {
        {HEAD ",fold\na,x,j,1,1\na,x,k,1,2\n", "score.varies", NULL, "folds", TARE_E_DATA},
        {HEAD ",fold\na,x,j,1,\n", "score.fold", NULL, NULL, TARE_E_DATA},
        {HEAD "\na,x,j,1\n", "table.no_column", NULL, "folds-by", TARE_E_USAGE},
    };
    refuse(&d, folds, sizeof folds / sizeof *folds);
    desk_close(&d);
}

static void sizes(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    mem m = mem_system();
    text csv;
    desk_open(&d, 2);
    /* 17,000 units that no two judges of 17,000 share: 289 million cells */
    text_init(&csv, &m);
    text_add(&csv, HEAD "\n");
    for (int k = 0; k < 17000; k++) text_add_format(&csv, "i%d,x,j%d,1\n", k, k);
    assert_false(csv.failed);
    assert_int_equal(desk_read(&d, csv.data, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "score.cells");
    assert_non_null(strstr(err.message, "17000 judges"));
    /* 300 settings x 300 dimensions */
    text_clear(&csv);
    text_add(&csv, HEAD ",setting,dim\n");
    for (int k = 0; k < 300; k++) text_add_format(&csv, "i,x,j,1,s%d,d%d\n", k, k);
    assert_int_equal(desk_read(&d, csv.data, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "score.layers");
    /* a million columns: the table room's limit */
    text_clear(&csv);
    text_add(&csv, "item,author");
    for (int k = 0; k < 1000000; k++) text_add_format(&csv, ",c%d", k);
    text_add(&csv, "\n");
    assert_int_equal(desk_read(&d, csv.data, &err), TARE_E_LIMIT);
    text_free(&csv);
    desk_close(&d);
}

/* More pairs of item and author than are worth a table: units are found by search. */
static void many_items_and_authors(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    mem m = mem_system();
    text csv;
    enum { PAIRS = 3000 };
    desk_open(&d, 2);
    text_init(&csv, &m);
    text_add(&csv, "image,caption,judge,score,gold\n");
    for (int k = 0; k < PAIRS; k++)
        for (int j = 0; j < 2; j++)
            text_add_format(&csv, "i%04d,c%04d,j%d,%d,%d\n", k, (k * 7) % PAIRS, j, k + j, k);
    assert_false(csv.failed);
    d.o.columns.author = "caption";
    assert_ok(desk_read(&d, csv.data, &err));
    assert_int_equal(d.t.units, PAIRS);
    for (size_t u = 0; u < PAIRS; u++) {
        assert_int_equal(d.t.unit_item[u], u);
        assert_int_equal(d.t.unit_author[u], u * 7 % PAIRS);
        assert_close(score_of_unit(&d.t, &d.t.layer[0], u)[1], (double)u + 1);
        assert_close(d.t.layer[0].gold[u], (double)u);
    }
    text_free(&csv);
    desk_close(&d);
}

static void one_row_and_odd_lengths(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 1);
    assert_ok(desk_read(&d, HEAD "\na,x,j,1e308\n", &err));
    assert_int_equal(d.t.units, 1);
    assert_int_equal(d.t.rows, 1);
    assert_close(desk_score(&d, "a", "x", "j"), 1e308);
    /* one length per item and author */
    assert_ok(desk_read(&d, HEAD ",length\na,x,j,1,10\na,x,k,1,20\na,y,k,1,\n", &err));
    assert_close(d.t.length[desk_unit(&d, "a", "x")], 15);
    assert_true(isnan(d.t.length[desk_unit(&d, "a", "y")]));
    assert_true(desk_cautions(&d, "length differs"));
    /* an item without a cluster is one by itself */
    assert_ok(desk_read(&d, HEAD ",cluster\nb,x,j,1,k\na,x,j,1,k\nc,x,j,1,\n", &err));
    assert_int_equal(d.t.cluster.count, 2);
    assert_string_equal(d.t.cluster.name[0], "c");
    assert_int_equal(d.t.item_cluster[0], 1);
    assert_int_equal(d.t.item_cluster[2], 0);
    /* bytes of others are shown, not sent to the terminal */
    assert_int_equal(desk_read(&d, HEAD "\na,x,j,\x1b[31mred\n", &err), TARE_E_DATA);
    assert_null(strchr(err.message, '\x1b'));
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_statuses),
        cmocka_unit_test(columns),
        cmocka_unit_test(what_must_not_vary),
        cmocka_unit_test(sizes),
        cmocka_unit_test(many_items_and_authors),
        cmocka_unit_test(one_row_and_odd_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
