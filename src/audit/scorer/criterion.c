/* May this be called a bias measurement (scorer audit 10)? */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "audit/scorer/wording.h"
#include "base/error.h"
#include "stats/moments.h"

#define CLEAN_ARTIFACT 0.02
#define SEPARABLE_R2 0.90
#define REAL_BASES 100
#define REAL_CLUSTERS 30
#define REAL_EXCLUDED 0.10
#define GROUP_BASES 20

/* Largest mean artifact over the doses, and the within-base R2 of the artifact on dose dummies. */
static tare_status artifact_share(criterion *out, study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t m = arm->doses, n = 0;
    out->artifact_max = out->artifact_r2 = NAN;
    double *means;
    TRY_NEW(means = brief_array(t, arm->bases));
    if (!arm->artifact) goto done;
    neumaier *by_dose, *raw, total = {0, 0};
    TRY_NEW(by_dose = arena_new(&t->scratch, m, sizeof *by_dose));
    TRY_NEW(raw = arena_new(&t->scratch, m, sizeof *raw));
    for (size_t i = 0; i < arm->bases; i++) {
        const double *c = arm->artifact + i * m;
        double mean = moments_mean(c, m);
        means[i] = mean;
        if (!v->f.used[i] || isnan(mean)) continue;
        n++;
        for (size_t d = 0; d < m; d++) {
            neumaier_add(&raw[d], c[d]);
            neumaier_add(&by_dose[d], c[d] - mean);
            neumaier_add(&total, (c[d] - mean) * (c[d] - mean));
        }
    }
    if (n == 0) goto done;
    neumaier between = {0, 0};
    out->artifact_max = 0;
    for (size_t d = 0; d < m; d++) {
        out->artifact_max = fmax(out->artifact_max, neumaier_total(&raw[d]) / (double)n);
        double mean = neumaier_total(&by_dose[d]) / (double)n;
        neumaier_add(&between, mean * mean * (double)n);
    }
    if (neumaier_total(&total) > 0)
        out->artifact_r2 = neumaier_total(&between) / neumaier_total(&total);
done:
    if (status == TARE_OK) out->artifact_of = count_values(v, means, TARE_R_MISSING);
    arena_free(&t->brief);
    return status;
}

/* The displacement of a warp is the edit itself: small, it moves the attribute as little. So a warp
 * is never clean (ours), only separable. */
static tare_status clean_intervention(criterion *x, study *t, const cube_arm *arm,
                                      tare_error *err)
{
    tare_status status = TARE_OK;
    const char *artifact;
    TRY_NEW(artifact = artifact_words(&t->out->a, arm));
    x->c1_clean = !is_warp_artifact(arm) && x->artifact_max <= CLEAN_ARTIFACT;
    x->c1_separable = !x->c1_clean && x->artifact_r2 <= SEPARABLE_R2;
    x->c1 = arm->intervened && (x->c1_clean || x->c1_separable);
    if (!arm->intervened)
        x->why1 = "not known that the neutral image equals the original";
    else if (isnan(x->artifact_max))
        x->why1 = "no artifact was measured";
    else
        TRY_NEW(x->why1 = arena_printf(&t->out->a,
                                       x->c1_clean ? "clean: the mean %s is small at every dose"
                                       : x->c1_separable
                                           ? "separable: the %s differs by image, so it can be "
                                             "taken out"
                                           : "the %s follows the dose and cannot be taken out",
                                       artifact));
done:
    return status;
}

/* CV (ddof 0) over the bases of R_i = artifact / |gamma - 1|, from which R2 = 1/(1 + CV^2): how far
 * a warp is from being separable (scorer audit 10). */
static tare_status report_radius(study *t, view *v, const base_count *count, tare_error *err)
{
    const cube_arm *arm = v->arm;
    double *radius = brief_array(t, arm->bases);
    if (!radius) return error_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < arm->bases; i++) {
        neumaier sum = {0, 0};
        for (size_t d = 0; d < arm->doses; d++)
            if (d != arm->neutral)
                neumaier_add(&sum, arm->artifact[i * arm->doses + d] /
                                       fabs(arm->dose[d] - arm->dose[arm->neutral]));
        double mean = neumaier_total(&sum) / (double)(arm->doses - 1);
        if (v->f.used[i] && isfinite(mean)) radius[n++] = mean;
    }
    double mean = moments_mean(radius, n);
    reading_spec spec = {.family = "criterion", .name = "warp_radius_CV", .count = count};
    double cv = mean > 0 ? moments_sd(radius, n, 0) / mean : NAN;
    arena_free(&t->brief);
    return study_number(t, v, arm, &spec, cv, err);
}

