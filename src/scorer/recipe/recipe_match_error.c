/* recipe_match_error.c - what does not match, in words. */
#include "base/error.h"
#include "base/text.h"
#include "scorer/recipe/recipe_parts.h"

static void add_tower(text *t, const tower_plan *p)
{
    text_add_format(t, "width %d, %d layers, patch %d, %d tokens", p->width, p->layers, p->patch,
                    p->tokens);
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
    text_add_format(&t, ". First that differs: %s is %s, wanted %s. With arch=any it is taken all "
                    "the same, and is then not %s", m->lack_count ? m->lack->name : *m->surplus,
                    m->lack_count && m->lack->found ? m->lack->found : "there",
                    m->lack_count ? m->lack->wanted : "none", r->name);
    if (t.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_DATA, "recipe.architecture", c->path, "%s", t.data);
done:
    text_free(&t);
    return status;
}

tare_status recipe_match_error(const recipe_match *m, const recipe *r, recipe_role role,
                               const checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *part = recipe_role_name(role);
    const recipe_lack *first = m->lack;
    if (m->foreign)
        FAIL(err, TARE_E_DATA, "recipe.foreign", c->path, "by its SHA-256 this is a published file "
             "of %s, and not the %s of %s", m->foreign_recipe, part, r->name);
    if (m->whole) goto done;
    if (m->resized) {
        TRY(other_architecture(m, r, role, c, err));
    } else if (m->lack_count) {
        FAIL(err, TARE_E_DATA, first->found ? "checkpoint.shape" : "checkpoint.missing", c->path,
             "not the %s of %s: tensor %s %s%s, wanted %s; %zu more are missing or misshaped, "
             "%zu surplus. `tare scorer list %s` shows what is in it", part, r->name, first->name,
             first->found ? "is " : "is not there", first->found ? first->found : "",
             first->wanted, m->lack_count - 1, m->surplus_count, c->path);
    } else {
        FAIL(err, TARE_E_DATA, "checkpoint.surplus", c->path, "not the %s of %s: %zu tensors that "
             "it does not have, the first %s. `tare scorer list %s` shows what is in it", part,
             r->name, m->surplus_count, *m->surplus, c->path);
    }
done:
    return status;
}
