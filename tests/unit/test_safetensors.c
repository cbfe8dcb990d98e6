/* safetensors: files made here by the format's description (a u64, a JSON header, bytes). */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checkpoint_fixture.h"
#include "support/check.h"
#include "support/failing_mem.h"

static weights_folder w;

static const float six[6] = {1, -2, 3.5f, -4.25f, 5, 6};
/* 24 bytes of f32, none of an empty tensor, 2 of f16, 1 of u8. */
static const char good[] =
    "{\"__metadata__\":{\"format\":\"pt\",\"deep\":{\"a\":[1,{\"b\":null}]}},"
    "\"z.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
    "\"a\":{\"data_offsets\":[24,26],\"shape\":[],\"dtype\":\"F16\"},"
    "\"none\":{\"dtype\":\"I64\",\"shape\":[4,0,2],\"data_offsets\":[26,26]},"
    "\"byte\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[26,27]}}";

static void good_data(unsigned char out[27])
{
    memcpy(out, six, 24);
    memcpy(out + 24, "\x00\xbe\x07", 3); /* -1.5 as binary16; 7 */
}

static void check_good(const checkpoint *c, uint64_t data)
{
    float got[6];
    assert_int_equal(c->tensor_count, 4);
    static const char *const names[] = {"a", "byte", "none", "z.weight"};
    for (size_t i = 0; i < 4; i++) assert_string_equal(c->tensor[i].name, names[i]);
    const checkpoint_tensor *t = checkpoint_find(c, "z.weight");
    assert_non_null(t);
    assert_int_equal(t->type, TENSOR_F32);
    assert_int_equal(t->rank, 2);
    assert_int_equal(t->dim[0], 2);
    assert_int_equal(t->dim[1], 3);
    assert_int_equal(t->stride[0], 3);
    assert_int_equal(t->stride[1], 1);
    assert_true(t->contiguous && t->elements == 6 && t->offset == data && t->file == 0);
    assert_ptr_equal(t->data, c->file[0].bytes + data);
    assert_int_equal(checkpoint_floats(got, c, t, NULL), TARE_OK);
    assert_memory_equal(got, six, sizeof six);
    t = checkpoint_find(c, "a");
    assert_int_equal(t->rank, 0);
    assert_int_equal(t->elements, 1);
    assert_int_equal(checkpoint_floats(got, c, t, NULL), TARE_OK);
    assert_true(got[0] == -1.5f);
    t = checkpoint_find(c, "none");
    assert_true(t->elements == 0 && t->rank == 3 && t->contiguous);
    assert_int_equal(checkpoint_floats(got, c, t, NULL), TARE_OK);
    assert_null(checkpoint_find(c, "weight"));
    assert_null(checkpoint_find(c, ""));
}

/* With as many blanks after the header as 0..8 alignments need. */
static void a_good_file_at_any_alignment(void **state)
{
    (void)state;
    unsigned char data[27];
    good_data(data);
    for (size_t blanks = 0; blanks < 8; blanks++) {
        char header[sizeof good + 8];
        checkpoint *c = NULL;
        tare_error err;
        snprintf(header, sizeof header, "%s%.*s", good, (int)blanks, "        ");
        weights_write_safetensors(&w, "good.safetensors", header, data, sizeof data);
        assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "good.safetensors"), &err));
        assert_int_equal(c->kind, CHECKPOINT_SAFETENSORS);
        assert_string_equal(checkpoint_kind_name(c->kind), "safetensors");
        assert_int_equal(strlen(c->file[0].sha256), 64);
        assert_null(c->document);
        check_good(c, 8 + strlen(header));
        assert_ok(checkpoint_settle(c, &err));
        check_good(c, 8 + strlen(header)); /* the mapping stays */
        checkpoint_close(c);
    }
}

