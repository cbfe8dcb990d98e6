/* Long score tables: canonical order, columns, statuses, repeats, duplicates (judge audits 0.1 to
 * 0.3). */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"

static void long_table(void **state)
{
    (void)state;
    score_desk d;
    tare_error err = {0};
    desk_open(&d, 2);
    assert_ok(desk_read(&d,
                        "judge,item,author,score,setting,dim,gold,rep,status\n"
                        "m2,q1,m1,4,ref,style,3,0,\n"
                        "m2,q1,m1,6,ref,style,3,1,ok\n"
                        "m1,q1,m1,7,ref,style,3,0,\n"
                        "m1,q1,m1,,ref,style,3,1,refused\n"
                        "m1,q0,m2,5,free,style,,0,\n"
                        "m2,q0,m2,,free,style,,0,unparsed\n"
                        "m1,q0,human,1e308,free,style,2.5,0,\n",
                        &err));
    const score_table *t = &d.t;
    assert_int_equal(t->item.count, 2);
    assert_string_equal(t->item.name[0], "q0");
    assert_int_equal(t->author.count, 3);
    assert_string_equal(t->author.name[0], "human");
    assert_int_equal(t->judge.count, 2);
    assert_int_equal(t->layers, 2);
    assert_string_equal(t->setting.name[t->layer[0].setting], "free");
    assert_int_equal(t->units, 3);
    assert_int_equal(t->reps, 2);
    assert_int_equal(t->duplicates, 0);
    /* judges that are authors */
    assert_int_equal(t->author_of_judge[0], 1);
    assert_int_equal(t->author_of_judge[1], 2);
    assert_string_equal(desk_fact(&d, "Judges", "m1"), "also an author");
    /* free: units (q0, human), (q0, m2) */
    assert_close(desk_score(&d, "q0", "human", "m1"), 1e308);
    assert_int_equal(desk_reason(&d, "q0", "human", "m2"), TARE_R_ABSENT);
    assert_int_equal(desk_reason(&d, "q0", "m2", "m2"), TARE_R_UNPARSED);
    assert_true(isnan(desk_score(&d, "q0", "m2", "m2")));
    /* ref: repeats averaged over the ok ones */
    const score_layer *ref = &t->layer[1];
    size_t u = desk_unit(&d, "q1", "m1");
    assert_close(ref->score[u * 2 + 0], 7);
    assert_close(ref->score[u * 2 + 1], 5);
    assert_close(ref->gold[u], 3);
    assert_true(isnan(t->layer[0].gold[desk_unit(&d, "q0", "m2")]));
    /* gold belongs to the dimension, not to the setting */
    assert_close(ref->gold[desk_unit(&d, "q0", "human")], 2.5);
    /* rows: absent ones only where unit and judge occur in the layer */
    assert_int_equal(t->rows, 8);
    missing_counts all = score_table_missing(t, SIZE_MAX, SIZE_MAX, SIZE_MAX);
    assert_int_equal(all.expected, 8);
    assert_int_equal(all.used, 5);
    assert_int_equal(all.by_reason[TARE_R_ABSENT], 1);
    assert_int_equal(all.by_reason[TARE_R_REFUSED], 1);
    assert_int_equal(all.by_reason[TARE_R_UNPARSED], 1);
    missing_counts one = score_table_missing(t, 1, 1, 0);
    assert_int_equal(one.expected, 2);
    assert_int_equal(one.used, 1);
    size_t *index;
    assert_ok(score_table_index(&index, &d.a, t, &err));
    assert_int_equal(index[1 * 3 + 1], u);
    assert_true(index[1 * 3 + 0] == SIZE_MAX);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
