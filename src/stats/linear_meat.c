/* linear_meat.c - the sum over clusters, with Bell and McCaffrey's adjustment (see linear_cov.c for
 * the notation). Rows are visited cluster by cluster, so the memory is O(n + p k^2). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/eigen.h"
#include "stats/linear_parts.h"


typedef struct grouped {
    uint32_t *row;  /* [n] rows, cluster by cluster, in their order */
    size_t *start;  /* [clusters + 1]                               */
} grouped;

/* Sums over clusters for the df of one contrast. */
typedef struct df_sums {
    neumaier trace, square, cross;
    neumaier *u; /* [k][k] sum of (S v)(S v)' */
} df_sums;

typedef struct meat_work {
    size_t k;
    double *w, *s, *t, *gram, *values, *vectors, *root, *v, *sv;
    neumaier *score, *gram_sum, *total;
    df_sums *df; /* [p + 1], or NULL */
    neumaier *u;
} meat_work;

static tare_status group_rows(grouped *g, const linear_clusters *clusters, size_t n, const mem *m,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    if (n > UINT32_MAX) FAIL(err, TARE_E_LIMIT, "linear.size", NULL, "%zu rows", n);
    TRY_NEW(g->row = mem_new(m, n, sizeof *g->row));
    TRY_NEW(g->start = mem_new(m, clusters->count + 2, sizeof *g->start));
    size_t *next = g->start + 1; /* while filling, next[c] is where cluster c goes on */
    for (size_t i = 0; i < n; i++) {
        uint32_t c = clusters->id[i];
        if (c >= clusters->count)
            FAIL(err, TARE_E_DATA, "linear.cluster", NULL, "row %zu has cluster %u of %zu", i, c,
                 clusters->count);
        next[c + 1]++;
    }
    for (size_t c = 0; c < clusters->count; c++) next[c + 1] += next[c];
    for (size_t i = 0; i < n; i++) g->row[next[clusters->id[i]]++] = (uint32_t)i;
done:
    return status;
}

static tare_status work_new(meat_work *work, size_t contrasts, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t k = work->k;
    double *block = NULL;
    TRY_NEW(block = mem_new(m, 3 * k * k + 6 * k, sizeof *block));
    work->w = block;
    work->s = work->w + k;
    work->t = work->s + k;
    work->v = work->t + k;
    work->sv = work->v + k;
    work->values = work->sv + k;
    work->gram = work->values + k;
    work->vectors = work->gram + k * k;
    work->root = work->vectors + k * k;
    TRY_NEW(work->score = mem_new(m, k, sizeof *work->score));
    TRY_NEW(work->gram_sum = mem_new(m, k * k, sizeof *work->gram_sum));
    TRY_NEW(work->total = mem_new(m, k * k, sizeof *work->total));
    if (contrasts == 0) goto done;
    TRY_NEW(work->df = mem_new(m, contrasts, sizeof *work->df));
    TRY_NEW(work->u = mem_new(m, contrasts * k * k, sizeof *work->u));
    for (size_t j = 0; j < contrasts; j++) work->df[j].u = work->u + j * k * k;
done:
    return status;
}

static void work_free(meat_work *work, const mem *m)
{
    mem_free(m, work->w);
    mem_free(m, work->score);
    mem_free(m, work->gram_sum);
    mem_free(m, work->total);
    mem_free(m, work->df);
    mem_free(m, work->u);
}

static void multiply(double *out, const double *matrix, const double *v, size_t k)
{
    for (size_t a = 0; a < k; a++) {
        neumaier s = {0.0, 0.0};
        for (size_t b = 0; b < k; b++) neumaier_add(&s, matrix[a * k + b] * v[b]);
        out[a] = neumaier_total(&s);
    }
}

/* s = sum w e, and the Gram matrix if `gram`, over the rows of one cluster. */
static void sum_cluster(meat_work *work, const linear_scores *scores, const uint32_t *row,
                        size_t rows, bool gram)
{
    size_t k = work->k;
    memset(work->score, 0, k * sizeof *work->score);
    memset(work->gram_sum, 0, k * k * sizeof *work->gram_sum);
    for (size_t i = 0; i < rows; i++) {
        linear_row(work->w, scores->fit, scores->model, row[i]);
        for (size_t a = 0; a < k; a++)
            neumaier_add(work->score + a, work->w[a] * scores->fit->residual[row[i]]);
        if (gram) linear_outer_add(work->gram_sum, work->w, k);
    }
    for (size_t a = 0; a < k; a++) work->s[a] = neumaier_total(work->score + a);
    for (size_t a = 0; gram && a < k * k; a++) work->gram[a] = neumaier_total(work->gram_sum + a);
}

