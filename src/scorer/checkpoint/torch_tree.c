#include "scorer/checkpoint/torch_tree.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scorer/checkpoint/torch_tensor.h"

enum { VISITS_BETWEEN_LOOKS = 4096 };

typedef struct walker {
    checkpoint *c;
    const torch_source *source;
    checkpoint_tensor *tensor;
    size_t count, room;
    uint64_t visits, visits_most;
    char name[TORCH_NAME_MOST + 1];
    size_t length;
    tare_error *err;
} walker;

static tare_status walk(walker *w, const pickle_node *n, unsigned depth);

static tare_status count_visit(walker *w)
{
    if (++w->visits > w->visits_most) {
        return error_set(w->err, TARE_E_LIMIT, "torch.visits", w->c->path,
                         "the same values stand in too many places of this file, or within "
                         "themselves: this is no file of weights");
    }
    return w->visits % VISITS_BETWEEN_LOOKS == 0 ? context_check(w->c->context, w->err) : TARE_OK;
}

/* The place of what is walked, for messages. */
#define PLACE_SHOWN (CHECKPOINT_SHOWN + 8)
static const char *place_of(char out[PLACE_SHOWN], const walker *w)
{
    char shown[CHECKPOINT_SHOWN];
    if (w->length == 0) return "at the top of the file";
    snprintf(out, PLACE_SHOWN, "below %s", checkpoint_shown(shown, w->name));
    return out;
}

/* Grow the name by a dot and a key. */
static tare_status extend(walker *w, const char *key, size_t length, unsigned depth)
{
    tare_status status = TARE_OK;
    char place[PLACE_SHOWN];
    size_t dot = depth > 0 ? 1 : 0;
    if (length + dot > TORCH_NAME_MOST - w->length) {
        FAIL(w->err, TARE_E_DATA, "torch.name", w->c->path,
             "names %s are longer than %d bytes: this is no file of weights", place_of(place, w),
             TORCH_NAME_MOST);
    }
    if (memchr(key, '\0', length) != NULL || !utf8_valid(key, length)) {
        FAIL(w->err, TARE_E_DATA, "torch.name", w->c->path,
             "a name %s is not UTF-8 text: the file is damaged", place_of(place, w));
    }
    if (dot > 0) w->name[w->length++] = '.';
    memcpy(w->name + w->length, key, length);
    w->length += length;
    w->name[w->length] = '\0';
done:
    return status;
}

static tare_status walk_named(walker *w, const char *key, size_t length, const pickle_node *value,
                              unsigned depth)
{
    tare_status status = TARE_OK;
    size_t before = w->length;
    TRY(extend(w, key, length, depth));
    TRY(walk(w, value, depth + 1));
    w->length = before;
    w->name[before] = '\0';
done:
    return status;
}

static tare_status walk_numbered(walker *w, int64_t number, const pickle_node *value,
                                 unsigned depth)
{
    char key[32];
    int length = snprintf(key, sizeof key, "%lld", (long long)number);
    return walk_named(w, key, (size_t)length, value, depth);
}

static tare_status walk_pair(walker *w, const pickle_node *key, const pickle_node *value,
                             unsigned depth)
{
    if (key->kind == PICKLE_TEXT) return walk_named(w, key->bytes, key->count, value, depth);
    if (key->kind == PICKLE_INT) return walk_numbered(w, key->integer, value, depth);
    w->c->opaque++; /* it has no name */
    return count_visit(w);
}

static tare_status walk_pairs(walker *w, pickle_node *const *item, size_t count, unsigned depth)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i + 1 < count; i += 2) TRY(walk_pair(w, item[i], item[i + 1], depth));
done:
    return status;
}

static tare_status walk_items(walker *w, const pickle_node *n, unsigned depth)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < n->count; i++) TRY(walk_numbered(w, (int64_t)i, n->item[i], depth));
done:
    return status;
}

static bool is_pair(const pickle_node *n)
{
    return (n->kind == PICKLE_TUPLE || n->kind == PICKLE_LIST) && n->count == 2;
}

