/* Differences between two arms (scorer audit 8): entered before the grids, so that they get a q of
 * their own. Significant here and not there is not by itself a difference. */
#include "audit/scorer/transfer.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/members.h"
#include "base/error.h"
#include "base/hash.h"
#include "stats/verdict.h"

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool is_kind(const cube_arm *arm, const char *kind)
{
    return arm_main(arm) && strcmp(arm->kind, kind) == 0;
}

/* The one main arm that belongs to this side (of a run, or of a kind); NULL: none or several. */
static const cube_arm *only_arm(const cube *c, size_t run, const char *kind,
                                const char *operator_name)
{
    const cube_arm *found = NULL;
    for (size_t a = 0; a < c->arms; a++) {
        const cube_arm *arm = &c->arm[a];
        if (!arm_main(arm) || arm->run != run || (kind && !is_kind(arm, kind))) continue;
        if (operator_name && strcmp(arm->operator_name, operator_name) != 0) continue;
        if (found) return NULL;
        found = arm;
    }
    return found;
}

static const char *after_label(const cube_arm *arm)
{
    const char *slash = strchr(arm->name, '/');
    return slash ? slash + 1 : arm->name;
}

/* Of two runs: arms of one name, or the only arms of one operator, or the only arms at all where a
 * table does not say which edit it is about (ours). */
static bool runs_match(const cube *c, const cube_arm *x, const cube_arm *y)
{
    if (strcmp(after_label(x), after_label(y)) == 0) return true;
    if (strcmp(x->operator_name, y->operator_name) == 0)
        return only_arm(c, 0, NULL, x->operator_name) && only_arm(c, 1, NULL, x->operator_name);
    return !(x->edited_here && y->edited_here) && only_arm(c, 0, NULL, NULL) &&
           only_arm(c, 1, NULL, NULL);
}

/* Of one run: arms of one operator; of a table, whose arms may be called anything, also the only
 * two arms (ours). */
static bool kinds_match(const cube *c, const cube_arm *x, const cube_arm *y)
{
    if (strcmp(x->operator_name, y->operator_name) == 0) return true;
    size_t arms = 0;
    for (size_t a = 0; a < c->arms; a++) arms += arm_main(&c->arm[a]);
    return arms == 2 && !x->edited_here && !y->edited_here;
}

size_t transfer_pairs(size_t (*pair)[2], const cube *c)
{
    size_t n = 0;
    for (size_t a = 0; a < c->arms; a++)
        for (size_t b = 0; b < c->arms; b++) {
            const cube_arm *x = &c->arm[a], *y = &c->arm[b];
            bool sides = c->runs == 2 ? arm_main(x) && arm_main(y) && x->run == 0 && y->run == 1
                                      : is_kind(x, "synthetic") && is_kind(y, "real");
            if (!sides || !(c->runs == 2 ? runs_match(c, x, y) : kinds_match(c, x, y))) continue;
            pair[n][0] = a;
            pair[n++][1] = b;
        }
    return n;
}

bool transfer_same_doses(const cube_arm *x, const cube_arm *y)
{
    if (x->doses != y->doses || x->neutral != y->neutral) return false;
    for (size_t d = 0; d < x->doses; d++)
        if (x->dose[d] != y->dose[d]) return false;
    return true;
}

/* ---- one difference -------------------------------------------------------------------------- */

static const double *column_of(const view *v, reading_id id)
{
    switch (id) {
    case RD_FI: return v->tested.fi;
    case RD_A: return v->tested.a;
    case RD_DRIFT: return v->net_attribute;
    default: return v->net_dose;
    }
}

/* compared - reference of one cell, with the bases that it rests on. */
typedef struct cell_difference {
    inference inf;
    base_count count;
} cell_difference;

static tare_status independent(cell_difference *out, study *t, const view *reference,
                               const view *compared, reading_id id, tare_error *err)
{
    tare_status status = TARE_OK;
    arena keep;
    arena_init(&keep, t->m);
    const double *x = column_of(reference, id), *y = column_of(compared, id);
    inference a, b;
    TRY(study_means_keep(&a, t, &compared->f, &y, 1, &keep, err));
    TRY(study_means_keep(&b, t, &reference->f, &x, 1, &keep, err));
    if (a.replicates && b.replicates)
        TRY(infer_difference(&out->inf, &a, &b, &compared->f.plan, false, t->keep, err));
    else
        out->inf = inference_none(a.reason[0] ? a.reason : b.reason);
    out->count = count_values(compared, y, TARE_R_MISSING);
    base_count other = count_values(reference, x, TARE_R_MISSING);
    out->count.expected += other.expected;
    out->count.n += other.n;
    out->count.clusters += other.clusters;
    for (int k = 0; k < TARE_REASON_COUNT; k++) out->count.missing[k] += other.missing[k];
done:
    arena_free(&keep);
    return status;
}

