/* The families of tests, their q, and the verdicts (scorer audit 11, statistics 6 and 8). */
#include <math.h>
#include <string.h>

#include "audit/scorer/members.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/multiple.h"
#include "stats/verdict.h"

static tare_reading *reading_of(study *t, const judged *j)
{
    return &t->out->readings[j->reading];
}

/* |estimate| <= floor: nothing the instrument can resolve. A floor of exactly 0 bars nothing. */
static bool below_floor(const tare_reading *r)
{
    return r->floor > 0 && fabs(r->estimate) <= r->floor;
}

static void bar(study *t, const judged *j)
{
    if (j && reading_of(t, j)->reason[0] == '\0')
        reading_of(t, j)->reason = REASON_BELOW_RESOLUTION;
}

/* FI_adj and A_adj are read off the same scores as FI and A: they cannot be finer. A contrast with
 * a placebo per edit energy falls with the contrast itself (ours). */
static void share_floors(study *t, view *v)
{
    static const reading_id pairs[][2] = {{RD_FI, RD_FI_ADJ}, {RD_A, RD_A_ADJ}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const judged *from = study_get(t, v, pairs[k][0]), *to = study_get(t, v, pairs[k][1]);
        if (from && to) reading_of(t, to)->floor = reading_of(t, from)->floor;
    }
}

/* Beta, drift, FI_adj and A_adj (these two ours: taking the artifact out adds nothing that could be
 * resolved) go when FI and, where it exists, A are both below the floor. */
static void apply_floors(study *t)
{
    for (size_t k = 0; k < t->views; k++) share_floors(t, &t->view[k]);
    for (size_t k = 0; k < t->pairs; k++) {
        const placebo_pair *x = &t->pair[k];
        if (x->energy != SIZE_MAX && below_floor(reading_of(t, &t->judged[x->contrast])))
            bar(t, &t->judged[x->energy]);
    }
    for (size_t k = 0; k < t->judged_count; k++) {
        judged *j = &t->judged[k];
        tare_reading *r = reading_of(t, j);
        if (!j->descriptive && r->reason[0] == '\0' && below_floor(r))
            r->reason = REASON_BELOW_RESOLUTION;
    }
    static const reading_id follow[] = {RD_BETA, RD_BETA_ALONE, RD_DRIFT, RD_DRIFT_DOSE, RD_FI_ADJ,
                                        RD_A_ADJ};
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        judged *fi = study_get(t, v, RD_FI), *a = study_get(t, v, RD_A);
        if (!fi || strcmp(reading_of(t, fi)->reason, REASON_BELOW_RESOLUTION) != 0) continue;
        if (a && strcmp(reading_of(t, a)->reason, REASON_BELOW_RESOLUTION) != 0) continue;
        for (size_t n = 0; n < sizeof follow / sizeof *follow; n++)
            bar(t, study_get(t, v, follow[n]));
    }
}

/* Without a usable attribute the drift in dose units is the headline drift. */
static void choose_drift(study *t)
{
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        judged *attribute = study_get(t, v, RD_DRIFT), *dose = study_get(t, v, RD_DRIFT_DOSE);
        if (!dose || !arm_main(v->arm)) continue;
        bool usable = attribute && reading_of(t, attribute)->reason[0] == '\0';
        if (!usable && reading_of(t, dose)->grid[0]) reading_of(t, dose)->grid = "i";
        if (!usable && attribute) reading_of(t, attribute)->grid = "";
    }
}

const char *grid_name(int grid)
{
    static const char *const names[GRID_COUNT] = {"i",   "i dose",       "ii", "ii adjusted",
                                                  "iii", "iii adjusted", "iv", "v",
                                                  "vi"};
    return names[grid];
}

static bool in_grid(const study *t, const judged *j, int grid)
{
    const char *home = t->out->readings[j->reading].grid;
    if (grid != GRID_I && grid != GRID_I_DOSE) return strcmp(home, grid_name(grid)) == 0;
    bool fidelity = j->id == RD_FI && strcmp(home, "ii") == 0;
    if (grid == GRID_I) return fidelity || strcmp(home, "i") == 0;
    /* The same grid with the drift in dose units in the place of that in attribute units. */
    if (fidelity || strcmp(home, "i dose") == 0) return true;
    return strcmp(home, "i") == 0 && j->id != RD_DRIFT;
}

