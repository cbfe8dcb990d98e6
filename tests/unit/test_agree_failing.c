/* Memory that runs out at any point of `tare agree` gives MEMORY, no crash and no leak. */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "tare.h"

typedef struct budget {
    long left; /* allocations that succeed; negative: all */
    long live; /* blocks not yet freed                    */
} budget;

static void *resize(void *user, void *p, size_t bytes)
{
    budget *b = user;
    if (bytes == 0) {
        if (p) b->live--;
        free(p);
        return NULL;
    }
    if (b->left == 0) return NULL;
    if (b->left > 0) b->left--;
    void *q = realloc(p, bytes);
    if (q && !p) b->live++;
    return q;
}

static tare_status run_once(budget *left, const char *file, const char *const *options)
{
    tare_context *context = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_job *job = NULL;
    o.threads = 1;
    o.user = left;
    o.resize = resize;
    tare_error err = {0};
    long allowed = left->left;
    left->left = -1; /* context and job are other tests' business */
    assert_ok(tare_context_new(&context, &o, &err));
    assert_ok(tare_job_new(&job, context, "agree", &err));
    for (size_t k = 0; options[k]; k += 2)
        assert_ok(tare_job_set(job, options[k], options[k + 1], &err));
    assert_ok(tare_job_set(job, "boot-b", "99", &err));
    assert_ok(tare_job_set(job, "perm-p", "99", &err));
    assert_ok(tare_job_input(job, file, &err));
    left->left = allowed;
    tare_status status = tare_job_run(job, &err);
    left->left = -1;
    tare_job_free(job);
    tare_context_free(context);
    return status;
}

static void fail_all(const char *file, const char *const *options)
{
    budget b = {-1, 0};
    assert_int_equal(run_once(&b, file, options), TARE_OK);
    assert_int_equal(b.live, 0);
    long failures = 0;
    for (long n = 0;; n += n < 400 ? 1 : 7) {
        b = (budget){n, 0};
        tare_status status = run_once(&b, file, options);
        assert_int_equal(b.live, 0);
        if (status == TARE_OK) break;
        assert_int_equal(status, TARE_E_MEMORY);
        failures++;
    }
    assert_true(failures > 100);
}

static void rows(void **state)
{
    (void)state;
    fail_all(TARE_SOURCE_DIR "/tests/data/agree_toy.csv",
             (const char *const[]){"judges", "even,fine", "raters", "h1,h2,h3", "scale", "same",
                                   NULL});
}

static void pairs(void **state)
{
    (void)state;
    fail_all(TARE_SOURCE_DIR "/tests/data/agree_pairs.csv",
             (const char *const[]){"protocol", "pascal50s", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
