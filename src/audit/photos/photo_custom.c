#include "audit/photos/photo_custom.h"

#include <math.h>
#include <string.h>

#include "audit/photos/manifest.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/text.h"
#include "table/table.h"

enum { DOSES_MOST = 64 };

static const table_role dose_role = {.role = "dose", .names = "dose", .kind = TABLE_NUMBER};

tare_status photo_custom_is(bool *custom, tare_context *context, const char *path,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    table *t = NULL;
    table_role dose = dose_role;
    *custom = false;
    if (os_gives_once(path)) goto done;
    TRY(table_open(&t, &context->mem, context->pool, path, NULL, err));
    TRY(table_find_roles(t, &dose, 1, err));
    *custom = dose.column != TABLE_NONE;
done:
    table_free(t);
    return status;
}

bool photo_custom_option(const tare_job *job, const char *name)
{
    const tare_job_info *info = &job->class_->info;
    for (size_t i = 0; i < info->option_count; i++)
        if (!strcmp(info->options[i].name, name)) return true;
    return false;
}

/* The rows of the manifest on their way to bases. */
typedef struct folding {
    const tare_job *job;
    const char *path;
    double neutral_wanted; /* NaN: not said */
    const table *t;
    plan_base *rows;
    size_t row_count;
    double *dose;          /* [dose_count] ascending */
    uint32_t *code;        /* [row_count]            */
    size_t dose_count, neutral;
    size_t *first;         /* [bases] first row      */
    size_t *of;            /* [row_count] its base   */
    size_t *at;            /* [bases][dose_count] row + 1; 0: none */
} folding;

/* "FILE:LINE" */
static const char *line_of(char where[TABLE_WHERE_MAX], const folding *f, size_t row)
{
    table_where(where, f->t, row, TABLE_NONE);
    return where;
}

/* ---- Doses ----------------------------------------------------------------------------------- */

static tare_status find_doses(folding *f, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    double *dose = NULL, *levels = NULL;
    TRY_NEW(dose = mem_new(a->m, f->row_count, sizeof *dose));
    TRY_NEW(f->code = mem_new(a->m, f->row_count, sizeof *f->code));
    for (size_t i = 0; i < f->row_count; i++) dose[i] = f->rows[i].dose;
    TRY(table_code_numbers(f->code, &levels, &f->dose_count, a->m, dose, f->row_count, err));
    if (f->dose_count > DOSES_MOST)
        FAIL(err, TARE_E_DATA, "manifest.doses", f->path, "%zu different doses; at most %d: doses "
             "of different bases must be the same numbers", f->dose_count, (int)DOSES_MOST);
    if (f->dose_count < 2)
        FAIL(err, TARE_E_DATA, "manifest.doses", f->path, "only one dose, %g: there is nothing to "
             "compare it with", levels[0]);
    TRY_NEW(f->dose = arena_new(a, f->dose_count, sizeof *f->dose));
    memcpy(f->dose, levels, f->dose_count * sizeof *levels);
done:
    mem_free(a->m, dose);
    mem_free(a->m, levels);
    return status;
}

static size_t dose_at(const folding *f, double dose)
{
    for (size_t d = 0; d < f->dose_count; d++)
        if (f->dose[d] == dose) return d;
    return SIZE_MAX;
}

static tare_status find_neutral(folding *f, tare_error *err)
{
    tare_status status = TARE_OK;
    double said = f->neutral_wanted;
    if (!isnan(said)) {
        f->neutral = dose_at(f, said);
        if (f->neutral == SIZE_MAX)
            FAIL(err, TARE_E_USAGE, "manifest.neutral", f->path,
                 "no row has the neutral dose %g that was asked for", said);
        goto done;
    }
    f->neutral = dose_at(f, 0);
    if (f->neutral == SIZE_MAX) f->neutral = dose_at(f, 1);
    if (f->neutral == SIZE_MAX)
        FAIL(err, TARE_E_USAGE, "manifest.neutral", f->path, "no row has dose 0 or dose 1: name "
             "the dose of the photographs as they are by --neutral");
done:
    return status;
}

