/* Tables with a row per variant, made row by row when they are written. */
#include <math.h>
#include <string.h>

#include "audit/photos/photo_prompts.h"
#include "audit/photos/photo_session.h"
#include "base/error.h"
#include "base/hash.h"

/* The rows of one base: each slot as every axis that has it, so that every arm in a table is
 * complete. axis SIZE_MAX: photographs as they are. */
struct base_row { size_t slot, axis, dose; };
/* Which rows of which bases are in a table. */
struct table_row { uint32_t base, row; };

/* What the tables with a row per variant are made from when they are written: the run is closed
 * then. All of it lives in the arena of the result. */
struct variant_tables {
    photo_run run;
    photo_plan plan;
    photo_scores scores;
    struct base_row *rows;       /* [per_base] */
    size_t per_base;
    struct table_row *listed;    /* [listed_count] */
    size_t listed_count;
    unsigned char (*hash)[SHA256_BYTES]; /* [base][plan_rows] */
    const char **file;           /* [base][plan_rows] or NULL: none were kept */
    bool prompts;                /* scores have a column of what was asked */
    const char *of_run;          /* --prompt, in the arena */
};

static tare_status list_rows(struct variant_tables *x, arena *a, tare_error *err)
{
    const photo_plan *plan = &x->plan;
    size_t most = plan->slot_count;
    for (size_t k = 0; k < plan->axis_count; k++) most += plan->axes[k].n_doses;
    x->rows = arena_new(a, most, sizeof *x->rows);
    if (!x->rows) return error_memory(err);
    for (size_t slot = 0; slot < plan->slot_count; slot++) {
        if (!plan->axis_count) x->rows[x->per_base++] = (struct base_row){slot, SIZE_MAX, 0};
        for (size_t k = 0; k < plan->axis_count; k++)
            for (size_t d = 0; d < plan->axes[k].n_doses; d++)
                if (plan->axes[k].slot[d] == slot)
                    x->rows[x->per_base++] = (struct base_row){slot, k, d};
    }
    return TARE_OK;
}

static bool is_for(const plan_base *b, const photo_plan *plan, size_t axis)
{
    const char *only = axis < plan->axis_count ? plan->axes[axis].only : NULL;
    return !only || !strcmp(only, b->arm);
}

/* Row of the measures, and of the hashes. */
static size_t row_of(const struct variant_tables *x, size_t base, const struct base_row *r)
{
    if (r->axis != SIZE_MAX) return photo_row(&x->run, base, r->axis, r->dose);
    return base * plan_rows(&x->plan) + r->slot;
}

/* made: only variants that there are. */
static tare_status list_table(struct variant_tables *x, arena *a, bool made, tare_error *err)
{
    size_t most = x->plan.base_count * x->per_base;
    x->listed = arena_raw(a, most, sizeof *x->listed);
    if (!x->listed) return error_memory(err);
    for (size_t i = 0; i < x->plan.base_count; i++)
        for (size_t k = 0; k < x->per_base; k++) {
            size_t axis = x->rows[k].axis;
            if (!is_for(&x->plan.bases[i], &x->plan, axis)) continue;
            if (made && axis != SIZE_MAX && plan_axis_reason(&x->plan, i, axis)) continue;
            if (made && !x->run.measures.state[row_of(x, i, &x->rows[k])]) continue;
            x->listed[x->listed_count++] = (struct table_row){(uint32_t)i, (uint32_t)k};
        }
    return TARE_OK;
}

/* As it is called in the tables. */
static const char *arm_of(const struct variant_tables *x, size_t base, const struct base_row *r)
{
    return photo_arm_of(&x->run, base, r->axis);
}

struct row_numbers { double dose, attribute, artifact; };

