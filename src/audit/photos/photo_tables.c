/* What a run on photographs says besides its readings: variants, scores, how it was made. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_session.h"
#include "base/error.h"

static void put_text(cell *c, const char *text)
{
    *c = (cell){CELL_TEXT, text, NAN, 0};
}

static void put_number(cell *c, double number)
{
    *c = (cell){CELL_NUMBER, "", number, 0};
}

struct variant_rows {
    photo_session *s;
    audit_result *result;
    result_table *table;
};

static tare_status add_variant(void *arg, const store_variant *v, tare_error *err)
{
    tare_status status = TARE_OK;
    struct variant_rows *x = arg;
    const photo_plan *plan = &x->s->plan;
    arena *a = &x->result->a;
    const plan_base *b = &plan->bases[v->base];
    const plan_slot *slot = &plan->slots[v->slot];
    const perturb_measures *m =
        &x->s->run.measures[(size_t)v->base * plan->slot_count + (size_t)v->slot];
    const char *arm = NULL, *blob = NULL, *file = "";
    TRY(photo_arm_name(&arm, a, b, slot, err));
    char *hash = arena_copy(a, v->pixels_hash);
    if (!hash) FAIL_MEMORY(err);
    TRY(photo_recall_file(&blob, &x->s->run, a, hash, err));
    if (blob) TRY_NEW(file = arena_printf(a, "blobs/%.2s/%s.png", blob, blob));
    cell *row = result_add_row(x->result, x->table);
    if (!row) FAIL_MEMORY(err);
    const char *words[] = {b->id, arm, b->cluster, b->group, b->kind, file, hash};
    for (int k = 0; k < 7; k++) put_text(&row[k], words[k]);
    const double numbers[] = {slot->dose,          m->tone.ita,    m->clip_frac,
                              m->clip_mag,         m->edit_support, m->edit_image,
                              m->tone.lightness,   m->tone.b,      m->tone.chroma,
                              m->tone.hue};
    for (int k = 0; k < 10; k++) put_number(&row[7 + k], numbers[k]);
done:
    return status;
}

tare_status photo_table_variants(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {
        "base", "arm", "cluster", "group", "kind", "file", "pixels_sha256", "dose", "attribute",
        "artifact", "clip_mag", "edit_support", "edit_image", "lightness", "b", "chroma", "hue"};
    struct variant_rows x = {s, result, NULL};
    x.table = result_add_table(result, "variants", "Every variant and what was measured on it",
                               columns, sizeof columns / sizeof *columns);
    if (!x.table) return error_memory(err);
    return store_each_variant(s->run.store, add_variant, &x, err);
}

static tare_status add_score(photo_session *s, audit_result *result, result_table *t, size_t at[3],
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = &s->plan;
    const plan_base *b = &plan->bases[at[1]];
    const plan_slot *slot = &plan->slots[at[2]];
    const perturb_measures *m = &s->run.measures[at[1] * plan->slot_count + at[2]];
    size_t k = photo_score_at(&s->run, at[0], at[1], at[2]);
    const char *arm = NULL;
    tare_reason reason = b->reason ? b->reason : (tare_reason)s->scores.status[k];
    TRY(photo_arm_name(&arm, &result->a, b, slot, err));
    cell *row = result_add_row(result, t);
    if (!row) FAIL_MEMORY(err);
    put_text(&row[0], b->id);
    put_text(&row[1], arm);
    put_number(&row[2], slot->op ? slot->dose : b->dose);
    put_text(&row[3], scorer_describe(s->run.scorers[at[0]])->name);
    put_number(&row[4], s->scores.value[k]);
    put_text(&row[5], reason ? tare_reason_name(reason) : "ok");
    put_number(&row[6], slot->op ? m->tone.ita : b->attribute);
    put_number(&row[7], slot->op ? m->clip_frac : b->artifact);
    put_text(&row[8], b->cluster);
    put_text(&row[9], b->group);
    put_text(&row[10], b->kind);
done:
    return status;
}

tare_status photo_table_scores(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {"base",   "arm",       "dose",     "scorer",
                                          "score",  "status",    "attribute", "artifact",
                                          "cluster", "group",    "kind"};
    tare_status status = TARE_OK;
    result_table *t =
        result_add_table(result, "scores", "Every score as the instrument gave it", columns,
                         sizeof columns / sizeof *columns);
    if (!t) return error_memory(err);
    for (size_t scorer = 0; scorer < s->run.scorer_count; scorer++)
        for (size_t b = 0; b < s->plan.base_count; b++)
            for (size_t k = 0; k < s->plan.slot_count; k++)
                TRY(add_score(s, result, t, (size_t[3]){scorer, b, k}, err));
done:
    return status;
}

static tare_status scorer_facts(const scorer_description *d, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *section = arena_printf(&r->a, "Scorer %s", d->name);
    const char *batch = arena_printf(&r->a, "%zu", d->batch);
    const char *identity = arena_printf(&r->a, "%.16s", d->identity_hash);
    if (!section || !batch || !identity) FAIL_MEMORY(err);
    TRY(result_fact_add(r, section, "spec", d->spec, err));
    TRY(result_fact_add(r, section, "identity", d->identity, err));
    TRY(result_fact_add(r, section, "identity, short", identity, err));
    TRY(result_fact_add(r, section, "runtime", d->runtime, err));
    TRY(result_fact_add(r, section, "better scores are", d->sign > 0 ? "higher" : "lower", err));
    TRY(result_fact_add(r, section, "items per call", batch, err));
    if (*d->source) TRY(result_fact_add(r, section, "source", d->source, err));
    if (*d->licence) TRY(result_fact_add(r, section, "licence", d->licence, err));
    if (!d->identified)
        TRY(result_fact_add(r, section, "caution", "instrument not identified: it gave no "
                            "fingerprint", err));
done:
    return status;
}

/* Paths and the output folder differ between machines and say nothing about the numbers. */
static bool is_printed(const tare_option_info *o)
{
    return o->type != TARE_OPTION_PATH;
}

tare_status photo_facts(photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_job_info *info = &s->job->class_->info;
    const char *counts = arena_printf(&r->a, "%zu photographs, %zu other files ignored",
                                      s->plan.base_count, s->plan.ignored);
    if (!counts) FAIL_MEMORY(err);
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", info->name, err));
    TRY(result_fact_add(r, "Run", "found", counts, err));
    for (size_t i = 0; i < info->option_count; i++) {
        const tare_option_info *o = &info->options[i];
        if (!is_printed(o) || o->repeats) continue;
        const char *value = job_text(s->job, o->name);
        if (value) TRY(result_fact_add(r, o->section, o->name, value, err));
    }
    for (size_t i = 0; i < s->run.scorer_count; i++)
        TRY(scorer_facts(scorer_describe(s->run.scorers[i]), r, err));
    if (s->plan.denied)
        TRY(result_caution(r, err, "%zu folders could not be entered and are not in this audit; "
                           "the first: %s", s->plan.denied, s->plan.first_denied));
done:
    return status;
}
