/* onnx_manifest_fits.c - a manifest against the inputs and outputs that a graph has. */
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "scorer/onnx/onnx_manifest_parts.h"

/* ---- For messages ---------------------------------------------------------------------------- */

/* A name of the graph as a message may hold it. */
enum { BFLOAT16 = 16 }; /* ONNX's number */
enum { NAME_TEXT = 64, PORTS_TEXT = 420 };
static void name_text(char out[NAME_TEXT], const char *name)
{
    size_t n = strnlen(name, NAME_TEXT - 1);
    n = utf8_valid_prefix(name, n);
    memcpy(out, name, n);
    out[n] = '\0';
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
}

/* What the graph has, `"input" f32 [-1, 3, 224, 224]`, others behind commas; "..." for more than a
 * message holds. */
static void ports_text(char out[PORTS_TEXT], const ort_port *ports)
{
    size_t n = 0;
    snprintf(out, PORTS_TEXT, "none");
    for (size_t i = 0; ports[i].name; i++) {
        char shape[ONNX_SHAPE_TEXT], name[NAME_TEXT], one[320];
        onnx_shape_text(shape, ports[i].rank, ports[i].dim);
        name_text(name, ports[i].name);
        int length = snprintf(one, sizeof one, "%s\"%s\" %s %s", i ? ", " : "", name,
                              ort_type_name(ports[i].type), shape);
        if (n + (size_t)length + 6 > PORTS_TEXT) {
            snprintf(out + n, PORTS_TEXT - n, ", ...");
            break;
        }
        memcpy(out + n, one, (size_t)length + 1);
        n += (size_t)length;
    }
}

/* One graph under examination. */
typedef struct fitting {
    const onnx_manifest *m;
    const ort_port *inputs, *outputs;
} fitting;

static const ort_port *find_port(const ort_port *ports, const char *name)
{
    for (; ports->name; ports++)
        if (!strcmp(ports->name, name)) return ports;
    return NULL;
}

