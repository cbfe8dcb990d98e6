/* Memory gives out at every point of an audit: MEMORY or a right answer, never another error, a
 * wrong reading, a leak or a crash; and what the run folder holds afterwards goes on to the same
 * readings. SQLite has an allocator of its own. */
#include <stdatomic.h>
#include <string.h>

#include "fault_support.h"
#include "photo_fixture.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define EVERY 300 /* the first allocations one by one, then one in 32 */

/* The k-th allocation fails, and, if it `stays`, all after it. */
typedef struct shortage {
    failing_mem one;
    bool stays;
} shortage;

static void *resize(void *user, void *pointer, size_t bytes)
{
    shortage *s = user;
    if (bytes && s->stays && failing_mem_failed(&s->one)) return NULL;
    return failing_mem_resize(&s->one, pointer, bytes);
}

static tare_context_options options_of(shortage *s, long k, bool stays, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    failing_mem_start(&s->one, k);
    s->stays = stays;
    o.threads = threads;
    o.user = s;
    o.resize = resize;
    return o;
}

static int make(void **state)
{
    (void)state;
    scratch_make();
    write_photos("photos", 3);
    write_plain("photos/blue.png", 24, 28, 20, 60, 200);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    scratch_remove();
    return 0;
}

static void clear(const char *folder)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* One attempt with a shortage at k. False: k is past the last allocation. */
static bool attempt(const fault_audit *audit, const text *wanted, long k, bool stays,
                    unsigned threads)
{
    shortage s;
    tare_error err;
    text got;
    tare_context_options o = options_of(&s, k, stays, threads);
    tare_status status = fault_run(&got, audit, &o, &err);
    bool reached = failing_mem_failed(&s.one);
    if (failing_mem_live(&s.one))
        fail_msg("allocation %ld: %ld blocks are left", k, failing_mem_live(&s.one));
    if (status != TARE_OK && status != TARE_E_MEMORY)
        fail_msg("allocation %ld: %s [%s] %s", k, err.where, err.code, err.message);
    if (status == TARE_E_MEMORY && !reached) fail_msg("MEMORY without a shortage");
    if (status == TARE_OK && strcmp(got.data, wanted->data))
        fail_msg("allocation %ld failed and the readings are others", k);
    text_free(&got);
    return reached;
}

static long next(long k)
{
    return k < EVERY ? k + 1 : k + k / 32;
}

/* Photographs, a fresh run folder for each k; then the same call with enough memory. */
static void photographs(bool stays, unsigned threads, long first)
{
    const char *const options[] = {"output", in_scratch("out"), "scorer",
                                   "planted:dose=1,noise=0.5", "scorer", "planted:luminance=2",
                                   "batch", "4", "boot-b", "99", "perm-p", "99", "strips", "1",
                                   "seed", "3", NULL};
    const fault_audit audit = {in_scratch("photos"), options, NULL, NULL};
    char what[64];
    text wanted;
    fault_reference(&wanted, &audit);
    long k = first;
    for (;; k = next(k)) {
        clear(options[1]);
        bool reached = attempt(&audit, &wanted, k, stays, threads);
        snprintf(what, sizeof what, "allocation %ld failed", k);
        fault_goes_on(&audit, &wanted, what);
        if (!reached) break;
    }
    assert_true(k > 1000);
    text_free(&wanted);
}

static void test_photographs_one_allocation(void **state)
{
    (void)state;
    photographs(false, 1, 1);
}

static void test_photographs_no_more_memory(void **state)
{
    (void)state;
    photographs(true, 1, 100);
}

static void test_photographs_with_threads(void **state)
{
    (void)state;
    photographs(false, 3, EVERY);
}

/* A finished run folder read and reported again, which must stay whole. */
static void test_finished_run_and_report(void **state)
{
    (void)state;
    const char *const options[] = {"output", in_scratch("out"), "scorer", "planted:dose=1",
                                   "boot-b", "99", "perm-p", "99", "strips", "1", NULL};
    const char *const none[] = {NULL};
    const fault_audit first = {in_scratch("photos"), options, NULL, NULL};
    const fault_audit again = {in_scratch("out"), none, in_scratch("out"), NULL};
    text wanted;
    fault_reference(&wanted, &first);
    fault_goes_on(&again, &wanted, "a finished run");
    long k = 1;
    while (attempt(&again, &wanted, k, false, 1)) k = next(k);
    assert_true(k > 1000);
    fault_goes_on(&again, &wanted, "many shortages");
    text_free(&wanted);
}

static void test_table(void **state)
{
    (void)state;
    const char *const options[] = {"boot-b", "99", "perm-p", "99", "group-min", "2", NULL};
    const fault_audit audit = {in_scratch("scores.csv"), options, in_scratch("report"), NULL};
    mem m = mem_system();
    text csv, wanted;
    text_init(&csv, &m);
    text_add(&csv, "arm,base,dose,scorer,score,attribute,artifact,group,cluster\n");
    for (int i = 0; i < 8; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            for (int arm = 0; arm < 2; arm++) {
                if (i == 7 && dose == 5) continue; /* a hole */
                int wobble = (i * 37 + dose * 11 + arm * 5) % 17;
                text_add_format(&csv, "%s,b%d,%d,s,%d.%d,%d,0.%d,g%d,c%d\n", arm ? "sham" : "skin",
                                i, dose, 3 + (arm ? 0 : dose), wobble < 0 ? -wobble : wobble,
                                40 + dose, i % 3, i / 2 % 2, i / 2);
            }
    assert_false(csv.failed);
    write_text("scores.csv", csv.data);
    fault_reference(&wanted, &audit);
    for (int stays = 0; stays < 2; stays++) {
        long k = 1;
        while (attempt(&audit, &wanted, k, stays, 1)) k = next(k);
        assert_true(k > EVERY);
    }
    fault_goes_on(&audit, &wanted, "many shortages");
    text_free(&csv);
    text_free(&wanted);
}

/* The steps of an audit by themselves. */
static void test_perturb_and_score(void **state)
{
    (void)state;
    const char *const kept[] = {"output", in_scratch("perturb"), NULL};
    const char *const scored[] = {"output", in_scratch("score"), "scorer",
                                  "planted:luminance=2", NULL};
    const fault_audit steps[] = {
        {in_scratch("photos"), kept, in_scratch("perturb"), "perturb"},
        {in_scratch("photos"), scored, in_scratch("score"), "score"},
    };
    for (int i = 0; i < 2; i++) {
        text wanted;
        tare_error err;
        assert_ok(fault_run(&wanted, &steps[i], NULL, &err));
        long k = 1;
        for (bool reached = true; reached; k = next(k)) {
            clear(steps[i].report);
            reached = attempt(&steps[i], &wanted, k, false, 1);
        }
        assert_true(k > 100);
        fault_goes_on(&steps[i], &wanted, "many shortages");
        text_free(&wanted);
    }
}

int main(void)
{
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_photographs_one_allocation),
        IN_SCRATCH(test_photographs_no_more_memory),
        IN_SCRATCH(test_photographs_with_threads),
        IN_SCRATCH(test_finished_run_and_report),
        IN_SCRATCH(test_table),
        IN_SCRATCH(test_perturb_and_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
