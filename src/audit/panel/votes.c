/* How many independent votes a panel is worth (judge audits B.5). */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/rank.h"

#define VOTES_MOST 64 /* members of a panel whose n_eff gets an interval */

double votes_independent(const double *accuracy, size_t n, double *scratch)
{
    double *p = scratch, result = 0;
    memset(p, 0, (n + 1) * sizeof *p);
    p[0] = 1;
    for (size_t k = 0; k < n; k++)
        for (size_t right = k + 2; right-- > 0;)
            p[right] = p[right] * (1 - accuracy[k]) + (right ? p[right - 1] * accuracy[k] : 0);
    for (size_t right = 0; right <= n; right++)
        result += 2 * right > n ? p[right] : 2 * right == n ? p[right] / 2 : 0;
    return result;
}

/* ---- Errors --------------------------------------------------------------------------------- */

typedef struct errors {
    double *e;          /* [n][members], centred */
    double *column;     /* [members][n] the same */
    uint32_t *cluster;  /* [n]                   */
    size_t n, members;
} errors;

static bool has_all(const panel_rows *r, const panel_result *p, size_t row)
{
    if (isnan(r->gold[row])) return false;
    for (size_t k = 0; k < p->count; k++)
        if (isnan(r->raw[row * r->judges + p->judge[k]])) return false;
    return true;
}

#define CONSTANT_DIGITS 1e-12

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* What rounding leaves of x that is constant on paper is 0. */
static void centre(double *x, size_t n, double most)
{
    double mean = moments_mean(x, n);
    for (size_t i = 0; i < n; i++) x[i] -= mean;
    bool constant = largest(x, n) <= CONSTANT_DIGITS * most;
    for (size_t i = 0; i < n && constant; i++) x[i] = 0;
}

static void standardise(double *x, size_t n)
{
    centre(x, n, largest(x, n));
    double sd = moments_sd(x, n, 0);
    for (size_t i = 0; i < n && sd > 0; i++) x[i] /= sd;
}

/* e = [label != gold] of votes, score - gold of amounts; z-scored first if asked for, and where the
 * panel itself is made of z-scores. */
static tare_status make_errors(errors *x, panel_study *s, const panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    bool labels = r->binary || aggregate_votes(s->o.aggregate.rule);
    bool z = !labels && (s->o.err_z || s->o.aggregate.rule == AGGREGATE_ZMEAN);
    double *gold;
    *x = (errors){.members = p->count};
    TRY_NEW(x->e = arena_new(&s->scratch, r->rows * p->count, sizeof *x->e));
    TRY_NEW(x->column = arena_new(&s->scratch, r->rows * p->count, sizeof *x->column));
    TRY_NEW(x->cluster = arena_new(&s->scratch, r->rows, sizeof *x->cluster));
    TRY_NEW(gold = arena_new(&s->scratch, r->rows, sizeof *gold));
    for (size_t i = 0; i < r->rows; i++) {
        if (!has_all(r, p, i)) continue;
        gold[x->n] = r->gold[i];
        x->cluster[x->n++] = r->cluster[i];
    }
    if (z) standardise(gold, x->n);
    for (size_t k = 0; k < p->count; k++) {
        double *e = x->column + k * x->n;
        for (size_t i = 0, at = 0; i < r->rows; i++)
            if (has_all(r, p, i)) e[at++] = r->raw[i * r->judges + p->judge[k]];
        if (z) standardise(e, x->n);
        double most = fmax(largest(e, x->n), largest(gold, x->n));
        for (size_t i = 0; i < x->n; i++) e[i] = labels ? e[i] != gold[i] : e[i] - gold[i];
        centre(e, x->n, most);
        for (size_t i = 0; i < x->n; i++) x->e[i * p->count + k] = e[i];
    }
done:
    return status;
}

/* ---- Intervals: sums of errors and of their products per cluster ---------------------------- */

static size_t sums_of(size_t members)
{
    return 1 + members + members * (members + 1) / 2;
}

