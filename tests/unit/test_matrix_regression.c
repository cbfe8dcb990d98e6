/* The regressions of tare matrix on public tables: judge audits A.10, goldens 2, 3 and 5. */
#include "support/check.h"

#include <string.h>

#include "audit/matrix/self_regression.h"
#include "matrix_fixture.h"

#define JUDGES TARE_SHARED_DIR "/data/judges/"
#define FAST "boot-b=199", "block-perm=199", "perm-p=199"

static tare_error err;

static const cell *table_cell(const matrix_bench *b, const char *const key[3], const char *column)
{
    static const char *const by[3] = {"form", "term", "level"};
    const audit_result *r = &b->job->result;
    for (size_t i = 0; i < r->table_count; i++) {
        const result_table *t = r->tables[i];
        if (strcmp(t->name, "regression")) continue;
        size_t of[4] = {0};
        for (size_t k = 0; k < t->column_count; k++) {
            for (size_t n = 0; n < 3; n++)
                if (!strcmp(t->columns[k], by[n])) of[n] = k;
            if (!strcmp(t->columns[k], column)) of[3] = k;
        }
        for (size_t row = 0; row < t->row_count; row++) {
            const cell *c = t->cells + row * t->column_count;
            bool match = true;
            for (size_t n = 0; n < 3; n++) match = match && !strcmp(c[of[n]].text, key[n]);
            if (match) return &c[of[3]];
        }
    }
    fail_msg("no row %s %s %s", key[0], key[1], key[2]);
    return NULL;
}

static double number_of(const matrix_bench *b, const char *form, const char *term,
                        const char *level, const char *column)
{
    return table_cell(b, (const char *const[3]){form, term, level}, column)->number;
}

/* ---- IFEval ---------------------------------------------------------------------------------- */

static const char ifeval_roster[] =
    "id,family\n"
    "gemma_3_27b_it,Gemma\ngemma_3_12b_it,Gemma\ngemma_3_4b_it,Gemma\n"
    "llama_4_maverick_17b_128e_instruct,Llama\nllama_4_scout_17b_16e_instruct,Llama\n"
    "qwen3_235b_instruct,Qwen\nqwen3_30b_instruct,Qwen\nqwen3_4b_instruct,Qwen\n"
    "gpt_120b_oss,GPT\ngpt_5,GPT\nclaude_4_5_haiku,Claude\nclaude_4_5_sonnet,Claude\n";

/* Positive Phi~ off the diagonal, 4/6 2/2 5/6 2/2 2/2; the assignment test (its p by more
 * permutations is test_identity_data's). */
static void check_families(const matrix_bench *b)
{
    static const char *const family[5] = {"Gemma", "Llama", "Qwen", "GPT", "Claude"};
    static const double positive[5] = {4, 2, 5, 2, 2}, cells[5] = {6, 2, 6, 2, 2};
    for (size_t k = 0; k < 5; k++) {
        assert_true(matrix_bench_number(b, "blocks", "block", family[k], "positive")
                    == positive[k]);
        assert_true(matrix_bench_number(b, "blocks", "block", family[k], "cells") == cells[k]);
    }
    const tare_reading *r = matrix_bench_reading(b, "assignment", "assignment_R", NULL, "family");
    assert_within(r->estimate, .015257, 0, 5e-7);
    r = matrix_bench_reading(b, "assignment", "assignment_Z", NULL, "family");
    assert_within(r->estimate, .608673, 0, 5e-7);
}

/* Mean D: the interval that also asks for other judges is the wider one; t over the twelve D by
 * hand. */
static void check_levels(const matrix_bench *b)
{
    static const double d[12] = {.010958, .033781, .048752, .021254, -.007282, .019849,
                                 .001915, .014075, .000601, .067633, -.011437, .000937};
    double mean = 0, square = 0;
    for (size_t k = 0; k < 12; k++) mean += d[k] / 12;
    for (size_t k = 0; k < 12; k++) square += (d[k] - mean) * (d[k] - mean);
    const tare_reading *item = matrix_bench_reading(b, "models", "mean D", NULL,
                                                    "more items");
    const tare_reading *model = matrix_bench_reading(b, "models", "mean D", NULL,
                                                     "more models");
    const tare_reading *both = matrix_bench_reading(b, "models", "mean D", NULL,
                                                    "two-way");
    assert_within(item->estimate, mean, 0, 1e-6);
    assert_within(model->se, sqrt(square / 11 / 12), 0, 1e-6);
    assert_true(model->df == 11);
    assert_close(both->estimate, item->estimate);
    assert_true(both->se > item->se);
    /* its interval leaves 0 out by a hair, and p is above alpha by one */
    assert_true((both->p <= .05) != (both->lo > 0)
                    ? strstr(both->marks, "p and interval disagree") != NULL
                    : strstr(both->marks, "disagree") == NULL);
    assert_string_equal(model->grid, "models");
}

