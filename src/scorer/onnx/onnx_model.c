#include "scorer/onnx/onnx_model.h"

#include <string.h>

#include "base/error.h"
#include "scorer/fingerprint.h"

void onnx_model_begin(onnx_model *x, tare_context *context)
{
    memset(x, 0, sizeof *x);
    x->context = context;
    arena_init(&x->a, &context->mem);
}

tare_status onnx_model_read(onnx_model *x, tare_context *context, const char *path,
                            tare_error *err)
{
    onnx_model_begin(x, context);
    return onnx_manifest_read(&x->manifest, &x->a, path, err);
}

void onnx_model_close(onnx_model *x)
{
    if (!x->context) return;
    ort_session_close(x->session);
    arena_free(&x->a);
    x->session = NULL;
    x->context = NULL;
}

const ort_port *onnx_model_input(const onnx_model *x, const char *name)
{
    const ort_port *p = NULL;
    for (size_t i = 0; (p = ort_session_input(x->session, i)) != NULL; i++)
        if (!strcmp(p->name, name)) break;
    return p;
}

/* The option counts where the graph leaves the batch open. */
static void settle_batch(onnx_model *x, size_t option)
{
    const ort_port *p = onnx_model_input(x, x->manifest.input);
    bool fixed = p && p->rank > 0 && p->dim[0] >= 0;
    if (option && !fixed) x->manifest.batch = option;
    if (option && fixed && (uint64_t)p->dim[0] != option)
        context_message(x->context, TARE_NOTE, "%s: the model's batch is fixed at %lld in its "
                        "graph; a batch of %zu was asked for and is not used", x->manifest.name,
                        (long long)p->dim[0], option);
    x->batch = x->manifest.batch;
}

/* Does the graph fit the manifest? What a tower's operations leave is checked by its trial: here
 * anything that has the batch may be summed up after them. */
static tare_status check_graph(const onnx_model *x, onnx_role role, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *memory = &x->context->mem;
    onnx_manifest m = x->manifest;
    onnx_op *ops = NULL;
    if (role == ONNX_TOWER) {
        TRY_NEW(ops = mem_new(memory, m.op_count + 1, sizeof *ops));
        for (size_t i = 0; i < m.op_count; i++) ops[i] = m.ops[i];
        ops[m.op_count] = (onnx_op){.kind = ONNX_SUM};
        m.ops = ops;
        m.op_count++;
    }
    TRY(onnx_manifest_fits(&m, x->session, err));
done:
    mem_free(memory, ops);
    return status;
}

/* ---- The prompt ------------------------------------------------------------------------------ */

typedef enum prompt_part { PROMPT_IDS, PROMPT_MASK, PROMPT_POSITIONS } prompt_part;

static int64_t prompt_value(const onnx_prompt *p, prompt_part part, size_t i)
{
    if (part == PROMPT_POSITIONS) return (int64_t)i;
    if (part == PROMPT_MASK) return i < p->count;
    return i < p->count ? p->ids[i] : p->pad;
}

/* [batch][length] of the type that the graph has. */
static tare_status add_constant(onnx_model *x, const char *name, prompt_part part, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_prompt *p = &x->manifest.prompt;
    const ort_port *port = name ? onnx_model_input(x, name) : NULL;
    if (!port) return TARE_OK;
    size_t n = x->batch * p->length;
    void *data;
    TRY_NEW(data = arena_new(&x->a, n, ort_type_size(port->type)));
    for (size_t i = 0; i < n; i++) {
        int64_t v = prompt_value(p, part, i % p->length);
        if (port->type == ORT_I32) ((int32_t *)data)[i] = (int32_t)v;
        else ((int64_t *)data)[i] = v;
    }
    ort_tensor t = {.name = name, .type = port->type, .rank = 2, .data = data,
                    .dim = {(int64_t)x->batch, (int64_t)p->length}};
    x->constant[x->constants++] = t;
done:
    return status;
}

static tare_status make_prompt(onnx_model *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_prompt *p = &x->manifest.prompt;
    if (p->mode != ONNX_PROMPT_FIXED) goto done;
    TRY(add_constant(x, p->ids_name, PROMPT_IDS, err));
    TRY(add_constant(x, p->mask_name, PROMPT_MASK, err));
    TRY(add_constant(x, p->positions_name, PROMPT_POSITIONS, err));
done:
    return status;
}

/* ---- Opening and running --------------------------------------------------------------------- */

/* A manifest in the other one's place. */
static tare_status check_role(const onnx_manifest *m, onnx_role role, tare_error *err)
{
    tare_status status = TARE_OK;
    if (role == ONNX_SEGMENTER && !m->map.given)
        FAIL(err, TARE_E_DATA, "onnx.role", m->path, "this manifest has no output.map: it is one "
             "of a scorer, and finds nobody; give it by --scorer, or say in output.map which "
             "values of the output are the person");
    if (role != ONNX_SEGMENTER && m->map.given)
        FAIL(err, TARE_E_DATA, "onnx.role", m->path, "this manifest has output.map: it is one of a "
             "segmenter, and gives no %s; give it by --segmenter, or say in output.ops how the "
             "output becomes %s", role == ONNX_TOWER ? "vector" : "score",
             role == ONNX_TOWER ? "a vector" : "one number");
done:
    return status;
}