static void correlate(double *correlation, const double *total, size_t members)
{
    const double *sum = total + 1, *product = sum + members;
    double n = total[0], cross[VOTES_MOST * VOTES_MOST] = {0};
    for (size_t a = 0; a < members; a++)
        for (size_t b = 0; b <= a; b++) cross[a * members + b] = *product++ - sum[a] * sum[b] / n;
    product = total + 1 + members;
    for (size_t a = 0; a < members; a++) {
        double square = product[a * (a + 1) / 2 + a], va = cross[a * members + a];
        bool constant = !(va > 1e-12 * square);
        correlation[a * members + a] = constant ? NAN : 1;
        for (size_t b = 0; b < a; b++) {
            double vb = cross[b * members + b];
            double rho = constant || !(vb > 0) ? NAN : cross[a * members + b] / sqrt(va) / sqrt(vb);
            correlation[a * members + b] = correlation[b * members + a] = rho;
        }
    }
}

typedef struct votes_user { size_t members; } votes_user;

static void votes_of(double *values, const double *total, size_t p, const void *user)
{
    size_t members = ((const votes_user *)user)->members;
    double correlation[VOTES_MOST * VOTES_MOST];
    effective_votes v;
    (void)p;
    correlate(correlation, total, members);
    effective_votes_matrix(&v, correlation, members);
    values[0] = v.rho;
    values[1] = v.kish;
    values[2] = v.eigen;
}

static tare_status intervals(panel_votes *v, panel_study *s, const errors *x, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = sums_of(x->members), M = s->t->cluster.count;
    double *z;
    inference inf[3];
    TRY_NEW(z = arena_new(&s->scratch, M * p, sizeof *z));
    for (size_t i = 0; i < x->n; i++) {
        const double *e = x->e + i * x->members;
        double *to = z + x->cluster[i] * p;
        *to++ += 1;
        for (size_t a = 0; a < x->members; a++) *to++ += e[a];
        for (size_t a = 0; a < x->members; a++)
            for (size_t b = 0; b <= a; b++) *to++ += e[a] * e[b];
    }
    votes_user user = {x->members};
    infer_sums sums = {z, p};
    infer_smooth f = {.many = votes_of, .user = &user, .outputs = 3, .n = x->n};
    TRY(infer_totals(inf, &s->plan, &sums, &f, 1, NULL, err));
    v->rho = inf[0];
    v->kish = inf[1];
    v->eigen = inf[2];
done:
    return status;
}

/* ---- The null of the eigenvalue form: errors permuted within each judge --------------------- */

typedef struct permuted {
    const errors *x;
    const size_t *judge;
    const uint64_t *h64;   /* [members]                */
    rng_key key;
    double *eigen;         /* [VOTES_PERMUTATIONS]     */
    double *column;        /* [threads][members][n]    */
    double *correlation;   /* [threads][members^2]     */
    const double *unit;    /* [members][n] length 1; all 0: constant */
} permuted;

static void shuffle(double *x, size_t n, rng_stream *stream)
{
    for (size_t i = n; i > 1; i--) {
        size_t at = rng_bounded(stream, (uint32_t)i);
        double keep = x[i - 1];
        x[i - 1] = x[at];
        x[at] = keep;
    }
}

/* Plain sums, eight side by side: this is work for every pair of every permutation, and the null is
 * only a median. */
