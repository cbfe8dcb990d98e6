/* Rank and linear correlation of each judge with people (judge audits C.2). */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"
#include "stats/moments.h"

const char *agree_stat_name(size_t stat)
{
    static const char *const names[STATS] = {"tau_b", "tau_c", "spearman", "pearson", "kappa"};
    return stat < STATS ? names[stat] : "";
}

size_t agree_headline(const agree *g, size_t which)
{
    const protocol *p = g->o.protocol;
    if (g->o.labels) return which == 0 ? STAT_KAPPA : STATS;
    if (which == 0) return p->tau_b ? STAT_TAU_B : STAT_TAU_C;
    return which == 1 && p->tau_b && p->tau_c ? STAT_TAU_C : STATS;
}

entry_spec agree_entry(const agree *g, const agree_layer *l, const char *family, const char *who,
                       const char *name)
{
    return (entry_spec){.family = family, .arm = l->arm, .dim = l->dim, .instrument = who,
                        .name = name, .margin = NAN,
                        .condition = protocol_is_custom(g->o.protocol) ? ""
                                                                       : g->o.protocol->name};
}

/* ---- tau and Spearman: counted again for each set of weights -------------------------------- */

typedef struct rank_user {
    const kendall_rows *rows;
    size_t clusters, outputs;
    bool spearman;
} rank_user;

static void evaluate(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const rank_user *u = user;
    kendall k;
    kendall_clustered(&k, u->rows, w, scratch);
    values[COEF_TAU_B] = k.tau_b;
    values[COEF_TAU_C] = k.tau_c;
    if (u->spearman) values[COEF_SPEARMAN] = kendall_spearman_clustered(u->rows, w, scratch);
}

static void evaluate_lanes(double *values, const uint8_t *lanes, const uint8_t *w,
                           const void *user, void *scratch)
{
    const rank_user *u = user;
    kendall k[KENDALL_LANES];
    kendall_lanes(k, u->rows, &(kendall_sets){lanes, w, u->clusters}, scratch);
    for (size_t i = 0; i < KENDALL_LANES; i++, values += u->outputs) {
        values[COEF_TAU_B] = k[i].tau_b;
        values[COEF_TAU_C] = k[i].tau_c;
        if (!u->spearman) continue;
        const uint8_t *one = w + i * u->clusters;
        values[COEF_SPEARMAN] = kendall_spearman_clustered(u->rows, one, scratch);
    }
}

tare_status coefficients_infer(inference *out, agree *g, const sample *s, const double *const xy[2],
                               size_t count, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    rank_user user = {NULL, s->set ? s->set->count : 0, count, count > COEF_SPEARMAN};
    kendall_rows *rows = NULL;
    for (size_t k = 0; k < count; k++) out[k] = inference_none(REASON_NO_SCORES);
    if (!s->set) goto done;
    TRY(kendall_rows_new(&rows, xy[0], xy[1], s->n, g->m, err));
    TRY(kendall_rows_cluster(rows, s->cluster, err));
    user.rows = rows;
    infer_weighted what = {.evaluate = evaluate, .evaluate_lanes = evaluate_lanes, .user = &user,
                           .outputs = count, .scratch_bytes = kendall_lanes_bytes(rows)};
    TRY(sample_infer(out, g, s, what, keep, err));
done:
    kendall_rows_free(rows);
    return status;
}

/* ---- Pearson: from the sums of each cluster ------------------------------------------------- */

enum { SUM_N, SUM_X, SUM_Y, SUM_XX, SUM_YY, SUM_XY, SUMS };

static double pearson_of(const double *t, size_t p, const void *user)
{
    (void)p;
    (void)user;
    double n = t[SUM_N];
    if (!(n > 1)) return NAN;
    double xx = t[SUM_XX] - t[SUM_X] * t[SUM_X] / n, yy = t[SUM_YY] - t[SUM_Y] * t[SUM_Y] / n;
    double xy = t[SUM_XY] - t[SUM_X] * t[SUM_Y] / n;
    /* What is left of equal values is rounding. */
    if (!(xx > 1e-13 * t[SUM_XX]) || !(yy > 1e-13 * t[SUM_YY])) return NAN;
    return fmax(-1, fmin(1, xy / sqrt(xx) / sqrt(yy)));
}

/* Centred and scaled, so that the sums keep their digits. */
static void standardise(double *z, const double *x, size_t n)
{
    double mean = moments_mean(x, n), sd = moments_sd(x, n, 0);
    for (size_t i = 0; i < n; i++) z[i] = sd > 0 ? (x[i] - mean) / sd : 0;
}

