/* Finding ONNX Runtime, and what is said where it is not or is not good enough; what it prints at
 * its start. No real library is needed. */
#include "scorer/onnx/ort_library.h"

#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "scorer/onnx/ort_quiet.h"
#include "scorer/onnx/ort_session.h"
#include "support/check.h"

static void refused(const char *given, const char *code, const char *where, const char *says)
{
    tare_error err;
    ort_library l;
    assert_int_equal(ort_library_open(&l, given, &err), TARE_E_DATA);
    assert_string_equal(err.code, code);
    assert_string_equal(err.where, where);
    if (strstr(err.message, says) == NULL) fail_msg("'%s' is not in '%s'", says, err.message);
    assert_non_null(strstr(err.message, "tools/fetch_onnxruntime.sh"));
}

static void what_is_not_there_is_explained(void **state)
{
    (void)state;
    unsetenv("TARE_ORT_LIB");
    refused("/nonexistent/libonnxruntime.so", "onnx.missing", "/nonexistent/libonnxruntime.so",
            "--ort names this file, which does not exist");
    setenv("TARE_ORT_LIB", "/nonexistent/b.so", 1);
    refused(NULL, "onnx.missing", "/nonexistent/b.so", "TARE_ORT_LIB names this file");
    refused("/nonexistent/a.so", "onnx.missing", "/nonexistent/a.so", "--ort names this file");
}

static void what_is_no_onnx_runtime_is_refused(void **state)
{
    (void)state;
    tare_error err;
    ort_library l;
    char path[] = "/tmp/tare-no-ort-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_ok(os_write_file(path, "no library", 10, &err));
    assert_int_equal(ort_library_open(&l, path, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.library");
    unlink(path);
    setenv("FAKE_ORT", "base", 1);
    refused(FAKE_ORT, "onnx.library", FAKE_ORT, "no ONNX Runtime");
}

static void an_old_one_is_refused_without_being_asked(void **state)
{
    (void)state;
    tare_error err;
    ort_library l;
    setenv("FAKE_ORT", "old", 1);
    refused(FAKE_ORT, "onnx.library", FAKE_ORT, "ONNX Runtime 1.16.3; 1.17 or later is needed");
    setenv("FAKE_ORT", "none", 1);
    refused(FAKE_ORT, "onnx.library", FAKE_ORT, "ONNX Runtime 1.17.0, which tare does not know");
    setenv("FAKE_ORT", "gaps", 1);
    assert_int_equal(ort_library_open(&l, FAKE_ORT, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "has no GetErrorMessage"));
    assert_null(l.library.handle);
}

/* A session says the same, and a check. */
static void sessions_say_the_same(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c;
    ort_session *s;
    char version[32] = "-", path[256] = "-", model[] = "/tmp/tare-model-XXXXXX";
    int fd = mkstemp(model);
    assert_true(fd >= 0);
    close(fd);
    assert_ok(os_write_file(model, "\x3a\x00", 2, &err)); /* a model with an empty graph */
    assert_ok(tare_context_new(&c, NULL, &err));
    setenv("FAKE_ORT", "old", 1);
    const ort_open what = {FAKE_ORT, model, NULL, 0, NULL};
    assert_int_equal(ort_session_open(&s, c, &what, &err), TARE_E_DATA);
    assert_null(s);
    assert_string_equal(err.code, "onnx.library");
    assert_int_equal(ort_check(c, FAKE_ORT, version, path, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.library");
    assert_string_equal(version, "-");
    tare_context_free(c);
    unlink(model);
}

/* ---- What is printed ------------------------------------------------------- */

typedef struct heard {
    int count;
    char line[4][1200];
} heard;

static void hear(void *user, tare_level level, const char *words)
{
    heard *h = user;
    assert_int_equal(level, TARE_WARNING);
    if (h->count < 4) snprintf(h->line[h->count], sizeof h->line[0], "%s", words);
    h->count++;
}

static void say(const char *words)
{
    assert_int_equal(write(STDERR_FILENO, words, strlen(words)), strlen(words));
}

static tare_context *listening(heard *h)
{
    tare_error err;
    tare_context *c;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.user = h;
    o.message = hear;
    assert_ok(tare_context_new(&c, &o, &err));
    return c;
}

static void schema_errors_are_dropped_and_the_rest_is_handed_on(void **state)
{
    (void)state;
    heard h = {.count = 0};
    ort_quiet q = ORT_QUIET_NONE;
    tare_context *c = listening(&h);
    char long_line[3000];
    ort_quiet_end(&q, c); /* not begun */
    memset(long_line, 'x', sizeof long_line);
    long_line[sizeof long_line - 2] = '\n';
    long_line[sizeof long_line - 1] = '\0';
    ort_quiet_begin(&q);
    for (int i = 0; i < 5000; i++) {
        say("Schema error: Trying to register schema with name LogSoftmax (domain: version: 13)\n");
    }
    say("the GPU is away\n\n");
    say(long_line);
    say("no end of line");
    ort_quiet_end(&q, c);
    assert_int_equal(h.count, 3);
    assert_string_equal(h.line[0], "ONNX Runtime: the GPU is away");
    assert_int_equal(strlen(h.line[1]), strlen("ONNX Runtime: ") + 1023);
    assert_string_equal(h.line[2], "ONNX Runtime: no end of line");
    tare_context_free(c);
}

/* Descriptor 2 is what it was, none is left open, and without it nothing happens. */
static void the_descriptor_comes_back(void **state)
{
    (void)state;
    heard h = {.count = 0};
    ort_quiet q;
    tare_context *c = listening(&h);
    int ends[2], kept = dup(STDERR_FILENO);
    char got[16] = "";
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    ort_quiet_begin(&q);
    say("inside\n");
    ort_quiet_end(&q, c);
    say("after\n");
    assert_int_equal(read(ends[0], got, sizeof got - 1), 6);
    assert_string_equal(got, "after\n");
    assert_int_equal(h.count, 1);
    int next = dup(ends[0]);
    close(next);
    close(STDERR_FILENO);
    ort_quiet_begin(&q);
    assert_int_equal(q.saved, -1);
    ort_quiet_end(&q, c);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    int again = dup(ends[0]);
    assert_int_equal(again, next);
    close(again);
    close(kept);
    close(ends[0]);
    close(ends[1]);
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_explained),
        cmocka_unit_test(what_is_no_onnx_runtime_is_refused),
        cmocka_unit_test(an_old_one_is_refused_without_being_asked),
        cmocka_unit_test(sessions_say_the_same),
        cmocka_unit_test(schema_errors_are_dropped_and_the_rest_is_handed_on),
        cmocka_unit_test(the_descriptor_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
