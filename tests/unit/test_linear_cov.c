/* Robust covariances: R's numbers, the direct forms, bad input. */
#include "support/check.h"

#include "stats/eigen.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "toy_regression.h"

static mem heap;
static arena scratch;
static tare_error err;

static int set_up(void **state)
{
    (void)state;
    heap = mem_system();
    arena_init(&scratch, &heap);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&scratch);
    return 0;
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static linear_ols fit(const linear_model *model)
{
    linear_ols out;
    assert_ok(linear_fit(&out, model, &scratch, &err));
    return out;
}

static linear_cov cov(const linear_ols *ols, const linear_model *model, linear_kind kind,
                      const uint32_t *id, size_t count, size_t nested)
{
    linear_cov out;
    linear_clusters clusters = {.id = id, .count = count, .nested = nested};
    assert_ok(linear_covariance(&out, ols, model, kind, &clusters, &scratch, &err));
    return out;
}

/* Scorer audit 15.5, statistics 16.3: R sandwich and clubSandwich. */
static void toy(void **state)
{
    (void)state;
    toy_regression t;
    linear_model model = toy_demeaned(&t);
    linear_ols ols = fit(&model);
    linear_cov c = cov(&ols, &model, LINEAR_HC0, NULL, 0, 0);
    assert_within(c.se[0], .00326162935039, 1e-10, 0);
    assert_within(c.se[1], .7398240363854, 1e-10, 0);
    assert_within(cov(&ols, &model, LINEAR_HC1, NULL, 0, 0).se[0], .00362509834678, 1e-10, 0);
    assert_within(cov(&ols, &model, LINEAR_HC3, NULL, 0, 0).se[0], .00412116769417, 1e-10, 0);
    c = cov(&ols, &model, LINEAR_CR0, t.base, TOY_BASES, 0);
    assert_within(c.se[0], .00460983064165, 1e-10, 0);
    assert_within(c.se[1], .43984581930596, 1e-10, 0);
    assert_int_equal(c.clusters, 6);
    assert_true(c.df[0] == 5 && isnan(c.se[2]) && isnan(c.df[2]) && isnan(c.v[2]));
    const double small_sample = sqrt(6.0 / 5);
    assert_within(c.se[0] * small_sample, .00504981645742, 1e-10, 0);
    assert_within(c.se[1] * small_sample, .48182695411644, 1e-10, 0);
    linear_cov cr1 = cov(&ols, &model, LINEAR_CR1, t.base, TOY_BASES, 0);
    assert_within(cr1.se[0], .0055453385204, 1e-10, 0);
    assert_within(cr1.se[1], .5291070658427, 1e-10, 0);
    cr1 = cov(&ols, &model, LINEAR_CR1, t.base, TOY_BASES, TOY_BASES); /* nested: p = 2 */
    assert_close(cr1.se[0], c.se[0] * sqrt(6.0 / 5 * 41 / 40));
    c = cov(&ols, &model, LINEAR_CR2, t.base, TOY_BASES, 0);
    assert_within(c.se[0], .00506925820756, 1e-10, 0);
    assert_within(c.se[1], .49104978589126, 1e-10, 0);
    assert_within(c.df[0], 4.99708551322, 1e-10, 0);
    assert_within(c.df[1], 4.93604765854, 1e-10, 0);
    assert_within(linear_p(&ols, &c, 0), .292827962095, 1e-9, 0);
    assert_within(linear_p(&ols, &c, 1), .238314149697, 1e-9, 0);
    assert_true(isnan(linear_p(&ols, &c, LINEAR_INTERCEPT)));
}

