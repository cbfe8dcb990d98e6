#include "scorer/recipe/recipe_walk.h"

#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_parts.h"

typedef struct walker {
    recipe_reading *out;
    arena *a;
    const recipe *r;
    const checkpoint *c;
    bool *taken; /* of each tensor */
} walker;

static tare_status add_lack(walker *w, const char *name, const char *found, const char *wanted,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    recipe_reading *o = w->out;
    recipe_lack *lack;
    if (o->lack_count == o->lack_capacity) {
        size_t more = o->lack_capacity ? 2 * o->lack_capacity : 32;
        TRY_NEW(lack = arena_new(w->a, more, sizeof *lack));
        if (o->lack_count) memcpy(lack, o->lack, o->lack_count * sizeof *lack);
        o->lack = lack;
        o->lack_capacity = more;
    }
    lack = &o->lack[o->lack_count];
    TRY_NEW(lack->name = arena_copy(w->a, name));
    TRY_NEW(lack->wanted = arena_copy(w->a, wanted));
    lack->found = NULL;
    if (found) TRY_NEW(lack->found = arena_copy(w->a, found));
    o->lack_count++;
done:
    return status;
}

/* "[768,1024]"; a dimension that is not known, "?". */
static void dims_words(char out[TENSOR_TEXT], size_t rank, const int64_t *dim)
{
    size_t at = (size_t)snprintf(out, TENSOR_TEXT, "[");
    for (size_t i = 0; i < rank && at < TENSOR_TEXT - 24; i++) {
        if (dim[i] > 0)
            at += (size_t)snprintf(out + at, TENSOR_TEXT - at, "%s%lld", i ? "," : "",
                                   (long long)dim[i]);
        else at += (size_t)snprintf(out + at, TENSOR_TEXT - at, "%s?", i ? "," : "");
    }
    snprintf(out + at, TENSOR_TEXT - at, "]");
}

static bool is_number(const checkpoint_tensor *t)
{
    return t->quantised || t->type == TENSOR_F32 || t->type == TENSOR_F16 ||
           t->type == TENSOR_BF16 || t->type == TENSOR_F64;
}

/* Dimensions of 0 may be any. */
static tare_status need(void *arg, const char *name, size_t rank, const int64_t *dim,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    walker *w = arg;
    const checkpoint_tensor *t = checkpoint_find(w->c, name);
    char dims[TENSOR_TEXT], wanted[TENSOR_TEXT + 32], found[TENSOR_TEXT];
    bool fits = t && t->rank == rank && is_number(t);
    for (size_t i = 0; i < rank && fits; i++) fits = dim[i] <= 0 || t->dim[i] == dim[i];
    if (t) {
        w->taken[t - w->c->tensor] = true;
        w->out->found++;
    }
    if (fits) goto done;
    dims_words(dims, rank, dim);
    snprintf(wanted, sizeof wanted, "%s%s", t && !is_number(t) ? "f32, f16, bf16 or f64 " : "",
             dims);
    if (t) checkpoint_tensor_text(found, t);
    TRY(add_lack(w, name, t ? found : NULL, wanted, err));
done:
    return status;
}

/* ---- Towers ---------------------------------------------------------------------------------- */

typedef tare_status (*plan_fn)(tower_plan *p, const checkpoint *c, tare_error *err);
typedef tare_status (*needs_fn)(const tower_plan *p, graph_need visit, void *arg, tare_error *err);

static void keep(int *size, int wanted)
{
    if (wanted) *size = wanted;
}

/* The sizes that must hold, over those of the file. */
static void lay_over(tower_plan *p, const tower_plan *wanted)
{
    keep(&p->width, wanted->width);
    keep(&p->layers, wanted->layers);
    keep(&p->mlp, wanted->mlp);
    keep(&p->embedding, wanted->embedding);
    keep(&p->patch, wanted->patch);
    keep(&p->side, wanted->side);
    keep(&p->tokens, wanted->tokens);
    keep(&p->vocabulary, wanted->vocabulary);
    keep(&p->context, wanted->context);
    keep(&p->cross_width, wanted->cross_width);
}

