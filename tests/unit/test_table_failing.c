/* Each allocation of reading, ordering and writing fails in turn: no leak, the status says so. */
#include <string.h>

#include "base/error.h"
#include "support/check.h"
#include "support/failing_mem.h"
#include "table/table.h"

static const char SOURCE[] = "base,dose,score,note\n"
                             "a,1,2,\"with \"\"quotes\"\"\"\n"
                             "b,1,3,plain\n"
                             "c,2,4,\"two\nlines\"\n";

static tare_status work(const mem *m, pool *p, tare_error *err)
{
    tare_status status = TARE_OK;
    table *t = NULL;
    table_writer *w = NULL;
    uint32_t rank[3], doses[3], *order = NULL;
    double *levels = NULL;
    size_t level_count, kept, dropped, length;
    const char *bytes;
    static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_NUMBER, TABLE_TEXT};
    table_options o = {.chunk_bytes = 30};
    TRY(table_open_bytes(&t, m, p, &(table_bytes){"t.csv", SOURCE, sizeof SOURCE - 1}, &o, err));
    table_role role = {"score", "score", NULL, true, TABLE_NUMBER, 0, 0};
    TRY(table_find_roles(t, &role, 1, err));
    TRY(table_load(t, kinds, err));
    assert_int_equal(table_rows(t), 3);
    table_texts base = table_text_column(t, 0);
    table_numbers dose = table_number_column(t, 1), score = table_number_column(t, 2);
    TRY(table_rank_levels(rank, t, 0, err));
    TRY(table_code_numbers(doses, &levels, &level_count, m, dose.values, 3, err));
    table_key keys[] = {{"base", base.codes, rank, base.levels},
                        {"dose", doses, NULL, level_count}};
    table_sort what = {t, 3, keys, 2, &score.values, 1, NULL, 0};
    TRY(table_sort_rows(&order, &kept, &dropped, m, &what, err));
    TRY_NEW(w = table_writer_new(m, ','));
    table_put_header(w, "a|b");
    table_put_text(w, "x");
    table_put_number(w, 1);
    table_end_row(w);
    TRY(table_writer_text(&bytes, &length, w, err));
done:
    table_writer_free(w);
    mem_free(m, order);
    mem_free(m, levels);
    table_free(t);
    return status;
}

/* JSON has cells to keep, paths to number and texts to unescape; places are found again. */
static tare_status work_json(const mem *m, pool *p, const char *source, tare_error *err)
{
    tare_status status = TARE_OK;
    table *t = NULL;
    static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_TEXT, TABLE_TEXT};
    table_options o = {.chunk_bytes = 30};
    char where[TABLE_WHERE_MAX];
    TRY(table_open_bytes(&t, m, p, &(table_bytes){"t.json", source, strlen(source)}, &o, err));
    TRY(table_load(t, kinds, err));
    assert_int_equal(table_rows(t), 3);
    table_where(where, t, 1, 3); /* without memory the place of the row, else that of the value */
    assert_int_equal(strncmp(where, "t.json:", 7), 0);
done:
    table_free(t);
    return status;
}

#define ROW_1 "{\"base\":\"a\",\"n\":{\"dose\":1},\"note\":\"with \\\"quotes\\\"\"}"
#define ROW_2 "{\"base\":\"b\",\"note\":\"plain\",\"list\":[1, {\"a\":2}]}"
#define ROW_3 "{\"list\":null,\"note\":\"two\\nlines\",\"n\":{\"dose\":3}}"
static const char LINES[] = ROW_1 "\n" ROW_2 "\n" ROW_3 "\n";
static const char ARRAY[] = "[" ROW_1 ",\n" ROW_2 ",\n" ROW_3 "]\n";

static void fail_each(pool *p, int which)
{
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err;
        tare_status status = which == 0 ? work(&m, p, &err)
                                        : work_json(&m, p, which == 1 ? LINES : ARRAY, &err);
        if (failing_mem_live(&f) != 0) fail_msg("k = %ld leaks", k);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > 30);
            return;
        }
        /* Places are told without memory, too. */
        if (status != TARE_E_MEMORY && !(which > 0 && status == TARE_OK)) {
            fail_msg("k = %ld: status %d", k, (int)status);
        }
    }
}

static void in_one_thread(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) fail_each(NULL, which);
}

static void on_three_threads(void **state)
{
    (void)state;
    mem m = mem_system();
    pool *p = pool_new(&m, 3);
    for (int which = 0; which < 3; which++) fail_each(p, which);
    pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_one_thread),
        cmocka_unit_test(on_three_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
