/* From the options `axis`, `placebo` and `stress-masks` to axes and slots. */
#include "audit/photos/plan_axes.h"

#include <string.h>

#include "base/error.h"

static bool is(const char *value, const char *word)
{
    return value && !strcmp(value, word);
}

/* Options of the intervention, from their words. */
static void read_intervention(photo_plan *plan, const tare_job *job)
{
    perturb_options *p = &plan->perturb;
    for (int k = 0; mask_set_name((mask_set)k); k++)
        if (is(job_text(job, "mask-set"), mask_set_name((mask_set)k))) p->set = (mask_set)k;
    for (int k = 0; ita_form_name((ita_form)k); k++)
        if (is(job_text(job, "ita-aggregate"), ita_form_name((ita_form)k))) p->form = (ita_form)k;
    for (int k = 0; ita_angle_name((ita_angle)k); k++)
        if (is(job_text(job, "ita-angle"), ita_angle_name((ita_angle)k))) p->angle = (ita_angle)k;
    for (int k = 0; warp_window_name((warp_window)k); k++)
        if (is(job_text(job, "warp-window"), warp_window_name((warp_window)k)))
            p->window = (warp_window)k;
    p->feather_sigma = job_number(job, "feather-sigma");
    p->mode = is(job_text(job, "feather-mode"), "rgb") ? FEATHER_RGB : FEATHER_LAB;
    p->resegment = is(job_text(job, "measure-mask"), "resegment");
    p->seed = (uint64_t)job_integer(job, "seed");
    plan->keep_variants = job_flag(job, "keep-variants");
}

const char *plan_operator_names(bool shams, arena *a)
{
    const char *list = "";
    for (size_t k = 0; list && perturb_operator_at(k); k++) {
        const perturb_operator *op = perturb_operator_at(k);
        if (!op->sham_only || shams)
            list = arena_printf(a, "%s%s%s", list, *list ? ", " : "", op->name);
    }
    return list;
}

/* ---- axes ----------------------------------------------------------------------------- */

/* Do two axes name arms of one label? */
static bool meet(const plan_axis *x, const plan_axis *y)
{
    return !x->only || !y->only || !strcmp(x->only, y->only);
}

static bool name_taken(const photo_plan *plan, const plan_axis *axis, const char *name)
{
    for (size_t k = 0; k < plan->axis_count; k++)
        if (!strcmp(plan->axes[k].name, name) && meet(&plan->axes[k], axis)) return true;
    return false;
}

static tare_status add_axis(photo_plan *plan, const tare_job *job, plan_axis *axis,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    if (plan->axis_count == PLAN_AXES_MOST)
        FAIL(err, TARE_E_USAGE, "plan.axes", NULL,
             "more than %d axes, placebos and stress axes together", PLAN_AXES_MOST);
    TRY(plan_doses_read(axis, job, plan->a, err));
    plan->axes[plan->axis_count++] = *axis;
done:
    return status;
}

/* "NAME" or "ARM:NAME". */
static tare_status read_main(plan_axis *out, const char *word, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *colon = strrchr(word, ':'), *name = colon ? colon + 1 : word;
    *out = (plan_axis){.op = perturb_operator_find(name), .role = PLAN_MAIN, .partner = SIZE_MAX};
    if (!out->op || out->op->sham_only) {
        const char *known = plan_operator_names(false, a);
        if (!known) FAIL_MEMORY(err);
        FAIL(err, TARE_E_USAGE, "plan.axis", word,
             out->op ? "--axis %s: it moves nothing, it stands beside an axis (--placebo); axes: %s"
                     : "--axis %s: there is no such axis; there are: %s", word, known);
    }
    out->name = out->op->name;
    if (colon) TRY_NEW(out->only = arena_text(a, word, (size_t)(colon - word)));
done:
    return status;
}

/* All main axes of the option, in its order. */
static tare_status list_main(plan_axis **out, size_t *count, const photo_plan *plan,
                             const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = job_count(job, "axis");
    if (n > PLAN_AXES_MOST)
        FAIL(err, TARE_E_USAGE, "plan.axes", "--axis", "%zu axes; at most %d", n, PLAN_AXES_MOST);
    TRY_NEW(*out = arena_new(plan->a, n + 1, sizeof **out));
    if (!n) TRY(read_main(&(*out)[(*count)++], PLAN_AXIS_DEFAULT, plan->a, err));
    for (size_t k = 0; k < n; k++) {
        plan_axis *x = &(*out)[*count];
        TRY(read_main(x, job_text_at(job, "axis", k), plan->a, err));
        x->set = plan->perturb.set;
        for (size_t j = 0; j < *count; j++)
            if ((*out)[j].op == x->op && meet(&(*out)[j], x))
                FAIL(err, TARE_E_USAGE, "plan.axis", job_text_at(job, "axis", k),
                     "--axis %s: this axis is there twice", job_text_at(job, "axis", k));
        ++*count;
    }
    (*out)[0].set = plan->perturb.set;
done:
    return status;
}

/* ---- placebos -------------------------------------------------------------------------- */