/* A p at its floor must be able to survive the family, or too few replicates hide what is there
 * (statistics 6). */
static tare_status check_replicates(study *t, int grid, const size_t *member, size_t n,
                                    size_t tested, tare_error *err)
{
    double least = 0;
    for (size_t k = 0; k < n; k++) {
        const judged *j = &t->judged[member[k]];
        const tare_reading *r = reading_of(t, j);
        /* Exact tests have the floor that the data allow: more replicates do not lower it. */
        bool boot = j->inf.p_method && strstr(j->inf.p_method, "bootstrap");
        if (boot) least = fmax(least, r->p_floor);
    }
    if (!(least * (double)tested > t->o.alpha)) return TARE_OK;
    unsigned count = strcmp(t->o.boot_p, "inversion") == 0 ? 2 : 1;
    uint64_t needed = multiple_replicates_needed(tested, t->o.alpha, count);
    return result_caution(t->out, err,
                          "Grid %s: with %zu tests and %u replicates even the smallest p cannot "
                          "become significant; at least %llu replicates are needed (--boot-b).",
                          grid_name(grid), tested, t->o.boot_b, (unsigned long long)needed);
}

/* q goes to the reading from its home grid. FI is also in grid i, and much of i in i dose. */
static void give_q(study *t, int grid, size_t k)
{
    const grid_size *g = &t->grid[grid];
    judged *j = &t->judged[g->member[k]];
    tare_reading *r = reading_of(t, j);
    if (grid == GRID_I && j->id == RD_FI) return;
    if (grid != GRID_I_DOSE || strcmp(r->grid, "i dose") == 0) {
        r->q = g->q[k];
        r->q_maxt = g->maxt[k];
    }
}

static tare_status run_grid(study *t, int grid, tare_error *err)
{
    tare_status status = TARE_OK;
    grid_size *g = &t->grid[grid];
    size_t n = 0;
    memset(g, 0, sizeof *g);
    TRY_NEW(g->member = arena_new(&t->scratch, t->judged_count + 1, sizeof *g->member));
    TRY_NEW(g->p = study_array(t, t->judged_count + 1));
    TRY_NEW(g->q = study_array(t, t->judged_count + 1));
    TRY_NEW(g->maxt = study_array(t, t->judged_count + 1));
    for (size_t k = 0; k < t->judged_count; k++) {
        judged *j = &t->judged[k];
        if (j->descriptive || !in_grid(t, j, grid)) continue;
        const tare_reading *r = reading_of(t, j);
        g->member[n] = k;
        g->p[n++] = r->reason[0] ? NAN : r->p;
    }
    multiple_family family = {0, 0};
    if (n) TRY(multiple_adjust(g->q, &family, g->p, n, MULTIPLE_BH, t->m, err));
    g->planned = n;
    g->tested = family.tested;
    TRY(members_maxt(g, t, grid_name(grid), err));
    TRY(check_replicates(t, grid, g->member, n, family.tested, err));
    for (size_t k = 0; k < n; k++) {
        if (g->q[k] <= t->o.alpha) g->significant++;
        give_q(t, grid, k);
    }
done:
    return status;
}

static tare_status judge(study *t, judged *j, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_reading *r = reading_of(t, j);
    view *v = j->view == SIZE_MAX ? NULL : &t->view[j->view];
    j->capped_by_group = v && strcmp(r->family, "population") == 0 && v->capped_population;
    j->capped = v && (v->capped || j->capped_by_group);
    if (j->descriptive) return TARE_OK; /* said when it was entered */
    j->equivalent = estimate_equivalent(&j->inf, r->margin);
    bool zero = j->inf.zero_variance && j->inf.estimate == 0;
    bool test_only = isnan(r->lo) && !isnan(r->p); /* omnibus, joint p: no interval */
    verdict_input in = {
        .estimate = test_only ? 1 : r->estimate, .p = r->p, .q = r->grid[0] ? r->q : r->p,
        .lo = test_only ? 1 : r->lo, .hi = test_only ? 1 : r->hi, .alpha = t->o.alpha,
        /* An effect that is 0 in every cluster needs no margin to be negligible. */
        .margin = isnan(r->margin) && zero ? 1 : r->margin, .equivalent = j->equivalent,
        .floor = NAN, .missing_informative = j->capped, .reason = r->reason};
    verdict_result out = verdict_decide(&in);
    r->verdict = out.verdict;
    r->reason = out.reason;
    bool excludes = test_only || r->lo > 0 || r->hi < 0;
    j->significant = out.verdict != TARE_NO_ANSWER && !j->capped && in.q <= t->o.alpha && excludes;
    char marks[VERDICT_MARKS_MAX];
    if (j->capped_by_group && (out.marks & VERDICT_MISSING_INFORMATIVE)) {
        TRY(study_mark(t, j, "missing scores depend on the group", err));
        if (!v->capped) out.marks &= ~(unsigned)VERDICT_MISSING_INFORMATIVE;
    }
    if (verdict_marks_text(marks, out.marks)) {
        const char *copy;
        TRY_NEW(copy = arena_copy(&t->out->a, marks));
        TRY(study_mark(t, j, copy, err));
    }
    if (j->extra) r->marks = j->extra;
done:
    return status;
}

