#include "audit/scorer/answer_shaken.h"

#include <string.h>

#include "audit/words.h"
#include "base/error.h"
#include "base/text.h"

enum { SHAKEN_FI, SHAKEN_A, SHAKEN_DRIFT, SHAKEN_BETA, SHAKEN };

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* Which reading of the main arm the check is of; SHAKEN: none that is said. */
static size_t checked_by(const tare_reading *r)
{
    bool clip = strcmp(r->condition, "clip-bounded") == 0;
    bool mask = starts(r->condition, "edited within the ");
    if (!clip && !mask) return strcmp(r->name, "beta_range") == 0 ? SHAKEN_BETA : SHAKEN;
    if (strcmp(r->name, "FI") == 0) return SHAKEN_FI;
    if (strcmp(r->name, "A") == 0) return SHAKEN_A;
    return clip && strcmp(r->name, "net_drift") == 0 ? SHAKEN_DRIFT : SHAKEN;
}

static bool is_resolved(const tare_reading *r)
{
    return r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
}

/* "A edited within the loose mask is 0.1 [0; 0.2] instead of 0.4 [0.3; 0.5]" */
static tare_status describe(text *out, study *t, const char *name, const tare_reading *r,
                            const tare_reading *full, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->scratch;
    const char *fail = strstr(r->marks, "fail: "), *number[6];
    const double value[6] = {r->estimate, r->lo, r->hi, full->estimate, full->lo, full->hi};
    if (out->length) text_add(out, "; ");
    if (strcmp(r->name, "beta_range") == 0) {
        text_add_format(out, "measured over other masks %s", fail ? fail + 6 : name);
    } else if (fail) {
        text_add_format(out, "%s %s is %s", name, r->condition, fail + 6);
    } else {
        for (size_t k = 0; k < 6; k++) TRY_NEW(number[k] = number_text(a, value[k]));
        text_add_format(out, "%s where the artifact is small is %s [%s; %s] instead of %s [%s; %s]",
                        name, number[0], number[1], number[2], number[3], number[4], number[5]);
    }
done:
    return status;
}

tare_status say_shaken(study *t, const view *v, tare_error *err)
{
    static const struct { reading_id id; const char *name; } main[SHAKEN] = {
        [SHAKEN_FI] = {RD_FI, "FI"}, [SHAKEN_A] = {RD_A, "A"},
        [SHAKEN_DRIFT] = {RD_DRIFT_DOSE, "net drift"}, [SHAKEN_BETA] = {RD_BETA, "beta"}};
    tare_status status = TARE_OK;
    bool moved[SHAKEN] = {false}, by_mask = false, by_clip = false;
    text what, names;
    text_init(&what, t->m);
    text_init(&names, t->m);
    for (size_t k = 0; k < t->judged_count; k++) {
        const tare_reading *r = study_reading(t, &t->judged[k]);
        bool robust = t->judged[k].view == (size_t)(v - t->view) && !strcmp(r->family, "robust");
        if (!robust || !strstr(r->marks, "fail")) continue;
        size_t of = checked_by(r);
        const judged *full = of < SHAKEN ? study_get(t, v, main[of].id) : NULL;
        if (!full || !is_resolved(study_reading(t, full))) continue;
        bool clip = strcmp(r->condition, "clip-bounded") == 0;
        by_clip = by_clip || clip;
        by_mask = by_mask || !clip;
        moved[of] = true;
        TRY(describe(&what, t, main[of].name, r, study_reading(t, full), err));
    }
    if (!by_mask && !by_clip) goto done;
    size_t count = 0;
    for (size_t k = 0; k < SHAKEN; k++) {
        if (!moved[k]) continue;
        text_add_format(&names, "%s%s", names.length ? ", " : "", main[k].name);
        count++;
    }
    if (what.failed || names.failed) FAIL_MEMORY(err);
    TRY(result_caution(t->out, err, "%s, %s: the reading%s %s depend%s on %s: %s.", v->scorer,
                       v->arm->name, count > 1 ? "s" : "", names.data, count > 1 ? "" : "s",
                       by_mask && by_clip ? "the mask and on the artifact"
                       : by_mask          ? "the mask"
                                          : "the artifact",
                       what.data));
done:
    text_free(&what);
    text_free(&names);
    return status;
}