tare_status onnx_model_load(onnx_model *x, const scorer_options *options, onnx_role role,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    ort_open what = {options->ort_library, x->manifest.model, x->manifest.sha256,
                     options->timeout_seconds, options->provider};
    TRY(check_role(&x->manifest, role, err));
    TRY(ort_session_open(&x->session, x->context, &what, err));
    settle_batch(x, options->batch);
    TRY(check_graph(x, role, err));
    TRY(make_prompt(x, err));
done:
    return status;
}

tare_status onnx_model_adopt(onnx_model *x, const scorer_options *options, ort_session *session,
                             size_t batch, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_manifest *m = &x->manifest;
    x->session = session;
    x->batch = m->batch = batch;
    if (!m->path) m->path = m->name;
    if (options->batch && options->batch != batch)
        context_message(x->context, TARE_NOTE, "%s: a batch of %zu was asked for; it is computed "
                        "in batches of %zu", m->name, options->batch, batch);
    TRY(check_graph(x, ONNX_TOWER, err));
    TRY(make_prompt(x, err));
done:
    if (status != TARE_OK) x->session = NULL;
    return status;
}

size_t onnx_model_bytes(const onnx_model *x)
{
    const onnx_manifest *m = &x->manifest;
    if (m->kind == ONNX_VECTOR) return m->vector.length * sizeof(float);
    if (m->kind == ONNX_WAVE) return m->wave.length * sizeof(float);
    const onnx_image_input *in = &m->image;
    return (size_t)in->height * (size_t)in->width * 3 * ort_type_size(in->type);
}

tare_status onnx_model_run(ort_output *out, onnx_model *x, const void *data, tare_error *err)
{
    return onnx_model_run_with(out, x, data, x->constant, x->constants, err);
}

tare_status onnx_model_run_with(ort_output *out, onnx_model *x, const void *data,
                                const ort_tensor *prompts, size_t count, tare_error *err)
{
    const onnx_manifest *m = &x->manifest;
    int64_t n = (int64_t)x->batch, h = m->image.height, w = m->image.width;
    ort_tensor inputs[1 + ONNX_PROMPT_INPUTS];
    if (m->kind == ONNX_VECTOR)
        inputs[0] = (ort_tensor){m->input, ORT_F32, 2, {n, (int64_t)m->vector.length}, data};
    else if (m->kind == ONNX_WAVE)
        inputs[0] = (ort_tensor){m->input, ORT_F32, 2, {n, (int64_t)m->wave.length}, data};
    else if (m->image.layout == ONNX_NHWC)
        inputs[0] = (ort_tensor){m->input, m->image.type, 4, {n, h, w, 3}, data};
    else inputs[0] = (ort_tensor){m->input, m->image.type, 4, {n, 3, h, w}, data};
    for (size_t i = 0; i < count; i++) inputs[1 + i] = prompts[i];
    atomic_fetch_add_explicit(&x->runs, 1, memory_order_relaxed);
    return ort_session_run(out, x->session, inputs, 1 + count, m->output, err);
}

tare_status onnx_trial_image(image *out, const mem *m, const onnx_image_input *in, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(image_new(out, m, in->width, in->height, err));
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            unsigned char *p = out->rgb + 3 * ((size_t)y * (size_t)in->width + (size_t)x);
            p[0] = (unsigned char)(16 + 80 * x / in->width);
            p[1] = (unsigned char)(16 + 80 * y / in->height);
            p[2] = (unsigned char)(16 + (x ^ y) % 80);
        }
done:
    return status;
}

/* ---- What it is ------------------------------------------------------------------------------ */

/* A graph of ours follows from the recipe, which the manifest's identity holds, and the weights:
 * how it is written belongs to the engine, with the batch. */
const char *onnx_model_identity(const onnx_model *x, arena *a)
{
    const ort_facts *facts = ort_session_facts(x->session);
    fingerprint file, f;
    fingerprint_begin(&file, a);
    fingerprint_number(&file, "bytes", (double)facts->bytes);
    fingerprint_text(&file, "sha256", facts->sha256);
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", facts->made ? "checkpoint" : "onnx");
    fingerprint_json(&f, "manifest", x->manifest.identity);
    if (!facts->made) fingerprint_json(&f, "model", fingerprint_end(&file));
    fingerprint_text(&f, "precision", "operations on the output in double");
    fingerprint_json(&f, "weights", facts->weights);
    return fingerprint_end(&f);
}

const char *onnx_model_engine(const onnx_model *x, arena *a)
{
    const ort_facts *facts = ort_session_facts(x->session);
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "name", "ONNX Runtime");
    fingerprint_text(&f, "version", facts->version);
    fingerprint_text(&f, "provider", facts->provider);
    if (!strcmp(facts->provider, "cuda")) fingerprint_text(&f, "tf32", "off");
    fingerprint_text(&f, "optimisation", "default");
    fingerprint_text(&f, "feed", facts->feed);
    if (facts->made) fingerprint_text(&f, "graph", facts->sha256);
    fingerprint_text(&f, "prepacking", "on");
    fingerprint_number(&f, "threads", 1);
    return fingerprint_end(&f);
}
