/* Memory that runs out at any point of reading and analysing gives MEMORY, no crash and no leak. */
#include <stdlib.h>

#include "scorer_tables.h"
#include "support/check.h"

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

static tare_status run_once(budget *left, const char *csv, size_t length)
{
    tare_context *context = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 1;
    o.user = left;
    o.resize = resize;
    tare_error err = {0};
    long allowed = left->left;
    left->left = -1; /* the context itself is another test's business */
    assert_ok(tare_context_new(&context, &o, &err));
    left->left = allowed;
    arena a;
    arena_init(&a, &context->mem);
    audit_result result;
    result_init(&result, &context->mem);
    analyse_options options = ANALYSE_OPTIONS_DEFAULT;
    options.boot_b = options.perm_p = 19;
    options.group_min = 2;
    cube c;
    table_bytes bytes = {"scores.csv", csv, length};
    tare_status status = cube_from_table_bytes(&c, &a, context, &bytes, NULL, &err);
    if (status == TARE_OK) status = analyse_cube(&result, context, &c, &options, &err);
    if (status != TARE_OK) assert_int_equal(err.status, status);
    result_free(&result);
    arena_free(&a);
    tare_context_free(context);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mem m = mem_system();
    text csv;
    text_init(&csv, &m);
    gauss g = {3};
    text_add(&csv, "arm,base,dose,score,ita,artifact,edit_energy,group\n");
    for (int i = 0; i < 8; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            for (int arm = 0; arm < 2; arm++)
                if (!(i == 7 && dose == 5))
                    text_add_format(&csv, "%s,b%d,%d,%.9g,%d,%.3f,%d,g%d\n",
                                    arm ? "sham" : "skin", i, dose, gauss_next(&g), 40 + dose,
                                    .01 * (i % 3) * abs(dose), abs(dose), i % 2);
    assert_false(csv.failed);
    budget b = {-1, 0};
    assert_int_equal(run_once(&b, csv.data, csv.length), TARE_OK);
    assert_int_equal(b.live, 0);
    long n = 0, failures = 0;
    for (;; n++) {
        b = (budget){n, 0};
        tare_status status = run_once(&b, csv.data, csv.length);
        assert_int_equal(b.live, 0);
        if (status == TARE_OK) break;
        assert_int_equal(status, TARE_E_MEMORY);
        failures++;
    }
    assert_true(failures > 100);
    text_free(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
