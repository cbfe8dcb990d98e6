/* Every image a cluster of its own, as the paper resamples (scorer audit 14): for parity, since
 * images that belong together then count as independent. */
#include <stdlib.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"

typedef struct base_place {
    const char *id;
    size_t at;
} base_place;

static int by_id(const void *x, const void *y)
{
    return strcmp(((const base_place *)x)->id, ((const base_place *)y)->id);
}

static tare_status cut_arm(study *t, cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    base_place *order;
    size_t n = arm->bases;
    TRY_NEW(order = arena_new(&t->scratch, n + 1, sizeof *order));
    TRY_NEW(arm->cluster = arena_new(&t->scratch, n + 1, sizeof *arm->cluster));
    /* As long as the result: its table of scores names the cluster of a row when it is written. */
    TRY_NEW(arm->cluster_id = arena_new(&t->out->a, n + 1, sizeof *arm->cluster_id));
    for (size_t i = 0; i < n; i++) order[i] = (base_place){arm->base[i], i};
    if (n) qsort(order, n, sizeof *order, by_id);
    for (size_t k = 0; k < n; k++) {
        arm->cluster[order[k].at] = (uint32_t)k;
        arm->cluster_id[k] = order[k].id;
    }
    if (arm->clusters < n && arm_main(arm))
        TRY(result_caution(t->out, err,
                           "%s: %zu images of %zu clusters are taken for %zu independent ones, as "
                           "--preset paper has it: intervals and p are too small.", arm->name, n,
                           arm->clusters, n));
    arm->clusters = n;
done:
    return status;
}

tare_status study_cut_clusters(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->arms; k++) TRY(cut_arm(t, &t->own.arm[k], err));
done:
    return status;
}
