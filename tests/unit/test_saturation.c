/* When a probability counts as saturated: all scores in [0, 1], more than 1 % of the unedited
 * images within 1e-6 of an end (scorers 1.4). */
#include <string.h>

#include "audit/saturation.h"
#include "support/check.h"

static size_t cautions(const saturation *x, const char *word)
{
    mem m = mem_system();
    audit_result r;
    tare_error err = {0};
    size_t n;
    result_init(&r, &m);
    assert_ok(saturation_caution(x, "detector", &r, &err));
    n = r.caution_count;
    if (n) assert_non_null(strstr(r.cautions[0], word));
    result_free(&r);
    return n;
}

static saturation of(size_t images, size_t at_one, double one)
{
    saturation x = {0};
    for (size_t i = 0; i < images; i++) saturation_image(&x, i < at_one ? one : 0.5);
    return x;
}

static void test_more_than_one_percent(void **state)
{
    (void)state;
    saturation x = of(200, 2, 1);
    assert_int_equal(cautions(&x, ""), 0); /* 1 % is not more than 1 % */
    x = of(200, 3, 1);
    assert_int_equal(cautions(&x, "3 of 200 unedited images are 1 within 1e-6"), 1);
    x = of(10, 1, 1 - 1e-6);
    assert_int_equal(cautions(&x, "1 of 10"), 1);
    x = of(10, 1, 1 - 1.01e-6);
    assert_int_equal(cautions(&x, ""), 0);
    x = of(10, 1, 1e-6);
    assert_int_equal(cautions(&x, "are 0 within"), 1);
    x = of(10, 1, 1.01e-6);
    assert_int_equal(cautions(&x, ""), 0);
}

static void test_what_is_no_probability(void **state)
{
    (void)state;
    saturation x = of(10, 10, 1);
    assert_int_equal(cautions(&x, "10 of 10"), 1);
    saturation_score(&x, 1.0000001); /* of a variant */
    assert_int_equal(cautions(&x, ""), 0);
    x = of(10, 10, 0);
    saturation_score(&x, -1e-12);
    assert_int_equal(cautions(&x, ""), 0);
    x = of(0, 0, 0);
    assert_int_equal(cautions(&x, ""), 0);
    saturation_image(&x, 0);
    saturation_image(&x, 1);
    assert_int_equal(cautions(&x, "1 of 2"), 2); /* at both ends */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_more_than_one_percent),
                                       cmocka_unit_test(test_what_is_no_probability)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
