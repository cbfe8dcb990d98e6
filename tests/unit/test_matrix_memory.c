/* tare matrix with an allocator that gives out: an error of kind MEMORY, and nothing is left
 * behind. */
#include "support/check.h"

#include <string.h>

#include "matrix_fixture.h"

typedef struct budget {
    long left; /* allocations that still succeed; -1: all */
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

static void put_files(char scores[64], char roster[64])
{
    snprintf(scores, 64, "/tmp/tare-memory-XXXXXX.csv");
    snprintf(roster, 64, "/tmp/tare-memory-XXXXXX.csv");
    FILE *f = fdopen(mkstemps(scores, 4), "w");
    fprintf(f, "item,author,judge,dim,score,length,gold\n");
    for (int i = 0; i < 32; i++)
        for (int g = 0; g < 4; g++)
            for (int e = 0; e < 4; e++)
                for (int d = 0; d < 2; d++)
                    fprintf(f, "i%d,m%d,m%d,d%d,%d,%d,%d\n", i, g, e, d,
                            (i * 7 + g * 5 + e * 3 + i * g * e + d) % 9, (i + g * 3) % 11,
                            (i * 7 + g * 5) % 6);
    fclose(f);
    f = fdopen(mkstemps(roster, 4), "w");
    fprintf(f, "id,family\nm0,A\nm1,A\nm2,B\nm3,B\n");
    fclose(f);
}

typedef struct inputs { char scores[64], roster[64]; const char *const *options; } inputs;

static tare_status run_once(budget *left, const inputs *in)
{
    tare_context *context = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_error err = {0};
    tare_job *job = NULL;
    long allowed = left->left;
    o.threads = 1;
    o.user = left;
    o.resize = resize;
    left->left = -1;
    assert_ok(tare_context_new(&context, &o, &err));
    left->left = allowed;
    tare_status status = tare_job_new(&job, context, "matrix", &err);
    if (status == TARE_OK) status = tare_job_input(job, in->scores, &err);
    if (status == TARE_OK) status = tare_job_set(job, "roster", in->roster, &err);
    for (const char *const *p = in->options; status == TARE_OK && *p; p += 2)
        status = tare_job_set(job, p[0], p[1], &err);
    if (status == TARE_OK) status = tare_job_run(job, &err);
    if (status != TARE_OK) assert_int_equal(err.status, status);
    tare_job_free(job);
    tare_context_free(context);
    return status;
}

static void fail_everywhere(const char *const *options, long step)
{
    inputs in = {.options = options};
    budget b = {-1, 0};
    put_files(in.scores, in.roster);
    assert_int_equal(run_once(&b, &in), TARE_OK);
    assert_int_equal(b.live, 0);
    for (long n = 0;; n += step) {
        b = (budget){n, 0};
        tare_status status = run_once(&b, &in);
        assert_int_equal(b.live, 0);
        if (status == TARE_OK) break;
        assert_int_equal(status, TARE_E_MEMORY);
    }
    unlink(in.scores);
    unlink(in.roster);
}

static void test_least_squares(void **state)
{
    static const char *const options[] = {"boot-b", "99", "perm-p", "99", "block-perm", "99",
                                          "length-term", "tanh", NULL};
    (void)state;
    fail_everywhere(options, 3);
}

static void test_dense(void **state)
{
    static const char *const options[] = {"boot-b", "99", "perm-p", "99", "block-perm", "99",
                                          "vcov", "cr2", NULL};
    (void)state;
    fail_everywhere(options, 7);
}

static void test_ordinal(void **state)
{
    static const char *const options[] = {"boot-b", "99", "perm-p", "99", "block-perm", "99",
                                          "link", "ordinal", NULL};
    (void)state;
    fail_everywhere(options, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_ordinal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