static tare_status read_tower(walker *w, tower_plan *plan, const tower_plan *wanted,
                              plan_fn read_plan, needs_fn needs, bool any, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_error why;
    const size_t before = w->out->lack_count;
    memset(&why, 0, sizeof why);
    *plan = *wanted;
    plan->layout = w->out->layout;
    TRY_NEW(plan->prefix = arena_printf(w->a, "%s%s", w->out->stripped, w->r->prefix));
    tare_status read = read_plan(plan, w->c, &why);
    if (read == TARE_E_MEMORY) FAIL_MEMORY(err);
    tower_plan held = *plan;
    if (!any) lay_over(&held, wanted);
    TRY(needs(&held, need, w, err));
    /* All names and dims are as they should be, and still it is no such tower. */
    if (read != TARE_OK && w->out->lack_count == before)
        TRY(add_lack(w, plan == &w->out->vision ? "(image tower)" : "(text tower)", why.message,
                     "a consistent tower", err));
done:
    return status;
}

static tare_status read_towers(walker *w, bool any, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe *r = w->r;
    bool bert = r->score == RECIPE_BERT;
    TRY(read_tower(w, &w->out->vision, &r->vision, graph_plan_vision, graph_vision_needs, any,
                   err));
    if (r->has_text)
        TRY(read_tower(w, &w->out->text, &r->text, bert ? graph_plan_bert : graph_plan_text,
                       bert ? graph_bert_needs : graph_text_needs, any, err));
    if (r->scale == RECIPE_SCALE_FILE) {
        const char *name;
        TRY_NEW(name = arena_printf(w->a, "%slogit_scale", w->out->stripped));
        const checkpoint_tensor *t = checkpoint_find(w->c, name);
        const int64_t one = 1;
        TRY(need(w, name, t && t->rank == 1 ? 1 : 0, &one, err));
    }
done:
    return status;
}

/* ---- Linear layers --------------------------------------------------------------------------- */

static tare_status need_part(walker *w, const char *layer, const char *part, size_t rank,
                             const int64_t *dim, const checkpoint_tensor **found, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name;
    TRY_NEW(name = arena_printf(w->a, "%s%s%s%s", w->out->stripped, layer, *layer ? "." : "",
                                part));
    *found = checkpoint_find(w->c, name);
    TRY(need(w, name, rank, dim, err));
done:
    return status;
}

/* Where no width must hold, each layer takes what the one before it gives; the last gives one. */
static tare_status read_layers(walker *w, const recipe_file *f, bool any, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *const *layer = w->out->relu ? f->relu_layer : f->layer;
    int64_t in = 0;
    for (size_t i = 0; i < f->layer_count; i++) {
        const checkpoint_tensor *t;
        bool given = !any && f->width_count;
        int64_t dim[2] = {given ? f->width[i + 1] : 0, given && f->width[i] ? f->width[i] : in};
        if (!given && i + 1 == f->layer_count) dim[0] = 1;
        TRY(need_part(w, layer[i], "weight", 2, dim, &t, err));
        if (dim[0] == 0 && t && t->rank == 2) dim[0] = t->dim[0];
        in = dim[0];
        TRY(need_part(w, layer[i], "bias", 1, dim, &t, err));
    }
done:
    return status;
}

/* ---- What is left over ----------------------------------------------------------------------- */

static bool is_ignored(const recipe_file *f, const char *stripped, const char *name)
{
    size_t n = strlen(stripped);
    if (strncmp(name, stripped, n) != 0) /* beside the dict that holds the model (ours) */
        return !strncmp(stripped, "state_dict.", 11) && strncmp(name, "state_dict.", 11) != 0;
    for (size_t i = 0; i < f->ignore_count; i++)
        if (recipe_pattern_fits(f->ignore[i], name + n)) return true;
    return false;
}

static tare_status list_surplus(walker *w, const recipe_file *f, tare_error *err)
{
    tare_status status = TARE_OK;
    recipe_reading *o = w->out;
    TRY_NEW(o->surplus = arena_new(w->a, w->c->tensor_count + 1, sizeof *o->surplus));
    for (size_t i = 0; i < w->c->tensor_count; i++)
        if (!w->taken[i] && !is_ignored(f, o->stripped, w->c->tensor[i].name))
            o->surplus[o->surplus_count++] = w->c->tensor[i].name;
done:
    return status;
}

tare_status recipe_read_as(recipe_reading *out, arena *a, const recipe *r, recipe_role role,
                           const checkpoint *c, bool any, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(r, role);
    walker w = {out, a, r, c, NULL};
    TRY_NEW(w.taken = arena_new(a, c->tensor_count + 1, sizeof *w.taken));
    if (role == RECIPE_BACKBONE) TRY(read_towers(&w, any, err));
    TRY(read_layers(&w, f, any, err));
    TRY(list_surplus(&w, f, err));
done:
    return status;
}