/* statistics 16.3: the dummy model; CR2 and its df by text. */
static void judges_and_texts(void **state)
{
    (void)state;
    judged_texts t;
    linear_model model = judged_model(&t);
    linear_ols ols = fit(&model);
    assert_int_equal(ols.rank, JUDGED_COLUMNS);
    assert_within(ols.beta[0], .6466666666667, 1e-12, 0);
    linear_cov s = cov(&ols, &model, LINEAR_CR0, t.text, 5, 0);
    assert_within(s.se[0], 1.68132107494, 1e-10, 0);
    assert_within(s.v[0], 2.826840557037, 1e-10, 0);
    assert_within(cov(&ols, &model, LINEAR_CR0, t.judge, 3, 0).v[0], 1.642517301728, 1e-10, 0);
    assert_within(cov(&ols, &model, LINEAR_HC0, NULL, 0, 0).v[0], 1.557017809383, 1e-10, 0);
    s = cov(&ols, &model, LINEAR_CR2, t.text, 5, 0);
    assert_within(s.se[0], 2.494795510095, 1e-10, 0);
    assert_within(s.df[0], 2.49267177177, 1e-10, 0);
}

/* The same with both effects absorbed: statistics 16.3 again, and CGM. */
static void crossed_effects_absorbed(void **state)
{
    (void)state;
    judged_texts t;
    linear_cov two;
    linear_model model = judged_model(&t);
    const linear_clusters by[2] = {{.id = t.text, .count = 5}, {.id = t.judge, .count = 3}};
    size_t parts;
    assert_ok(linear_components(&parts, NULL, by, JUDGED_ROWS, &heap, &err));
    assert_int_equal(parts, 1);
    linear_ols dummies = fit(&model);
    assert_ok(linear_covariance_two(&two, &dummies, &model, by, &scratch, &err));
    assert_true(two.clipped); /* the dummies' covariance is not positive */

    bool converged[2];
    assert_ok(linear_demean_two(converged, t.y, by, JUDGED_ROWS, &heap, &err));
    assert_ok(linear_demean_two(converged + 1, t.x, by, JUDGED_ROWS, &heap, &err));
    assert_true(converged[0] && converged[1]);
    model.p = 1;
    model.intercept = false;
    model.absorbed = 5 + 3 - parts;
    linear_ols ols = fit(&model);
    assert_within(ols.beta[0], .6466666666667, 1e-12, 0);
    for (int i = 0; i < JUDGED_ROWS; i++) assert_close(ols.residual[i], dummies.residual[i]);
    assert_within(cov(&ols, &model, LINEAR_CR0, t.text, 5, 0).v[0], 2.826840557037, 1e-10, 0);
    assert_within(cov(&ols, &model, LINEAR_CR0, t.judge, 3, 0).v[0], 1.642517301728, 1e-10, 0);
    assert_ok(linear_covariance_two(&two, &ols, &model, by, &scratch, &err));
    assert_within(two.v[0], 2.912340049383, 1e-10, 0);
    assert_false(two.clipped);
    assert_int_equal(two.clusters, 3);
}

static void components(void **state)
{
    (void)state;
    const uint32_t a[] = {0, 1, 1, 3, 3}, b[] = {2, 0, 1, 4, 1}, bad[] = {0, 9, 0, 0, 0};
    linear_clusters by[2] = {{.id = a, .count = 5}, {.id = b, .count = 5}};
    uint32_t part[5];
    size_t count;
    bool converged;
    double v[] = {5, 1, 2, 3, 4}, flat[] = {.1, .1, .1, .1, .1};
    assert_ok(linear_components(&count, part, by, 5, &heap, &err));
    assert_int_equal(count, 2);
    assert_true(part[0] == 0 && part[1] == 1 && part[2] == 1 && part[3] == 1 && part[4] == 1);
    assert_ok(linear_demean_two(&converged, v, by, 5, &heap, &err));
    assert_true(converged); /* a tree: the effects explain everything */
    for (int i = 0; i < 5; i++) assert_within(v[i], 0, 0, 1e-11);
    assert_ok(linear_demean_two(&converged, flat, by, 5, &heap, &err));
    assert_true(converged && flat[3] == 0);
    by[1].id = bad;
    assert_int_equal(linear_components(&count, part, by, 5, &heap, &err), TARE_E_DATA);
    assert_int_equal(linear_demean_two(&converged, v, by, 5, &heap, &err), TARE_E_DATA);
    assert_ok(linear_components(&count, NULL, by, 0, &heap, &err));
    assert_int_equal(count, 0);
}

