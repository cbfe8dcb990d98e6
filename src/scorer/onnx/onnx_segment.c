/* onnx_segment.c - a segmenter: the model of a manifest with output.map, asked one picture at a
 * time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scorer/fingerprint.h"
#include "scorer/onnx/onnx_manifest_parts.h"
#include "scorer/onnx/onnx_score.h"
#include "scorer/onnx/onnx_segment_map.h"
#include "scorer/segmenter.h"

struct segmenter {
    onnx_model model;
    segmenter_description d;
};

/* ---- Running --------------------------------------------------------------------------------- */

/* The model's output as [1, height, width]. Errors: also DATA (another shape; a value that is not
 * finite). */
static tare_status ask(ort_output *out, segmenter *s, const void *data, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_manifest *manifest = &s->model.manifest;
    onnx_shape shape = {0, {0}};
    TRY(onnx_model_run(out, &s->model, data, err));
    shape.rank = out->rank;
    memcpy(shape.dim, out->dim, sizeof shape.dim);
    TRY(manifest_map_shape(manifest, &shape, err));
    TRY(onnx_ops_apply(out, &s->model.context->mem, 1, manifest->ops, manifest->op_count, err));
    if (out->dim[1] > MANIFEST_SIDE_MOST || out->dim[2] > MANIFEST_SIDE_MOST)
        FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "a map of %lld x %lld values; at most "
             "%d a side are read", (long long)out->dim[1], (long long)out->dim[2],
             (int)MANIFEST_SIDE_MOST);
    for (size_t i = 0; i < out->count; i++)
        if (!isfinite(out->value[i]))
            FAIL(err, TARE_E_DATA, "onnx.map", manifest->path, "the map has values that are not "
                 "finite numbers");
done:
    return status;
}

static void fail(segmenter_failure *failure, tare_reason reason, const char *why)
{
    failure->reason = reason;
    snprintf(failure->why, sizeof failure->why, "%s", why);
    failure->why[utf8_valid_prefix(failure->why, strlen(failure->why))] = '\0';
    for (char *c = failure->why; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127) *c = ' ';
}

tare_status segmenter_run(segmenter *s, unsigned char *mask, const image *picture,
                          segmenter_failure *failure, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->model.context->mem;
    const onnx_manifest *manifest = &s->model.manifest;
    segment_map map = {.in = &manifest->image, .threshold = manifest->map.threshold,
                       .greater = manifest->map.greater};
    tare_error why = {TARE_OK, "", "", ""};
    ort_output out = {0};
    char note[160] = "";
    void *data = NULL;
    *failure = (segmenter_failure){TARE_R_NONE, ""};
    TRY_NEW(data = mem_resize(m, NULL, 1, onnx_model_bytes(&s->model)));
    TRY(onnx_prepare_image(data, &failure->reason, note, m, picture, map.in, err));
    if (failure->reason || !onnx_prepare_place(&map.placing, note, map.in, picture->width,
                                               picture->height)) {
        fail(failure, TARE_R_UNSUPPORTED_PIXELS, note);
        goto done;
    }
    status = ask(&out, s, data, &why);
    if (onnx_ends_run(status)) {
        if (err) *err = why;
        goto done;
    }
    if (status != TARE_OK) {
        status = TARE_OK;
        fail(failure, onnx_reason(&why), why.message);
        goto done;
    }
    map.value = out.value;
    map.height = (int)out.dim[1];
    map.width = (int)out.dim[2];
    TRY(segment_map_mask(mask, m, picture->height, picture->width, &map, err));
done:
    mem_free(m, out.value);
    mem_free(m, data);
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* One call before the first photograph: a map of another shape, or no answer, is said at once. */
static tare_status try_out(segmenter *s, tare_error *err)
{
    tare_status status = TARE_OK;
    ort_output out = {0};
    void *data = NULL;
    tare_error why = {TARE_OK, "", "", ""};
    TRY(onnx_trial_tensors(&data, &s->model, err));
    status = ask(&out, s, data, &why);
    if (status == TARE_E_DATA && strcmp(why.code, "onnx.map") == 0) {
        onnx_trial_warning(&s->model, "map");
        status = TARE_OK;
    }
    if (status == TARE_E_DATA && strncmp(why.code, "manifest.", 9) == 0)
        onnx_ops_whose(&why, s->model.manifest.path);
    if (status != TARE_OK && err) *err = why;
done:
    mem_free(&s->model.context->mem, out.value);
    mem_free(&s->model.context->mem, data);
    return status;
}

static tare_status describe(segmenter *s, const image_decoding *decoding, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_manifest *m = &s->model.manifest;
    arena *a = &s->model.a;
    scorer_description d = {.batch = 1, .needs_pixels = true}; /* for its hashes */
    const char *identity, *engine;
    TRY_NEW(identity = onnx_model_identity(&s->model, a));
    TRY_NEW(identity = fingerprint_with(a, identity, "back", "\"bilinear\""));
    TRY_NEW(engine = onnx_model_engine(&s->model, a));
    TRY(fingerprint_describe_engine(&d, a, identity, engine, err));
    TRY(fingerprint_decoding(&d, a, decoding, err));
    s->d = (segmenter_description){.name = m->name, .identity = d.identity, .runtime = d.runtime,
                                   .source = m->source, .licence = m->licence};
    memcpy(s->d.identity_hash, d.identity_hash, sizeof s->d.identity_hash);
    memcpy(s->d.runtime_hash, d.runtime_hash, sizeof s->d.runtime_hash);
done:
    return status;
}

static tare_status check_spec(const char **rest, const char *spec, tare_error *err)
{
    static const char scheme[] = "onnx:";
    char seen[64];
    snprintf(seen, sizeof seen, "%s", spec);
    if (strncmp(spec, scheme, sizeof scheme - 1) != 0)
        return error_set(err, TARE_E_USAGE, "segmenter.scheme", seen,
                         "not a segmenter; what is known: onnx:MANIFEST");
    *rest = spec + sizeof scheme - 1;
    return onnx_manifest_named(*rest, err);
}

tare_status segmenter_open(segmenter **out, tare_context *context, const char *spec,
                           const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer_options o = options ? *options : SCORER_OPTIONS_DEFAULT;
    segmenter *s = NULL;
    const char *path = NULL;
    *out = NULL;
    o.batch = 0; /* pictures come one by one */
    TRY(check_spec(&path, spec, err));
    if (!(o.timeout_seconds > 0.0) || !isfinite(o.timeout_seconds))
        FAIL(err, TARE_E_USAGE, "segmenter.timeout", NULL,
             "the time limit must be a positive number of seconds");
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    TRY(onnx_model_read(&s->model, context, path, err));
    TRY(onnx_model_load(&s->model, &o, ONNX_SEGMENTER, err));
    TRY(try_out(s, err));
    TRY(describe(s, &o.decoding, err));
    *out = s;
    s = NULL;
done:
    segmenter_close(s);
    return status;
}

void segmenter_close(segmenter *s)
{
    if (!s) return;
    const mem *m = &s->model.context->mem;
    onnx_model_close(&s->model);
    mem_free(m, s);
}

const segmenter_description *segmenter_describe(const segmenter *s)
{
    return &s->d;
}
