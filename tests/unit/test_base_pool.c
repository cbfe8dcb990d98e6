/* Threads: the same results and the same errors for any number of them. */
#include "base/pool.h"

#include <string.h>
#include <time.h>

#include "base/error.h"
#include "support/check.h"

enum { N = 5000 };

typedef struct ranges {
    pool *p;
    unsigned threads;
    int hits[N];
    size_t fail_from[2]; /* pieces holding these indices fail */
    atomic_int bad_worker;
    atomic_int nested;
} ranges;

static void pause_briefly(size_t i)
{
    struct timespec t = {0, (long)(i * 7919 % 5) * 20000};
    nanosleep(&t, NULL);
}

static tare_status count_hits(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    ranges *r = arg;
    if (worker >= r->threads) atomic_store(&r->bad_worker, 1);
    for (size_t i = begin; i < end; i++) r->hits[i]++;
    for (int k = 0; k < 2; k++) {
        size_t at = r->fail_from[k];
        if (at >= begin && at < end) {
            if (k == 1) pause_briefly(1); /* the lower failure comes later in time */
            return error_set(err, TARE_E_DATA, "test.fail", NULL, "index %zu", at);
        }
    }
    return TARE_OK;
}

static void every_index_is_done_once(void **state)
{
    (void)state;
    mem m = mem_system();
    static const size_t sizes[] = {0, 1, 7, 64, 999, N};
    for (unsigned threads = 1; threads <= 5; threads++) {
        pool *p = pool_new(&m, threads);
        assert_int_equal(pool_threads(p), threads);
        for (size_t k = 0; k < 6; k++) {
            ranges r = {.p = p, .threads = threads, .fail_from = {SIZE_MAX, SIZE_MAX}};
            tare_error err;
            assert_ok(pool_for(p, sizes[k], k * 5, count_hits, &r, &err));
            for (size_t i = 0; i < N; i++) assert_int_equal(r.hits[i], i < sizes[k]);
            assert_int_equal(atomic_load(&r.bad_worker), 0);
        }
        pool_free(p);
    }
    pool_free(NULL);
}

static void the_lowest_failure_wins(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 4; threads++) {
        pool *p = pool_new(&m, threads);
        for (int round = 0; round < 30; round++) {
            ranges r = {.p = p, .threads = threads, .fail_from = {1010, 1003}};
            tare_error err;
            assert_int_equal(pool_for(p, N, 2, count_hits, &r, &err), TARE_E_DATA);
            assert_string_equal(err.message, "index 1003");
            assert_int_equal(r.hits[1001], 1);
        }
        pool_free(p);
    }
}

static tare_status add_one(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    (void)worker, (void)err;
    atomic_fetch_add((atomic_int *)arg, (int)(end - begin));
    return TARE_OK;
}

static tare_status nest(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    ranges *r = arg;
    (void)begin, (void)end, (void)worker;
    return pool_for(r->p, 10, 1, add_one, &r->nested, err);
}

static void nested_calls_run_inline(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 4; threads++) {
        pool *p = pool_new(&m, threads);
        ranges r = {.p = p, .threads = threads};
        tare_error err;
        assert_ok(pool_for(p, 100, 1, nest, &r, &err));
        assert_int_equal(atomic_load(&r.nested), 1000);
        pool_free(p);
    }
}

/* ---- Flow ------------------------------------------------------------------ */

enum { ITEMS = 300, WINDOW = 7 };

typedef struct flow_test {
    size_t slot_item[WINDOW];
    atomic_int alive, most;
    size_t next_take;
    size_t fail_make, fail_make_late, fail_take;
    pool *p;
    atomic_int inner;
} flow_test;

static tare_status make(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err)
{
    flow_test *t = arg;
    (void)worker;
    if (item % 3 == 0) pause_briefly(item);
    if (item == t->fail_make || item == t->fail_make_late) {
        if (item == t->fail_make_late) pause_briefly(1);
        return error_set(err, TARE_E_DATA, "make", NULL, "item %zu", item);
    }
    int alive = atomic_fetch_add(&t->alive, 1) + 1, most = atomic_load(&t->most);
    while (alive > most && !atomic_compare_exchange_weak(&t->most, &most, alive)) continue;
    t->slot_item[slot] = item;
    return TARE_OK;
}

static tare_status take(void *arg, size_t item, size_t slot, tare_error *err)
{
    flow_test *t = arg;
    assert_int_equal(item, t->next_take++);
    assert_int_equal(t->slot_item[slot], item);
    atomic_fetch_sub(&t->alive, 1);
    if (item == t->fail_take) return error_set(err, TARE_E_IO, "take", NULL, "item %zu", item);
    return TARE_OK;
}

static void drop(void *arg, size_t item, size_t slot)
{
    flow_test *t = arg;
    assert_int_equal(t->slot_item[slot], item);
    atomic_fetch_sub(&t->alive, 1);
}

