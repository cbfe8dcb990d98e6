/* tare scorer list --same-weights-as: what is said of towers, of what only one file has, and of
 * files that have nothing in common. */
#include <string.h>

#include "audit/job.h"
#include "photo_fixture.h"
#include "support/check.h"
#include "support/formula_weights.h"

enum { F32 = 1, F16 = 10 }; /* ONNX's numbers of the types */

static tare_context *context;
static tare_error err;

static int open_scratch(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_scratch(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static formula_list towers(void)
{
    static const formula_sizes image = {.width = 64, .layers = 2, .embedding = 48, .patch = 8,
                                        .side = 32};
    formula_list l = {NULL, 0};
    formula_openai_vision(&l, &image);
    return l;
}

static const char *save(const formula_list *l, const char *name, int type)
{
    formula_save(l, in_scratch(name), type, 0);
    return name;
}

/* Is `words` in an answer? The table has `rows` rows, the first of which came out as `first`. */
static void says(const char *one, const char *two, const char *words, size_t rows,
                 const char *first)
{
    char path[300], other[300];
    bool found = false;
    snprintf(path, sizeof path, "%s", in_scratch(one));
    snprintf(other, sizeof other, "%s", in_scratch(two));
    const char *const options[] = {"same-weights-as", other, NULL};
    tare_job *job = job_with(context, "scorer", "list", options);
    assert_ok(tare_job_input(job, path, &err));
    assert_ok(tare_job_run(job, &err));
    for (size_t i = 0; tare_job_answer(job, i); i++)
        found |= strstr(tare_job_answer(job, i), words) != NULL;
    if (!found) fail_msg("not said: %s", words);
    for (size_t i = 0; i < job->result.table_count; i++) {
        const result_table *t = job->result.tables[i];
        if (strcmp(t->name, "same_weights") != 0) continue;
        assert_int_equal(t->row_count, rows);
        assert_string_equal(t->cells[0].text, first);
    }
    tare_job_free(job);
}

static void test_words(void **state)
{
    (void)state;
    formula_list openai = towers(), rough = towers(), hf;
    formula_round(&rough, F16);
    hf = formula_as_hf(&rough);
    write_text("about", "weights");
    save(&openai, "openai32", F32);
    save(&rough, "openai16", F16);
    save(&hf, "hf32", F32);
    says("openai16", "hf32", "Their towers have the same weights: scores agree", hf.count, "equal");
    says("openai32", "openai16", "Their towers have the same weights, but for rounding",
         openai.count, "equal after rounding");
    says("openai32", "hf32", "They are not the same weights", hf.count, "differs");
    /* A buffer that only one has is nothing to a tower; a tower's weight is. */
    formula_add(&hf, "vision_model.embeddings.position_ids", 1, (const int64_t[]){17});
    save(&hf, "hf_more", F32);
    says("openai16", "hf_more", "Their towers have the same weights: scores agree", hf.count,
         "only in the other file");
    hf.count -= 2;
    save(&hf, "hf_less", F32);
    says("openai16", "hf_less", "scores also need what only one has", hf.count + 1,
         "not in the other file");
    hf.count += 2;
    formula_free(&openai);
    formula_free(&rough);
    formula_free(&hf);
}

static void test_heads(void **state)
{
    (void)state;
    formula_list one = {NULL, 0}, two = {NULL, 0};
    write_text("about", "weights");
    formula_add(&one, "weight", 2, (const int64_t[]){1, 8});
    formula_add(&two, "state_dict.weight", 2, (const int64_t[]){1, 8});
    save(&one, "one", F32);
    memcpy(two.item->value, one.item->value, 8 * sizeof(float));
    save(&two, "two", F32);
    says("one", "two", "They have the same weights: scores agree", 1, "equal");
    formula_add(&two, "bias", 1, (const int64_t[]){1});
    save(&two, "more", F32);
    says("one", "more", "scores also need what only one has", 2, "only in the other file");
    strcpy(two.item->name, "kernel");
    save(&two, "other", F32);
    says("one", "other", "no weight in common", 3, "not in the other file");
    formula_free(&one);
    formula_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, open_scratch, close_scratch),
        cmocka_unit_test_setup_teardown(test_heads, open_scratch, close_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
