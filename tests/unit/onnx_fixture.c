#include "onnx_fixture.h"

#include <string.h>

#include "base/os.h"
#include "support/check.h"
#include "support/tiny_onnx.h"

const double fixture_scores[FIXTURE_PICTURES][FIXTURE_SCORERS] = {
    {0.598012016569, 1.99801125488, 129.633333333, 0.748012016569, -0.317107554516,
     -0.365530060008, 0.596571130129},
    {0.597916700256, 2.000352896, 126.033333333, 0.747916700256, -0.316331103037, -0.364270091133,
     0.595705723816},
    {0.602764194831, 2.00139015473, 128.820833333, 0.752764194831, -0.317322430225,
     -0.363989851606, 0.598266467712},
    {0.601089358537, 2.0007366843, 127.3, 0.751089358537, -0.319273322915, -0.366493643541,
     0.594381166811},
};

const char fixture_input[] =
    "\"size\": [12, 16], \"resize\": {\"mode\": \"stretch\", \"kernel\": \"bilinear\"}, "
    "\"divide\": 255, \"mean\": [0.5, 0.4, 0.3], \"std\": [0.25, 0.5, 0.125]";
static const char plain_input[] =
    "\"size\": [12, 16], \"resize\": {\"mode\": \"stretch\", \"kernel\": \"bilinear\"}, "
    "\"divide\": 255, \"mean\": [0, 0, 0], \"std\": [1, 1, 1]";
#define TOP "\"tare_scorer\": 1, \"name\": \"%s\", \"model\": \"%s.onnx\""
#define IMAGE "\"input\": {\"name\": \"image\", \"kind\": \"image\", %s}"
#define OUTPUT(name, ops) "\"output\": {\"name\": \"" name "\", \"ops\": " ops ", " \
    "\"higher_is_better\": true}"

const char *fixture_library(void)
{
    static const char newest[] = TARE_SOURCE_DIR "/build/deps/libonnxruntime.so.1";
    const char *set = getenv("TARE_ORT_LIB");
    if (set && *set) return os_exists(set) ? set : NULL;
    return os_exists(newest) ? newest : NULL;
}

void fixture_write(const fixture *f, const char *name, const char *format, ...)
{
    char path[160], bytes[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(bytes, sizeof bytes, format, args);
    va_end(args);
    assert_in_range(n, 1, sizeof bytes - 1);
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(os_write_file(path, bytes, (size_t)n, NULL), TARE_OK);
}

static void write_manifests(const fixture *f)
{
    static const char vector[] = "\"input\": {\"name\": \"embedding\", \"kind\": \"vector\", "
                                 "\"length\": 8, \"from\": \"%s\"}";
    char head[200];
    fixture_write(f, "0.json", "{" TOP ", " IMAGE ", " OUTPUT("score", "[]") "}", "by mean",
                  "mean", fixture_input);
    fixture_write(f, "1.json", "{" TOP ", " IMAGE ", "
                  OUTPUT("score", "[[\"expect\", [1, 2, 3]]]") "}", "by classes", "classes",
                  plain_input);
    fixture_write(f, "2.json", "{" TOP ", " IMAGE ", " OUTPUT("score", "[]") "}", "by bytes",
                  "bytes", "\"layout\": \"nhwc\", \"dtype\": \"u8\", \"size\": [8, 10], "
                  "\"resize\": {\"mode\": \"stretch\", \"kernel\": \"nearest\"}");
    fixture_write(f, "3.json", "{" TOP ", " IMAGE ", " OUTPUT("score", "[]") ", \"prompt\": "
                  "{\"mode\": \"fixed\", \"tokens\": [3, 5, 7], \"length\": 5, \"pad\": 9, "
                  "\"ids\": \"ids\", \"mask\": \"mask\"}}", "by prompt", "prompt", fixture_input);
    snprintf(head, sizeof head, vector, "tower.json");
    fixture_write(f, "4.json", "{" TOP ", %s, " OUTPUT("score", "[]") "}", "by head", "head", head);
    snprintf(head, sizeof head, vector, "normed.json");
    fixture_write(f, "5.json", "{" TOP ", %s, " OUTPUT("score", "[]") "}", "by normed", "head",
                  head);
    fixture_write(f, "6.json", "{" TOP ", " IMAGE ", " OUTPUT("embedding", "[[\"max\", 1]]") "}",
                  "by tower", "tower", fixture_input);
    fixture_write(f, "tower.json", "{" TOP ", " IMAGE ", " OUTPUT("embedding", "[]") "}", "tower",
                  "tower", fixture_input);
    fixture_write(f, "normed.json", "{" TOP ", " IMAGE ", "
                  OUTPUT("embedding", "[[\"l2norm\", 1]]") "}", "normed", "tower", fixture_input);
}

static void make_picture(fixture *f, size_t k)
{
    image *p = &f->picture[k];
    assert_int_equal(image_new(p, &f->context->mem, 40, 30, NULL), TARE_OK);
    for (size_t i = 0; i < image_pixels(p) * 3; i++)
        p->rgb[i] = (unsigned char)((uint32_t)((i + 977 * k) * 2654435761u) >> 24);
}

void fixture_begin(fixture *f, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = threads;
    *f = (fixture){.folder = "/tmp/test_onnx_XXXXXX", .options = SCORER_OPTIONS_DEFAULT};
    f->options.ort_library = fixture_library();
    assert_non_null(mkdtemp(f->folder));
    assert_int_equal(tare_context_new(&f->context, &o, NULL), TARE_OK);
    assert_true(tiny_models_make(f->folder));
    write_manifests(f);
    for (size_t k = 0; k < FIXTURE_PICTURES; k++) make_picture(f, k);
}

void fixture_end(fixture *f)
{
    char path[4096];
    arena a;
    os_listing list;
    arena_init(&a, &f->context->mem);
    assert_int_equal(os_list_files(&list, &a, f->folder, 1000, NULL), TARE_OK);
    for (size_t i = 0; i < list.count; i++) {
        snprintf(path, sizeof path, "%s/%s", f->folder, list.paths[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/kept", f->folder);
    rmdir(path);
    assert_int_equal(rmdir(f->folder), 0);
    arena_free(&a);
    for (size_t k = 0; k < FIXTURE_PICTURES; k++) image_free(&f->picture[k], &f->context->mem);
    tare_context_free(f->context);
}

const char *fixture_spec(const fixture *f, const char *name, char out[160])
{
    snprintf(out, 160, "onnx:%s/%s.json", f->folder, name);
    return out;
}

const char *fixture_spec_of(const fixture *f, fixture_scorer which, char out[160])
{
    snprintf(out, 160, "onnx:%s/%d.json", f->folder, (int)which);
    return out;
}

scorer *fixture_open(fixture *f, const char *spec)
{
    scorer *s;
    tare_error err;
    if (scorer_open(&s, f->context, spec, &f->options, &err) != TARE_OK)
        fail_msg("%s: [%s] %s: %s", spec, err.code, err.where, err.message);
    return s;
}

scorer_item fixture_item(const fixture *f, size_t picture)
{
    static const char *const keys[FIXTURE_PICTURES] = {"a", "b", "c", "d"};
    return (scorer_item){.key = keys[picture], .base = keys[picture], .arm = "", .group = "",
                         .prompt = "", .dose = NAN, .attribute = NAN, .artifact = NAN,
                         .pixels = &f->picture[picture]};
}

scorer_result fixture_score(scorer *s, const scorer_item *item)
{
    scorer_result r;
    tare_error err;
    assert_ok(scorer_score(s, &r, item, 1, &err));
    return r;
}
