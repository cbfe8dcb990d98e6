/* These models, or models in general? The interval over items asks for more items of the same
 * models; the spread over models asks for more models (judge audits A.5, A.9; statistics 3). Both
 * are printed, with how many times wider the second is. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/model_level.h"
#include "base/error.h"
#include "stats/gstudy.h"
#include "stats/moments.h"
#include "stats/verdict.h"

#define ALL_JUDGES "" /* the report names them */
#define TOO_FEW "no population-level answer: too few models"
#define NARROW "narrower than over items"

/* ---- Over items ------------------------------------------------------------------------------ */

/* A judge that gives every author the same mean prefers none. */
static bool lives(const matrix_view *v, size_t k)
{
    return !v->constant[v->self[k].judge];
}

/* The indicator of self cells, all or those of judges that are not constant, less its row and
 * column means: what the additive model leaves of it. */
static tare_status self_weights(double **out, double *square, matrix_study *s,
                                const matrix_view *v, bool all, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t G = v->G, E = v->E;
    double *x, *scratch;
    TRY_NEW(x = arena_new(&s->scratch, G * E, sizeof *x));
    TRY_NEW(scratch = arena_new(&s->scratch, PREFERENCE_SCRATCH(G, E) + G * E, sizeof *scratch));
    for (size_t k = 0; k < v->K; k++)
        x[v->self[k].author * E + v->self[k].judge] = all || lives(v, k);
    double *indicator = scratch + PREFERENCE_SCRATCH(G, E);
    memcpy(indicator, x, G * E * sizeof *x);
    preference to = {.residual = x};
    preference_of(&to, indicator, &(preference_shape){G, E, 0}, scratch);
    *square = moments_dot(x, x, G * E);
    *out = x;
done:
    return status;
}

static double first_mean(const double *total, size_t p, const void *user)
{
    (void)p, (void)user;
    return total[0] / nearbyint(total[2]);
}

static double second_mean(const double *total, size_t p, const void *user)
{
    (void)p, (void)user;
    return total[1] / nearbyint(total[2]);
}

/* Means of two values per item. Totals do without the sign flips, which from 30 clusters on do not
 * lead. */
static tare_status infer_two(inference out[2], matrix_study *s, const matrix_view *v,
                             const double *const x[2], tare_error *err)
{
    tare_status status = TARE_OK;
    const infer_column columns[2] = {{x[0], NULL}, {x[1], NULL}};
    const infer_smooth means[2] = {{.g = first_mean, .n = v->items},
                                   {.g = second_mean, .n = v->items}};
    infer_rows rows = {v->cluster, v->items};
    double *z;
    if (v->plan.clusters < 30)
        return infer_means(out, &v->plan, columns, 2, &rows, &s->scratch, err);
    TRY_NEW(z = arena_new(&s->scratch, v->plan.clusters, 3 * sizeof *z));
    for (size_t i = 0; i < v->items; i++) {
        double *sums = z + 3 * v->cluster[i];
        sums[0] += x[0][i];
        sums[1] += x[1][i];
        sums[2] += 1;
    }
    TRY(infer_totals(out, &v->plan, &(infer_sums){z, 3}, means, 2, &s->scratch, err));
done:
    return status;
}

/* Per item the mean of D over the judges, and what the pooled self effect is the mean of. */
static tare_status over_items(inference out[2], matrix_study *s, const matrix_view *v,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    double *x[2], *weight[2], square[2], factor = matrix_contrast_factor(v->G, v->E);
    for (size_t n = 0; n < 2; n++) {
        TRY(self_weights(&weight[n], &square[n], s, v, n == 1, err));
        TRY_NEW(x[n] = arena_new(&s->scratch, v->items, sizeof *x[n]));
    }
    double share[2] = {factor / (double)v->level->judges, 1 / square[1]};
    for (size_t i = 0; i < v->items; i++)
        for (size_t n = 0; n < 2; n++) {
            /* The sum of weight x score is the sum of the self cells' residuals of this item. */
            neumaier sum = {0, 0};
            const double *y = v->y + i * cells;
            for (size_t c = 0; c < cells; c++) neumaier_add(&sum, weight[n][c] * (y[c] - y[0]));
            x[n][i] = v->level->judges == 0 ? 0 : share[n] * neumaier_total(&sum);
        }
    TRY(infer_two(out, s, v, (const double *const[2]){x[0], x[1]}, err));
done:
    return status;
}

