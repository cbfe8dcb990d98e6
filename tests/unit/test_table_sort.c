/* Canonical order and duplicate keys. */
#include <string.h>

#include "base/rng.h"
#include "support/check.h"
#include "table/table.h"

static void order_is_that_of_the_keys(void **state)
{
    (void)state;
    enum { N = 5000, KEYS = 4 };
    /* 21 + 20 + 24 + 3 bits: two words */
    static const size_t levels[KEYS] = {2000000, 1000000, 10000000, 7};
    static uint32_t codes[KEYS][N];
    table_key keys[KEYS];
    rng_stream s;
    mem m = mem_system();
    tare_error err;
    rng_start(&s, rng_key_of(4, "test/sort"), 0, 0);
    for (size_t k = 0; k < KEYS; k++) {
        keys[k] = (table_key){"k", codes[k], NULL, levels[k]};
        for (size_t i = 0; i < N; i++) { /* few distinct ones, at both ends of the range */
            uint32_t c = rng_bounded(&s, 6);
            codes[k][i] = c < 3 ? c : (uint32_t)levels[k] - 1 - (c - 3);
        }
    }
    static double value[N]; /* all equal: duplicates are dropped */
    const double *values[] = {value};
    table_sort what = {NULL, N, keys, KEYS, values, 1, NULL, 0};
    uint32_t *order;
    size_t kept, dropped;
    assert_ok(table_sort_rows(&order, &kept, &dropped, &m, &what, &err));
    assert_int_equal(kept + dropped, N);
    assert_true(kept > 900 && kept <= 6 * 6 * 6 * 6);
    for (size_t i = 1; i < kept; i++) {
        int sign = 0;
        for (size_t k = 0; k < KEYS && sign == 0; k++) {
            uint32_t x = codes[k][order[i - 1]], y = codes[k][order[i]];
            sign = (x > y) - (x < y);
        }
        assert_int_equal(sign, -1);
    }
    for (size_t i = 0; i < kept; i++) { /* the first of its kind was kept */
        for (size_t r = 0; r < order[i]; r++) {
            bool same = true;
            for (size_t k = 0; k < KEYS; k++) same &= codes[k][r] == codes[k][order[i]];
            assert_false(same);
        }
    }
    mem_free(&m, order);
}

static const char SOURCE[] = "base,dose,score\n"
                             "b,0.5,1\n"
                             "a,1,2\n"
                             "a,-0.0,3\n"
                             "\n"
                             "B,0.50,4\n"
                             "b,5e-1,1\n"
                             "a,0,3\n";

static tare_status sort_source(uint32_t **order, size_t *kept, size_t *dropped,
                               const char *source, tare_error *err)
{
    static const unsigned kinds[] = {TABLE_TEXT, TABLE_NUMBER, TABLE_NUMBER};
    mem m = mem_system();
    table *t;
    uint32_t rank[10], doses[10];
    double *dose_levels;
    size_t dose_count;
    tare_error other;
    const table_bytes in = {"s.csv", source, strlen(source)};
    assert_int_equal(table_open_bytes(&t, &m, NULL, &in, NULL, &other),
                     TARE_OK);
    assert_int_equal(table_load(t, kinds, &other), TARE_OK);
    table_texts base = table_text_column(t, 0);
    table_numbers dose = table_number_column(t, 1), score = table_number_column(t, 2);
    size_t rows = table_rows(t);
    assert_int_equal(table_rank_levels(rank, t, 0, &other), TARE_OK);
    assert_int_equal(table_code_numbers(doses, &dose_levels, &dose_count, &m, dose.values, rows,
                                        &other),
                     TARE_OK);
    assert_int_equal(dose_count, 3);
    assert_true(dose_levels[0] == 0 && !signbit(dose_levels[0]));
    assert_true(dose_levels[1] == 0.5 && dose_levels[2] == 1);
    table_key keys[] = {{"base", base.codes, rank, base.levels}, {"dose", doses, NULL, dose_count}};
    table_sort what = {t, rows, keys, 2, &score.values, 1, NULL, 0};
    tare_status status = table_sort_rows(order, kept, dropped, &m, &what, err);
    mem_free(&m, dose_levels);
    table_free(t);
    return status;
}

