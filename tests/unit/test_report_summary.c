#include "support/check.h"
#include "support/failing_mem.h"

#include <string.h>

#include "browser/sample_report.h"
#include "report/plain.h"

static tare_context *context;
static tare_job *job;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    job = sample_job(context);
    return job ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    sample_free(job);
    tare_context_free(context);
    return 0;
}

static char *summary(unsigned columns, int colour)
{
    char *out = NULL;
    assert_ok(tare_report_summary(&out, job, columns, colour, &err));
    assert_non_null(out);
    return out;
}

/* Every line fits. Rows of a table keep a least width, so that the narrowest terminals may wrap
 * them. */
static void assert_fits(char *whole, size_t columns)
{
    for (char *at = strtok(whole, "\n"); at; at = strtok(NULL, "\n")) {
        if (plain_width(at) > columns) fail_msg("%zu columns: %s", plain_width(at), at);
    }
}

static void test_says_what_matters(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    char *s = summary(100, 0);
    assert_ptr_equal(strstr(s, job->result.title), s);
    const char *const said[] = {
        "neither preference", "laion-v2\n", "hpsv2\n",
        "0.074 [0.041, 0.108] score", "q <0.001 \xE2\x9C\x93", "\xE2\x97\x8F found",
        "q 0.059 \xE2\x80\xA0", "? inconclusive", "\xE2\x97\x8B negligible", "\xE2\x97\x90 small",
        "\xE2\x80\x93 no answer", "near-symmetric", "Before you use this answer", "  ! An L* shift",
        "3 of 214 bases: no skin (skin, group A)"};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        if (!strstr(s, said[k])) fail_msg("not said: %s", said[k]);
    }
    assert_null(strstr(s, "noise.sd")); /* untested readings are left to the report */
    assert_null(strchr(s, 0x1b));
    tare_text_free(context, s);
}

static void test_fits_the_terminal(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    for (unsigned columns = 64; columns <= 200; columns += 4) {
        char *s = summary(columns, 0);
        assert_fits(s, columns);
        tare_text_free(context, s);
    }
    char *s = summary(0, 0);
    assert_fits(s, 80);
    tare_text_free(context, s);
    tare_text_free(context, summary(1, 0)); /* absurd widths do no harm */
    tare_text_free(context, summary(4000000000u, 0));
}

static void test_wide_names_line_up(void **state)
{
    (void)state;
    /* Two wide characters, four columns. */
    static const char *const arms[] = {"\xE8\x82\x8C\xE8\x89\xB2", "skin"};
    for (size_t k = 0; k < 2; k++) {
        tare_reading *r = result_add_reading(&job->result);
        assert_non_null(r);
        r->instrument = "s";
        r->arm = arms[k];
        r->name = "FI";
        r->grid = "ii";
        r->estimate = 1;
        r->q = .5;
        r->verdict = TARE_INCONCLUSIVE;
    }
    char *s = summary(80, 0), *first = strstr(s, arms[0]), *second = strstr(s, "  skin") + 2;
    *strstr(first, "FI") = 0;
    size_t at = plain_width(first);
    *strstr(second, "FI") = 0;
    assert_int_equal(at, plain_width(second));
    tare_text_free(context, s);
}

static void test_colour(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    char *plain = summary(100, 0), *coloured = summary(100, 1), *to = coloured;
    size_t open = 0, closed = 0;
    for (char *c = coloured; *c;) {
        if (*c != 0x1b) {
            *to++ = *c++;
            continue;
        }
        if (strncmp(c, "\x1b[0m", 4) == 0) closed++;
        else open++;
        c = strchr(c, 'm') + 1;
    }
    *to = 0;
    assert_true(open > 10);
    assert_int_equal(open, closed);
    assert_string_equal(coloured, plain); /* colour adds nothing but colour */
    tare_text_free(context, plain);
    tare_text_free(context, coloured);
}

static void test_hostile_text_cannot_steer_the_terminal(void **state)
{
    (void)state;
    assert_true(sample_hostile(job));
    char *s = summary(80, 0);
    assert_true(utf8_valid(s, strlen(s)));
    for (const char *c = s; *c; c++) assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    assert_null(strstr(s, "\xC2\x9B"));
    assert_null(strstr(s, "\xE2\x80\xAE"));
    assert_fits(s, 80);
    tare_text_free(context, s);
}

static void test_without_a_result(void **state)
{
    (void)state;
    char *out = NULL;
    job->has_result = 0;
    assert_int_equal(tare_report_summary(&out, job, 80, 0, &err), TARE_E_USAGE);
    assert_null(out);
    tare_text_free(context, NULL);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    failing_mem f;
    mem bad = failing_mem_start(&f, 0);
    tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
    options.user = bad.user;
    options.resize = bad.resize;
    tare_context *c = NULL;
    assert_ok(tare_context_new(&c, &options, &err));
    tare_job *other = sample_job(c);
    assert_non_null(other);
    assert_true(sample_rich(other));
    char *whole = NULL;
    assert_ok(tare_report_summary(&whole, other, 80, 1, &err));
    long live = failing_mem_live(&f), failures = 0;
    for (long k = 1;; k++) {
        char *out = NULL;
        atomic_store(&f.failed, false);
        atomic_store(&f.left, k);
        tare_status status = tare_report_summary(&out, other, 80, 1, &err);
        atomic_store(&f.left, 0);
        bool failed = failing_mem_failed(&f);
        if (status == TARE_OK) { /* nothing failed, or only the wish to give memory back */
            assert_string_equal(out, whole);
        } else {
            assert_int_equal(status, TARE_E_MEMORY);
            assert_null(out);
            failures++;
        }
        tare_text_free(c, out);
        assert_int_equal(failing_mem_live(&f), live);
        if (!failed) break;
    }
    assert_true(failures > 10);
    tare_text_free(c, whole);
    sample_free(other);
    tare_context_free(c);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_says_what_matters), TEST(test_fits_the_terminal), TEST(test_wide_names_line_up),
        TEST(test_colour), TEST(test_hostile_text_cannot_steer_the_terminal),
        TEST(test_without_a_result), TEST(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
