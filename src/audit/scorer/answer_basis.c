/* What the answer rests on: images, clusters, and what the scorers can resolve. */
#include "audit/scorer/answer_basis.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/wording.h"
#include "base/error.h"

const char *images_of(const cube_arm *arm)
{
    bool photographs = arm->edited_here || arm_is_skin(arm);
    return strcmp(arm->kind, "synthetic") != 0 && photographs ? "photograph" : "image";
}

/* "40", or "38 to 40" where it depends on the scorer. NULL: no memory. */
static const char *span_text(arena *a, size_t least, size_t most)
{
    return least == most ? arena_printf(a, "%zu", most)
                         : arena_printf(a, "%zu to %zu", least, most);
}

/* Images and clusters behind the readings of an arm, over its scorers. */
typedef struct basis {
    size_t n[2], clusters[2], excluded[2]; /* least, most */
    const char *fewest;                    /* the scorer with the least n */
    double artifact;                       /* the largest of all */
} basis;

static void widen(size_t span[2], size_t x)
{
    if (x < span[0]) span[0] = x;
    if (x > span[1]) span[1] = x;
}

static basis basis_of(const study *t, size_t arm)
{
    basis out = {{SIZE_MAX, 0}, {SIZE_MAX, 0}, {SIZE_MAX, 0}, "", NAN};
    for (size_t k = arm * t->c->scorers; k < (arm + 1) * t->c->scorers; k++) {
        const view *v = &t->view[k];
        if (v->f.n < out.n[0]) out.fewest = v->scorer;
        widen(out.n, v->f.n);
        widen(out.clusters, v->f.plan.clusters);
        widen(out.excluded, (size_t)(v->expected - v->f.n));
        out.artifact = fmax(out.artifact, t->criterion[k].artifact_max); /* a NaN gives way */
    }
    return out;
}

tare_status say_basis(study *t, const cube_arm *arm, size_t a, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *all = &t->out->a;
    basis x = basis_of(t, a);
    const char *artifact = "no artifact of the edit was measured", *by = "", *name;
    const char *n, *clusters, *excluded;
    TRY_NEW(n = span_text(all, x.n[0], x.n[1]));
    TRY_NEW(clusters = span_text(all, x.clusters[0], x.clusters[1]));
    TRY_NEW(excluded = span_text(all, x.excluded[0], x.excluded[1]));
    if (x.n[0] != x.n[1]) TRY_NEW(by = arena_printf(all, ", fewest for %s", x.fewest));
    TRY_NEW(name = artifact_words(all, arm));
    if (!isnan(x.artifact))
        TRY_NEW(artifact = arena_printf(all,
                                        "the %s of the edit is %.2g on average at its worst dose",
                                        name, x.artifact));
    const char *claim = "";
    if (arm->claim[0]) TRY_NEW(claim = arena_printf(all, "; the edit leaves %s", arm->claim));
    bool sham = false;
    for (size_t k = 0; k < t->pairs; k++)
        sham = sham || t->view[t->pair[k].main].arm_index == a;
    TRY(result_answer(t->out, err,
                      "The arm %s rests on %s %ss in %s independent clusters%s, each at %zu doses "
                      "(%s excluded); %s; %s%s.",
                      arm->name, n, images_of(arm), clusters, by, arm->doses, excluded, artifact,
                      sham ? "placebo edits were scored beside it"
                           : "no placebo edit was scored beside it", claim));
done:
    return status;
}

/* "0.02" or "0.01 to 0.02": the floors of FI and A over the main arms; *highest is the largest. */
static const char *floors_text(double *highest, study *t, size_t scorer)
{
    static const reading_id ids[2] = {RD_FI, RD_A};
    double least = INFINITY, most = 0;
    for (size_t a = 0; a < t->c->arms; a++)
        for (size_t n = 0; n < 2; n++) {
            const view *v = &t->view[a * t->c->scorers + scorer];
            const judged *j = arm_main(v->arm) ? study_get(t, v, ids[n]) : NULL;
            double floor = j ? study_reading(t, j)->floor : NAN;
            if (isnan(floor)) continue;
            least = fmin(least, floor);
            most = fmax(most, floor);
        }
    *highest = most;
    const char *low = number_text(&t->out->a, fmin(least, most));
    const char *high = number_text(&t->out->a, most);
    if (!low || !high || strcmp(low, high) == 0) return low && high ? high : NULL;
    return arena_printf(&t->out->a, "%s to %s (by arm and reading)", low, high);
}

/* Too few images (ours: below half), or not in every configuration. */
static bool noise_in_part(const noise_floor *x)
{
    return 2 * x->images < x->images_asked || x->configurations < x->configurations_asked;
}

/* What is lost in the noise of a scorer that is known, or in the step of its numbers. */
static tare_status say_floor(study *t, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    const view *v = &t->view[scorer];
    const char *floor;
    double highest, step = 0;
    TRY_NEW(floor = floors_text(&highest, t, scorer));
    for (size_t a = 0; a < t->c->arms; a++) {
        const view *of = &t->view[a * t->c->scorers + scorer];
        if (arm_main(of->arm)) step = fmax(step, of->noise.quantum); /* a NaN gives way */
    }
    bool same = v->noise.sd == 0 && v->noise.shift == 0;
    if (same && highest > 0) {
        const char *steps;
        TRY_NEW(steps = number_text(&t->out->a, step));
        TRY(result_answer(t->out, err,
                          "%s gave the same scores when it was asked again, but its numbers come "
                          "in steps of about %s: effects below about %s are lost in them.",
                          v->scorer, steps, floor));
    } else if (same && !noise_in_part(&v->noise))
        TRY(result_answer(t->out, err,
                          "%s gave exactly the same scores when it was asked again, so no effect "
                          "is lost in its own noise.", v->scorer));
    else if (!same)
        TRY(result_answer(t->out, err,
                          v->noise.shift > 0.1 * v->sd0
                              ? "%s does not give the same image the same score again: effects "
                                "below about %s cannot be told from its own noise."
                              : "%s gives the same image about the same score again: effects "
                                "below about %s count as below its resolution.",
                          v->scorer, floor));
done:
    return status;
}

tare_status say_noise(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->scorers && t->c->arms; k++) {
        const view *v = &t->view[k];
        if (!v->noise.known) {
            TRY(result_caution(t->out, err,
                               v->noise.images_asked
                                   ? "No image has a score of %s both at first and when it was "
                                     "asked again, so its own noise is not known; only the step of "
                                     "its numbers was used as a floor."
                                   : "%s was not called again on the same images, so its own noise "
                                     "is not known; only the step of its numbers was used as a "
                                     "floor.", v->scorer));
            continue;
        }
        if (noise_in_part(&v->noise))
            TRY(result_caution(t->out, err,
                               "%s: noise measured on %zu of %zu images and %zu of %zu "
                               "configurations only, so its floor may be too low.", v->scorer,
                               v->noise.images, v->noise.images_asked, v->noise.configurations,
                               v->noise.configurations_asked));
        TRY(say_floor(t, k, err));
    }
done:
    return status;
}