/* Where each base of the compared arm is in the reference; SIZE_MAX: nowhere. */
static tare_status match_bases(size_t **out, study *t, const cube_arm *reference,
                               const cube_arm *compared, tare_error *err)
{
    tare_status status = TARE_OK;
    map *ids = map_new(t->m);
    size_t *index;
    if (!ids) FAIL_MEMORY(err);
    TRY_NEW(index = arena_new(&t->scratch, reference->bases + 1, sizeof *index));
    TRY_NEW(*out = arena_new(&t->scratch, compared->bases + 1, sizeof **out));
    for (size_t i = 0; i < reference->bases; i++) {
        size_t k = map_add(ids, reference->base[i], strlen(reference->base[i]), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        index[k] = i;
    }
    for (size_t i = 0; i < compared->bases; i++) {
        size_t k = map_find(ids, compared->base[i], strlen(compared->base[i]));
        (*out)[i] = k == SIZE_MAX ? SIZE_MAX : index[k];
    }
done:
    map_free(ids);
    return status;
}

/* The same images on both sides: differences by base, resampled by the clusters of the compared
 * run. */
static tare_status paired(cell_difference *out, study *t, const view *reference,
                          const view *compared, reading_id id, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = compared->arm;
    const double *x = column_of(reference, id), *y = column_of(compared, id);
    size_t *at = NULL;
    bool *used;
    double *d;
    frame f;
    TRY(match_bases(&at, t, reference->arm, arm, err));
    TRY_NEW(used = arena_new(&t->scratch, arm->bases + 1, sizeof *used));
    TRY_NEW(d = study_array(t, arm->bases));
    out->count = count_view(compared);
    for (size_t i = 0; i < arm->bases; i++) {
        if (!compared->f.used[i]) continue;
        tare_reason why = at[i] == SIZE_MAX             ? TARE_R_MISSING
                          : !reference->f.used[at[i]] ? (tare_reason)reference->lost[at[i]]
                                                        : TARE_R_NONE;
        if (why == TARE_R_NONE) d[i] = snap_zero(y[i] - x[at[i]], fabs(y[i]) + fabs(x[at[i]]));
        used[i] = why == TARE_R_NONE && !isnan(d[i]);
        if (!used[i]) count_drop(&out->count, 1, why ? why : TARE_R_MISSING);
    }
    TRY(frame_make(&f, t, arm, used, err));
    const double *column = d;
    TRY(study_means(&out->inf, t, &f, &column, 1, err));
    out->count.clusters = f.plan.clusters;
done:
    return status;
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
    if (!transfer_same_doses(reference->arm, compared->arm)) spec->reason = REASON_OTHER_DOSES;
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
    cell_difference d = {.inf = inference_none(REASON_NOT_RUN), .count = count_view(compared)};
    members_keep(t);
    if (column_of(reference, id) && column_of(compared, id))
        TRY((t->c->paired ? paired : independent)(&d, t, reference, compared, id, err));
    reading_spec spec = {.family = "transfer", .name = names[id],
                         .unit = study_reading(t, y)->unit, .grid = home ? "v" : "", .reason = "",
                         .extra = t->c->paired ? "paired" : "", .count = &d.count,
                         .margin = margin_of(t, compared, id),
                         /* What either arm cannot resolve is lost in the difference (ours). */
                         .floor = study_reading(t, x)->floor + study_reading(t, y)->floor};
    TRY_NEW(spec.condition = arena_printf(&t->out->a, "%s - %s", compared->arm->name,
                                          reference->arm->name));
    TRY(find_reason(&spec, t, reference, compared, id, err));
    if (!spec.reason[0] && !d.inf.reason[0] && spec.floor > 0 &&
        fabs(d.inf.estimate) <= spec.floor)
        spec.reason = REASON_BELOW_RESOLUTION;
    /* Missing scores that cap one side cap the difference: the verdict looks at one view. */
    view *heed = reference->capped && !compared->capped ? reference : compared;
    TRY(new_cell(t, &(transfer_cell){.reference = (size_t)(reference - t->view),
                                     .compared = (size_t)(compared - t->view),
                                     .difference = t->judged_count, .id = id, .ratio = NAN,
                                     .compared_words = ""}, err));
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
