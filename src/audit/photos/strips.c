#include "audit/photos/strips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_easel.h"
#include "audit/photos/sound_words.h"
#include "audit/photos/strip_pictures.h"
#include "base/error.h"
#include "image/encode.h"

/* ---- which bases -------------------------------------------------------------- */

struct pick { size_t base; const char *why; }; /* base: index in the arm */
struct ranked { double fi; size_t base; };

static int compare_ranked(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    if (a->fi != b->fi) return a->fi < b->fi ? -1 : 1;
    return a->base < b->base ? -1 : a->base > b->base;
}

/* FI_i of the first scorer (scorer audit 5.1), NaN where a score is missing. */
static double base_fidelity(const cube *c, size_t arm, size_t base)
{
    const cube_arm *x = &c->arm[arm];
    const double *s = cube_at(c, arm, 0)->s + base * x->doses;
    double sum[2] = {0, 0}, n[2] = {0, 0};
    for (size_t d = 0; d < x->doses; d++) {
        if (d == x->neutral) continue;
        sum[d > x->neutral] += s[d] - s[x->neutral];
        n[d > x->neutral] += 1;
    }
    if (!n[0] || !n[1]) return -(sum[0] + sum[1]) / (n[0] + n[1]); /* a one-sided operator */
    return -(sum[0] / n[0] + sum[1] / n[1]) / 2;
}

static void add_pick(struct pick *picks, size_t *n, size_t most, size_t base, const char *why)
{
    for (size_t k = 0; k < *n; k++)
        if (picks[k].base == base) return;
    if (*n < most) picks[(*n)++] = (struct pick){base, why};
}

static size_t most_clipped(const cube_arm *x)
{
    size_t best = 0;
    double most = -1;
    for (size_t i = 0; i < x->bases * x->doses; i++)
        if (x->artifact && x->artifact[i] > most) {
            most = x->artifact[i];
            best = i / x->doses;
        }
    return best;
}

static bool is_shown(const cube_arm *x, const struct pick *picks, size_t n, size_t group)
{
    for (size_t k = 0; k < n; k++)
        if (x->group[picks[k].base] == group) return true;
    return false;
}

static tare_status choose_by_result(struct pick *picks, size_t *n, size_t most, const cube *c,
                                    size_t arm, tare_error *err)
{
    const cube_arm *x = &c->arm[arm];
    struct ranked *order = mem_new(c->a->m, x->bases, sizeof *order);
    size_t known = 0;
    if (!order) return error_memory(err);
    for (size_t i = 0; i < x->bases && c->scorers; i++) {
        double fi = base_fidelity(c, arm, i);
        if (isfinite(fi)) order[known++] = (struct ranked){fi, i};
    }
    if (known) {
        qsort(order, known, sizeof *order, compare_ranked);
        add_pick(picks, n, most, order[known / 2].base, "typical: median FI of the first scorer");
        add_pick(picks, n, most, order[0].base, "extreme: lowest FI of the first scorer");
        add_pick(picks, n, most, order[known - 1].base, "extreme: highest FI of the first scorer");
    }
    if (x->bases) add_pick(picks, n, most, most_clipped(x), "most clipped pixels");
    for (size_t g = 0; x->group && g < x->groups; g++)
        for (size_t i = 0; i < x->bases; i++)
            if (x->group[i] == g) {
                /* A group that nobody stands for is shown however many there are. */
                add_pick(picks, n, is_shown(x, picks, *n, g) ? most : most + x->groups, i,
                         x->group_id[g]);
                break;
            }
    mem_free(c->a->m, order);
    return TARE_OK;
}

/* Those that the user named: faces are shown to others only by choice. */
static tare_status choose_named(struct pick *picks, size_t *n, const tare_job *job,
                                const cube_arm *x, size_t most, tare_error *err)
{
    for (size_t k = 0; k < job_count(job, "show"); k++) {
        const char *id = job_text_at(job, "show", k);
        size_t i = 0;
        while (i < x->bases && strcmp(x->base[i], id)) i++;
        if (i == x->bases)
            return error_set(err, TARE_E_USAGE, "audit.show", "--show",
                             "%s is not a photograph that was used", id);
        add_pick(picks, n, most, i, "chosen to be shown");
    }
    return TARE_OK;
}