static tare_status pearson_infer(inference *out, agree *g, const agree_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const sample *s = &v->s;
    double *z = NULL, *x = NULL;
    *out = inference_none(s->set ? REASON_OUT_OF_RANGE : REASON_NO_SCORES);
    if (!s->set || v->too_large) goto done;
    TRY_NEW(z = mem_new(g->m, s->set->count * SUMS, sizeof *z));
    TRY_NEW(x = mem_new(g->m, 2 * s->n, sizeof *x));
    standardise(x, v->x, s->n);
    standardise(x + s->n, v->gold, s->n);
    for (size_t i = 0; i < s->n; i++) {
        double *c = z + (size_t)s->cluster[i] * SUMS, a = x[i], b = x[s->n + i];
        const double terms[SUMS] = {1, a, b, a * a, b * b, a * b};
        for (size_t k = 0; k < SUMS; k++) c[k] += terms[k];
    }
    infer_smooth f = {.g = pearson_of, .n = s->n};
    TRY(infer_totals(out, &s->set->plan, &(infer_sums){z, SUMS}, &f, 1, NULL, err));
done:
    mem_free(g->m, z);
    mem_free(g->m, x);
    return status;
}

/* ---- one judge ------------------------------------------------------------------------------ */

static tare_status asymptotic(inference *inf, agree *g, const agree_view *v, tare_error *err)
{
    if (inf->reason[0]) return TARE_OK;
    inf->p_method = "normal approximation, ignores clusters";
    inf->p_floor = NAN;
    return kendall_p(&inf->p, v->key, v->gold_key, v->s.n, g->m, err);
}

static tare_status describe(agree_view *v, agree *g, tare_error *err)
{
    tare_status status = kendall_tau(&v->tau, v->key, v->gold_key, v->s.n, g->m, err);
    if (status) return status;
    v->distinct = v->tau.distinct_x;
    v->tied = v->tau.pairs > 0 ? (double)v->tau.tied_x / (double)v->tau.pairs : NAN;
    return TARE_OK;
}

/* That a tau is not 0 says little: the words say how far from it. */
static tare_status put_words(entry_spec *spec, const agree_view *v, agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const kendall *k = &v->tau;
    double decided = (double)(k->concordant + k->discordant);
    double share = decided > 0 ? 100 * (double)k->concordant / decided : NAN;
    if (isnan(share)) return TARE_OK;
    TRY_NEW(spec->plus = arena_printf(&g->out->a, "orders %.0f %% of the pairs of rows that are "
                                      "tied on neither side as %s: more than chance, a weak claim",
                                      share, g->gold_column ? "gold does" : "people do"));
    TRY_NEW(spec->minus = arena_printf(&g->out->a, "orders %.0f %% of the pairs of rows that are "
                                       "tied on neither side as %s: against %s", share,
                                       g->gold_column ? "gold does" : "people do", agree_whom(g)));
done:
    return status;
}

static tare_status enter(agree_view *v, agree *g, size_t stat, tare_error *err)
{
    tare_status status = TARE_OK;
    bool leads = stat == agree_headline(g, 0), second = stat == agree_headline(g, 1);
    entry_spec spec = agree_entry(g, v->layer, "agreement", v->name, agree_stat_name(stat));
    spec.grid = leads || second ? "agreement" : "";
    spec.descriptive = !leads && !second;
    if (!spec.descriptive) TRY(put_words(&spec, v, g, err));
    spec.missing = &v->missing;
    TRY(agree_add(g, &spec, &v->stat[stat], &v->entry[stat], err));
done:
    return status;
}

tare_status agree_coefficients_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < g->views; k++) {
        agree_view *v = &g->view[k];
        TRY(context_check(g->context, err));
        if (g->o.labels) continue; /* names of categories have no order */
        TRY(describe(v, g, err));
        const double *const xy[2] = {v->key, v->gold_key};
        TRY(coefficients_infer(&v->stat[STAT_TAU_B], g, &v->s, xy, COEFS, g->a, err));
        TRY(pearson_infer(&v->stat[STAT_PEARSON], g, v, err));
        for (size_t s = STAT_TAU_B; s <= STAT_TAU_C && g->o.asymptotic; s++)
            TRY(asymptotic(&v->stat[s], g, v, err));
        for (size_t s = STAT_TAU_B; s <= STAT_PEARSON; s++) TRY(enter(v, g, s, err));
    }
done:
    return status;
}
