/* Sessions on graphs in memory: weights as values and from a folder, in folders as hubs make them;
 * what is missing; providers. Each runs on the newest and the oldest library. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scorer/onnx/model_structure.h"
#include "support/failing_mem.h"
#include "support/graph_fixture.h"

static tare_error err;
enum { BATCH = 2, NUMBERS = BATCH * GRAPH_VECTOR_LENGTH };
#define WEIGHTS "[{\"bytes\":4660,\"sha256\":\"00\"}]"

static bool is_oldest(void)
{
    return strstr(getenv("TARE_ORT_LIB"), "1.17") != NULL;
}

static ort_graph how_in(const char *folder)
{
    return (ort_graph){.name = "weights.bin", .weights = WEIGHTS, .folder = folder};
}

/* numbers[NUMBERS] */
static void ask(double *numbers, ort_session *s)
{
    float x[BATCH * ORT_IMAGE];
    mem m = mem_system();
    ort_pixels(x, BATCH * ORT_IMAGE);
    ort_output out = ort_ask(s, x, BATCH, GRAPH_VECTOR);
    assert_int_equal(out.count, NUMBERS);
    memcpy(numbers, out.value, NUMBERS * sizeof *numbers);
    mem_free(&m, out.value);
}

static void numbers_of(double *numbers, const graph_fixture *g, const char *folder,
                       const char *feed)
{
    tare_context *c = ort_context();
    ort_session *s = NULL;
    const ort_graph how = how_in(folder);
    assert_ok(ort_session_open_graph(&s, c, &g->graph, &how, &err));
    const ort_facts *f = ort_session_facts(s);
    assert_true(f->made);
    assert_string_equal(f->feed, feed);
    assert_string_equal(f->provider, "cpu");
    assert_string_equal(f->weights, WEIGHTS);
    assert_int_equal(f->bytes, g->graph.length);
    assert_int_equal(strlen(f->sha256), 64);
    ask(numbers, s);
    ort_session_close(s);
    tare_context_free(c);
}

static tare_status refused(const graph_fixture *g, const ort_graph *how)
{
    tare_context *c = ort_context();
    ort_session *s = (ort_session *)&err;
    size_t open_files = ort_open_files();
    tare_status status = ort_session_open_graph(&s, c, &g->graph, how, &err);
    assert_null(s);
    assert_int_equal(ort_open_files(), open_files);
    tare_context_free(c);
    return status;
}

