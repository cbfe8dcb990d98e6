#include "support/check.h"

#include <locale.h>
#include <string.h>

#include "report/display.h"

static mem m;

static void assert_number(double value, const char *want)
{
    text t;
    text_init(&t, &m);
    display_number(&t, value);
    assert_string_equal(t.data, want);
    text_free(&t);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_number(0.0741236, "0.0741");
    assert_number(-0.0008, "\xE2\x88\x92" "0.000800");
    assert_number(4.3, "4.30");
    assert_number(26.14, "26.1");
    assert_number(123.456, "123");
    assert_number(1470, "1470");
    assert_number(0.99996, "1.00"); /* rounding carries into a new digit */
    assert_number(99.96, "100");
    assert_number(999.6, "1000");
    assert_number(0, "0");
    assert_number(-0.0, "0");
    assert_number(NAN, "\xE2\x80\x93");
    assert_number(-INFINITY, "\xE2\x88\x92\xE2\x88\x9E");
    assert_number(1.2e-7, "1.20\xC3\x97" "10^\xE2\x88\x92" "7");
    assert_number(2.5e9, "2.50\xC3\x97" "10^9");
}

static void assert_p(double p, double floor, const char *want)
{
    text t;
    text_init(&t, &m);
    display_p(&t, p, floor);
    assert_string_equal(t.data, want);
    text_free(&t);
}

/* Scorer audit 12: "p < 0.001" when the floor is 0.0005, in general 2 x floor, rounded up. */
static void test_p(void **state)
{
    (void)state;
    assert_p(0.0005, 0.0005, "<0.001");
    assert_p(1.0 / 2001, 1.0 / 2001, "<0.001");
    assert_p(1e-4, 1e-4, "<0.0002");
    assert_p(0.015625, 0.015625, "<0.04"); /* exact sign flips of 6 bases: 1/64 */
    assert_p(0.5, 0.5, "0.500");
    assert_p(0.034, 0.0005, "0.034");
    assert_p(0.0004, NAN, "<0.001");
    assert_p(0.001, NAN, "0.001");
    assert_p(1, NAN, "1.000");
    assert_p(NAN, NAN, "\xE2\x80\x93");
}

static void assert_estimate(double estimate, double lo, double hi, const char *want)
{
    tare_reading r = {.estimate = estimate, .lo = lo, .hi = hi};
    text t;
    text_init(&t, &m);
    display_estimate(&t, &r);
    text_add_char(&t, ' ');
    display_interval(&t, &r);
    assert_string_equal(t.data, want);
    text_free(&t);
}

static void test_estimates_share_decimals(void **state)
{
    (void)state;
    assert_estimate(0.0741, 0.0412, 0.1077, "0.074 [0.041, 0.108]");
    assert_estimate(0.2, -2.3, 2.6, "0.20 [\xE2\x88\x92" "2.30, 2.60]");
    assert_estimate(-0.0001, -0.0001, 0.025,
                    "\xE2\x88\x92" "0.0001 [\xE2\x88\x92" "0.0001, 0.0250]");
    assert_estimate(-0.00001, -1, 1, "0.00 [\xE2\x88\x92" "1.00, 1.00]"); /* no minus zero */
    assert_estimate(12, 11.5, INFINITY, "12.0 [11.5, \xE2\x88\x9E]");
    assert_estimate(250, 200, 300, "250 [200, 300]");
}

static void test_locale_does_not_matter(void **state)
{
    (void)state;
    const char *set = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    if (!set) set = setlocale(LC_NUMERIC, "de_DE");
    assert_number(4.3, "4.30");
    assert_p(0.034, NAN, "0.034");
    assert_estimate(0.2, -2.3, 2.6, "0.20 [\xE2\x88\x92" "2.30, 2.60]");
    setlocale(LC_NUMERIC, "C");
}

static void test_counts(void **state)
{
    (void)state;
    text t;
    text_init(&t, &m);
    display_count(&t, 999);
    display_count(&t, 1234567);
    assert_string_equal(t.data, "9991\xE2\x80\x89" "234\xE2\x80\x89" "567");
    text_free(&t);
}

static void test_marks(void **state)
{
    (void)state;
    tare_reading r = {.grid = "ii", .marks = "", .q = 0.01, .verdict = TARE_FOUND};
    assert_string_equal(display_q_mark(&r), "\xE2\x9C\x93");
    r.verdict = TARE_INCONCLUSIVE;
    assert_string_equal(display_q_mark(&r), "\xE2\x9C\x97");
    r.marks = "may under-cover,raw only";
    assert_string_equal(display_q_mark(&r), "\xE2\x80\xA0");
    r.marks = "depends on scale";
    assert_string_equal(display_q_mark(&r), "\xE2\x80\xA1");
    r.marks = "missing scores depend on the condition";
    assert_string_equal(display_q_mark(&r), "\xE2\x80\xA1");
    r.verdict = TARE_FOUND;
    assert_string_equal(display_q_mark(&r), "\xE2\x9C\x93");
    r.verdict = TARE_INCONCLUSIVE;
    r.grid = "";
    assert_string_equal(display_q_mark(&r), "");
    for (int k = 0; k < 6; k++) { /* told apart without colour */
        for (int j = 0; j < k; j++)
            assert_string_not_equal(display_verdict_sign((tare_verdict)k),
                                    display_verdict_sign((tare_verdict)j));
    }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_p),
        cmocka_unit_test(test_estimates_share_decimals),
        cmocka_unit_test(test_locale_does_not_matter), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
