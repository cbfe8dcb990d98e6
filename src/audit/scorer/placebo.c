/* Placebo contrasts (scorer audit 5.7): is the preference for the original more than what any
 * edit of the same pixels costs? Bases are paired by id. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/members.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/hash.h"
#include "perturb/perturb.h"
#include "stats/moments.h"
#include "stats/verdict.h"

/* One base of both arms: FI and mean edit energy over the doses that are not neutral. */
enum { FI_MAIN, FI_PLACEBO, ENERGY_MAIN, ENERGY_PLACEBO, PAIR_WIDTH };

static double base_energy(const cube_arm *arm, size_t i)
{
    if (!arm->edit_energy) return NAN;
    neumaier sum = {0, 0};
    for (size_t d = 0; d < arm->doses; d++)
        if (d != arm->neutral) neumaier_add(&sum, arm->edit_energy[i * arm->doses + d]);
    return neumaier_total(&sum) / (double)(arm->doses - 1);
}

/* rows [bases of the main arm][PAIR_WIDTH]; NaN where the placebo arm lacks the base, which is
 * counted with the placebo's reason. */
static tare_status pair_bases(double *rows, base_count *count, study *t, const view *main,
                              const view *placebo, tare_error *err)
{
    tare_status status = TARE_OK;
    map *ids = map_new(t->m);
    size_t *index;
    if (!ids) FAIL_MEMORY(err);
    TRY_NEW(index = arena_new(&t->brief, placebo->arm->bases + 1, sizeof *index));
    for (size_t i = 0; i < placebo->arm->bases; i++) {
        const char *id = placebo->arm->base[i];
        size_t k = map_add(ids, id, strlen(id), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        index[k] = i;
    }
    for (size_t i = 0; i < main->arm->bases; i++) {
        const char *id = main->arm->base[i];
        size_t k = map_find(ids, id, strlen(id));
        if (!main->f.used[i]) continue;
        if (k == SIZE_MAX || !placebo->f.used[index[k]]) {
            count_drop(count, 1, k == SIZE_MAX ? TARE_R_MISSING
                                               : (tare_reason)placebo->lost[index[k]]);
            continue;
        }
        double *row = rows + i * PAIR_WIDTH;
        row[FI_MAIN] = main->tested.fi[i];
        row[FI_PLACEBO] = placebo->tested.fi[index[k]];
        row[ENERGY_MAIN] = base_energy(main->arm, i);
        row[ENERGY_PLACEBO] = base_energy(placebo->arm, index[k]);
    }
done:
    map_free(ids);
    return status;
}

static double per_energy(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    if (!(total[ENERGY_MAIN] > 0) || !(total[ENERGY_PLACEBO] > 0)) return NAN;
    return total[FI_MAIN] / total[ENERGY_MAIN] - total[FI_PLACEBO] / total[ENERGY_PLACEBO];
}

/* Both arms enter: what one of them cannot resolve is lost in the difference (ours). */
static double contrast_floor(const study *t, const view *main, const view *placebo, size_t n)
{
    bool extreme = !strcmp(t->o.doses, "extreme");
    double factor = fidelity_variance_factor(fidelity_counts(main->arm, extreme)) +
                    fidelity_variance_factor(fidelity_counts(placebo->arm, extreme));
    return noise_floor_of_contrast(main, placebo, factor, n);
}

/* Doses in one unit that are not the same ones: FI depends on them (scorer audit 16, 14). */
static bool other_doses(const cube_arm *main, const cube_arm *placebo)
{
    bool one_unit = !strcmp(main->operator_name, "skin") &&
                    !strcmp(placebo->operator_name, "nonskin");
    return one_unit && !same_doses(main, placebo);
}

static tare_status add_energy(placebo_pair *x, study *t, const double *rows, reading_spec spec,
                              base_count count, tare_error *err)
{
    tare_status status = TARE_OK;
    view *main = &t->view[x->main], *placebo = &t->view[x->placebo];
    infer_smooth g = {.g = per_energy};
    inference inf;
    size_t lacking = 0, n = main->arm->bases;
    TRY(study_totals(&inf, t, &main->f, (base_rows){rows, PAIR_WIDTH}, &g, 1, err));
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * PAIR_WIDTH;
        lacking += !isnan(row[FI_MAIN] - row[FI_PLACEBO]) &&
                   isnan(row[ENERGY_MAIN] + row[ENERGY_PLACEBO]);
    }
    count_drop(&count, lacking, TARE_R_MISSING);
    spec.name = "FI_contrast_per_energy";
    spec.unit = "score per unit of edit energy";
    spec.grid = spec.extra = "";
    spec.count = &count;
    spec.margin = spec.floor = NAN;
    x->energy = t->judged_count;
    TRY(study_add(t, placebo, placebo->arm, RD_PLACEBO_ENERGY, &spec, &inf, err));
done:
    return status;
}