/* Written by the library safetensors (make_safetensors.py): its order, its names of types. */
static void a_file_of_the_library_itself(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        double first, step; /* step 0: not numbers */
    } want[] = {
        {"block.weight", "f32 [3,4]", -1, .125}, {"brain", "bf16 [12]", -1, .125},
        {"byte", "u8 [5]", 0, 1},                {"flag", "bool [2]", 0, 0},
        {"half", "f16 [4,3]", -1, .125},         {"ids", "i64 [5]", -2, 1},
        {"none", "f32 [0,7]", 0, 1},             {"small", "f8_e4m3 [12]", 0, 0},
        {"smaller", "f8_e5m2 [12]", 0, 0},       {"wide", "f64 []", -.625, 1},
    };
    checkpoint *c;
    tare_error err;
    assert_ok(checkpoint_open(&c, w.context,
                              TARE_SOURCE_DIR "/tests/data/checkpoints/official.safetensors",
                              &err));
    assert_int_equal(c->tensor_count, sizeof want / sizeof *want);
    for (size_t i = 0; i < c->tensor_count; i++) {
        const checkpoint_tensor *t = &c->tensor[i];
        char text[TENSOR_TEXT];
        double got[12];
        checkpoint_tensor_text(text, t);
        assert_string_equal(t->name, want[i].name);
        assert_string_equal(text, want[i].text);
        tare_status status = checkpoint_doubles(got, c, t, &err);
        assert_int_equal(status, want[i].step > 0 ? TARE_OK : TARE_E_DATA);
        for (size_t k = 0; status == TARE_OK && k < t->elements; k++)
            assert_true(got[k] == want[i].first + (double)k * want[i].step);
    }
    checkpoint_close(c);
}

typedef struct bad_header {
    const char *header;
    size_t bytes; /* of data */
    tare_status status;
    const char *code, *message;
} bad_header;

#define ONE(dtype, shape, offsets) \
    "{\"t\\u001b\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define F32(name, offsets) \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" offsets "}"

