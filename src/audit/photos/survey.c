/* The first walk: decode every photograph once and decide which can be used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_run.h"
#include "base/error.h"

/* What a worker found out about one base. */
struct finding {
    tare_reason reason;
    int width, height;
    double skin_share;
    os_stamp stamp;
    char hash[65], why[IMAGE_NOTE_MAX], notes[IMAGE_NOTE_MAX + 64];
};

struct survey {
    photo_run *run;
    const size_t *todo;
    struct finding *findings; /* [window] */
    progress progress;
};

static tare_status measure_skin(struct finding *f, const photo_run *run, const plan_base *base,
                                const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    image user = {0};
    size_t pixels = image_pixels(picture);
    unsigned char *mask = mem_new(m, pixels, 1);
    if (!mask) FAIL_MEMORY(err);
    TRY(photo_load_mask(&user, run, base, picture, err));
    if (user.rgb) TRY(mask_of_image(mask, picture, &user, err));
    else mask_of_skin(mask, picture, run->plan->perturb.set);
    f->skin_share = (double)mask_count(mask, pixels) / (double)pixels;
    if (f->skin_share < MASK_SHARE_LEAST) {
        f->reason = TARE_R_NO_SKIN;
        snprintf(f->why, sizeof f->why, "skin covers %.1f %% of the image, less than %g %%",
                 100 * f->skin_share, 100 * MASK_SHARE_LEAST);
    }
done:
    image_free(&user, m);
    mem_free(m, mask);
    return status;
}

static void describe_decoding(struct finding *f, const image *i, bool mostly_skin)
{
    snprintf(f->notes, sizeof f->notes, "%s%s%s", i->note, mostly_skin && *i->note ? "; " : "",
             mostly_skin ? NOTE_MOSTLY_SKIN : "");
}

static tare_status survey_make(void *arg, size_t item, size_t slot, unsigned worker,
                               tare_error *err)
{
    (void)worker;
    struct survey *s = arg;
    const plan_base *base = &s->run->plan->bases[s->todo[item]];
    struct finding *f = &s->findings[slot];
    image picture = {0};
    memset(f, 0, sizeof *f);
    f->skin_share = NAN;
    f->stamp = os_file_stamp(base->file);
    if (base->width < 0 && base->reason) { /* known from the list: cannot be opened */
        f->reason = base->reason;
        snprintf(f->why, sizeof f->why, "%s", base->why);
        return TARE_OK;
    }
    tare_status status = photo_load(&picture, &f->reason, f->why, s->run, base, err);
    if (status || !picture.rgb) return status;
    f->width = picture.width;
    f->height = picture.height;
    photo_hash(f->hash, &picture);
    if (s->run->plan->slots[0].op) status = measure_skin(f, s->run, base, &picture, err);
    describe_decoding(f, &picture, f->skin_share > MASK_SHARE_MOST);
    image_free(&picture, &s->run->context->mem);
    return status;
}

/* Looked at before, and the file has another stamp: the scores that are kept must still be of these
 * pixels. */
static tare_status check_unchanged(const plan_base *base, const struct finding *f,
                                   tare_error *err)
{
    if (base->width < 0 || base->reason == TARE_R_UNREADABLE) return TARE_OK;
    if (base->reason == f->reason && !strcmp(base->pixels_hash, f->hash)) return TARE_OK;
    return error_set(err, TARE_E_DATA, "run.changed", base->file,
                     "the photograph changed since the run began: start anew in another folder");
}

static tare_status survey_take(void *arg, size_t item, size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    struct survey *s = arg;
    photo_run *run = s->run;
    size_t index = s->todo[item];
    plan_base *base = &run->plan->bases[index];
    const struct finding *f = &s->findings[slot];
    TRY(check_unchanged(base, f, err));
    base->stamp = f->stamp;
    base->reason = f->reason;
    base->width = f->width;
    base->height = f->height;
    base->skin_share = f->skin_share;
    TRY_NEW(base->why = arena_copy(run->a, f->why));
    TRY_NEW(base->pixels_hash = arena_copy(run->a, f->hash));
    TRY_NEW(base->notes = arena_copy(run->a, f->notes));
    store_base row = {(int64_t)index, base->id, base->file, base->cluster, base->group, base->arm,
                      base->kind, (int)f->reason, base->why, f->width, f->height, f->skin_share,
                      base->pixels_hash, base->notes, base->shown, base->mask ? base->mask : "",
                      base->dose, base->attribute, base->artifact, f->stamp.bytes,
                      f->stamp.modified_ns};
    TRY(photo_group_enter(run, err));
    TRY(store_put_base(run->store, &row, err));
    TRY(photo_group_leave(run, false, err));
    progress_add(&s->progress, 1);
    TRY(context_check(run->context, err));
done:
    return status;
}

static bool stamp_differs(const plan_base *b)
{
    os_stamp now = os_file_stamp(b->file);
    return now.bytes != b->stamp.bytes || now.modified_ns != b->stamp.modified_ns;
}

/* Is it to be looked at (again)? What the system refused to read says nothing of the file: it may
 * be readable now. */
static bool is_to_do(const photo_plan *plan, const plan_base *b)
{
    if (b->width < 0) return true;
    /* A recalled plan is for looking at what was measured then; its files may be gone. */
    return !plan->recalled && (b->reason == TARE_R_UNREADABLE || stamp_differs(b));
}

tare_status photo_run_survey(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    const photo_plan *plan = run->plan;
    struct survey s = {.run = run};
    size_t *todo = mem_new(m, plan->base_count, sizeof *todo), n = 0;
    size_t window = 2 * pool_threads(run->context->pool) + 2;
    if (!todo) FAIL_MEMORY(err);
    TRY_NEW(s.findings = mem_new(m, window, sizeof *s.findings));
    for (size_t i = 0; i < plan->base_count; i++)
        if (is_to_do(plan, &plan->bases[i])) todo[n++] = i;
    s.todo = todo;
    progress_start(&s.progress, run->context, "look", "photograph", plan->base_count,
                   plan->base_count - n);
    pool_flow flow = {n, window, survey_make, survey_take, NULL, &s};
    status = photo_run_flow(run, &flow, err);
    progress_end(&s.progress);
    if (status == TARE_OK) status = photo_plan_keep(plan, run->store, err);
done:
    mem_free(m, s.findings);
    mem_free(m, todo);
    return status;
}