/* ---- Bases ----------------------------------------------------------------------------------- */

/* What a base is called by must be the same in all its rows. */
static tare_status check_labels(const folding *f, size_t first, size_t row, tare_error *err)
{
    const plan_base *x = &f->rows[first], *y = &f->rows[row];
    const struct { const char *role, *x, *y; } label[] = {{"arm", x->arm, y->arm},
                                                          {"kind", x->kind, y->kind},
                                                          {"cluster", x->cluster, y->cluster},
                                                          {"prompt", x->prompt, y->prompt},
                                                          {"group", x->group, y->group}};
    char where[TABLE_WHERE_MAX];
    for (size_t k = 0; k < sizeof label / sizeof *label; k++)
        if (strcmp(label[k].x, label[k].y))
            return error_set(err, TARE_E_DATA, "manifest.varies", line_of(where, f, row),
                             "the %s of base %.80s is \"%.60s\" here and \"%.60s\" in line %zu: "
                             "the rows of one base must agree", label[k].role, y->id,
                             label[k].y, label[k].x, table_line(f->t, first));
    return TARE_OK;
}

static tare_status fold_rows(folding *f, const mem *m, size_t *bases, tare_error *err)
{
    tare_status status = TARE_OK;
    char where[TABLE_WHERE_MAX];
    map *ids = map_new(m);
    if (!ids) FAIL_MEMORY(err);
    TRY_NEW(f->of = mem_new(m, f->row_count, sizeof *f->of));
    TRY_NEW(f->first = mem_new(m, f->row_count, sizeof *f->first));
    for (size_t i = 0; i < f->row_count; i++) {
        bool is_new;
        f->of[i] = map_add(ids, f->rows[i].id, strlen(f->rows[i].id), &is_new);
        if (f->of[i] == SIZE_MAX) FAIL_MEMORY(err);
        if (is_new) f->first[f->of[i]] = i;
        else TRY(check_labels(f, f->first[f->of[i]], i, err));
    }
    *bases = map_count(ids);
    TRY_NEW(f->at = mem_new(m, *bases, f->dose_count * sizeof *f->at));
    for (size_t i = 0; i < f->row_count; i++) {
        size_t *place = &f->at[f->of[i] * f->dose_count + f->code[i]];
        if (*place)
            FAIL(err, TARE_E_DATA, "manifest.twice", line_of(where, f, i), "base %.80s has dose %g "
                 "here and in line %zu: each dose of a base may be named once", f->rows[i].id,
                 f->rows[i].dose, table_line(f->t, *place - 1));
        *place = i + 1;
    }
done:
    map_free(ids);
    return status;
}

/* One base of its rows. */
static tare_status make_base(plan_base *b, const folding *f, size_t index, arena *a,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t *at = &f->at[index * f->dose_count];
    const char **file;
    double *attribute, *artifact;
    char neutral[NUMBER_TEXT_MAX];
    *b = f->rows[f->first[index]];
    b->mask = b->silhouette = NULL;
    b->band_top = b->band_bottom = 0;
    b->dose = b->attribute = b->artifact = NAN;
    TRY_NEW(file = arena_new(a, f->dose_count, sizeof *file));
    TRY_NEW(attribute = arena_new(a, f->dose_count, sizeof *attribute));
    TRY_NEW(artifact = arena_new(a, f->dose_count, sizeof *artifact));
    for (size_t d = 0; d < f->dose_count; d++) {
        const plan_base *row = at[d] ? &f->rows[at[d] - 1] : NULL;
        file[d] = row ? row->file : NULL;
        attribute[d] = row ? row->attribute : NAN;
        artifact[d] = row ? row->artifact : NAN;
    }
    b->variant_file = file;
    b->variant_attribute = attribute;
    b->variant_artifact = artifact;
    if (file[f->neutral]) {
        b->file = file[f->neutral];
        goto done;
    }
    b->reason = TARE_R_NO_NEUTRAL;
    number_format(f->dose[f->neutral], neutral);
    TRY_NEW(b->why = arena_printf(a, "the manifest names no file of it at dose %s, which is the "
                                  "photograph as it is", neutral));
done:
    return status;
}

