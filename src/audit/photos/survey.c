/* The first walk: decode every photograph once and decide which can be used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_look.h"
#include "audit/photos/photo_mask.h"
#include "audit/photos/photo_retry.h"
#include "audit/photos/photo_silhouette.h"
#include "base/error.h"

/* What a worker found out about one base. */
struct finding {
    tare_reason reason, skin_reason, torso_reason;
    int width, height;
    double skin_share;
    os_stamp stamp;
    char hash[65], why[PHOTO_WHY_MAX], look[PHOTO_LOOK_MAX];
    char skin_why[PHOTO_WHY_MAX], torso_why[PHOTO_WHY_MAX];
    char mask_note[IMAGE_NOTE_MAX], notes[4 * IMAGE_NOTE_MAX];
};

struct survey {
    photo_run *run;
    const size_t *todo;
    struct finding *findings; /* [window] */
    progress progress;
};

/* Why a mask that can be read leaves too little skin: found by colour, or drawn by the user. */
static void too_little_skin(struct finding *f, const photo_plan *plan, const plan_base *base)
{
    double share = 100 * f->skin_share, least = 100 * MASK_SHARE_LEAST;
    f->skin_reason = TARE_R_NO_SKIN;
    if (!base->mask)
        snprintf(f->skin_why, sizeof f->skin_why, "skin covers %.1f %% of the image, less "
                 "than %g %%", share, least);
    else if (f->skin_share > 0)
        snprintf(f->skin_why, sizeof f->skin_why,
                 "the mask %.*s covers %.1f %% of the image, less than %g %%", PHOTO_WHY_MAX / 2,
                 photo_mask_shown(plan, base), share, least);
    else
        snprintf(f->skin_why, sizeof f->skin_why,
                 "the mask %.*s is dark everywhere: skin is where its mean is 128 or more",
                 PHOTO_WHY_MAX / 2, photo_mask_shown(plan, base));
}

static tare_status measure_skin(struct finding *f, const photo_run *run, const plan_base *base,
                                const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    image user = {0};
    size_t pixels = image_pixels(picture);
    unsigned char *mask = mem_new(m, pixels, 1);
    if (!mask) FAIL_MEMORY(err);
    TRY(photo_mask_load(&user, &f->skin_reason, f->skin_why, run, base, picture, err));
    if (f->skin_reason) goto done;
    snprintf(f->mask_note, sizeof f->mask_note, "%s", user.note);
    if (user.rgb) TRY(mask_of_image(mask, picture, &user, err));
    else mask_of_skin(mask, picture, run->plan->perturb.set);
    f->skin_share = (double)mask_count(mask, pixels) / (double)pixels;
    if (f->skin_share < MASK_SHARE_LEAST) too_little_skin(f, run->plan, base);
done:
    image_free(&user, m);
    mem_free(m, mask);
    return status;
}

static tare_status find_person(struct finding *f, const photo_run *run, const plan_base *base,
                               const image *picture, tare_error *err)
{
    photo_silhouette person;
    tare_status status = photo_silhouette_load(&person, run, base, picture, err);
    if (status) return status;
    f->torso_reason = person.reason;
    snprintf(f->torso_why, sizeof f->torso_why, "%s", person.why);
    photo_silhouette_free(&person, &run->context->mem);
    return TARE_OK;
}

/* Does an axis that is for the arm of this base need it? */
static bool is_needed(const photo_plan *plan, const plan_base *base, perturb_needs needs)
{
    for (size_t x = 0; x < plan->axis_count; x++) {
        const plan_axis *axis = &plan->axes[x];
        bool here = !axis->only || !strcmp(axis->only, base->arm);
        if (here && axis->op && axis->op->needs == needs) return true;
    }
    return false;
}

/* An arm that no axis is for is not even decoded. */
static bool is_for_nobody(const photo_plan *plan, const plan_base *base)
{
    bool here = !plan->axis_count;
    for (size_t x = 0; x < plan->axis_count; x++)
        here = here || !plan->axes[x].only || !strcmp(plan->axes[x].only, base->arm);
    return !here;
}

static void add_note(struct finding *f, const char *prefix, const char *note, size_t length)
{
    size_t used = strlen(f->notes);
    if (length)
        snprintf(f->notes + used, sizeof f->notes - used, "%s%s%.*s", used ? NOTE_BETWEEN : "",
                 prefix, (int)length, note);
}

