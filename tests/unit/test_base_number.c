/* Numbers: shortest out, exact in, in any locale. */
#include <float.h>
#include <locale.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "support/check.h"

static void assert_written(double v, const char *want)
{
    char got[NUMBER_TEXT_MAX];
    size_t n = number_format(v, got);
    assert_string_equal(got, want);
    assert_int_equal(n, strlen(want));
}

static bool parses(const char *s, double *out)
{
    return number_parse(s, strlen(s), out);
}

/* Digits as Python 3's repr() gives them. */
static void known_values_are_written_shortest(void **state)
{
    (void)state;
    assert_written(0.0, "0");
    assert_written(-0.0, "0");
    assert_written(1, "1");
    assert_written(-2.5, "-2.5");
    assert_written(0.1, "0.1");
    assert_written(0.1 + 0.2, "0.30000000000000004");
    assert_written(1.0 / 3, "0.3333333333333333");
    assert_written(2.0 / 3, "0.6666666666666666");
    assert_written(100, "100");
    assert_written(123456.789, "123456.789");
    assert_written(1e15, "1000000000000000");
    assert_written(1e16, "10000000000000000");
    assert_written(1e17, "1e17");
    assert_written(1.5e300, "1.5e300");
    assert_written(9007199254740993.0, "9007199254740992");
    assert_written(0.0001, "0.0001");
    assert_written(0.00001, "0.00001");
    assert_written(0.000001, "1e-6");
    assert_written(1.25e-7, "1.25e-7");
    assert_written(5e-324, "5e-324");
    assert_written(2.2250738585072014e-308, "2.2250738585072014e-308");
    assert_written(2.225073858507201e-308, "2.225073858507201e-308");
    assert_written(1.7976931348623157e308, "1.7976931348623157e308");
    assert_written(0x1p-44, "5.684341886080802e-14"); /* the nearest 16 digits do not read back */
    assert_written(0x1p-1074 * 3, "1.5e-323");
    assert_written(9.5367431640625e-07, "9.5367431640625e-7");
    assert_written(-1e-5, "-0.00001");
    assert_written(-12345678901234567.0, "-12345678901234568");
}

static double random_double(rng_stream *s)
{
    for (;;) {
        uint64_t bits = rng_u64(s);
        double v;
        memcpy(&v, &bits, 8);
        if (isfinite(v)) return v;
    }
}

/* Numbers of the kinds that occur, against the C library (correctly rounding in glibc). */
static double random_number(rng_stream *s)
{
    double v;
    switch (rng_bounded(s, 6)) {
    case 0: return random_double(s);
    case 1: return rng_uniform(s);
    case 2: return (double)rng_bounded(s, 100000) / 1000;
    case 3: return (double)(rng_u64(s) >> 9) * 1e-4;
    case 4: return ldexp(1, (int)rng_bounded(s, 2098) - 1074);
    default:
        v = (rng_uniform(s) - 0.5) * pow(10, (double)rng_bounded(s, 30) - 15);
        return v;
    }
}

static int significant_digits(const char *s)
{
    int n = 0, zeros = 0;
    for (; *s != '\0' && *s != 'e'; s++) {
        if (*s < '0' || *s > '9' || (n == 0 && *s == '0')) continue;
        n++;
        zeros = *s == '0' ? zeros + 1 : 0;
    }
    return n - zeros;
}

static void random_values_read_back_with_no_digit_too_many(void **state)
{
    (void)state;
    rng_stream s;
    rng_start(&s, rng_key_of(1, "test/number"), 0, 0);
    for (int i = 0; i < 300000; i++) {
        double v = random_number(&s), back, parsed;
        char got[NUMBER_TEXT_MAX], brief[64];
        number_format(v, got);
        back = strtod(got, NULL);
        if (back != v) fail_msg("%.17g was written as %s", v, got);
        assert_true(parses(got, &parsed));
        if (parsed != v) fail_msg("%s was read as %.17g", got, parsed);
        int digits = significant_digits(got);
        if (digits > 1) { /* one digit less does not read back */
            snprintf(brief, sizeof brief, "%.*e", digits - 2, v);
            if (strtod(brief, NULL) == v) fail_msg("%s would do for %s", brief, got);
        }
    }
}

static void reading_agrees_with_the_c_library(void **state)
{
    (void)state;
    rng_stream s;
    rng_start(&s, rng_key_of(2, "test/number"), 0, 0);
    for (int i = 0; i < 300000; i++) {
        char number[96];
        double got, want;
        int length = 1 + (int)rng_bounded(&s, 25), n = 0;
        int point = (int)rng_bounded(&s, 26);
        if (rng_bounded(&s, 2)) number[n++] = '-';
        for (int k = 0; k < length; k++) {
            if (k == point) number[n++] = '.';
            number[n++] = (char)('0' + rng_bounded(&s, 10));
        }
        if (rng_bounded(&s, 2)) {
            int range = rng_bounded(&s, 4) ? 40 : 400;
            n += snprintf(number + n, 16, "e%d",
                          (int)rng_bounded(&s, (uint32_t)range * 2) - range);
        }
        number[n] = '\0';
        want = strtod(number, NULL);
        if (!parses(number, &got)) fail_msg("%s was refused", number);
        if (memcmp(&got, &want, 8) != 0) fail_msg("%s: %.17g, want %.17g", number, got, want);
    }
}

