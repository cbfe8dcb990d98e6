/* ordinal_newton.c - the likelihood of a cumulative logit and its maximum (see ordinal_parts.h).
 *
 * With F the logistic function, a = theta_k - eta and b = theta_(k-1) - eta:
 *     P = F(a) - F(b) = F(a) F(-b) (1 - exp(b - a)),   f/P without cancellation,
 *     d log P / d eta = F(a) + F(b) - 1.
 * The likelihood is concave in all parameters. */
#include <math.h>
#include <string.h>

#include "stats/moments.h"
#include "stats/ordinal_parts.h"

enum { STEPS_MOST = 60, HALVINGS_MOST = 40 };

static double logistic(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* log F(x) */
static double log_logistic(double x)
{
    return x >= 0 ? -log1p(exp(-x)) : x - log1p(exp(x));
}

bool ordinal_row_of(ordinal_row *out, const ordinal_case *c, const double *parameter, size_t i)
{
    size_t k = c->level[i];
    bool lowest = k == 0, highest = k + 1 == c->K;
    double eta = 0;
    for (size_t j = c->start[i]; j < c->start[i + 1]; j++)
        eta += c->value[j] * parameter[c->K - 1 + c->column[j]];
    double a = highest ? INFINITY : parameter[k] - eta;
    double b = lowest ? -INFINITY : parameter[k - 1] - eta;
    double gap = lowest || highest ? 1 : -expm1(b - a);
    memset(out, 0, sizeof *out);
    if (!(gap > 0)) return false;
    double Fa = highest ? 1 : logistic(a), Fb = lowest ? 0 : logistic(b);
    double up = highest ? 0 : logistic(-a) / ((lowest ? 1 : logistic(-b)) * gap); /* f(a)/P */
    double down = lowest ? 0 : Fb / (Fa * gap);                                    /* f(b)/P */
    double fa = highest ? 0 : Fa * logistic(-a), fb = lowest ? 0 : Fb * logistic(-b);
    out->log = (highest ? 0 : log_logistic(a)) + (lowest ? 0 : log_logistic(-b))
               + (lowest || highest ? 0 : log(gap));
    out->d[0] = up;
    out->d[1] = -down;
    out->d[2] = highest ? Fb : lowest ? -logistic(-a) : Fa + Fb - 1;
    out->dd[0][0] = up * ((highest ? 0 : 1 - 2 * Fa) - up);
    out->dd[1][1] = -down * ((1 - 2 * Fb) + down);
    out->dd[0][1] = out->dd[1][0] = up * down;
    out->dd[0][2] = out->dd[2][0] = fa;
    out->dd[1][2] = out->dd[2][1] = fb;
    out->dd[2][2] = -(fa + fb);
    return true;
}

void ordinal_score_add(double *v, const ordinal_case *c, const ordinal_row *row, size_t i)
{
    size_t k = c->level[i];
    if (k + 1 < c->K) v[k] += row->d[0];
    if (k > 0) v[k - 1] += row->d[1];
    for (size_t j = c->start[i]; j < c->start[i + 1]; j++)
        v[c->K - 1 + c->column[j]] += row->d[2] * c->value[j];
}

/* Minus the second derivatives, lower triangle. */
static void information_add(double *h, const ordinal_case *c, const ordinal_row *row, size_t i)
{
    size_t k = c->level[i], q = c->q, first = c->K - 1;
    bool upper = k + 1 < c->K, lower = k > 0;
    if (upper) h[k * q + k] -= row->dd[0][0];
    if (lower) h[(k - 1) * q + k - 1] -= row->dd[1][1];
    if (upper && lower) h[k * q + k - 1] -= row->dd[0][1];
    for (size_t j = c->start[i]; j < c->start[i + 1]; j++) {
        double *line = h + (first + c->column[j]) * q;
        if (upper) line[k] -= row->dd[0][2] * c->value[j];
        if (lower) line[k - 1] -= row->dd[1][2] * c->value[j];
        for (size_t m = c->start[i]; m <= j; m++)
            line[first + c->column[m]] -= row->dd[2][2] * c->value[j] * c->value[m];
    }
}

/* Log-likelihood; -infinity where thresholds cross. g [q] and h [q][q] may be NULL. */
static double likelihood(double *g, double *h, const ordinal_case *c, const double *parameter)
{
    neumaier total = {0, 0};
    ordinal_row row;
    if (g) memset(g, 0, c->q * sizeof *g);
    if (h) memset(h, 0, c->q * c->q * sizeof *h);
    for (size_t i = 0; i < c->n; i++) {
        if (!ordinal_row_of(&row, c, parameter, i)) return -INFINITY;
        neumaier_add(&total, row.log);
        if (g) ordinal_score_add(g, c, &row, i);
        if (h) information_add(h, c, &row, i);
    }
    return neumaier_total(&total);
}

/* h -> its Cholesky factor, lower triangle; false where it is not positive definite. */
static bool cholesky(double *h, size_t q)
{
    for (size_t i = 0; i < q; i++) {
        double own = h[i * q + i];
        for (size_t j = 0; j <= i; j++) {
            double s = h[i * q + j];
            for (size_t k = 0; k < j; k++) s -= h[i * q + k] * h[j * q + k];
            if (j < i) h[i * q + j] = s / h[j * q + j];
            else if (s > 1e-14 * own) h[i * q + i] = sqrt(s);
            else return false;
        }
    }
    return true;
}

void ordinal_solve(double *b, const double *root, size_t q)
{
    for (size_t i = 0; i < q; i++) {
        for (size_t k = 0; k < i; k++) b[i] -= root[i * q + k] * b[k];
        b[i] /= root[i * q + i];
    }
    for (size_t i = q; i-- > 0;) {
        for (size_t k = i + 1; k < q; k++) b[i] -= root[k * q + i] * b[k];
        b[i] /= root[i * q + i];
    }
}

bool ordinal_newton(double *parameter, double *root, double *log_likelihood, size_t *iterations,
                    const ordinal_case *c, double *work)
{
    size_t q = c->q;
    double *g = work, *step = g + q, *next = step + q;
    double now = likelihood(g, root, c, parameter);
    bool found = false;
    for (*iterations = 0; *iterations < STEPS_MOST && !found; ++*iterations) {
        if (!cholesky(root, q)) break;
        memcpy(step, g, q * sizeof *step);
        ordinal_solve(step, root, q);
        double decrement = moments_dot(g, step, q), then = -INFINITY, size = 1;
        for (int k = 0; k < HALVINGS_MOST; k++, size /= 2) {
            for (size_t j = 0; j < q; j++) next[j] = parameter[j] + size * step[j];
            then = likelihood(NULL, NULL, c, next);
            if (then >= now - 1e-14 * fabs(now)) break;
        }
        if (!(then >= now - 1e-14 * fabs(now))) break;
        memcpy(parameter, next, q * sizeof *next);
        now = likelihood(g, root, c, parameter);
        found = size == 1 && decrement <= 1e-16 * (1 + fabs(now));
    }
    *log_likelihood = now;
    bool ok = found && cholesky(root, q);
    if (!ok) root[q * q - 1] = NAN; /* no errors can be had from it */
    return ok;
}
