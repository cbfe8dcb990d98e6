/* The small noise run of `tare doctor`: pure functions pass, one that depends on its place in the
 * batch does not. */
#include <string.h>

#include "scorer/noise_trial.h"
#include "support/check.h"

static tare_context *context;

static void test_pure_functions(void **state)
{
    (void)state;
    tare_error err = {0};
    assert_ok(noise_trial(context, "planted:luminance=1,highfreq=1", &err));
    assert_string_equal(err.message, NOISE_TRIAL_AGAIN NOISE_TRIAL_BATCH);
    assert_ok(noise_trial(context, "brisque:", &err));
    assert_string_equal(err.message, NOISE_TRIAL_AGAIN); /* it has no batches */
}

static void test_what_is_not(void **state)
{
    (void)state;
    tare_error err = {0};
    assert_int_equal(noise_trial(context, "planted:luminance=1,position=0.5", &err),
                     TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "in a batch"));
    assert_int_equal(noise_trial(context, "planted:attribute=1", &err), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "no score"));
    assert_int_equal(noise_trial(context, "nothing:", &err), TARE_E_USAGE);
    assert_int_equal(noise_trial(context, "planted:position=0.5", NULL), TARE_E_INSTRUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pure_functions),
                                       cmocka_unit_test(test_what_is_not)};
    if (tare_context_new(&context, NULL, NULL) != TARE_OK) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tare_context_free(context);
    return failed;
}