static tare_status run_pair(placebo_pair *x, study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    view *main = &t->view[x->main], *placebo = &t->view[x->placebo];
    size_t n = main->arm->bases;
    double *rows, *difference;
    TRY_NEW(rows = brief_array(t, n * PAIR_WIDTH));
    TRY_NEW(difference = brief_array(t, n));
    base_count count = count_view(main);
    TRY(pair_bases(rows, &count, t, main, placebo, err));
    bool energy = false;
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * PAIR_WIDTH;
        difference[i] = row[FI_MAIN] - row[FI_PLACEBO];
        energy = energy || (row[ENERGY_MAIN] > 0 && row[ENERGY_PLACEBO] > 0);
    }
    const char *condition;
    TRY_NEW(condition = arena_printf(&t->out->a, "%s - %s", main->arm->name, placebo->arm->name));
    const double *column = difference;
    inference inf;
    members_keep(t);
    TRY(study_means(&inf, t, &main->f, &column, 1, err));
    bool degenerate = main->degenerate && placebo->degenerate;
    bool apart = count.n == 0 && main->f.n > 0 && placebo->f.n > 0;
    reading_spec spec = {.family = "placebo", .name = "FI_contrast", .condition = condition,
                         .unit = "score", .grid = "vi", .count = &count,
                         .reason = apart ? REASON_NOT_RUN : degenerate ? REASON_DEGENERATE : "",
                         .extra = apart ? "the two arms share no image"
                                  : other_doses(main->arm, placebo->arm)
                                      ? "other doses than the main arm: compare per edit energy"
                                      : "",
                         .margin = view_margin(t, main, t->o.margin_sd),
                         .floor = contrast_floor(t, main, placebo, inf.n)};
    x->contrast = t->judged_count;
    TRY(study_add(t, placebo, placebo->arm, RD_PLACEBO, &spec, &inf, err));
    members_release(t);
    if (energy) TRY(add_energy(x, t, rows, spec, count, err));
done:
    arena_free(&t->brief);
    return status;
}

/* A sham has the artifact of one operator: it speaks of no other. */
static bool is_control_of(const cube_arm *placebo, const cube_arm *main)
{
    if (!arm_is_sham(placebo)) return true;
    const perturb_operator *op = perturb_operator_find(main->operator_name);
    return op && op->sham && !strcmp(op->sham, placebo->operator_name);
}

/* Main arms beside which a placebo stands: its partner, and the other axes of the same images. */
static bool stands_beside(const study *t, size_t placebo, size_t main)
{
    const cube_arm *p = &t->c->arm[placebo], *m = &t->c->arm[main];
    if (!arm_main(m) || p->partner >= t->c->arms) return false;
    if (p->partner == main) return true;
    return p->edited_here && m->edited_here && p->label && m->label &&
           !strcmp(p->label, m->label) && strcmp(p->operator_name, m->operator_name) &&
           is_control_of(p, m);
}

/* All contrasts of one placebo and scorer, that with its partner last: it is the one looked up. */
static tare_status run_placebo(study *t, size_t placebo, tare_error *err)
{
    tare_status status = TARE_OK;
    const view *v = &t->view[placebo];
    for (size_t k = 0; k <= t->c->arms; k++) {
        size_t arm = k < t->c->arms ? k : v->arm->partner;
        if ((k < t->c->arms && k == v->arm->partner) || !stands_beside(t, v->arm_index, arm))
            continue;
        placebo_pair x = {arm * t->c->scorers + v->scorer_index, placebo, SIZE_MAX, SIZE_MAX};
        if (!study_get(t, &t->view[x.main], RD_FI) || !study_get(t, v, RD_FI)) continue;
        TRY(run_pair(&x, t, err));
        t->pair[t->pairs++] = x;
    }
done:
    return status;
}

tare_status placebo_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t most = 0;
    for (size_t k = 0; k < t->views; k++) most += t->view[k].arm->placebo ? t->c->arms : 0;
    TRY_NEW(t->pair = arena_new(&t->scratch, most + 1, sizeof *t->pair));
    for (size_t k = 0; k < t->views; k++) {
        if (!t->view[k].arm->placebo) continue;
        TRY(context_check(t->context, err));
        TRY(run_placebo(t, k, err));
    }
done:
    return status;
}
