/* Elements of all types as numbers. Expected values of binary16 and bfloat16 are exact by their
 * definition; NumPy 1.24 (float16) and struct gave the same. */
#include <float.h>
#include <string.h>

#include "checkpoint_fixture.h"
#include "support/check.h"

static bytes_checkpoint b;

/* One row of `count` elements of these bytes, which lie at an odd address. */
static void check_type(tensor_type type, const void *bytes, size_t count, const double *want)
{
    unsigned char room[128];
    double wide[16];
    float narrow[16];
    tare_error err = {TARE_OK, "", "", ""};
    size_t size = tensor_type_size(type);
    assert_in_range(count * size, 1, sizeof room - 1);
    for (size_t shift = 0; shift < 4; shift++) {
        memcpy(room + shift, bytes, count * size);
        checkpoint_tensor t = {.name = "t", .type = type, .rank = 1, .dim = {(int64_t)count},
                               .stride = {1}, .contiguous = true, .data = room + shift,
                               .elements = count};
        assert_ok(checkpoint_doubles(wide, &b.c, &t, &err));
        assert_ok(checkpoint_floats(narrow, &b.c, &t, &err));
        for (size_t i = 0; i < count; i++) {
            assert_true(wide[i] == want[i] && signbit(wide[i]) == signbit(want[i]));
            assert_true(narrow[i] == (float)want[i]);
        }
    }
}

#define CHECK(type, bytes, ...)                                              \
    do {                                                                     \
        static const double want_[] = {__VA_ARGS__};                         \
        check_type((type), (bytes), sizeof want_ / sizeof *want_, want_);    \
    } while (0)

static void every_type(void **state)
{
    (void)state;
    /* 1, -2, 65504, 2^-24, 2^-14, -0, 1/3 rounded, 1023 * 2^-24 */
    CHECK(TENSOR_F16, "\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x04\x00\x80\x55\x35\xff\x03", 1, -2,
          65504, 0x1p-24, 0x1p-14, -0.0, 0x1.554p-2, 1023 * 0x1p-24);
    /* 1, -2, 3.140625, the largest, the smallest subnormal */
    CHECK(TENSOR_BF16, "\x80\x3f\x00\xc0\x49\x40\x7f\x7f\x01\x00", 1, -2, 3.140625, 0x1.fep127,
          0x1p-133);
    CHECK(TENSOR_F32, "\x00\x00\x80\x3f\xdb\x0f\x49\xc0\x01\x00\x00\x00", 1, -0x1.921fb6p+1,
          0x1p-149);
    CHECK(TENSOR_F64, "\x18\x2d\x44\x54\xfb\x21\x09\x40\x00\x00\x00\x00\x00\x00\xf0\xbf",
          0x1.921fb54442d18p+1, -1);
    CHECK(TENSOR_U8, "\x00\x7f\x80\xff", 0, 127, 128, 255);
    CHECK(TENSOR_I8, "\x00\x7f\x80\xff", 0, 127, -128, -1);
    CHECK(TENSOR_U16, "\x01\x00\x00\x80\xff\xff", 1, 32768, 65535);
    CHECK(TENSOR_I16, "\x01\x00\x00\x80\xff\xff", 1, -32768, -1);
    CHECK(TENSOR_U32, "\x01\x00\x00\x00\xff\xff\xff\xff", 1, 4294967295.0);
    CHECK(TENSOR_I32, "\x00\x00\x00\x80\xff\xff\xff\xff", -2147483648.0, -1);
    CHECK(TENSOR_U64, "\xff\xff\xff\xff\xff\xff\xff\xff", 18446744073709551615.0);
    CHECK(TENSOR_I64, "\x4d\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff", 77, -1);
}

/* numpy.arange(24).reshape(2, 3, 4) and views of it. */
static const struct {
    int64_t dim[3], stride[3];
    size_t first, rank;
    double want[24];
} views[] = {
    /* .transpose(2, 0, 1) */
    {{4, 2, 3}, {1, 12, 4}, 0, 3,
     {0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23}},
    {{2, 2}, {12, 2}, 1, 2, {1, 3, 13, 15}},         /* [:, 0, 1::2]                         */
    {{3}, {4}, 3, 1, {3, 7, 11}},                    /* [0, :, 3]                            */
    {{2, 3}, {0, 1}, 4, 2, {4, 5, 6, 4, 5, 6}},      /* broadcast_to([4, 5, 6], (2, 3))      */
    {{1, 4, 1}, {99, 6, 99}, 0, 3, {0, 6, 12, 18}},  /* dimensions of 1 step nowhere         */
};

