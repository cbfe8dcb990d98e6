#include "audit/photos/strips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_mask.h"
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
                add_pick(picks, n, most, i, x->group_id[g]);
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
    image photo, user;
    perturb_base base;
    bool ready;
    const char *gone; /* why the photograph or its mask cannot be read any more */
};

static tare_status easel_ready(struct easel *e, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = &e->s->plan;
    const plan_base *b = &plan->bases[e->index];
    if (e->ready || e->gone) return TARE_OK;
    tare_error seen = {0};
    status = photo_load_unchanged(&e->photo, &e->s->run, b, &seen);
    if (status == TARE_OK)
        status = photo_mask_load_again(&e->user, &e->s->run, b, &e->photo, &seen);
    if (status == TARE_E_DATA) { /* a picture of another photograph would be a lie */
        TRY_NEW(e->gone = arena_printf(&e->s->job->result.a, "%s: %s", seen.where, seen.message));
        return TARE_OK;
    }
    if (status && err) *err = seen;
    TRY(status);
    const perturb_guides guides = {.mask = e->user.rgb ? &e->user : NULL};
    TRY(perturb_base_make(&e->base, &e->s->job->context->mem, &e->photo, &guides, b->id,
                          &plan->perturb, err));
    e->ready = true;
done:
    return status;
}

static void easel_free(struct easel *e)
{
    const mem *m = &e->s->job->context->mem;
    perturb_base_free(&e->base);
    image_free(&e->photo, m);
    image_free(&e->user, m);
}

/* slot SIZE_MAX: the mask. */
static tare_status draw(image *out, struct easel *e, size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &e->s->job->context->mem;
    perturb_variant v = {0};
    memset(out, 0, sizeof *out);
    if (slot == SIZE_MAX) return strip_mask(out, &e->base, err);
    const plan_slot *p = &e->s->plan.slots[slot];
    TRY_NEW(v.clip_map = mem_new(m, image_pixels(&e->photo), 1));
    TRY(perturb_variant_make(&v, &e->base, p->op, p->dose, err));
    TRY(strip_thumbnail(out, m, &v.picture, v.clip_map, err));
done:
    mem_free(m, v.clip_map);
    perturb_variant_free(&v, m);
    return status;
}

/* The PNG of one picture, from the run folder or made now and kept there. */
static tare_status picture(figure_cell *cell, struct easel *e, size_t slot, arena *a,
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
    snprintf(name, sizeof name, "strip.%zu.%zd", e->index, (ssize_t)slot);
    TRY(photo_recall_file(&blob, run, a, name, err));
    if (blob) {
        TRY(store_get_blob((char **)&png, &length, run->store, blob, ".png", err));
    } else {
        TRY(easel_ready(e, err));
        if (e->gone) goto done;
        TRY(draw(&small, e, slot, err));
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

/* Dose, what was measured, and every score. */
static const char *caption(const struct easel *e, size_t slot, arena *a)
{
    const photo_session *s = e->s;
    const plan_slot *p = &s->plan.slots[slot];
    perturb_measures x = photo_slot_measures(&s->run, e->index, slot);
    const char *text = p->placebo ? arena_copy(a, p->op->name)
                       : slot == s->plan.neutral_slot
                           ? arena_copy(a, "original")
                           : arena_printf(a, "%s %+g", p->op->unit, p->dose);
    if (text)
        text = arena_printf(a, "%s\nITA %.1f\u00b0\nclipped %.1f %%", text, x.tone.ita,
                            100 * x.clip_frac);
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

static tare_status add_row(figure *f, audit_result *result, struct easel *e, const char *why,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = &e->s->plan;
    arena *a = &result->a;
    const char *id = plan->bases[e->index].id;
    const char *title = arena_printf(a, "%s (%s)", id, why);
    bool sham_shown = false;
    if (!title) FAIL_MEMORY(err);
    for (size_t k = 0; k <= plan->slot_count; k++) {
        size_t slot = k ? k - 1 : SIZE_MAX; /* the mask comes first */
        bool placebo = k && plan->slots[slot].placebo;
        if (placebo && sham_shown) continue; /* replicates look alike */
        sham_shown |= placebo;
        figure_cell *cell = result_add_picture(result, f);
        if (!cell) FAIL_MEMORY(err);
        cell->row_title = title;
        TRY_NEW(cell->caption = k ? caption(e, slot, a)
                                  : "mask (red), feather (violet)\nclipped pixels in the others "
                                    "are magenta");
        TRY_NEW(cell->alt = k ? arena_printf(a, "%s, %s", id, cell->caption)
                              : arena_printf(a, "%s with its skin mask", id));
        TRY(picture(cell, e, slot, a, err));
        if (cell->png) continue;
        f->cell_count--;
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

static tare_status strip_of_arm(photo_session *s, audit_result *result, const cube *c, size_t arm,
                                size_t most, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *x = &c->arm[arm];
    size_t n = 0;
    size_t named = job_count(s->job, "show");
    if (named > most) most = named;
    struct pick *picks = arena_new(&result->a, most, sizeof *picks);
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
    for (size_t arm = 0; most && arm < c->arms; arm++)
        if (!c->arm[arm].placebo) TRY(strip_of_arm(s, result, c, arm, most, err));
done:
    return status;
}
