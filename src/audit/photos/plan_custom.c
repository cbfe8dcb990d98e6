/* A custom axis in the run folder: its doses, and whose file is at which. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/plan_axes.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

#define AXIS_KEY "plan.custom"

static void variants_key(char key[40], size_t base)
{
    snprintf(key, 40, "variants.%zu", base);
}

static tare_status keep_variants(const photo_plan *plan, size_t base, text *out, store *s,
                                 tare_error *err)
{
    json_writer w;
    char key[40];
    const plan_base *b = &plan->bases[base];
    text_clear(out);
    json_begin(&w, out, 0);
    json_array(&w);
    for (size_t k = 0; k < plan->slot_count; k++) {
        json_array(&w);
        if (b->variant_file[k]) json_string(&w, b->variant_file[k]);
        else json_null(&w);
        json_number(&w, b->variant_attribute[k]);
        json_number(&w, b->variant_artifact[k]);
        json_array_end(&w);
    }
    json_array_end(&w);
    if (out->failed) return error_memory(err);
    variants_key(key, base);
    return store_set(s, key, out->data, err);
}

tare_status plan_custom_keep(const photo_plan *plan, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_axis *axis = &plan->axes[0];
    text out;
    json_writer w;
    text_init(&out, plan->a->m);
    json_begin(&w, &out, 0);
    json_object(&w);
    json_key(&w, "doses");
    json_array(&w);
    for (size_t d = 0; d < axis->n_doses; d++) json_number(&w, axis->doses[d]);
    json_array_end(&w);
    json_key(&w, "name");
    json_string(&w, axis->name);
    json_key(&w, "neutral");
    json_integer(&w, (int64_t)axis->neutral);
    json_object_end(&w);
    if (out.failed) FAIL_MEMORY(err);
    TRY(store_set(s, AXIS_KEY, out.data, err));
    for (size_t i = 0; i < plan->base_count; i++) TRY(keep_variants(plan, i, &out, s, err));
done:
    text_free(&out);
    return status;
}

static tare_status damaged(const char *key, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "run.plan", key,
                     "the run folder does not say what the custom axis is");
}

tare_status plan_custom_recall(photo_plan *plan, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    json_value *tree = NULL;
    double *doses = NULL;
    TRY(store_get(&kept, s, plan->a, AXIS_KEY, err));
    if (!kept) goto done;
    TRY(json_parse(&tree, plan->a, AXIS_KEY, kept, strlen(kept), NULL, err));
    const json_value *list = json_member(tree, "doses"), *name = json_member(tree, "name"),
                     *neutral = json_member(tree, "neutral");
    if (!list || list->kind != JSON_K_ARRAY || list->length < 1 ||
        list->length > PLAN_DOSES_MOST || !name || name->kind != JSON_K_TEXT || !neutral ||
        !neutral->number_is_integer || !(neutral->number >= 0) ||
        !(neutral->number < (double)list->length))
        TRY(damaged(AXIS_KEY, err));
    TRY_NEW(plan->axes = arena_new(plan->a, 1, sizeof *plan->axes));
    TRY_NEW(doses = arena_new(plan->a, list->length, sizeof *doses));
    TRY_NEW(plan->slots = arena_new(plan->a, list->length, sizeof *plan->slots));
    for (size_t d = 0; d < list->length; d++) {
        if (list->children[d].kind != JSON_K_NUMBER) TRY(damaged(AXIS_KEY, err));
        doses[d] = list->children[d].number;
        plan->slots[d] = (plan_slot){NULL, doses[d], false, 0};
    }
    plan->axes[0] = (plan_axis){.name = name->text, .doses = doses, .n_doses = list->length,
                                .neutral = (size_t)neutral->number, .role = PLAN_MAIN,
                                .partner = SIZE_MAX};
    plan->axis_count = 1;
    plan->slot_count = list->length;
    plan->neutral_slot = plan->axes[0].neutral;
    plan->custom = true;
    TRY(photo_plan_link(plan, err));
done:
    return status;
}

static double number_or_none(const json_value *v)
{
    return v->kind == JSON_K_NUMBER ? v->number : NAN;
}

tare_status plan_variants_recall(photo_plan *plan, size_t base, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    plan_base *b = &plan->bases[base];
    const char *kept = NULL, **file = NULL;
    double *attribute = NULL, *artifact = NULL;
    json_value *tree = NULL;
    char key[40];
    variants_key(key, base);
    TRY(store_get(&kept, s, plan->a, key, err));
    if (!kept) TRY(damaged(key, err));
    TRY(json_parse(&tree, plan->a, key, kept, strlen(kept), NULL, err));
    if (tree->kind != JSON_K_ARRAY || tree->length != plan->slot_count) TRY(damaged(key, err));
    TRY_NEW(file = arena_new(plan->a, plan->slot_count, sizeof *file));
    TRY_NEW(attribute = arena_new(plan->a, plan->slot_count, sizeof *attribute));
    TRY_NEW(artifact = arena_new(plan->a, plan->slot_count, sizeof *artifact));
    for (size_t k = 0; k < plan->slot_count; k++) {
        const json_value *row = &tree->children[k];
        if (row->kind != JSON_K_ARRAY || row->length != 3) TRY(damaged(key, err));
        if (row->children[0].kind == JSON_K_TEXT) file[k] = row->children[0].text;
        attribute[k] = number_or_none(&row->children[1]);
        artifact[k] = number_or_none(&row->children[2]);
    }
    b->variant_file = file;
    b->variant_attribute = attribute;
    b->variant_artifact = artifact;
done:
    return status;
}
