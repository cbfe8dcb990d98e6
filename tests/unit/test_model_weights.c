/* Weights in files beside the model: found by our reader, mapped, given to the library. */
#include "scorer/onnx/model_weights.h"

#include <string.h>
#include <sys/stat.h>

#include "base/os.h"
#include "support/ort_fixture.h"

enum { FILTERS = 8 * 3 * 3 * 3, WEIGHTS_BYTES = (FILTERS + 8) * 4 };

static double first_value(const char *name)
{
    float x[ORT_IMAGE];
    mem m = mem_system();
    ort_pixels(x, ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, name);
    ort_output out = ort_ask(s, x, 1, "embedding");
    double value = out.value[0];
    mem_free(&m, out.value);
    ort_session_close(s);
    tare_context_free(c);
    return value;
}

static tare_error refused(const char *name, tare_status status)
{
    tare_error err = {TARE_OK, "", "", ""};
    ort_session *s = NULL;
    tare_context *c = ort_context();
    const ort_open what = {NULL, ort_place(name), NULL, 0, NULL};
    assert_int_equal(ort_session_open(&s, c, &what, &err), status);
    assert_null(s);
    tare_context_free(c);
    return err;
}

/* tower.onnx with its filters elsewhere. */
static void tower_nodes(model_writer *w)
{
    float bias[8];
    for (int i = 0; i < 8; i++) bias[i] = tiny_weight("bias", (uint64_t)i) / 4;
    tiny_floats(w, "bias", 1, TINY_DIMS(8), bias);
    model_write_input(w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, -1, -1));
    model_write_node(w, "Conv", "image filters bias", "conv");
    model_write_ints(w, "pads", TINY_DIMS(1, 1, 1, 1), 4);
    model_write_node(w, "Relu", "conv", "relu");
    model_write_node(w, "GlobalAveragePool", "relu", "pool");
    model_write_node(w, "Flatten", "pool", "embedding");
    model_write_output(w, "embedding", ORT_F32, 2, TINY_DIMS(-1, 8));
}

static void save_tower(const char *name, const char *location, uint64_t offset, uint64_t length)
{
    model_writer w;
    tiny_begin(&w);
    model_write_tensor(&w, &(model_tensor){.name = "filters", .type = ORT_F32, .rank = 4,
                                           .dim = TINY_DIMS(8, 3, 3, 3), .length = length,
                                           .location = location, .offset = offset});
    tower_nodes(&w);
    assert_true(tiny_save(&w, ort_place(name)));
}

static void they_give_the_same_bits(void **state)
{
    (void)state;
    assert_true(first_value("beside.onnx") == first_value("tower.onnx"));
}

static void they_are_hashed_and_listed(void **state)
{
    (void)state;
    char want[512], sum[SHA256_HEX];
    unsigned char digest[SHA256_BYTES];
    char *bytes;
    size_t length;
    tare_error err;
    mem m = mem_system();
    assert_ok(os_read_file(&bytes, &length, &m, ort_place("beside.bin"), 1 << 20, &err));
    sha256_of(bytes, length, digest);
    sha256_hex(digest, sum);
    mem_free(&m, bytes);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "beside.onnx");
    snprintf(want, sizeof want, "[{\"bytes\":%d,\"file\":\"beside.bin\",\"sha256\":\"%s\"}]",
             WEIGHTS_BYTES, sum);
    assert_string_equal(ort_session_facts(s)->weights, want);
    ort_session_close(s);
    tare_context_free(c);
}

/* As hubs keep files: the snapshot's names are links to blobs elsewhere. */
static void links_are_followed(void **state)
{
    (void)state;
    mkdir(ort_place("blobs"), 0700);
    mkdir(ort_place("snapshot"), 0700);
    assert_int_equal(rename(ort_place("beside.onnx"), ort_place("blobs/a1")), 0);
    assert_int_equal(rename(ort_place("beside.bin"), ort_place("blobs/b2")), 0);
    assert_int_equal(symlink("../blobs/a1", ort_place("snapshot/model.onnx")), 0);
    assert_int_equal(symlink("../blobs/b2", ort_place("snapshot/beside.bin")), 0);
    assert_true(first_value("snapshot/model.onnx") == first_value("tower.onnx"));
    assert_true(tiny_models_make(ort_place(".")));
}

