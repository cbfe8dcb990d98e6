/* The augmented matrix: every panel as one more judge, by itself (judge audits B.3). */
#include <math.h>
#include <string.h>

#include "audit/judge/preference.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "stats/resample.h"

/* Where a column of scores has its sums [G] and counts [G] among the totals. */
typedef struct matrix_column { size_t sum, count; } matrix_column;

typedef struct augmented {
    const panel_study *s;
    const matrix_column *judge; /* [E] of the usable judges, in order        */
    const size_t *place;        /* [judges] their place; SIZE_MAX             */
    matrix_column panel;
    const panel_result *p;
    panel_numbers *out;
    size_t E, G;
} augmented;

typedef struct layout {
    matrix_column *judge;
    size_t *place, E, G, p, clusters;
    double *z;
    augmented *wanted;
    size_t wanted_count;
    size_t shared;              /* counts of rows, for columns without gaps   */
} layout;

/* Outputs of one augmented matrix, in this order: R, Z, Phi~ of the panel [G each], the members'
 * own Phi~ [n], differences of |D| [n], summaries of Phi~ and of R. */
static size_t outputs_of(const augmented *x)
{
    return 3 * x->G + 2 * x->p->count + 2 * SUMMARIES;
}

static void summarise(double *out, const double *column, const augmented *x)
{
    double sum = 0, absolute = 0, most = 0, square = 0, n = 0;
    for (size_t k = 0; k < x->p->count; k++) {
        if (x->p->member[k].author == SIZE_MAX) continue;
        double v = column[x->p->member[k].author];
        sum += v;
        absolute += fabs(v);
        most = fabs(v) > most ? fabs(v) : most;
        n++;
    }
    for (size_t g = 0; g < x->G; g++) square += column[g] * column[g];
    /* Without members that write there is nothing of their own. */
    out[SUMMARY_MEAN] = n > 0 ? sum / n : 0;
    out[SUMMARY_MABS] = n > 0 ? absolute / n : 0;
    out[SUMMARY_MAX] = most;
    out[SUMMARY_RMS] = sqrt(square / (double)x->G);
}

static bool cell_means(double *phi, const double *total, const augmented *x)
{
    bool all = true;
    memset(phi, 0, x->G * (x->E + 1) * sizeof *phi);
    for (size_t g = 0; g < x->G; g++) {
        for (size_t e = 0; e <= x->E; e++) {
            const matrix_column *c = e < x->E ? &x->judge[e] : &x->panel;
            double n = total[c->count + g];
            all = all && n > 0.5;
            phi[g * (x->E + 1) + e] = total[c->sum + g] / n;
        }
    }
    return all;
}

