#include "audit/scorer/group_set.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "stats/permute.h"

#define LEFT_OUT_NAMED 20

/* The first base whose label is not that of the base before it in its cluster, or 0: bases of one
 * cluster stand together (cube.h). */
static size_t first_change(const cube_arm *arm)
{
    for (size_t i = 1; i < arm->bases; i++)
        if (arm->cluster[i] == arm->cluster[i - 1] && arm->group[i] != arm->group[i - 1]) return i;
    return 0;
}

bool group_labels_vary(const cube_arm *arm)
{
    return first_change(arm) > 0;
}

tare_status group_labels_check(const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t i = first_change(arm);
    if (i > 0)
        FAIL(err, TARE_E_DATA, "group.in_cluster", arm->base[i],
             "the group varies inside cluster %s: base %s has the label '%s', base %s has '%s'; "
             "give every base of a cluster one group", arm->cluster_id[arm->cluster[i]],
             arm->base[i - 1], arm->group_id[arm->group[i - 1]], arm->base[i],
             arm->group_id[arm->group[i]]);
done:
    return status;
}

/* Which groups can be compared; says of the others why not. */
static tare_status list_left_out(group_set *g, study *t, const cube_arm *arm,
                                 const size_t *clusters, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t said = 0, more = 0;
    text list;
    text_init(&list, t->m);
    g->left_out = "";
    for (size_t k = 0; k < arm->groups; k++) {
        /* No label is no group: such images are left out, whatever their number. */
        bool named = arm->group_id[k][0] != '\0', large = g->bases[k] >= t->o.group_min;
        g->kept[k] = named && large && clusters[k] >= GROUP_CLUSTERS_MIN;
        g->count += g->kept[k];
        if (g->kept[k]) continue;
        if (said++ >= LEFT_OUT_NAMED) {
            more++;
            continue;
        }
        text_add_format(&list, "%s%s (%zu%s)", list.length ? ", " : "",
                        named ? arm->group_id[k] : "without a group", g->bases[k],
                        named && large ? " of one cluster" : "");
    }
    if (more) text_add_format(&list, ", and %zu more", more);
    if (list.failed) FAIL_MEMORY(err);
    if (list.length) TRY_NEW(g->left_out = arena_copy(&t->out->a, list.data));
done:
    text_free(&list);
    return status;
}

tare_status group_limit(size_t groups, const study *t, const cube_arm *arm, tare_error *err)
{
    if (groups <= OMNIBUS_GROUPS_MAX) return TARE_OK;
    return error_set(err, TARE_E_LIMIT, "omnibus.groups", NULL,
                     "arm %s has %zu groups of %zu images or more, and at most %d are compared; "
                     "give --group a column with fewer labels, or raise --group-min", arm->name,
                     groups, t->o.group_min, OMNIBUS_GROUPS_MAX);
}

tare_status group_set_find(group_set *g, study *t, const view *v, const double *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t clusters = v->f.plan.clusters, *of;
    uint32_t last = UINT32_MAX; /* bases of one cluster stand together (cube.h) */
    TRY_NEW(g->label = arena_new(&t->scratch, clusters + 1, sizeof *g->label));
    TRY_NEW(g->kept = arena_new(&t->scratch, arm->groups + 1, sizeof *g->kept));
    TRY_NEW(g->bases = arena_new(&t->scratch, arm->groups + 1, sizeof *g->bases));
    TRY_NEW(of = arena_new(&t->scratch, arm->groups + 1, sizeof *of));
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        g->label[v->f.cluster[i]] = arm->group[i];
        if (isnan(x[i])) continue;
        g->bases[arm->group[i]]++;
        of[arm->group[i]] += v->f.cluster[i] != last;
        last = v->f.cluster[i];
    }
    TRY(list_left_out(g, t, arm, of, err));
    TRY(group_limit(g->count, t, arm, err));
    for (size_t k = 0; k < clusters; k++)
        if (!g->kept[g->label[k]]) g->label[k] = OMNIBUS_NONE;
done:
    return status;
}