/* In a folder below, in two files, from an odd offset, without a length. */
static void all_allowed_places(void **state)
{
    (void)state;
    float filters[FILTERS];
    char odd[sizeof filters + 3] = "abc";
    double want = first_value("tower.onnx");
    for (size_t i = 0; i < FILTERS; i++) filters[i] = tiny_weight("filters", i) / 4;
    memcpy(odd + 3, filters, sizeof filters);
    mkdir(ort_place("data"), 0700);
    ort_write("data/weights", filters, sizeof filters);
    ort_write("odd.bin", odd, sizeof odd);
    save_tower("below.onnx", "data/weights", 0, sizeof filters);
    assert_true(first_value("below.onnx") == want);
    save_tower("dot.onnx", "./data/weights", 0, 0);
    assert_true(first_value("dot.onnx") == want);
    save_tower("odd.onnx", "odd.bin", 3, 0);
    assert_true(first_value("odd.onnx") == want);
}

/* A weight that nothing uses: the library would not know it, and its file need not be there. */
static void what_no_node_uses_is_passed_over(void **state)
{
    (void)state;
    float filters[FILTERS];
    model_writer w;
    for (size_t i = 0; i < FILTERS; i++) filters[i] = tiny_weight("filters", i) / 4;
    ort_write("used.bin", filters, sizeof filters);
    tiny_begin(&w);
    model_write_tensor(&w, &(model_tensor){.name = "filters", .type = ORT_F32, .rank = 4,
                                           .dim = TINY_DIMS(8, 3, 3, 3), .location = "used.bin"});
    model_write_tensor(&w, &(model_tensor){.name = "spare", .type = ORT_F32, .rank = 1,
                                           .dim = TINY_DIMS(4), .location = "used.bin"});
    model_write_tensor(&w, &(model_tensor){.name = "lost", .type = ORT_F32, .rank = 1,
                                           .dim = TINY_DIMS(4), .location = "lost.bin"});
    tower_nodes(&w);
    assert_true(tiny_save(&w, ort_place("spare.onnx")));
    assert_true(first_value("spare.onnx") == first_value("tower.onnx"));
    save_tower("lost.onnx", "lost.bin", 0, 0);
    tare_error err = refused("lost.onnx", TARE_E_IO);
    assert_non_null(strstr(err.where, "lost.bin"));
    assert_non_null(strstr(err.message, "the weight filters of the model"));
    assert_non_null(strstr(err.message, "lost.onnx"));
}

/* Used by a node of a sub-graph only, and by an output only. */
static void uses_that_are_not_at_the_top(void **state)
{
    (void)state;
    static const float four[4] = {1, 2, 3, 4};
    const model_tensor outside = {.name = "four", .type = ORT_F32, .rank = 1, .dim = TINY_DIMS(4),
                                  .location = "four.bin"};
    float x[ORT_IMAGE];
    mem m = mem_system();
    ort_write("four.bin", four, sizeof four);
    for (int which = 0; which < 2; which++) {
        model_writer w, body;
        tiny_begin(&w);
        model_write_tensor(&w, &outside);
        model_write_input(&w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, 8, 8));
        if (which == 0) {
            tiny_begin(&body);
            model_write_input(&body, "turn", ORT_I64, 0, NULL);
            model_write_input(&body, "go_in", ORT_BOOL, 0, NULL);
            model_write_input(&body, "state_in", ORT_F32, 1, TINY_DIMS(4));
            model_write_node(&body, "Identity", "go_in", "go_out");
            model_write_node(&body, "Add", "state_in four", "state_out");
            model_write_output(&body, "go_out", ORT_BOOL, 0, NULL);
            model_write_output(&body, "state_out", ORT_F32, 1, TINY_DIMS(4));
            tiny_floats(&w, "zeros", 1, TINY_DIMS(4), (float[4]){0});
            model_write_tensor(&w, &(model_tensor){.name = "times", .type = ORT_I64,
                                                   .bytes = TINY_DIMS(1), .length = 8});
            model_write_tensor(&w, &(model_tensor){.name = "go", .type = ORT_BOOL, .bytes = "\1",
                                                   .length = 1});
            model_write_node(&w, "Loop", "times go zeros", "sum");
            model_write_body(&w, "body", &body);
        }
        model_write_node(&w, "ReduceMean", "image", "mean");
        model_write_output(&w, which ? "four" : "sum", ORT_F32, 1, TINY_DIMS(4));
        model_write_output(&w, "mean", ORT_F32, 4, TINY_DIMS(1, 1, 1, 1));
        assert_true(tiny_save(&w, ort_place("deep-use.onnx")));
        tare_context *c = ort_context();
        ort_session *s = ort_model(c, "deep-use.onnx");
        ort_pixels(x, ORT_IMAGE);
        ort_output out = ort_ask(s, x, 1, which ? "four" : "sum");
        assert_int_equal(out.count, 4);
        for (size_t i = 0; i < 4; i++) assert_true(out.value[i] == four[i]);
        mem_free(&m, out.value);
        ort_session_close(s);
        tare_context_free(c);
    }
}

