#include "audit/scorer/transfer_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "base/error.h"
#include "base/hash.h"
#include "stats/infer.h"
#include "stats/verdict.h"

/* ---- clusters of both sides ------------------------------------------------------------------ */

/* The bases of both sides as one arm: first those of the reference, then those of the compared
 * side. */
typedef struct joined {
    cube_arm arm;
    size_t first;     /* rows of the reference                                                */
    size_t *at;       /* [bases of compared] the same base in the reference; SIZE_MAX: nowhere */
    size_t *named;    /* likewise by the name alone                                            */
    bool whole;       /* every base of either side is in the other                             */
    size_t links;     /* clusters that have bases of both                                      */
} joined;

static bool same_image(const cube *c, const cube_arm *x, size_t i, const cube_arm *y, size_t k)
{
    if (c->shared == CUBE_SHARED_NAMES) return true;
    return c->shared == CUBE_SHARED_PIXELS && x->pixels && y->pixels && x->pixels[i] &&
           y->pixels[k] && strcmp(x->pixels[i], y->pixels[k]) == 0;
}

static tare_status match_bases(joined *j, study *t, const cube_arm *x, const cube_arm *y,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    map *ids = map_new(t->m);
    size_t *index, met = 0;
    if (!ids) FAIL_MEMORY(err);
    TRY_NEW(index = arena_new(&t->scratch, x->bases + 1, sizeof *index));
    TRY_NEW(j->at = arena_new(&t->scratch, y->bases + 1, sizeof *j->at));
    TRY_NEW(j->named = arena_new(&t->scratch, y->bases + 1, sizeof *j->named));
    for (size_t i = 0; i < x->bases; i++) {
        size_t k = map_add(ids, x->base[i], strlen(x->base[i]), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        index[k] = i;
    }
    for (size_t i = 0; i < y->bases; i++) {
        size_t k = map_find(ids, y->base[i], strlen(y->base[i]));
        bool same = k != SIZE_MAX && same_image(t->c, x, index[k], y, i);
        j->named[i] = k == SIZE_MAX ? SIZE_MAX : index[k];
        j->at[i] = same ? index[k] : SIZE_MAX;
        met += same;
    }
    j->whole = met && met == x->bases && met == y->bases;
done:
    map_free(ids);
    return status;
}

static size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void link(size_t *parent, const char *const *name, size_t i, size_t k)
{
    i = root_of(parent, i);
    k = root_of(parent, k);
    if (i == k) return;
    /* The root of two is the one whose name comes first, so that no order of sides matters. */
    if (strcmp(name[i], name[k]) <= 0) parent[k] = i;
    else parent[i] = k;
}

/* Do clusters of one name mean the same on both sides, by the images that are on both? */
static bool clusters_agree(const joined *j, const cube_arm *x, const cube_arm *y)
{
    for (size_t i = 0; i < y->bases; i++)
        if (j->at[i] != SIZE_MAX && strcmp(x->cluster_id[x->cluster[j->at[i]]],
                                           y->cluster_id[y->cluster[i]]) != 0)
            return false;
    return true;
}

/* Where they do not, a cluster is called by its first base, and only bases join clusters. */
static void name_by_base(const char **name, const cube_arm *arm)
{
    for (size_t i = arm->bases; i-- > 0;) name[arm->cluster[i]] = arm->base[i];
}

/* parent [clusters of x, then of y] with roots, and a name of each; roots have names of their
 * own. */
static tare_status link_clusters(size_t **parent, const char ***name, const joined *j, study *t,
                                 const cube_arm *x, const cube_arm *y, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = x->clusters + y->clusters;
    bool agree = clusters_agree(j, x, y);
    TRY_NEW(*parent = arena_new(&t->scratch, m + 1, sizeof **parent));
    TRY_NEW(*name = arena_new(&t->scratch, m + 1, sizeof **name));
    for (size_t c = 0; c < m; c++) {
        (*parent)[c] = c;
        (*name)[c] = c < x->clusters ? x->cluster_id[c] : y->cluster_id[c - x->clusters];
    }
    if (!agree) {
        name_by_base(*name, x);
        name_by_base(*name + x->clusters, y);
    }
    for (size_t a = 0, b = 0; agree && a < x->clusters && b < y->clusters;) { /* both ascend */
        int order = strcmp(x->cluster_id[a], y->cluster_id[b]);
        if (order == 0) link(*parent, *name, a, x->clusters + b);
        a += order <= 0;
        b += order >= 0;
    }
    for (size_t i = 0; i < y->bases && !agree; i++)
        if (j->named[i] != SIZE_MAX)
            link(*parent, *name, x->cluster[j->named[i]], x->clusters + y->cluster[i]);
done:
    return status;
}

typedef struct root {
    const char *name;
    size_t at;
} root;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const root *)a)->name, ((const root *)b)->name);
}