/* Toy FI of scorer audit 15.5, interval from statistics 16.2 (R): equal sizes, so CR2 is the t of
 * M - 1 df. */
static void mean_in_clusters(void **state)
{
    (void)state;
    const double x[] = {8 / 15., -1 / 30., -.6, -1 / 30., .25, 8 / 15.}, one[] = {1, 1, 1, 1, 1, 1};
    linear_mean m = linear_mean_cr2(x, one, 6);
    assert_within(m.mean, 13 / 120., 1e-14, 0);
    assert_within(m.se, moments_sd(x, 6, 1) / sqrt(6), 1e-14, 0);
    assert_within(m.df, 5, 1e-12, 0);
    assert_within(m.mean + t_quantile(.975, m.df) * m.se, .55927191882, 1e-10, 0);
    assert_true(isnan(linear_mean_cr2(x, one, 0).mean));
    m = linear_mean_cr2(x, one, 1);
    assert_true(m.mean == x[0] && isnan(m.se) && isnan(m.df));
}

static void random_model(double *x, double *y, uint32_t *id, size_t n, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < 3; j++) x[j * n + i] = (double)(next(seed) % 2000) / 300 - 3;
        y[i] = (double)(next(seed) % 2000) / 300 + x[i];
        id[i] = i < 8 ? (uint32_t)i : next(seed) % 8; /* cluster 8 stays empty */
    }
}

/* Unequal clusters: the closed form of the mean and the general code agree. */
static void mean_is_intercept_only(void **state)
{
    (void)state;
    uint32_t seed = 2, id[40];
    double x[120], y[40], sum[9] = {0}, count[9] = {0};
    random_model(x, y, id, 40, &seed);
    for (int i = 0; i < 40; i++) {
        sum[id[i]] += y[i];
        count[id[i]] += 1;
    }
    const linear_model model = {.n = 40, .p = 0, .x = x, .y = y, .intercept = true};
    linear_ols ols = fit(&model);
    linear_cov c = cov(&ols, &model, LINEAR_CR2, id, 9, 0);
    linear_mean m = linear_mean_cr2(sum, count, 9);
    assert_close(m.mean, ols.constant);
    assert_close(m.se, c.se[0]);
    assert_close(m.df, c.df[0]);
    assert_true(m.df < 7);
    assert_int_equal(c.clusters, 8);
}

/* ---- The direct form: A_g of the size of the cluster, v_g of the size of the data ------------ */

enum { DN = 30, DP = 4 };

/* (X'X)^-1 from the basis of the fit: columns 1, x1.. in the parametrisation [1, x - mean]. */
static void design(double z[DN][DP], double bread[DP][DP], const linear_ols *ols,
                   const linear_model *model)
{
    for (size_t i = 0; i < DN; i++) {
        z[i][0] = 1;
        for (size_t j = 1; j < DP; j++) z[i][j] = model->x[(j - 1) * DN + i] - ols->mean[j - 1];
    }
    for (size_t a = 0; a < DP; a++)
        for (size_t b = 0; b < DP; b++)
            bread[a][b] = moments_dot(ols->basis + a * DP, ols->basis + b * DP, DP);
}

static double hat(const double *zi, double bread[DP][DP], const double *zj)
{
    double h = 0;
    for (int a = 0; a < DP; a++)
        for (int b = 0; b < DP; b++) h += zi[a] * bread[a][b] * zj[b];
    return h;
}

