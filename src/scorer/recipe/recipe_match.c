/* recipe_match.c - is a checkpoint a file of this recipe? Scorers 3.4. */
#include <string.h>

#include "base/error.h"
#include "scorer/recipe/recipe_config.h"
#include "scorer/recipe/recipe_parts.h"
#include "scorer/recipe/recipe_walk.h"

/* Prefixes that training leaves before the names of a model. */
static const char *const prefixes[] = {"", "state_dict.", "model.", "module.",
                                       "state_dict.module.", "state_dict.model.", "model.module.",
                                       NULL};

/* ---- Readings of the names ------------------------------------------------------------------- */

/* Fewer lacks and leftovers first; where nothing fits, the one that found most. */
static bool is_better(const recipe_reading *x, const recipe_reading *y)
{
    if ((x->found == 0) != (y->found == 0)) return y->found == 0;
    if (x->lack_count != y->lack_count) return x->lack_count < y->lack_count;
    return x->surplus_count < y->surplus_count;
}

typedef struct chooser {
    recipe_reading best;
    bool any_yet;
    arena *a;
    const recipe *r;
    recipe_role role;
    const checkpoint *c;
    bool any; /* sizes */
} chooser;

static tare_status try_reading(chooser *k, graph_layout layout, const char *prefix, bool relu,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    recipe_reading x;
    memset(&x, 0, sizeof x);
    x.layout = layout;
    x.stripped = prefix;
    x.relu = relu;
    TRY(recipe_read_as(&x, k->a, k->r, k->role, k->c, k->any, err));
    if (!k->any_yet || is_better(&x, &k->best)) k->best = x;
    k->any_yet = true;
done:
    return status;
}

/* Is there a name that begins so? */
static bool has_prefix(const checkpoint *c, const char *prefix)
{
    size_t n = strlen(prefix);
    for (size_t i = 0; i < c->tensor_count; i++)
        if (!strncmp(c->tensor[i].name, prefix, n)) return true;
    return n == 0;
}

static tare_status choose(chooser *k, tare_error *err)
{
    tare_status status = TARE_OK;
    const recipe_file *f = recipe_file_of(k->r, k->role);
    size_t layouts = k->role == RECIPE_HEAD ? 1 : k->r->layout_count;
    k->any_yet = false;
    for (size_t i = 0; i < layouts; i++)
        for (size_t p = 0; prefixes[p]; p++) {
            graph_layout layout = k->role == RECIPE_HEAD ? GRAPH_OPENAI : k->r->layout[i];
            if (!has_prefix(k->c, prefixes[p])) continue;
            TRY(try_reading(k, layout, prefixes[p], false, err));
            if (f->relu_layer_count) TRY(try_reading(k, layout, prefixes[p], true, err));
        }
done:
    return status;
}

static bool is_whole(const recipe_reading *x)
{
    return x->lack_count == 0 && x->surplus_count == 0;
}

static tare_status report(recipe_match *out, arena *a, const recipe *r, const recipe_reading *x,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    out->whole = is_whole(x);
    out->layout = x->layout;
    out->stripped = x->stripped;
    TRY_NEW(out->prefix = arena_printf(a, "%s%s", x->stripped, r->prefix));
    out->relu = x->relu;
    out->vision = x->vision;
    out->text = x->text;
    out->lack = x->lack;
    out->lack_count = x->lack_count;
    out->surplus = x->surplus;
    out->surplus_count = x->surplus_count;
done:
    return status;
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

static bool file_lists(const recipe_file *f, const char *sha256)
{
    for (size_t k = 0; k < f->sha256_count; k++)
        if (!strcmp(f->sha256[k], sha256)) return true;
    return false;
}

/* Of any role. */
static bool lists_one(const recipe *r, const checkpoint *c)
{
    for (size_t i = 0; i < r->file_count; i++)
        for (size_t j = 0; j < c->file_count; j++)
            if (file_lists(&r->file[i], c->file[j].sha256)) return true;
    return false;
}

/* Layers of a known release beside other weights are no known release. */
static bool lists_all(const recipe_file *f, const checkpoint *c)
{
    for (size_t j = 0; j < c->file_count; j++)
        if (!file_lists(f, c->file[j].sha256)) return false;
    return true;
}

static tare_status find_hash(recipe_match *out, arena *a, const recipe *r, recipe_role role,
                             const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    out->known = lists_all(recipe_file_of(r, role), c);
    for (size_t i = 0; !out->known && !out->foreign && recipe_asset_at(i); i++) {
        const recipe_asset *s = recipe_asset_at(i);
        recipe other;
        TRY(recipe_parse(&other, a, s->name, s->bytes, *s->length, err));
        if (!strcmp(other.name, r->name) || !lists_one(&other, c)) continue;
        out->foreign = true;
        out->foreign_recipe = s->name;
    }
done:
    return status;
}

/* ---- The match ------------------------------------------------------------------------------- */

static tare_status match_layers_model(recipe_match *out, arena *a, const checkpoint *c,
                                      tare_error *err)
{
    tare_status status = TARE_OK;
    out->prefix = out->stripped = "";
    out->whole = c->kind == CHECKPOINT_TFJS && c->document;
    if (out->whole) goto done;
    TRY_NEW(out->lack = arena_new(a, 1, sizeof *out->lack));
    *out->lack = (recipe_lack){"(topology)", checkpoint_kind_name(c->kind), "a TF.js layers model"};
    out->lack_count = 1;
done:
    return status;
}

tare_status recipe_match_file(recipe_match *out, arena *a, const recipe *r, recipe_role role,
                              const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    chooser k;
    memset(out, 0, sizeof *out);
    memset(&k, 0, sizeof k);
    k.a = a;
    k.r = r;
    k.role = role;
    k.c = c;
    k.any = r->any_sizes;
    if (!recipe_file_of(r, role))
        FAIL(err, TARE_E_BUG, "recipe.role", r->name, "it has no file of this role");
    TRY(find_hash(out, a, r, role, c, err));
    if (r->mobilenet) {
        TRY(match_layers_model(out, a, c, err));
        goto done;
    }
    TRY(choose(&k, err));
    TRY(report(out, a, r, &k.best, err));
    if (!out->whole && !k.any) {
        k.any = true;
        TRY(choose(&k, err));
        out->resized = is_whole(&k.best);
        if (out->resized) {
            out->vision = k.best.vision;
            out->text = k.best.text;
        }
    }
    if (out->whole && role == RECIPE_BACKBONE && out->layout == GRAPH_HF)
        TRY(recipe_config_check(a, r, c, err));
done:
    return status;
}
