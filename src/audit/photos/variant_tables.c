/* Tables with a row per variant, made row by row when they are written. */
#include <string.h>

#include "audit/photos/photo_session.h"
#include "base/error.h"
#include "base/hash.h"

/* The rows of one base: each slot as what it is, and the neutral one also as the neutral dose of
 * each placebo, which shares it: so every arm in a table is complete. */
struct base_row { size_t slot; plan_slot as; };

/* What the tables with a row per variant are made from when they are written: the run is closed
 * then. All of it lives in the arena of the result. */
struct variant_tables {
    photo_run run;
    photo_plan plan;
    photo_scores scores;
    struct base_row *rows;       /* [per_base] */
    size_t per_base;
    const size_t *made;          /* bases whose variants were made */
    unsigned char (*hash)[SHA256_BYTES]; /* [base][slot] */
    const char **file;           /* [base][slot] or NULL: none were kept */
};

static tare_status list_rows(struct variant_tables *x, arena *a, tare_error *err)
{
    const photo_plan *plan = &x->plan;
    x->rows = arena_new(a, 2 * plan->slot_count, sizeof *x->rows);
    if (!x->rows) return error_memory(err);
    for (size_t slot = 0; slot < plan->slot_count; slot++) {
        const perturb_operator *last = NULL;
        x->rows[x->per_base++] = (struct base_row){slot, plan->slots[slot]};
        for (size_t k = 0; slot == plan->neutral_slot && k < plan->slot_count; k++) {
            const plan_slot *p = &plan->slots[k];
            if (!p->placebo || p->op == last) continue;
            last = p->op;
            x->rows[x->per_base++] = (struct base_row){slot, {p->op, p->op->neutral, true, p->axis}};
        }
    }
    return TARE_OK;
}

static tare_status tables_of(struct variant_tables **out, const photo_session *s,
                             audit_result *result, tare_error *err)
{
    tare_status status = TARE_OK;
    struct variant_tables *x = arena_new(&result->a, 1, sizeof *x);
    if (!x) FAIL_MEMORY(err);
    x->run = s->run;
    x->plan = s->plan;
    x->scores = s->scores;
    x->run.plan = &x->plan;
    x->run.store = NULL; /* not open any more when the rows are made */
    x->run.scorers = NULL;
    x->run.room = NULL;
    TRY(list_rows(x, &result->a, err));
    *out = x;
done:
    return status;
}

static const perturb_measures *measures_at(const struct variant_tables *x, size_t base,
                                           size_t slot)
{
    return &x->run.measures[base * x->plan.slot_count + slot];
}

static tare_status variant_row(const void *arg, cell *row, size_t index, arena *scratch,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const struct variant_tables *x = arg;
    size_t base = x->made[index / x->per_base];
    const struct base_row *r = &x->rows[index % x->per_base];
    const plan_base *b = &x->plan.bases[base];
    const perturb_measures *m = measures_at(x, base, r->slot);
    size_t at = base * x->plan.slot_count + r->slot;
    const char *arm = NULL;
    char hash[SHA256_HEX], *kept = NULL;
    TRY(photo_arm_name(&arm, scratch, b->arm, r->as.op, err));
    sha256_hex(x->hash[at], hash);
    TRY_NEW(kept = arena_copy(scratch, hash));
    const char *file = x->file && x->file[at] ? x->file[at] : "";
    const char *words[] = {b->shown, arm, photo_cluster(b), b->group, b->kind, file, kept};
    for (int k = 0; k < 7; k++) row[k] = words_cell(words[k]);
    const double numbers[] = {r->as.dose,        m->tone.ita,     m->clip_frac,
                              m->clip_mag,       m->edit_support, m->edit_image,
                              m->tone.lightness, m->tone.b,       m->tone.chroma,
                              m->tone.hue};
    for (int k = 0; k < 10; k++) row[7 + k] = number_cell(numbers[k]);
done:
    return status;
}

static bool parse_digest(unsigned char out[SHA256_BYTES], const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(hex) != 2 * SHA256_BYTES || strspn(hex, digits) != 2 * SHA256_BYTES) return false;
    for (size_t k = 0; k < SHA256_BYTES; k++)
        out[k] = (unsigned char)((strchr(digits, hex[2 * k]) - digits) << 4 |
                                 (strchr(digits, hex[2 * k + 1]) - digits));
    return true;
}

struct variant_reader { struct variant_tables *x; photo_session *s; audit_result *result; };

