/* Split-half: does the diagonal of one half of the items resemble that of the other (judge audits
 * A.7)? Halves by the hash of the cluster's id, so that clusters stay whole. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_study.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/moments.h"

#define MODELS_LEAST 3

typedef struct half {
    const uint8_t *side; /* [M] */
    uint8_t odd;
    size_t ddof;
    neumaier *total;     /* [p] scratch */
} half;

/* R, Z and Phi~ of one half [3][G][E]; false where a cell has no score there. */
static bool half_matrices(double *out, double *phi, const matrix_view *v, const half *h)
{
    size_t cells = v->G * v->E;
    double scratch[MATRIX_SCRATCH];
    for (size_t c = 0; c < v->p; c++) h->total[c] = (neumaier){0, 0};
    for (size_t k = 0; k < v->plan.clusters; k++)
        for (size_t c = 0; c < v->p && h->side[k] == h->odd; c++)
            neumaier_add(&h->total[c], v->sums[k * v->p + c]);
    for (size_t c = 0; c < cells; c++) {
        double n = neumaier_total(&h->total[v->balanced ? cells : cells + c]);
        if (!(n > 0)) return false;
        phi[c] = neumaier_total(&h->total[c]) / n;
    }
    preference p = {.residual = out, .z = out + cells, .standardised = out + 2 * cells};
    preference_of(&p, phi, &(preference_shape){v->G, v->E, h->ddof}, scratch);
    return true;
}

static tare_status split_view(matrix_study *s, matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const names[3] = {"R", "Z", "Phi~"};
    size_t cells = v->G * v->E;
    double *made[2] = {NULL, NULL}, *phi = NULL, *diagonal = NULL;
    uint8_t *side = NULL;
    neumaier *total = NULL;
    TRY_NEW(made[0] = mem_new(s->m, 3 * cells, sizeof(double)));
    TRY_NEW(made[1] = mem_new(s->m, 3 * cells, sizeof(double)));
    TRY_NEW(total = mem_new(s->m, v->p, sizeof *total));
    TRY_NEW(side = mem_new(s->m, v->plan.clusters, 1));
    for (size_t k = 0; k < v->plan.clusters; k++)
        side[k] = rng_h64(v->plan.ids[k], strlen(v->plan.ids[k])) & 1;
    TRY_NEW(phi = mem_new(s->m, cells, sizeof *phi));
    TRY_NEW(diagonal = mem_new(s->m, 2 * v->K, sizeof *diagonal));
    for (uint8_t odd = 0; odd < 2; odd++)
        if (!half_matrices(made[odd], phi, v, &(half){side, odd, s->o.ddof, total})) goto done;
    for (int n = 0; n < 3; n++) {
        for (size_t k = 0; k < v->K; k++)
            for (int odd = 0; odd < 2; odd++)
                diagonal[(size_t)odd * v->K + k] =
                    made[odd][(size_t)n * cells + v->self[k].author * v->E + v->self[k].judge];
        v->split[n] = moments_correlation(diagonal, diagonal + v->K, v->K);
        entry_spec spec = matrix_entry(v, "split-half", names[n], "", "");
        spec.unit = "correlation";
        TRY(matrix_number(s, v, &spec, v->split[n], err));
    }
done:
    mem_free(s->m, made[0]);
    mem_free(s->m, made[1]);
    mem_free(s->m, side);
    mem_free(s->m, total);
    mem_free(s->m, phi);
    mem_free(s->m, diagonal);
    return status;
}

tare_status matrix_split_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) {
        matrix_view *v = &s->view[i];
        if (v->reason[0] || !v->balanced || v->K < MODELS_LEAST) continue;
        TRY(split_view(s, v, err));
    }
done:
    return status;
}