/* Its entries, and the list of pairs that Python 2 gave it as argument. */
static tare_status walk_ordered(walker *w, const pickle_node *n, unsigned depth)
{
    tare_status status = TARE_OK;
    const pickle_node *arguments = n->item[1];
    const pickle_node *list = arguments->count > 0 ? arguments->item[0] : NULL;
    if (list != NULL && list->kind == PICKLE_LIST)
        for (size_t i = 0; i < list->count; i++) {
            const pickle_node *pair = list->item[i];
            if (is_pair(pair)) TRY(walk_pair(w, pair->item[0], pair->item[1], depth));
            else w->c->opaque++;
        }
    if (n->entries == PICKLE_PAIRS) TRY(walk_pairs(w, n->item + 2, n->count - 2, depth));
done:
    return status;
}

static tare_status add_tensor(walker *w, const pickle_node *call)
{
    tare_status status = TARE_OK;
    tare_error *err = w->err;
    bool ours = false;
    checkpoint_tensor t = {.name = w->name};
    TRY(torch_tensor_read(&t, &ours, call, w->source, w->c->path, err));
    if (!ours) {
        w->c->opaque++;
        return TARE_OK;
    }
    if (w->count == TORCH_TENSORS_MOST) {
        FAIL(err, TARE_E_LIMIT, "torch.tensors", w->c->path,
             "the file holds more than %d tensors: this is no file of weights",
             TORCH_TENSORS_MOST);
    }
    TRY_NEW(t.name = arena_text(&w->c->a, w->name, w->length));
    if (!mem_reserve(w->c->a.m, &w->tensor, &w->room, w->count + 1, sizeof *w->tensor))
        FAIL_MEMORY(err);
    w->tensor[w->count++] = t;
done:
    return status;
}

/* An object of a class that TorchScript made of somebody's module. */
static bool is_script_object(const pickle_node *n)
{
    static const char root[] = "__torch__";
    const pickle_node *class = n->item[0];
    size_t length = sizeof root - 1;
    return class->kind == PICKLE_GLOBAL && class->count >= length
        && memcmp(class->bytes, root, length) == 0
        && (class->count == length || class->bytes[length] == '.');
}

static tare_status walk_call(walker *w, const pickle_node *n, unsigned depth)
{
    const pickle_node *tensor = torch_tensor_call(n);
    if (tensor != NULL) return add_tensor(w, tensor);
    if (pickle_is_global(n->item[0], "collections", "OrderedDict"))
        return walk_ordered(w, n, depth);
    if (is_script_object(n) && n->state != NULL && n->state->kind == PICKLE_DICT)
        return walk_pairs(w, n->state->item, n->state->count, depth);
    w->c->opaque++;
    return TARE_OK;
}

static tare_status walk(walker *w, const pickle_node *n, unsigned depth)
{
    tare_status status = TARE_OK;
    char place[PLACE_SHOWN];
    TRY(count_visit(w));
    if (depth > TORCH_DEPTH_MOST) {
        FAIL(w->err, TARE_E_LIMIT, "torch.depth", w->c->path,
             "the values %s stand within each other %d times: this is no file of weights",
             place_of(place, w), TORCH_DEPTH_MOST);
    }
    switch (n->kind) {
    case PICKLE_TUPLE:
    case PICKLE_LIST: TRY(walk_items(w, n, depth)); break;
    case PICKLE_DICT: TRY(walk_pairs(w, n->item, n->count, depth)); break;
    case PICKLE_CALL: TRY(walk_call(w, n, depth)); break;
    default: w->c->opaque++; break;
    }
done:
    return status;
}

tare_status torch_tree_read(checkpoint *c, const pickle *p, const torch_source *source,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    walker w = {.c = c, .source = source, .err = err};
    w.visits_most = (uint64_t)TORCH_VISITS_PER_NODE * p->nodes;
    TRY(walk(&w, p->root, 0));
    TRY_NEW(c->tensor = arena_raw(&c->a, w.count, sizeof *c->tensor));
    if (w.count > 0) memcpy(c->tensor, w.tensor, w.count * sizeof *c->tensor);
    c->tensor_count = w.count;
done:
    mem_free(c->a.m, w.tensor);
    return status;
}