/* number [m]: of each root, in the order of the names. */
static tare_status number_clusters(joined *j, uint32_t *number, study *t, size_t *parent,
                                   const char *const *name, size_t m, tare_error *err)
{
    tare_status status = TARE_OK;
    root *roots;
    size_t n = 0;
    TRY_NEW(roots = arena_new(&t->scratch, m + 1, sizeof *roots));
    TRY_NEW(j->arm.cluster_id = arena_new(&t->scratch, m + 1, sizeof *j->arm.cluster_id));
    for (size_t c = 0; c < m; c++)
        if (root_of(parent, c) == c) roots[n++] = (root){name[c], c};
    qsort(roots, n, sizeof *roots, by_name);
    for (size_t k = 0; k < n; k++) {
        j->arm.cluster_id[k] = roots[k].name;
        number[roots[k].at] = (uint32_t)k;
    }
    j->arm.clusters = n;
done:
    return status;
}

static tare_status join(joined *j, study *t, const cube_arm *x, const cube_arm *y, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *parent, m = x->clusters + y->clusters;
    const char **name;
    uint32_t *number;
    memset(j, 0, sizeof *j);
    TRY(match_bases(j, t, x, y, err));
    TRY(link_clusters(&parent, &name, j, t, x, y, err));
    j->first = x->bases;
    j->arm.bases = x->bases + y->bases;
    j->arm.kind = "both";
    TRY_NEW(number = arena_new(&t->scratch, m + 1, sizeof *number));
    TRY_NEW(j->arm.cluster = arena_new(&t->scratch, j->arm.bases + 1, sizeof *j->arm.cluster));
    TRY(number_clusters(j, number, t, parent, name, m, err));
    for (size_t i = 0; i < j->arm.bases; i++) {
        size_t c = i < x->bases ? x->cluster[i] : x->clusters + y->cluster[i - x->bases];
        j->arm.cluster[i] = number[root_of(parent, c)];
    }
done:
    return status;
}

static bool has_value(difference_side s, size_t i)
{
    return s.v->f.used[i] && !isnan(s.x[i]);
}

/* Clusters in which each side, and both together, have a value. */
static tare_status count_clusters(size_t side[2], joined *j, study *t, difference_side x,
                                  difference_side y, tare_error *err)
{
    unsigned char *seen = arena_new(&t->scratch, j->arm.clusters + 1, 1);
    if (!seen) return error_memory(err);
    for (size_t i = 0; i < j->arm.bases; i++) {
        bool second = i >= j->first;
        if (second ? has_value(y, i - j->first) : has_value(x, i))
            seen[j->arm.cluster[i]] |= second ? 2 : 1;
    }
    for (size_t c = 0; c < j->arm.clusters; c++) {
        side[0] += (seen[c] & 1) != 0;
        side[1] += (seen[c] & 2) != 0;
        j->links += seen[c] == 3;
    }
    return TARE_OK;
}

/* ---- independent sets ------------------------------------------------------------------------ */

static base_count count_both(difference_side x, difference_side y)
{
    base_count c = count_values(y.v, y.x, TARE_R_MISSING);
    base_count other = count_values(x.v, x.x, TARE_R_MISSING);
    c.expected += other.expected;
    c.n += other.n;
    c.clusters += other.clusters;
    for (int k = 0; k < TARE_REASON_COUNT; k++) c.missing[k] += other.missing[k];
    return c;
}

static tare_status independent(cell_difference *out, study *t, difference_side x,
                               difference_side y, tare_error *err)
{
    tare_status status = TARE_OK;
    arena keep;
    arena_init(&keep, t->m);
    inference a, b;
    TRY(study_means_keep(&a, t, &y.v->f, &y.x, 1, &keep, err));
    TRY(study_means_keep(&b, t, &x.v->f, &x.x, 1, &keep, err));
    if (a.replicates && b.replicates)
        TRY(infer_difference(&out->inf, &a, &b, &y.v->f.plan, false, t->keep, err));
    else
        out->inf = inference_none(a.reason[0] ? a.reason : b.reason);
    out->count = count_both(x, y);
done:
    arena_free(&keep);
    return status;
}

/* ---- some bases in common -------------------------------------------------------------------- */

/* total: sum and n of the reference, sum and n of the compared side. */
static double of_means(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    if (total[1] == 0 || total[3] == 0) return NAN;
    double x = total[0] / total[1], y = total[2] / total[3];
    return snap_zero(y - x, fabs(y) + fabs(x));
}

/* Below 30 clusters on either side the t of the jackknife leads, by the clusters of the side that
 * has fewer (ours). */
