/* Heads on a tower: one call of the tower for each image, whoever asks; and the vectors that are
 * kept. */
#include "support/check.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "base/os.h"
#include "onnx_fixture.h"
#include "scorer/onnx/onnx_tower.h"
#include "support/failing_mem.h"
#include "support/tiny_onnx.h"

static tare_error err;
static fixture f;

static int begin(void **state)
{
    (void)state;
    model_writer w;
    char path[160];
    fixture_begin(&f, 4);
    tiny_begin(&w); /* a head that hands on what it gets */
    model_write_input(&w, "embedding", ORT_F32, 2, TINY_DIMS(-1, 1));
    model_write_node(&w, "Identity", "embedding", "score");
    model_write_output(&w, "score", ORT_F32, 2, TINY_DIMS(-1, 1));
    snprintf(path, sizeof path, "%s/same.onnx", f.folder);
    assert_true(tiny_save(&w, path));
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&f);
    return 0;
}

/* A head of `length` numbers on another manifest. */
static void write_head(const char *name, const char *model, const char *from, int length,
                       const char *ops)
{
    char file[64];
    snprintf(file, sizeof file, "%s.json", name);
    fixture_write(&f, file, "{\"tare_scorer\": 1, \"name\": \"%s\", \"model\": \"%s\", \"input\": "
                  "{\"name\": \"embedding\", \"kind\": \"vector\", \"length\": %d, \"from\": "
                  "\"%s\"}, \"output\": {\"name\": \"score\", \"ops\": %s, \"higher_is_better\": "
                  "true}}", name, model, length, from, ops);
}

static onnx_tower *take(const char *file, size_t length)
{
    char path[160];
    onnx_tower *t;
    snprintf(path, sizeof path, "%s/%s", f.folder, file);
    assert_ok(onnx_tower_take(&t, f.options.shelf, f.context, path, length, &f.options, &err));
    return t;
}

static size_t runs(const onnx_tower *t)
{
    return atomic_load(&onnx_tower_model(t)->runs);
}

static scorer *open_named(const char *name)
{
    char spec[160];
    return fixture_open(&f, fixture_spec(&f, name, spec));
}

static void two_heads_cost_one_tower(void **state)
{
    (void)state;
    f.options.shelf = scorer_shelf_new(&f.context->mem);
    write_head("other", "head.onnx", "./tower.json", 8, "[[\"affine\", 2, 1]]");
    scorer *a = open_named("4"), *b = open_named("other");
    onnx_tower *t = take("tower.json", 8);
    size_t before = runs(t);
    for (size_t k = 0; k < FIXTURE_PICTURES; k++) {
        scorer_item item = fixture_item(&f, k);
        double first = fixture_score(a, &item).value;
        assert_within(first, fixture_scores[k][BY_HEAD], 2e-6, 0);
        assert_within(fixture_score(b, &item).value, 2 * first + 1, 1e-15, 0);
        assert_true(fixture_score(a, &item).value == first);
        assert_int_equal(runs(t), before + k + 1);
    }
    before = runs(t);
    for (size_t k = 0; k < FIXTURE_PICTURES; k++) { /* a noise pass asks the model again */
        scorer_item item = fixture_item(&f, k);
        double kept = fixture_score(a, &item).value;
        item.fresh = true;
        assert_true(fixture_score(a, &item).value == kept);
        assert_int_equal(runs(t), before + k + 1);
    }
    onnx_tower_give_back(f.options.shelf, t);
    scorer_close(a);
    scorer_item item = fixture_item(&f, 0); /* the tower stands as long as one head needs it */
    assert_int_equal(fixture_score(b, &item).status, TARE_R_NONE);
    scorer_close(b);
    scorer_shelf_free(f.options.shelf);
    f.options.shelf = NULL;
}

static void the_tower_is_in_the_identity(void **state)
{
    (void)state;
    scorer *a = open_named("4"), *b = open_named("5");
    const scorer_description *x = scorer_describe(a), *y = scorer_describe(b);
    assert_non_null(strstr(x->identity, "\"tower\":{\"length\":8,"));
    assert_non_null(strstr(x->identity, "\"vector\":\"the output\""));
    assert_non_null(strstr(y->identity, "\"vector\":\"after the operations\""));
    assert_string_not_equal(x->identity_hash, y->identity_hash);
    assert_non_null(strstr(x->runtime, "\"tower\":{\"batch\":1,"));
    scorer_close(a);
    scorer_close(b);
}

