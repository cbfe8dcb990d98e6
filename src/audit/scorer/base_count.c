#include "audit/scorer/base_count.h"

#include <math.h>
#include <string.h>

bool excluded_from(const result_missing *x, const cube_arm *arm)
{
    const char *label = arm->label ? arm->label : arm->name;
    /* From all axes of the label, or from this one alone. */
    bool here = strcmp(x->arm, label) == 0 || strcmp(x->arm, arm->name) == 0;
    return strcmp(x->what, "base") == 0 && x->instrument[0] == '\0' && here &&
           (size_t)x->reason < TARE_REASON_COUNT;
}

void count_drop(base_count *c, size_t k, tare_reason why)
{
    c->n -= k;
    c->missing[why] += k;
}

base_count count_view(const view *v)
{
    base_count c = {.expected = v->expected, .n = v->f.n, .clusters = v->f.plan.clusters};
    memcpy(c.missing, v->missing, sizeof c.missing);
    return c;
}

base_count count_frame(const view *v, const frame *f)
{
    base_count c = count_view(v);
    count_drop(&c, v->f.n - f->n, TARE_R_MISSING);
    c.clusters = f->plan.clusters;
    return c;
}

base_count count_values(const view *v, const double *x, tare_reason why)
{
    base_count c = count_view(v);
    c.clusters = 0;
    uint32_t last = UINT32_MAX; /* bases of one cluster stand together (cube.h) */
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        if (isnan(x[i])) {
            count_drop(&c, 1, why);
            continue;
        }
        c.clusters += v->f.cluster[i] != last;
        last = v->f.cluster[i];
    }
    return c;
}

static void add_excluded(base_count *c, const study *t, const cube_arm *arm, const bool *kept)
{
    for (size_t k = 0; k < t->c->missing_count; k++) {
        const result_missing *x = &t->c->missing[k];
        if (!excluded_from(x, arm)) continue;
        bool here = kept == NULL;
        for (size_t g = 0; kept && g < arm->groups; g++)
            here = here || (kept[g] && strcmp(x->group, arm->group_id[g]) == 0);
        if (!here) continue;
        c->expected += x->count;
        c->missing[x->reason] += x->count;
    }
}

base_count count_arm(const study *t, const cube_arm *arm, const frame *f)
{
    base_count c = {.expected = arm->bases, .n = arm->bases, .clusters = arm->clusters};
    add_excluded(&c, t, arm, NULL);
    if (!f) return c;
    count_drop(&c, arm->bases - f->n, TARE_R_MISSING);
    c.clusters = f->plan.clusters;
    return c;
}

base_count count_groups(const study *t, const view *v, const bool *kept)
{
    base_count c = {0};
    add_excluded(&c, t, v->arm, kept);
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < v->arm->bases; i++) {
        if (!kept[v->arm->group[i]]) continue;
        c.expected++;
        if (!v->f.used[i]) {
            c.missing[v->lost[i]]++;
            continue;
        }
        c.n++;
        c.clusters += v->f.cluster[i] != last;
        last = v->f.cluster[i];
    }
    return c;
}
