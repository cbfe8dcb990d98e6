/* ort_load.c - from the library to a loaded model: environment, options, weights, ports. Scorers
 * 2.3, 4.4. */
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/ort_parts.h"
#include "scorer/onnx/ort_quiet.h"

tare_status ort_done(const ort_session *s, OrtStatus *result, tare_status kind, const char *code,
                     tare_error *err)
{
    if (result == NULL) return TARE_OK;
    const char *words = s->library.api.GetErrorMessage(result);
    error_set(err, kind, code, s->name, "ONNX Runtime %s: %s", s->library.version,
              words != NULL && *words != '\0' ? words : "it failed and does not say why");
    s->library.api.ReleaseStatus(result);
    return kind;
}

tare_status ort_session_begin(ort_session **out, tare_context *context, const char *name,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    ort_session *s = NULL;
    *out = NULL;
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    s->context = context;
    s->weights.json = "[]";
    s->provider = "cpu";
    arena_init(&s->a, &context->mem);
    TRY_NEW(s->name = arena_copy(&s->a, name));
    *out = s;
    s = NULL;
done:
    ort_session_close(s);
    return status;
}

/* ---- Options --------------------------------------------------------------- */

#define FOLDER_KEY "session.model_external_initializers_file_folder_path"

/* One thread inside each call, so that equal input gives equal bits; waiting threads do not spin.
 * The level of optimisation is the library's default. */
static tare_status make_options(OrtSessionOptions **out, const ort_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char code[] = "onnx.session";
    ORT_TRY(CreateSessionOptions(out), TARE_E_DATA, code);
    ORT_TRY(SetSessionLogSeverityLevel(*out, ORT_SEVERITY_FATAL), TARE_E_DATA, code);
    ORT_TRY(SetSessionExecutionMode(*out, ORT_SEQUENTIAL), TARE_E_DATA, code);
    ORT_TRY(SetIntraOpNumThreads(*out, 1), TARE_E_DATA, code);
    ORT_TRY(SetInterOpNumThreads(*out, 1), TARE_E_DATA, code);
    ORT_TRY(AddSessionConfigEntry(*out, "session.intra_op.allow_spinning", "0"), TARE_E_DATA,
            code);
    ORT_TRY(AddSessionConfigEntry(*out, "session.inter_op.allow_spinning", "0"), TARE_E_DATA,
            code);
    if (s->folder != NULL)
        ORT_TRY(AddSessionConfigEntry(*out, FOLDER_KEY, s->folder), TARE_E_DATA, code);
    TRY(ort_provider_append(*out, s, err));
done:
    return status;
}

/* The weights outside as values over our mappings, but for those that the library opens in the
 * folder. It copies them while it loads. */
static tare_status give_weights(OrtValue **values, OrtSessionOptions *options, const ort_session *s,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const model_externals *x = &s->weights.externals;
    const char **names = NULL;
    size_t count = 0;
    TRY_NEW(names = mem_new(&s->context->mem, x->count + 1, sizeof *names));
    for (size_t i = 0; i < x->count; i++) {
        const model_external *e = &x->item[i];
        if (s->folder != NULL && !s->by_value[i]) continue;
        names[count] = e->name;
        ORT_TRY(CreateTensorWithDataAsOrtValue(s->memory, (void *)(uintptr_t)s->weights.data[i],
                                               (size_t)e->bytes, e->dim, e->rank, e->type,
                                               &values[count]),
                TARE_E_DATA, "onnx.weights");
        count++;
    }
    if (count > 0)
        ORT_TRY(AddExternalInitializers(options, names, (const OrtValue *const *)values, count),
                TARE_E_DATA, "onnx.weights");
done:
    mem_free(&s->context->mem, names);
    return status;
}

static tare_status make_session(ort_session *s, const void *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    OrtSessionOptions *options = NULL;
    OrtValue **values = NULL;
    ORT_TRY(CreateCpuMemoryInfo(ORT_ARENA_ALLOCATOR, ORT_MEMORY_DEFAULT, &s->memory), TARE_E_DATA,
            "onnx.session");
    ORT_TRY(GetAllocatorWithDefaultOptions(&s->allocator), TARE_E_DATA, "onnx.session");
    TRY(make_options(&options, s, err));
    TRY_NEW(values = mem_new(&s->context->mem, s->weights.externals.count + 1, sizeof *values));
    TRY(give_weights(values, options, s, err));
    ORT_TRY(CreateSessionFromArray(s->env, bytes, length, options, &s->session), TARE_E_DATA,
            "onnx.model");
done:
    for (size_t i = 0; values != NULL && i < s->weights.externals.count; i++) {
        if (values[i] != NULL) s->library.api.ReleaseValue(values[i]);
    }
    mem_free(&s->context->mem, values);
    if (options != NULL) s->library.api.ReleaseSessionOptions(options);
    return status;
}

/* ---- Ports ----------------------------------------------------------------- */