/* ---- Over models ----------------------------------------------------------------------------- */

static inference by_t(const matrix_study *s, double estimate, double se, double df)
{
    inference x = inference_none("");
    x.estimate = estimate;
    x.se = se;
    x.df = df;
    x.interval_method = x.p_method = "t over models";
    if (!(se > 0) || !(df > 0)) {
        x.reason = REASON_DEGENERATE;
        return x;
    }
    inference_by_t(&x, s->o.book.alpha);
    return x;
}

/* What too few clusters cannot say of these models they cannot say of others either (ours). */
static void check_clusters(inference *x, const matrix_view *v)
{
    if (x->reason[0] || v->plan.clusters >= LEVELS_LEAST) return;
    inference none = inference_none(REASON_TOO_FEW_CLUSTERS);
    none.estimate = x->estimate;
    none.n = x->n;
    none.clusters = x->clusters;
    *x = none;
}

/* t over the judges' D. */
static tare_status d_over_models(inference *out, matrix_study *s, const matrix_view *v,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = 0;
    double *d, factor = matrix_contrast_factor(v->G, v->E);
    TRY_NEW(d = arena_new(&s->scratch, v->K + 1, sizeof *d));
    for (size_t k = 0; k < v->K; k++)
        if (lives(v, k)) d[n++] = factor * v->r[v->self[k].author * v->E + v->self[k].judge];
    double K = (double)n;
    *out = by_t(s, moments_mean(d, n), moments_sd(d, n, 1) / sqrt(K), K - 1);
    out->n = out->clusters = n;
    check_clusters(out, v);
done:
    return status;
}

/* Least squares of the cell means on judge, author and self: what is left over from cell to cell is
 * the judge x author effect that other models would bring (in a balanced table the same as a random
 * effect of the pair). */
static tare_status self_over_models(inference *out, matrix_study *s, const matrix_view *v,
                                    tare_error *err)
{
    tare_status status = TARE_OK;
    size_t cells = v->G * v->E;
    double *weight, *left, square, df = (double)((v->G - 1) * (v->E - 1)) - 1;
    TRY(self_weights(&weight, &square, s, v, true, err));
    TRY_NEW(left = arena_new(&s->scratch, cells, sizeof *left));
    double estimate = moments_dot(weight, v->r, cells) / square;
    for (size_t c = 0; c < cells; c++) left[c] = v->r[c] - estimate * weight[c];
    *out = by_t(s, estimate, sqrt(moments_dot(left, left, cells) / df / square), df);
    out->n = cells;
    out->clusters = v->K;
    check_clusters(out, v);
done:
    return status;
}

/* ---- Over both ------------------------------------------------------------------------------- */

/* Own cell less the mean of the other authors, in the column of one judge. */
static double ahead(const double *phi, const matrix_view *v, size_t author, size_t judge)
{
    double sum = 0;
    for (size_t g = 0; g < v->G; g++) sum += phi[g * v->E + judge];
    double own = phi[author * v->E + judge];
    return own - (sum - own) / (double)(v->G - 1);
}

