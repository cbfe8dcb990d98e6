/* Columns by role: found, guessed, missed. */
#include <string.h>

#include "support/check.h"
#include "table/table.h"

static table *open_header(const mem *m, const char *header)
{
    table *t;
    tare_error err;
    const table_bytes in = {"s.csv", header, strlen(header)};
    assert_ok(table_open_bytes(&t, m, NULL, &in, NULL, &err));
    return t;
}

static void names_in_order_of_trust(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    table *t = open_header(&m, "Base,rating,value,dose,x,x,mine\n");
    table_role roles[] = {
        {"base", "base|image", NULL, true, TABLE_TEXT, 0, 0},
        {"score", "score|value|rating", NULL, true, TABLE_NUMBER, 0, 0},
        {"dose", "dose", NULL, true, TABLE_NUMBER, 0, 0},
        {"cluster", "cluster", NULL, false, TABLE_TEXT, 0, 0},
        {"arm", "arm", "mine", false, TABLE_TEXT, 0, 0},
    };
    assert_ok(table_find_roles(t, roles, 5, &err));
    static const size_t column[] = {0, 2, 3, TABLE_NONE, 6};
    static const table_found found[] = {TABLE_BY_GUESS, TABLE_BY_GUESS, TABLE_BY_NAME,
                                        TABLE_ABSENT, TABLE_BY_OPTION};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(roles[i].column, column[i]);
        assert_int_equal(roles[i].found, found[i]);
    }
    table_free(t);
}

static void what_is_missing_is_explained(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    table *t = open_header(&m, "base,dose,scores,scorer\n");
    table_role score = {"score", "score|value", NULL, true, TABLE_NUMBER, 0, 0};
    assert_int_equal(table_find_roles(t, &score, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.no_role");
    assert_string_equal(err.where, "s.csv:1");
    assert_non_null(strstr(err.message, "--score COLUMN"));
    assert_non_null(strstr(err.message, "did you mean scores?"));
    assert_non_null(strstr(err.message, "base, dose, scores, scorer"));
    score.given = "bsae";
    assert_int_equal(table_find_roles(t, &score, 1, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "table.no_column");
    assert_non_null(strstr(err.message, "did you mean base?"));
    score.given = "something else";
    assert_int_equal(table_find_roles(t, &score, 1, &err), TARE_E_USAGE);
    assert_null(strstr(err.message, "did you mean"));
    table_free(t);
}

static void two_columns_of_one_name(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    table *t = open_header(&m, "base,x,x,Y,y,Z,z\n");
    size_t column;
    assert_int_equal(table_column_find(&column, t, "x", &err), TARE_E_DATA);
    assert_string_equal(err.code, "table.two_columns");
    assert_non_null(strstr(err.message, "2 and 3"));
    assert_ok(table_column_find(&column, t, "base", &err));
    assert_int_equal(column, 0);
    assert_ok(table_column_find(&column, t, "none", &err));
    assert_true(column == TABLE_NONE);
    table_role exact = {"y", "y", NULL, true, TABLE_TEXT, 0, 0}; /* exact beats letter case */
    assert_ok(table_find_roles(t, &exact, 1, &err));
    assert_int_equal(exact.column, 4);
    assert_int_equal(exact.found, TABLE_BY_NAME);
    table_free(t);
}

static void hostile_headers_are_shown_safely(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    char header[5000] = "a\x1B[2J,";
    memset(header + 6, 'n', 4900);
    table *t = open_header(&m, header);
    table_role role = {"score", "score", NULL, true, TABLE_NUMBER, 0, 0};
    assert_int_equal(table_find_roles(t, &role, 1, &err), TARE_E_DATA);
    assert_null(strchr(err.message, 0x1B));
    assert_non_null(strstr(err.message, "..."));
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_order_of_trust),
        cmocka_unit_test(what_is_missing_is_explained),
        cmocka_unit_test(two_columns_of_one_name),
        cmocka_unit_test(hostile_headers_are_shown_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
