/* recipe_match_error.c - what does not match, in words. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/recipe/recipe_parts.h"

static void add_tower(text *t, const tower_plan *p)
{
    text_add_format(t, "width %d, %d layers, patch %d, %d tokens", p->width, p->layers, p->patch,
                    p->tokens);
}

/* Names in brackets are no tensors: "(image tower)". */
static void add_lack(text *t, const recipe_lack *x)
{
    if (*x->name == '(')
        text_add_format(t, "%.*s: %s, wanted %s", (int)strcspn(x->name + 1, ")"), x->name + 1,
                        x->found ? x->found : "none", x->wanted);
    else if (x->found)
        text_add_format(t, "tensor %s is %s, wanted %s", x->name, x->found, x->wanted);
    else text_add_format(t, "tensor %s %s is not there", x->name, x->wanted);
}

static tare_status other_architecture(const recipe_match *m, const recipe *r, recipe_role role,
                                      const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    text_init(&t, &c->context->mem);
    text_add_format(&t, "not the architecture of %s", r->name);
    if (role == RECIPE_BACKBONE) {
        text_add(&t, ": this file's image tower has ");
        add_tower(&t, &m->vision);
        text_add(&t, "; the published one ");
        add_tower(&t, &r->vision);
    }
    text_add(&t, ". First that differs: ");
    if (m->lack_count) add_lack(&t, m->lack);
    else text_add_format(&t, "tensor %s is there, wanted none", *m->surplus);
    text_add_format(&t, ". With arch=any it is taken all the same, and is then not %s", r->name);
    if (t.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_DATA, "recipe.architecture", c->path, "%s", t.data);
done:
    text_free(&t);
    return status;
}

static void add_rest(text *t, const recipe_match *m)
{
    if (m->lack_count > 1)
        text_add_format(t, "; %zu more are missing or misshaped", m->lack_count - 1);
    if (m->lack_count && m->surplus_count)
        text_add_format(t, "; %zu more are there that it does not have", m->surplus_count);
}

/* Scorers that the file would do for: several call theirs model.safetensors. */
static tare_status add_owners(text *t, const recipe *r, const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t owners = 0;
    arena a;
    arena_init(&a, &c->context->mem);
    for (size_t i = 0; recipe_name_at(i); i++) {
        recipe other;
        TRY(recipe_named(&other, &a, recipe_name_at(i), err));
        if (r->any_sizes) recipe_any_sizes(&other);
        for (size_t k = 0; k < other.file_count; k++) {
            recipe_match m;
            tare_error why;
            tare_status read = recipe_match_file(&m, &a, &other, other.file[k].role, c, &why);
            if (read == TARE_E_MEMORY) FAIL_MEMORY(err);
            if (read != TARE_OK || !m.whole || m.foreign) continue;
            text_add_format(t, "%s%s (%s)", owners++ ? ", " : ". It fits ", other.name,
                            recipe_role_name(other.file[k].role));
        }
    }
    if (owners) text_add(t, ": give each scorer's files a folder of its own, named like it");
done:
    arena_free(&a);
    return status;
}

static tare_status other_file(const recipe_match *m, const recipe *r, const char *part,
                              const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *code = !m->lack_count     ? "checkpoint.surplus"
                       : m->lack->found   ? "checkpoint.shape"
                                          : "checkpoint.missing";
    text t;
    text_init(&t, &c->context->mem);
    text_add_format(&t, "not the %s of %s: ", part, r->name);
    if (m->lack_count) add_lack(&t, m->lack);
    else
        text_add_format(&t, "%zu tensor%s that it does not have, the first %s", m->surplus_count,
                        m->surplus_count == 1 ? "" : "s", *m->surplus);
    add_rest(&t, m);
    TRY(add_owners(&t, r, c, err));
    text_add_format(&t, ". `tare scorer list %s` shows what is in it", c->path);
    if (t.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_DATA, code, c->path, "%s", t.data);
done:
    text_free(&t);
    return status;
}

tare_status recipe_match_error(const recipe_match *m, const recipe *r, recipe_role role,
                               const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *part = recipe_role_name(role);
    if (m->foreign)
        FAIL(err, TARE_E_DATA, "recipe.foreign", c->path, "by its SHA-256 this is a published file "
             "of %s, and not the %s of %s", m->foreign_recipe, part, r->name);
    if (m->whole) goto done;
    if (m->resized) TRY(other_architecture(m, r, role, c, err));
    else TRY(other_file(m, r, part, c, err));
done:
    return status;
}