/* Mean D where judge e counts w2[e] times. */
static void mean_contrast(double *values, const double *sums, const uint8_t *w2, const void *user)
{
    const matrix_view *v = user;
    size_t cells = v->G * v->E;
    double phi[MATRIX_CELLS_MOST], total = 0, count = 0, items = nearbyint(sums[cells]);
    for (size_t c = 0; c < cells; c++) phi[c] = sums[c] / items;
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        double own = w2 ? w2[x->judge] : 1, peers = 0, n = 0;
        if (own == 0 || !lives(v, k)) continue;
        for (size_t e = 0; e < v->E; e++) {
            double weight = w2 ? w2[e] : 1;
            if (e == x->judge || weight == 0) continue;
            peers += weight * ahead(phi, v, x->author, e);
            n += weight;
        }
        total += own * (ahead(phi, v, x->author, x->judge) - peers / n);
        count += own;
    }
    values[0] = total / count; /* NaN: no peers, or no self cell */
}

static tare_status over_both(inference *out, matrix_study *s, const matrix_view *v,
                             tare_error *err)
{
    infer_sums sums = {v->sums, v->p};
    infer_crossed what = {.of_totals = mean_contrast, .sums = &sums, .user = v, .outputs = 1,
                          .n = v->items, .ids2 = (const char *const *)v->judge_name,
                          .levels = v->E, .least = 2};
    return infer_two_way(out, &v->plan, &what, &s->scratch, err);
}

/* ---- Entries --------------------------------------------------------------------------------- */

static const char *const over[OVER_KINDS] = {"more items", "more models",
                                             "two-way"};

static double width(const inference *x)
{
    return x->hi - x->lo;
}

/* Statistics 8 marks a p that is small though the interval holds 0, where there is a verdict; here
 * also what has none, and a p that is not small though the interval does not hold 0. */
static bool disagree(const matrix_study *s, const inference *x, bool descriptive)
{
    bool apart = x->lo > 0 || x->hi < 0;
    if (isnan(x->p) || isnan(x->lo)) return false;
    return x->p <= s->o.book.alpha ? descriptive && !apart : apart;
}

/* Mean D; the family of tests is of what speaks of other models. An interval over models that is
 * narrower than that over items carries no claim (ours). */
static tare_status enter_mean(matrix_study *s, const matrix_view *v, int kind,
                              const inference *inf, tare_error *err)
{
    tare_status status = TARE_OK;
    struct matrix_level *l = v->level;
    entry_spec spec = matrix_entry(v, "models", "mean D", ALL_JUDGES, over[kind]);
    bool others = kind != OVER_ITEMS, few = l->judges < LEVELS_LEAST;
    spec.unit = "score";
    spec.descriptive = !others || few;
    spec.extra = others && few ? TOO_FEW : "";
    spec.reason = l->judges == 0 ? REASON_DEGENERATE : "";
    if (kind != OVER_MODELS) spec.missing = &v->counts;
    TRY_NEW(spec.grid = matrix_grid(s, v, "models"));
    spec.plus = "the mean preference is above 0";
    spec.minus = "the mean preference is below 0";
    TRY(book_add(&s->book, &spec, inf, &l->d[kind], err));
    if (disagree(s, inf, spec.descriptive))
        TRY(book_mark(&s->book, l->d[kind], "p and interval disagree", err));
    if (inf->left_out > 0) {
        const char *mark;
        TRY_NEW(mark = arena_printf(&s->out->a, "%zu resamples of fewer than two judges left out",
                                    inf->left_out));
        TRY(book_mark(&s->book, l->d[kind], mark, err));
    }
    if (others) l->narrow[kind] = width(inf) < width(&l->items);
    if (others && l->narrow[kind]) s->book.entries[l->d[kind]].condition_note = NARROW;
done:
    return status;
}

/* Cells share judges and authors, so that their number says too much of models: described only. */
static tare_status enter_pooled(matrix_study *s, const matrix_view *v, int kind,
                                const inference *inf, tare_error *err)
{
    entry_spec spec = matrix_entry(v, "models", "pooled self effect", ALL_JUDGES, over[kind]);
    spec.unit = "score";
    spec.descriptive = true;
    spec.extra = kind == OVER_MODELS ? "takes cells for independent" : "";
    if (kind == OVER_ITEMS) spec.missing = &v->counts;
    return book_add(&s->book, &spec, inf, &v->level->self[kind], err);
}

