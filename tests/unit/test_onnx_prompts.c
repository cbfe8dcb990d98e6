/* onnx: with texts and a vocabulary. The model gives the image's mean and a hundredth of the sum of
 * the ids where the mask is 1 (tests/support/tiny_onnx.c); the ids are those of Hugging Face's
 * tokenizers, as tests/data/tokens/prompts.json has them; the means come from
 * tests/ref/onnx_scores_reference.py. */
#include <string.h>

#include "base/error.h"
#include "onnx_fixture.h"
#include "support/check.h"

#define VOCABULARY TARE_SOURCE_DIR "/tests/data/tokens/"

static fixture f;
static tare_error err;

/* Sums of the ids with start and end, by prompts.json. */
static const char *const prompts[] = {"a photo", "a photo of a person", "x"};
static const double clip_sum[] = {812 + 320 + 700 + 568 + 813,
                                  812 + 320 + 700 + 568 + 519 + 320 + 79 + 521 + 776 + 813,
                                  812 + 343 + 813};
enum { PROMPTS = 3 };

static int begin(void **state)
{
    (void)state;
    fixture_begin(&f, 2);
    f.options.prompt = prompts[0];
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&f);
    return 0;
}

static void write_manifest(const char *batch, const char *prompt)
{
    fixture_write(&f, "p.json", "{\"tare_scorer\": 1, \"name\": \"prompted\", \"model\": "
                  "\"prompts.onnx\", \"batch\": %s, \"input\": {\"name\": \"image\", \"kind\": "
                  "\"image\", %s}, \"prompt\": {%s, \"ids\": \"ids\", \"mask\": \"mask\"}, "
                  "\"output\": {\"name\": \"score\"}}", batch, fixture_input, prompt);
}

static scorer *open_it(const char *batch, const char *prompt)
{
    char spec[160];
    write_manifest(batch, prompt);
    return fixture_open(&f, fixture_spec(&f, "p", spec));
}

static void refused(const char *prompt, const char *code)
{
    char spec[160];
    scorer *s = NULL;
    write_manifest("1", prompt);
    assert_int_not_equal(scorer_open(&s, f.context, fixture_spec(&f, "p", spec), &f.options, &err),
                         TARE_OK);
    assert_string_equal(err.code, code);
}

static void close_to(const scorer_result *r, size_t picture, double sum)
{
    assert_int_equal(r->status, TARE_R_NONE);
    assert_within(r->value, fixture_scores[picture][BY_MEAN] + sum / 100, 1e-6, 1e-6);
}

static void a_fixed_text(void **state)
{
    (void)state;
    scorer *s = open_it("1", "\"mode\": \"fixed\", \"tokenizer\": \"clip\", \"text\": \"a photo of "
                        "a person\", \"length\": 16, \"vocabulary\": \"" VOCABULARY "bpe.txt.gz\"");
    scorer_item item = fixture_item(&f, 1);
    item.prompt = "x"; /* is not asked for */
    scorer_result r = fixture_score(s, &item);
    close_to(&r, 1, clip_sum[1]);
    assert_false(scorer_describe(s)->takes_prompt);
    scorer_close(s);
}

#define PER_ITEM(length, more)                                                  \
    "\"mode\": \"per-item\", \"tokenizer\": \"hf-json\", \"length\": " length ", " \
    "\"vocabulary\": \"" VOCABULARY "clip_strings.json\"" more

static void each_item_its_own(void **state)
{
    (void)state;
    scorer *s = open_it("3", PER_ITEM("12", ", \"pad\": 7"));
    const scorer_description *d = scorer_describe(s);
    assert_true(d->takes_prompt && !d->cacheable && d->batch == 3);
    scorer_item items[PROMPTS];
    scorer_result r[PROMPTS];
    for (size_t k = 0; k < PROMPTS; k++) {
        items[k] = fixture_item(&f, 2);
        items[k].prompt = prompts[k];
    }
    for (size_t n = 1; n <= PROMPTS; n++) { /* equal pixels, other prompts */
        assert_ok(scorer_score(s, r, items, n, &err));
        for (size_t k = 0; k < n; k++) close_to(&r[k], 2, clip_sum[k]);
    }
    items[0].prompt = ""; /* none of its own: the run's */
    items[1].prompt = "ab\xFF";
    assert_ok(scorer_score(s, r, items, PROMPTS, &err));
    close_to(&r[0], 2, clip_sum[0]);
    assert_int_equal(r[1].status, TARE_R_SCORER_ERROR);
    assert_non_null(strstr(r[1].note, "not UTF-8"));
    close_to(&r[2], 2, clip_sum[2]);
    scorer_close(s);
}