/* ---- one base ------------------------------------------------------------------- */

/* What is needed to draw a base, made only if a picture is not in the run folder yet. */
struct easel {
    photo_session *s;
    size_t index; /* of the base in the plan */
    size_t axis;
    image photo;
    photo_easel from;
    bool ready;
    const char *gone; /* why the photograph or its mask cannot be read any more */
};

static tare_status easel_ready(struct easel *e, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_base *b = &e->s->plan.bases[e->index];
    if (e->ready || e->gone) return TARE_OK;
    tare_error seen = {0};
    e->from = (photo_easel){.run = &e->s->run, .base = e->index, .photo = &e->photo};
    status = photo_load_unchanged(&e->photo, &e->s->run, b, &seen);
    if (status == TARE_OK) status = photo_easel_open(&e->from, &seen);
    if (status == TARE_OK && e->from.person.reason)
        status = error_set(&seen, TARE_E_DATA, "strip.person", b->file, "%s", e->from.person.why);
    if (status == TARE_E_DATA) { /* a picture of another photograph would be a lie */
        TRY_NEW(e->gone = arena_printf(&e->s->job->result.a, "%s: %s", seen.where, seen.message));
        return TARE_OK;
    }
    if (status && err) *err = seen;
    TRY(status);
    e->ready = true;
done:
    return status;
}

static void easel_free(struct easel *e)
{
    if (e->from.run) photo_easel_close(&e->from);
    image_free(&e->photo, &e->s->job->context->mem);
}

/* A cell of a row: an axis at one of its doses; dose SIZE_MAX: what the axis is applied to. */
struct strip_cell { size_t axis, dose; };

static size_t cell_slot(const photo_plan *plan, struct strip_cell c)
{
    return c.dose == SIZE_MAX ? SIZE_MAX : plan->axes[c.axis].slot[c.dose];
}

/* *out stays without pixels where the variant cannot be made. */
static tare_status draw(image *out, struct easel *e, struct strip_cell c, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &e->s->job->context->mem;
    const plan_axis *x = &e->s->plan.axes[c.axis];
    perturb_variant v = {0};
    variant_failure failed = {TARE_R_NONE, ""};
    perturb_base *base = NULL;
    memset(out, 0, sizeof *out);
    if (x->op && c.dose == SIZE_MAX) {
        TRY(photo_easel_base(&base, &e->from, x->set, err));
        TRY((x->op->needs == PERTURB_NEEDS_TORSO ? strip_torso : strip_mask)(out, base, err));
        goto done;
    }
    if (!x->op && c.dose == x->neutral) {
        TRY(strip_thumbnail(out, m, &e->photo, NULL, err));
        goto done;
    }
    if (x->op) {
        const plan_slot slot = {x->op, x->doses[c.dose], false, c.axis};
        TRY_NEW(v.clip_map = mem_new(m, image_pixels(&e->photo), 1));
        TRY(photo_easel_variant(&v, &failed, &e->from, x, &slot, err));
    } else {
        TRY(photo_easel_file(&v, &failed, &e->from, x->slot[c.dose], err));
    }
    if (!failed.reason) TRY(strip_thumbnail(out, m, &v.picture, v.clip_map, err));
done:
    mem_free(m, v.clip_map);
    perturb_variant_free(&v, m);
    return status;
}

static void picture_name(char out[64], const struct easel *e, struct strip_cell c)
{
    const plan_axis *x = &e->s->plan.axes[c.axis];
    if (c.dose == SIZE_MAX && x->op && x->op->needs == PERTURB_NEEDS_TORSO)
        snprintf(out, 64, "strip.%zu.torso", e->index);
    else
        snprintf(out, 64, "strip.%zu.%zd", e->index, (ssize_t)cell_slot(&e->s->plan, c));
}

