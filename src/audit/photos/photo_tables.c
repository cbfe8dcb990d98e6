/* What a run on photographs says besides its readings: variants, scores, how it was made. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_decoding.h"
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
    size_t base, slot;
    const char *file, *hash;
};

/* Call `row` for the variant as what it is, and for the neutral one also as the neutral dose of
 * each placebo, which shares it: so every arm in a table is complete. */
static tare_status as_each(const photo_plan *plan, size_t slot, void *arg,
                           tare_status (*row)(void *arg, const plan_slot *as, tare_error *err),
                           tare_error *err)
{
    tare_status status = row(arg, &plan->slots[slot], err);
    const perturb_operator *last = NULL;
    for (size_t k = 0; status == TARE_OK && slot == plan->neutral_slot && k < plan->slot_count;
         k++) {
        const plan_slot *p = &plan->slots[k];
        if (!p->placebo || p->op == last) continue;
        last = p->op;
        status = row(arg, &(plan_slot){p->op, p->op->neutral, true}, err);
    }
    return status;
}

static tare_status put_variant(void *arg, const plan_slot *as, tare_error *err)
{
    tare_status status = TARE_OK;
    struct variant_rows *x = arg;
    const photo_plan *plan = &x->s->plan;
    const plan_base *b = &plan->bases[x->base];
    const perturb_measures *m = &x->s->run.measures[x->base * plan->slot_count + x->slot];
    const char *arm = NULL;
    TRY(photo_arm_name(&arm, &x->result->a, b->arm, as->op, err));
    cell *row = result_add_row(x->result, x->table);
    if (!row) FAIL_MEMORY(err);
    const char *words[] = {b->shown, arm, photo_cluster(b), b->group, b->kind, x->file, x->hash};
    for (int k = 0; k < 7; k++) put_text(&row[k], words[k]);
    const double numbers[] = {as->dose,          m->tone.ita,     m->clip_frac,
                              m->clip_mag,       m->edit_support, m->edit_image,
                              m->tone.lightness, m->tone.b,       m->tone.chroma,
                              m->tone.hue};
    for (int k = 0; k < 10; k++) put_number(&row[7 + k], numbers[k]);
done:
    return status;
}

static tare_status add_variant(void *arg, const store_variant *v, tare_error *err)
{
    tare_status status = TARE_OK;
    struct variant_rows *x = arg;
    arena *a = &x->result->a;
    const char *blob = NULL;
    x->base = (size_t)v->base;
    x->slot = (size_t)v->slot;
    x->file = "";
    TRY_NEW(x->hash = arena_copy(a, v->pixels_hash));
    TRY(photo_recall_file(&blob, &x->s->run, a, x->hash, err));
    if (blob) TRY_NEW(x->file = arena_printf(a, "blobs/%.2s/%s.png", blob, blob));
    TRY(as_each(&x->s->plan, x->slot, x, put_variant, err));
done:
    return status;
}

tare_status photo_table_variants(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {
        "base", "arm", "cluster", "group", "kind", "file", "pixels_sha256", "dose", "attribute",
        "artifact", "clip_mag", "edit_support", "edit_image", "lightness", "b", "chroma", "hue"};
    struct variant_rows x = {.s = s, .result = result};
    x.table = result_add_table(result, "variants", "Every variant and what was measured on it",
                               columns, sizeof columns / sizeof *columns);
    if (!x.table) return error_memory(err);
    return store_each_variant(s->run.store, add_variant, &x, err);
}

struct score_rows {
    photo_session *s;
    audit_result *result;
    result_table *table;
    size_t scorer, base, slot;
};

static tare_status put_score(void *arg, const plan_slot *as, tare_error *err)
{
    tare_status status = TARE_OK;
    struct score_rows *x = arg;
    const photo_session *s = x->s;
    const plan_base *b = &s->plan.bases[x->base];
    const perturb_measures *m = &s->run.measures[x->base * s->plan.slot_count + x->slot];
    size_t k = photo_score_at(&s->run, x->scorer, x->base, x->slot);
    const char *arm = NULL;
    tare_reason reason = b->reason ? b->reason : (tare_reason)s->scores.status[k];
    TRY(photo_arm_name(&arm, &x->result->a, b->arm, as->op, err));
    cell *row = result_add_row(x->result, x->table);
    if (!row) FAIL_MEMORY(err);
    put_text(&row[0], b->shown);
    put_text(&row[1], arm);
    put_number(&row[2], as->op ? as->dose : b->dose);
    put_text(&row[3], s->run.instrument[x->scorer].name);
    put_number(&row[4], s->scores.value[k]);
    put_text(&row[5], reason ? tare_reason_name(reason) : "ok");
    put_number(&row[6], as->op ? m->tone.ita : b->attribute);
    put_number(&row[7], as->op ? m->clip_frac : b->artifact);
    put_text(&row[8], photo_cluster(b));
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
    struct score_rows x = {.s = s, .result = result};
    x.table = result_add_table(result, "scores", "Every score as the instrument gave it", columns,
                               sizeof columns / sizeof *columns);
    if (!x.table) return error_memory(err);
    for (x.scorer = 0; x.scorer < s->run.scorer_count; x.scorer++)
        for (x.base = 0; x.base < s->plan.base_count; x.base++)
            for (x.slot = 0; x.slot < s->plan.slot_count; x.slot++)
                TRY(as_each(&s->plan, x.slot, &x, put_score, err));
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
    TRY(result_log_add(r, section, "runtime", d->runtime, err)); /* names the CPU */
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
    const char *hash = NULL;
    TRY(store_get(&hash, s->run.store, &r->a, "plan.hash", err));
    if (hash) TRY(result_fact_add(r, "Run", "list of photographs, SHA-256", hash, err));
    for (size_t i = 0; i < info->option_count; i++) {
        const tare_option_info *o = &info->options[i];
        if (!is_printed(o) || o->repeats) continue;
        const char *value = job_text(s->job, o->name);
        if (value) TRY(result_fact_add(r, o->section, o->name, value, err));
    }
    TRY(photo_decoding_facts(s, r, err));
    for (size_t i = 0; i < s->run.scorer_count; i++)
        TRY(scorer_facts(&s->run.instrument[i], r, err));
    if (s->plan.unused_columns)
        TRY(result_caution(r, err, "Columns of the manifest that were not used: %s. A grouping is "
                           "named by --group COLUMN.", s->plan.unused_columns));
    if (s->plan.ignored)
        TRY(result_caution(r, err, "Files that are no images were ignored: %zu; the first: %s. The "
                           "table `ignored` names them.", s->plan.ignored, s->plan.first_ignored));
    if (s->plan.denied)
        TRY(result_caution(r, err, "%zu folders could not be entered and are not in this audit; "
                           "the first: %s", s->plan.denied, s->plan.first_denied));
done:
    return status;
}
