/* Differences between two arms (scorer audit 8): entered before the grids, so that they get a q of
 * their own. Significant here and not there is not by itself a difference. */
#include "audit/scorer/transfer.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/members.h"
#include "audit/scorer/transfer_difference.h"
#include "base/error.h"
#include "stats/verdict.h"

static const double *column_of(const view *v, reading_id id)
{
    switch (id) {
    case RD_FI: return v->tested.fi;
    case RD_A: return v->tested.a;
    case RD_DRIFT: return v->net_attribute;
    default: return v->net_dose;
    }
}

/* ---- entering -------------------------------------------------------------------------------- */

static const char *reason_of(const study *t, const judged *j)
{
    return study_reading(t, j)->reason;
}

/* Does the attribute drift answer on both sides, in one unit? */
static bool attribute_usable(const study *t, const view *reference, const view *compared)
{
    const judged *x = study_get(t, reference, RD_DRIFT), *y = study_get(t, compared, RD_DRIFT);
    return x && y && !reason_of(t, x)[0] && !reason_of(t, y)[0] &&
           strcmp(reference->arm->attribute_name, compared->arm->attribute_name) == 0 &&
           strcmp(reference->arm->attribute_unit, compared->arm->attribute_unit) == 0;
}

/* Why there is no difference, and of which side that is. */
static tare_status find_reason(reading_spec *spec, study *t, const view *reference,
                               const view *compared, reading_id id, tare_error *err)
{
    tare_status status = TARE_OK;
    const view *sides[2] = {reference, compared};
    for (size_t k = 0; k < 2 && !spec->reason[0]; k++) {
        spec->reason = reason_of(t, study_get(t, sides[k], id));
        if (spec->reason[0])
            TRY_NEW(spec->extra = arena_printf(&t->out->a, "no answer of %s",
                                               sides[k]->arm->name));
    }
    if (spec->reason[0]) goto done;
    if (!same_doses(reference->arm, compared->arm)) spec->reason = REASON_OTHER_DOSES;
    else if (id == RD_DRIFT && !attribute_usable(t, reference, compared))
        spec->reason = REASON_OTHER_ATTRIBUTE;
done:
    return status;
}

static double margin_of(const study *t, const view *compared, reading_id id)
{
    if (id == RD_DRIFT) return attribute_margin(t, compared->arm);
    if (id == RD_DRIFT_DOSE) return dose_margin(t, compared->arm);
    return view_margin(t, compared, t->o.margin_sd);
}

static tare_status new_cell(study *t, const transfer_cell *cell, tare_error *err)
{
    transfer *x = t->transfer;
    if (x->count == x->capacity) {
        size_t room = x->capacity ? 2 * x->capacity : 16;
        transfer_cell *more = arena_new(&t->scratch, room, sizeof *more);
        if (!more) return error_memory(err);
        if (x->count) memcpy(more, x->cell, x->count * sizeof *more);
        x->cell = more;
        x->capacity = room;
    }
    x->cell[x->count++] = *cell;
    return TARE_OK;
}

static tare_status enter(study *t, view *reference, view *compared, reading_id id, tare_error *err)
{
    static const char *const names[] = {[RD_FI] = "FI_difference", [RD_A] = "A_difference",
                                        [RD_DRIFT] = "net_drift_difference",
                                        [RD_DRIFT_DOSE] = "net_drift_dose_difference"};
    tare_status status = TARE_OK;
    const judged *x = study_get(t, reference, id), *y = study_get(t, compared, id);
    if (!x || !y) return TARE_OK;
    bool usable = attribute_usable(t, reference, compared), fidelity = id == RD_FI || id == RD_A;
    bool home = fidelity || (id == RD_DRIFT ? usable : !usable);
    cell_difference d = {.inf = inference_none(REASON_NOT_RUN), .count = count_view(compared),
                         .how = ""};
    reading_spec spec = {.family = "transfer", .name = names[id],
                         .unit = study_reading(t, y)->unit, .grid = home ? "v" : "", .reason = "",
                         .extra = "", .count = &d.count, .margin = margin_of(t, compared, id),
                         /* What either arm cannot resolve is lost in the difference (ours). */
                         .floor = study_reading(t, x)->floor + study_reading(t, y)->floor};
    TRY_NEW(spec.condition = arena_printf(&t->out->a, "%s - %s", compared->arm->name,
                                          reference->arm->name));
    TRY(find_reason(&spec, t, reference, compared, id, err));
    members_keep(t);
    /* Where nothing may be compared there is no number either. */
    if (!spec.reason[0] && column_of(reference, id) && column_of(compared, id)) {
        TRY(transfer_difference(&d, t, (difference_side){reference, column_of(reference, id)},
                                (difference_side){compared, column_of(compared, id)}, err));
        spec.extra = d.how;
    }
    if (!spec.reason[0] && !d.inf.reason[0] && spec.floor > 0 &&
        fabs(d.inf.estimate) <= spec.floor)
        spec.reason = REASON_BELOW_RESOLUTION;
    /* Missing scores that cap one side cap the difference: the verdict looks at one view. */
    view *heed = reference->capped && !compared->capped ? reference : compared;
    TRY(new_cell(t, &(transfer_cell){.reference = (size_t)(reference - t->view),
                                     .compared = (size_t)(compared - t->view),
                                     .difference = t->judged_count, .id = id, .ratio = NAN,
                                     .compared_words = "", .refused = ""}, err));
    TRY(study_add(t, heed, compared->arm, RD_NONE, &spec, &d.inf, err));
    members_release(t);
    judged *j = &t->judged[t->transfer->cell[t->transfer->count - 1].difference];
    if (t->c->other_instrument && t->c->other_instrument[compared->scorer_index])
        TRY(study_mark(t, j, "other instrument", err));
done:
    return status;
}

tare_status transfer_difference_run(study *t, tare_error *err)
{
    static const reading_id ids[] = {RD_FI, RD_A, RD_DRIFT, RD_DRIFT_DOSE};
    tare_status status = TARE_OK;
    TRY_NEW(t->transfer = arena_new(&t->scratch, 1, sizeof *t->transfer));
    TRY_NEW(t->transfer->pair = arena_new(&t->scratch, t->c->arms * t->c->arms + 1,
                                          sizeof *t->transfer->pair));
    t->transfer->pairs = transfer_pairs(t->transfer->pair, t->c);
    for (size_t p = 0; p < t->transfer->pairs; p++)
        for (size_t s = 0; s < t->c->scorers; s++) {
            view *reference = &t->view[t->transfer->pair[p][0] * t->c->scorers + s];
            view *compared = &t->view[t->transfer->pair[p][1] * t->c->scorers + s];
            TRY(context_check(t->context, err));
            for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
                TRY(enter(t, reference, compared, ids[k], err));
        }
done:
    return status;
}