static void places_that_are_refused(void **state)
{
    (void)state;
    static const char *const places[] = {"/etc/hostname", "../beside.bin", "data/../../beside.bin",
                                         "..", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        save_tower("place.onnx", places[i], 0, 0);
        tare_error err = refused("place.onnx", TARE_E_DATA);
        assert_string_equal(err.code, "onnx.model");
        assert_non_null(strstr(err.message, "filters stands in a file that is not named relative"));
    }
    save_tower("place.onnx", "..bin", 0, 0); /* a name like any other */
    tare_error err = refused("place.onnx", TARE_E_IO);
    assert_string_equal(err.code, "io.open");
    assert_string_equal(err.where, ort_place("..bin"));
}

static void lengths_that_do_not_fit(void **state)
{
    (void)state;
    save_tower("length.onnx", "beside.bin", 0, FILTERS * 4 - 4);
    assert_non_null(strstr(refused("length.onnx", TARE_E_DATA).message,
                           "has 860 bytes, but its type and dimensions need 864"));
    save_tower("length.onnx", "beside.bin", 36, 0);
    tare_error err = refused("length.onnx", TARE_E_DATA);
    assert_string_equal(err.code, "onnx.weights");
    assert_string_equal(err.where, ort_place("beside.bin"));
    assert_non_null(strstr(err.message, "the 864 bytes from 36 on, but it has only 896"));
    save_tower("length.onnx", "beside.bin", 32, 0); /* the last that fits */
    (void)first_value("length.onnx");
    save_tower("length.onnx", "beside.bin", UINT64_MAX, 0);
    assert_non_null(strstr(refused("length.onnx", TARE_E_DATA).message, "offset"));
    save_tower("length.onnx", "beside.bin", INT64_MAX, 0);
    assert_string_equal(refused("length.onnx", TARE_E_DATA).code, "onnx.weights");
    save_tower("length.onnx", ".", 0, 0);
    assert_string_equal(refused("length.onnx", TARE_E_DATA).code, "onnx.file");
}

/* Where tare cannot give them: attributes, sub-graphs. */
static void other_tensors_outside_are_refused(void **state)
{
    (void)state;
    static const model_tensor outside = {.name = "t", .type = ORT_F32, .location = "beside.bin"};
    model_writer w, body;
    tiny_begin(&w);
    model_write_node(&w, "Constant", "", "y");
    model_write_value(&w, "value", &outside);
    model_write_output(&w, "y", ORT_F32, 0, NULL);
    assert_true(tiny_save(&w, ort_place("attribute.onnx")));
    assert_non_null(strstr(refused("attribute.onnx", TARE_E_DATA).message, "attribute"));
    tiny_begin(&body);
    model_write_tensor(&body, &outside);
    model_write_node(&body, "Identity", "t", "z");
    model_write_output(&body, "z", ORT_F32, 0, NULL);
    tiny_begin(&w);
    model_write_input(&w, "go", ORT_BOOL, 0, NULL);
    model_write_node(&w, "If", "go", "y");
    model_write_body(&w, "then_branch", &body);
    model_write_output(&w, "y", ORT_F32, 0, NULL);
    assert_true(tiny_save(&w, ort_place("branch.onnx")));
    assert_non_null(strstr(refused("branch.onnx", TARE_E_DATA).message, "sub-graph"));
}

