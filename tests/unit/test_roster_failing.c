/* Each allocation of reading a roster fails in turn: no leak, the status says so. libyaml allocates
 * by itself and cannot be made to fail here; what is ours around it can. */
#include <string.h>

#include "judge/roster.h"
#include "support/check.h"
#include "support/failing_mem.h"

static void fail_each(const char *name, const char *bytes)
{
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err;
        arena a;
        roster r;
        arena_init(&a, &m);
        tare_status status = roster_parse(&r, &a, name, bytes, strlen(bytes), &err);
        if (status == TARE_OK) assert_int_equal(r.count, 2);
        arena_free(&a);
        if (failing_mem_live(&f) != 0) fail_msg("%s: k = %ld leaks", name, k);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > 5);
            return;
        }
        if (status != TARE_E_MEMORY) fail_msg("%s: k = %ld: status %d", name, k, (int)status);
    }
}

static void in_each_format(void **state)
{
    (void)state;
    fail_each("r.yaml", "- id: a\n  alias: [x, y]\n  family: f\n  groups: {v: w, a: [b, c]}\n"
                        "- id: b\n  params: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9,"
                        " j: 1, k: 2, l: 3, m: 4, n: 5, o: 6, p: 7, q: 8}\n");
    fail_each("r.json", "[{\"id\":\"a\",\"alias\":\"x\",\"groups\":{\"p\":7}},{\"id\":\"b\"}]");
    fail_each("r.csv", "id,alias,family,v\na,x;y,f,w\nb,,,q;r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_each_format)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
