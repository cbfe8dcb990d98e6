/* A result: what is added is there, empty fields say that they are empty, memory may run out. */
#include "audit/result.h"

#include <string.h>

#include "support/check.h"
#include "support/failing_mem.h"

static void test_what_is_added_is_there(void **state)
{
    (void)state;
    tare_error err = {0};
    mem m = mem_system();
    audit_result r;
    static const char *const columns[] = {"a", "b", "c"};
    result_init(&r, &m);
    tare_reading *x = result_add_reading(&r);
    assert_non_null(x);
    assert_string_equal(x->family, "");
    assert_string_equal(x->words, "");
    assert_string_equal(x->reason, "");
    assert_true(isnan(x->estimate) && isnan(x->p) && isnan(x->floor) && isnan(x->p_floor));
    assert_int_equal(x->verdict, TARE_DESCRIPTIVE);
    result_table *t = result_add_table(&r, "name", "Title", columns, 3);
    for (int row = 0; row < 500; row++) {
        cell *c = result_add_row(&r, t);
        assert_non_null(c);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(c[k].kind, CELL_EMPTY);
            assert_string_equal(c[k].text, "");
            c[k] = (cell){CELL_INTEGER, "", NAN, 3 * row + k};
        }
    }
    assert_int_equal(t->row_count, 500);
    for (int i = 0; i < 1500; i++) assert_int_equal(t->cells[i].integer, i);
    assert_string_equal(t->columns[2], "c");
    figure *f = result_add_figure(&r, FIGURE_STRIP, "id", "Title");
    for (int k = 0; k < 100; k++) {
        assert_non_null(result_add_point(&r, f));
        assert_non_null(result_add_picture(&r, f));
    }
    assert_int_equal(f->point_count, 100);
    assert_true(isnan(f->points[99].lo));
    assert_string_equal(f->cells[99].caption, "");
    assert_ok(result_answer(&r, &err, "%d of %s", 3, "four"));
    assert_string_equal(r.answer[0], "3 of four");
    assert_ok(result_caution(&r, &err, "%2000d", 7)); /* no fixed buffer */
    assert_int_equal(strlen(r.cautions[0]), 2000);
    result_missing *gone = result_add_missing(&r);
    assert_string_equal(gone->group, "");
    assert_int_equal(gone->count, 0);
    char key[] = "key";
    assert_ok(result_fact_add(&r, "section", key, "value", &err));
    key[0] = 'x'; /* facts are copies */
    assert_string_equal(r.facts[0].key, "key");
    result_free(&r);
    assert_int_equal(r.reading_count, 0);
    result_free(&r); /* again is harmless */
    result_free(NULL);
}

/* A table of no columns and a reading that moves when the list grows. */
static void test_edges(void **state)
{
    (void)state;
    mem m = mem_system();
    audit_result r;
    result_init(&r, &m);
    result_table *t = result_add_table(&r, "empty", "", NULL, 0);
    assert_non_null(t);
    assert_int_equal(t->row_count, 0);
    for (int k = 0; k < 300; k++) result_add_reading(&r)->n_base = (uint64_t)k;
    for (uint64_t k = 0; k < 300; k++) assert_int_equal(r.readings[k].n_base, k);
    result_free(&r);
}

/* Some of everything. False: memory ran out. */
static bool fill(audit_result *r)
{
    static const char *const columns[] = {"a", "b"};
    tare_error err = {0};
    for (int k = 0; k < 20; k++) {
        if (!result_add_reading(r)) return false;
        result_table *t = result_add_table(r, "name", "Title", columns, 2);
        if (!t || !result_add_row(r, t) || !result_add_row(r, t)) return false;
        figure *f = result_add_figure(r, FIGURE_CURVE, "id", "Title");
        if (!f || !result_add_point(r, f) || !result_add_picture(r, f)) return false;
        if (result_answer(r, &err, "answer %d", k) || result_caution(r, &err, "caution") ||
            result_fact_add(r, "s", "k", "v", &err)) {
            assert_int_equal(err.status, TARE_E_MEMORY);
            return false;
        }
        if (!result_add_missing(r)) return false;
    }
    return true;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    long k = 1;
    for (;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        audit_result r;
        result_init(&r, &m);
        bool filled = fill(&r);
        assert_int_equal(filled, !failing_mem_failed(&f));
        for (size_t i = 0; i < r.table_count; i++) assert_non_null(r.tables[i]->columns[1]);
        result_free(&r);
        assert_int_equal(failing_mem_live(&f), 0);
        if (filled) break;
    }
    assert_true(k > 40); /* lists grow by half, an arena by pages */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_added_is_there),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
