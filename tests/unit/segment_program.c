/* segment_program.c - masks of a segmenter for the test that is written in Python.
 *
 *   segment_program LIBRARY MANIFEST PICTURE    the mask, one byte 0 or 1 a pixel, rows from the
 *                                               top; exit 1 and words where there is none */
#include <stdio.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/segmenter.h"

static tare_status read_picture(image *out, const mem *m, const char *path, tare_error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    tare_status status = os_read_file(&bytes, &length, m, path, (size_t)1 << 26, err);
    if (status == TARE_OK) status = image_decode(out, m, bytes, length, path, NULL, err);
    mem_free(m, bytes);
    return status;
}

static tare_status run(tare_context *context, char **argv, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &context->mem;
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    segmenter_failure failure;
    segmenter *s = NULL;
    image picture = {0};
    unsigned char *mask = NULL;
    char spec[4096];
    o.ort_library = argv[1];
    snprintf(spec, sizeof spec, "onnx:%s", argv[2]);
    TRY(segmenter_open(&s, context, spec, &o, err));
    TRY(read_picture(&picture, m, argv[3], err));
    TRY_NEW(mask = mem_new(m, image_pixels(&picture), 1));
    TRY(segmenter_run(s, mask, &picture, &failure, err));
    if (failure.reason)
        FAIL(err, TARE_E_DATA, tare_reason_name(failure.reason), argv[3], "%s", failure.why);
    fwrite(mask, 1, image_pixels(&picture), stdout);
done:
    mem_free(m, mask);
    image_free(&picture, m);
    segmenter_close(s);
    return status;
}

int main(int argc, char **argv)
{
    tare_context *context = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    if (argc != 4) return 2;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    tare_status status = run(context, argv, &err);
    if (status != TARE_OK) fprintf(stderr, "[%s] %s: %s\n", err.code, err.where, err.message);
    tare_context_free(context);
    return status != TARE_OK;
}
