/* A plan kept in the run folder, so that a finished run can be analysed without its photographs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_ignored.h"
#include "audit/photos/photo_plan.h"
#include "base/error.h"
#include "base/text.h"

static tare_status keep_count(store *s, const char *key, size_t count, tare_error *err)
{
    char value[24];
    snprintf(value, sizeof value, "%zu", count);
    return store_set(s, key, value, err);
}

static tare_status keep_number(store *s, const char *key, double value, tare_error *err)
{
    char digits[NUMBER_TEXT_MAX];
    number_format(value, digits);
    return store_set(s, key, digits, err);
}

/* 0 where there is none. */
static tare_status recall_number(double *out, store *s, arena *a, const char *key, tare_error *err)
{
    const char *value = NULL;
    tare_status status = store_get(&value, s, a, key, err);
    *out = 0;
    if (status || !value) return status;
    if (number_parse(value, strlen(value), out)) return TARE_OK;
    return error_set(err, TARE_E_DATA, "run.plan", key, "the run folder has no number here");
}

tare_status photo_plan_keep(const photo_plan *plan, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(store_begin(s, err));
    TRY(keep_count(s, "plan.ignored", plan->ignored, err));
    TRY(keep_count(s, "plan.denied", plan->denied, err));
    TRY(store_set(s, "plan.first_denied", plan->first_denied, err));
    TRY(store_set(s, "plan.first_ignored", plan->first_ignored, err));
    TRY(photo_ignored_keep(plan, s, err));
    if (plan->unused_columns) TRY(store_set(s, "plan.unused", plan->unused_columns, err));
    TRY(keep_count(s, "plan.from_table", plan->from_table, err));
    if (plan->custom && !plan->recalled) TRY(plan_custom_keep(plan, s, err));
    TRY(keep_count(s, "plan.bases", plan->base_count, err));
    TRY(store_commit(s, err));
done:
    if (status) store_rollback(s);
    return status;
}

static tare_status recall_count(size_t *out, bool *found, store *s, arena *a, const char *key,
                                tare_error *err)
{
    const char *value = NULL;
    tare_status status = store_get(&value, s, a, key, err);
    *found = value != NULL;
    *out = value ? (size_t)strtoull(value, NULL, 10) : 0;
    return status;
}

tare_status plan_person_keep(const plan_base *b, size_t base, store *s, tare_error *err)
{
    char key[40];
    tare_status status = TARE_OK;
    if (!b->silhouette && b->band_top == 0 && b->band_bottom == 0) return TARE_OK;
    snprintf(key, sizeof key, "person.%zu", base);
    if (b->silhouette) TRY(store_set(s, key, b->silhouette, err));
    snprintf(key, sizeof key, "band_top.%zu", base);
    TRY(keep_number(s, key, b->band_top, err));
    snprintf(key, sizeof key, "band_bottom.%zu", base);
    TRY(keep_number(s, key, b->band_bottom, err));
done:
    return status;
}

tare_status plan_person_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err)
{
    char key[40];
    tare_status status = TARE_OK;
    snprintf(key, sizeof key, "person.%zu", base);
    TRY(store_get(&b->silhouette, s, a, key, err));
    snprintf(key, sizeof key, "band_top.%zu", base);
    TRY(recall_number(&b->band_top, s, a, key, err));
    snprintf(key, sizeof key, "band_bottom.%zu", base);
    TRY(recall_number(&b->band_bottom, s, a, key, err));
done:
    return status;
}

tare_status plan_prompt_keep(const plan_base *b, size_t base, store *s, tare_error *err)
{
    char key[40];
    if (!b->prompt || !*b->prompt) return TARE_OK;
    snprintf(key, sizeof key, "prompt.%zu", base);
    return store_set(s, key, b->prompt, err);
}

tare_status plan_prompt_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err)
{
    char key[40];
    snprintf(key, sizeof key, "prompt.%zu", base);
    return store_get(&b->prompt, s, a, key, err);
}

struct recall { photo_plan *plan; store *s; size_t room; };

static tare_status count_base(void *arg, const store_base *row, tare_error *err)
{
    (void)row, (void)err;
    ++*(size_t *)arg;
    return TARE_OK;
}

static tare_status recall_base(void *arg, const store_base *row, tare_error *err)
{
    tare_status status = TARE_OK;
    struct recall *r = arg;
    arena *a = r->plan->a;
    if ((size_t)row->index != r->plan->base_count || r->plan->base_count == r->room)
        FAIL(err, TARE_E_DATA, "run.plan", row->id, "the run folder has other bases than its plan");
    plan_base *b = &r->plan->bases[r->plan->base_count++];
    *b = (plan_base){.dose = row->dose, .attribute = row->attribute, .artifact = row->artifact,
                     .why = "", .skin_why = "", .torso_why = "",
                     .pixels_hash = "", .notes = "", .look = "",
                     .skin_share = row->skin_share};
    TRY_NEW(b->id = arena_copy(a, row->id));
    TRY_NEW(b->shown = arena_copy(a, row->shown));
    TRY_NEW(b->file = arena_copy(a, row->file));
    TRY_NEW(b->cluster = arena_copy(a, row->cluster));
    TRY_NEW(b->group = arena_copy(a, row->group));
    TRY_NEW(b->arm = arena_copy(a, row->arm));
    TRY_NEW(b->kind = arena_copy(a, row->kind));
    if (*row->mask) TRY_NEW(b->mask = arena_copy(a, row->mask));
    TRY(plan_person_recall(b, (size_t)row->index, r->s, a, err));
    TRY(plan_prompt_recall(b, (size_t)row->index, r->s, a, err));
    if (r->plan->custom) TRY(plan_variants_recall(r->plan, (size_t)row->index, r->s, err));
done:
    return status;
}

tare_status photo_plan_recall(bool *found, photo_plan *plan, const tare_job *job, store *s,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count = 0, rows = 0, flag = 0;
    bool known;
    TRY(recall_count(&count, found, s, plan->a, "plan.bases", err));
    if (!*found) goto done;
    TRY(recall_count(&plan->ignored, &known, s, plan->a, "plan.ignored", err));
    TRY(recall_count(&plan->denied, &known, s, plan->a, "plan.denied", err));
    TRY(recall_count(&flag, &known, s, plan->a, "plan.from_table", err));
    TRY(store_get(&plan->first_denied, s, plan->a, "plan.first_denied", err));
    TRY(store_get(&plan->unused_columns, s, plan->a, "plan.unused", err));
    TRY(store_get(&plan->first_ignored, s, plan->a, "plan.first_ignored", err));
    TRY(photo_ignored_recall(plan, s, err));
    plan->from_table = flag != 0;
    plan->recalled = true;
    plan->root = job->inputs[0];
    TRY(photo_plan_pixels(plan, job, err));
    /* The rows are counted before there is room for them: what the folder says may be anything. */
    TRY(store_each_base(s, count_base, &rows, err));
    if (rows != count)
        FAIL(err, TARE_E_DATA, "run.plan", NULL,
             "the run folder has %zu bases, and its plan %zu", rows, count);
    TRY(plan_custom_recall(plan, s, err));
    TRY_NEW(plan->bases = arena_new(plan->a, count, sizeof *plan->bases));
    TRY(store_each_base(s, recall_base, &(struct recall){plan, s, count}, err));
    TRY(photo_plan_order(plan, err));
done:
    return status;
}