static tare_status make_plan(photo_plan *plan, const folding *f, size_t bases, tare_error *err)
{
    tare_status status = TARE_OK;
    plan_axis *axis;
    const char *name = NULL;
    if (photo_custom_option(f->job, "axis-name")) name = job_text(f->job, "axis-name");
    TRY_NEW(axis = arena_new(plan->a, 1, sizeof *axis));
    TRY_NEW(name = arena_copy(plan->a, name && *name ? name : "custom"));
    *axis = (plan_axis){.name = name, .doses = f->dose,
                        .n_doses = f->dose_count, .neutral = f->neutral, .role = PLAN_MAIN,
                        .partner = SIZE_MAX};
    TRY_NEW(plan->bases = arena_new(plan->a, bases, sizeof *plan->bases));
    for (size_t i = 0; i < bases; i++) TRY(make_base(&plan->bases[i], f, i, plan->a, err));
    TRY_NEW(plan->slots = arena_new(plan->a, f->dose_count, sizeof *plan->slots));
    for (size_t d = 0; d < f->dose_count; d++)
        plan->slots[d] = (plan_slot){NULL, f->dose[d], false, d == f->neutral ? SIZE_MAX : 0};
    plan->base_count = bases;
    plan->axes = axis;
    plan->axis_count = 1;
    plan->slot_count = f->dose_count;
    plan->neutral_slot = f->neutral;
done:
    return status;
}

static tare_status fold(void *arg, photo_plan *plan, const table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    folding *f = arg;
    const mem *m = plan->a->m;
    size_t bases = 0;
    f->t = t;
    f->rows = plan->bases;
    f->row_count = plan->base_count;
    TRY(find_doses(f, plan->a, err));
    TRY(find_neutral(f, err));
    TRY(fold_rows(f, m, &bases, err));
    TRY(make_plan(plan, f, bases, err));
done:
    mem_free(m, f->code);
    mem_free(m, f->first);
    mem_free(m, f->of);
    mem_free(m, f->at);
    return status;
}

tare_status photo_custom_plan(photo_plan *plan, const tare_job *job, const char *path,
                              const char *folder, tare_error *err)
{
    tare_status status = TARE_OK;
    folding f = {.job = job, .path = path, .neutral_wanted = NAN};
    if (photo_custom_option(job, "neutral")) f.neutral_wanted = job_number(job, "neutral");
    const manifest_options o = {folder, job_text(job, "group"), MANIFEST_CUSTOM};
    const manifest_then then = {fold, &f};
    TRY(manifest_read_then(plan, job->context, path, &o, &then, err));
    TRY(photo_plan_order(plan, err));
done:
    return status;
}

tare_status photo_custom_check_neutral(const photo_plan *plan, const tare_job *job,
                                       tare_error *err)
{
    char digits[NUMBER_TEXT_MAX];
    if (!photo_custom_option(job, "neutral") || !job_count(job, "neutral")) return TARE_OK;
    if (!plan->custom)
        return error_set(err, TARE_E_USAGE, "plan.custom", "neutral",
                         "--neutral is for variants of your own, and this run has none");
    double kept = plan->axes[0].doses[plan->axes[0].neutral];
    if (job_number(job, "neutral") == kept) return TARE_OK;
    number_format(kept, digits);
    return error_set(err, TARE_E_USAGE, "plan.custom", "neutral",
                     "--neutral: the run in this folder was made with the neutral dose %s: give "
                     "the same, or the photographs and another output folder", digits);
}