static void a_batch_holds_what_is_not_known(void **state)
{
    (void)state;
    f.options.shelf = scorer_shelf_new(&f.context->mem);
    f.options.batch = 4;
    scorer *s = open_named("4");
    onnx_tower *t = take("tower.json", 8);
    size_t before = runs(t);
    scorer_item items[4], one = fixture_item(&f, 2);
    scorer_result r[4];
    for (size_t k = 0; k < 4; k++) items[k] = fixture_item(&f, k);
    assert_ok(scorer_score(s, r, &one, 1, &err));
    assert_int_equal(runs(t), before + 1);
    assert_ok(scorer_score(s, r, items, 4, &err)); /* three in one call */
    assert_int_equal(runs(t), before + 2);
    for (size_t k = 0; k < 4; k++) assert_within(r[k].value, fixture_scores[k][BY_HEAD], 2e-6, 0);
    assert_ok(scorer_score(s, r, items, 4, &err));
    assert_int_equal(runs(t), before + 2);
    items[1].fresh = true;
    assert_ok(scorer_score(s, r, items, 4, &err));
    assert_int_equal(runs(t), before + 3);
    onnx_tower_give_back(f.options.shelf, t);
    scorer_close(s);
    scorer_shelf_free(f.options.shelf);
    f.options.shelf = NULL;
    f.options.batch = 0;
}

static void pixels_and_size_are_the_key(void **state)
{
    (void)state;
    f.options.shelf = scorer_shelf_new(&f.context->mem);
    scorer *s = open_named("4");
    onnx_tower *t = take("tower.json", 8);
    scorer_item item = fixture_item(&f, 0);
    image turned = f.picture[0], copy = f.picture[0];
    turned.width = 30;
    turned.height = 40;
    fixture_score(s, &item);
    size_t before = runs(t);
    item.key = "another";
    item.pixels = &copy;
    fixture_score(s, &item);
    assert_int_equal(runs(t), before);
    item.pixels = &turned;
    double other = fixture_score(s, &item).value;
    assert_int_equal(runs(t), before + 1);
    assert_true(fabs(other - fixture_scores[0][BY_HEAD]) > 1e-5);
    onnx_tower_give_back(f.options.shelf, t);
    scorer_close(s);
    scorer_shelf_free(f.options.shelf);
    f.options.shelf = NULL;
}

static void a_folder_remembers(void **state)
{
    (void)state;
    char kept[160];
    snprintf(kept, sizeof kept, "%s/kept", f.folder);
    f.options.embeddings = kept;
    double first[FIXTURE_PICTURES];
    for (int pass = 0; pass < 2; pass++) {
        f.options.shelf = scorer_shelf_new(&f.context->mem);
        scorer *s = open_named("4");
        onnx_tower *t = take("tower.json", 8);
        size_t before = runs(t);
        for (size_t k = 0; k < FIXTURE_PICTURES; k++) {
            scorer_item item = fixture_item(&f, k);
            scorer_result r = fixture_score(s, &item);
            if (pass) assert_true(r.value == first[k]);
            first[k] = r.value;
        }
        assert_int_equal(runs(t), before + (pass ? 0 : FIXTURE_PICTURES));
        onnx_tower_give_back(f.options.shelf, t);
        scorer_close(s);
        scorer_shelf_free(f.options.shelf);
    }
    f.options.shelf = NULL;
    f.options.embeddings = NULL;
}

/* The score is right all the same, and the first one says what went wrong. */
static void a_full_disk_is_a_note(void **state)
{
    (void)state;
    char kept[160];
    snprintf(kept, sizeof kept, "%s/kept", f.folder);
    f.options.embeddings = kept;
    scorer *s = open_named("5");
    struct rlimit was, small;
    getrlimit(RLIMIT_FSIZE, &was);
    small = was;
    small.rlim_cur = 160;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    scorer_item item = fixture_item(&f, 0), next = fixture_item(&f, 1);
    scorer_result r = fixture_score(s, &item), second = fixture_score(s, &next);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_int_equal(r.status, TARE_R_NONE);
    assert_within(r.value, fixture_scores[0][BY_HEAD_NORM], 2e-6, 0);
    assert_non_null(strstr(r.note, "vectors are not kept"));
    assert_within(second.value, fixture_scores[1][BY_HEAD_NORM], 2e-6, 0);
    assert_string_equal(second.note, "");
    scorer_close(s);
    f.options.embeddings = NULL;
}

