/* The table of all scores as they were used, made row by row when it is written. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"

/* One scorer in one arm, in the arena of the result: the cube may be gone by then. */
struct used_view {
    const char *arm, *scorer, **base, **cluster_id, **group_id;
    const uint32_t *cluster, *group;
    const double *dose, *s, *attribute, *artifact, *edit_energy;
    const uint8_t *status;
    double sign;
    size_t doses, first; /* row */
};

struct used_scores {
    struct used_view *view;
    size_t views;
};

static tare_status keep(const void **x, size_t count, size_t size, arena *a, tare_error *err)
{
    if (!*x) return TARE_OK;
    void *copy = arena_raw(a, count + 1, size);
    if (!copy) return error_memory(err);
    if (count) memcpy(copy, *x, count * size);
    *x = copy;
    return TARE_OK;
}

/* What the arm has, once for all its scorers. */
static tare_status keep_arm(struct used_view *u, const cube_arm *arm, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = arm->bases * arm->doses;
    *u = (struct used_view){
        .arm = arm->name, .base = arm->base, .cluster_id = arm->cluster_id,
        .group_id = arm->group_id, .cluster = arm->cluster, .group = arm->group,
        .dose = arm->dose, .attribute = arm->attribute, .artifact = arm->artifact,
        .edit_energy = arm->edit_energy, .doses = arm->doses};
    TRY(keep((const void **)&u->cluster, arm->bases, sizeof *u->cluster, a, err));
    TRY(keep((const void **)&u->group, arm->bases, sizeof *u->group, a, err));
    TRY(keep((const void **)&u->dose, arm->doses, sizeof *u->dose, a, err));
    TRY(keep((const void **)&u->attribute, n, sizeof *u->attribute, a, err));
    TRY(keep((const void **)&u->artifact, n, sizeof *u->artifact, a, err));
    TRY(keep((const void **)&u->edit_energy, n, sizeof *u->edit_energy, a, err));
done:
    return status;
}

static double at(const double *x, size_t index)
{
    return x ? x[index] : NAN;
}

static tare_status used_row(const void *arg, cell *row, size_t index, arena *scratch,
                            tare_error *err)
{
    (void)scratch, (void)err;
    const struct used_scores *all = arg;
    size_t k = all->views - 1;
    while (all->view[k].first > index) k--;
    const struct used_view *u = &all->view[k];
    size_t n = index - u->first, i = n / u->doses;
    tare_reason reason = (tare_reason)u->status[n];
    row[0] = words_cell(u->arm);
    row[1] = words_cell(u->base[i]);
    row[2] = words_cell(u->cluster_id[u->cluster[i]]);
    row[3] = words_cell(u->group ? u->group_id[u->group[i]] : "");
    row[4] = number_cell(u->dose[n % u->doses]);
    row[5] = words_cell(u->scorer);
    row[6] = number_cell(reason == TARE_R_NONE ? u->sign * u->s[n] : NAN);
    row[7] = words_cell(reason == TARE_R_NONE ? "ok" : tare_reason_name(reason));
    row[8] = number_cell(at(u->attribute, n));
    row[9] = number_cell(at(u->artifact, n));
    row[10] = number_cell(at(u->edit_energy, n));
    return TARE_OK;
}

/* Every variant as it was scored: raw value, measured attribute and artifact, status. */
tare_status used_scores_table(study *t, tare_error *err)
{
    static const char *const columns[] = {"arm", "base", "cluster", "group", "dose", "scorer",
                                          "score", "status", "attribute", "artifact",
                                          "edit_energy"};
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    struct used_scores *x;
    result_table *table;
    TRY_NEW(table = result_add_table(t->out, "used_scores", "Every score as the audit used it",
                                     columns, sizeof columns / sizeof *columns));
    TRY_NEW(x = arena_new(a, 1, sizeof *x));
    TRY_NEW(x->view = arena_new(a, t->views + 1, sizeof *x->view));
    x->views = t->views;
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        struct used_view *u = &x->view[k];
        size_t n = v->arm->bases * v->arm->doses;
        if (k && v->arm == t->view[k - 1].arm) *u = u[-1];
        else TRY(keep_arm(u, v->arm, a, err));
        u->scorer = v->scorer;
        u->sign = t->c->sign ? t->c->sign[v->scorer_index] : 1;
        u->s = v->scores->s;
        u->status = v->scores->status;
        TRY(keep((const void **)&u->s, n, sizeof *u->s, a, err));
        TRY(keep((const void **)&u->status, n, sizeof *u->status, a, err));
        u->first = table->row_count;
        table->row_count += n;
    }
    table->make = used_row;
    table->arg = x;
done:
    return status;
}