static void views_are_read_in_row_major_order(void **state)
{
    (void)state;
    uint16_t base[24];
    double got[24];
    tare_error err;
    for (uint16_t i = 0; i < 24; i++) base[i] = i;
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        checkpoint_tensor t = {.name = "v", .type = TENSOR_U16, .rank = views[k].rank};
        memcpy(t.dim, views[k].dim, sizeof views[k].dim);
        memcpy(t.stride, views[k].stride, sizeof views[k].stride);
        t.data = (const unsigned char *)(base + views[k].first);
        b.c.tensor = &t;
        b.c.tensor_count = 1;
        assert_ok(checkpoint_finish(&b.c, &err));
        assert_false(t.contiguous);
        assert_ok(checkpoint_doubles(got, &b.c, &t, &err));
        for (size_t i = 0; i < t.elements; i++) assert_true(got[i] == views[k].want[i]);
    }
    b.c.tensor_count = 0;
}

static void contiguity(void **state)
{
    (void)state;
    static const struct {
        size_t rank;
        int64_t dim[3], stride[3];
        bool want;
    } cases[] = {
        {0, {0}, {0}, true},
        {1, {5}, {1}, true},
        {1, {5}, {2}, false},
        {1, {1}, {7}, true},
        {2, {2, 3}, {3, 1}, true},
        {2, {2, 3}, {4, 1}, false},
        {2, {2, 3}, {1, 2}, false},
        {3, {2, 1, 3}, {3, 0, 1}, true},
        {3, {2, 0, 3}, {9, 9, 9}, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        checkpoint_tensor t = {.name = "c", .type = TENSOR_F32, .rank = cases[k].rank};
        tare_error err;
        memcpy(t.dim, cases[k].dim, sizeof cases[k].dim);
        memcpy(t.stride, cases[k].stride, sizeof cases[k].stride);
        b.c.tensor = &t;
        b.c.tensor_count = 1;
        assert_ok(checkpoint_finish(&b.c, &err));
        assert_int_equal(t.contiguous, cases[k].want);
    }
    checkpoint_tensor huge = {.name = "h", .rank = 3, .dim = {INT64_MAX, 0, 2}};
    tare_error err;
    b.c.tensor = &huge;
    assert_int_equal(checkpoint_finish(&b.c, &err), TARE_E_LIMIT);
    huge = (checkpoint_tensor){.name = "h", .rank = 1, .dim = {-1}};
    assert_int_equal(checkpoint_finish(&b.c, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "checkpoint.size");
    b.c.tensor_count = 0;
}

/* TF.js: stored * scale + minimum in double, as its decodeWeights does, rounded to float32 last. */
static void quantised_values(void **state)
{
    (void)state;
    float narrow[3];
    double wide[3];
    tare_error err;
    checkpoint_tensor t = {.name = "q", .type = TENSOR_U8, .rank = 1, .dim = {3}, .stride = {1},
                           .contiguous = true, .data = (const unsigned char *)"\x00\x01\xff",
                           .elements = 3, .quantised = true, .scale = 0.1, .minimum = -12.7};
    assert_ok(checkpoint_doubles(wide, &b.c, &t, &err));
    assert_ok(checkpoint_floats(narrow, &b.c, &t, &err));
    assert_true(wide[0] == -12.7 && wide[1] == -12.6 && wide[2] == 12.8);
    assert_true(narrow[0] == -12.7f && narrow[1] == -12.6f && narrow[2] == 12.8f);
}

static void check_refused(tensor_type type, const void *bytes, bool wide, const char *message)
{
    double out[6];
    tare_error err = {TARE_OK, "", "", ""};
    checkpoint_tensor t = {.name = "blocks.1.weight", .type = type, .rank = 2, .dim = {2, 3},
                           .stride = {3, 1}, .contiguous = true, .data = bytes, .elements = 6};
    tare_status status = wide ? checkpoint_doubles(out, &b.c, &t, &err)
                              : checkpoint_floats((float *)out, &b.c, &t, &err);
    assert_int_equal(status, TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.nan");
    assert_string_equal(err.where, "f");
    if (strstr(err.message, message) == NULL) fail_msg("%s", err.message);
}

static void what_is_not_finite_is_refused_by_name(void **state)
{
    (void)state;
    const float bad[6] = {0, 1, 2, 3, NAN, INFINITY};
    const double wide[6] = {0, 1, -2 * (double)FLT_MAX, 3, 4, 5};
    check_refused(TENSOR_F32, bad, false, "tensor blocks.1.weight (f32 [2,3]) has NaN at [1,1]");
    check_refused(TENSOR_F32, bad, true, "has NaN at [1,1]");
    check_refused(TENSOR_F16, "\0\0\0\0\0\0\0\0\0\0\x00\xfc", false, "an infinite number at [1,2]");
    check_refused(TENSOR_BF16, "\xc0\x7f\0\0\0\0\0\0\0\0\0\0", true, "NaN at [0,0]");
    check_refused(TENSOR_F64, wide, false, "a number too large for float32 at [0,2]");
    double got[6];
    tare_error err;
    checkpoint_tensor t = {.name = "d", .type = TENSOR_F64, .rank = 1, .dim = {6}, .stride = {1},
                           .contiguous = true, .data = (const void *)wide, .elements = 6};
    assert_ok(checkpoint_doubles(got, &b.c, &t, &err)); /* doubles may be as large */
    assert_true(got[2] == wide[2]);
}

/* More than are widened at a time, contiguous and by columns; the place of the NaN is exact. */
static void long_tensors(void **state)
{
    (void)state;
    enum { ROWS = 700, COLUMNS = 3, ALL = ROWS * COLUMNS };
    float *values = malloc(ALL * sizeof *values), *got = malloc(ALL * sizeof *got);
    tare_error err;
    assert_true(values != NULL && got != NULL);
    for (int i = 0; i < ALL; i++) values[i] = (float)i;
    checkpoint_tensor t = {.name = "l", .type = TENSOR_F32, .rank = 2, .dim = {COLUMNS, ROWS},
                           .stride = {1, COLUMNS}, .data = (const void *)values, .elements = ALL};
    assert_ok(checkpoint_floats(got, &b.c, &t, &err));
    for (int k = 0; k < ALL; k++) assert_true(got[k] == (float)(k % ROWS * COLUMNS + k / ROWS));
    values[650 * COLUMNS + 2] = NAN;
    assert_int_equal(checkpoint_floats(got, &b.c, &t, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "at [2,650]"));
    t = (checkpoint_tensor){.name = "l", .type = TENSOR_F32, .rank = 2, .dim = {ROWS, COLUMNS},
                            .stride = {COLUMNS, 1}, .contiguous = true,
                            .data = (const void *)values, .elements = ALL};
    assert_int_equal(checkpoint_floats(got, &b.c, &t, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "at [650,2]"));
    for (int i = 0; i < 650 * COLUMNS; i++) assert_true(got[i] == values[i]);
    free(values);
    free(got);
}

static void types_and_dimensions_as_text(void **state)
{
    (void)state;
    char out[TENSOR_TEXT];
    checkpoint_tensor t = {.type = TENSOR_F32, .rank = 2, .dim = {768, 1024}};
    checkpoint_tensor_text(out, &t);
    assert_string_equal(out, "f32 [768,1024]");
    t.rank = 0;
    t.type = TENSOR_BF16;
    checkpoint_tensor_text(out, &t);
    assert_string_equal(out, "bf16 []");
    t.rank = MODEL_RANK_MOST; /* cut before a dimension, never within one */
    for (size_t i = 0; i < t.rank; i++) t.dim[i] = INT64_MAX;
    checkpoint_tensor_text(out, &t);
    assert_string_equal(out, "bf16 [9223372036854775807,9223372036854775807,9223372036854775807,"
                             "9223372036854775807,9223372036854775807,...]");
    assert_int_equal(tensor_type_size((tensor_type)99), 0);
    assert_string_equal(tensor_type_name(TENSOR_BOOL), "bool");
    assert_int_equal(tensor_type_size(TENSOR_F64), 8);
}

static void names_as_messages_show_them(void **state)
{
    (void)state;
    char out[CHECKPOINT_SHOWN], name[200];
    assert_string_equal(checkpoint_shown(out, "a.b"), "a.b");
    assert_string_equal(checkpoint_shown(out, "a\x1b[2J\n\x7f"), "a?[2J??");
    assert_string_equal(checkpoint_shown(out, ""), "\"\"");
    memset(name, 'x', sizeof name);
    name[79] = '\xc3'; /* a letter of two bytes over the limit */
    name[80] = '\xa9';
    name[199] = '\0';
    checkpoint_shown(out, name);
    assert_int_equal(strlen(out), 82);
    assert_string_equal(out + 79, "...");
}

static int begin(void **state)
{
    (void)state;
    static const mem m = {NULL, NULL};
    bytes_begin(&b, &m, "", 0);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(views_are_read_in_row_major_order),
        cmocka_unit_test(contiguity),
        cmocka_unit_test(quantised_values),
        cmocka_unit_test(what_is_not_finite_is_refused_by_name),
        cmocka_unit_test(long_tensors),
        cmocka_unit_test(types_and_dimensions_as_text),
        cmocka_unit_test(names_as_messages_show_them),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