/* What only the store knows of a variant: its pixels, and where they lie if they were kept. */
static tare_status read_variant(void *arg, const store_variant *v, tare_error *err)
{
    tare_status status = TARE_OK;
    struct variant_reader *r = arg;
    arena *a = &r->result->a;
    size_t at = (size_t)v->base * r->x->plan.slot_count + (size_t)v->slot;
    const char *blob = NULL;
    if (!parse_digest(r->x->hash[at], v->pixels_hash))
        FAIL(err, TARE_E_DATA, "run.variant", r->x->plan.bases[v->base].id,
             "the run folder has a variant without the SHA-256 of its pixels");
    if (!r->x->file) goto done;
    TRY(photo_recall_file(&blob, &r->s->run, a, v->pixels_hash, err));
    if (blob) TRY_NEW(r->x->file[at] = arena_printf(a, "blobs/%.2s/%s.png", blob, blob));
done:
    return status;
}

tare_status photo_table_variants(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {
        "base", "arm", "cluster", "group", "kind", "file", "pixels_sha256", "dose", "attribute",
        "artifact", "clip_mag", "edit_support", "edit_image", "lightness", "b", "chroma", "hue"};
    tare_status status = TARE_OK;
    struct variant_tables *x = NULL;
    const photo_plan *plan = &s->plan;
    size_t variants = plan->base_count * plan->slot_count, made = 0, *bases;
    arena *a = &result->a;
    result_table *t = result_add_table(result, "variants",
                                       "Every variant and what was measured on it", columns,
                                       sizeof columns / sizeof *columns);
    if (!t) FAIL_MEMORY(err);
    TRY(tables_of(&x, s, result, err));
    TRY_NEW(x->hash = arena_new(a, variants, sizeof *x->hash));
    TRY_NEW(bases = arena_new(a, plan->base_count, sizeof *bases));
    if (plan->keep_variants) TRY_NEW(x->file = arena_new(a, variants, sizeof *x->file));
    TRY(store_each_variant(s->run.store, read_variant,
                           &(struct variant_reader){x, s, result}, err));
    for (size_t i = 0; i < plan->base_count; i++)
        if (s->run.measured[i]) bases[made++] = i;
    x->made = bases;
    t->row_count = made * x->per_base;
    t->make = variant_row;
    t->arg = x;
done:
    return status;
}

static tare_status score_row(const void *arg, cell *row, size_t index, arena *scratch,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const struct variant_tables *x = arg;
    const struct base_row *r = &x->rows[index % x->per_base];
    size_t base = index / x->per_base % x->plan.base_count;
    size_t scorer = index / x->per_base / x->plan.base_count;
    const plan_base *b = &x->plan.bases[base];
    const perturb_measures *m = measures_at(x, base, r->slot);
    size_t k = photo_score_at(&x->run, scorer, base, r->slot);
    const char *arm = NULL;
    tare_reason reason = b->reason ? b->reason : (tare_reason)x->scores.status[k];
    TRY(photo_arm_name(&arm, scratch, b->arm, r->as.op, err));
    row[0] = words_cell(b->shown);
    row[1] = words_cell(arm);
    row[2] = number_cell(r->as.op ? r->as.dose : b->dose);
    row[3] = words_cell(x->run.instrument[scorer].name);
    row[4] = number_cell(x->scores.value[k]);
    row[5] = words_cell(reason ? tare_reason_name(reason) : "ok");
    row[6] = number_cell(r->as.op ? m->tone.ita : b->attribute);
    row[7] = number_cell(r->as.op ? m->clip_frac : b->artifact);
    row[8] = words_cell(photo_cluster(b));
    row[9] = words_cell(b->group);
    row[10] = words_cell(b->kind);
    row[11] = words_cell(b->reason ? b->why : x->scores.why[k] ? x->scores.why[k] : "");
done:
    return status;
}

tare_status photo_table_scores(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {"base",   "arm",       "dose",     "scorer",
                                          "score",  "status",    "attribute", "artifact",
                                          "cluster", "group",    "kind",      "note"};
    tare_status status = TARE_OK;
    struct variant_tables *x = NULL;
    result_table *t = result_add_table(result, "scores", "Every score as the instrument gave it",
                                       columns, sizeof columns / sizeof *columns);
    if (!t) FAIL_MEMORY(err);
    TRY(tables_of(&x, s, result, err));
    t->row_count = s->run.scorer_count * s->plan.base_count * x->per_base;
    t->make = score_row;
    t->arg = x;
done:
    return status;
}
