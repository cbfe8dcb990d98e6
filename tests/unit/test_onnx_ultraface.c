/* A real model on portraits, beside ONNX Runtime's own Python. Label shared. */
#include "support/check.h"

#include <string.h>

#include "base/os.h"
#include "onnx_fixture.h"

#define MODEL TARE_SHARED_DIR "/data/scorers/ultraface/version-slim-320_simplified.onnx"

static tare_error err;

/* By tests/ref/onnx_ultraface_reference.py: ONNX Runtime 1.32.0, Pillow 9.4, NumPy 1.24.2. */
static const struct { const char *file; double best; } faces[] = {
    {"large/008049.jpg", 0.768750191},
    {"large/010603.jpg", 0.999995112},
    {"large/010764.jpg", 0.999828577},
    {"large/014406.jpg", 0.999998808},
    {"small/015124.jpg", 0.999989867},
    {"small/020145.jpg", 0.999999762},
    {"small/020304.jpg", 0.999998331},
    {"small/020305.jpg", 0.999999523},
};

static void the_best_face(void **state)
{
    (void)state;
    fixture f;
    fixture_begin(&f, 2);
    char spec[160];
    fixture_write(&f, "face.json", "{\"tare_scorer\": 1, \"name\": \"face\", \"model\": \"%s\", "
                  "\"input\": {\"name\": \"input\", \"kind\": \"image\", \"size\": [240, 320], "
                  "\"resize\": {\"mode\": \"stretch\", \"kernel\": \"bilinear\"}, \"divide\": 1, "
                  "\"mean\": [127, 127, 127], \"std\": [128, 128, 128]}, \"output\": {\"name\": "
                  "\"scores\", \"ops\": [[\"select\", -1, 1], [\"max\"]], \"higher_is_better\": "
                  "true, \"range\": [0, 1]}}", MODEL);
    scorer *s = fixture_open(&f, fixture_spec(&f, "face", spec));
    for (size_t k = 0; k < sizeof faces / sizeof *faces; k++) {
        char path[4096], *bytes = NULL;
        size_t length;
        image p;
        snprintf(path, sizeof path, TARE_SHARED_DIR "/data/faces/%s", faces[k].file);
        const mem *m = &f.context->mem;
        assert_ok(os_read_file(&bytes, &length, m, path, 1 << 26, &err));
        assert_ok(image_decode(&p, m, bytes, length, path, NULL, &err));
        scorer_item item = fixture_item(&f, 0);
        item.pixels = &p;
        scorer_result r = fixture_score(s, &item);
        assert_int_equal(r.status, TARE_R_NONE);
        assert_within(r.value, faces[k].best, 0, 3e-6); /* versions of the library differ */
        image_free(&p, m);
        mem_free(m, bytes);
    }
    scorer_close(s);
    fixture_end(&f);
}

int main(void)
{
    NEED_SHARED();
    NEED_ORT();
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_face)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