/* The port of the wanted name, or what there is instead. */
static tare_status need_port(const ort_port **out, const fitting *f, bool input, const char *key,
                             const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    const ort_port *ports = input ? f->inputs : f->outputs;
    const char *names[ORT_PORTS_MOST];
    char has[PORTS_TEXT];
    size_t count = 0;
    if ((*out = find_port(ports, name)) != NULL) goto done;
    for (; count < ORT_PORTS_MOST && ports[count].name; count++) names[count] = ports[count].name;
    const char *found = spelling_nearest(name, names, count);
    char near[NAME_TEXT];
    name_text(near, found ? found : "");
    ports_text(has, ports);
    FAIL(err, TARE_E_DATA, input ? "manifest.input" : "manifest.output", f->m->path,
         "%s is \"%s\", and the graph has no such %s%s%s%s; it has: %s", key, name,
         input ? "input" : "output", *near ? "; did you mean " : "", near, *near ? "?" : "", has);
done:
    return status;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* What an input of the graph is to be given. */
typedef struct wanted {
    const char *key, *what; /* of the manifest: "input.name"; in words, for the message */
    size_t rank, types;
    int64_t dim[4];         /* dim 0 is the batch */
    ort_type type[2];       /* any of `types` */
} wanted;

static bool type_fits(const wanted *w, ort_type type)
{
    for (size_t k = 0; k < w->types; k++)
        if (w->type[k] == type) return true;
    return false;
}

static bool shape_fits(const wanted *w, const ort_port *p)
{
    if (p->rank != w->rank) return false;
    for (size_t k = 0; k < p->rank; k++)
        if (p->dim[k] >= 0 && p->dim[k] != w->dim[k]) return false;
    return true;
}

static tare_status check_input(const fitting *f, const char *name, const wanted *w, tare_error *err)
{
    tare_status status = TARE_OK;
    const ort_port *p;
    char has[ONNX_SHAPE_TEXT], gives[ONNX_SHAPE_TEXT];
    TRY(need_port(&p, f, true, w->key, name, err));
    if (!type_fits(w, p->type))
        FAIL(err, TARE_E_DATA, "manifest.input", f->m->path, "the graph's input \"%s\" takes "
             "%s; the manifest gives %s%s%s for %s", name, ort_type_name(p->type),
             ort_type_name(w->type[0]), w->types > 1 ? " or " : "",
             w->types > 1 ? ort_type_name(w->type[1]) : "", w->what);
    if (shape_fits(w, p)) goto done;
    onnx_shape_text(has, p->rank, p->dim);
    onnx_shape_text(gives, w->rank, w->dim);
    bool batch = p->rank == w->rank && p->dim[0] >= 0 && p->dim[0] != w->dim[0];
    FAIL(err, TARE_E_DATA, "manifest.input", f->m->path, "the graph's input \"%s\" has the "
         "shape %s; the manifest gives %s %s%s", name, has, w->what, gives,
         batch ? ". The graph's first dimension is fixed: it must be the batch" : "");
done:
    return status;
}

static wanted main_input(const onnx_manifest *m)
{
    int64_t n = (int64_t)m->batch, h = m->image.height, w = m->image.width;
    wanted image = {"input.name", m->image.layout == ONNX_NCHW ? "an image (nchw) as"
                                                               : "an image (nhwc) as",
                    4, 1, {n, 3, h, w}, {m->image.type, ORT_F32}};
    wanted vector = {"input.name", "a vector as", 2, 1, {n, (int64_t)m->vector.length},
                     {ORT_F32, ORT_F32}};
    wanted wave = {"input.name", "a wave as", 2, 1, {n, (int64_t)m->wave.length},
                   {ORT_F32, ORT_F32}};
    if (m->kind == ONNX_VECTOR) return vector;
    if (m->kind == ONNX_WAVE) return wave;
    if (m->image.layout == ONNX_NHWC) memcpy(image.dim, (int64_t[]){n, h, w, 3}, sizeof image.dim);
    return image;
}

static tare_status check_prompt(const fitting *f, tare_error *err)
{
    static const char *const keys[] = {"prompt.ids", "prompt.mask", "prompt.positions"};
    tare_status status = TARE_OK;
    const onnx_prompt *p = &f->m->prompt;
    const char *const names[] = {p->ids_name, p->mask_name, p->positions_name};
    if (p->mode == ONNX_PROMPT_NONE) goto done;
    for (size_t k = 0; k < 3; k++) {
        wanted w = {keys[k], "the prompt as", 2, 2,
                    {(int64_t)f->m->batch, (int64_t)p->length}, {ORT_I64, ORT_I32}};
        if (names[k]) TRY(check_input(f, names[k], &w, err));
    }
done:
    return status;
}

static bool is_given(const onnx_manifest *m, const char *name)
{
    const onnx_prompt *p = &m->prompt;
    const char *const names[] = {m->input, p->ids_name, p->mask_name, p->positions_name};
    for (size_t k = 0; k < 4; k++)
        if (names[k] && !strcmp(names[k], name)) return true;
    return false;
}

/* Two roles for one input, or an input without one. */
static tare_status check_roles(const fitting *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_prompt *p = &f->m->prompt;
    const char *const names[] = {f->m->input, p->ids_name, p->mask_name, p->positions_name};
    ort_port extra[ORT_PORTS_MOST + 1] = {{0}};
    size_t count = 0;
    for (size_t k = 0; k < 4; k++)
        for (size_t j = 0; j < k; j++)
            if (names[k] && names[j] && !strcmp(names[k], names[j]))
                FAIL(err, TARE_E_DATA, "manifest.input", f->m->path, "\"%s\" is named twice, "
                     "by input and prompt; each takes an input of its own", names[k]);
    for (const ort_port *in = f->inputs; in->name && count < ORT_PORTS_MOST; in++)
        if (!is_given(f->m, in->name)) extra[count++] = *in;
    if (count) {
        char has[PORTS_TEXT];
        ports_text(has, extra);
        FAIL(err, TARE_E_DATA, "manifest.input", f->m->path, "the graph has inputs that the "
             "manifest does not name: %s. Token ids, mask and positions are named under prompt; "
             "others must be made constants of the graph", has);
    }
done:
    return status;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static tare_status check_ops(const fitting *f, const ort_port *p, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_shape s = {p->rank, {0}};
    memcpy(s.dim, p->dim, sizeof s.dim);
    if (f->m->map.given && s.rank == 0) goto done; /* not known before the first call */
    if (f->m->map.given) TRY(manifest_map_shape(f->m, &s, err));
    TRY(onnx_ops_begin(&s, f->m->batch, err));
    for (size_t i = 0; i < f->m->op_count; i++) TRY(onnx_ops_shape(&s, &f->m->ops[i], i, err));
    if (!f->m->map.given) TRY(onnx_ops_end(&s, err));
done:
    if (status == TARE_E_DATA) onnx_ops_whose(err, f->m->path);
    return status;
}

static tare_status check_output(const fitting *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const ort_port *p;
    TRY(need_port(&p, f, false, "output.name", f->m->output, err));
    if ((int)p->type == BFLOAT16)
        FAIL(err, TARE_E_DATA, "manifest.output", f->m->path, "the graph's output \"%s\" is "
             "bfloat16, which is not read: end the graph with a Cast to float", f->m->output);
    if (ort_type_size(p->type) == 0)
        FAIL(err, TARE_E_DATA, "manifest.output", f->m->path, "the graph's output \"%s\" is "
             "no tensor of numbers that can be read", f->m->output);
    TRY(check_ops(f, p, err));
done:
    return status;
}

tare_status manifest_fits_ports(const onnx_manifest *m, const ort_port *inputs,
                                const ort_port *outputs, tare_error *err)
{
    tare_status status = TARE_OK;
    fitting f = {m, inputs, outputs};
    wanted w = main_input(m);
    TRY(check_input(&f, m->input, &w, err));
    TRY(check_prompt(&f, err));
    TRY(check_roles(&f, err));
    TRY(check_output(&f, err));
done:
    return status;
}

/* All ports of one side, ended by one without a name. */
static void list_ports(ort_port out[ORT_PORTS_MOST + 1], const ort_session *s,
                       const ort_port *(*at)(const ort_session *, size_t))
{
    size_t n = 0;
    for (const ort_port *p; n < ORT_PORTS_MOST && (p = at(s, n)) != NULL; n++) out[n] = *p;
    memset(&out[n], 0, sizeof out[n]);
}

tare_status onnx_manifest_fits(const onnx_manifest *m, const ort_session *s, tare_error *err)
{
    ort_port inputs[ORT_PORTS_MOST + 1], outputs[ORT_PORTS_MOST + 1];
    list_ports(inputs, s, ort_session_input);
    list_ports(outputs, s, ort_session_output);
    return manifest_fits_ports(m, inputs, outputs, err);
}
