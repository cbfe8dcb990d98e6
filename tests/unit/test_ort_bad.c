/* Files that are no model, damaged models, another model than the one that is wanted. */
#include <string.h>
#include <sys/stat.h>

#include "base/os.h"
#include "support/ort_fixture.h"

static tare_error refused(tare_context *c, const char *path, const char *sum, tare_status status)
{
    tare_error err = {TARE_OK, "", "", ""};
    ort_session *s = NULL;
    const ort_open what = {NULL, path, sum, 0, NULL};
    assert_int_equal(ort_session_open(&s, c, &what, &err), status);
    assert_null(s);
    assert_true(*err.message != '\0');
    return err;
}

static void what_is_no_file(void **state)
{
    (void)state;
    tare_context *c = ort_context();
    assert_string_equal(refused(c, ort_place("none.onnx"), NULL, TARE_E_IO).code, "io.open");
    assert_string_equal(refused(c, ort_place("."), NULL, TARE_E_DATA).code, "onnx.file");
    assert_string_equal(refused(c, "/dev/zero", NULL, TARE_E_DATA).code, "onnx.file");
    assert_int_equal(mkfifo(ort_place("pipe.onnx"), 0600), 0);
    assert_string_equal(refused(c, ort_place("pipe.onnx"), NULL, TARE_E_DATA).code, "onnx.file");
    ort_write("empty.onnx", "", 0);
    assert_non_null(strstr(refused(c, ort_place("empty.onnx"), NULL, TARE_E_DATA).message,
                           "empty"));
    tare_context_free(c);
}

static void what_is_no_model(void **state)
{
    (void)state;
    static const struct { const char *bytes; size_t length; } files[] = {
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", 64},
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16}, {"<!DOCTYPE html><html>", 21},
        {"PK\3\4\x14\0\0\0\0\0", 10}, {"\x08\x08", 2}, {"\0", 1}};
    tare_error err;
    tare_context *c = ort_context();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = ort_place("no.onnx");
        ort_write("no.onnx", files[i].bytes, files[i].length);
        err = refused(c, path, NULL, TARE_E_DATA);
        assert_string_equal(err.code, "onnx.model");
        assert_string_equal(err.where, path);
        assert_non_null(strstr(err.message, "no ONNX model"));
    }
    tare_context_free(c);
}

static void graphs_that_the_library_refuses(void **state)
{
    (void)state;
    model_writer w;
    tare_context *c = ort_context();
    tiny_begin(&w);
    model_write_input(&w, "x", ORT_F32, 1, TINY_DIMS(3));
    model_write_node(&w, "NoSuchOperator", "x", "y");
    model_write_output(&w, "y", ORT_F32, 1, TINY_DIMS(3));
    assert_true(tiny_save(&w, ort_place("strange.onnx")));
    tare_error err = refused(c, ort_place("strange.onnx"), NULL, TARE_E_DATA);
    assert_string_equal(err.code, "onnx.model");
    assert_non_null(strstr(err.message, "NoSuchOperator"));
    assert_true(strncmp(err.message, "ONNX Runtime 1.", 15) == 0);
    tare_context_free(c);
}

static char *read_model(size_t *length, const char *name)
{
    tare_error err;
    mem m = mem_system();
    char *bytes = NULL;
    assert_ok(os_read_file(&bytes, length, &m, ort_place(name), 1 << 24, &err));
    return bytes;
}

