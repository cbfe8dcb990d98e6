#include "scorer/onnx/onnx_score.h"

#include <string.h>

#include "base/error.h"
#include "scorer/onnx/onnx_prepare.h"

tare_status onnx_manifest_named(const char *rest, tare_error *err)
{
    size_t n = strlen(rest);
    if (n == 0)
        return error_set(err, TARE_E_USAGE, "onnx.manifest", NULL, "onnx: takes the manifest of a "
                         "model, as onnx:my-scorer.json; docs/onnx-scorer.md says what is in it");
    if (n > 5 && !strcmp(rest + n - 5, ".onnx"))
        return error_set(err, TARE_E_USAGE, "onnx.manifest", rest, "a model does not say how it is "
                         "fed or read: write a manifest that names it and give that; "
                         "docs/onnx-scorer.md says how");
    return TARE_OK;
}

bool onnx_ends_run(tare_status status)
{
    return status == TARE_E_STOPPED || status == TARE_E_MEMORY;
}

tare_reason onnx_reason(const tare_error *err)
{
    return strcmp(err->code, ORT_TIMEOUT) == 0 ? TARE_R_TIMEOUT : TARE_R_SCORER_ERROR;
}

void onnx_trial_warning(const onnx_model *x, const char *what)
{
    const onnx_manifest *m = &x->manifest;
    context_message(x->context, TARE_WARNING, "%s: a plain %s gets a %s that is not finite; images "
                    "that do have no score (score_nonfinite)", m->path,
                    m->kind == ONNX_IMAGE ? "image" : "vector", what);
}

tare_status onnx_trial_tensors(void **out, const onnx_model *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &x->context->mem;
    size_t bytes = onnx_model_bytes(x);
    image trial = {0};
    tare_reason reason;
    char note[160], *data = NULL;
    TRY_NEW(data = mem_resize(m, NULL, x->batch, bytes));
    TRY(onnx_trial_image(&trial, m, &x->manifest.image, err));
    TRY(onnx_prepare_image(data, &reason, note, m, &trial, &x->manifest.image, err));
    if (reason != TARE_R_NONE)
        FAIL(err, TARE_E_DATA, "onnx.trial", x->manifest.path,
             "an image of the model's own size cannot be used: %s", note);
    for (size_t i = 1; i < x->batch; i++) memcpy(data + i * bytes, data, bytes);
    *out = data;
    data = NULL;
done:
    mem_free(m, data);
    image_free(&trial, m);
    return status;
}

tare_status onnx_tensors(void *data, size_t *count, scorer_result *results, const onnx_model *x,
                         const scorer_item *items, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &x->context->mem;
    size_t bytes = onnx_model_bytes(x), good = 0;
    char *tensor = data;
    *count = 0;
    for (size_t i = 0; i < n; i++, tensor += bytes) {
        tare_reason reason;
        char note[sizeof results->note];
        if (i > 0 && items[i].pixels == items[i - 1].pixels) { /* padding of the batch */
            results[i] = results[i - 1];
            if (results[i].status != TARE_R_NONE) continue;
            memcpy(tensor, tensor - bytes, bytes);
            good = i;
            ++*count;
            continue;
        }
        TRY(onnx_prepare_image(tensor, &reason, note, m, items[i].pixels, &x->manifest.image,
                               err));
        if (reason != TARE_R_NONE) {
            scorer_result_fail(&results[i], reason, "%s", note);
            continue;
        }
        scorer_result_value(&results[i], 0.0);
        good = i;
        ++*count;
    }
    for (size_t i = 0; *count > 0 && i < n; i++)
        if (results[i].status != TARE_R_NONE)
            memcpy((char *)data + i * bytes, (char *)data + good * bytes, bytes);
done:
    return status;
}
