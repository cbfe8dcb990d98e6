/* onnx_manifest_output.c - which output is the score, and the operations on the way to it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "scorer/onnx/npy.h"
#include "scorer/onnx/onnx_manifest_parts.h"

static const manifest_bounds any_number = {-DBL_MAX, DBL_MAX, false, "a number"};

/* ---- Operations ------------------------------------------------------------------------------ */

/* What stands behind the name of an operation. */
typedef enum op_form { FORM_NONE, FORM_AXIS, FORM_AXES, FORM_SELECT, FORM_FILE, FORM_VALUES,
                       FORM_TWO } op_form;
static const struct { op_form form; const char *usage; } forms[] = {
    [ONNX_SELECT] = {FORM_SELECT, "[\"select\", axis, index]"},
    [ONNX_MEAN] = {FORM_AXES, "[\"mean\"] or [\"mean\", axis] or [\"mean\", [axis, ...]]"},
    [ONNX_MAX] = {FORM_AXES, "[\"max\"] or [\"max\", axis] or [\"max\", [axis, ...]]"},
    [ONNX_MIN] = {FORM_AXES, "[\"min\"] or [\"min\", axis] or [\"min\", [axis, ...]]"},
    [ONNX_SUM] = {FORM_AXES, "[\"sum\"] or [\"sum\", axis] or [\"sum\", [axis, ...]]"},
    [ONNX_SOFTMAX] = {FORM_AXIS, "[\"softmax\", axis]"},
    [ONNX_SIGMOID] = {FORM_NONE, "[\"sigmoid\"]"},
    [ONNX_LOGIT] = {FORM_NONE, "[\"logit\"]"},
    [ONNX_LOG] = {FORM_NONE, "[\"log\"]"},
    [ONNX_EXP] = {FORM_NONE, "[\"exp\"]"},
    [ONNX_L2NORM] = {FORM_AXIS, "[\"l2norm\", axis]"},
    [ONNX_DOT] = {FORM_FILE, "[\"dot\", \"vector.npy\"]"},
    [ONNX_EXPECT] = {FORM_VALUES, "[\"expect\", [value, ...]]"},
    [ONNX_AFFINE] = {FORM_TWO, "[\"affine\", a, b], which is a x + b"},
    [ONNX_CLIP] = {FORM_TWO, "[\"clip\", lo, hi]"}};
enum { OP_KINDS = sizeof forms / sizeof *forms };

/* An operation as it is written, and where. */
typedef struct written_op {
    const manifest_reader *r;
    const json_value *v, *name, *args;
    size_t at, count; /* place in the list; arguments */
} written_op;

static tare_status wrong_op(const written_op *w, const json_value *v, onnx_op_kind kind,
                            const char *why, tare_error *err)
{
    tare_status status = TARE_OK;
    MANIFEST_FAIL(w->r, v, "ops", "output.ops[%zu]: %s; allowed: %s", w->at, why,
                  forms[kind].usage);
done:
    return status;
}

static tare_status unknown_op(const written_op *w, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *names[OP_KINDS];
    text t;
    text_init(&t, w->r->a->m);
    for (int k = 0; k < OP_KINDS; k++) {
        names[k] = onnx_op_name((onnx_op_kind)k);
        text_add_format(&t, "%s%s", k ? ", " : "", names[k]);
    }
    const char *near = w->name->kind == JSON_K_TEXT
                           ? spelling_nearest(w->name->text, names, OP_KINDS) : NULL;
    if (near) text_add_format(&t, "; did you mean %s?", near);
    if (t.failed) FAIL_MEMORY(err);
    MANIFEST_FAIL(w->r, w->name, "ops", "output.ops[%zu] begins with %s; allowed: %s", w->at,
                  manifest_shown(w->r, w->name), t.data);
done:
    text_free(&t);
    return status;
}

