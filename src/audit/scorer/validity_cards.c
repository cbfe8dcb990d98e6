/* The validity card of every scorer in every arm (scorer audit 10, 7): what must hold before a
 * reading may be called a bias measurement, and what shook it and did not move it. */
#include <string.h>

#include "audit/scorer/study.h"
#include "audit/words.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/verdict.h"

static const char *outcome_of(const criterion *x)
{
    return x->c1 && x->c2 && x->c3 ? "bias measurement" : "mechanistic stress test";
}

static tare_status add(study *t, const view *v, const char *outcome, const char *name,
                       check_state state, const char *why, tare_error *err)
{
    result_check *c = result_add_check(t->out);
    if (!c) return error_memory(err);
    *c = (result_check){v->arm->name, v->scorer, outcome, name, state, why};
    return TARE_OK;
}

static check_state state_of(bool pass)
{
    return pass ? CHECK_PASS : CHECK_MISS;
}

static tare_status add_criterion(study *t, const view *v, const criterion *x, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(add(t, v, outcome_of(x), "C1: clean intervention", state_of(x->c1), x->why1, err));
    TRY(add(t, v, "", "C2: valid instrument", state_of(x->c2), x->why2, err));
    TRY(add(t, v, "", "C3: real images, and enough", state_of(x->c3), x->why3, err));
    if (arm_has_population(v->arm))
        TRY(add(t, v, "", "C3 for populations", state_of(x->c3_population),
                x->c3_population ? "enough images in every group"
                                 : "C3 missed, or a group of fewer than 20 images", err));
done:
    return status;
}

/* The marks of a check but for its "pass" or "fail": what else is to be said of it. */
static tare_status rest_of(const char **why, arena *a, const char *marks, tare_error *err)
{
    text t;
    text_init(&t, a->m);
    for (const char *at = marks; *at;) {
        const char *end = strstr(at, ", ");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        bool fails = length > 6 && memcmp(at, "fail: ", 6) == 0; /* and names those that do it */
        bool bare = length == 4 && (!memcmp(at, "pass", 4) || !memcmp(at, "fail", 4));
        if (!bare) {
            if (t.length) text_add(&t, "; ");
            text_add_bytes(&t, fails ? at + 6 : at, fails ? length - 6 : length);
        }
        at += length + (end ? 2 : 0);
    }
    *why = t.failed ? NULL : t.length ? arena_copy(a, t.data) : "";
    text_free(&t);
    return *why ? TARE_OK : error_memory(err);
}

/* Net drifts are shown, and not judged (scorer audit 7): they are no checks. */
static bool is_shown_alone(const tare_reading *r)
{
    return strcmp(r->name, "net_drift") == 0 || strcmp(r->name, "net_drift_dose") == 0;
}

/* A check of robustness says "pass" or "fail" among its marks, or why it could not be made. */
static tare_status add_robust(study *t, const view *v, const judged *j, tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_reading *r = study_reading(t, j);
    bool fail = strstr(r->marks, "fail") != NULL, pass = strstr(r->marks, "pass") != NULL;
    bool judged = pass || fail;
    const char *name, *why;
    if (strcmp(r->family, "robust") != 0) goto done;
    if (!judged && (r->reason[0] == '\0' || is_shown_alone(r))) goto done;
    TRY_NEW(name = arena_printf(&t->out->a, "%s, %s", r->name, r->condition));
    TRY(rest_of(&why, &t->out->a, r->marks, err));
    if (!judged && strcmp(r->reason, REASON_NOT_RUN) != 0) why = reason_words(r->reason);
    TRY(add(t, v, "", name, judged ? state_of(!fail) : CHECK_NOT_RUN, why, err));
done:
    return status;
}

tare_status validity_cards_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        if (!arm_main(v->arm)) continue;
        TRY(add_criterion(t, v, &t->criterion[k], err));
        for (size_t n = 0; n < t->judged_count; n++)
            if (t->judged[n].view == k) TRY(add_robust(t, v, &t->judged[n], err));
    }
done:
    return status;
}