/* The PNG of one picture, from the run folder or made now and kept there. */
static tare_status picture(figure_cell *cell, struct easel *e, struct strip_cell c, arena *a,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &e->s->job->context->mem;
    photo_run *run = &e->s->run;
    image small = {0};
    unsigned char *png = NULL;
    char name[64], hash[65];
    const char *blob = NULL;
    size_t length = 0;
    picture_name(name, e, c);
    TRY(photo_recall_file(&blob, run, a, name, err));
    if (blob) {
        TRY(store_get_blob((char **)&png, &length, run->store, blob, ".png", err));
    } else {
        TRY(easel_ready(e, err));
        if (e->gone) goto done;
        TRY(draw(&small, e, c, err));
        if (!small.rgb) goto done;
        TRY(image_png_encode(&png, &length, m, &small, PNG_SMALL, err));
        TRY(store_put_blob(run->store, hash, png, length, ".png", err));
        TRY(photo_remember_file(run, name, hash, err));
    }
    TRY_NEW(cell->png = (unsigned char *)arena_text(a, (const char *)png, length));
    cell->png_length = length;
done:
    mem_free(m, png);
    image_free(&small, m);
    return status;
}

/* What was measured on it. */
static const char *measured(const struct easel *e, struct strip_cell c, const char *text, arena *a)
{
    const photo_run *run = &e->s->run;
    const perturb_operator *op = run->plan->axes[c.axis].op;
    double attribute = photo_attribute(run, e->index, c.axis, c.dose);
    double artifact = photo_artifact(run, e->index, c.axis, c.dose);
    if (text && op && op->attribute == PERTURB_ITA)
        text = arena_printf(a, "%s\nITA %.1f\u00b0", text, attribute);
    else if (text && isfinite(attribute))
        text = arena_printf(a, "%s\n%s %.3g", text, op ? "width ratio" : "attribute", attribute);
    if (text && op && op->artifact == PERTURB_CLIP_FRAC)
        text = arena_printf(a, "%s\nclipped %.1f %%", text, 100 * artifact);
    else if (text && isfinite(artifact))
        text = op ? arena_printf(a, "%s\nmoved by %.1f %%", text, 100 * artifact)
                  : arena_printf(a, "%s\nartifact %.3g", text, artifact);
    return text;
}

/* Dose, what was measured, and every score. */
static const char *caption(const struct easel *e, struct strip_cell c, arena *a)
{
    const photo_session *s = e->s;
    const plan_axis *x = &s->plan.axes[c.axis];
    double dose = x->doses[c.dose];
    size_t slot = cell_slot(&s->plan, c);
    const char *text = c.dose == x->neutral ? arena_copy(a, "original")
                       : !x->op             ? arena_printf(a, "dose %+g", dose)
                       : x->role == PLAN_MAIN
                           ? arena_printf(a, "%s %+g", x->op->unit, dose)
                       : x->op->sham_only ? arena_copy(a, x->op->name)
                                          : arena_printf(a, "%s: %s %+g", x->op->name,
                                                         x->op->unit, dose);
    text = measured(e, c, text, a);
    for (size_t k = 0; text && k < s->run.scorer_count; k++) {
        size_t at = photo_score_at(&s->run, k, e->index, slot);
        const char *name = s->run.instrument[k].name;
        text = s->scores.status[at]
                   ? arena_printf(a, "%s\n%s: %s", text, name,
                                  tare_reason_name((tare_reason)s->scores.status[at]))
                   : arena_printf(a, "%s\n%s %.4g", text, name, s->scores.value[at]);
    }
    return text;
}

/* What the axis is applied to, its doses, and the first dose of each of its placebos: replicates
 * look alike. */
static tare_status list_cells(struct strip_cell **out, size_t *count, const struct easel *e,
                              arena *a, tare_error *err)
{
    const photo_plan *plan = &e->s->plan;
    const plan_axis *x = &plan->axes[e->axis];
    *count = 0;
    *out = arena_new(a, 1 + x->n_doses + plan->axis_count, sizeof **out);
    if (!*out) return error_memory(err);
    if (x->op && x->op->needs != PERTURB_NEEDS_NOTHING)
        (*out)[(*count)++] = (struct strip_cell){e->axis, SIZE_MAX};
    for (size_t d = 0; d < x->n_doses; d++) (*out)[(*count)++] = (struct strip_cell){e->axis, d};
    for (size_t k = 0; k < plan->axis_count; k++) {
        const plan_axis *y = &plan->axes[k];
        bool beside = y->role == PLAN_PLACEBO && y->partner == e->axis;
        if (beside && !plan_axis_reason(plan, e->index, k))
            (*out)[(*count)++] = (struct strip_cell){k, y->neutral == 0 ? 1 : 0};
    }
    return TARE_OK;
}

