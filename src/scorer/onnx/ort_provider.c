/* ort_provider.c - what computes the operators: the processor, or a device of the library's. Other
 * kernels move low bits, so a device is used only if it is asked for. Scorers 2.5. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/onnx/ort_parts.h"

typedef struct provider {
    const char *word, *name; /* ours; in the library's list */
} provider;

static const provider PROVIDERS[] = {{"cpu", "CPUExecutionProvider"},
                                     {"cuda", "CUDAExecutionProvider"},
                                     {"coreml", "CoreMLExecutionProvider"}};
enum { PROVIDER_COUNT = sizeof PROVIDERS / sizeof *PROVIDERS };

static const provider *find_provider(const char *word)
{
    for (size_t i = 0; i < PROVIDER_COUNT; i++) {
        if (strcmp(PROVIDERS[i].word, word) == 0) return &PROVIDERS[i];
    }
    return NULL;
}

/* Our word for a name of the library's list; its own where there is none. */
static const char *word_of(const char *name)
{
    for (size_t i = 0; i < PROVIDER_COUNT; i++) {
        if (strcmp(PROVIDERS[i].name, name) == 0) return PROVIDERS[i].word;
    }
    return name;
}

/* Does this library have it? */
static tare_status check_listed(const provider *p, const ort_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    char **names = NULL;
    int count = 0;
    bool listed = false;
    text list;
    text_init(&list, &s->context->mem);
    ORT_TRY(GetAvailableProviders(&names, &count), TARE_E_USAGE, "onnx.provider");
    for (int i = 0; i < count; i++) {
        listed = listed || (p != NULL && strcmp(names[i], p->name) == 0);
        text_add_format(&list, "%s%s", i > 0 ? ", " : "", word_of(names[i]));
    }
    if (listed) goto done;
    if (list.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_USAGE, "onnx.provider", s->library.library.path,
         "%.40s is %s; this ONNX Runtime %s has %s (tare uses cpu, cuda, coreml). --ort names "
         "another build", s->provider,
         p != NULL ? "not among what this library computes on" : "no provider that tare knows",
         s->library.version, list.data != NULL ? list.data : "none");
done:
    if (names != NULL) {
        OrtStatus *result = s->library.api.ReleaseAvailableProviders(names, count);
        if (result != NULL) s->library.api.ReleaseStatus(result);
    }
    text_free(&list);
    return status;
}

/* A library may list what it finds no files for. NULL is TARE_OK. */
static tare_status working(const ort_session *s, OrtStatus *result, tare_error *err)
{
    tare_error words = {TARE_OK, "", "", ""};
    if (ort_done(s, result, TARE_E_USAGE, "onnx.provider", &words) == TARE_OK) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "onnx.provider", s->library.library.path,
                     "%.40s is in this library's list and does not work here: are its own "
                     "libraries beside it? %.400s", s->provider, words.message);
}

/* TF32 keeps ten bits of each factor: off, or scores would be those of half precision. */
static tare_status append_cuda(OrtSessionOptions *options, const ort_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const keys[] = {"use_tf32"}, *const values[] = {"0"};
    const ort_api *api = &s->library.api;
    OrtCUDAProviderOptionsV2 *cuda = NULL;
    TRY(working(s, api->CreateCUDAProviderOptions(&cuda), err));
    TRY(working(s, api->UpdateCUDAProviderOptions(cuda, keys, values, 1), err));
    TRY(working(s, api->SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda), err));
done:
    if (cuda != NULL) api->ReleaseCUDAProviderOptions(cuda);
    return status;
}

static tare_status append_coreml(OrtSessionOptions *options, const ort_session *s, tare_error *err)
{
    const ort_api *api = &s->library.api;
    return working(s, api->SessionOptionsAppendExecutionProvider(options, "CoreML", NULL, NULL, 0),
                   err);
}

tare_status ort_provider_append(OrtSessionOptions *options, const ort_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const provider *p = find_provider(s->provider);
    if (p == &PROVIDERS[0]) goto done;
    TRY(check_listed(p, s, err));
    TRY(p == &PROVIDERS[1] ? append_cuda(options, s, err) : append_coreml(options, s, err));
done:
    return status;
}
