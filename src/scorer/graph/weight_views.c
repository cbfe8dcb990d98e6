#include "scorer/graph/weight_views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scorer/graph/graph_names.h"

enum { LAYERS_MOST = 1024, TOWERS = 3 };

/* ---- Layout ---------------------------------------------------------------------------------- */

static const char *mark_of(graph_layout layout, bool text)
{
    const tower_names *t = !text ? names_vision(layout)
                           : layout == GRAPH_BLIP ? names_bert(layout) : names_text(layout);
    return names_part(t, text ? PART_TOKEN : PART_CLASS)->weight;
}

/* The tensor that ends with the mark, after nothing or a dot. */
static const checkpoint_tensor *marked(const checkpoint *c, const char *mark)
{
    size_t m = strlen(mark);
    for (size_t i = 0; i < c->tensor_count; i++) {
        const char *name = c->tensor[i].name;
        size_t n = strlen(name);
        if (n >= m && !strcmp(name + n - m, mark) && (n == m || name[n - m - 1] == '.'))
            return &c->tensor[i];
    }
    return NULL;
}

tare_status weight_views_open(weight_views *v, arena *a, const checkpoint *c, tare_error *err)
{
    /* OpenAI's name of the text tower is the end of Hugging Face's: it is asked for last. */
    static const graph_layout order[] = {GRAPH_HF, GRAPH_BLIP, GRAPH_OPENAI};
    tare_status status = TARE_OK;
    *v = (weight_views){.c = c, .prefix = ""};
    for (size_t k = 0; !v->laid_out && k < 2 * sizeof order / sizeof *order; k++) {
        const char *mark = mark_of(order[k % 3], k >= 3);
        const checkpoint_tensor *t = marked(c, mark);
        if (!t) continue;
        v->laid_out = true;
        v->layout = order[k % 3];
        TRY_NEW(v->prefix = arena_text(a, t->name, strlen(t->name) - strlen(mark)));
    }
done:
    return status;
}

/* ---- Views ----------------------------------------------------------------------------------- */

typedef struct lister {
    weight_views *v;
    arena *a;
    bool common;
    bool *used;  /* tensors that a tower has taken */
    int tower;
} lister;

static tare_status add(lister *l, const char *key, const checkpoint_tensor *t, bool of_tower,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(key);
    l->v->item[l->v->count++] = (weight_view){key, *t, of_tower};
done:
    return status;
}

static tare_status add_thirds(lister *l, const checkpoint_tensor *t, int layer, bool bias,
                              tare_error *err)
{
    static const graph_part parts[] = {PART_Q, PART_K, PART_V};
    tare_status status = TARE_OK;
    checkpoint_tensor third = *t;
    third.dim[0] /= 3;
    third.elements /= 3;
    size_t step = (size_t)(third.dim[0] * t->stride[0]) * tensor_type_size(t->type);
    for (size_t k = 0; k < 3; k++) {
        TRY(add(l, arena_printf(l->a, "%d/%d/%d/%d", l->tower, layer, (int)parts[k], bias), &third,
                true, err));
        if (t->data) third.data += step;
    }
done:
    return status;
}

static void turn(checkpoint_tensor *t)
{
    int64_t dim = t->dim[0], stride = t->stride[0];
    t->dim[0] = t->dim[1];
    t->stride[0] = t->stride[1];
    t->dim[1] = dim;
    t->stride[1] = stride;
    t->contiguous = false;
}

static tare_status add_part(lister *l, const graph_name *n, const char *name, int layer, bool bias,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint *c = l->v->c;
    const checkpoint_tensor *found = checkpoint_find(c, name);
    if (!found || l->used[found - c->tensor]) goto done;
    l->used[found - c->tensor] = true;
    checkpoint_tensor t = *found;
    if (l->common && n->part == PART_QKV && t.rank > 0 && t.dim[0] % 3 == 0) {
        TRY(add_thirds(l, &t, layer, bias, err));
        goto done;
    }
    if (l->common && n->part == PART_PROJECTION && t.rank == 2 && !strcmp(n->dims, "DE")) turn(&t);
    TRY(add(l, arena_printf(l->a, "%d/%d/%d/%d", l->tower, layer, (int)n->part, bias), &t, true,
            err));
done:
    return status;
}

static tare_status add_rows(lister *l, const tower_names *t, int layer, tare_error *err)
{
    tare_status status = TARE_OK;
    char name[TENSOR_NAME_MOST];
    const graph_name *rows = layer < 0 ? t->once : t->each;
    size_t count = layer < 0 ? t->once_count : t->each_count;
    for (size_t i = 0; i < count; i++) {
        names_full(name, t, l->v->prefix, layer, rows[i].weight);
        TRY(add_part(l, &rows[i], name, layer, false, err));
        if (!rows[i].bias) continue;
        names_full(name, t, l->v->prefix, layer, rows[i].bias);
        TRY(add_part(l, &rows[i], name, layer, true, err));
    }
done:
    return status;
}

static tare_status add_towers(lister *l, tare_error *err)
{
    tare_status status = TARE_OK;
    const graph_layout layout = l->v->layout;
    const tower_names *towers[TOWERS] = {names_vision(layout), names_text(layout),
                                         names_bert(layout)};
    for (l->tower = 0; l->tower < TOWERS; l->tower++) {
        const tower_names *t = towers[l->tower];
        size_t before;
        if (!t) continue;
        TRY(add_rows(l, t, -1, err));
        int layer = 0;
        do {
            before = l->v->count;
            TRY(add_rows(l, t, layer, err));
        } while (l->v->count > before && ++layer < LAYERS_MOST);
    }
done:
    return status;
}

/* What no table names goes by its own name, without what training leaves before it. */
static const char *plain_name(const weight_views *v, const char *name)
{
    static const char *const left[] = {"state_dict.", "model.", "module."};
    size_t n = strlen(v->prefix);
    if (!strncmp(name, v->prefix, n)) name += n;
    for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
        n = strlen(left[k]);
        if (!strncmp(name, left[k], n)) name += n;
    }
    return name;
}

static int by_key(const void *a, const void *b)
{
    const weight_view *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : strcmp(x->t.name, y->t.name);
}

tare_status weight_views_list(weight_views *v, arena *a, bool common, tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint *c = v->c;
    lister l = {.v = v, .a = a, .common = common};
    TRY_NEW(l.used = arena_new(a, c->tensor_count + 1, sizeof *l.used));
    TRY_NEW(v->item = arena_new(a, 3 * c->tensor_count + 1, sizeof *v->item));
    if (v->laid_out) TRY(add_towers(&l, err));
    for (size_t i = 0; i < c->tensor_count; i++) {
        if (l.used[i]) continue;
        const char *name = plain_name(v, c->tensor[i].name);
        TRY(add(&l, arena_printf(a, "x/%s", name), &c->tensor[i], false, err));
    }
    qsort(v->item, v->count, sizeof *v->item, by_key);
done:
    return status;
}