/* Golden 3: six digits as printed; more digits by NumPy's lstsq on the same dummies, HC0 and CR1
 * from its residuals. */
static void test_ifeval(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    text_add(&b.roster, ifeval_roster);
    const char *options[] = {"author=generator", "gold=ref", FAST, NULL};
    assert_ok(matrix_bench_run(&b, JUDGES "ifeval_scores.csv.gz", options, &err));
    const char *gold = "with gold, pooled", *plain = "additive";
    assert_within(number_of(&b, gold, "self", "", "estimate"), .010478, 0, 5e-7);
    assert_within(number_of(&b, gold, "self", "", "se_hc0"), .003076, 0, 5e-7);
    assert_within(number_of(&b, gold, "self", "", "se_cr1"), .002256, 0, 5e-7);
    assert_within(number_of(&b, gold, "family", "", "estimate"), .009821, 0, 5e-7);
    assert_within(number_of(&b, gold, "family", "", "se_hc0"), .002446, 0, 5e-7);
    assert_within(number_of(&b, gold, "family", "", "se_cr1"), .001964, 0, 5e-7);
    assert_within(number_of(&b, plain, "self", "", "estimate"), .017506, 0, 5e-7);
    assert_within(number_of(&b, plain, "self", "", "se_cr1"), .002603, 0, 5e-7);
    assert_within(number_of(&b, plain, "family", "", "estimate"), .015764, 0, 5e-7);
    assert_within(number_of(&b, plain, "family", "", "se_cr1"), .002269, 0, 5e-7);
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self, pooled",
                                                 "", plain);
    assert_within(r->estimate, .017506, 0, 5e-7);
    assert_string_equal(r->interval_method, "CR1 t");
    assert_int_equal(r->n_base, 77904);
    assert_int_equal(r->n_cluster, 541);
    assert_true(r->lo < r->estimate && r->estimate < r->hi && r->p < 1e-8);
    assert_int_equal(r->verdict, TARE_DESCRIPTIVE); /* no gold, no test */
    r = matrix_bench_reading(&b, "self-regression", "self, pooled", "", "by gold");
    assert_true(r->p < .05 && r->q >= r->p && r->verdict == TARE_SMALL);
    check_families(&b);
    check_levels(&b);
    matrix_bench_close(&b);
}

/* ---- XSUM ------------------------------------------------------------------------------------ */

/* Golden 2, not rescaled. CR2 is asked for. */
static void test_xsum(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    const char *options[] = {"author=source", "rescale=none", "vcov=cr2", FAST, NULL};
    assert_ok(matrix_bench_run(&b, JUDGES "panickssery_xsum_scores.csv", options, &err));
    assert_close(number_of(&b, "additive", "self", "", "estimate"), .1007255233985);
    assert_close(number_of(&b, "additive", "self", "", "se_hc0"), .01282316752925);
    assert_close(number_of(&b, "additive", "self", "", "se_cr0"), .006963589214082);
    assert_close(number_of(&b, "additive", "self", "", "se_cr1"), .006968699950383);
    assert_close(number_of(&b, "additive", "self", "", "se"), .006967073622213);
    /* these models against models in general: statistics 16.6 */
    const tare_reading *model = matrix_bench_reading(&b, "models", "pooled self effect", NULL,
                                                     "more models");
    assert_close(model->estimate, .1007255233985);
    assert_close(model->se, .18221448718510); /* NumPy: classical SE on the 15 cell means */
    assert_true(model->df == 7);
    assert_int_equal(model->verdict, TARE_DESCRIPTIVE);
    const tare_reading *item = matrix_bench_reading(&b, "models", "pooled self effect", NULL,
                                                    "more items");
    assert_close(item->estimate, .1007255233985);
    assert_within(item->se, .0069636, .1, 0);
    const tare_reading *wider = matrix_bench_reading(&b, "models",
                                                     "pooled self effect, times wider", NULL, NULL);
    assert_within(wider->estimate, 26, .1, 0);
    /* Peers: two judges that are neither the judge itself nor the author leave claude's and human's
     * texts whole, and of each judge's own the judge itself. No score is missing. */
    const tare_reading *peers = matrix_bench_reading(&b, "self-regression", "self", "gpt4",
                                                     "by peers");
    assert_int_equal(peers->n_expected, 15000);
    assert_int_equal(peers->n_base, 9000);
    assert_int_equal(peers->n_missing[TARE_R_EXCLUDED], 6000);
    assert_int_equal(peers->n_missing[TARE_R_MISSING], 0);
    char *said = matrix_bench_sentences(&b);
    assert_non_null(strstr(said, "Texts that enter: claude and human as judged by all; "
                                 "gpt35 as judged by gpt35; "));
    assert_null(strstr(said, "equal quality"));
    mem_free(&b.m, said);
    matrix_bench_close(&b);
}

