/* Memory that runs out at any point of tare compare gives MEMORY, no crash and no leak: two tables
 * through the job itself, paired and not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
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

static char folder[] = "/tmp/tare-compare-XXXXXX", path[2][64];

/* Seven bases, one of which the second lacks at a dose; a scorer of one side only. */
static void write_side(int side)
{
    FILE *f = fopen(path[side], "w");
    assert_non_null(f);
    fputs("base,dose,scorer,score,ita\n", f);
    for (int i = 0; i < 7; i++)
        for (int d = -2; d <= 2; d++) {
            if (side && i == 6 && d == 2) continue;
            double slope = (side ? -0.1 : 0.4) * (1 + i % 3);
            fprintf(f, "b%d,%d,turns,%.4f,%d\n", i, d, i % 4 + slope * d, 40 + 2 * d + i);
            fprintf(f, "b%d,%d,only-%d,%d,%d\n", i, d, side, d, 40 + 2 * d + i);
        }
    fclose(f);
}

static int make(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "%s/%c.csv", folder, 'a' + k);
        write_side(k);
    }
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) unlink(path[k]);
    return rmdir(folder);
}

static tare_status run_once(budget *left, const char *paired)
{
    tare_context *context = NULL;
    tare_job *job = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 1;
    o.user = left;
    o.resize = resize;
    tare_error err = {0};
    long allowed = left->left;
    left->left = -1; /* contexts and options are another test's business */
    assert_ok(tare_context_new(&context, &o, &err));
    assert_ok(tare_job_new(&job, context, "compare", &err));
    static const char *const options[][2] = {{"boot-b", "99"}, {"perm-p", "99"}, {"bon-n", "2"}};
    for (size_t k = 0; k < 3; k++)
        assert_ok(tare_job_set(job, options[k][0], options[k][1], &err));
    assert_ok(tare_job_set(job, "paired", paired, &err));
    for (int k = 0; k < 2; k++) assert_ok(tare_job_input(job, path[k], &err));
    left->left = allowed;
    tare_status status = tare_job_run(job, &err);
    if (status != TARE_OK) assert_int_equal(err.status, status);
    left->left = -1;
    tare_job_free(job);
    tare_context_free(context);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const ways[] = {"yes", "no"};
    for (size_t w = 0; w < 2; w++) {
        budget b = {-1, 0};
        assert_int_equal(run_once(&b, ways[w]), TARE_OK);
        assert_int_equal(b.live, 0);
        long n = 0, failures = 0;
        for (bool done = false; !done; n++) {
            b = (budget){n, 0};
            tare_status status = run_once(&b, ways[w]);
            assert_int_equal(b.live, 0);
            done = status == TARE_OK;
            if (!done) assert_int_equal(status, TARE_E_MEMORY);
            failures += !done;
        }
        assert_true(failures > 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, make, unmake);
}