/* Remarks on the photograph, on its mask, and what is to be said of the mask's size. */
static void write_notes(struct finding *f, const image *picture)
{
    add_note(f, "", picture->note, strlen(picture->note));
    for (const char *at = f->mask_note; *at;) {
        const char *end = strstr(at, NOTE_BETWEEN);
        size_t length = end ? (size_t)(end - at) : strlen(at);
        add_note(f, NOTE_OF_MASK, at, length);
        at += length + (end ? strlen(NOTE_BETWEEN) : 0);
    }
    if (f->skin_share > MASK_SHARE_MOST)
        add_note(f, "", NOTE_MOSTLY_SKIN, strlen(NOTE_MOSTLY_SKIN));
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
    if (is_for_nobody(s->run->plan, base)) return TARE_OK;
    tare_status status = photo_load(&picture, &f->reason, f->why, s->run, base, err);
    photo_look_write(f->look, &picture);
    if (status || !picture.rgb) return photo_name_memory(status, base, err);
    f->width = picture.width;
    f->height = picture.height;
    photo_hash(f->hash, &picture);
    if (is_needed(s->run->plan, base, PERTURB_NEEDS_SKIN))
        status = measure_skin(f, s->run, base, &picture, err);
    if (!status && is_needed(s->run->plan, base, PERTURB_NEEDS_TORSO))
        status = find_person(f, s->run, base, &picture, err);
    write_notes(f, &picture);
    image_free(&picture, &s->run->context->mem);
    return photo_name_memory(status, base, err);
}

/* Left out for something other than its own bytes, which may have been mended: what the system
 * refused to read, a library that was missing, a mask. */
static bool may_be_mended(const plan_base *b)
{
    bool library = b->reason == TARE_R_UNSUPPORTED_PIXELS && strstr(b->why, "libheif");
    bool segmenter = b->torso_reason == TARE_R_SCORER_ERROR || b->torso_reason == TARE_R_TIMEOUT;
    return b->reason == TARE_R_UNREADABLE || library || segmenter ||
           ((b->reason || b->skin_reason) && b->mask) ||
           ((b->reason || b->torso_reason) && b->silhouette);
}

/* Looked at before, and the file has another stamp: the scores that are kept must still be of these
 * pixels, and of as many axes. */
static tare_status check_unchanged(const plan_base *old, const plan_base *now, tare_error *err)
{
    bool lost = (!old->reason && now->reason) || (!old->skin_reason && now->skin_reason) ||
                (!old->torso_reason && now->torso_reason);
    if (old->width < 0 || (may_be_mended(old) && (old->reason || !lost))) return TARE_OK;
    if (old->reason == now->reason && old->skin_reason == now->skin_reason &&
        old->torso_reason == now->torso_reason && !strcmp(old->pixels_hash, now->pixels_hash))
        return TARE_OK;
    return error_set(err, TARE_E_DATA, "run.changed", now->file,
                     "the photograph changed since the run began: start anew in another folder");
}

/* What was found, into the plan. */
static tare_status fill_base(photo_run *run, size_t index, const struct finding *f,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    plan_base *base = &run->plan->bases[index];
    base->stamp = f->stamp;
    base->reason = f->reason;
    base->skin_reason = f->skin_reason;
    base->torso_reason = f->torso_reason;
    base->width = f->width;
    base->height = f->height;
    base->skin_share = f->skin_share;
    TRY_NEW(base->why = arena_copy(run->a, f->why));
    TRY_NEW(base->skin_why = arena_copy(run->a, f->skin_why));
    TRY_NEW(base->torso_why = arena_copy(run->a, f->torso_why));
    TRY_NEW(base->pixels_hash = arena_copy(run->a, f->hash));
    TRY_NEW(base->notes = arena_copy(run->a, f->notes));
    TRY_NEW(base->look = arena_copy(run->a, f->look));
    plan_settle_base(run->plan, index);
done:
    return status;
}

static tare_status survey_take(void *arg, size_t item, size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    struct survey *s = arg;
    photo_run *run = s->run;
    size_t index = s->todo[item];
    plan_base *base = &run->plan->bases[index];
    const plan_base old = *base;
    const struct finding *f = &s->findings[slot];
    TRY(fill_base(run, index, f, err));
    TRY(check_unchanged(&old, base, err));
    bool joins = old.width >= 0 && old.reason && !base->reason;
    bool more = old.width >= 0 && !old.reason &&
                (old.skin_reason != base->skin_reason || old.torso_reason != base->torso_reason);
    store_base row = {(int64_t)index, base->id, base->file, base->cluster, base->group, base->arm,
                      base->kind, (int)base->reason, base->why, f->width, f->height, f->skin_share,
                      base->pixels_hash, base->notes, base->shown, base->mask ? base->mask : "",
                      base->dose, base->attribute, base->artifact, f->stamp.bytes,
                      f->stamp.modified_ns};
    TRY(photo_group_enter(run, err));
    TRY(store_put_base(run->store, &row, err));
    TRY(photo_look_keep(run->store, index, f->look, err));
    if (old.width >= 0 || base->skin_reason || base->torso_reason)
        TRY(plan_bars_keep(base, index, run->store, err));
    if (old.width < 0) TRY(plan_person_keep(base, index, run->store, err));
    if (old.width < 0) TRY(plan_prompt_keep(base, index, run->store, err));
    if (more) TRY(photo_forget_base(run, index, err));
    if (joins) TRY(store_set(run->store, NOISE_ANEW, "yes", err));
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

/* Is it to be looked at (again)? */
static bool is_to_do(const photo_plan *plan, const plan_base *b)
{
    if (b->width < 0) return true;
    /* A recalled plan is for looking at what was measured then; its files may be gone. */
    return !plan->recalled && (may_be_mended(b) || stamp_differs(b));
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
