/* The validity card of every scorer in every arm (scorer audit 10, 7): what must hold before a
 * reading may be called a bias measurement, and what shook it and did not move it. */
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"

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

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A check of robustness says "pass" or "fail" among its marks. */
static tare_status add_robust(study *t, const view *v, const judged *j, tare_error *err)
{
    const tare_reading *r = study_reading(t, j);
    const char *fail = strstr(r->marks, "fail");
    bool pass = begins(r->marks, "pass") || strstr(r->marks, ", pass");
    if (strcmp(r->family, "robust") != 0 || (!pass && !fail)) return TARE_OK;
    const char *name = arena_printf(&t->out->a, "%s, %s", r->name, r->condition);
    if (!name) return error_memory(err);
    return add(t, v, "", name, state_of(!fail), fail && begins(fail, "fail: ") ? fail + 6 : "",
               err);
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