static void too_long_is_cut_or_refused(void **state)
{
    (void)state;
    scorer_item item = fixture_item(&f, 0);
    item.prompt = prompts[1];
    scorer *s = open_it("1", PER_ITEM("5", ""));
    scorer_result r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_SCORER_ERROR);
    assert_non_null(strstr(r.note, "10 ids"));
    scorer_close(s);
    s = open_it("1", PER_ITEM("5", ", \"truncate\": true"));
    r = fixture_score(s, &item);
    close_to(&r, 0, 812 + 320 + 700 + 568 + 813); /* four, and the end */
    scorer_prompt p;
    arena a;
    arena_init(&a, &f.context->mem);
    assert_int_equal(scorer_prompt_ids(&p, &a, s, prompts[1], &err), TARE_OK);
    assert_true(p.count == 5 && p.whole == 10 && !p.may_differ);
    assert_memory_equal(p.id, ((const int64_t[]){812, 320, 700, 568, 813}), 5 * sizeof *p.id);
    assert_int_equal(scorer_prompt_ids(&p, &a, s, "caf\xC3\xA9", &err), TARE_OK);
    assert_true(p.may_differ);
    assert_int_equal(scorer_prompt_ids(&p, &a, s, "ab\xFF", &err), TARE_E_DATA);
    assert_string_equal(err.code, "prompt.utf8");
    arena_free(&a);
    assert_non_null(strstr(r.note, "cut from 10 ids to 5"));
    scorer_close(s);
    f.options.prompt = prompts[1];
    refused(PER_ITEM("5", ""), "prompt.length");
}

static void identity_has_the_prompt(void **state)
{
    (void)state;
    char first[65];
    scorer *s = open_it("1", PER_ITEM("12", ""));
    memcpy(first, scorer_describe(s)->identity_hash, sizeof first);
    assert_non_null(strstr(scorer_describe(s)->identity, "\"prompt\":[812,320,700,568,813]"));
    assert_null(strstr(scorer_describe(s)->identity, "tests/data"));
    scorer_close(s);
    f.options.prompt = "x";
    s = open_it("1", PER_ITEM("12", ""));
    assert_string_not_equal(scorer_describe(s)->identity_hash, first);
    scorer_close(s);
}

static void without_its_vocabulary(void **state)
{
    (void)state;
    static const char none[] = "\"mode\": \"per-item\", \"tokenizer\": \"clip\", \"length\": 9";
    scorer *s = open_it("1", none); /* "a photo" needs none */
    scorer_item item = fixture_item(&f, 0);
    scorer_result r = fixture_score(s, &item);
    close_to(&r, 0, 49406 + 320 + 1125 + 49407);
    item.prompt = "x";
    r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_SCORER_ERROR);
    scorer_close(s);
    f.options.prompt = "x";
    refused(none, "prompt.vocabulary");
    f.options.prompt = "a photo";
    refused("\"mode\": \"per-item\", \"tokenizer\": \"bert\", \"length\": 9, \"vocabulary\": \""
            VOCABULARY "clip_strings.json\"", "vocabulary.kind");
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fixed_text, begin, end),
        cmocka_unit_test_setup_teardown(each_item_its_own, begin, end),
        cmocka_unit_test_setup_teardown(too_long_is_cut_or_refused, begin, end),
        cmocka_unit_test_setup_teardown(identity_has_the_prompt, begin, end),
        cmocka_unit_test_setup_teardown(without_its_vocabulary, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