/* ---- The reader alone, on bytes -------------------------------------------- */

static tare_status read_bytes(model_externals *out, arena *a, const char *bytes, size_t length,
                              tare_error *err)
{
    return model_externals_read(out, a, "m.onnx", bytes, length, err);
}
#define READ(bytes) read_bytes(&x, &a, bytes, sizeof bytes - 1, &err)

static void packed_and_repeated_fields(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    model_externals x;
    arena_init(&a, &m);
    /* graph{initializer{dims packed [2,3] data_type 1 data_location 0 then 1 name "w"
     * external_data{value before key "f.bin"}}} */
    assert_ok(READ("\x3a\x24\x2a\x20"
                   "\x0a\x02\x02\x03\x10\x01\x70\x00\x70\x01\x42\x01w"
                   "\x6a\x11\x12\x05" "f.bin" "\x0a\x08location" "\x5a\x00"));
    assert_int_equal(x.count, 1);
    assert_int_equal(x.item[0].rank, 2);
    assert_int_equal(x.item[0].dim[1], 3);
    assert_int_equal(x.item[0].bytes, 24);
    assert_string_equal(x.item[0].location, "f.bin");
    /* data_location 1 and then 0 again: inside */
    assert_ok(READ("\x3a\x06\x2a\x04\x70\x01\x70\x00"));
    assert_int_equal(x.count, 0);
    /* a graph may come in two pieces, and unknown fields are passed over */
    assert_ok(READ("\x3a\x02\x58\x05\x3a\x00\xfa\x01\x01z\x81\x01" "12345678" "\x85\x01" "1234"));
    arena_free(&a);
}