static tare_status read_axis(onnx_op *op, const written_op *w, const json_value *v,
                             tare_error *err)
{
    static const manifest_bounds axis = {-ORT_RANK_MOST, ORT_RANK_MOST - 1, true, ""};
    tare_status status = TARE_OK;
    if (!manifest_within(v, &axis) || v->number == 0)
        TRY(wrong_op(w, v, op->kind, "an axis is 1 to 7, or -1 to -8 from the last; 0 is the "
                     "batch, and images are not mixed", err));
    for (size_t k = 0; k < op->axis_count; k++)
        if (op->axis[k] == (int)v->number)
            TRY(wrong_op(w, v, op->kind, "an axis stands twice", err));
    if (op->axis_count == ORT_RANK_MOST)
        TRY(wrong_op(w, v, op->kind, "more axes than a tensor has", err));
    op->axis[op->axis_count++] = (int)v->number;
done:
    return status;
}

static tare_status read_axes(onnx_op *op, const written_op *w, tare_error *err)
{
    tare_status status = TARE_OK;
    if (w->count == 0) goto done;
    if (w->count > 1)
        TRY(wrong_op(w, &w->args[1], op->kind, "several axes are one list", err));
    if (w->args->kind != JSON_K_ARRAY) {
        TRY(read_axis(op, w, w->args, err));
        goto done;
    }
    if (w->args->length == 0)
        TRY(wrong_op(w, w->args, op->kind, "an empty list of axes; leave it out for all", err));
    for (size_t k = 0; k < w->args->length; k++)
        TRY(read_axis(op, w, &w->args->children[k], err));
done:
    return status;
}

static tare_status read_select(onnx_op *op, const written_op *w, tare_error *err)
{
    static const manifest_bounds index = {-2147483648.0, 2147483647, true, ""};
    tare_status status = TARE_OK;
    if (w->count != 2) TRY(wrong_op(w, w->v, op->kind, "select has two arguments", err));
    TRY(read_axis(op, w, &w->args[0], err));
    if (!manifest_within(&w->args[1], &index))
        TRY(wrong_op(w, &w->args[1], op->kind, "an index is a whole number", err));
    op->index = (int64_t)w->args[1].number;
done:
    return status;
}

static tare_status read_values(onnx_op *op, const written_op *w, tare_error *err)
{
    tare_status status = TARE_OK;
    double *values;
    if (w->count != 1 || w->args->kind != JSON_K_ARRAY || w->args->length == 0 ||
        w->args->length > MANIFEST_VALUES_MOST)
        TRY(wrong_op(w, w->v, op->kind, "expect has one list of 1 to 65536 values", err));
    TRY_NEW(values = arena_new(w->r->a, w->args->length, sizeof *values));
    for (size_t k = 0; k < w->args->length; k++) {
        if (!manifest_within(&w->args->children[k], &any_number))
            TRY(wrong_op(w, &w->args->children[k], op->kind, "a value is a number", err));
        values[k] = w->args->children[k].number;
    }
    op->values = values;
    op->value_count = w->args->length;
done:
    return status;
}

static tare_status read_two(onnx_op *op, const written_op *w, tare_error *err)
{
    tare_status status = TARE_OK;
    if (w->count != 2 || !manifest_within(&w->args[0], &any_number) ||
        !manifest_within(&w->args[1], &any_number))
        TRY(wrong_op(w, w->v, op->kind, "it has two numbers", err));
    op->a = w->args[0].number;
    op->b = w->args[1].number;
    if (op->kind == ONNX_CLIP && !(op->a < op->b))
        TRY(wrong_op(w, w->v, op->kind, "lo must be below hi", err));
done:
    return status;
}

static tare_status read_file(onnx_op *op, const written_op *w, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *place;
    npy_vector vector;
    if (w->count != 1 || w->args->kind != JSON_K_TEXT || w->args->length == 0 ||
        w->args->length > MANIFEST_PATH_MOST || strlen(w->args->text) != w->args->length)
        TRY(wrong_op(w, w->v, op->kind, "dot has the name of one file", err));
    op->file = w->args->text;
    TRY_NEW(place = manifest_place(w->r, op->file));
    status = npy_read(&vector, w->r->a, place, MANIFEST_DOT_MOST, err);
    if (status != TARE_OK) {
        manifest_named_at(err, "dot", w->r->path, w->args->line);
        goto done;
    }
    op->values = vector.values;
    op->value_count = vector.count;
    op->file_sha256 = vector.sha256;
    op->file_bytes = vector.bytes;
done:
    return status;
}

