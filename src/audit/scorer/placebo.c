/* Placebo contrasts (scorer audit 5.7): is the preference for the original more than what any
 * edit of the same pixels costs? Bases are paired by id. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/hash.h"
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
    TRY_NEW(index = arena_new(&t->scratch, placebo->arm->bases + 1, sizeof *index));
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

static tare_status run_pair(study *t, view *main, view *placebo, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = main->arm->bases;
    double *rows, *difference;
    TRY_NEW(rows = study_array(t, n * PAIR_WIDTH));
    TRY_NEW(difference = study_array(t, n));
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
    TRY(study_means(&inf, t, &main->f, &column, 1, err));
    bool degenerate = main->degenerate && placebo->degenerate;
    reading_spec spec = {.family = "placebo", .name = "FI_contrast", .condition = condition,
                         .unit = "score", .grid = "vi", .count = &count,
                         .reason = degenerate ? REASON_DEGENERATE : "",
                         .margin = view_margin(t, main, t->o.margin_sd),
                         .floor = contrast_floor(t, main, placebo, inf.n)};
    TRY(study_add(t, placebo, placebo->arm, RD_PLACEBO, &spec, &inf, err));
    if (!energy) goto done;
    infer_smooth g = {.g = per_energy};
    TRY(study_totals(&inf, t, &main->f, (base_rows){rows, PAIR_WIDTH}, &g, 1, err));
    size_t lacking = 0;
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * PAIR_WIDTH;
        lacking += !isnan(difference[i]) && isnan(row[ENERGY_MAIN] + row[ENERGY_PLACEBO]);
    }
    count_drop(&count, lacking, TARE_R_MISSING);
    spec.name = "FI_contrast_per_energy";
    spec.unit = "score per unit of edit energy";
    spec.grid = "";
    spec.margin = spec.floor = NAN;
    TRY(study_add(t, placebo, placebo->arm, RD_PLACEBO_ENERGY, &spec, &inf, err));
done:
    return status;
}

tare_status placebo_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *placebo = &t->view[k];
        size_t partner = placebo->arm->partner;
        if (!placebo->arm->placebo || partner >= t->c->arms) continue;
        TRY(context_check(t->context, err));
        view *main = &t->view[partner * t->c->scorers + placebo->scorer_index];
        if (study_get(t, main, RD_FI) && study_get(t, placebo, RD_FI))
            TRY(run_pair(t, main, placebo, err));
    }
done:
    return status;
}