static void hostile_bytes(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    model_externals x;
    arena_init(&a, &m);
    assert_int_equal(READ("\x3a\x7f"), TARE_E_DATA);                 /* past the end            */
    assert_int_equal(READ("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), TARE_E_DATA);
    assert_int_equal(READ("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), TARE_E_DATA);
    assert_int_equal(READ("\x3b\x3c"), TARE_E_DATA);                 /* a group                 */
    assert_int_equal(READ("\x02\x00"), TARE_E_DATA);                 /* field 0                 */
    assert_int_equal(READ("\x08\x08"), TARE_E_DATA);                 /* no graph                */
    assert_non_null(strstr(err.message, "no graph"));
    /* a dimension of -1; and dimensions whose product overflows */
    assert_int_equal(READ("\x3a\x13\x2a\x0f\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01"
                          "\x70\x01\x5a\x00"), TARE_E_DATA);
    assert_non_null(strstr(err.message, "negative"));
    assert_int_equal(READ("\x3a\x2b\x2a\x29"
                          "\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x08\xff\xff\xff\xff\xff\xff\xff\x7f"
                          "\x10\x01\x70\x01\x6a\x0d\x0a\x08location\x12\x01"
                          "f" "\x6a\x02\x0a\x00"),
                     TARE_E_DATA);
    assert_non_null(strstr(err.message, "too large"));
    /* seventeen dimensions */
    assert_int_equal(READ("\x3a\x17\x2a\x15\x0a\x11\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\x70\x01"),
                     TARE_E_LIMIT);
    /* a NUL in a name */
    assert_int_equal(READ("\x3a\x07\x2a\x05\x42\x01\x00\x70\x01"), TARE_E_DATA);
    /* text of strings (type 8) outside */
    assert_int_equal(READ("\x3a\x19\x2a\x17\x10\x08\x70\x01\x6a\x11\x0a\x08location\x12\x05"
                          "f.bin"), TARE_E_DATA);
    assert_non_null(strstr(err.message, "element type 8"));
    /* sparse: values outside */
    assert_int_equal(READ("\x3a\x06\x7a\x04\x0a\x02\x70\x01"), TARE_E_DATA);
    assert_non_null(strstr(err.message, "sparse"));
    arena_free(&a);
}

/* Graphs in attributes of nodes of graphs ... */
static void nesting_has_a_limit(void **state)
{
    (void)state;
    enum { DEEP = 70 };
    tare_error err;
    mem m = mem_system();
    arena a;
    model_externals x;
    size_t length;
    arena_init(&a, &m);
    for (int depth = 60; depth <= DEEP; depth += 10) {
        model_writer w[DEEP + 1];
        for (int i = 0; i <= depth; i++) {
            tiny_begin(&w[i]);
            model_write_node(&w[i], "If", "x", "y");
            if (i > 0) model_write_body(&w[i], "then_branch", &w[i - 1]);
        }
        char *bytes = model_write_end(&w[depth], &length);
        assert_non_null(bytes);
        assert_int_equal(read_bytes(&x, &a, bytes, length, &err),
                         depth < 65 ? TARE_OK : TARE_E_LIMIT);
        mem_free(&m, bytes);
        for (int i = 0; i < depth; i++) model_write_free(&w[i]);
    }
    arena_free(&a);
}

/* ---- Files ----------------------------------------------------------------- */

static void a_file_that_changes_is_noticed(void **state)
{
    (void)state;
    tare_error err;
    model_file f;
    tare_context *c = ort_context();
    ort_write("changing.bin", "weights", 7);
    const char *path = ort_place("changing.bin");
    size_t open_files = ort_open_files();
    assert_ok(model_file_open(&f, c, path, 100, &err));
    assert_int_equal(ort_open_files(), open_files + 1);
    assert_ok(model_file_settle(&f, &err));
    assert_int_equal(ort_open_files(), open_files);
    assert_memory_equal(f.bytes, "weights", 7); /* still mapped */
    model_file_close(&f);
    assert_ok(model_file_open(&f, c, path, 100, &err));
    ort_write("changing.bin", "weights and more", 16);
    assert_int_equal(model_file_settle(&f, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.changed");
    assert_string_equal(err.where, path);
    model_file_close(&f);
    model_file_close(&f);
    assert_int_equal(model_file_open(&f, c, path, 15, &err), TARE_E_LIMIT);
    tare_context_stop(c);
    assert_int_equal(model_file_open(&f, c, path, 100, &err), TARE_E_STOPPED);
    assert_int_equal(ort_open_files(), open_files);
    tare_context_free(c);
}

/* A rename does not touch the descriptor: only the path tells. */
static void a_file_that_is_replaced_is_noticed(void **state)
{
    (void)state;
    tare_error err;
    model_file f;
    tare_context *c = ort_context();
    ort_write("replaced.bin", "weights", 7);
    const char *path = ort_place("replaced.bin");
    assert_ok(model_file_open(&f, c, path, 100, &err));
    assert_true(model_file_leads(&f, path));
    ort_write("newer.bin", "WEIGHTS", 7);
    assert_false(model_file_leads(&f, ort_place("newer.bin")));
    assert_int_equal(rename(ort_place("newer.bin"), path), 0);
    assert_false(model_file_leads(&f, path));
    assert_int_equal(model_file_settle(&f, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.changed");
    assert_string_equal(err.where, path);
    model_file_close(&f);
    assert_ok(model_file_open(&f, c, path, 100, &err));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(model_file_settle(&f, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.changed");
    model_file_close(&f);
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_give_the_same_bits),
        cmocka_unit_test(they_are_hashed_and_listed),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(all_allowed_places),
        cmocka_unit_test(what_no_node_uses_is_passed_over),
        cmocka_unit_test(uses_that_are_not_at_the_top),
        cmocka_unit_test(places_that_are_refused),
        cmocka_unit_test(lengths_that_do_not_fit),
        cmocka_unit_test(other_tensors_outside_are_refused),
        cmocka_unit_test(packed_and_repeated_fields),
        cmocka_unit_test(hostile_bytes),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(a_file_that_changes_is_noticed),
        cmocka_unit_test(a_file_that_is_replaced_is_noticed),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
