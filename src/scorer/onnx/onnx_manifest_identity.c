/* onnx_manifest_identity.c - what of a manifest can change the number, as canonical JSON. Names,
 * source, licence, direction and printed range cannot; batch belongs to the runtime. */
#include "base/text.h"
#include "scorer/fingerprint.h"
#include "scorer/onnx/onnx_manifest_parts.h"

/* What the writer made, in the arena; NULL: no memory. */
static const char *taken(text *t, arena *a)
{
    const char *out = t->failed ? NULL : arena_text(a, t->data, t->length);
    text_free(t);
    return out;
}

static const char *number_list(arena *a, const double *x, size_t n)
{
    text t;
    json_writer w;
    text_init(&t, a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < n; i++) json_number(&w, x[i]);
    json_array_end(&w);
    return taken(&t, a);
}

static const char *bool_word(bool value)
{
    return value ? "true" : "false";
}

/* ---- Input ----------------------------------------------------------------------------------- */

static const char *resize_identity(const onnx_image_input *in, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "mode", manifest_fits_words[in->fit]);
    if (in->fit != ONNX_FIT_NONE) {
        fingerprint_text(&f, "backend", in->tensor ? "tensor" : "pillow");
        fingerprint_text(&f, "kernel", resize_kernel_name(in->how.kernel));
        fingerprint_json(&f, "before_rgb", bool_word(in->before_rgb));
        fingerprint_text(&f, "when_equal", manifest_equal_words[in->when_equal]);
        double size[2] = {in->fit_height, in->fit_width};
        if (in->fit_height) fingerprint_json(&f, "size", number_list(a, size, 2));
        if (in->tensor) fingerprint_json(&f, "antialias", bool_word(in->antialias));
        else fingerprint_text(&f, "pass_order", resize_order_name(in->how.order));
        if (in->aligned) fingerprint_text(&f, "corners", "aligned");
    }
    return fingerprint_end(&f);
}

static const char *pad_identity(const onnx_image_input *in, arena *a)
{
    fingerprint f;
    if (in->pad == ONNX_PAD_NONE) return "null";
    fingerprint_begin(&f, a);
    fingerprint_json(&f, "colour", number_list(a, in->pad_colour, 3));
    fingerprint_text(&f, "place", in->pad == ONNX_PAD_CENTER ? "center" : "topleft");
    return fingerprint_end(&f);
}

static void add_image(fingerprint *f, const onnx_image_input *in)
{
    double size[2] = {in->height, in->width};
    fingerprint_text(f, "layout", manifest_layouts[in->layout]);
    fingerprint_text(f, "dtype", manifest_dtype(in->type));
    fingerprint_text(f, "order", in->bgr ? "bgr" : "rgb");
    if (in->refuse_rgba) fingerprint_text(f, "rgba", "refuse");
    fingerprint_json(f, "size", number_list(f->a, size, 2));
    fingerprint_json(f, "resize", resize_identity(in, f->a));
    fingerprint_text(f, "crop", manifest_crops[in->crop]);
    fingerprint_json(f, "pad", pad_identity(in, f->a));
    if (in->type != ORT_U8) {
        fingerprint_number(f, "divide", in->divide);
        fingerprint_json(f, "mean", number_list(f->a, in->mean, 3));
        fingerprint_json(f, "std", number_list(f->a, in->std, 3));
    }
}

const char *manifest_input_identity(const onnx_manifest *m, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "name", m->input);
    fingerprint_text(&f, "kind", manifest_kinds[m->kind]);
    switch (m->kind) {
    case ONNX_IMAGE: add_image(&f, &m->image); break;
    case ONNX_VECTOR: fingerprint_number(&f, "length", (double)m->vector.length); break;
    case ONNX_WAVE:
        fingerprint_number(&f, "rate", m->wave.rate);
        fingerprint_number(&f, "length", (double)m->wave.length);
        fingerprint_number(&f, "hop", (double)m->wave.hop);
        fingerprint_text(&f, "short", manifest_shorts[m->wave.when_short]);
        fingerprint_text(&f, "count", manifest_counts[m->wave.counted]);
        fingerprint_text(&f, "resample", "soxr, very high quality");
        break;
    }
    return fingerprint_end(&f);
}

/* ---- Prompt ---------------------------------------------------------------------------------- */

static const char *ids_identity(const onnx_prompt *p, arena *a)
{
    text t;
    json_writer w;
    text_init(&t, a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < p->count; i++) json_integer(&w, p->ids[i]);
    json_array_end(&w);
    return taken(&t, a);
}

static const char *prompt_identity(const onnx_prompt *p, arena *a)
{
    fingerprint f;
    if (p->mode == ONNX_PROMPT_NONE) return "null";
    bool per_item = p->mode == ONNX_PROMPT_PER_ITEM;
    fingerprint_begin(&f, a);
    if (per_item) {
        fingerprint_text(&f, "tokenizer", p->tokenizer);
        fingerprint_text(&f, "vocabulary", p->vocabulary_hash);
        if (p->truncate) fingerprint_text(&f, "truncate", "yes");
    } else fingerprint_json(&f, "tokens", ids_identity(p, a));
    fingerprint_number(&f, "length", (double)p->length);
    if (p->length > p->count) fingerprint_number(&f, "pad", (double)p->pad);
    fingerprint_text(&f, "ids", p->ids_name);
    if (p->mask_name) fingerprint_text(&f, "mask", p->mask_name);
    if (p->positions_name) fingerprint_text(&f, "positions", p->positions_name);
    return fingerprint_end(&f);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void add_arguments(json_writer *w, const onnx_op *op)
{
    for (size_t k = 0; k < op->axis_count; k++) json_integer(w, op->axis[k]);
    if (op->kind == ONNX_SELECT) json_integer(w, op->index);
    if (op->kind == ONNX_AFFINE || op->kind == ONNX_CLIP) {
        json_number(w, op->a);
        json_number(w, op->b);
    }
    if (op->kind == ONNX_EXPECT)
        for (size_t k = 0; k < op->value_count; k++) json_number(w, op->values[k]);
    if (op->kind == ONNX_DOT) {
        json_object(w);
        json_key(w, "bytes");
        json_integer(w, (int64_t)op->file_bytes);
        json_key(w, "sha256");
        json_string(w, op->file_sha256);
        json_object_end(w);
    }
}

static const char *ops_identity(const onnx_manifest *m, arena *a)
{
    text t;
    json_writer w;
    text_init(&t, a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < m->op_count; i++) {
        json_array(&w);
        json_string(&w, onnx_op_name(m->ops[i].kind));
        add_arguments(&w, &m->ops[i]);
        json_array_end(&w);
    }
    json_array_end(&w);
    return taken(&t, a);
}

static const char *output_identity(const onnx_manifest *m, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "name", m->output);
    if (m->map.given) fingerprint_json(&f, "map", manifest_map_identity(&m->map, a));
    else fingerprint_json(&f, "ops", ops_identity(m, a));
    return fingerprint_end(&f);
}

const char *manifest_identity(const onnx_manifest *m, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "recipe", "onnx");
    fingerprint_number(&f, "version", 1);
    fingerprint_json(&f, "input", manifest_input_identity(m, a));
    fingerprint_json(&f, "prompt", prompt_identity(&m->prompt, a));
    fingerprint_json(&f, "output", output_identity(m, a));
    return fingerprint_end(&f);
}