static const bad_header bad[] = {
    {ONE("\"F32\"", "[2]", "[0,8]"), 7, TARE_E_DATA, "safetensors.truncated",
     "tensor t? (f32 [2]) ends at byte 8 of the data, which has only 7"},
    {ONE("\"F32\"", "[2]", "[0,7]"), 8, TARE_E_DATA, "safetensors.offsets", "needs 8 bytes"},
    {ONE("\"F32\"", "[2]", "[8,0]"), 8, TARE_E_DATA, "safetensors.offsets", "from 8 to 0"},
    {ONE("\"F32\"", "[0]", "[9,9]"), 8, TARE_E_DATA, "safetensors.truncated", "byte 9"},
    {ONE("\"Q4\"", "[2]", "[0,8]"), 8, TARE_E_DATA, "safetensors.type",
     "tensor t? has elements of type Q4"},
    {ONE("7", "[2]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "no single \"dtype\""},
    {ONE("\"F32\",\"dtype\":\"F32\"", "[2]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry",
     "no single"},
    {ONE("\"F32\"", "[2],\"shape\":[2]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "twice"},
    {ONE("\"F32\"", "[2]", "[0,8],\"data_offsets\":[0,8]"), 8, TARE_E_DATA, "safetensors.entry",
     "twice"},
    {ONE("\"F32\"", "2", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "no list"},
    {ONE("\"F32\"", "[-2]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "whole numbers"},
    {ONE("\"F32\"", "[2.5]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "whole numbers"},
    {ONE("\"F32\"", "[[2]]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry", "whole numbers"},
    {ONE("\"F32\"", "[99999999999999999999]", "[0,8]"), 8, TARE_E_DATA, "safetensors.entry",
     "whole numbers"},
    {ONE("\"F32\"", "[2]", "[0]"), 8, TARE_E_DATA, "safetensors.entry", "no two numbers"},
    {ONE("\"F32\"", "[2]", "[0,8,8]"), 8, TARE_E_DATA, "safetensors.entry", "no two numbers"},
    {ONE("\"F32\"", "[2]", "[0,8],\"x\":1"), 8, TARE_E_DATA, "safetensors.entry", "a key beside"},
    {"{\"t\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, TARE_E_DATA, "safetensors.entry", "lacks"},
    {"{\"t\":[]}", 8, TARE_E_DATA, "safetensors.entry", "no object"},
    /* 2^53 each: 2^106 elements; with a zero among them too */
    {ONE("\"F32\"", "[9007199254740992,9007199254740992]", "[0,8]"), 8, TARE_E_DATA,
     "safetensors.shape", "too large to be true"},
    {ONE("\"F32\"", "[9007199254740992,9007199254740992,0]", "[0,0]"), 8, TARE_E_DATA,
     "safetensors.shape", "too large to be true"},
    /* 2^62 elements, 2^64 bytes: 0 if it wrapped */
    {ONE("\"F32\"", "[4611686018427387904]", "[0,0]"), 8, TARE_E_DATA, "safetensors.entry",
     "whole numbers"},
    {ONE("\"F32\"", "[2147483648,2147483648]", "[0,0]"), 8, TARE_E_DATA, "safetensors.shape",
     "too large to be true"},
    {ONE("\"F32\"", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]"), 8, TARE_E_LIMIT,
     "safetensors.shape", "more than 16 dimensions"},
    {"{" F32("a", "[0,8]") "," F32("b", "[7,15]") "}", 16, TARE_E_DATA, "safetensors.overlap",
     "tensors a and b share bytes"},
    {"{" F32("b", "[0,8]") "," F32("a", "[0,8]") "}", 16, TARE_E_DATA, "safetensors.overlap",
     "share bytes"},
    {"{" F32("a", "[0,8]") "," F32("b", "[16,24]") "," F32("a", "[8,16]") "}", 24, TARE_E_DATA,
     "checkpoint.duplicate", "two tensors are called a"},
    {"{\"a\\u0000b\":1}", 8, TARE_E_DATA, "safetensors.name", "NUL"},
    {"{" F32("a", "[0,8]") "} x", 8, TARE_E_DATA, "json.syntax", ""},
    {"{" F32("a", "[0,8]"), 8, TARE_E_DATA, "json.truncated", ""},
    {"{\"\xff\":1}", 8, TARE_E_DATA, "json.utf8", ""},
};

static void bad_headers_are_refused(void **state)
{
    (void)state;
    static const unsigned char zeros[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weights_write_safetensors(&w, "bad", bad[i].header, zeros, bad[i].bytes);
        tare_error err = weights_refused(&w, "bad", bad[i].status);
        if (strcmp(err.code, bad[i].code) != 0 || strstr(err.message, bad[i].message) == NULL)
            fail_msg("%s: [%s] %s", bad[i].header, err.code, err.message);
        assert_non_null(strstr(err.where, w.folder));
    }
}

static void the_length_of_the_header_is_not_believed(void **state)
{
    (void)state;
    static const struct {
        unsigned char length[8];
        tare_status status;
        const char *code;
    } cases[] = {
        {{255, 255, 255, 255, 255, 255, 255, 255}, TARE_E_DATA, "checkpoint.kind"},
        {{255, 255, 255, 255, 255}, TARE_E_LIMIT, "safetensors.header"},
        {{1, 0xe1, 0xf5, 5}, TARE_E_LIMIT, "safetensors.header"},    /* 100,000,001 */
        {{0, 0xe1, 0xf5, 5}, TARE_E_DATA, "safetensors.truncated"},  /* 100,000,000 */
        {{3}, TARE_E_DATA, "safetensors.truncated"},                 /* one more than there is */
        {{0}, TARE_E_DATA, "json.truncated"},
        {{1}, TARE_E_DATA, "json.truncated"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char file[10] = "........{}";
        memcpy(file, cases[i].length, 8);
        weights_write(&w, "length", file, sizeof file);
        tare_error err = weights_refused(&w, "length", cases[i].status);
        assert_string_equal(err.code, cases[i].code);
    }
    weights_write(&w, "length", "\2\0\0\0\0\0\0\0{}", 10); /* no tensor at all */
    checkpoint *c;
    tare_error err;
    assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "length"), &err));
    assert_int_equal(c->tensor_count, 0);
    assert_null(checkpoint_find(c, "a"));
    checkpoint_close(c);
}

/* A reader alone, on a block of the exact length: a sanitizer sees what is read beyond. */
static tare_status read_exact(const char *bytes, size_t length, const mem *m)
{
    bytes_checkpoint b;
    tare_error err = {TARE_OK, "", "", ""};
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    bytes_begin(&b, m, exact, length);
    tare_status status = safetensors_read(&b.c, &err);
    if (status == TARE_OK) status = checkpoint_finish(&b.c, &err);
    assert_int_equal(status, err.status);
    bytes_end(&b);
    free(exact);
    return status;
}

static void make_many(text *t, size_t tensors)
{
    text header;
    mem m = mem_system();
    text_init(&header, &m);
    text_add(&header, "{");
    for (size_t i = 0; i < tensors; i++)
        text_add_format(&header, "%s\"block.%zu.weight\":{\"dtype\":\"BF16\",\"shape\":[2,1,4],"
                        "\"data_offsets\":[%zu,%zu]}", i > 0 ? "," : "", i, 16 * i, 16 * i + 16);
    text_add(&header, "}");
    char *data = calloc(tensors, 16);
    assert_non_null(data);
    safetensors_make(t, header.data, data, 16 * tensors);
    free(data);
    text_free(&header);
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    text_init(&t, &m);
    make_many(&t, 50);
    assert_in_range(t.length, 4096, 8192);
    for (size_t length = 0; length < t.length; length++)
        assert_int_equal(read_exact(t.data, length, &m), TARE_E_DATA);
    assert_int_equal(read_exact(t.data, t.length, &m), TARE_OK);
    text_free(&t);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mem system = mem_system();
    text t;
    text_init(&t, &system);
    make_many(&t, 20);
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_status status = read_exact(t.data, t.length, &m);
        assert_int_equal(failing_mem_live(&f), 0);
        assert_int_equal(status, failing_mem_failed(&f) ? TARE_E_MEMORY : TARE_OK);
        if (!failing_mem_failed(&f)) {
            assert_true(k > 5);
            break;
        }
    }
    text_free(&t);
}

/* 1.2e9 elements before the one that counts; the file has holes and takes no disk. */
static void tensors_above_4_gib(void **state)
{
    (void)state;
    static const char header[] =
        "{\"low\":{\"dtype\":\"F32\",\"shape\":[40000,30000],\"data_offsets\":[0,4800000000]},"
        "\"high\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4800000000,4800000008]}}";
    const uint64_t start = 8 + sizeof header - 1, at = start + UINT64_C(4800000000);
    float got[2], value[2] = {1.5f, -2.5f};
    bytes_checkpoint b;
    tare_error err;
    mem m = mem_system();
    if (sizeof(size_t) < 8) skip();
    weights_write_safetensors(&w, "sparse", header, NULL, 0);
    int fd = open(weights_path(&w, "sparse"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, value, sizeof value, (off_t)at), sizeof value);
    void *bytes = mmap(NULL, at + 8, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(bytes != MAP_FAILED);
    bytes_begin(&b, &m, bytes, at + 8);
    assert_ok(safetensors_read(&b.c, &err));
    assert_ok(checkpoint_finish(&b.c, &err));
    const checkpoint_tensor *t = checkpoint_find(&b.c, "high");
    assert_true(t->offset == at);
    assert_ok(checkpoint_floats(got, &b.c, t, &err));
    assert_memory_equal(got, value, sizeof value);
    assert_true(checkpoint_find(&b.c, "low")->elements == UINT64_C(1200000000));
    bytes_end(&b);
    bytes_begin(&b, &m, bytes, at + 7);
    assert_int_equal(safetensors_read(&b.c, &err), TARE_E_DATA);
    assert_string_equal(err.code, "safetensors.truncated");
    bytes_end(&b);
    munmap(bytes, at + 8);
    close(fd);
}

static void types_that_are_only_listed(void **state)
{
    (void)state;
    static const char header[] =
        "{\"e\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4]},"
        "\"m\":{\"dtype\":\"BOOL\",\"shape\":[2,2],\"data_offsets\":[4,8]}}";
    checkpoint *c;
    tare_error err;
    float got[4];
    weights_write_safetensors(&w, "f8", header, "abcd\1\0\1\0", 8);
    assert_ok(checkpoint_open(&c, w.context, weights_path(&w, "f8"), &err));
    assert_int_equal(c->tensor_count, 2);
    assert_int_equal(checkpoint_floats(got, c, &c->tensor[0], &err), TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.type");
    assert_non_null(strstr(err.message, "tensor e is f8_e4m3 [4]"));
    assert_int_equal(checkpoint_floats(got, c, &c->tensor[1], &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "tensor m is bool [2,2]"));
    checkpoint_close(c);
}

static int begin(void **state)
{
    (void)state;
    weights_begin(&w);
    return 0;
}

static int end(void **state)
{
    (void)state;
    weights_end(&w);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_file_at_any_alignment),
        cmocka_unit_test(a_file_of_the_library_itself),
        cmocka_unit_test(bad_headers_are_refused),
        cmocka_unit_test(the_length_of_the_header_is_not_believed),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(tensors_above_4_gib),
        cmocka_unit_test(types_that_are_only_listed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
