#include "support/check.h"

#include <string.h>

#include "browser/sample_report.h"
#include "report/assets.h"
#include "report/files.h"

static tare_context *context;
static tare_job *job;
static text page;
static arena a;
static tare_error err;

static int setup(void **state)
{
    (void)state;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    job = sample_job(context);
    arena_init(&a, &context->mem);
    text_init(&page, &context->mem);
    return job ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    text_free(&page);
    arena_free(&a);
    sample_free(job);
    tare_context_free(context);
    return 0;
}

static void make(void)
{
    file_names names;
    assert_ok(file_names_make(&names, &a, &job->result, &err));
    text_clear(&page);
    page_html(&page, &job->result, &names);
    assert_false(page.failed);
}

/* The page without our own style sheet and script. */
static void cut(const char *from, const char *to)
{
    char *begin = strstr(page.data, from), *end = begin ? strstr(begin, to) : NULL;
    if (!end) return;
    memmove(begin, end, strlen(end) + 1);
    page.length = strlen(page.data);
}

static size_t count(const char *what)
{
    size_t n = 0;
    for (const char *at = page.data; (at = strstr(at, what)) != NULL; at++) n++;
    return n;
}

static void test_everything_is_said_without_a_script(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    make();
    const audit_result *r = &job->result;
    assert_non_null(strstr(page.data, r->title));
    const char *at = page.data;
    for (size_t i = 0; i < r->answer_count; i++) { /* in order, before the verdicts */
        at = strstr(at, strchr(r->answer[i], ' ')); /* a scorer's name before it is in bold */
        assert_non_null(at);
    }
    assert_true(at < strstr(page.data, "id=\"verdicts\""));
    for (size_t i = 0; i < r->caution_count; i++)
        assert_non_null(strstr(page.data, r->cautions[i]));
    for (int k = 0; k < 5; k++) /* every verdict that the sample has */
        assert_non_null(strstr(page.data, tare_verdict_name((tare_verdict)k)));
    assert_int_equal(count("<tr><td><bdi>skin</bdi></td>") + count("<tr><td><bdi>sham</bdi></td>"),
                     r->reading_count + 2 * 14); /* readings, and two series of two curves */
    assert_non_null(strstr(page.data, "title=\"0.0741236 [0.0412, 0.1077]\""));
    assert_int_equal(count("src=\"data:image/png;base64,"), 14);
    assert_int_equal(count("<figure class=\"chart"), 10);
    assert_non_null(strstr(page.data, "faces/0113.jpg: skin share 0.031"));
    assert_int_equal(count("aria-labelledby=\"check-"), 2); /* a card for each scorer */
    assert_non_null(strstr(page.data, "<summary>1 more that hold</summary>"));
    assert_int_equal(count("<span class=\"check pass\">"), 3);
    assert_int_equal(count("<span class=\"check miss\">"), 2);
    assert_int_equal(count("<span class=\"check open\">"), 1);
    assert_null(strstr(page.data, "<script>alert"));
    assert_non_null(strstr(page.data, "300 of 2100 points. "));
}

static void test_the_page_can_reach_nothing(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    make();
    assert_non_null(strstr(page.data, "content=\"default-src 'none'; img-src data:; "));
    assert_null(strstr(page.data, "unsafe-eval"));
    cut("<style>", "</style>");
    cut("<script>", "</body>");
    assert_int_equal(count("src=\""), 14); /* the pictures */
    assert_null(strstr(page.data, "url("));
    assert_null(strstr(page.data, "@import"));
    assert_null(strstr(page.data, "<link"));
    for (const char *at = page.data; (at = strstr(at, "href=\"")) != NULL; at++) {
        const char *to = at + 6;
        bool inside = *to == '#' || strncmp(to, "tables/", 7) == 0 ||
                      strncmp(to, "figures/", 8) == 0 || strncmp(to, "readings.", 9) == 0;
        assert_true(inside);
    }
}

/* Outside of tags and quoted attributes no attack may leave a tag; all tags must be of our own
 * set. */
static void assert_only_own_tags(void)
{
    static const char own[] =
        " !doctype html head meta title style body a header div p b span nav ul li main section h1 "
        "h2 h3 h4 article table thead tbody tr th td small svg rect path circle details summary dl "
        "dt dd i figure figcaption script bdi img caption footer ";
    for (const char *at = page.data; (at = strchr(at, '<')) != NULL; at++) {
        char name[20] = " ";
        const char *c = at + 1 + (at[1] == '/');
        size_t n = 1;
        while (*c && strchr("> \n", *c) == NULL && n < sizeof name - 2) {
            name[n++] = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
            c++;
        }
        name[n++] = ' ';
        name[n] = 0;
        if (strstr(own, name) == NULL) fail_msg("a foreign tag: %.40s", at);
    }
}

/* No attribute that runs a script, outside of quoted values. */
static void assert_no_handlers(void)
{
    bool tag = false, quoted = false;
    for (const char *c = page.data; *c; c++) {
        if (!tag && *c == '<') tag = true;
        else if (tag && *c == '"') quoted = !quoted;
        else if (tag && !quoted && *c == '>') tag = false;
        else if (tag && !quoted && *c == ' ' && strncmp(c, " on", 3) == 0)
            fail_msg("a handler: %.40s", c);
        if (tag && quoted && *c == '<') fail_msg("a bare < in an attribute: %.40s", c);
    }
    assert_false(tag || quoted);
}

static void test_hostile_text(void **state)
{
    (void)state;
    assert_true(sample_hostile(job));
    make();
    assert_true(utf8_valid(page.data, page.length));
    cut("<style>", "</style>");
    cut("<script>", "</body>");
    assert_only_own_tags();
    assert_no_handlers();
    assert_null(strstr(page.data, "<script>window"));
    assert_null(strstr(page.data, "<img src=x"));
    assert_null(strchr(page.data, 0x1b));
    assert_null(strstr(page.data, "\xE2\x80\xAE")); /* right-to-left override */
    assert_true(count("<script type=\"application/json\"") == count("<script"));
}

static void test_long_names_do_not_blow_up_the_page(void **state)
{
    (void)state;
    char *name = arena_new(&job->result.a, 10001, 1);
    assert_non_null(name);
    memset(name, 'x', 10000);
    tare_reading *r = result_add_reading(&job->result);
    assert_non_null(r);
    r->instrument = r->arm = r->name = r->condition = name;
    make();
    cut("<style>", "</style>");
    cut("<script>", "</body>");
    assert_true(page.length < 60000);
}

static void test_an_empty_result_is_a_page(void **state)
{
    (void)state;
    make();
    cut("<style>", "</style>");
    cut("<script>", "</body>");
    assert_only_own_tags();
    assert_non_null(strstr(page.data, "The data give no answer to this question."));
    assert_non_null(strstr(page.data, "Every input was used."));
    assert_null(strstr(page.data, "id=\"charts\""));
}

static void test_built_without_charts(void **state)
{
    (void)state;
    assert_true(sample_rich(job));
    make();
    bool scripted = asset_report_js_length > 0;
    assert_int_equal(strstr(page.data, "Built without charts") != NULL, !scripted);
    assert_int_equal(count("<script>") == 1, scripted);
    assert_int_equal(strstr(page.data, "script-src 'none'") != NULL, !scripted);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_everything_is_said_without_a_script), TEST(test_the_page_can_reach_nothing),
        TEST(test_hostile_text), TEST(test_long_names_do_not_blow_up_the_page),
        TEST(test_an_empty_result_is_a_page), TEST(test_built_without_charts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