/* The part of a value of `placebo` behind "AXIS:", or NULL if it is for another axis. */
static const char *placebo_for(const char *word, const perturb_operator *axis, bool *aimed)
{
    const char *colon = strchr(word, ':');
    size_t length = strlen(axis->name);
    *aimed = colon != NULL;
    if (!colon) return word;
    if ((size_t)(colon - word) != length || strncmp(word, axis->name, length)) return NULL;
    return colon + 1;
}

typedef struct placebos {
    const perturb_operator *op[PLAN_AXES_MOST];
    size_t count;
} placebos;

/* An axis is no placebo of its own, and the sham of another has nothing to do with it. */
static bool fits(const perturb_operator *op, const perturb_operator *axis)
{
    return op && op != axis && (!op->sham_only || is(axis->sham, op->name));
}

static bool holds(const placebos *list, const perturb_operator *op)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->op[k] == op) return true;
    return false;
}

static void want(placebos *list, const perturb_operator *op, const perturb_operator *axis)
{
    if (fits(op, axis) && !holds(list, op) && list->count < PLAN_AXES_MOST)
        list->op[list->count++] = op;
}

static void list_placebos(placebos *out, const tare_job *job, const perturb_operator *axis)
{
    static const char *const all[] = {"nonskin", "hue", "blur", "codec"};
    size_t n = job_count(job, "placebo");
    bool sham = true, aimed;
    *out = (placebos){.count = 0};
    for (size_t k = 0; k < n; k++)
        sham = sham && !is(placebo_for(job_text_at(job, "placebo", k), axis, &aimed), "none");
    if (sham && axis->sham) want(out, perturb_operator_find(axis->sham), axis);
    for (size_t k = 0; k < n; k++) {
        const char *name = placebo_for(job_text_at(job, "placebo", k), axis, &aimed);
        if (!name || is(name, "none")) continue;
        for (size_t j = 0; is(name, "all") && j < sizeof all / sizeof *all; j++)
            want(out, perturb_operator_find(all[j]), axis);
        if (!is(name, "all")) want(out, perturb_operator_find(name), axis);
    }
}

/* A value that would put nothing beside any axis is a slip of the user. `name`: behind "AXIS:". */
static tare_status check_placebo(const char *word, const char *name, const plan_axis *mains,
                                 size_t count, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    bool aimed = false, fit = false, own = false;
    const perturb_operator *op = perturb_operator_find(name);
    if (is(name, "none") || is(name, "all")) goto done;
    if (!op) {
        const char *known = plan_operator_names(true, a);
        if (!known) FAIL_MEMORY(err);
        FAIL(err, TARE_E_USAGE, "plan.placebo", word,
             "--placebo %s: there is no such operator; there are: %s, all, none", word, known);
    }
    for (size_t m = 0; m < count; m++) {
        if (!placebo_for(word, mains[m].op, &aimed)) continue;
        fit = fit || fits(op, mains[m].op);
        own = own || op == mains[m].op;
    }
    if (!fit)
        FAIL(err, TARE_E_USAGE, "plan.placebo", word,
             own ? "--placebo %s: an axis is no placebo of its own"
                 : "--placebo %s: it is the sham of another axis, and says nothing about this one",
             word);
done:
    return status;
}

/* "AXIS:NAME" must name an axis of this run, and something that can stand beside it. */
static tare_status check_placebos(const tare_job *job, const plan_axis *mains, size_t count,
                                  arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < job_count(job, "placebo"); k++) {
        const char *word = job_text_at(job, "placebo", k), *name = NULL;
        bool aimed = false;
        for (size_t m = 0; m < count && !name; m++) name = placebo_for(word, mains[m].op, &aimed);
        if (!name)
            FAIL(err, TARE_E_USAGE, "plan.placebo", word,
                 "--placebo %s: no axis of this run is called so", word);
        TRY(check_placebo(word, name, mains, count, a, err));
    }
done:
    return status;
}

/* The analysis sets a placebo beside every axis of the same images: it is made once, for the axis
 * of the most images, and of equals for the first. So the order of the axes makes no arm more. */
static bool made_for_another(const plan_axis *mains, const placebos *lists, size_t count,
                             size_t main, const perturb_operator *op)
{
    const char *only = mains[main].only;
    for (size_t m = 0; m < count; m++) {
        const char *other = mains[m].only;
        bool equal = other ? only && !strcmp(only, other) : !only, wider = only && !other;
        if (((equal && m < main) || wider) && holds(&lists[m], op)) return true;
    }
    return false;
}

static tare_status add_placebos(photo_plan *plan, const tare_job *job, const plan_axis *mains,
                                const placebos *lists, size_t count, size_t main,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const size_t partner = plan->axis_count - 1;
    const plan_axis *axis = &plan->axes[partner];
    const placebos *list = &lists[main];
    for (size_t k = 0; k < list->count; k++) {
        plan_axis x = {.op = list->op[k], .name = list->op[k]->name, .only = axis->only,
                       .role = PLAN_PLACEBO, .partner = partner, .set = plan->perturb.set};
        if (made_for_another(mains, lists, count, main, x.op)) continue;
        bool taken = name_taken(plan, &x, x.name);
        for (size_t m = 0; m < count; m++)
            taken = taken || (mains[m].op == x.op && meet(&mains[m], &x));
        if (taken) TRY_NEW(x.name = arena_printf(plan->a, "%s for %s", x.name, axis->name));
        TRY(add_axis(plan, job, &x, err));
    }
done:
    return status;
}