static tare_status by_totals(cell_difference *out, study *t, frame *f, base_rows rows,
                             size_t fewest, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_smooth g = {.g = of_means};
    if (f->plan.interval == CI_AUTO && fewest < INFER_CLUSTERS_BOOT) f->plan.interval = CI_T;
    TRY(study_totals(&out->inf, t, f, rows, &g, 1, err));
    if (f->plan.interval != CI_T || !(out->inf.se > 0) || out->inf.reason[0]) goto done;
    const double measured[2] = {out->inf.se, (double)fewest - 1};
    const char *interval = out->inf.interval_method, *p = out->inf.p_method;
    g.cr2 = measured;
    TRY(study_totals(&out->inf, t, f, rows, &g, 1, err));
    out->inf.interval_method = interval;
    out->inf.p_method = p;
done:
    return status;
}

static tare_status partly(cell_difference *out, study *t, joined *j, difference_side x,
                          difference_side y, size_t fewest, tare_error *err)
{
    tare_status status = TARE_OK;
    bool *used;
    double *rows;
    frame f;
    TRY_NEW(used = arena_new(&t->scratch, j->arm.bases + 1, sizeof *used));
    TRY_NEW(rows = arena_new(&t->scratch, 4 * j->arm.bases + 1, sizeof *rows));
    for (size_t i = 0; i < j->arm.bases; i++) {
        size_t second = i >= j->first ? 1 : 0, at = i - second * j->first;
        difference_side s = second ? y : x;
        used[i] = has_value(s, at);
        if (!used[i]) continue;
        rows[4 * i + 2 * second] = s.x[at];
        rows[4 * i + 2 * second + 1] = 1;
    }
    TRY(frame_make(&f, t, &j->arm, used, err));
    TRY(by_totals(out, t, &f, (base_rows){rows, 4}, fewest, err));
    out->count = count_both(x, y);
    out->count.clusters = f.plan.clusters;
    out->how = "partly paired";
done:
    return status;
}

/* ---- the same bases -------------------------------------------------------------------------- */

/* Why a base has no value here; TARE_R_NONE: it has one. */
static tare_reason lost_for(difference_side s, size_t i)
{
    if (!s.v->f.used[i]) return (tare_reason)s.v->lost[i];
    return isnan(s.x[i]) ? TARE_R_MISSING : TARE_R_NONE;
}

/* What was excluded before it was scored: all that is missing but the bases of the arm. */
static uint64_t excluded_for(const view *v, int why)
{
    uint64_t here = 0;
    for (size_t i = 0; i < v->f.bases; i++) here += !v->f.used[i] && v->lost[i] == why;
    return v->missing[why] > here ? v->missing[why] - here : 0;
}

static base_count count_nothing(difference_side x, difference_side y)
{
    base_count c = {0};
    for (int k = 0; k < TARE_REASON_COUNT; k++) {
        uint64_t a = excluded_for(x.v, k), b = excluded_for(y.v, k);
        c.missing[k] = a > b ? a : b; /* images of both: they were left out of both (ours) */
        c.expected += c.missing[k];
    }
    return c;
}

static tare_status paired(cell_difference *out, study *t, joined *j, difference_side x,
                          difference_side y, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = y.v->arm;
    bool *used;
    double *d;
    frame f;
    TRY_NEW(used = arena_new(&t->scratch, j->arm.bases + 1, sizeof *used));
    TRY_NEW(d = study_array(t, j->arm.bases));
    out->count = count_nothing(x, y);
    for (size_t i = 0; i < arm->bases; i++) {
        size_t at = j->at[i], row = j->first + i;
        tare_reason a = lost_for(x, at), b = lost_for(y, i);
        tare_reason why = a == TARE_R_NONE || (b != TARE_R_NONE && b < a) ? b : a;
        out->count.expected++;
        if (why != TARE_R_NONE) {
            out->count.missing[why]++;
            continue;
        }
        out->count.n++;
        used[row] = true;
        d[row] = snap_zero(y.x[i] - x.x[at], fabs(y.x[i]) + fabs(x.x[at]));
    }
    /* Draws of the base set itself: the same images have the same draws in all arms. */
    j->arm.set_name = arm->set_name;
    j->arm.kind = arm->kind;
    TRY(frame_make(&f, t, &j->arm, used, err));
    const double *column = d;
    TRY(study_means(&out->inf, t, &f, &column, 1, err));
    out->count.clusters = f.plan.clusters;
    out->how = "paired";
done:
    return status;
}

tare_status transfer_difference(cell_difference *out, study *t, difference_side reference,
                                difference_side compared, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t clusters[2] = {0, 0};
    joined j;
    out->how = "";
    if (t->c->shared == CUBE_SHARED_NONE)
        return independent(out, t, reference, compared, err);
    TRY(join(&j, t, reference.v->arm, compared.v->arm, err));
    TRY(count_clusters(clusters, &j, t, reference, compared, err));
    size_t fewest = clusters[0] < clusters[1] ? clusters[0] : clusters[1];
    if (j.whole) TRY(paired(out, t, &j, reference, compared, err));
    else if (j.links) TRY(partly(out, t, &j, reference, compared, fewest, err));
    else TRY(independent(out, t, reference, compared, err));
done:
    return status;
}