/* root [DN][DN], block by block: (I - H_gg)^(-1/2). */
static void roots(double *root, double z[DN][DP], double bread[DP][DP], const uint32_t *id)
{
    memset(root, 0, DN * DN * sizeof *root);
    for (uint32_t g = 0; g < 8; g++) {
        size_t row[DN], n = 0;
        static double a[DN * DN], vectors[DN * DN], values[DN];
        for (size_t i = 0; i < DN; i++)
            if (id[i] == g) row[n++] = i;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                a[i * n + j] = (i == j) - hat(z[row[i]], bread, z[row[j]]);
        assert_true(eigen_symmetric(values, vectors, a, n));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < n; k++)
                    if (values[k] > 1e-10)
                        root[row[i] * DN + row[j]] += vectors[i * n + k] / sqrt(values[k])
                                                      * vectors[j * n + k];
    }
}

/* se and df of the slope `c` (1..) by the M^2 formula. */
static void direct_cr2(double *se, double *df, const linear_ols *ols, const linear_model *model,
                       const uint32_t *id, int c)
{
    static double z[DN][DP], bread[DP][DP], root[DN * DN], v[8][DN];
    design(z, bread, ols, model);
    roots(root, z, bread, id);
    double lever[DN] = {0}, variance = 0; /* (X B l)_i, then A_g applied */
    for (int i = 0; i < DN; i++)
        for (int a = 0; a < DP; a++) lever[i] += z[i][a] * bread[a][c];
    memset(v, 0, sizeof v);
    for (uint32_t g = 0; g < 8; g++) {
        double score = 0;
        for (int i = 0; i < DN; i++) {
            double adjusted = 0;
            for (int j = 0; j < DN; j++)
                if (id[i] == g && id[j] == g) adjusted += root[i * DN + j] * lever[j];
            score += adjusted * ols->residual[i];
            for (int k = 0; k < DN; k++)
                v[g][k] += ((k == i) - hat(z[k], bread, z[i])) * adjusted;
        }
        variance += score * score;
    }
    double trace = 0, below = 0;
    for (int g = 0; g < 8; g++) {
        for (int h = 0; h < 8; h++) {
            double dot = moments_dot(v[g], v[h], DN);
            below += dot * dot;
            if (g == h) trace += dot;
        }
    }
    *se = sqrt(variance);
    *df = trace * trace / below;
}

static void cr2_direct(void **state)
{
    (void)state;
    uint32_t seed = 31, id[DN];
    double x[3 * DN], y[DN];
    for (int trial = 0; trial < 20; trial++) {
        random_model(x, y, id, DN, &seed);
        const linear_model model = {.n = DN, .p = 3, .x = x, .y = y, .intercept = true};
        linear_ols ols = fit(&model);
        linear_cov c = cov(&ols, &model, LINEAR_CR2, id, 9, 0);
        for (int j = 0; j < 3; j++) {
            double se, df;
            direct_cr2(&se, &df, &ols, &model, id, j + 1);
            assert_close(c.se[j], se);
            assert_close(c.df[j], df);
        }
    }
}

/* Singletons: CR0 is HC0 and CR2 is HC2. The intercept's error does not depend on how it is
 * parametrised: shifting x by its mean gives the error of the mean of y at mean x. */
static void rows_as_clusters(void **state)
{
    (void)state;
    uint32_t seed = 13, id[DN], row[DN];
    double x[3 * DN], y[DN];
    random_model(x, y, id, DN, &seed);
    for (uint32_t i = 0; i < DN; i++) row[i] = i;
    const linear_model model = {.n = DN, .p = 3, .x = x, .y = y, .intercept = true};
    linear_ols ols = fit(&model);
    linear_cov hc0 = cov(&ols, &model, LINEAR_HC0, NULL, 0, 0);
    linear_cov hc2 = cov(&ols, &model, LINEAR_HC2, NULL, 0, 0);
    linear_cov hc3 = cov(&ols, &model, LINEAR_HC3, NULL, 0, 0);
    linear_cov cr0 = cov(&ols, &model, LINEAR_CR0, row, DN, 0);
    linear_cov cr2 = cov(&ols, &model, LINEAR_CR2, row, DN, 0);
    for (int j = 0; j < 4; j++) {
        assert_close(hc0.se[j], cr0.se[j]);
        assert_close(hc2.se[j], cr2.se[j]);
        assert_true(hc0.se[j] < hc2.se[j] && hc2.se[j] < hc3.se[j]);
        assert_true(hc0.df[j] == DN - 4);
    }
    for (int i = 0; i < DN; i++) x[i] += 100;
    linear_ols moved = fit(&model);
    linear_cov c = cov(&moved, &model, LINEAR_CR2, row, DN, 0);
    assert_within(c.se[0], cr2.se[0], 1e-9, 0);
    double variance = cr2.v[15] - 200 * cr2.v[3] + 1e4 * cr2.v[0];
    assert_within(c.v[15], variance, 1e-9, 0);
}