static tare_status read_op(onnx_op *op, const manifest_reader *r, const json_value *v, size_t at,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    written_op w = {r, v, v, NULL, at, 0};
    int kind = 0;
    if (v->kind == JSON_K_ARRAY && v->length > 0)
        w = (written_op){r, v, v->children, v->children + 1, at, v->length - 1};
    while (kind < OP_KINDS && (w.name->kind != JSON_K_TEXT ||
                               strcmp(w.name->text, onnx_op_name((onnx_op_kind)kind)) != 0))
        kind++;
    if (kind == OP_KINDS) TRY(unknown_op(&w, err));
    op->kind = (onnx_op_kind)kind;
    switch (forms[kind].form) {
    case FORM_NONE:
        if (w.count) TRY(wrong_op(&w, w.args, op->kind, "it has no arguments", err));
        break;
    case FORM_AXIS:
        if (w.count != 1) TRY(wrong_op(&w, v, op->kind, "it has one axis", err));
        TRY(read_axis(op, &w, w.args, err));
        break;
    case FORM_AXES: TRY(read_axes(op, &w, err)); break;
    case FORM_SELECT: TRY(read_select(op, &w, err)); break;
    case FORM_FILE: TRY(read_file(op, &w, err)); break;
    case FORM_VALUES: TRY(read_values(op, &w, err)); break;
    case FORM_TWO: TRY(read_two(op, &w, err)); break;
    }
done:
    return status;
}

tare_status manifest_read_ops(onnx_op **out, size_t *count, const manifest_reader *r,
                              const json_value *v, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_op *ops;
    if (v->kind != JSON_K_ARRAY || v->length > MANIFEST_OPS_MOST)
        MANIFEST_FAIL(r, v, "ops", "output.ops must be a list of at most %d operations, such as "
                      "[[\"softmax\", -1], [\"select\", -1, 1]]; here it is %s",
                      (int)MANIFEST_OPS_MOST, manifest_shown(r, v));
    TRY_NEW(ops = arena_new(r->a, v->length, sizeof *ops));
    for (size_t i = 0; i < v->length; i++) TRY(read_op(&ops[i], r, &v->children[i], i, err));
    *out = ops;
    *count = v->length;
done:
    return status;
}

/* ---- Output ---------------------------------------------------------------------------------- */

tare_status manifest_read_output(onnx_manifest *out, const manifest_reader *r, const json_value *v,
                                 tare_error *err)
{
    static const char *const keys[] = {"name", "ops", "map", "higher_is_better", "range", NULL};
    tare_status status = TARE_OK;
    manifest_part p;
    double range[2] = {NAN, NAN};
    TRY(manifest_part_open(&p, r, v, "output", keys, err));
    TRY(manifest_need(&p, "name", "the name of the model's output", err));
    TRY(manifest_text(&out->output, &p, "name", MANIFEST_LINE_MOST, err));
    if (manifest_get(&p, "map")) TRY(manifest_read_map(out, &p, err));
    if (manifest_get(&p, "ops"))
        TRY(manifest_read_ops(&out->ops, &out->op_count, r, manifest_get(&p, "ops"), err));
    out->higher_is_better = true;
    TRY(manifest_bool(&out->higher_is_better, &p, "higher_is_better", err));
    if (manifest_given(&p, "range")) {
        TRY(manifest_numbers(range, 2, &p, "range", &any_number, err));
        if (!(range[0] < range[1]))
            MANIFEST_FAIL(r, manifest_get(&p, "range"), "value", "output.range is [%g, %g]; "
                          "allowed: the lower number first, and two different ones", range[0],
                          range[1]);
    }
    out->range_lo = range[0];
    out->range_hi = range[1];
done:
    return status;
}
