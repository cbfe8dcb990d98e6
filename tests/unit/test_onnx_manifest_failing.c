/* Each allocation of reading a manifest fails in turn: no leak, and the status says so. libyaml
 * allocates by itself. A message that could not be made may be missing words, and only that. */
#include <string.h>

#include "scorer/onnx/onnx_manifest.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/onnx_manifests/"

static void fail_each(const char *path)
{
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err;
        arena a;
        onnx_manifest x;
        arena_init(&a, &m);
        tare_status status = onnx_manifest_read(&x, &a, path, &err);
        if (status == TARE_OK) assert_true(x.identity[0] == '{');
        arena_free(&a);
        if (failing_mem_live(&f) != 0) fail_msg("%s: k = %ld leaks", path, k);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > 20);
            return;
        }
        if (status != TARE_E_MEMORY) fail_msg("%s: k = %ld: status %d", path, k, (int)status);
    }
}

static void valid_ones(void **state)
{
    (void)state;
    static const char *const files[] = {"nima.json", "nima.yaml", "faces.yaml", "padded.json",
                                        "literal.yaml", "head.yaml", "wave.json"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[400];
        snprintf(path, sizeof path, FOLDER "%s", files[k]);
        fail_each(path);
    }
}

static void wrong_ones(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"tare_scorer\": 1, \"nam\": 2}",
        "{\"tare_scorer\": 1, \"name\": \"\\u0007\", \"model\": \"m\", \"input\": {}, "
        "\"output\": {}}",
        "{\"tare_scorer\": 1, \"name\": \"n\", \"model\": \"m\", \"input\": {\"name\": \"i\", "
        "\"kind\": \"imge\"}, \"output\": {\"name\": \"o\"}}",
        "{\"tare_scorer\": 1, \"name\": \"n\", \"model\": \"m\", \"input\": {\"name\": \"i\", "
        "\"kind\": \"vector\", \"length\": 1}, \"output\": {\"name\": \"o\", \"ops\": [[\"x\"]]}}",
    };
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
        for (long k = 1;; k++) {
            failing_mem f;
            mem m = failing_mem_start(&f, k);
            tare_error err = {TARE_OK, "", "", ""};
            arena a;
            onnx_manifest x;
            arena_init(&a, &m);
            tare_status status = onnx_manifest_parse(&x, &a, "m", texts[n], strlen(texts[n]), &err);
            arena_free(&a);
            assert_int_equal(failing_mem_live(&f), 0);
            assert_true(status == TARE_E_MEMORY || status == TARE_E_DATA);
            assert_true(*err.message);
            if (!failing_mem_failed(&f)) {
                assert_int_equal(status, TARE_E_DATA);
                break;
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(valid_ones), cmocka_unit_test(wrong_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
