/* The result outlives the cube: every text that it may show is copied into its arena. */
#include "audit/scorer/study.h"
#include "base/error.h"

static tare_status own(const char **text, arena *a, tare_error *err)
{
    const char *copy = arena_copy(a, *text ? *text : "");
    if (!copy) return error_memory(err);
    *text = copy;
    return TARE_OK;
}

static tare_status own_list(const char ***list, size_t n, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **copy;
    TRY_NEW(copy = arena_new(a, n + 1, sizeof *copy));
    for (size_t i = 0; i < n; i++) {
        copy[i] = (*list)[i];
        TRY(own(&copy[i], a, err));
    }
    *list = copy;
done:
    return status;
}

static tare_status own_arm(cube_arm *arm, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(own(&arm->name, a, err));
    TRY(own(&arm->operator_name, a, err));
    if (arm->label) TRY(own(&arm->label, a, err));
    TRY(own(&arm->kind, a, err));
    TRY(own(&arm->attribute_name, a, err));
    TRY(own(&arm->attribute_unit, a, err));
    TRY(own(&arm->artifact_name, a, err));
    TRY(own(&arm->stress_set, a, err));
    TRY(own(&arm->plus, a, err));
    TRY(own(&arm->minus, a, err));
    TRY(own(&arm->claim, a, err));
    if (arm->set_name) TRY(own(&arm->set_name, a, err));
    TRY(own_list(&arm->base, arm->bases, a, err));
    TRY(own_list(&arm->cluster_id, arm->clusters, a, err));
    if (arm->group) TRY(own_list(&arm->group_id, arm->groups, a, err));
done:
    return status;
}

tare_status study_own_texts(study *t, const cube *c, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    t->own = *c;
    t->c = &t->own;
    TRY_NEW(t->own.arm = arena_new(&t->scratch, c->arms + 1, sizeof *t->own.arm));
    TRY_NEW(t->own.missing =
                arena_new(&t->scratch, c->missing_count + 1, sizeof *t->own.missing));
    for (size_t k = 0; k < c->arms; k++) {
        t->own.arm[k] = c->arm[k];
        TRY(own_arm(&t->own.arm[k], a, err));
    }
    for (size_t k = 0; k < c->missing_count; k++) {
        result_missing *x = &t->own.missing[k];
        *x = c->missing[k];
        TRY(own(&x->what, a, err));
        TRY(own(&x->arm, a, err));
        TRY(own(&x->instrument, a, err));
        TRY(own(&x->group, a, err));
        TRY(own(&x->example, a, err));
    }
    TRY(own_list(&t->own.scorer, c->scorers, a, err));
    if (c->asked) TRY(own_list(&t->own.asked, c->scorers, a, err));
    if (c->prompt) TRY(own_list(&t->own.prompt, c->scorers, a, err));
    if (c->note) TRY(own_list(&t->own.note, c->scorers, a, err));
    if (c->note) TRY(own_list(&t->own.last_note, c->scorers, a, err));
done:
    return status;
}
