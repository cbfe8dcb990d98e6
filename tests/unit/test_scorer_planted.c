/* planted: every term does what its help says; the stubs of scorer audit 15.6 can be written. */
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/planted.h"
#include "scorer/scorer.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;

static int open_context(void **state)
{
    (void)state;
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_context(void **state)
{
    (void)state;
    tare_context_free(context);
    return 0;
}

static scorer *opened(const char *spec)
{
    scorer *s = NULL;
    assert_ok(scorer_open(&s, context, spec, NULL, &err));
    return s;
}

static const scorer_item plain = {.key = "skin/+5/b1", .base = "b1", .arm = "real/skin",
                                  .group = "g", .prompt = "", .dose = 5, .attribute = 30,
                                  .artifact = .25, .pixels = NULL};

static scorer_result score(const char *spec, scorer_item item)
{
    scorer *s = opened(spec);
    scorer_result r;
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    scorer_close(s);
    return r;
}

static double value(const char *spec, scorer_item item)
{
    scorer_result r = score(spec, item);
    assert_int_equal(r.status, TARE_R_NONE);
    return r.value;
}

static void test_terms(void **state)
{
    (void)state;
    assert_close(value("planted:offset=.27", plain), .27);
    assert_close(value("planted:constant", plain), 0);
    assert_close(value("planted:constant=3", plain), 3);
    assert_close(value("planted:dose=.1,offset=1", plain), 1.5);
    assert_close(value("planted:absdose=.1", plain), -.5);
    assert_close(value("planted:fidelity=.1", plain), -.5);
    assert_close(value("planted:attribute=2", plain), 60);
    assert_close(value("planted:clip=2", plain), -.5);
    assert_close(value("planted:group=g:2", plain), 10);
    assert_close(value("planted:group=h:2", plain), 0);
    assert_close(value("planted:arm=real:2", plain), 10);
    assert_close(value("planted:arm=skin:2", plain), 10);
    assert_close(value("planted:arm=real/skin:2", plain), 10);
    assert_close(value("planted:arm=rea:2", plain), 0);
    assert_close(value("planted:quantum=2,offset=3.2", plain), 4);
    scorer_item width = plain;
    width.dose = 1.2;
    assert_close(value("planted:neutral=1,fidelity=10", width), -2);
    /* Order of terms does not matter to the sum; a term may come twice. */
    assert_close(value("planted:dose=1,dose=2", plain), 15);
}

static void test_half(void **state)
{
    (void)state;
    /* IEEE 754 binary16: step 2^-12 in [.25, .5), largest 65504, smallest 2^-24. */
    assert_true(planted_half(.27) == 1106.0 / 4096.0);
    assert_true(planted_half(-.27) == -1106.0 / 4096.0);
    assert_true(planted_half(1.0 + 1.0 / 2048) == 1.0);         /* tie to even, down */
    assert_true(planted_half(1.0 + 3.0 / 2048) == 1.0 + 2.0 / 1024); /* tie to even, up */
    assert_true(planted_half(65504) == 65504);
    assert_true(isinf(planted_half(65520)));
    assert_true(planted_half(ldexp(1, -24)) == ldexp(1, -24));
    assert_true(planted_half(ldexp(1, -26)) == 0);
    assert_int_equal(score("planted:offset=70000,fp16", plain).status, TARE_R_SCORE_NONFINITE);
}

static void test_draws(void **state)
{
    (void)state;
    enum { N = 4000 };
    double mean = 0, square = 0;
    size_t failed = 0, nan = 0;
    scorer *noise = opened("planted:noise=2"), *fail = opened("planted:fail=.1"),
           *not_a_number = opened("planted:nan=.3,offset=1");
    for (int i = 0; i < N; i++) {
        char key[32];
        scorer_item item = plain;
        snprintf(key, sizeof key, "skin/0/%d", i);
        item.key = key;
        scorer_result r, again;
        assert_ok(scorer_score(noise, &r, &item, 1, &err));
        assert_ok(scorer_score(noise, &again, &item, 1, &err));
        assert_true(r.value == again.value);
        mean += r.value / N;
        square += r.value * r.value / N;
        assert_ok(scorer_score(fail, &r, &item, 1, &err));
        failed += r.status == TARE_R_SCORER_ERROR;
        assert_ok(scorer_score(not_a_number, &r, &item, 1, &err));
        nan += r.status == TARE_R_SCORE_NONFINITE;
        assert_true(r.status == TARE_R_NONE ? r.value == 1 : isnan(r.value));
    }
    /* Five standard errors of 4000 draws: 2/sqrt(4000), 4 sqrt(2/4000), sqrt(.09/4000) .. */
    assert_within(mean, 0, 0, .16);
    assert_within(square, 4, 0, .45);
    assert_within((double)failed / N, .1, 0, .024);
    assert_within((double)nan / N, .3, 0, .037);
    scorer_close(noise);
    scorer_close(fail);
    scorer_close(not_a_number);
    assert_true(value("planted:noise=1", plain) != value("planted:noise=1,seed=2", plain));
    scorer_item other = plain;
    other.key = "skin/-5/b1";
    other.dose = -5;
    assert_true(value("planted:base=1", plain) == value("planted:base=1", other));
    assert_true(value("planted:ties=1,base=1,dose=3", plain) == value("planted:base=1", other));
    assert_true(value("planted:ties=0,dose=3", plain) == 15);
}

static void test_not_measured_is_missing(void **state)
{
    (void)state;
    scorer_item item = plain;
    item.dose = item.attribute = item.artifact = NAN;
    assert_int_equal(score("planted:dose=1", item).status, TARE_R_MISSING);
    assert_int_equal(score("planted:attribute=1", item).status, TARE_R_MISSING);
    assert_int_equal(score("planted:clip=1", item).status, TARE_R_MISSING);
    assert_int_equal(score("planted:luminance=1", item).status, TARE_R_MISSING);
    assert_int_equal(score("planted:group=other:1", item).status, TARE_R_NONE);
}

static void test_pixels(void **state)
{
    (void)state;
    image p;
    memset(&p, 0, sizeof p);
    assert_ok(image_new(&p, &context->mem, 3, 3, &err));
    memset(p.rgb, 0, 27);
    memset(p.rgb + 12, 255, 3); /* the middle: Laplacian 4 x 255 */
    scorer_item item = plain;
    item.pixels = &p;
    assert_close(value("planted:luminance=1", item), 1.0 / 9);
    assert_close(value("planted:highfreq=1", item), 16);
    scorer *s = opened("planted:highfreq=1,offset=2");
    assert_true(scorer_describe(s)->cacheable && scorer_describe(s)->needs_pixels);
    scorer_close(s);
    s = opened("planted:highfreq=1,dose=2");
    assert_false(scorer_describe(s)->cacheable);
    scorer_close(s);
    image_free(&p, &context->mem);
}

static void test_position_and_padding(void **state)
{
    (void)state;
    scorer *s = opened("planted:position=.01");
    scorer_item items[8];
    scorer_result r[8];
    assert_int_equal(scorer_describe(s)->batch, 8);
    for (int i = 0; i < 8; i++) items[i] = plain;
    assert_ok(scorer_score(s, r, items, 8, &err));
    for (int i = 0; i < 8; i++) assert_close(r[i].value, .01 * i);
    assert_ok(scorer_score(s, r, items, 3, &err));
    for (int i = 0; i < 3; i++) assert_close(r[i].value, .01 * i);
    assert_int_equal(scorer_score(s, r, items, 9, &err), TARE_E_BUG);
    assert_ok(scorer_score(s, r, items, 0, &err));
    scorer_close(s);
}

static void test_bad_specs(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "planted:", "planted:dos=1", "planted:dose", "planted:dose=", "planted:dose=x",
        "planted:dose=nan", "planted:dose=1e999", "planted:fp16=1", "planted:noise=-1",
        "planted:noise=0", "planted:fail=1.5", "planted:group=g", "planted:group=:1",
        "planted:group=g:x", "planted:dose=1,", "planted:,dose=1", "planted:seed=1.5",
        "planted:seed=-1", "planted:dose=1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scorer *s = NULL;
        if (scorer_open(&s, context, bad[i], NULL, &err) != TARE_E_USAGE)
            fail_msg("accepted: %s", bad[i]);
        assert_null(s);
    }
    char many[600] = "planted:offset=1";
    for (int i = 0; i < 40; i++) strcat(many, ",offset=1");
    scorer *s = NULL;
    assert_int_equal(scorer_open(&s, context, many, NULL, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "planted.terms");
}

static void test_names_and_identity(void **state)
{
    (void)state;
    scorer *a = opened("planted:dose=1.50,fp16"), *b = opened("planted:dose=15e-1,fp16"),
           *c = opened("planted:dose=1.5");
    assert_string_equal(scorer_describe(a)->name, "planted:dose=1.5,fp16");
    assert_string_equal(scorer_describe(a)->identity_hash, scorer_describe(b)->identity_hash);
    assert_string_not_equal(scorer_describe(a)->identity_hash, scorer_describe(c)->identity_hash);
    assert_string_equal(scorer_describe(a)->identity,
                        "{\"kind\":\"planted\",\"terms\":\"dose=1.5,fp16\",\"version\":1}");
    scorer_close(a);
    scorer_close(b);
    scorer_close(c);
    a = opened("planted:dose=1,attribute=1,clip=1,luminance=1,highfreq=1,base=1,noise=1,quantum=1");
    assert_true(strlen(scorer_describe(a)->name) < 24);
    scorer_close(a);
}

/* ---- scorer audit 15.6 --------------------------------------------------------- */

static const double doses[7] = {-15, -10, -5, 0, 5, 10, 15};

/* N, P, FI, A of one base under `all` and FI under `extreme` (scorer audit 5.1). */
static void curve(double out[5], const char *spec, scorer_item item)
{
    double d[7], neutral = 0;
    scorer *s = opened(spec);
    for (int i = 0; i < 7; i++) {
        char key[40];
        scorer_result r;
        snprintf(key, sizeof key, "%s/%g/%s", item.arm, doses[i], item.base);
        item.key = key;
        item.dose = doses[i];
        item.artifact = fabs(doses[i]) / 100;
        assert_ok(scorer_score(s, &r, &item, 1, &err));
        assert_int_equal(r.status, TARE_R_NONE);
        d[i] = r.value;
        if (doses[i] == 0) neutral = r.value;
    }
    scorer_close(s);
    for (int i = 0; i < 7; i++) d[i] -= neutral;
    out[0] = (d[0] + d[1] + d[2]) / 3;
    out[1] = (d[4] + d[5] + d[6]) / 3;
    out[2] = -(out[0] + out[1]) / 2;
    out[3] = out[1] - out[0];
    out[4] = -(d[0] + d[6]) / 2;
}

static void test_audit_stubs(void **state)
{
    (void)state;
    double c[5];
    curve(c, "planted:dose=1", plain); /* score = d */
    assert_close(c[0], -10);
    assert_close(c[1], 10);
    assert_close(c[2], 0);
    assert_close(c[3], 20);
    curve(c, "planted:fidelity=1", plain); /* score = -|d| */
    assert_close(c[0], -10);
    assert_close(c[1], -10);
    assert_close(c[2], 10);
    assert_close(c[3], 0);
    assert_close(c[4], 15);
    curve(c, "planted:constant", plain);
    assert_true(c[2] == 0 && c[3] == 0);
    curve(c, "planted:clip=1", plain); /* -clip_frac, here |d|/100: an inverted U */
    assert_close(c[2], .1);
    /* .27 - 1e-5 |d| in half precision: .27 is 1105.92 steps of 2^-12 and moves by .61 at most, so
     * five doses tie and FI is a third of a step: below the floor of half a quantum. */
    curve(c, "planted:offset=.27,fidelity=1e-5,fp16", plain);
    assert_close(c[2], ldexp(1, -12) / 3);
    assert_true(c[2] < ldexp(1, -13));
    scorer_item other = plain;
    other.group = "h";
    double slope[5];
    curve(c, "planted:dose=.1,group=g:.05", plain); /* A shifted by group */
    curve(slope, "planted:dose=.1,group=g:.05", other);
    assert_close(c[3], 3);
    assert_close(slope[3], 2);
    other.arm = "synthetic/skin";
    curve(c, "planted:arm=synthetic:.02,arm=real:-.003", plain); /* real = -.15 x synthetic */
    curve(slope, "planted:arm=synthetic:.02,arm=real:-.003", other);
    assert_close(c[3] / slope[3], -.15);
}

/* ---- the table of terms is the only list --------------------------------------- */

static void test_terms_are_documented(void **state)
{
    (void)state;
    char *page;
    size_t length;
    assert_ok(os_read_file(&page, &length, &context->mem, TARE_SOURCE_DIR "/docs/planted.md",
                           1 << 20, &err));
    for (size_t i = 0; planted_term_info_at(i); i++) {
        const planted_term_info *t = planted_term_info_at(i);
        char row[256];
        assert_int_equal(t->kind, i); /* the table is indexed by kind */
        snprintf(row, sizeof row, "| `%s` | %s |", t->usage, t->help);
        if (!strstr(page, row)) fail_msg("docs/planted.md lacks the row %s", row);
    }
    mem_free(&context->mem, page);
}

static void test_registry(void **state)
{
    (void)state;
    size_t n = 0;
    for (; tare_backend_info_at(n); n++) {
        const tare_backend_info *b = tare_backend_info_at(n);
        assert_true(*b->scheme && *b->summary && !strncmp(b->usage, b->scheme, strlen(b->scheme)));
        assert_ptr_equal(scorer_backend_at(n)->scheme, b->scheme);
    }
    assert_int_equal(n, 13); /* eight of them published scorers */
    assert_int_equal(tare_backend_check(context, n, &err), TARE_E_USAGE);
    assert_int_equal(tare_backend_check(context, n - 1, &err), TARE_OK);
}

static void test_options(void **state)
{
    (void)state;
    scorer *s = NULL;
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    o.batch = 5;
    o.lower_is_better = 1;
    assert_ok(scorer_open(&s, context, "planted:position=1", &o, &err));
    assert_int_equal(scorer_describe(s)->batch, 5);
    assert_true(scorer_describe(s)->sign == -1.0);
    scorer_close(s);
    o.batch = 1000000;
    assert_int_equal(scorer_open(&s, context, "planted:dose=1", &o, &err), TARE_E_USAGE);
    o = SCORER_OPTIONS_DEFAULT;
    o.timeout_seconds = NAN;
    assert_int_equal(scorer_open(&s, context, "planted:dose=1", &o, &err), TARE_E_USAGE);
}

/* Long words of a library end at a word of theirs, and say that there was more. */
static void long_notes_are_cut_at_a_word(void **state)
{
    (void)state;
    scorer_result r;
    char words[400] = "", wide[400] = "";
    for (int i = 0; i < 40; i++) strcat(words, "reason ");
    scorer_result_fail(&r, TARE_R_SCORER_ERROR, "%s", words);
    assert_int_equal(strlen(r.note), 21 * 7 + 6 + 4); /* 22 words of 6, 21 blanks, " ..." */
    assert_string_equal(r.note + strlen(r.note) - 10, "reason ...");
    for (int i = 0; i < 100; i++) strcat(wide, "\xc3\xa4"); /* no word ends */
    scorer_result_note(&r, "%s", wide);
    assert_string_equal(r.note + strlen(r.note) - 6, "\xc3\xa4 ...");
    assert_in_range(strlen(r.note), 157, 159);
    scorer_result_fail(&r, TARE_R_SCORER_ERROR, "%.159s", words);
    assert_int_equal(strlen(r.note), 159); /* what fits is left alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms), cmocka_unit_test(test_half), cmocka_unit_test(test_draws),
        cmocka_unit_test(test_not_measured_is_missing), cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_position_and_padding), cmocka_unit_test(test_bad_specs),
        cmocka_unit_test(test_names_and_identity), cmocka_unit_test(test_audit_stubs),
        cmocka_unit_test(test_terms_are_documented), cmocka_unit_test(test_registry),
        cmocka_unit_test(test_options),
        cmocka_unit_test(long_notes_are_cut_at_a_word),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
