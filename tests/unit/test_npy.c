/* Vectors of numpy.save: the files in tests/data were written by NumPy 1.24; the others are made
 * here by the format's description (numpy.lib.format). */
#include <string.h>

#include "base/text.h"
#include "scorer/onnx/npy.h"
#include "support/check.h"
#include "support/failing_mem.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/onnx_manifests/"

/* A file of format `version` with this header and `bytes` of values that count up from 1. */
static void make(text *t, int version, const char *header, size_t bytes)
{
    size_t n = strlen(header) + 1;
    unsigned char length[4] = {(unsigned char)n, (unsigned char)(n >> 8), (unsigned char)(n >> 16),
                               (unsigned char)(n >> 24)};
    text_clear(t);
    text_add_bytes(t, "\x93NUMPY", 6);
    text_add_char(t, (char)version);
    text_add_char(t, 0);
    text_add_bytes(t, length, version == 1 ? 2 : 4);
    text_add(t, header);
    text_add_char(t, '\n');
    for (size_t i = 0; 4 * i < bytes; i++) {
        float value = (float)(i + 1);
        text_add_bytes(t, &value, bytes - 4 * i < 4 ? bytes - 4 * i : 4);
    }
    assert_false(t->failed);
}

static tare_status parse(npy_vector *v, arena *a, const text *t, tare_error *err)
{
    memset(err, 0, sizeof *err);
    return npy_parse(v, a, "v.npy", t->data, t->length, 1000, err);
}

static void files_of_numpy(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    npy_vector v;
    tare_error err;
    arena_init(&a, &m);
    assert_ok(npy_read(&v, &a, FOLDER "weights4.npy", 1000, &err));
    static const double want[] = {.5, -1.25, 2, .125};
    assert_int_equal(v.count, 4);
    for (size_t k = 0; k < 4; k++) assert_true(v.values[k] == want[k]);
    assert_int_equal(v.bytes, 160);
    /* sha256sum */
    assert_string_equal(v.sha256,
                        "d79c0a629a02d50e85f67c06de8e5a24412487b4f197da4ca32834f1afeee434");
    assert_ok(npy_read(&v, &a, FOLDER "weights768.npy", 1000, &err));
    assert_int_equal(v.count, 768);
    for (size_t k = 0; k < 768; k++) assert_true(v.values[k] == (double)(k % 7) / 8 - .375);
    assert_int_equal(npy_read(&v, &a, FOLDER "weights768.npy", 767, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "npy.count");
    assert_int_equal(npy_read(&v, &a, FOLDER "none.npy", 1000, &err), TARE_E_IO);
    arena_free(&a);
}

static void headers_in_all_writings(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }                      ",
        "{\"shape\":(3,),\"descr\":\"<f4\",\"fortran_order\":False}",
        "{ 'fortran_order' : False , 'shape' : ( 3 , ) , 'descr' : '<f4' }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
    };
    mem m = mem_system();
    arena a;
    npy_vector v;
    tare_error err;
    text t;
    arena_init(&a, &m);
    text_init(&t, &m);
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        for (int version = 1; version <= 3; version++) {
            make(&t, version, headers[k], 12);
            assert_ok(parse(&v, &a, &t, &err));
            assert_int_equal(v.count, 3);
            assert_true(v.values[0] == 1 && v.values[1] == 2 && v.values[2] == 3);
        }
    text_free(&t);
    arena_free(&a);
}

