/* Every photograph as it was found: what decoding did to it, its mask, why it was left out. What a
 * reader must know of them all is said as a caution. */
#include <math.h>
#include <string.h>

#include "audit/photos/photo_ignored.h"
#include "audit/photos/photo_look.h"
#include "audit/photos/photo_prompts.h"
#include "audit/photos/photo_session.h"
#include "base/error.h"
#include "base/hash.h"

/* Why it is not used, or not in every axis. */
static const char *why_of(const plan_base *b, arena *a)
{
    if (!b->skin_reason && !b->torso_reason) return b->why;
    return arena_printf(a, "%s%s%s", b->skin_why, *b->skin_why && *b->torso_why ? "; " : "",
                        b->torso_why);
}

static tare_status add_base(photo_session *s, audit_result *r, result_table *t, const plan_base *b,
                            tare_error *err)
{
    size_t index = (size_t)(b - s->plan.bases);
    const perturb_measures neutral = photo_slot_measures(&s->run, index, s->plan.neutral_slot);
    const char *look[LOOK_COUNT];
    cell *row = result_add_row(r, t);
    if (!row) return error_memory(err);
    tare_status status = photo_look_words(look, b->look, &r->a, err);
    if (status) return status;
    const char *words[] = {b->shown, b->arm, b->kind, photo_cluster(b), b->group,
                           b->reason ? tare_reason_name(b->reason) : "ok",
                           why_of(b, &r->a), b->notes, b->pixels_hash};
    if (!words[6]) return error_memory(err);
    for (int k = 0; k < 9; k++) row[k] = (cell){CELL_TEXT, words[k], NAN, 0};
    for (int k = 0; k < LOOK_COUNT; k++) row[15 + k] = (cell){CELL_TEXT, look[k], NAN, 0};
    const int64_t counts[] = {b->width > 0 ? b->width : 0, b->height > 0 ? b->height : 0,
                              (int64_t)neutral.tone.pixels, (int64_t)neutral.tone.bluish};
    for (int k = 0; k < 4; k++) row[9 + k] = (cell){CELL_INTEGER, "", NAN, counts[k]};
    row[13] = (cell){CELL_NUMBER, "", b->skin_share, 0};
    row[14] = (cell){CELL_NUMBER, "", neutral.tone.ita, 0};
    if (s->plan.prompts)
        row[15 + LOOK_COUNT] = words_cell(photo_prompt_asked(b, photo_prompt_of_run(s->job)));
    return TARE_OK;
}

/* Skin that is blue on average has no meaningful ITA; a mask over all of it is no mask. */
static tare_status caution_bases(photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t skin = 0, bluish = 0;
    const char *first_skin = "", *first_bluish = "";
    for (size_t i = 0; i < s->plan.base_count; i++) {
        const plan_base *b = &s->plan.bases[i];
        double tone = photo_slot_measures(&s->run, i, s->plan.neutral_slot).tone.b;
        if (strstr(b->notes, NOTE_MOSTLY_SKIN) && skin++ == 0) first_skin = b->shown;
        if (tone <= 0 && bluish++ == 0) first_bluish = b->shown;
    }
    if (skin)
        TRY(result_caution(r, err, "Photographs whose mask covers more than %g %% of them: %zu, "
                           "the first %s. The mask may have taken the background for skin.",
                           100 * MASK_SHARE_MOST, skin, first_skin));
    if (bluish)
        TRY(result_caution(r, err, "Photographs whose skin is bluish (b* not above 0): %zu, the "
                           "first %s. Their ITA says little.", bluish, first_bluish));
done:
    return status;
}

/* Two files of the same pixels are one photograph that counts twice, unless a cluster holds both.
 */
static tare_status caution_equal(photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->job->context->mem;
    size_t equal = 0, *holder = mem_new(m, s->plan.base_count, sizeof *holder);
    const plan_base *first = NULL, *like = NULL;
    map *seen = map_new(m);
    if (!seen || !holder) FAIL_MEMORY(err);
    for (size_t i = 0; i < s->plan.base_count && !s->plan.from_table; i++) {
        const plan_base *b = &s->plan.bases[i];
        bool is_new;
        if (b->reason) continue;
        size_t k = map_add(seen, b->pixels_hash, strlen(b->pixels_hash), &is_new);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        if (is_new) holder[k] = i;
        const plan_base *other = &s->plan.bases[holder[k]];
        if (is_new || !strcmp(photo_cluster(other), photo_cluster(b))) continue;
        if (equal++ == 0) {
            first = b;
            like = other;
        }
    }
    if (equal)
        TRY(result_caution(r, err, "Photographs with the very pixels of another: %zu, the first "
                           "%s, which equals %s. They count as independent; a manifest can put "
                           "them in one cluster.", equal, first->shown, like->shown));
done:
    map_free(seen);
    mem_free(m, holder);
    return status;
}

tare_status photo_table_bases(photo_session *s, audit_result *r, tare_error *err)
{
    static const char *const columns[] = {
        "base", "arm", "kind", "cluster", "group", "status", "why", "notes", "pixels_sha256",
        "width", "height", "skin_pixels", "bluish_pixels", "skin_share", "attribute", "format",
        "mode", "orientation", "icc", "prompt"};
    size_t count = sizeof columns / sizeof *columns - !s->plan.prompts;
    tare_status status = TARE_OK;
    result_table *t = result_add_table(r, "bases", "Every photograph as it was found", columns,
                                       count);
    if (!t) FAIL_MEMORY(err);
    for (size_t i = 0; i < s->plan.base_count; i++)
        TRY(add_base(s, r, t, &s->plan.bases[i], err));
    TRY(photo_ignored_table(&s->plan, r, err));
    TRY(caution_bases(s, r, err));
    TRY(caution_equal(s, r, err));
done:
    return status;
}