static struct row_numbers numbers_of(const struct variant_tables *x, size_t base,
                                     const struct base_row *r)
{
    const plan_base *b = &x->plan.bases[base];
    if (r->axis == SIZE_MAX) return (struct row_numbers){b->dose, b->attribute, b->artifact};
    return (struct row_numbers){x->plan.axes[r->axis].doses[r->dose],
                                photo_attribute(&x->run, base, r->axis, r->dose),
                                photo_artifact(&x->run, base, r->axis, r->dose)};
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

static tare_status variant_row(const void *arg, cell *row, size_t index, arena *scratch,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const struct variant_tables *x = arg;
    size_t base = x->listed[index].base;
    const struct base_row *r = &x->rows[x->listed[index].row];
    const plan_base *b = &x->plan.bases[base];
    size_t at = row_of(x, base, r);
    perturb_measures m = photo_measures_at(&x->run.measures, at);
    struct row_numbers n = numbers_of(x, base, r);
    char hash[SHA256_HEX], *kept = NULL;
    sha256_hex(x->hash[at], hash);
    TRY_NEW(kept = arena_copy(scratch, hash));
    const char *file = x->file && x->file[at] ? x->file[at] : "";
    const char *words[] = {b->shown, arm_of(x, base, r), photo_cluster(b), b->group, b->kind,
                           file, kept};
    for (int k = 0; k < 7; k++) row[k] = words_cell(words[k]);
    const double numbers[] = {n.dose,       n.attribute,      n.artifact, m.clip_mag,
                              m.edit_support, m.edit_image,   m.tone.lightness,
                              m.tone.b,     m.tone.chroma,    m.tone.hue};
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
    size_t at = (size_t)v->base * plan_rows(&r->x->plan) + (size_t)v->slot;
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
    size_t variants = plan->base_count * plan_rows(plan);
    arena *a = &result->a;
    result_table *t = result_add_table(result, "variants",
                                       "Every variant and what was measured on it", columns,
                                       sizeof columns / sizeof *columns);
    if (!t) FAIL_MEMORY(err);
    TRY(tables_of(&x, s, result, err));
    TRY_NEW(x->hash = arena_new(a, variants, sizeof *x->hash));
    if (plan->keep_variants) TRY_NEW(x->file = arena_new(a, variants, sizeof *x->file));
    TRY(store_each_variant(s->run.store, read_variant,
                           &(struct variant_reader){x, s, result}, err));
    TRY(list_table(x, a, true, err));
    t->row_count = x->listed_count;
    t->make = variant_row;
    t->arg = x;
done:
    return status;
}

/* Why it was not asked, or has no score. */
static const char *note_of(const struct variant_tables *x, size_t base, size_t axis, size_t score)
{
    const char *why = axis == SIZE_MAX ? x->plan.bases[base].why
                                       : plan_axis_why(&x->plan, base, axis);
    bool asked = !*why && x->scores.status[score];
    const char *said = asked ? photo_score_said(&x->scores, score) : NULL;
    return *why ? why : said ? said : "";
}

static tare_status score_row(const void *arg, cell *row, size_t index, arena *scratch,
                             tare_error *err)
{
    (void)scratch, (void)err;
    const struct variant_tables *x = arg;
    const struct table_row *listed = &x->listed[index % x->listed_count];
    const struct base_row *r = &x->rows[listed->row];
    size_t base = listed->base, scorer = index / x->listed_count;
    const plan_base *b = &x->plan.bases[base];
    struct row_numbers n = numbers_of(x, base, r);
    size_t k = photo_score_at(&x->run, scorer, base, r->slot);
    tare_reason reason = r->axis == SIZE_MAX ? b->reason
                                             : plan_axis_reason(&x->plan, base, r->axis);
    bool asked = !reason;
    if (asked) reason = (tare_reason)x->scores.status[k];
    row[0] = words_cell(b->shown);
    row[1] = words_cell(arm_of(x, base, r));
    row[2] = number_cell(n.dose);
    row[3] = words_cell(x->run.instrument[scorer].name);
    row[4] = number_cell(asked ? x->scores.value[k] : NAN);
    row[5] = words_cell(reason ? tare_reason_name(reason) : "ok");
    row[6] = number_cell(n.attribute);
    row[7] = number_cell(n.artifact);
    row[8] = words_cell(photo_cluster(b));
    row[9] = words_cell(b->group);
    row[10] = words_cell(b->kind);
    row[11] = words_cell(note_of(x, base, r->axis, k));
    if (x->prompts) row[12] = words_cell(photo_prompt_of(&x->run, scorer, base, x->of_run));
    return TARE_OK;
}

/* Where all scores come of one prompt, or of none, there is nothing to tell apart. */
static bool prompts_vary(const photo_run *run)
{
    bool own = false;
    for (size_t k = 0; k < run->scorer_count; k++) {
        if (run->instrument[k].asked) return true;
        own = own || (run->instrument[k].takes_prompt && run->plan->prompts);
    }
    return own;
}

tare_status photo_table_scores(photo_session *s, audit_result *result, tare_error *err)
{
    static const char *const columns[] = {"base",   "arm",       "dose",     "scorer",
                                          "score",  "status",    "attribute", "artifact",
                                          "cluster", "group",    "kind",      "note",
                                          "prompt"};
    tare_status status = TARE_OK;
    struct variant_tables *x = NULL;
    bool prompts = prompts_vary(&s->run);
    result_table *t = result_add_table(result, "scores", "Every score as the instrument gave it",
                                       columns, sizeof columns / sizeof *columns - !prompts);
    if (!t) FAIL_MEMORY(err);
    TRY(tables_of(&x, s, result, err));
    x->prompts = prompts;
    TRY_NEW(x->of_run = arena_copy(&result->a, photo_prompt_of_run(s->job)));
    TRY(list_table(x, &result->a, false, err));
    t->row_count = s->run.scorer_count * x->listed_count;
    t->make = score_row;
    t->arg = x;
done:
    return status;
}