static double quick_dot(const double *a, const double *b, size_t n)
{
    double sum[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sum[i % 8] += a[i] * b[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static tare_status permute_range(void *arg, size_t begin, size_t end, unsigned worker,
                                 tare_error *err)
{
    const permuted *job = arg;
    size_t n = job->x->n, members = job->x->members;
    double *column = job->column + worker * members * n;
    double *correlation = job->correlation + worker * members * members;
    (void)err;
    for (size_t r = begin; r < end; r++) {
        effective_votes v;
        memcpy(column, job->unit, members * n * sizeof *column);
        /* Whom the first judge agrees with is decided by where the others go. */
        for (size_t k = 1; k < members; k++) {
            rng_stream stream;
            rng_start(&stream, job->key, (uint32_t)r, job->h64[k]);
            shuffle(column + k * n, n, &stream);
        }
        for (size_t a = 0; a < members; a++)
            for (size_t b = 0; b < a; b++)
                correlation[a * members + b] = quick_dot(column + a * n, column + b * n, n);
        for (size_t a = 0; a < members; a++)
            correlation[a * members + a] =
                quick_dot(job->unit + a * n, job->unit + a * n, n) > 0.5 ? 1 : NAN;
        effective_votes_matrix(&v, correlation, members);
        job->eigen[r] = v.eigen;
    }
    return TARE_OK;
}

static tare_status eigen_null(panel_votes *v, panel_study *s, const panel_result *p,
                              const errors *x, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned threads = pool_threads(s->context->pool);
    arena a;
    double *unit;
    uint64_t *h64;
    permuted job = {.x = x, .judge = p->judge};
    arena_init(&a, s->m);
    TRY(draws_key(&job.key, s->plan.seed, "panel", "votes", s->m, err));
    TRY_NEW(job.unit = unit = arena_new(&a, x->members * x->n, sizeof *unit));
    TRY_NEW(h64 = arena_new(&a, x->members, sizeof *h64));
    TRY_NEW(job.eigen = arena_new(&a, VOTES_PERMUTATIONS, sizeof *job.eigen));
    TRY_NEW(job.column = arena_new(&a, threads * x->members * x->n, sizeof *job.column));
    TRY_NEW(job.correlation =
                arena_new(&a, threads * x->members * x->members, sizeof *job.correlation));
    for (size_t k = 0; k < x->members; k++) {
        const char *name = s->t->judge.name[p->judge[k]];
        double length = sqrt(moments_dot(x->column + k * x->n, x->column + k * x->n, x->n));
        h64[k] = rng_h64(name, strlen(name));
        for (size_t i = 0; i < x->n; i++)
            unit[k * x->n + i] = length > 0 ? x->column[k * x->n + i] / length : 0;
    }
    job.h64 = h64;
    TRY(pool_for(s->context->pool, VOTES_PERMUTATIONS, 16, permute_range, &job, err));
    v->eigen_null = rank_median(job.eigen, VOTES_PERMUTATIONS);
done:
    arena_free(&a);
    return status;
}

/* ---- Votes of 0 and 1 ----------------------------------------------------------------------- */

static tare_status accuracies(panel_votes *v, panel_study *s, const panel_result *p,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    static const double zero_one[2] = {0, 1};
    agree_labels labels = {zero_one, 2, s->o.aggregate.ties};
    double *accuracy, *scratch;
    void *work;
    size_t bytes = agree_column_scratch(&p->column, 2);
    for (size_t k = 0; k < p->count; k++) {
        size_t other = agree_column_scratch(&s->judge_column[p->judge[k]], 2);
        bytes = other > bytes ? other : bytes;
    }
    TRY_NEW(work = arena_new(&s->scratch, bytes, 1));
    TRY_NEW(accuracy = arena_new(&s->scratch, p->count, sizeof *accuracy));
    TRY_NEW(scratch = arena_new(&s->scratch, p->count + 1, sizeof *scratch));
    v->panel = agree_of_column(AGREE_ACCURACY, &p->column, NULL, &labels, work);
    v->best = -1;
    for (size_t k = 0; k < p->count; k++) {
        const agree_column *c = &s->judge_column[p->judge[k]];
        accuracy[k] = agree_of_column(AGREE_ACCURACY, c, NULL, &labels, work);
        if (accuracy[k] > v->best) v->best = accuracy[k], v->best_member = p->judge[k];
    }
    v->independent = votes_independent(accuracy, p->count, scratch);
done:
    return status;
}

static tare_status run_one(panel_study *s, panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    panel_votes *v = &p->votes;
    errors x;
    TRY(make_errors(&x, s, p, err));
    *v = (panel_votes){.rows = x.n, .eigen_null = NAN, .panel = NAN, .best = NAN,
                       .independent = NAN};
    v->rho = v->kish = v->eigen = inference_none("");
    TRY_NEW(v->correlation = arena_new(&s->scratch, p->count * p->count, sizeof *v->correlation));
    if (x.n >= 2)
        TRY(effective_votes_of(&v->all, v->correlation,
                               &(judge_errors){x.e, NULL, x.n, p->count}, s->m, err));
    if (x.n >= 2 && p->count > 1 && p->count <= VOTES_MOST) TRY(intervals(v, s, &x, err));
    if (x.n >= 2 && p->count > 1) TRY(eigen_null(v, s, p, &x, err));
    v->binary = s->rows.binary;
    if (v->binary) TRY(accuracies(v, s, p, err));
done:
    return status;
}

tare_status panel_votes_run(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->panels; k++) TRY(run_one(s, &s->panel[k], err));
done:
    return status;
}