/* root = (I - gram)^(-1/2) as Q diag(f) Q'. */
static bool adjust(meat_work *work)
{
    size_t k = work->k;
    memcpy(work->root, work->gram, k * k * sizeof *work->root);
    if (!eigen_symmetric(work->values, work->vectors, work->root, k)) return false;
    for (size_t c = 0; c < k; c++) {
        double left = 1.0 - work->values[c];
        work->values[c] = left <= LEVERAGE_LEFT ? 0.0 : 1.0 / sqrt(left);
    }
    for (size_t a = 0; a < k; a++) {
        for (size_t b = 0; b < k; b++) {
            neumaier s = {0.0, 0.0};
            for (size_t c = 0; c < k; c++)
                neumaier_add(&s, work->vectors[a * k + c] * work->values[c]
                                     * work->vectors[b * k + c]);
            work->root[a * k + b] = neumaier_total(&s);
        }
    }
    return true;
}

static void add_df(meat_work *work, const double *contrasts, size_t count)
{
    size_t k = work->k;
    for (size_t j = 0; j < count; j++) {
        df_sums *sums = work->df + j;
        multiply(work->v, work->root, contrasts + j * (k + 1), k);
        multiply(work->sv, work->gram, work->v, k);
        double d = moments_dot(work->v, work->sv, k), u = moments_dot(work->sv, work->sv, k);
        neumaier_add(&sums->trace, d - u);
        neumaier_add(&sums->square, d * d);
        neumaier_add(&sums->cross, d * u);
        linear_outer_add(sums->u, work->sv, k);
    }
}

/* df = (sum_g v_g'v_g)^2 / sum_gh (v_g'v_h)^2. */
static double satterthwaite(const df_sums *sums, size_t k)
{
    neumaier below = {neumaier_total(&sums->square), 0.0};
    neumaier_add(&below, -2.0 * neumaier_total(&sums->cross));
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            neumaier_add(&below, neumaier_total(sums->u + a * k + b)
                                     * neumaier_total(sums->u + b * k + a));
    double trace = neumaier_total(&sums->trace), bottom = neumaier_total(&below);
    return trace > 0.0 && bottom > 0.0 ? trace * trace / bottom : NAN;
}

static void give_df(const meat_work *work, const linear_scores *scores, size_t count)
{
    size_t k = work->k;
    for (size_t j = 0; j < count; j++) {
        bool there = scores->contrasts[j * (k + 1) + k] != 0.0;
        scores->df[j] = there ? satterthwaite(work->df + j, k) : NAN;
    }
}

tare_status linear_meat(double *meat, size_t *used, const linear_scores *scores, const mem *m,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    const linear_ols *fit = scores->fit;
    size_t k = fit->rank + (fit->intercept ? 1 : 0);
    size_t contrasts = scores->contrasts ? fit->p + 1 : 0;
    meat_work work = {.k = k};
    grouped g = {NULL, NULL};
    TRY(work_new(&work, contrasts, m, err));
    TRY(group_rows(&g, scores->clusters, fit->n, m, err));
    *used = 0;
    for (size_t c = 0; c < scores->clusters->count; c++) {
        size_t rows = g.start[c + 1] - g.start[c];
        if (rows == 0) continue;
        ++*used;
        sum_cluster(&work, scores, g.row + g.start[c], rows, contrasts > 0);
        if (contrasts > 0) {
            if (!adjust(&work))
                FAIL(err, TARE_E_BUG, "linear.eigen", NULL, "no eigenvalues for cluster %zu", c);
            multiply(work.t, work.root, work.s, k);
            add_df(&work, scores->contrasts, contrasts);
        }
        linear_outer_add(work.total, contrasts > 0 ? work.t : work.s, k);
    }
    for (size_t a = 0; a < k * k; a++) meat[a] = neumaier_total(work.total + a);
    if (contrasts > 0) give_df(&work, scores, contrasts);
done:
    work_free(&work, m);
    mem_free(m, g.row);
    mem_free(m, g.start);
    return status;
}