static void a_status_of_the_tower_is_the_heads(void **state)
{
    (void)state;
    static const char tower[] = "{\"tare_scorer\": 1, \"name\": \"t\", \"model\": \"nan.onnx\", "
        "\"input\": {\"name\": \"image\", \"kind\": \"image\", \"size\": [4, 4], \"resize\": "
        "{\"mode\": \"none\"}, \"divide\": 255, \"mean\": [0, 0, 0], \"std\": [1, 1, 1]}, "
        "\"output\": {\"name\": \"score\", \"ops\": [], \"higher_is_better\": true}}";
    fixture_write(&f, "nan-tower.json", "%s", tower);
    write_head("status", "same.onnx", "nan-tower.json", 1, "[]");
    f.options.batch = 3;
    scorer *s = open_named("status");
    unsigned char bright[48], dark[48];
    memset(bright, 200, sizeof bright);
    memset(dark, 51, sizeof dark);
    image a = {.width = 4, .height = 4, .channels = 3, .rgb = bright}, b = a, wrong = a;
    b.rgb = dark;
    wrong.width = 3;
    scorer_item items[3] = {fixture_item(&f, 0), fixture_item(&f, 1), fixture_item(&f, 2)};
    items[0].pixels = &a;
    items[1].pixels = &b;
    items[2].pixels = &wrong;
    scorer_result r[3];
    assert_ok(scorer_score(s, r, items, 3, &err));
    assert_int_equal(r[0].status, TARE_R_SCORE_NONFINITE);
    assert_int_equal(r[1].status, TARE_R_NONE);
    assert_within(r[1].value, 0.2, 1e-6, 0);
    assert_int_equal(r[2].status, TARE_R_UNSUPPORTED_PIXELS);
    assert_ok(scorer_score(s, r, items + 2, 1, &err));
    assert_int_equal(r[0].status, TARE_R_UNSUPPORTED_PIXELS);
    scorer_close(s);
    f.options.batch = 0;
}

static void refused(const char *name, tare_status status, const char *code, const char *words)
{
    char spec[160];
    scorer *s;
    tare_status got = scorer_open(&s, f.context, fixture_spec(&f, name, spec), &f.options, &err);
    if (got != status || strcmp(err.code, code) || !strstr(err.message, words))
        fail_msg("%s: %s [%s] %s %s", spec, tare_status_name(got), err.code, err.where,
                 err.message);
}

static void towers_that_are_none(void **state)
{
    (void)state;
    write_head("short", "same.onnx", "tower.json", 1, "[]");
    refused("short", TARE_E_DATA, "onnx.vector", "not a vector of 1 numbers for each of 1 images");
    write_head("on-head", "head.onnx", "4.json", 8, "[]");
    refused("on-head", TARE_E_USAGE, "onnx.from", "takes its vectors from a model of images");
    write_head("on-itself", "head.onnx", "on-itself.json", 8, "[]");
    refused("on-itself", TARE_E_USAGE, "onnx.from", "takes its vectors from a model of images");
    write_head("on-nothing", "head.onnx", "gone.json", 8, "[]");
    refused("on-nothing", TARE_E_IO, "io.open", "");
    write_head("wrong-length", "head.onnx", "tower.json", 7, "[]");
    refused("wrong-length", TARE_E_DATA, "manifest.input", "[1, 7]");
    fixture_write(&f, "a-file", "x");
    char kept[160];
    snprintf(kept, sizeof kept, "%s/a-file", f.folder);
    f.options.embeddings = kept;
    assert_int_equal(os_is_folder(kept), false);
    char spec[160];
    scorer *s;
    assert_int_equal(scorer_open(&s, f.context, fixture_spec(&f, "4", spec), &f.options, &err),
                     TARE_E_IO);
    f.options.embeddings = NULL;
}

/* Operations that cannot run are an error, as they are of a scorer. */
static void write_tower(const char *name, const char *ops)
{
    char file[64];
    snprintf(file, sizeof file, "%s.json", name);
    fixture_write(&f, file, "{\"tare_scorer\": 1, \"name\": \"t\", \"model\": \"tower.onnx\", "
                  "\"input\": {\"name\": \"image\", \"kind\": \"image\", %s}, \"output\": "
                  "{\"name\": \"embedding\", \"ops\": %s}}", fixture_input, ops);
}

