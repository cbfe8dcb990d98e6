#include "audit/scorer/answer_placebo.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* What a placebo shows of the preference of the main arm. */
typedef enum placebo_class {
    PLACEBO_OPEN,   /* the contrast is not resolved                                        */
    PLACEBO_LESS,   /* costs less than this edit: this edit is penalised                   */
    PLACEBO_ALIKE,  /* costs as much or more, and costs something: any edit is penalised   */
    PLACEBO_BARELY, /* costs less, by less than the margin, and costs something            */
    PLACEBO_MARGINAL, /* costs less, by less than the margin; its own FI is not resolved   */
    PLACEBO_CLASSES
} placebo_class;

static placebo_class class_of(const study *t, const view *main, const placebo_pair *x)
{
    const tare_reading *fi = study_reading(t, study_get(t, main, RD_FI));
    const judged *own = study_get(t, &t->view[x->placebo], RD_FI);
    const judged *contrast = &t->judged[x->contrast];
    const tare_reading *c = study_reading(t, contrast), *f = study_reading(t, own);
    bool beyond = (c->estimate > 0) == (fi->estimate > 0);
    bool penalised = own->significant && (f->estimate > 0) == (fi->estimate > 0);
    if (contrast->significant && c->verdict == TARE_FOUND)
        return beyond ? PLACEBO_LESS : penalised ? PLACEBO_ALIKE : PLACEBO_OPEN;
    if (contrast->significant && c->verdict == TARE_SMALL && beyond)
        return penalised ? PLACEBO_BARELY : PLACEBO_MARGINAL;
    return c->verdict == TARE_NEGLIGIBLE || c->verdict == TARE_SMALL
               ? penalised ? PLACEBO_ALIKE : PLACEBO_OPEN
               : PLACEBO_OPEN;
}

/* Weaker or stronger by what the eye sees: then a raw contrast is half of the story. */
static bool turns_per_energy(const study *t, const placebo_pair *x)
{
    if (x->energy == SIZE_MAX) return false;
    const judged *energy = &t->judged[x->energy];
    const tare_reading *e = study_reading(t, energy);
    const tare_reading *c = study_reading(t, &t->judged[x->contrast]);
    return energy->significant && (e->estimate > 0) != (c->estimate > 0);
}

static void add_name(text *list, const char *name)
{
    text_add_format(list, "%s%s", list->length ? ", " : "", name);
}

typedef struct placebo_lists {
    text of[PLACEBO_CLASSES], turned;
} placebo_lists;

static bool collect(placebo_lists *lists, const study *t, const view *v)
{
    for (size_t k = 0; k < t->pairs; k++) {
        const placebo_pair *x = &t->pair[k];
        const view *placebo = &t->view[x->placebo];
        if (x->main != (size_t)(v - t->view)) continue;
        /* The sham changes nothing that can be seen: it has a rule of its own. */
        if (arm_is_sham(placebo->arm)) continue;
        placebo_class class = class_of(t, v, x);
        add_name(&lists->of[class], placebo->arm->name);
        if (class != PLACEBO_OPEN && turns_per_energy(t, x))
            add_name(&lists->turned, placebo->arm->name);
    }
    bool failed = lists->turned.failed;
    for (size_t k = 0; k < PLACEBO_CLASSES; k++) failed = failed || lists->of[k].failed;
    return !failed;
}

tare_status say_placebos(study *t, const view *v, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    placebo_lists x;
    for (size_t k = 0; k < PLACEBO_CLASSES; k++) text_init(&x.of[k], t->m);
    text_init(&x.turned, t->m);
    const judged *fi = study_get(t, v, RD_FI);
    if (!fi || !fi->significant) goto done;
    bool original = study_reading(t, fi)->estimate > 0;
    if (!collect(&x, t, v)) FAIL_MEMORY(err);
    if (x.of[PLACEBO_LESS].length)
        TRY(result_answer(t->out, err,
                          original ? "%s: this edit is penalised, not edits as such: it costs more "
                                     "than %s."
                                   : "%s: this edit is rewarded, not edits as such: it gains more "
                                     "than %s.",
                          name, x.of[PLACEBO_LESS].data));
    if (x.of[PLACEBO_ALIKE].length)
        TRY(result_answer(t->out, err,
                          original ? "%s: other edits are penalised as well: this one costs no "
                                     "more than %s."
                                   : "%s: other edits are rewarded as well: this one gains no "
                                     "more than %s.",
                          name, x.of[PLACEBO_ALIKE].data));
    if (x.of[PLACEBO_BARELY].length)
        TRY(result_answer(t->out, err,
                          original ? "%s: other edits are penalised as well: this one costs more "
                                     "than %s, by less than the margin."
                                   : "%s: other edits are rewarded as well: this one gains more "
                                     "than %s, by less than the margin.",
                          name, x.of[PLACEBO_BARELY].data));
    if (x.of[PLACEBO_MARGINAL].length)
        TRY(result_answer(t->out, err,
                          original ? "%s: this edit costs more than %s, by less than the margin."
                                   : "%s: this edit gains more than %s, by less than the margin.",
                          name, x.of[PLACEBO_MARGINAL].data));
    if (x.turned.length)
        TRY(result_answer(t->out, err,
                          "%s: per unit of edit energy it is the other way round for %s.", name,
                          x.turned.data));
    if (x.of[PLACEBO_OPEN].length)
        TRY(result_answer(t->out, err,
                          "%s: whether this edit matters more to it than %s is not resolved.", name,
                          x.of[PLACEBO_OPEN].data));
done:
    for (size_t k = 0; k < PLACEBO_CLASSES; k++) text_free(&x.of[k]);
    text_free(&x.turned);
    return status;
}