/* Cut at every length: always an error or, where only what is not needed is cut off, a model. */
static void truncated_models(void **state)
{
    (void)state;
    mem m = mem_system();
    size_t length, opened = 0;
    char *bytes = read_model(&length, "tower.onnx");
    tare_context *c = ort_context();
    const char *path = ort_place("cut.onnx");
    size_t open_files = ort_open_files();
    for (size_t n = 1; n < length; n += n < 40 || n > length - 140 ? 1 : 13) {
        tare_error err = {TARE_OK, "", "", ""};
        ort_session *s = NULL;
        const ort_open what = {NULL, path, NULL, 0, NULL};
        ort_write("cut.onnx", bytes, n);
        tare_status status = ort_session_open(&s, c, &what, &err);
        assert_true(status == TARE_OK || (status == TARE_E_DATA && *err.message != '\0'));
        opened += status == TARE_OK;
        ort_session_close(s);
    }
    assert_true(opened < 4);
    assert_true(ort_open_files() <= open_files + 1); /* the library's own, opened once */
    mem_free(&m, bytes);
    tare_context_free(c);
}

/* One byte changed at many places: an error or a session, never more. */
static void corrupted_models(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    size_t length;
    float x[ORT_IMAGE];
    char *bytes = read_model(&length, "tower.onnx");
    tare_context *c = ort_context();
    const char *path = ort_place("bent.onnx");
    ort_pixels(x, ORT_IMAGE);
    for (size_t i = 0; i < 300; i++) {
        size_t at = i < 150 ? i : length - (i - 149);
        ort_session *s = NULL;
        const ort_open what = {NULL, path, NULL, 0, NULL};
        char before = bytes[at];
        bytes[at] = (char)(before ^ (1 << i % 8));
        ort_write("bent.onnx", bytes, length);
        bytes[at] = before;
        tare_status status = ort_session_open(&s, c, &what, &err);
        if (status == TARE_OK) {
            ort_output out;
            const ort_tensor in = {"image", ORT_F32, 4, {1, 3, 8, 8}, x};
            status = ort_session_run(&out, s, &in, 1, "embedding", &err);
            mem_free(&m, out.value);
            assert_true(status == TARE_OK || status == TARE_E_INSTRUMENT
                        || status == TARE_E_DATA);
        }
        ort_session_close(s);
    }
    mem_free(&m, bytes);
    tare_context_free(c);
}

static void another_model_than_wanted(void **state)
{
    (void)state;
    tare_context *c = ort_context();
    static const char wrong[] = "00000000000000000000000000000000"
                                "00000000000000000000000000000000";
    tare_error err = refused(c, ort_place("mean.onnx"), wrong, TARE_E_DATA);
    assert_string_equal(err.code, "onnx.sha256");
    assert_non_null(strstr(err.message, wrong));
    ort_session *s = ort_model(c, "mean.onnx"), *again = NULL;
    char upper[65];
    for (int i = 0; i <= 64; i++) {
        char digit = ort_session_facts(s)->sha256[i];
        upper[i] = (char)(digit >= 'a' && digit <= 'f' ? digit - 32 : digit);
    }
    const ort_open what = {NULL, ort_place("mean.onnx"), upper, 0, NULL};
    assert_ok(ort_session_open(&again, c, &what, &err));
    assert_non_null(strstr(refused(c, ort_place("mean.onnx"), wrong, TARE_E_DATA).message,
                           ort_session_facts(s)->sha256));
    ort_session_close(again);
    ort_session_close(s);
    tare_context_free(c);
}

/* More than protobuf can count: a sparse file, refused before it is read. */
static void models_above_two_gigabytes(void **state)
{
    (void)state;
    tare_context *c = ort_context();
    ort_write("large.onnx", "\x3a\x00", 2);
    if (truncate(ort_place("large.onnx"), (off_t)1 << 31) != 0) skip();
    tare_error err = refused(c, ort_place("large.onnx"), NULL, TARE_E_LIMIT);
    assert_string_equal(err.code, "onnx.file");
    assert_non_null(strstr(err.message, "2147483647 bytes"));
    unlink(ort_place("large.onnx"));
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_file),
        cmocka_unit_test(what_is_no_model),
        cmocka_unit_test(graphs_that_the_library_refuses),
        cmocka_unit_test(truncated_models),
        cmocka_unit_test(corrupted_models),
        cmocka_unit_test(another_model_than_wanted),
        cmocka_unit_test(models_above_two_gigabytes),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