static void operations_of_a_tower_are_not_dropped(void **state)
{
    (void)state;
    static const struct { const char *ops, *code, *words; } bad[] = {
        {"[[\"l2norm\", 2]]", "manifest.ops", "there is no axis 2"},
        {"[[\"select\", 1, 99]]", "manifest.ops", "has no element 99"},
        {"[[\"affine\", 2, 0], [\"expect\", [1, 2, 3]]]", "manifest.ops", "there are 3 values"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_tower("faulty", bad[i].ops);
        write_head("on-faulty", "head.onnx", "faulty.json", 8, "[]");
        refused("on-faulty", TARE_E_DATA, bad[i].code, bad[i].words);
        assert_non_null(strstr(err.where, "faulty.json: output.ops["));
        assert_non_null(strstr(err.message, "on-faulty.json:1")); /* and who wants it */
    }
}

/* A scorer is a tower too, if its operations make one number of what a head can take. */
static void only_a_score_stands_for_its_vector(void **state)
{
    (void)state;
    write_tower("scoring", "[[\"softmax\", 1], [\"max\", 1]]");
    write_head("on-scoring", "head.onnx", "scoring.json", 8, "[]");
    scorer *s = open_named("on-scoring");
    scorer_item item = fixture_item(&f, 0);
    assert_within(fixture_score(s, &item).value, fixture_scores[0][BY_HEAD], 2e-6, 0);
    assert_non_null(strstr(scorer_describe(s)->identity, "\"vector\":\"the output\""));
    scorer_close(s);
    write_head("one-number", "same.onnx", "scoring.json", 1, "[]"); /* the number itself */
    s = open_named("one-number");
    assert_non_null(strstr(scorer_describe(s)->identity, "\"after the operations\""));
    scorer_close(s);
    write_head("two-numbers", "same.onnx", "scoring.json", 2, "[]");
    refused("two-numbers", TARE_E_DATA, "manifest.input", "[1, 2]");
}

/* ---- no memory ------------------------------------------------------------------------------ */

static void *resize(void *user, void *pointer, size_t bytes)
{
    return failing_mem_resize(user, pointer, bytes);
}

static tare_status whole_life(tare_context *c, const char *spec, const char *kept)
{
    tare_status status;
    scorer *a = NULL, *b = NULL;
    scorer_options o = f.options;
    scorer_item item = fixture_item(&f, 0);
    scorer_result r;
    o.embeddings = kept;
    o.shelf = scorer_shelf_new(&c->mem);
    if (!o.shelf) return TARE_E_MEMORY;
    status = scorer_open(&a, c, spec, &o, &err);
    if (status == TARE_OK) status = scorer_open(&b, c, spec, &o, &err);
    if (status == TARE_OK) status = scorer_score(a, &r, &item, 1, &err);
    if (status == TARE_OK) assert_int_equal(r.status, TARE_R_NONE);
    if (status == TARE_OK) status = scorer_score(b, &r, &item, 1, &err);
    scorer_close(a);
    scorer_close(b);
    scorer_shelf_free(o.shelf);
    return status;
}

static void no_memory(void **state)
{
    (void)state;
    char spec[160], kept[160];
    snprintf(kept, sizeof kept, "%s/kept", f.folder);
    for (int which = 0; which < 3; which++)
        for (long k = 1;; k++) {
            failing_mem failing;
            mem m = failing_mem_start(&failing, k);
            tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
            tare_context *c;
            o.threads = 1;
            o.user = m.user;
            o.resize = resize;
            tare_status status = tare_context_new(&c, &o, &err);
            if (status == TARE_OK) {
                fixture_spec_of(&f, which == 0 ? BY_PROMPT : BY_HEAD_NORM, spec);
                status = whole_life(c, spec, which == 2 ? kept : NULL);
                tare_context_free(c);
            }
            assert_int_equal(failing_mem_live(&failing), 0);
            if (!failing_mem_failed(&failing)) {
                assert_int_equal(status, TARE_OK);
                break;
            }
            assert_int_equal(status, TARE_E_MEMORY);
        }
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_heads_cost_one_tower),
        cmocka_unit_test(the_tower_is_in_the_identity),
        cmocka_unit_test(a_batch_holds_what_is_not_known),
        cmocka_unit_test(pixels_and_size_are_the_key),
        cmocka_unit_test(a_folder_remembers),
        cmocka_unit_test(a_full_disk_is_a_note),
        cmocka_unit_test(a_status_of_the_tower_is_the_heads),
        cmocka_unit_test(towers_that_are_none),
        cmocka_unit_test(operations_of_a_tower_are_not_dropped),
        cmocka_unit_test(only_a_score_stands_for_its_vector),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