/* Halfway between two doubles, and just above, to hundreds of digits. */
static void midpoints_are_rounded_to_even(void **state)
{
    (void)state;
    double v;
    assert_true(parses("9007199254740993", &v));
    assert_true(v == 9007199254740992.0);
    assert_true(parses("9007199254740993.0000000000000000000000000000000000000001", &v));
    assert_true(v == 9007199254740994.0);
    assert_true(parses("9007199254740995", &v));
    assert_true(v == 9007199254740996.0);
    assert_true(parses("2.4703282292062327208e-324", &v));
    assert_true(v == 0.0);
    assert_true(parses("2.4703282292062327209e-324", &v));
    assert_true(v == 5e-324);
    char digits[1000];
    memset(digits, '0', sizeof digits);
    memcpy(digits, "9007199254740993.", 17);
    digits[998] = '1';
    assert_true(number_parse(digits, 999, &v));
    assert_true(v == 9007199254740994.0);
    digits[998] = '0';
    assert_true(number_parse(digits, 999, &v));
    assert_true(v == 9007199254740992.0);
}

static void grammar_of_numbers(void **state)
{
    (void)state;
    static const char *const good[] = {"1", "+1", "-1", "1.", ".5", "1e5", "1E+5", "1e-5", "007",
                                       "0.0e99999999999999999999", "1e-99999999999999999999"};
    static const char *const bad[] = {"", "-", "+", ".", "e5", "1e", "1e+", "1 ", " 1", "1,5",
                                      "0x10", "1.2.3", "--1", "1e5.0", "infin", "nano", "1_000",
                                      "\xD9\xA1", "NA", "null", "1f", "i"};
    double v;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        v = 99;
        if (!parses(good[i], &v)) fail_msg("%s was refused", good[i]);
        assert_true(v == strtod(good[i], NULL));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parses(bad[i], &v)) fail_msg("'%s' was taken", bad[i]);
    }
    assert_true(parses("NaN", &v) && isnan(v));
    assert_true(parses("-inf", &v) && v == -(double)INFINITY);
    assert_true(parses("INFINITY", &v) && v == (double)INFINITY);
    assert_true(parses("1e999", &v) && v == (double)INFINITY);
    assert_true(parses("-0", &v) && v == 0 && signbit(v));
    assert_false(number_parse("1\0", 2, &v));
}

static void integers_up_to_the_ends(void **state)
{
    (void)state;
    int64_t v;
    assert_true(integer_parse("9223372036854775807", 19, &v) && v == INT64_MAX);
    assert_true(integer_parse("-9223372036854775808", 20, &v) && v == INT64_MIN);
    assert_true(integer_parse("+7", 2, &v) && v == 7);
    assert_false(integer_parse("9223372036854775808", 19, &v));
    assert_false(integer_parse("-9223372036854775809", 20, &v));
    assert_false(integer_parse("", 0, &v));
    assert_false(integer_parse("-", 1, &v));
    assert_false(integer_parse("1.0", 3, &v));
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
    bool comma = false;
    for (size_t i = 0; i < 3 && !comma; i++) comma = setlocale(LC_ALL, names[i]) != NULL;
    double v;
    assert_written(1234.5678, "1234.5678");
    assert_written(0.1 + 0.2, "0.30000000000000004");
    assert_written(1e-300, "1e-300");
    assert_true(parses("1.2345678901234567890123e-100", &v));
    setlocale(LC_ALL, "C");
    assert_true(v == 1.2345678901234567890123e-100);
    if (!comma) print_message("no locale with a decimal comma is installed\n");
}

/* As many digits as the C library needs to read the number back, and the same ones: for numbers of
 * all sizes, and for those that lie next to the middle of two short decimals. */
static void digits_are_those_of_the_c_library(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double v;
        uint64_t some = bits & 0x7fffffffffffffffu;
        memcpy(&v, &some, sizeof v);
        if (i % 2) v = (double)(bits >> 11) / (double)(1 + (bits & 1023)) * (i % 4 == 1 ? 1e-9 : 1);
        if (!(v < 1e300) || v < 1e-300 || v == 0) continue;
        char want[40], got[NUMBER_TEXT_MAX];
        int count = 15;
        for (; count < 17; count++) {
            snprintf(want, sizeof want, "%.*e", count - 1, v);
            if (strtod(want, NULL) == v) break;
        }
        snprintf(want, sizeof want, "%.*e", count - 1, v);
        number_format(v, got);
        char digits[2][40] = {"", ""};
        const char *text[2] = {want, got};
        for (int k = 0; k < 2; k++) {
            size_t n = 0;
            for (const char *s = text[k]; *s && *s != 'e'; s++)
                if (*s >= '0' && *s <= '9' && (n > 0 || *s != '0')) digits[k][n++] = *s;
            while (n > 0 && digits[k][n - 1] == '0') digits[k][--n] = '\0';
        }
        assert_string_equal(digits[0], digits[1]);
        assert_true(strtod(got, NULL) == v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values_are_written_shortest),
        cmocka_unit_test(random_values_read_back_with_no_digit_too_many),
        cmocka_unit_test(reading_agrees_with_the_c_library),
        cmocka_unit_test(midpoints_are_rounded_to_even),
        cmocka_unit_test(grammar_of_numbers),
        cmocka_unit_test(integers_up_to_the_ends),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(digits_are_those_of_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