static tare_status run_flow(pool *p, flow_test *t, tare_error *err)
{
    pool_flow f = {ITEMS, WINDOW, make, take, drop, t};
    return pool_flow_run(p, &f, err);
}

static void items_arrive_in_order_within_the_window(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 4; threads++) {
        pool *p = pool_new(&m, threads);
        flow_test t = {.fail_make = SIZE_MAX, .fail_make_late = SIZE_MAX, .fail_take = SIZE_MAX};
        tare_error err;
        assert_ok(run_flow(p, &t, &err));
        assert_int_equal(t.next_take, ITEMS);
        assert_int_equal(atomic_load(&t.alive), 0);
        assert_in_range(atomic_load(&t.most), 1, WINDOW);
        pool_flow none = {0, WINDOW, make, take, drop, &t};
        assert_ok(pool_flow_run(p, &none, &err));
        pool_free(p);
    }
}

static void the_first_error_in_item_order_ends_the_flow(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 4; threads++) {
        pool *p = pool_new(&m, threads);
        for (size_t round = 0; round < 20; round++) {
            flow_test t = {.fail_make = 104, .fail_make_late = 102, .fail_take = SIZE_MAX};
            tare_error err;
            assert_int_equal(run_flow(p, &t, &err), TARE_E_DATA);
            assert_string_equal(err.message, "item 102");
            assert_int_equal(t.next_take, 102);
            assert_int_equal(atomic_load(&t.alive), 0);
            t = (flow_test){.fail_make = 104, .fail_make_late = SIZE_MAX, .fail_take = 103};
            assert_int_equal(run_flow(p, &t, &err), TARE_E_IO);
            assert_string_equal(err.message, "item 103");
            assert_int_equal(atomic_load(&t.alive), 0);
        }
        pool_free(p);
    }
}

static tare_status make_inner(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err)
{
    flow_test *t = arg;
    (void)item, (void)slot, (void)worker;
    return pool_for(t->p, 10, 3, add_one, &t->inner, err);
}

static tare_status take_inner(void *arg, size_t item, size_t slot, tare_error *err)
{
    flow_test *t = arg;
    (void)item, (void)slot;
    return pool_for(t->p, 10, 3, add_one, &t->inner, err);
}

static void pool_calls_inside_a_flow_run_inline(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 4; threads++) {
        flow_test t = {.p = pool_new(&m, threads)};
        pool_flow f = {50, 4, make_inner, take_inner, NULL, &t};
        tare_error err;
        assert_ok(pool_flow_run(t.p, &f, &err));
        assert_int_equal(atomic_load(&t.inner), 1000);
        pool_free(t.p);
    }
}

/* A task beside others: its result and error are there when it has been waited for, with any number
 * of threads; one that is dropped is told so. */
static tare_status long_task(void *arg, const atomic_bool *stop, tare_error *err)
{
    int *said = arg;
    if (*said == 1) return error_set(err, TARE_E_DATA, "test.aside", NULL, "no");
    for (int i = 0; i < 100000 && *said == 2 && !atomic_load(stop); i++) pause_briefly(4);
    *said = atomic_load(stop) ? 9 : 7;
    return TARE_OK;
}

static void a_task_runs_beside_others(void **state)
{
    (void)state;
    mem m = mem_system();
    for (unsigned threads = 1; threads <= 3; threads++) {
        pool *p = pool_new(&m, threads);
        pool_aside *a;
        tare_error err;
        int said = 0;
        assert_int_equal(pool_aside_start(&a, p, long_task, &said, &err), TARE_OK);
        ranges r = {.p = p, .threads = threads, .fail_from = {N, N}};
        assert_int_equal(pool_for(p, N, 7, count_hits, &r, &err), TARE_OK);
        assert_int_equal(pool_aside_wait(a, &err), TARE_OK);
        assert_int_equal(said, 7);
        said = 1;
        assert_int_equal(pool_aside_start(&a, p, long_task, &said, &err), TARE_OK);
        assert_int_equal(pool_aside_wait(a, &err), TARE_E_DATA);
        assert_string_equal(err.code, "test.aside");
        said = 2;
        assert_int_equal(pool_aside_start(&a, p, long_task, &said, &err), TARE_OK);
        pool_aside_drop(a);
        assert_int_equal(said, threads == 1 ? 2 : 9); /* one thread: it never began */
        pool_aside_drop(NULL);
        pool_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_done_once),
        cmocka_unit_test(the_lowest_failure_wins),
        cmocka_unit_test(nested_calls_run_inline),
        cmocka_unit_test(items_arrive_in_order_within_the_window),
        cmocka_unit_test(the_first_error_in_item_order_ends_the_flow),
        cmocka_unit_test(pool_calls_inside_a_flow_run_inline),
        cmocka_unit_test(a_task_runs_beside_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
