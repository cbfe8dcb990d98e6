#include "audit/scorer/study.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/members.h"
#include "base/error.h"
#include "base/text.h"
#include "perturb/perturb.h"
#include "stats/moments.h"
#include "stats/verdict.h"

/* Draws of all base sets together may take this much; sets beyond it draw anew in each call, which
 * gives the same bits but doubles the time of an analysis. */
#define DRAWS_BYTES_MAX ((size_t)512 << 20)

bool arm_is_sham(const cube_arm *arm)
{
    const perturb_operator *op = perturb_operator_find(arm->operator_name);
    return op && op->sham_only;
}

bool arm_is_skin(const cube_arm *arm)
{
    return strcmp(arm->operator_name, "skin") == 0;
}

bool arm_main(const cube_arm *arm)
{
    return !arm->placebo && !arm->stress;
}

bool arm_has_population(const cube_arm *arm)
{
    return arm->group && arm_main(arm) && strcmp(arm->kind, "synthetic") != 0;
}

double snap_zero(double x, double scale)
{
    return fabs(x) <= 64 * DBL_EPSILON * scale ? 0 : x;
}

static double *nan_array(arena *a, size_t n)
{
    double *x = arena_raw(a, n ? n : 1, sizeof *x);
    for (size_t i = 0; x && i < n; i++) x[i] = NAN;
    return x;
}

double *study_array(study *t, size_t n)
{
    return nan_array(&t->scratch, n);
}

double *brief_array(study *t, size_t n)
{
    return nan_array(&t->brief, n);
}

const char *dose_text(study *t, double dose)
{
    char buffer[NUMBER_TEXT_MAX];
    number_format(dose, buffer);
    return arena_copy(&t->out->a, buffer);
}

double attribute_margin(const study *t, const cube_arm *arm)
{
    bool degrees = strcmp(arm->attribute_unit, "degrees") == 0;
    return t->o.margins && degrees ? t->o.margin_drift_attribute : NAN;
}

double view_margin(const study *t, const view *v, double multiple)
{
    return t->o.margins && v->sd0 > 0 ? multiple * v->sd0 : NAN;
}

/* ---- base sets
 * --------------------------------------------------------------------------------- */

static bool same_ids(const kept_draws *k, const infer_plan *plan)
{
    if (k->clusters != plan->clusters || strcmp(k->analysis, plan->analysis) != 0) return false;
    for (size_t i = 0; i < k->clusters; i++)
        if (strcmp(k->ids[i], plan->ids[i]) != 0) return false;
    return true;
}

static tare_status frame_draws(frame *f, study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_draws *draws = NULL;
    for (size_t i = 0; i < t->draws_count; i++)
        if (same_ids(&t->draws[i], &f->plan)) {
            f->plan.draws = t->draws[i].draws;
            return TARE_OK;
        }
    /* Weights and signs are a byte each; the engine may pad. */
    size_t replicates = (size_t)t->o.boot_b + t->o.perm_p;
    if (f->plan.clusters == 0 ||
        f->plan.clusters > (DRAWS_BYTES_MAX - t->draws_bytes) / (2 * replicates))
        return TARE_OK;
    if (!mem_reserve(t->m, &t->draws, &t->draws_capacity, t->draws_count + 1, sizeof *t->draws))
        FAIL_MEMORY(err);
    TRY(infer_plan_prepare(&draws, &f->plan, err));
    t->draws[t->draws_count++] =
        (kept_draws){draws, f->plan.ids, f->plan.clusters, f->plan.analysis};
    t->draws_bytes += f->plan.clusters * replicates * 2;
    f->plan.draws = draws;
done:
    return status;
}