static const char *legend(const plan_axis *x)
{
    return x->op && x->op->needs == PERTURB_NEEDS_TORSO
               ? "silhouette (red), torso band (violet)"
               : "mask (red), feather (violet)\nclipped pixels in the others are magenta";
}

static tare_status add_row(figure *f, audit_result *result, struct easel *e, const char *why,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = &e->s->plan;
    const plan_axis *x = &plan->axes[e->axis];
    arena *a = &result->a;
    const char *id = plan->bases[e->index].id;
    const char *title = arena_printf(a, "%s (%s)", id, why);
    struct strip_cell *cells = NULL;
    size_t count = 0;
    if (!title) FAIL_MEMORY(err);
    TRY(list_cells(&cells, &count, e, a, err));
    for (size_t k = 0; k < count; k++) {
        bool first = cells[k].dose == SIZE_MAX;
        figure_cell *cell = result_add_picture(result, f);
        if (!cell) FAIL_MEMORY(err);
        cell->row_title = title;
        TRY_NEW(cell->caption = first ? legend(x) : caption(e, cells[k], a));
        TRY_NEW(cell->alt = first ? arena_printf(a, "%s with its %s", id,
                                                 x->op->needs == PERTURB_NEEDS_TORSO
                                                     ? "silhouette" : "skin mask")
                                  : arena_printf(a, "%s, %s", id, cell->caption));
        TRY(picture(cell, e, cells[k], a, err));
        if (cell->png) continue;
        f->cell_count--;
        if (!e->gone) continue; /* this variant alone could not be made */
        TRY(result_caution(result, err, "%s cannot be shown: the photograph, or its mask, is not "
                           "there any more, or cannot be read now; tare.log says which.", id));
        TRY(result_log_add(result, "Not shown", id, e->gone, err)); /* names a path */
        break;
    }
done:
    return status;
}

static size_t plan_index(const photo_plan *plan, const char *id)
{
    size_t lo = 0, hi = plan->base_count; /* sorted by id */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (strcmp(plan->bases[mid].id, id) < 0) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* A label has one main axis of an operator. */
static size_t axis_of_arm(const photo_plan *plan, const cube_arm *arm)
{
    for (size_t k = 0; k < plan->axis_count; k++) {
        const plan_axis *x = &plan->axes[k];
        bool here = !x->only || !strcmp(x->only, arm->label);
        if (x->role == PLAN_MAIN && here && !strcmp(x->op ? x->op->name : "", arm->operator_name))
            return k;
    }
    return 0;
}

static tare_status strip_of_arm(photo_session *s, audit_result *result, const cube *c, size_t arm,
                                size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *x = &c->arm[arm];
    size_t n = 0;
    size_t named = job_count(s->job, "show");
    if (named > most) most = named;
    struct pick *picks = arena_new(&result->a, most + x->groups, sizeof *picks);
    const char *id = arena_printf(&result->a, "strip-%zu", arm);
    const char *title = arena_printf(&result->a, "What was done to the photographs: %s", x->name);
    if (!picks || !id || !title) FAIL_MEMORY(err);
    if (named) TRY(choose_named(picks, &n, s->job, x, most, err));
    else TRY(choose_by_result(picks, &n, most, c, arm, err));
    if (!n) goto done;
    figure *f = result_add_figure(result, FIGURE_STRIP, id, title);
    if (!f) FAIL_MEMORY(err);
    for (size_t k = 0; k < n; k++) {
        struct easel e = {.s = s, .index = plan_index(&s->plan, x->base[picks[k].base])};
        e.axis = axis_of_arm(&s->plan, x);
        status = add_row(f, result, &e, picks[k].why, err);
        easel_free(&e);
        TRY(status);
    }
done:
    return status;
}

tare_status photo_strips(photo_session *s, audit_result *result, const cube *c, size_t most,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = &s->plan;
    bool heard = sound_plan(plan);
    for (size_t arm = 0; most && !heard && arm < c->arms; arm++)
        if (!c->arm[arm].placebo && !c->arm[arm].stress)
            TRY(strip_of_arm(s, result, c, arm, most, err));
done:
    return status;
}
