/* The transfer table of scorer audit 8: exclusive and exhaustive, and the published numbers. */
#include <string.h>

#include "audit/scorer/transfer.h"
#include "support/check.h"

static const char *class_of(transfer_side reference, transfer_side compared)
{
    return transfer_class_name(transfer_class_of(reference, compared));
}

/* The rows of the table as the specification has them, read once more without the code: which
 * classes hold. */
static size_t rows_that_hold(const char **name, transfer_side s, transfer_side r)
{
    size_t n = 0;
    bool answered = s.answered && r.answered, both = s.significant && r.significant;
    bool opposite = s.estimate * r.estimate < 0;
    double ratio = fabs(r.estimate) / fabs(s.estimate);
    const struct { bool holds; const char *name; } rows[] = {
        {answered && both && opposite, "reversal"},
        {answered && both && !opposite && ratio < 0.80, "attenuation"},
        {answered && both && !opposite && ratio > 1.25, "amplification"},
        {answered && both && !opposite && ratio >= 0.80 && ratio <= 1.25, "unchanged"},
        {answered && s.significant && !r.significant, "collapse"},
        {answered && !s.significant && r.significant, "emergent"},
        {answered && !s.significant && !r.significant, "null"},
        {!answered, "no answer"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].holds) {
            *name = rows[k].name;
            n++;
        }
    return n;
}

static void all_combinations(void **state)
{
    (void)state;
    /* Ratios on both sides of each bound and on it: 0.75, 0.8, 1, 1.25, 1.5 of 4. */
    static const double sizes[] = {3, 3.2, 4, 5, 6};
    size_t seen = 0;
    for (unsigned bits = 0; bits < 64; bits++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            transfer_side s = {bits & 1, bits & 2, bits & 4 ? -4 : 4};
            transfer_side r = {bits & 8, bits & 16, bits & 32 ? -sizes[k] : sizes[k]};
            const char *want = "";
            assert_int_equal(rows_that_hold(&want, s, r), 1);
            assert_string_equal(class_of(s, r), want);
            seen++;
        }
    assert_int_equal(seen, 320);
}

/* Scorer audit 15.2. Where the paper prints only "sig", the numbers have the sign and size that it
 * prints beside it. */
static void published(void **state)
{
    (void)state;
    static const struct {
        const char *what, *class_;
        transfer_side synthetic, real;
    } cells[] = {
        {"LAION FI", "emergent", {true, false, -0.005}, {true, true, 0.074}},
        {"LAION A", "reversal", {true, true, -0.211}, {true, true, 0.032}},
        {"LAION drift", "collapse", {true, true, -26.1}, {true, false, 0.2}},
        {"PickScore FI", "attenuation", {true, true, 3}, {true, true, 1}}, /* about a third */
        {"PickScore drift", "attenuation", {true, true, -5.1}, {true, true, -3.2}},
        {"HPSv2 FI", "reversal", {true, true, 0.0013}, {true, true, -0.0008}},
        {"HPSv2 A", "reversal", {true, true, 0.0013}, {true, true, -0.0027}},
        {"HPSv2 drift", "reversal", {true, true, -14.3}, {true, true, 4.3}},
        {"ImageReward FI", "null", {true, false, 0.01}, {true, false, 0.012}}};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
        if (strcmp(class_of(cells[k].synthetic, cells[k].real), cells[k].class_) != 0)
            fail_msg("%s is %s", cells[k].what, class_of(cells[k].synthetic, cells[k].real));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_combinations),
                                       cmocka_unit_test(published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