/* CR2 and its df are the same for the dummy model (statistics 9). */
static void cr2_of_dummies(void **state)
{
    (void)state;
    toy_regression t;
    toy_raw(&t);
    double x[7 * TOY_ROWS] = {0};
    memcpy(x, t.x, sizeof t.x);
    for (int i = 0; i < TOY_ROWS; i++)
        if (t.base[i] > 0) x[(1 + t.base[i]) * TOY_ROWS + i] = 1;
    const linear_model model = {.n = TOY_ROWS, .p = 7, .x = x, .y = t.y, .intercept = true};
    linear_ols ols = fit(&model);
    linear_cov c = cov(&ols, &model, LINEAR_CR2, t.base, TOY_BASES, 0);
    assert_within(c.se[0], .00506925820756, 1e-9, 0);
    assert_within(c.df[1], 4.93604765854, 1e-9, 0);
    assert_within(cov(&ols, &model, LINEAR_HC3, NULL, 0, 0).se[0], .00412116769417, 1e-9, 0);
}

/* The same clusters twice give V_A; crossed ones may need clipping. */
static void two_way(void **state)
{
    (void)state;
    uint32_t seed = 17, id[DN], other[DN];
    double x[3 * DN], y[DN];
    int clipped = 0;
    for (int trial = 0; trial < 60; trial++) {
        random_model(x, y, id, DN, &seed);
        for (int i = 0; i < DN; i++) other[i] = next(&seed) % 3;
        const linear_model model = {.n = DN, .p = 3, .x = x, .y = y, .intercept = true};
        linear_ols ols = fit(&model);
        linear_cov two, one = cov(&ols, &model, LINEAR_CR0, id, 9, 0);
        linear_clusters by[2] = {{.id = id, .count = 9}, {.id = id, .count = 9}};
        assert_ok(linear_covariance_two(&two, &ols, &model, by, &scratch, &err));
        assert_close(two.se[0], one.se[0]);
        assert_false(two.clipped);
        by[1] = (linear_clusters){.id = other, .count = 3};
        assert_ok(linear_covariance_two(&two, &ols, &model, by, &scratch, &err));
        clipped += two.clipped;
        double copy[16], values[4], vectors[16];
        memcpy(copy, two.v, sizeof copy);
        assert_true(eigen_symmetric(values, vectors, copy, 4));
        for (int k = 0; k < 4; k++) assert_true(values[k] >= -1e-10);
        for (int j = 0; j < 4; j++) assert_true(two.se[j] >= 0 && two.df[j] == 2);
    }
    assert_true(clipped > 0 && clipped < 60);
}