/* By its own p and interval: it is in no grid. */
static bool resolved_alone(const study *t, const judged *j)
{
    if (!j) return false;
    const tare_reading *r = study_reading(t, j);
    return r->reason[0] == '\0' && r->p <= t->o.alpha && (r->lo > 0 || r->hi < 0);
}

/* Shown to be smaller than FI: its interval lies on the near side of FI, or it is within the margin
 * and FI is not. An FI_adj that is merely imprecise is neither. */
static bool is_smaller(const tare_reading *fi, const judged *fi_of, const tare_reading *adjusted,
                       const judged *adjusted_of)
{
    bool near = fi->estimate > 0 ? adjusted->hi < fi->estimate : adjusted->lo > fi->estimate;
    return near || (adjusted_of->equivalent && !fi_of->equivalent);
}

/* Is gamma's share of the attribute's or the fidelity's effect all there is? "FI resolved and
 * FI_adj not" (scorer audit 5.4) is not enough: a preference without any artifact in it passes that
 * wherever dose and artifact move together, for lack of precision (ours). */
static tare_status attribute_to_artifact(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    judged *beta = study_get(t, v, RD_BETA), *alone = study_get(t, v, RD_BETA_ALONE);
    judged *gamma = study_get(t, v, RD_GAMMA), *fi = study_get(t, v, RD_FI);
    judged *adjusted = study_get(t, v, RD_FI_ADJ);
    if (beta && alone && gamma && gamma->significant && alone->significant && !beta->significant &&
        reading_of(t, beta)->reason[0] == '\0')
        v->carried_beta = true;
    if (!fi || !adjusted || !fi->significant || adjusted->significant ||
        reading_of(t, adjusted)->reason[0] != '\0')
        goto done;
    v->carried_fidelity =
        resolved_alone(t, study_get(t, v, RD_GAMMA_ADJ)) &&
        is_smaller(reading_of(t, fi), fi, reading_of(t, adjusted), adjusted);
    v->unseparated_fidelity = !v->carried_fidelity;
    if (v->unseparated_fidelity) {
        TRY(study_mark(t, fi, "not separable from the artifact", err));
        reading_of(t, fi)->marks = fi->extra;
    }
done:
    return status;
}

tare_status grids_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    choose_drift(t);
    for (int grid = 0; grid < GRID_COUNT; grid++) TRY(run_grid(t, grid, err));
    for (size_t k = 0; k < t->judged_count; k++) TRY(judge(t, &t->judged[k], err));
    for (size_t k = 0; k < t->views; k++) TRY(attribute_to_artifact(t, &t->view[k], err));
    for (size_t k = 0; k < t->pairs; k++) {
        const view *v = &t->view[t->pair[k].placebo];
        const judged *contrast = &t->judged[t->pair[k].contrast];
        if (!arm_is_sham(v->arm)) continue;
        view *main = &t->view[t->pair[k].main];
        main->sham_run = true;
        const judged *fi = study_get(t, main, RD_FI);
        bool same_sign = fi && (reading_of(t, fi)->estimate > 0) ==
                                   (reading_of(t, contrast)->estimate > 0);
        main->sham_resolved = contrast->significant && same_sign;
    }
done:
    return status;
}

tare_status floors_run(study *t, tare_error *err)
{
    (void)err;
    apply_floors(t);
    return TARE_OK;
}