/* ---- Play Favorites -------------------------------------------------------------------------- */

static void put_playfav(text *csv, const char *dim)
{
    char line[512];
    FILE *f = popen("gzip -dc '" JUDGES "playfav.tsv.gz'", "r");
    assert_non_null(f);
    for (size_t k = 0; fgets(line, sizeof line, f); k++) {
        if (k > 0 && strncmp(line, dim, strlen(dim))) continue;
        for (char *at = line; *at; at++)
            if (*at == '\t') *at = ',';
        text_add(csv, line);
    }
    assert_int_equal(pclose(f), 0);
}

static const char playfav_roster[] =
    "id,family\n"
    "anthropic.claude-v2:1,Claude\nanthropic.claude-3-5-sonnet-20241022-v2:0,Claude\n"
    "anthropic.claude-3-sonnet-20240229-v1:0,Claude\ngpt-4o,GPT\ngpt-3.5-turbo,GPT\n"
    "meta.llama3-1-70b-instruct-v1:0,Llama\nmeta.llama3-1-8b-instruct-v1:0,Llama\n"
    "mistral.mistral-large-2407-v1:0,Mistral\nmistral.mistral-7b-instruct-v0:2,Mistral\n";

static void test_play_favorites(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    text_add(&b.roster, playfav_roster);
    put_playfav(&b.csv, "Faithfulness");
    const char *options[] = {"author=generator", "gold=human", FAST, NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const char *form = "with gold", *gpt = "gpt-4o";
    assert_within(number_of(&b, form, "self", gpt, "estimate"), .0229729784, 0, 5.1e-11);
    assert_within(number_of(&b, form, "self", gpt, "se_hc0"), .0025726513, 0, 5.1e-11);
    assert_within(number_of(&b, form, "self", gpt, "se_hc1"), .0025751259, 0, 5.1e-11);
    assert_within(number_of(&b, form, "self", gpt, "se_cr1"), .0028603029, 0, 5.1e-11);
    assert_within(number_of(&b, form, "slope", gpt, "estimate"), .1966032219, 0, 5.1e-11);
    const struct { const char *judge; double self, hc0; } self[] = {
        {"anthropic.claude-3-5-sonnet-20241022-v2:0", .0139541114, .0030626784},
        {"meta.llama3-1-8b-instruct-v1:0", -.0649927124, .0077332389},
        {"mistral.mistral-large-2407-v1:0", .0298759317, .0067477909}};
    for (size_t k = 0; k < 3; k++) {
        assert_within(number_of(&b, form, "self", self[k].judge, "estimate"), self[k].self, 0,
                      5.1e-11);
        assert_within(number_of(&b, form, "self", self[k].judge, "se_hc0"), self[k].hc0, 0,
                      5.1e-11);
    }
    assert_within(number_of(&b, form, "family", "Claude", "estimate"), .0042159992, 0, 5.1e-11);
    assert_within(number_of(&b, form, "family", "Claude", "se_hc0"), .0021310570, 0, 5.1e-11);
    assert_within(number_of(&b, form, "family", "GPT", "estimate"), .0203485766, 0, 5.1e-11);
    assert_within(number_of(&b, form, "family", "GPT", "se_hc0"), .0030245800, 0, 5.1e-11);
    assert_within(number_of(&b, form, "family", "Llama", "estimate"), -.0489911552, 0, 5.1e-11);
    assert_within(number_of(&b, form, "family", "Mistral", "estimate"), .0037987234, 0, 5.1e-11);
    const tare_reading *sd = matrix_bench_reading(&b, "self-regression", "residual SD", NULL, form);
    assert_within(sd->estimate, .1000005, 0, 5e-8);
    matrix_bench_close(&b);
}

/* Both dims: 1,794 texts have a Faithfulness score of nine judges, and 9 of 16,146 lack one. Texts
 * of the other dim are not expected there. */
static void test_other_dims(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    text_add(&b.roster, playfav_roster);
    put_playfav(&b.csv, "");
    const char *options[] = {"author=generator", "gold=human", FAST, NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "self-regression", "self", "gpt-4o",
                                                 "by gold");
    assert_string_equal(r->dim, "Faithfulness"); /* the other has too few complete items */
    assert_int_equal(r->n_expected, 16146);
    assert_int_equal(r->n_base, 16137);
    assert_int_equal(r->n_missing[TARE_R_ABSENT], 9);
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_dims),
        cmocka_unit_test(test_ifeval),
        cmocka_unit_test(test_xsum),
        cmocka_unit_test(test_play_favorites),
    };
    NEED_SHARED();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