static void what_is_refused(void **state)
{
    (void)state;
#define OF(type, order, shape) "{'descr': " type ", 'fortran_order': " order ", 'shape': " shape "}"
    static const struct { const char *header; size_t bytes; const char *code, *words; } list[] = {
        {OF("'>f4'", "False", "(3,)"), 12, "npy.type", "elements are >f4"},
        {OF("'<f2'", "False", "(3,)"), 6, "npy.type", "<f2"},
        {OF("'<i8'", "False", "(3,)"), 24, "npy.type", "<i8"},
        {OF("'|O'", "False", "(3,)"), 24, "npy.type", "|O"},
        {OF("'\x1b[2J'", "False", "(3,)"), 24, "npy.type", "?[2J"},
        {OF("'<f4'", "True", "(3,)"), 12, "npy.shape", "Fortran"},
        {OF("'<f4'", "False", "(3, 1)"), 12, "npy.shape", "2 dimensions"},
        {OF("'<f4'", "False", "()"), 4, "npy.shape", "0 dimensions"},
        {OF("'<f4'", "False", "(0,)"), 0, "npy.count", "0 values"},
        {OF("'<f4'", "False", "(3,)"), 11, "npy.length", "11 bytes"},
        {OF("'<f4'", "False", "(3,)"), 16, "npy.length", "16 bytes"},
        {OF("'<f8'", "False", "(3,)"), 12, "npy.length", "take 24"},
        {OF("'<f4'", "0", "(3,)"), 12, "npy.header", "descr"},
        {OF("<f4", "False", "(3,)"), 12, "npy.header", ""},
        {OF("'<f4\\x00'", "False", "(3,)"), 12, "npy.header", ""},
        {OF("'a long type'", "False", "(3,)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(-3,)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(3 3)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(,)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(3,"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(99999999999999999999,)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(4294967296, 4294967296, 4294967296)"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(3,)") "x", 12, "npy.header", ""},
        {OF("'<f4'", "False", "(3,), 'descr': '<f4'"), 12, "npy.header", ""},
        {OF("'<f4'", "False", "(3,), 'more': 1"), 12, "npy.header", ""},
        {"{'descr': '<f4', 'shape': (3,)}", 12, "npy.header", ""},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}", 12, "npy.header", ""},
        {"{'descr': '<f4", 12, "npy.header", ""},
        {"", 12, "npy.header", ""},
    };
    mem m = mem_system();
    arena a;
    npy_vector v;
    tare_error err;
    text t;
    arena_init(&a, &m);
    text_init(&t, &m);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        make(&t, 1, list[k].header, list[k].bytes);
        tare_status status = parse(&v, &a, &t, &err);
        if (status != TARE_E_DATA || strcmp(err.code, list[k].code) ||
            strcmp(err.where, "v.npy") || !strstr(err.message, list[k].words))
            fail_msg("%zu: status %d [%s] %s", k, (int)status, err.code, err.message);
    }
    make(&t, 1, OF("'<f4'", "False", "(1001,)"), 4004);
    assert_int_equal(parse(&v, &a, &t, &err), TARE_E_LIMIT);
    make(&t, 4, OF("'<f4'", "False", "(3,)"), 12);
    assert_int_equal(parse(&v, &a, &t, &err), TARE_E_DATA);
    assert_string_equal(err.code, "npy.version");
    float nan = NAN;
    make(&t, 1, OF("'<f4'", "False", "(3,)"), 8);
    text_add_bytes(&t, &nan, sizeof nan);
    assert_int_equal(parse(&v, &a, &t, &err), TARE_E_DATA);
    assert_string_equal(err.code, "npy.value");
    assert_non_null(strstr(err.message, "value 2"));
    text_free(&t);
    arena_free(&a);
}

static void every_beginning_is_refused(void **state)
{
    (void)state;
    mem m = mem_system();
    for (int version = 1; version <= 3; version++) {
        text t;
        npy_vector v;
        tare_error err;
        text_init(&t, &m);
        make(&t, version, OF("'<f4'", "False", "(3,)"), 12);
        for (size_t n = 0; n < t.length; n++) {
            arena a;
            char *copy = mem_new(&m, n, 1); /* exactly as long, for the sanitizer */
            memcpy(copy, t.data, n);
            arena_init(&a, &m);
            assert_int_equal(npy_parse(&v, &a, "v", copy, n, 1000, &err), TARE_E_DATA);
            arena_free(&a);
            mem_free(&m, copy);
        }
        text_free(&t);
    }
}

static void each_allocation_fails(void **state)
{
    (void)state;
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        arena a;
        npy_vector v;
        tare_error err;
        arena_init(&a, &m);
        tare_status status = npy_read(&v, &a, FOLDER "weights768.npy", 1000, &err);
        arena_free(&a);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            assert_true(k > 2);
            break;
        }
        assert_int_equal(status, TARE_E_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_numpy),
        cmocka_unit_test(headers_in_all_writings),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(every_beginning_is_refused),
        cmocka_unit_test(each_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