/* Name and kind of a port; the library's copies of both are given back. */
static tare_status read_port(ort_port *p, ort_session *s, char *name, const OrtTypeInfo *kind,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const OrtTensorTypeAndShapeInfo *info = NULL;
    int type = 0;
    TRY_NEW(p->name = arena_copy(&s->a, name));
    ORT_TRY(CastTypeInfoToTensorInfo(kind, &info), TARE_E_DATA, "onnx.model");
    if (info == NULL) goto done; /* a sequence or map: type 0 */
    ORT_TRY(GetTensorElementType(info, &type), TARE_E_DATA, "onnx.model");
    ORT_TRY(GetDimensionsCount(info, &p->rank), TARE_E_DATA, "onnx.model");
    p->type = (ort_type)type;
    if (p->rank > ORT_RANK_MOST) {
        FAIL(err, TARE_E_LIMIT, "onnx.model", s->name, "%s has %zu dimensions; %d are the most",
             name, p->rank, ORT_RANK_MOST);
    }
    ORT_TRY(GetDimensions(info, p->dim, p->rank), TARE_E_DATA, "onnx.model");
done:
    return status;
}

typedef struct port_calls {
    OrtStatus *(*count)(const OrtSession *session, size_t *out);
    OrtStatus *(*name)(const OrtSession *session, size_t index, OrtAllocator *a, char **out);
    OrtStatus *(*info)(const OrtSession *session, size_t index, OrtTypeInfo **out);
} port_calls;

static tare_status read_one(ort_port *p, ort_session *s, const port_calls *calls, size_t index,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    char *name = NULL;
    OrtTypeInfo *kind = NULL;
    TRY(ort_done(s, calls->name(s->session, index, s->allocator, &name), TARE_E_DATA, "onnx.model",
                 err));
    TRY(ort_done(s, calls->info(s->session, index, &kind), TARE_E_DATA, "onnx.model", err));
    TRY(read_port(p, s, name, kind, err));
done:
    if (kind != NULL) s->library.api.ReleaseTypeInfo(kind);
    if (name != NULL) {
        OrtStatus *result = s->library.api.AllocatorFree(s->allocator, name);
        if (result != NULL) s->library.api.ReleaseStatus(result);
    }
    return status;
}

static tare_status read_ports(ort_port **out, size_t *count, ort_session *s,
                              const port_calls *calls, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = 0;
    TRY(ort_done(s, calls->count(s->session, &n), TARE_E_DATA, "onnx.model", err));
    if (n > ORT_PORTS_MOST) {
        FAIL(err, TARE_E_LIMIT, "onnx.model", s->name,
             "the model has %zu inputs or outputs; %d are the most", n, ORT_PORTS_MOST);
    }
    TRY_NEW(*out = arena_new(&s->a, n + 1, sizeof **out));
    for (size_t i = 0; i < n; i++) TRY(read_one(&(*out)[i], s, calls, i, err));
    *count = n;
done:
    return status;
}

/* ---- All ------------------------------------------------------------------- */

static tare_status read_both_ports(ort_session *s, tare_error *err)
{
    const ort_api *api = &s->library.api;
    const port_calls inputs = {api->SessionGetInputCount, api->SessionGetInputName,
                               api->SessionGetInputTypeInfo};
    const port_calls outputs = {api->SessionGetOutputCount, api->SessionGetOutputName,
                                api->SessionGetOutputTypeInfo};
    tare_status status = read_ports(&s->input, &s->input_count, s, &inputs, err);
    if (status != TARE_OK) return status;
    return read_ports(&s->output, &s->output_count, s, &outputs, err);
}

enum { FOLDER_FROM = 21 }; /* 1.21: the library is told where the files lie */

/* Before it loads the model: its own words are no help. */
static tare_status check_folder(const ort_session *s, tare_error *err)
{
    if (s->folder == NULL || ort_library_at_least(&s->library, FOLDER_FROM)) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "onnx.folder", s->library.library.path, "low memory "
                     "(--low-memory) needs ONNX Runtime 1.%d or later, and this is %s. Leave it "
                     "out, or name another library by --ort", FOLDER_FROM, s->library.version);
}

tare_status ort_session_load(ort_session *s, const char *library, const void *bytes, size_t length,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    ort_quiet quiet = ORT_QUIET_NONE;
    TRY(ort_library_open(&s->library, library, err));
    TRY(check_folder(s, err));
    if (s->library.library.first) ort_quiet_begin(&quiet);
    /* At a lower severity the library also prints the errors that come back as words. */
    ORT_TRY(CreateEnv(ORT_SEVERITY_FATAL, "tare", &s->env), TARE_E_DATA, "onnx.session");
    ORT_TRY(DisableTelemetryEvents(s->env), TARE_E_DATA, "onnx.session");
    TRY(make_session(s, bytes, length, err));
    TRY(read_both_ports(s, err));
done:
    ort_quiet_end(&quiet, s->context);
    return status;
}
