/* Memory that runs out at any point of reading a score table gives MEMORY, no crash and no leak;
 * tables that are cut or garbled give an answer or an error. */
#include <string.h>

#include "score_desk.h"
#include "support/check.h"
#include "support/failing_mem.h"

static const char *const csv = "item,author,judge,score,status,rep,gold,cluster,length,fold\n"
                               "a,x,X,1,,0,1,c,9,f\na,x,X,2,,1,1,c,9,f\na,y,X,refused,,0,2,c,8,f\n"
                               "b,x,X,,unparsed,0,,d,7,g\na,y,z z,4,,0,2,c,8,f\n"
                               "a,y,zz,5,,0,2,c,8,f\na,y,zz,5,,0,2,c,8,f\n";
static const char *const labelled = "item,author,p,q,h1,h2\na,x,good,bad,bad,good\n"
                                    "b,x,,refused,,\n";

/* Everything from the context's own allocator; the k-th allocation after its start fails. */
static tare_status run_once(long k, const char *text, const score_table_options *o, bool *failed)
{
    failing_mem f;
    failing_mem_start(&f, 0);
    tare_context *context = NULL;
    tare_context_options c = TARE_CONTEXT_OPTIONS_INIT;
    c.threads = 1;
    c.user = &f;
    c.resize = failing_mem_resize;
    tare_error err = {0};
    assert_ok(tare_context_new(&context, &c, &err));
    atomic_store(&f.left, k);
    arena a;
    audit_result result;
    score_table t;
    arena_init(&a, &context->mem);
    result_init(&result, &context->mem);
    const table_bytes in = {"scores.csv", text, strlen(text)};
    tare_status status = score_table_load_bytes(&t, &a, context, &in, o, &result, &err);
    if (status != TARE_OK) assert_int_equal(err.status, status);
    *failed = failing_mem_failed(&f);
    result_free(&result);
    arena_free(&a);
    tare_context_free(context);
    assert_int_equal(failing_mem_live(&f), 0);
    return status;
}

static void fail_each(const char *text, const score_table_options *o)
{
    bool failed = true;
    long k = 1;
    assert_int_equal(run_once(0, text, o, &failed), TARE_OK);
    assert_false(failed);
    for (;; k++) {
        tare_status status = run_once(k, text, o, &failed);
        if (!failed) break;
        assert_int_equal(status, TARE_E_MEMORY);
    }
    assert_true(k > 40);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char human[64], models[64];
    desk_file(human, ".csv", "item,author,rater,rating\na,x,r,1\na,y,r,2\nq,x,r,3\n");
    desk_file(models, ".csv", "id,alias,family\nX,,f\nx,w,f\n");
    score_table_options o = {.keep_rows = true};
    o.columns.fold = "fold";
    fail_each(csv, &o);
    o.human = human;
    o.roster = models;
    fail_each(csv, &o);
    static const char *const judges[] = {"q", "p"};
    score_table_options wide = {.labels = true, .judges = judges, .judge_count = 2};
    fail_each(labelled, &wide);
    unlink(human);
    unlink(models);
}

static void cut_and_garbled(void **state)
{
    (void)state;
    score_desk d;
    char copy[512];
    size_t length = strlen(csv);
    unsigned seed = 7;
    desk_open(&d, 1);
    for (size_t n = 0; n < length; n++) {
        tare_error err = {0};
        memcpy(copy, csv, n);
        copy[n] = '\0';
        tare_status status = desk_read(&d, copy, &err);
        assert_int_equal(status, err.status);
        if (status != TARE_OK) assert_true(err.message[0] != '\0');
    }
    for (int k = 0; k < 3000; k++) {
        tare_error err = {0};
        memcpy(copy, csv, length + 1);
        for (int j = 0; j < 3; j++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % length] = ",\n\"ax01-\tnz"[(seed >> 4) % 11];
        }
        d.o.labels = k % 2;
        d.o.author_optional = k % 3 == 0;
        tare_status status = desk_read(&d, copy, &err);
        assert_true(status == TARE_OK || status == TARE_E_DATA || status == TARE_E_USAGE);
        if (status == TARE_OK) free(desk_dump(&d));
    }
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cut_and_garbled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