tare_status frame_make(frame *f, study *t, const cube_arm *arm, bool *used, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(f, 0, sizeof *f);
    f->used = used;
    f->bases = arm->bases;
    uint32_t *local = NULL;
    const char **ids;
    const char *analysis;
    TRY_NEW(f->cluster = arena_new(&t->scratch, arm->bases + 1, sizeof *f->cluster));
    TRY_NEW(local = mem_new(t->m, arm->clusters + 1, sizeof *local));
    TRY_NEW(ids = arena_new(&t->scratch, arm->clusters + 1, sizeof *ids));
    TRY_NEW(analysis = arena_printf(&t->scratch, "scorer/%s",
                                    arm->set_name ? arm->set_name : arm->kind));
    for (size_t i = 0; i < arm->bases; i++)
        if (used[i]) {
            f->n++;
            local[arm->cluster[i]] = 1;
        }
    uint32_t clusters = 0; /* in the canonical order of the arm's ids */
    for (size_t k = 0; k < arm->clusters; k++)
        if (local[k]) {
            ids[clusters] = arm->cluster_id[k];
            local[k] = clusters++;
        }
    for (size_t i = 0; i < arm->bases; i++) f->cluster[i] = used[i] ? local[arm->cluster[i]] : 0;
    f->plan.m = t->m;
    f->plan.pool = t->context->pool;
    f->plan.seed = t->o.seed;
    f->plan.analysis = analysis;
    f->plan.clusters = clusters;
    f->plan.ids = ids;
    f->plan.boot_b = t->o.boot_b;
    f->plan.perm_p = t->o.perm_p;
    f->plan.alpha = t->o.alpha;
    f->plan.power = 0.80;
    f->plan.interval = CI_AUTO;
    if (strcmp(t->o.ci, "percentile") == 0) f->plan.interval = CI_PERCENTILE;
    if (strcmp(t->o.ci, "bca") == 0) f->plan.interval = CI_BCA;
    if (strcmp(t->o.ci, "t") == 0) f->plan.interval = CI_T;
    f->plan.boot_p = strcmp(t->o.boot_p, "inversion") == 0 ? P_INVERSION : P_CENTRED;
    TRY(frame_draws(f, t, err));
done:
    mem_free(t->m, local);
    return status;
}

tare_status study_means(inference *out, study *t, const frame *f, const double *const *x, size_t k,
                        tare_error *err)
{
    return study_means_keep(out, t, f, x, k, t->keep, err);
}

tare_status study_means_keep(inference *out, study *t, const frame *f, const double *const *x,
                             size_t k, arena *keep, tare_error *err)
{
    tare_status status = TARE_OK;
    infer_column *columns;
    for (size_t j = 0; j < k; j++) out[j] = inference_none(REASON_TOO_FEW_CLUSTERS);
    if (f->n == 0 || k == 0) return TARE_OK;
    arena own;
    arena_init(&own, t->m);
    TRY_NEW(columns = arena_new(&own, k, sizeof *columns));
    for (size_t j = 0; j < k; j++) {
        bool *used;
        double *clean;
        TRY_NEW(used = arena_raw(&own, f->bases, sizeof *used));
        TRY_NEW(clean = arena_raw(&own, f->bases, sizeof *clean));
        size_t n = 0;
        for (size_t i = 0; i < f->bases; i++) {
            used[i] = f->used[i] && !isnan(x[j][i]);
            clean[i] = used[i] ? x[j][i] : 0;
            n += used[i];
        }
        columns[j] = (infer_column){clean, n ? used : NULL};
    }
    infer_rows rows = {f->cluster, f->bases};
    /* A column without any value would be an error of the caller to the engine: it gets its reason
     * here and the others are compacted. */
    size_t kept = 0;
    inference *part;
    TRY_NEW(part = arena_new(&own, k, sizeof *part));
    infer_column *dense;
    TRY_NEW(dense = arena_new(&own, k, sizeof *dense));
    for (size_t j = 0; j < k; j++)
        if (columns[j].used) dense[kept++] = columns[j];
    if (kept) TRY(infer_means(part, &f->plan, dense, kept, &rows, keep, err));
    for (size_t j = 0, at = 0; j < k; j++)
        if (columns[j].used) out[j] = part[at++];
done:
    arena_free(&own);
    return status;
}

tare_status study_totals(inference *out, study *t, const frame *f, base_rows rows,
                         const infer_smooth *functions, size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = rows.p;
    for (size_t j = 0; j < k; j++) out[j] = inference_none(REASON_TOO_FEW_CLUSTERS);
    if (f->n == 0) return TARE_OK;
    arena own;
    arena_init(&own, t->m);
    neumaier *sums;
    double *z;
    size_t cells = f->plan.clusters * p;
    TRY_NEW(sums = arena_new(&own, cells, sizeof *sums));
    TRY_NEW(z = arena_new(&own, cells, sizeof *z));
    size_t n = 0;
    for (size_t i = 0; i < f->bases; i++) {
        bool whole = f->used[i];
        for (size_t j = 0; whole && j < p; j++) whole = !isnan(rows.x[i * p + j]);
        if (!whole) continue;
        n++;
        for (size_t j = 0; j < p; j++)
            neumaier_add(&sums[f->cluster[i] * p + j], rows.x[i * p + j]);
    }
    for (size_t j = 0; j < cells; j++) z[j] = neumaier_total(&sums[j]);
    if (n == 0) goto done;
    TRY(infer_totals(out, &f->plan, &(infer_sums){z, p}, functions, k, t->keep, err));
    for (size_t j = 0; j < k; j++) out[j].n = n;
done:
    arena_free(&own);
    return status;
}

