#include "scorer/checkpoint/torch_tensor.h"

#include "base/error.h"

/* Arguments of _rebuild_tensor_v2; those of _v3 have a dtype after them. */
enum { STORAGE, OFFSET, SIZE, STRIDE, REQUIRES_GRAD, HOOKS, DTYPE, FEWEST = HOOKS + 1 };

static bool is_v3(const pickle_node *call)
{
    return pickle_is_call(call, "torch._utils", "_rebuild_tensor_v3");
}

const pickle_node *torch_tensor_call(const pickle_node *call)
{
    /* A parameter of a parameter is nobody's, so one step is enough. */
    if (pickle_is_call(call, "torch._utils", "_rebuild_parameter")
        || pickle_is_call(call, "torch._utils", "_rebuild_parameter_with_state")) {
        if (call->item[1]->count == 0) return NULL;
        call = call->item[1]->item[0];
    }
    return pickle_is_call(call, "torch._utils", "_rebuild_tensor_v2") || is_v3(call) ? call : NULL;
}

/* A tuple of whole numbers, none below zero. NULL, or what is wrong. */
static const char *read_numbers(int64_t *out, const pickle_node *n, const char *what)
{
    for (size_t i = 0; i < n->count; i++) {
        if (n->item[i]->kind != PICKLE_INT || n->item[i]->integer < 0) return what;
        out[i] = n->item[i]->integer;
    }
    return NULL;
}

static const char *read_shape(checkpoint_tensor *t, const pickle_node *size,
                              const pickle_node *stride)
{
    if (size->kind != PICKLE_TUPLE || stride->kind != PICKLE_TUPLE || size->count != stride->count)
        return "its dimensions and strides do not belong together";
    if (size->count > MODEL_RANK_MOST) return "it has more than 16 dimensions";
    t->rank = size->count;
    const char *why = read_numbers(t->dim, size, "a dimension is no number or below zero");
    return why != NULL ? why
                       : read_numbers(t->stride, stride, "a stride is no number or below zero");
}

/* Product of the dimensions, and 1 + the place of the last element: 0 without elements. NULL, or
 * what is wrong. */
static const char *measure(uint64_t *extent, checkpoint_tensor *t)
{
    uint64_t last = 0, step;
    bool empty = false, fits = true;
    t->elements = 1;
    *extent = 0;
    for (size_t i = 0; i < t->rank; i++) empty = empty || t->dim[i] == 0;
    if (empty) {
        t->elements = 0;
        return NULL;
    }
    for (size_t i = 0; i < t->rank; i++) {
        fits = fits && !__builtin_mul_overflow(t->elements, (uint64_t)t->dim[i], &t->elements)
            && !__builtin_mul_overflow((uint64_t)t->dim[i] - 1, (uint64_t)t->stride[i], &step)
            && !__builtin_add_overflow(last, step, &last);
    }
    if (!fits || last >= INT64_MAX || t->elements > INT64_MAX / 8) return "it is beyond all sizes";
    *extent = last + 1;
    return NULL;
}

/* Place the view in the storage. NULL, or what is wrong. */
static const char *place(checkpoint_tensor *t, uint64_t from, const torch_storage_id *id,
                         const torch_source *source)
{
    uint64_t extent, size = tensor_type_size(t->type), whole, byte;
    torch_storage s;
    const char *why = measure(&extent, t);
    if (why != NULL) return why;
    t->file = SIZE_MAX;
    if (t->elements == 0) return NULL; /* its storage is empty and may not be there at all */
    uint64_t room = id->untyped ? id->view_count / size : id->view_count;
    uint64_t before = id->untyped ? id->view_from / size : id->view_from;
    if (from > room || extent > room - from) return "it reaches past the end of its storage";
    why = source->find(&s, source->user, id);
    if (why != NULL) return why;
    if (__builtin_mul_overflow(id->count, id->size, &whole) || whole > s.bytes)
        return "its storage is said to be longer than it is";
    byte = (before + from) * size; /* below `whole` */
    t->data = s.data + byte;
    t->file = 0;
    t->offset = s.offset + byte;
    return NULL;
}

static const char *read_call(checkpoint_tensor *t, bool *ours, const pickle_node *call,
                             const torch_source *source)
{
    const pickle_node *a = call->item[1];
    torch_storage_id id;
    if (a->count < FEWEST + (is_v3(call) ? 1 : 0)) return "it lacks arguments";
    const char *why = torch_storage_id_read(&id, a->item[STORAGE]);
    if (why != NULL) return why;
    t->type = id.type;
    *ours = is_v3(call) ? id.untyped && torch_dtype_read(&t->type, a->item[DTYPE])
                        : id.type != 0;
    if (!*ours) return NULL;
    why = read_shape(t, a->item[SIZE], a->item[STRIDE]);
    if (why != NULL) return why;
    if (a->item[OFFSET]->kind != PICKLE_INT || a->item[OFFSET]->integer < 0)
        return "its offset is no number or below zero";
    return place(t, (uint64_t)a->item[OFFSET]->integer, &id, source);
}

tare_status torch_tensor_read(checkpoint_tensor *out, bool *ours, const pickle_node *call,
                              const torch_source *source, const char *path, tare_error *err)
{
    char shown[CHECKPOINT_SHOWN];
    const char *why = read_call(out, ours, call, source);
    if (why == NULL) return TARE_OK;
    return error_set(err, TARE_E_DATA, "torch.tensor", path,
                     "the tensor %s cannot be read: %s (byte %u of the pickle). The file is "
                     "damaged or was not written by torch: fetch it again",
                     checkpoint_shown(shown, out->name), why, call->offset);
}