/* A number without a test, of all items. */
static tare_status enter_number(matrix_study *s, const matrix_view *v, entry_spec *spec,
                                double value, tare_error *err)
{
    inference x = inference_none("");
    x.estimate = value;
    x.n = v->items;
    x.clusters = v->plan.clusters;
    spec->descriptive = spec->detail = true;
    return book_add(&s->book, spec, &x, NULL, err);
}

static tare_status enter_ratio(matrix_study *s, const matrix_view *v, const char *name,
                               double ratio, tare_error *err)
{
    entry_spec spec = matrix_entry(v, "models", name, ALL_JUDGES, "SE over models / over items");
    return isnan(ratio) ? TARE_OK : enter_number(s, v, &spec, ratio, err);
}

static double ratio_of(double over_models, double over_items)
{
    return over_items > 0 ? over_models / over_items : NAN;
}

static tare_status run_view(matrix_study *s, matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    struct matrix_level *l;
    inference item[2], model, both;
    TRY_NEW(l = arena_new(&s->scratch, 1, sizeof *l));
    for (size_t k = 0; k < OVER_KINDS; k++) l->d[k] = BOOK_NONE;
    l->self[0] = l->self[1] = BOOK_NONE;
    for (size_t k = 0; k < v->K; k++) l->judges += lives(v, k);
    v->level = l;
    TRY(over_items(item, s, v, err));
    TRY(d_over_models(&model, s, v, err));
    l->items = item[0];
    l->wider_d = ratio_of(model.se, item[0].se);
    TRY(enter_mean(s, v, OVER_ITEMS, &item[0], err));
    TRY(enter_mean(s, v, OVER_MODELS, &model, err));
    if (v->E >= LEVELS_LEAST && v->plan.clusters >= LEVELS_LEAST) {
        TRY(over_both(&both, s, v, err));
        TRY(enter_mean(s, v, OVER_BOTH, &both, err));
    }
    TRY(enter_ratio(s, v, "mean D, times wider", l->wider_d, err));
    TRY(self_over_models(&model, s, v, err));
    l->wider_self = ratio_of(model.se, item[1].se);
    TRY(enter_pooled(s, v, OVER_ITEMS, &item[1], err));
    TRY(enter_pooled(s, v, OVER_MODELS, &model, err));
    TRY(enter_ratio(s, v, "pooled self effect, times wider", l->wider_self, err));
done:
    return status;
}

/* ---- Variance components --------------------------------------------------------------------- */

static tare_status variance_numbers(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    g_study g;
    TRY(g_study_table(&g, v->y, v->items, v->G, v->E, s->m, err));
    g_coefficients c = g_study_design(&g, (double)v->items, (double)v->E);
    const struct { const char *name; double value; } number[] = {
        {"item", g.s2_i},          {"author", g.s2_g},         {"judge", g.s2_j},
        {"item x author", g.s2_ig}, {"item x judge", g.s2_ij}, {"judge x author", g.s2_gj},
        {"residual", g.s2_e}};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        entry_spec spec = matrix_entry(v, "variance", "component", "", number[k].name);
        spec.unit = "score squared";
        spec.instrument = ALL_JUDGES;
        TRY(enter_number(s, v, &spec, number[k].value, err));
    }
    entry_spec spec = matrix_entry(v, "variance", "E_rho2", ALL_JUDGES,
                                   "of authors' means, relative");
    TRY(enter_number(s, v, &spec, c.e_rho2, err));
    spec.name = "Phi_dependability";
    spec.condition = "of authors' means, absolute";
    TRY(enter_number(s, v, &spec, c.phi, err));
done:
    return status;
}

tare_status matrix_model_level_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->views; k++) {
        matrix_view *v = &s->view[k];
        if (v->cells_only || v->reason[0] || !v->balanced) continue;
        TRY(context_check(s->context, err));
        TRY(variance_numbers(s, v, err));
        if (v->K > 0) TRY(run_view(s, v, err));
    }
done:
    return status;
}