/* ---- entering estimates
 * ------------------------------------------------------------------------ */

judged *study_get(const study *t, const view *v, reading_id id)
{
    size_t at = v->at[id];
    return at == SIZE_MAX ? NULL : &t->judged[at];
}

const tare_reading *study_reading(const study *t, const judged *j)
{
    return &t->out->readings[j->reading];
}

tare_status study_mark(study *t, judged *j, const char *mark, tare_error *err)
{
    const char *joined = mark;
    if (j->extra && j->extra[0]) joined = arena_printf(&t->out->a, "%s, %s", j->extra, mark);
    if (!joined) return error_memory(err);
    j->extra = joined;
    return TARE_OK;
}

/* Readings of a view that are made of its scores: all but those that count, and those of the doses
 * and the attribute alone. */
static bool made_of_scores(const reading_spec *spec)
{
    static const char *const families[] = {"missing", "criterion", "noise"};
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (strcmp(spec->family, families[k]) == 0) return false;
    return strcmp(spec->name, "random_drift") != 0 && strcmp(spec->name, "fidelity_reference") != 0;
}

tare_status study_add(study *t, view *v, const cube_arm *arm, reading_id id,
                      const reading_spec *spec, const inference *inf, tare_error *err)
{
    tare_status status = TARE_OK;
    inference unsaid = inference_none(REASON_OUT_OF_RANGE);
    reading_spec without = *spec;
    bool placebo = strcmp(spec->family, "placebo") == 0 && arm->partner < t->c->arms;
    const view *main = v && placebo ? &t->view[arm->partner * t->c->scorers + v->scorer_index] : v;
    if (v && (v->too_large || main->too_large) && made_of_scores(spec)) {
        without.reason = REASON_OUT_OF_RANGE;
        unsaid.n = inf->n;
        unsaid.clusters = inf->clusters;
        spec = &without;
        inf = &unsaid;
    }
    if (!mem_reserve(t->m, &t->judged, &t->judged_capacity, t->judged_count + 1,
                     sizeof *t->judged))
        FAIL_MEMORY(err);
    tare_reading *r;
    TRY_NEW(r = result_add_reading(t->out));
    r->family = spec->family;
    r->arm = arm->name;
    r->instrument = v ? v->scorer : "";
    r->name = spec->name;
    r->condition = spec->condition ? spec->condition : "";
    r->unit = spec->unit ? spec->unit : "";
    r->grid = spec->grid ? spec->grid : "";
    r->seed = t->o.seed;
    base_count count = spec->count ? *spec->count : v ? count_view(v) : count_arm(t, arm, NULL);
    r->n_expected = count.expected;
    memcpy(r->n_missing, count.missing, sizeof r->n_missing);
    r->replicates = isnan(inf->p) ? 0 : t->o.boot_b;
    estimate_fill(r, inf, t->o.alpha);
    r->margin = spec->margin;
    r->floor = spec->floor;
    r->reason = spec->reason && spec->reason[0] ? spec->reason : inf->reason ? inf->reason : "";
    if (inf->n == 0) {
        r->n_base = count.n;
        r->n_cluster = count.clusters;
    }
    judged *j = &t->judged[t->judged_count];
    memset(j, 0, sizeof *j);
    j->reading = t->out->reading_count - 1;
    j->view = v ? (size_t)(v - t->view) : SIZE_MAX;
    j->id = id;
    j->inf = *inf;
    TRY(members_take(t, j, r->grid, spec->descriptive, err));
    j->descriptive = spec->descriptive;
    j->extra = estimate_marks(inf);
    if (v && id != RD_NONE) v->at[id] = t->judged_count;
    t->judged_count++;
    if (spec->extra && spec->extra[0]) TRY(study_mark(t, j, spec->extra, err));
    if (spec->descriptive) {
        r->verdict = r->reason[0] ? TARE_NO_ANSWER : TARE_DESCRIPTIVE;
        r->marks = j->extra;
    }
done:
    return status;
}

tare_status study_number(study *t, view *v, const cube_arm *arm, const reading_spec *spec,
                         double value, tare_error *err)
{
    inference inf = inference_none("");
    inf.estimate = value;
    reading_spec s = *spec;
    s.descriptive = true;
    s.margin = s.floor = NAN;
    return study_add(t, v, arm, RD_NONE, &s, &inf, err);
}