static void augmented_values(double *values, const double *total, size_t p, const void *user)
{
    const augmented *x = user;
    double phi[PANEL_CELLS_MOST], r[PANEL_CELLS_MOST], z[PANEL_CELLS_MOST], s[PANEL_CELLS_MOST];
    double scratch[PREFERENCE_SCRATCH_MOST(PANEL_CELLS_MOST)];
    size_t G = x->G, E = x->E, wide = E + 1, n = x->p->count;
    (void)p;
    if (!cell_means(phi, total, x)) {
        for (size_t k = 0; k < outputs_of(x); k++) values[k] = NAN;
        return;
    }
    preference out = {.residual = r, .z = z, .standardised = s};
    preference_of(&out, phi, &(preference_shape){G, wide, x->s->o.ddof}, scratch);
    for (size_t g = 0; g < G; g++) {
        values[g] = r[g * wide + E];
        values[G + g] = z[g * wide + E];
        values[2 * G + g] = s[g * wide + E];
    }
    double *own = values + 3 * G, *gap = own + n, *summary = gap + n;
    double scale = (double)wide / (double)E * ((double)G / (double)(G - 1));
    for (size_t k = 0; k < n; k++) {
        size_t author = x->p->member[k].author, place = x->place[x->p->member[k].judge];
        bool writes = author != SIZE_MAX;
        own[k] = writes ? s[author * wide + place] : 0;
        gap[k] = writes ? (fabs(r[author * wide + E]) - fabs(r[author * wide + place])) * scale : 0;
    }
    summarise(summary, values + 2 * G, x);
    summarise(summary + SUMMARIES, values, x);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void add_column(layout *l, const panel_study *s, matrix_column *c, const double *score,
                       size_t stride)
{
    const panel_rows *r = &s->rows;
    for (size_t i = 0; i < r->rows; i++) {
        double v = score[i * stride];
        if (!r->in_matrix[i] || isnan(v)) continue;
        double *z = l->z + r->cluster[i] * l->p + r->t->unit_author[i];
        z[c->sum] += v;
        if (c->count != l->shared) z[c->count]++;
    }
}

static bool has_gaps(const panel_study *s, const double *score, size_t stride)
{
    for (size_t i = 0; i < s->rows.rows; i++)
        if (s->rows.in_matrix[i] && isnan(score[i * stride])) return true;
    return false;
}

static void place_column(layout *l, const panel_study *s, matrix_column *c, const double *score,
                         size_t stride)
{
    c->sum = l->p;
    l->p += l->G;
    c->count = l->shared;
    if (!has_gaps(s, score, stride)) return;
    c->count = l->p;
    l->p += l->G;
}

static tare_status new_numbers(panel_numbers *n, panel_study *s, size_t members, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t G = s->rows.authors;
    TRY_NEW(n->phi = arena_new(&s->scratch, G, sizeof *n->phi));
    TRY_NEW(n->r = arena_new(&s->scratch, G, sizeof *n->r));
    TRY_NEW(n->z = arena_new(&s->scratch, G, sizeof *n->z));
    TRY_NEW(n->phi2 = arena_new(&s->scratch, G, sizeof *n->phi2));
    TRY_NEW(n->own = arena_new(&s->scratch, members, sizeof *n->own));
    TRY_NEW(n->gap = arena_new(&s->scratch, members, sizeof *n->gap));
done:
    return status;
}

static tare_status want(layout *l, panel_study *s, const panel_result *p, panel_numbers *out,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    augmented *x = &l->wanted[l->wanted_count++];
    *x = (augmented){.s = s, .judge = l->judge, .place = l->place, .p = p, .out = out, .E = l->E,
                     .G = l->G};
    TRY(new_numbers(out, s, p->count, err));
    place_column(l, s, &x->panel, out == &p->numbers ? p->score : p->lso_score, 1);
done:
    return status;
}

static tare_status lay_out(layout *l, panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    memset(l, 0, sizeof *l);
    l->G = r->authors;
    l->clusters = s->t->cluster.count;
    l->p = l->G; /* the shared counts come first */
    TRY_NEW(l->judge = arena_new(&s->scratch, r->judges, sizeof *l->judge));
    TRY_NEW(l->place = arena_new(&s->scratch, r->judges, sizeof *l->place));
    TRY_NEW(l->wanted = arena_new(&s->scratch, 2 * s->panels, sizeof *l->wanted));
    for (size_t j = 0; j < r->judges; j++) {
        l->place[j] = r->usable[j] ? l->E : SIZE_MAX;
        if (r->usable[j]) place_column(l, s, &l->judge[l->E++], r->score + j, r->judges);
    }
    for (size_t k = 0; k < s->panels; k++) {
        TRY(want(l, s, &s->panel[k], &s->panel[k].numbers, err));
        if (s->panel[k].lso_score) TRY(want(l, s, &s->panel[k], &s->panel[k].lso, err));
    }
    TRY_NEW(l->z = arena_new(&s->scratch, l->clusters * l->p, sizeof *l->z));
    for (size_t i = 0; i < r->rows; i++)
        if (r->in_matrix[i]) l->z[r->cluster[i] * l->p + r->t->unit_author[i]]++;
    for (size_t j = 0; j < r->judges; j++)
        if (r->usable[j]) add_column(l, s, &l->judge[l->place[j]], r->score + j, r->judges);
    for (size_t k = 0; k < l->wanted_count; k++) {
        const augmented *x = &l->wanted[k];
        const double *score = x->out == &x->p->numbers ? x->p->score : x->p->lso_score;
        add_column(l, s, &l->wanted[k].panel, score, 1);
    }
done:
    return status;
}

/* ---- Results --------------------------------------------------------------------------------- */

static void forget(inference *to, const inference *from)
{
    *to = *from;
    to->replicates = to->influence = NULL;
}

static tare_status keep_replicates(inference *x, const panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    double *copy;
    if (!x->replicates) goto done;
    TRY_NEW(copy = arena_new(&s->book->scratch, s->plan.boot_b, sizeof *copy));
    memcpy(copy, x->replicates, s->plan.boot_b * sizeof *copy);
    x->replicates = copy;
    x->influence = NULL;
done:
    return status;
}

static tare_status take_numbers(const augmented *x, const inference *inf, const double *total,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    panel_numbers *n = x->out;
    size_t G = x->G, members = x->p->count;
    for (size_t g = 0; g < G; g++) {
        n->phi[g] = total[x->panel.sum + g] / total[x->panel.count + g];
        forget(&n->r[g], &inf[g]);
        forget(&n->z[g], &inf[G + g]);
        forget(&n->phi2[g], &inf[2 * G + g]);
    }
    for (size_t k = 0; k < members; k++) {
        forget(&n->own[k], &inf[3 * G + k]);
        n->gap[k] = inf[3 * G + members + k];
        TRY(keep_replicates(&n->gap[k], x->s, err));
    }
    for (size_t k = 0; k < SUMMARIES; k++) {
        forget(&n->summary[k], &inf[3 * G + 2 * members + k]);
        forget(&n->raw[k], &inf[3 * G + 2 * members + SUMMARIES + k]);
    }
done:
    return status;
}

tare_status panel_matrix_run(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    layout l;
    arena a;
    inference *inf;
    infer_smooth *f;
    double *total;
    size_t outputs = 0, at = 0;
    arena_init(&a, s->m);
    if (!s->rows.matrix || s->panels == 0) goto done;
    TRY(lay_out(&l, s, err));
    TRY_NEW(f = arena_new(&a, l.wanted_count, sizeof *f));
    for (size_t k = 0; k < l.wanted_count; k++) {
        f[k] = (infer_smooth){.many = augmented_values, .user = &l.wanted[k],
                              .outputs = outputs_of(&l.wanted[k]), .n = s->rows.matrix_items};
        outputs += f[k].outputs;
    }
    TRY_NEW(inf = arena_new(&a, outputs, sizeof *inf));
    TRY_NEW(total = arena_new(&a, l.p, sizeof *total));
    infer_sums sums = {l.z, l.p};
    TRY(infer_totals(inf, &s->plan, &sums, f, l.wanted_count, &a, err));
    resample_column_sums(total, l.z, l.clusters, l.p);
    for (size_t k = 0; k < l.wanted_count; k++) {
        TRY(take_numbers(&l.wanted[k], inf + at, total, err));
        at += f[k].outputs;
    }
done:
    arena_free(&a);
    return status;
}