static void valid_instrument(criterion *x, const cube_arm *arm, const instrument_check *check)
{
    x->c2 = check->run && check->pass && arm->attribute_independent;
    const char *dependent = arm->edited_here
                                ? "the measure repeats the dose: its shape was edited along with "
                                  "the pixels"
                                : "the measure is not known to be independent of the dose";
    x->why2 = !arm->attribute               ? "no attribute is measured"
              : !check->run                 ? "no image has the attribute at every dose"
              : !check->pass                ? "the measured attribute does not follow the dose"
              : !arm->attribute_independent ? dependent
                                            : "the measured attribute follows the dose";
}

static void real_arm(criterion *x, const view *v)
{
    const cube_arm *arm = v->arm;
    x->excluded_share = v->expected ? 1 - (double)v->f.n / (double)v->expected : NAN;
    bool real = strcmp(arm->kind, "real") == 0;
    bool many = v->f.n >= REAL_BASES && v->f.plan.clusters >= REAL_CLUSTERS;
    bool few_lost = x->excluded_share <= REAL_EXCLUDED;
    x->c3 = real && many && few_lost;
    x->why3 = !real                           ? "the images are not declared real"
              : v->f.n < REAL_BASES           ? "fewer than 100 images"
              : v->f.plan.clusters < REAL_CLUSTERS ? "fewer than 30 clusters"
              : !few_lost                     ? "more than 10 % of the images were excluded"
                                              : "enough real images";
}

/* Groups that were tested need 20 bases each before anything is said of populations. */
static tare_status population_claim(criterion *x, study *t, const view *v, tare_error *err)
{
    const cube_arm *arm = v->arm;
    size_t *count = arena_new(&t->scratch, arm->groups + 1, sizeof *count);
    if (!count) return error_memory(err);
    for (size_t i = 0; i < arm->bases; i++)
        if (v->f.used[i]) count[arm->group[i]]++;
    bool enough = true;
    size_t tested = 0;
    for (size_t g = 0; g < arm->groups; g++) {
        if (arm->group_id[g][0] == '\0' || count[g] < t->o.group_min) continue;
        tested++;
        enough = enough && count[g] >= GROUP_BASES;
    }
    x->c3_population = x->c3 && enough && tested >= 2;
    return TARE_OK;
}

static tare_status report(study *t, view *v, const char *name, bool pass, const char *why,
                          tare_error *err)
{
    reading_spec spec = {.family = "criterion", .name = name, .condition = pass ? "pass" : "miss",
                         .extra = why};
    return study_number(t, v, v->arm, &spec, pass, err);
}

tare_status criterion_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        criterion *x = &t->criterion[k];
        memset(x, 0, sizeof *x);
        if (!arm_main(v->arm)) continue;
        TRY(artifact_share(x, t, v, err));
        TRY(clean_intervention(x, t, v->arm, err));
        valid_instrument(x, v->arm, &t->instrument[v->arm_index]);
        real_arm(x, v);
        TRY(report(t, v, "C1", x->c1, x->why1, err));
        TRY(report(t, v, "C2", x->c2, x->why2, err));
        TRY(report(t, v, "C3", x->c3, x->why3, err));
        if (arm_has_population(v->arm)) {
            TRY(population_claim(x, t, v, err));
            TRY(report(t, v, "C3 for populations", x->c3_population,
                       x->c3_population ? "enough images in every group"
                                        : "C3 missed, or a group of fewer than 20 images",
                       err));
        }
        reading_spec spec = {.family = "criterion", .name = "artifact_max_mean",
                             .count = &x->artifact_of};
        TRY(study_number(t, v, v->arm, &spec, x->artifact_max, err));
        spec.name = "artifact_on_dose_R2";
        TRY(study_number(t, v, v->arm, &spec, x->artifact_r2, err));
        if (is_warp_artifact(v->arm)) TRY(report_radius(t, v, &x->artifact_of, err));
    }
done:
    return status;
}