static void equal_rows_are_dropped_and_counted(void **state)
{
    (void)state;
    static const uint32_t want[] = {3, 2, 1, 0}; /* B before a before b: bytes */
    uint32_t *order;
    size_t kept, dropped;
    tare_error err;
    mem m = mem_system();
    assert_ok(sort_source(&order, &kept, &dropped, SOURCE, &err));
    assert_int_equal(kept, 4);
    assert_int_equal(dropped, 2);
    assert_memory_equal(order, want, sizeof want);
    mem_free(&m, order);
}

static void other_values_for_the_same_key_are_refused(void **state)
{
    (void)state;
    char source[sizeof SOURCE];
    uint32_t *order;
    size_t kept, dropped;
    tare_error err;
    memcpy(source, SOURCE, sizeof SOURCE);
    source[sizeof SOURCE - 3] = '9';
    assert_int_equal(sort_source(&order, &kept, &dropped, source, &err), TARE_E_DATA);
    assert_null(order);
    assert_string_equal(err.code, "table.duplicate_key");
    assert_string_equal(err.where, "s.csv:8");
    assert_non_null(strstr(err.message, "lines 4 and 8"));
    assert_non_null(strstr(err.message, "base, dose"));
}

static void values_are_compared_by_bits(void **state)
{
    (void)state;
    static const uint32_t key[2] = {0, 0}, code_a[2] = {1, 1}, code_b[2] = {1, 2};
    double nan_values[2] = {(double)NAN, (double)NAN}, zeros[2] = {0.0, -0.0};
    const double *values[] = {nan_values};
    const uint32_t *codes[] = {code_a};
    table_key keys[] = {{"k", key, NULL, 1}};
    table_sort what = {NULL, 2, keys, 1, values, 1, codes, 1};
    mem m = mem_system();
    uint32_t *order;
    size_t kept, dropped;
    tare_error err;
    assert_ok(table_sort_rows(&order, &kept, &dropped, &m, &what, &err));
    assert_int_equal(dropped, 1);
    mem_free(&m, order);
    values[0] = zeros;
    assert_int_equal(table_sort_rows(&order, &kept, &dropped, &m, &what, &err), TARE_E_DATA);
    values[0] = nan_values;
    codes[0] = code_b;
    assert_int_equal(table_sort_rows(&order, &kept, &dropped, &m, &what, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "rows 1 and 2"));
}

static void no_rows_and_many_numbers(void **state)
{
    (void)state;
    enum { N = 3000 };
    mem m = mem_system();
    tare_error err;
    uint32_t *order, codes[N];
    size_t kept, dropped, count;
    double *levels, values[N];
    table_sort none = {NULL, 0, NULL, 0, NULL, 0, NULL, 0};
    assert_ok(table_sort_rows(&order, &kept, &dropped, &m, &none, &err));
    assert_int_equal(kept, 0);
    mem_free(&m, order);
    assert_ok(table_code_numbers(codes, &levels, &count, &m, values, 0, &err));
    assert_int_equal(count, 0);
    mem_free(&m, levels);
    for (int i = 0; i < N; i++) values[i] = (i * 7 % N) / 3.0 - 100;
    assert_ok(table_code_numbers(codes, &levels, &count, &m, values, N, &err));
    assert_int_equal(count, N);
    for (int i = 0; i < N; i++) assert_int_equal(codes[i], i * 7 % N);
    for (int i = 0; i < N; i++) assert_true(levels[codes[i]] == values[i]);
    mem_free(&m, levels);
    values[5] = (double)NAN;
    assert_int_equal(table_code_numbers(codes, &levels, &count, &m, values, N, &err), TARE_E_BUG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_that_of_the_keys),
        cmocka_unit_test(equal_rows_are_dropped_and_counted),
        cmocka_unit_test(other_values_for_the_same_key_are_refused),
        cmocka_unit_test(values_are_compared_by_bits),
        cmocka_unit_test(no_rows_and_many_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