static void dropped_and_refused(void **state)
{
    (void)state;
    uint32_t seed = 19, id[DN];
    static const uint32_t same[DN];
    double x[3 * DN], y[DN];
    random_model(x, y, id, DN, &seed);
    for (int i = 0; i < DN; i++) x[DN + i] = 2 * x[i];
    linear_model model = {.n = DN, .p = 3, .x = x, .y = y, .intercept = true};
    linear_ols ols = fit(&model);
    linear_cov c = cov(&ols, &model, LINEAR_CR2, id, 9, 0);
    assert_true(isnan(c.se[1]) && isnan(c.df[1]) && isnan(c.v[1]) && isnan(linear_p(&ols, &c, 1)));
    assert_true(c.se[0] > 0 && c.se[2] > 0 && c.se[3] > 0 && c.df[3] > 1);
    assert_true(linear_p(&ols, &c, LINEAR_INTERCEPT) > 0);
    c = cov(&ols, &model, LINEAR_CR2, same, 1, 0);
    assert_true(isnan(c.se[0]) && isnan(c.df[0]) && c.clusters == 1);

    linear_clusters none = {.id = NULL, .count = 0}, few = {.id = id, .count = 2};
    assert_int_equal(linear_covariance(&c, &ols, &model, LINEAR_CR0, &none, &scratch, &err),
                     TARE_E_USAGE);
    assert_int_equal(linear_covariance(&c, &ols, &model, LINEAR_CR0, NULL, &scratch, &err),
                     TARE_E_USAGE);
    assert_int_equal(linear_covariance(&c, &ols, &model, LINEAR_CR1, &few, &scratch, &err),
                     TARE_E_DATA);
    const linear_clusters by[2] = {few, few};
    assert_int_equal(linear_covariance_two(&c, &ols, &model, by, &scratch, &err), TARE_E_DATA);
    model.absorbed = 4;
    ols = fit(&model);
    assert_int_equal(linear_covariance(&c, &ols, &model, LINEAR_HC3, NULL, &scratch, &err),
                     TARE_E_USAGE);
}

/* Each allocation failed in turn: MEMORY comes back, and nothing leaks (sanitised builds). */
static void *failing_resize(void *user, void *pointer, size_t bytes)
{
    int *left = user;
    if (bytes == 0) {
        free(pointer);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(pointer, bytes) : NULL;
}

static tare_status everything(const mem *m, toy_regression *t)
{
    tare_status status;
    arena a;
    linear_ols ols;
    linear_cov out;
    linear_model model = toy_demeaned(t);
    size_t parts;
    bool converged;
    double z[TOY_BASES * LINEAR_SUMS_WIDTH(2)];
    const linear_clusters by[2] = {{.id = t->base, .count = TOY_BASES},
                                   {.id = t->base, .count = TOY_BASES}};
    arena_init(&a, m);
    status = linear_fit(&ols, &model, &a, &err);
    for (int kind = LINEAR_HC0; status == TARE_OK && kind <= LINEAR_CR2; kind++)
        status = linear_covariance(&out, &ols, &model, (linear_kind)kind, by, &a, &err);
    if (status == TARE_OK) status = linear_covariance_two(&out, &ols, &model, by, &a, &err);
    if (status == TARE_OK) status = linear_sums(z, &model, by, m, &err);
    if (status == TARE_OK) status = linear_components(&parts, NULL, by, TOY_ROWS, m, &err);
    if (status == TARE_OK) status = linear_demean_two(&converged, t->y, by, TOY_ROWS, m, &err);
    arena_free(&a);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    toy_regression t;
    int k = 0;
    for (tare_status status = TARE_E_MEMORY; status != TARE_OK; k++) {
        int left = k;
        const mem m = {failing_resize, &left};
        status = everything(&m, &t);
        assert_true(status == TARE_OK || status == TARE_E_MEMORY);
        assert_true(k < 1000);
    }
    assert_true(k > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toy), cmocka_unit_test(judges_and_texts),
        cmocka_unit_test(crossed_effects_absorbed), cmocka_unit_test(components),
        cmocka_unit_test(mean_in_clusters), cmocka_unit_test(mean_is_intercept_only),
        cmocka_unit_test(cr2_direct), cmocka_unit_test(rows_as_clusters),
        cmocka_unit_test(cr2_of_dummies), cmocka_unit_test(two_way),
        cmocka_unit_test(dropped_and_refused), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
