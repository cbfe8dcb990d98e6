/* Phi to R, Z and Phi~: judge audits A.2, A.3; golden 1 of A.10; a 4 x 3 matrix by NumPy. */
#include "support/check.h"

#include <string.h>

#include "audit/judge/preference.h"

#define MAX_CELLS 64
typedef struct result {
    double r[MAX_CELLS], scaled[MAX_CELLS], z[MAX_CELLS], s[MAX_CELLS];
    uint8_t judge[16], author[16];
} result;

static result of(const double *phi, size_t authors, size_t judges, size_t ddof)
{
    result x;
    memset(&x, 0xA5, sizeof x);
    double scratch[PREFERENCE_SCRATCH(16, 16)];
    preference out = {x.r, x.scaled, x.z, x.s, x.judge, x.author};
    preference_of(&out, phi, &(preference_shape){authors, judges, ddof}, scratch);
    return x;
}

static const double toy[] = {80, 60, 70, 70, 72, 66, 60, 55, 75};

/* Golden 1 of A.10, to the printed digits. */
static void test_toy(void **state)
{
    (void)state;
    static const double standardised[] = {1.399991, -.873256, -.526735, -.057389, 1.252431,
                                          -1.195042, -.792278, -.618367, 1.410645};
    static const double first_ddof1[] = {1.143088, -.713010, -.430077};
    result x = of(toy, 3, 3, 0), y = of(toy, 3, 3, 1);
    for (size_t k = 0; k < 9; k++) assert_within(x.s[k], standardised[k], 0, 5e-7);
    for (size_t k = 0; k < 3; k++) assert_within(y.s[k], first_ddof1[k], 0, 5e-7);
    static const double r[] = {7.555556, 7.888889, 8.888889}, z[] = {.955705, 1.295709, 1.595913};
    for (size_t k = 0; k < 3; k++) {
        assert_within(x.r[4 * k], r[k], 0, 5e-7);
        assert_within(x.z[4 * k], z[k], 0, 5e-7);
    }
}

/* Invariance to a s + b per judge; rows of Phi~ have mean 0 and mean square 1; the bound. */
static void test_properties(void **state)
{
    (void)state;
    double moved[9];
    static const double a[] = {.01, 3, 1e6}, b[] = {-4, 0, 1e7};
    for (size_t k = 0; k < 9; k++) moved[k] = a[k % 3] * toy[k] + b[k % 3];
    result x = of(toy, 3, 3, 0), y = of(moved, 3, 3, 0);
    for (size_t g = 0; g < 3; g++) {
        double sum = 0, square = 0;
        for (size_t e = 0; e < 3; e++) {
            assert_close(y.s[3 * g + e], x.s[3 * g + e]);
            assert_close(y.z[3 * g + e], x.z[3 * g + e]);
            assert_true(fabs(x.s[3 * g + e]) <= sqrt(2) + 1e-12);
            sum += x.s[3 * g + e];
            square += x.s[3 * g + e] * x.s[3 * g + e];
        }
        assert_close(sum, 0);
        assert_close(square, 3);
    }
}

/* A constant judge gets a zero column, a constant author a zero row; both are flagged, also where
 * the means differ by rounding only. */
static void test_constant(void **state)
{
    (void)state;
    static const double judge[] = {80, .1 + .2, 70, 70, .3, 66, 60, .3, 75};
    result x = of(judge, 3, 3, 0);
    assert_int_equal(x.judge[0] + x.judge[2], 0);
    assert_int_equal(x.judge[1], 1);
    for (size_t g = 0; g < 3; g++) assert_true(x.scaled[3 * g + 1] == 0);
    /* Two authors: Phi' is +1 or -1, so judges that agree on the order make constant rows. */
    static const double two[] = {1, 5, 30, 2, 7, 31};
    x = of(two, 2, 3, 0);
    assert_int_equal(x.author[0] + x.author[1], 2);
    for (size_t k = 0; k < 6; k++) assert_true(x.s[k] == 0 && x.z[k] == 0);
}

/* The mean of all judges as one more judge: R of its column is 0 exactly (B.3). */
static void test_mean_panel(void **state)
{
    (void)state;
    double phi[12];
    for (size_t g = 0; g < 3; g++) {
        double sum = 0;
        for (size_t e = 0; e < 3; e++) sum += phi[4 * g + e] = toy[3 * g + e] / 7 + .1;
        phi[4 * g + 3] = sum / 3;
    }
    result x = of(phi, 3, 4, 0);
    for (size_t g = 0; g < 3; g++) assert_true(x.r[4 * g + 3] == 0);
    assert_true(x.r[0] != 0);
}

static void test_nan(void **state)
{
    (void)state;
    double phi[9];
    memcpy(phi, toy, sizeof phi);
    phi[4] = NAN;
    result x = of(phi, 3, 3, 0);
    assert_true(isnan(x.r[0]) && isnan(x.s[4]) && isnan(x.z[3]));
    assert_int_equal(x.judge[0] + x.judge[1] + x.judge[2], 0);
}

/* Some outputs only. */
static void test_parts(void **state)
{
    (void)state;
    double scratch[PREFERENCE_SCRATCH(3, 3)], r[9], s[9];
    result x = of(toy, 3, 3, 0);
    preference_of(&(preference){.residual = r}, toy, &(preference_shape){3, 3, 0}, scratch);
    assert_memory_equal(r, x.r, sizeof r);
    preference_of(&(preference){.standardised = s}, toy, &(preference_shape){3, 3, 0}, scratch);
    assert_memory_equal(s, x.s, sizeof s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toy), cmocka_unit_test(test_properties),
        cmocka_unit_test(test_constant), cmocka_unit_test(test_mean_panel),
        cmocka_unit_test(test_nan), cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