static void assert_says(const char *code, const char *words)
{
    assert_string_equal(err.code, code);
    if (strstr(err.message, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, err.message);
}

/* Expected: the same sums in double. */
static void values_give_the_numbers(void **state)
{
    (void)state;
    graph_fixture g;
    double got[NUMBERS];
    graph_fixture_make(&g, ort_place("plain.bin"), "no-such-file", BATCH);
    numbers_of(got, &g, NULL, "values");
    for (size_t i = 0; i < NUMBERS; i++)
        assert_within(got[i], graph_fixture_value(i / GRAPH_VECTOR_LENGTH,
                                                  i % GRAPH_VECTOR_LENGTH), 1e-5, 1e-5);
    graph_fixture_free(&g);
}

static void assert_folder_equals_values(const graph_fixture *g, const char *folder)
{
    double values[NUMBERS], from_folder[NUMBERS];
    numbers_of(values, g, NULL, "values");
    if (is_oldest()) {
        const ort_graph how = how_in(folder);
        assert_int_equal(refused(g, &how), TARE_E_USAGE);
        assert_says("onnx.folder", "1.21");
        assert_says("onnx.folder", "1.17");
        return;
    }
    numbers_of(from_folder, g, folder, "folder");
    assert_memory_equal(values, from_folder, sizeof values);
}

static void a_folder_gives_the_same_bits(void **state)
{
    (void)state;
    graph_fixture g;
    graph_fixture_make(&g, ort_place("weights.bin"), "weights.bin", BATCH);
    assert_folder_equals_values(&g, ort_place("."));
    graph_fixture_free(&g);
}

static void the_folder_may_be_read_only(void **state)
{
    (void)state;
    graph_fixture g;
    assert_int_equal(mkdir(ort_place("locked"), 0755), 0);
    graph_fixture_make(&g, ort_place("locked/weights.bin"), "weights.bin", BATCH);
    assert_int_equal(chmod(ort_place("locked/weights.bin"), 0444), 0);
    assert_int_equal(chmod(ort_place("locked"), 0555), 0);
    assert_folder_equals_values(&g, ort_place("locked"));
    assert_int_equal(chmod(ort_place("locked"), 0755), 0);
    graph_fixture_free(&g);
}

/* snapshots/REV/weights.bin is a link to blobs/SUM: mapped by the link's path; the library is given
 * the folder and the name that the link leads to. */
static void links_of_hubs(void **state)
{
    (void)state;
    graph_fixture g;
    static const char *const folders[] = {"hub", "hub/blobs", "hub/snapshots", "hub/snapshots/rev"};
    for (size_t i = 0; i < 4; i++) assert_int_equal(mkdir(ort_place(folders[i]), 0755), 0);
    graph_fixture_make(&g, ort_place("hub/blobs/0123abcd"), "0123abcd", BATCH);
    graph_fixture_free(&g);
    assert_int_equal(symlink("../../blobs/0123abcd", ort_place("hub/snapshots/rev/weights.bin")),
                     0);
    graph_fixture_map(&g, ort_place("hub/snapshots/rev/weights.bin"), "0123abcd", BATCH);
    assert_folder_equals_values(&g, ort_place("hub/blobs"));
    graph_fixture_free(&g);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    graph_fixture g;
    ort_graph how = how_in(NULL);
    graph_fixture_make(&g, ort_place("gone.bin"), "gone.bin", BATCH);
    g.data[1] = NULL;
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_says("onnx.weights", "the weight bias has no bytes");
    g.graph.externals.count = 2; /* nobody gives `scale` */
    g.data[1] = g.file + 7;
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_string_equal(err.where, "weights.bin");
    assert_says("onnx.weights", "the weight scale has no bytes");
    g.graph.externals.count = 3;
    g.graph.length = 40;
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.model");
    graph_fixture_free(&g);
}

static void files_of_the_folder_are_looked_at(void **state)
{
    (void)state;
    graph_fixture g;
    const ort_graph how = how_in(ort_place("."));
    graph_fixture_make(&g, ort_place("short.bin"), "short.bin", BATCH);
    assert_int_equal(truncate(ort_place("short.bin"), 4640), 0);
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_says("onnx.weights", "the weight bias should be the 24 bytes from 4636 on");
    assert_int_equal(unlink(ort_place("short.bin")), 0);
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_says("onnx.weights", "not there");
    graph_fixture_free(&g);
}

/* As when a download that ends meanwhile renames its file: the library finds by the name what was
 * never hashed, and its numbers must not be given under the hash of the other. */
static void a_file_that_is_put_there_meanwhile(void **state)
{
    (void)state;
    graph_fixture g, later;
    model_file mapped;
    if (is_oldest()) return; /* no folder there */
    tare_context *c = ort_context();
    graph_fixture_make(&g, ort_place("swapped.bin"), "swapped.bin", BATCH);
    assert_ok(model_file_open(&mapped, c, ort_place("swapped.bin"), 1 << 20, &err));
    ort_graph how = how_in(ort_place("."));
    how.file = &mapped;
    how.file_count = 1;
    ort_session *s = NULL;
    assert_ok(ort_session_open_graph(&s, c, &g.graph, &how, &err));
    ort_session_close(s);
    graph_fixture_make(&later, ort_place("later.bin"), "swapped.bin", BATCH);
    assert_int_equal(rename(ort_place("later.bin"), ort_place("swapped.bin")), 0);
    assert_int_equal(refused(&g, &how), TARE_E_DATA);
    assert_says("onnx.changed", "another was put in its place");
    assert_non_null(strstr(err.where, "/swapped.bin"));
    how.folder = NULL; /* the values are those of the mapped file all the same */
    assert_ok(ort_session_open_graph(&s, c, &g.graph, &how, &err));
    ort_session_close(s);
    model_file_close(&mapped);
    graph_fixture_free(&later);
    graph_fixture_free(&g);
    tare_context_free(c);
}

/* The libraries of the tests compute on the processor only; the newest lists CUDA all the same, and
 * has no library for it. */
static void providers_that_are_not_there(void **state)
{
    (void)state;
    graph_fixture g;
    ort_graph how = how_in(NULL);
    static const char *const words[] = {"cuda", "coreml", "CPU", "tpu", ""};
    graph_fixture_make(&g, ort_place("provider.bin"), "provider.bin", BATCH);
    for (size_t i = 0; i < 5; i++) {
        how.provider = words[i];
        assert_int_equal(refused(&g, &how), TARE_E_USAGE);
        assert_says("onnx.provider", i < 2 ? words[i] : "is no provider that tare knows");
        if (i > 1 || is_oldest()) assert_says("onnx.provider", "cpu (tare uses");
    }
    graph_fixture_free(&g);
    tare_context *c = ort_context();
    ort_session *s = NULL;
    const ort_open model = {NULL, ort_place("mean.onnx"), NULL, 0, "cuda"};
    assert_int_equal(ort_session_open(&s, c, &model, &err), TARE_E_USAGE);
    assert_says("onnx.provider", "cuda");
    tare_context_free(c);
}

static void the_structure_is_hashed_and_not_the_place(void **state)
{
    (void)state;
    graph_fixture a, b;
    char first[SHA256_HEX], second[SHA256_HEX];
    graph_fixture_make(&a, ort_place("a.bin"), "a.bin", BATCH);
    graph_fixture_make(&b, ort_place("b.bin"), "a-longer-name.bin", BATCH);
    assert_true(a.graph.length != b.graph.length);
    assert_true(model_structure_hash(first, a.graph.bytes, a.graph.length));
    assert_true(model_structure_hash(second, b.graph.bytes, b.graph.length));
    assert_string_equal(first, second);
    graph_fixture_free(&b);
    graph_fixture_make(&b, ort_place("b.bin"), "a.bin", BATCH + 1);
    assert_true(model_structure_hash(second, b.graph.bytes, b.graph.length));
    assert_string_not_equal(first, second);
    char *node = memmem(b.bytes, b.graph.length, "Flatten", 7);
    assert_non_null(node);
    node[0] = 'f';
    assert_true(model_structure_hash(first, b.graph.bytes, b.graph.length));
    assert_string_not_equal(first, second);
    assert_false(model_structure_hash(first, b.graph.bytes, b.graph.length - 3));
    graph_fixture_free(&b);
    graph_fixture_free(&a);
}

static void *resize(void *user, void *p, size_t bytes)
{
    return failing_mem_resize(user, p, bytes);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    graph_fixture g;
    failing_mem f;
    long k = 1;
    const ort_graph how = how_in(is_oldest() ? NULL : ort_place("."));
    graph_fixture_make(&g, ort_place("failing.bin"), "failing.bin", BATCH);
    for (; k < 200; k++) {
        tare_context *c = NULL;
        tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
        ort_session *s = NULL;
        failing_mem_start(&f, 0);
        o.user = &f;
        o.resize = resize;
        assert_ok(tare_context_new(&c, &o, &err));
        atomic_store(&f.left, k);
        tare_status status = ort_session_open_graph(&s, c, &g.graph, &how, &err);
        bool failed = failing_mem_failed(&f);
        assert_int_equal(status, failed ? TARE_E_MEMORY : TARE_OK);
        ort_session_close(s);
        tare_context_free(c);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failed) break;
    }
    assert_true(k > 5 && k < 200);
    graph_fixture_free(&g);
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_give_the_numbers),
        cmocka_unit_test(a_folder_gives_the_same_bits),
        cmocka_unit_test(the_folder_may_be_read_only),
        cmocka_unit_test(links_of_hubs),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(files_of_the_folder_are_looked_at),
        cmocka_unit_test(a_file_that_is_put_there_meanwhile),
        cmocka_unit_test(providers_that_are_not_there),
        cmocka_unit_test(the_structure_is_hashed_and_not_the_place),
        cmocka_unit_test(every_allocation_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
