#include "scorer/onnx/ort_session.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/onnx/ort_parts.h"

/* ---- Open and close -------------------------------------------------------- */

static tare_status check_sum(const model_file *f, const char *wanted, tare_error *err)
{
    if (wanted == NULL || *wanted == '\0' || strcasecmp(wanted, f->sha256) == 0) return TARE_OK;
    return error_set(err, TARE_E_DATA, "onnx.sha256", f->path,
                     "this is not the model that is wanted: its SHA-256 is %s, not %.64s",
                     f->sha256, wanted);
}

tare_status ort_session_open(ort_session **out, tare_context *context, const ort_open *what,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    ort_session *s = NULL;
    *out = NULL;
    TRY(ort_session_begin(&s, context, what->model, err));
    TRY(model_file_open(&s->model, context, s->name, MODEL_FILE_MOST, err));
    TRY(check_sum(&s->model, what->sha256, err));
    TRY(model_weights_open(&s->weights, &s->a, context, &s->model, err));
    s->seconds = what->seconds;
    if (what->provider != NULL) TRY_NEW(s->provider = arena_copy(&s->a, what->provider));
    status = ort_session_load(s, what->library, s->model.bytes, s->model.length, err);
    /* A file that was written to meanwhile is the better reason. */
    tare_error changed;
    tare_status settled = model_file_settle(&s->model, &changed);
    if (settled == TARE_OK) settled = model_weights_settle(&s->weights, &changed);
    if (settled != TARE_OK) {
        status = settled;
        if (err != NULL) *err = changed;
    }
    if (status != TARE_OK) goto done;
    s->facts = (ort_facts){s->library.version, s->library.library.path, false, s->model.sha256,
                           s->model.length, s->weights.json, s->provider,
                           s->weights.externals.count > 0 ? "values" : "in the model"};
    *out = s;
    s = NULL;
done:
    ort_session_close(s);
    return status;
}

void ort_session_close(ort_session *s)
{
    if (s == NULL) return;
    const ort_api *api = &s->library.api;
    mem m = s->context->mem;
    if (s->session != NULL) api->ReleaseSession(s->session);
    if (s->memory != NULL) api->ReleaseMemoryInfo(s->memory);
    if (s->env != NULL) api->ReleaseEnv(s->env);
    model_weights_close(&s->weights);
    model_file_close(&s->model);
    ort_library_close(&s->library);
    arena_free(&s->a);
    mem_free(&m, s);
}

const ort_port *ort_session_input(const ort_session *s, size_t index)
{
    return index < s->input_count ? &s->input[index] : NULL;
}

const ort_port *ort_session_output(const ort_session *s, size_t index)
{
    return index < s->output_count ? &s->output[index] : NULL;
}

const ort_facts *ort_session_facts(const ort_session *s)
{
    return &s->facts;
}

/* ---- Run ------------------------------------------------------------------- */

static tare_status wrap_input(OrtValue **out, const ort_session *s, const ort_tensor *t,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t bytes;
    if (t->rank > ORT_RANK_MOST
        || !ort_shape_bytes(&bytes, t->rank, t->dim, ort_type_size(t->type)) || bytes == 0) {
        FAIL(err, TARE_E_INSTRUMENT, "onnx.run", s->name,
             "the input %s has a shape without values", t->name);
    }
    ORT_TRY(CreateTensorWithDataAsOrtValue(s->memory, (void *)(uintptr_t)t->data, bytes, t->dim,
                                           t->rank, (int)t->type, out),
            TARE_E_INSTRUMENT, "onnx.run");
done:
    return status;
}

/* A call under way. A stop and the time limit end it from a thread of the context. */
typedef struct under_way {
    const ort_session *s;
    OrtRunOptions *options;
    stop_hook hook;
} under_way;

/* That there is nothing to end is no failure. */
static void end_call(void *arg)
{
    under_way *u = arg;
    OrtStatus *result = u->s->library.api.RunOptionsSetTerminate(u->options);
    if (result != NULL) u->s->library.api.ReleaseStatus(result);
}

/* What a call that failed has failed of: one that was ended says so in words of the library. */
static tare_status why_failed(const under_way *u, OrtStatus *failed, tare_error *err)
{
    const ort_session *s = u->s;
    tare_status status = context_check(s->context, err);
    if (status == TARE_OK && u->hook.late)
        status = error_set(err, TARE_E_INSTRUMENT, ORT_TIMEOUT, s->name,
                           "no answer within %g s (--timeout)", s->seconds);
    if (status == TARE_OK) return ort_done(s, failed, TARE_E_INSTRUMENT, "onnx.run", err);
    s->library.api.ReleaseStatus(failed);
    return status;
}

/* The values and the output as the library wants them. */
static tare_status call(OrtValue **result, ort_session *s, const char *const *names,
                        OrtValue *const *values, size_t count, const char *output, tare_error *err)
{
    tare_status status = TARE_OK;
    under_way u = {.s = s};
    u.hook = (stop_hook){.act = end_call, .arg = &u};
    ORT_TRY(CreateRunOptions(&u.options), TARE_E_INSTRUMENT, "onnx.run");
    if (s->seconds > 0) u.hook.deadline = os_seconds() + s->seconds;
    stop_watch_add(&s->context->watch, &u.hook);
    OrtStatus *failed = s->library.api.Run(s->session, u.options, names,
                                           (const OrtValue *const *)values, count, &output, 1,
                                           result);
    stop_watch_remove(&s->context->watch, &u.hook);
    if (failed != NULL) status = why_failed(&u, failed, err);
done:
    if (u.options != NULL) s->library.api.ReleaseRunOptions(u.options);
    return status;
}

tare_status ort_session_run(ort_output *out, ort_session *s, const ort_tensor *inputs, size_t count,
                            const char *output, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *names[ORT_PORTS_MOST];
    OrtValue *values[ORT_PORTS_MOST] = {NULL}, *result = NULL;
    const ort_api *api = &s->library.api;
    *out = (ort_output){.rank = 0};
    if (count > ORT_PORTS_MOST) {
        FAIL(err, TARE_E_INSTRUMENT, "onnx.run", s->name, "%zu inputs; %d are the most", count,
             ORT_PORTS_MOST);
    }
    TRY(context_check(s->context, err));
    for (size_t i = 0; i < count; i++) {
        names[i] = inputs[i].name;
        TRY(wrap_input(&values[i], s, &inputs[i], err));
    }
    TRY(call(&result, s, names, values, count, output, err));
    TRY(ort_value_read(out, s, result, output, err));
done:
    if (result != NULL) api->ReleaseValue(result);
    for (size_t i = 0; i < count && i < ORT_PORTS_MOST; i++) {
        if (values[i] != NULL) api->ReleaseValue(values[i]);
    }
    return status;
}