/* The same variants with the other two sets of thresholds. */
static tare_status add_stress(photo_plan *plan, const tare_job *job, size_t main, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_axis *axis = &plan->axes[main];
    if (!job_flag(job, "stress-masks") || axis->op->needs != PERTURB_NEEDS_SKIN) return TARE_OK;
    for (int k = MASK_TIGHT; mask_set_name((mask_set)k); k++) {
        plan_axis x = {.op = axis->op, .only = axis->only, .role = PLAN_STRESS, .partner = main,
                       .set = (mask_set)k};
        if (x.set == plan->perturb.set) x.set = MASK_DEFAULT;
        TRY_NEW(x.name = arena_printf(plan->a, "%s %s", axis->name, mask_set_name(x.set)));
        TRY(add_axis(plan, job, &x, err));
    }
done:
    return status;
}

/* ---- slots ----------------------------------------------------------------------------- */

/* A slot with the very variant; SIZE_MAX: none. */
static size_t equal_slot(const photo_plan *plan, const plan_axis *axis, double dose)
{
    for (size_t k = 0; k < plan->slot_count; k++) {
        const plan_slot *s = &plan->slots[k];
        if (s->op == axis->op && s->dose == dose && plan->axes[s->axis].set == axis->set) return k;
    }
    return SIZE_MAX;
}

static tare_status make_slots(photo_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 0;
    for (size_t x = 0; x < plan->axis_count; x++) most += plan->axes[x].n_doses;
    TRY_NEW(plan->slots = arena_new(plan->a, most, sizeof *plan->slots));
    for (size_t x = 0; x < plan->axis_count; x++) {
        const plan_axis *axis = &plan->axes[x];
        bool placebo = axis->role == PLAN_PLACEBO;
        for (size_t d = 0; d < axis->n_doses; d++) {
            if (x && d == axis->neutral) continue;
            size_t k = equal_slot(plan, axis, axis->doses[d]);
            if (k == SIZE_MAX)
                plan->slots[k = plan->slot_count++] =
                    (plan_slot){axis->op, axis->doses[d], placebo, x};
            else if (plan->slots[k].placebo && !placebo)
                plan->slots[k] = (plan_slot){axis->op, axis->doses[d], false, x};
            if (!x && d == axis->neutral) plan->neutral_slot = k;
        }
    }
done:
    return status;
}

tare_status photo_plan_link(photo_plan *plan, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < plan->slot_count; k++)
        if (plan->slots[k].axis >= plan->axis_count) plan->slots[k].axis = 0;
    for (size_t x = 0; x < plan->axis_count; x++) {
        plan_axis *axis = &plan->axes[x];
        TRY_NEW(axis->slot = arena_new(plan->a, axis->n_doses, sizeof *axis->slot));
        for (size_t d = 0; d < axis->n_doses; d++) {
            axis->slot[d] = d == axis->neutral ? plan->neutral_slot
                                               : equal_slot(plan, axis, axis->doses[d]);
            if (axis->slot[d] == SIZE_MAX)
                FAIL(err, TARE_E_BUG, "plan.link", axis->name, "a dose of this axis has no slot");
        }
    }
done:
    return status;
}

tare_status photo_plan_slots(photo_plan *plan, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    plan_axis *mains = NULL;
    placebos *lists = NULL;
    size_t count = 0;
    read_intervention(plan, job);
    TRY(list_main(&mains, &count, plan, job, err));
    TRY(check_placebos(job, mains, count, plan->a, err));
    TRY_NEW(lists = arena_new(plan->a, count, sizeof *lists));
    for (size_t m = 0; m < count; m++) list_placebos(&lists[m], job, mains[m].op);
    TRY_NEW(plan->axes = arena_new(plan->a, PLAN_AXES_MOST, sizeof *plan->axes));
    for (size_t m = 0; m < count; m++) {
        size_t at = plan->axis_count;
        TRY(add_axis(plan, job, &mains[m], err));
        TRY(add_placebos(plan, job, mains, lists, count, m, err));
        TRY(add_stress(plan, job, at, err));
    }
    TRY(plan_doses_used(plan, job, err));
    TRY(make_slots(plan, err));
    TRY(photo_plan_link(plan, err));
    for (size_t x = 0; x < plan->axis_count; x++) {
        const perturb_operator *op = plan->axes[x].op;
        plan->perturb.whole = plan->perturb.whole || op->support != PERTURB_SKIN;
        /* For the check of the measuring mask (scorer audit 7). */
        plan->perturb.sets = plan->perturb.sets || op->attribute == PERTURB_ITA;
    }
done:
    return status;
}
