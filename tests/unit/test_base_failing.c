/* Each allocation fails in turn: the call says so, nothing leaks, nothing else breaks. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/os.h"
#include "base/pool.h"
#include "support/check.h"
#include "support/failing_mem.h"

/* Runs `work` with the k-th allocation failing for k = 1, 2, ... until it succeeds. */
static void fail_each(tare_status (*work)(const mem *m, tare_error *err), long at_least)
{
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err = {TARE_OK, "", "", ""};
        tare_status status = work(&m, &err);
        if (failing_mem_live(&f) != 0) fail_msg("k = %ld leaks", k);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > at_least);
            return;
        }
        if (status != TARE_E_MEMORY) fail_msg("k = %ld: status %d", k, (int)status);
        assert_int_equal(err.status, TARE_E_MEMORY);
    }
}

static tare_status parse_json(const mem *m, tare_error *err)
{
    static const char source[] =
        "{\"a\":[1,2,3,[4,[5,{\"deep\":\"text text text text text text text text\"}]]],"
        "\"k1\":1,\"k2\":1,\"k3\":1,\"k4\":1,\"k5\":1,\"k6\":1,\"k7\":1,\"k8\":1,\"k9\":1,"
        "\"l1\":1,\"l2\":1,\"l3\":1,\"l4\":1,\"l5\":1,\"l6\":1,\"l7\":1,\"l8\":1,\"l9\":1}";
    arena a;
    json_value *v;
    arena_init(&a, m);
    tare_status status = json_parse(&v, &a, "t", source, sizeof source - 1, NULL, err);
    arena_free(&a);
    return status;
}

static tare_status fill_map(const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    map *s;
    TRY_NEW(s = map_new(m));
    for (int i = 0; i < 500; i++) {
        char key[16];
        int n = snprintf(key, sizeof key, "%d", i);
        size_t index = map_add(s, key, (size_t)n, NULL);
        if (index == SIZE_MAX) FAIL_MEMORY(err);
        assert_int_equal(index, i);
    }
done:
    map_free(s);
    return status;
}

static tare_status fill_text(const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    text_init(&t, m);
    for (int i = 0; i < 100; i++) {
        text_add(&t, "abc");
        text_add_number(&t, i / 3.0);
        text_add_format(&t, "%40d", i);
    }
    if (t.failed) FAIL_MEMORY(err);
done:
    text_free(&t);
    return status;
}

static tare_status nothing(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err)
{
    (void)arg, (void)item, (void)slot, (void)worker, (void)err;
    return TARE_OK;
}

static tare_status nothing_taken(void *arg, size_t item, size_t slot, tare_error *err)
{
    (void)arg, (void)item, (void)slot, (void)err;
    return TARE_OK;
}

static tare_status run_pool(const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    pool *p;
    TRY_NEW(p = pool_new(m, 3));
    pool_flow f = {20, 4, nothing, nothing_taken, NULL, NULL};
    TRY(pool_flow_run(p, &f, err));
    TRY(pool_for(p, 20, 2, nothing, NULL, err));
done:
    pool_free(p);
    return status;
}

static tare_status list_files(const mem *m, tare_error *err)
{
    os_listing l;
    arena a;
    arena_init(&a, m);
    tare_status status = os_list_files(&l, &a, TARE_SOURCE_DIR "/src/base", 1000, err);
    if (status == TARE_OK) assert_true(l.count > 15);
    arena_free(&a);
    return status;
}

static tare_status read_file(const mem *m, tare_error *err)
{
    char *data = NULL;
    size_t n;
    tare_status status = os_read_file(&data, &n, m, "/proc/self/maps", 1 << 22, err);
    mem_free(m, data);
    return status;
}

static tare_status make_context(const mem *m, tare_error *err)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *c;
    o.user = m->user;
    o.resize = m->resize;
    tare_status status = tare_context_new(&c, &o, err);
    tare_context_free(c);
    return status;
}

static void json_parse_fails_cleanly(void **state)
{
    (void)state;
    fail_each(parse_json, 8);
}

static void map_fails_cleanly(void **state)
{
    (void)state;
    fail_each(fill_map, 10);
}

static void text_fails_cleanly(void **state)
{
    (void)state;
    fail_each(fill_text, 5);
}

static void pool_fails_cleanly(void **state)
{
    (void)state;
    fail_each(run_pool, 2);
}

static void files_fail_cleanly(void **state)
{
    (void)state;
    fail_each(list_files, 3);
    fail_each(read_file, 0);
}

static void context_fails_cleanly(void **state)
{
    (void)state;
    fail_each(make_context, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_parse_fails_cleanly), cmocka_unit_test(map_fails_cleanly),
        cmocka_unit_test(text_fails_cleanly),       cmocka_unit_test(pool_fails_cleanly),
        cmocka_unit_test(files_fail_cleanly),       cmocka_unit_test(context_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
