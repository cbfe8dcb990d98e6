#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/omnibus.h"
#include "stats/permute.h"
#include "stats/special.h"

/* Private places of one worker, large enough for any column. */
typedef struct place {
    uint32_t *order, *label, *cursor;
    uint64_t *sort;
    omnibus_group *group;
    uint64_t *count; /* [k][2]: range, student */
} place;

typedef struct omnibus_job {
    const permute_plan *plan;
    omnibus_data *data;  /* [k]                                                    */
    size_t **position;   /* [k][clusters]: place in the data, or SIZE_MAX          */
    double (*bound)[2];  /* [k] what replicates must reach                         */
    const bool *sampled; /* [k] sampled replicates make p                          */
    size_t k, strata;
    place *place;
} omnibus_job;

/* ---- Data ------------------------------------------------------------------------------------ */

/* Group labels without gaps: rename[label] = 0, 1, ... in the order of labels; `name` goes back. */
static tare_status rename_groups(omnibus_data *data, uint32_t **name, const omnibus_column *column,
                                 size_t clusters, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *rename = NULL;
    TRY_NEW(rename = arena_new(a, column->groups, sizeof *rename));
    TRY_NEW(*name = arena_new(a, column->groups, sizeof **name));
    for (size_t c = 0; c < clusters; c++) {
        uint32_t g = column->group[c];
        if (g == OMNIBUS_NONE || (column->count && !(column->count[c] > 0))) continue;
        if (g >= column->groups)
            FAIL(err, TARE_E_USAGE, "omnibus.group", NULL, "label %u of %zu groups", g,
                 column->groups);
        rename[g] = 1;
        data->n++;
    }
    for (size_t g = 0; g < column->groups; g++)
        if (rename[g]) {
            (*name)[data->groups] = (uint32_t)g;
            rename[g] = (uint32_t)data->groups++;
        }
    if (data->groups > OMNIBUS_GROUPS_MAX)
        FAIL(err, TARE_E_LIMIT, "omnibus.groups", NULL, "%zu groups are more than %d",
             data->groups, OMNIBUS_GROUPS_MAX);
    TRY_NEW(data->label = arena_new(a, data->n, sizeof *data->label));
    for (size_t c = 0, i = 0; c < clusters; c++) {
        uint32_t g = column->group[c];
        if (g == OMNIBUS_NONE || (column->count && !(column->count[c] > 0))) continue;
        data->label[i++] = rename[g];
    }
done:
    return status;
}

/* Values about the mean of all: the statistics are the same and keep their digits. */
static void centre(omnibus_data *data)
{
    neumaier absolute = {0, 0};
    double n = (double)data->n;
    data->equal = true;
    double count = moments_sum(data->count, data->n);
    double mean = moments_sum(data->sum, data->n) / count;
    for (size_t i = 0; i < data->n; i++) {
        data->sum[i] -= data->count[i] * mean;
        neumaier_add(&absolute, fabs(data->sum[i]));
        if (fabs(data->sum[i]) > 1e-12 * fabs(data->count[i] * mean)) data->equal = false;
    }
    data->scale = neumaier_total(&absolute) / n / (count / n);
}

static tare_status load_column(omnibus_job *job, size_t j, uint32_t **name,
                               const omnibus_column *column, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_plan *plan = job->plan;
    omnibus_data *data = &job->data[j];
    TRY(rename_groups(data, name, column, plan->clusters, a, err));
    TRY_NEW(job->position[j] = arena_new(a, plan->clusters, sizeof **job->position));
    TRY_NEW(data->sum = arena_new(a, data->n, sizeof *data->sum));
    TRY_NEW(data->count = arena_new(a, data->n, sizeof *data->count));
    TRY_NEW(data->stratum = arena_new(a, data->n, sizeof *data->stratum));
    TRY_NEW(data->dealt = arena_new(a, data->n, sizeof *data->dealt));
    TRY_NEW(data->start = arena_new(a, job->strata + 1, sizeof *data->start));
    data->one_each = true;
    size_t n = 0;
    for (size_t c = 0; c < plan->clusters; c++) {
        double count = column->count ? column->count[c] : 1;
        job->position[j][c] = SIZE_MAX;
        if (column->group[c] == OMNIBUS_NONE || !(count > 0)) continue;
        job->position[j][c] = n;
        data->sum[n] = column->sum[c];
        data->count[n] = count;
        if (count != 1) data->one_each = false;
        data->stratum[n] = plan->stratum ? plan->stratum[c] : 0;
        data->start[data->stratum[n++] + 1]++;
    }
    for (size_t s = 0; s < job->strata; s++) data->start[s + 1] += data->start[s];
    uint32_t *cursor;
    TRY_NEW(cursor = arena_new(a, job->strata, sizeof *cursor));
    memcpy(cursor, data->start, job->strata * sizeof *cursor);
    for (size_t i = 0; i < n; i++) data->dealt[cursor[data->stratum[i]]++] = data->label[i];
    if (n > 0) centre(data);
done:
    return status;
}

/* ---- Replicates ------------------------------------------------------------------------------ */

static void count_value(uint64_t count[2], const omnibus_value *v, const double bound[2])
{
    count[0] += v->range >= bound[0];
    count[1] += v->student >= bound[1];
}

/* Where T of the replicates of column j goes; NULL: nowhere. */
static double *null_of(const omnibus_job *job, size_t j)
{
    const omnibus_data *data = &job->data[j];
    bool degenerate = data->groups < 2 || data->equal;
    return job->plan->null && !degenerate ? job->plan->null[j] : NULL;
}

static tare_status omnibus_range(void *arg, size_t begin, size_t end, unsigned worker,
                                 tare_error *err)
{
    const omnibus_job *job = arg;
    const permute_plan *plan = job->plan;
    place *at = &job->place[worker];
    (void)err;
    for (size_t r = begin; r < end; r++) {
        draws_order(at->order, at->sort, plan->key, (uint32_t)r, plan->h64, plan->clusters);
        for (size_t j = 0; j < job->k; j++) {
            const omnibus_data *data = &job->data[j];
            double *null = null_of(job, j);
            if (!job->sampled[j] && !null) continue;
            memcpy(at->cursor, data->start, job->strata * sizeof *at->cursor);
            for (size_t i = 0; i < plan->clusters; i++) {
                size_t position = job->position[j][at->order[i]];
                if (position == SIZE_MAX) continue;
                at->label[position] = data->dealt[at->cursor[data->stratum[position]]++];
            }
            omnibus_value v = omnibus_value_of(data, at->label, at->group);
            if (null) null[r] = v.range;
            if (job->sampled[j]) count_value(at->count + 2 * j, &v, job->bound[j]);
        }
    }
    return TARE_OK;
}

/* The next permutation of x[n] in lexicographic order; false after the last, which becomes the
 * first. */
static bool next_permutation(uint32_t *x, size_t n)
{
    size_t i = n;
    while (i > 1 && x[i - 2] >= x[i - 1]) i--;
    size_t low = i > 1 ? i - 1 : 0, high = n; /* reverse the descending tail [low, n) */
    bool more = i > 1;
    for (size_t a = low, b = high; a + 1 < b; a++) {
        b--;
        uint32_t swap = x[a];
        x[a] = x[b];
        x[b] = swap;
    }
    if (more) {
        size_t pivot = i - 2, j = low;
        while (x[j] <= x[pivot]) j++;
        uint32_t swap = x[pivot];
        x[pivot] = x[j];
        x[j] = swap;
    }
    return more;
}

static void sort_labels(uint32_t *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && x[j - 1] > x[j]; j--) {
            uint32_t swap = x[j];
            x[j] = x[j - 1];
            x[j - 1] = swap;
        }
}

/* All distinct labelings: strata are the wheels of a counter. `dealt` ends sorted. */
static void omnibus_exact(omnibus_job *job, size_t j)
{
    omnibus_data *data = &job->data[j];
    place *at = &job->place[0];
    size_t wheel;
    for (size_t s = 0; s < job->strata; s++)
        sort_labels(data->dealt + data->start[s], data->start[s + 1] - data->start[s]);
    do {
        memcpy(at->cursor, data->start, job->strata * sizeof *at->cursor);
        for (size_t i = 0; i < data->n; i++)
            at->label[i] = data->dealt[at->cursor[data->stratum[i]]++];
        omnibus_value v = omnibus_value_of(data, at->label, at->group);
        count_value(at->count + 2 * j, &v, job->bound[j]);
        for (wheel = 0; wheel < job->strata; wheel++)
            if (next_permutation(data->dealt + data->start[wheel],
                                 data->start[wheel + 1] - data->start[wheel]))
                break;
    } while (wheel < job->strata);
}

/* ---- Around ---------------------------------------------------------------------------------- */

static void welch(omnibus_result *out, const omnibus_group *a, const omnibus_group *b)
{
    double va = omnibus_variance(a), vb = omnibus_variance(b), v = va + vb;
    double d = omnibus_mean(a) - omnibus_mean(b);
    out->pair_se = sqrt(v);
    out->pair_t = d / out->pair_se;
    out->pair_df = v * v / (va * va / ((double)a->clusters - 1) +
                            vb * vb / ((double)b->clusters - 1));
    out->pair_p = t_p(out->pair_t, out->pair_df);
    if (v == 0) out->pair_t = out->pair_df = out->pair_p = NAN;
}

static double bound_of(double t, double scale)
{
    return isfinite(t) ? t - 1e-12 * fmax(fabs(t), scale) : t;
}

/* Observed values; says whether the column needs replicates, and of which kind. */
static tare_status observe(omnibus_result *out, omnibus_job *job, size_t j, const uint32_t *name,
                           bool *sampled, uint64_t *scratch, tare_error *err)
{
    tare_status status = TARE_OK;
    const omnibus_data *data = &job->data[j];
    const permute_plan *plan = job->plan;
    permute_result none = {NAN, NAN, NAN, 0, 0, false};
    *out = (omnibus_result){.range = none, .student = none, .clusters = data->n,
                            .groups = data->groups, .pair_t = NAN, .pair_df = NAN, .pair_p = NAN,
                            .pair_se = NAN,
                            .degenerate = data->groups < 2 || data->equal};
    *sampled = false;
    if (out->degenerate) goto done;
    omnibus_group *group = job->place[0].group;
    omnibus_value v = omnibus_value_of(data, data->label, group);
    out->high = name[v.high];
    out->low = name[v.low];
    welch(out, &group[v.high], &group[v.low]);
    out->range.statistic = v.range;
    out->student.statistic = v.student;
    job->bound[j][0] = bound_of(v.range, data->scale);
    job->bound[j][1] = bound_of(v.student, 0);
    uint64_t total = permute_labelings(data->label, data->stratum, data->n, data->groups,
                                       job->strata, scratch);
    if (plan->mode == PERMUTE_EXACT && total > LABELS_EXACT_FORCED)
        FAIL(err, TARE_E_USAGE, "omnibus.exact", NULL, "more than %d labelings: use sampled",
             LABELS_EXACT_FORCED);
    bool exact = plan->mode == PERMUTE_EXACT ||
                 (plan->mode == PERMUTE_AUTO && total <= LABELS_EXACT);
    out->range.exact = exact;
    out->range.total = exact ? total : plan->replicates;
    *sampled = !exact;
done:
    return status;
}

static void conclude(omnibus_result *out, const omnibus_job *job, size_t j, unsigned workers)
{
    permute_result *both[2] = {&out->range, &out->student};
    out->student.exact = out->range.exact;
    out->student.total = out->range.total;
    for (int i = 0; i < 2; i++) {
        permute_result *r = both[i];
        if (isnan(r->statistic)) continue;
        for (unsigned w = 0; w < workers; w++) r->count += job->place[w].count[2 * j + i];
        double total = (double)r->total;
        r->p = r->exact ? (double)r->count / total : (double)(1 + r->count) / (total + 1);
        r->p_floor = r->exact ? 1 / total : 1 / (total + 1);
    }
}

static tare_status make_places(omnibus_job *job, unsigned workers, size_t groups, arena *a,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t clusters = job->plan->clusters;
    TRY_NEW(job->place = arena_new(a, workers, sizeof *job->place));
    for (unsigned w = 0; w < workers; w++) {
        place *at = &job->place[w];
        TRY_NEW(at->order = arena_new(a, clusters, sizeof *at->order));
        TRY_NEW(at->label = arena_new(a, clusters, sizeof *at->label));
        TRY_NEW(at->cursor = arena_new(a, job->strata, sizeof *at->cursor));
        TRY_NEW(at->sort = arena_new(a, DRAWS_ORDER_SCRATCH(clusters), sizeof *at->sort));
        TRY_NEW(at->group = arena_new(a, groups, sizeof *at->group));
        TRY_NEW(at->count = arena_new(a, job->k, 2 * sizeof *at->count));
    }
done:
    return status;
}

tare_status permute_omnibus(omnibus_result *out, const permute_plan *plan,
                            const omnibus_column *columns, size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned workers = pool_threads(plan->pool);
    omnibus_job job = {.plan = plan, .k = k, .strata = plan->stratum ? plan->strata : 1};
    size_t groups = 0, pending = 0;
    uint32_t **name = NULL;
    bool *sampled = NULL;
    uint64_t *scratch = NULL;
    arena a;
    arena_init(&a, plan->m);
    TRY_NEW(job.data = arena_new(&a, k, sizeof *job.data));
    TRY_NEW(job.position = arena_new(&a, k, sizeof *job.position));
    TRY_NEW(job.bound = arena_new(&a, k, sizeof *job.bound));
    TRY_NEW(name = arena_new(&a, k, sizeof *name));
    TRY_NEW(sampled = arena_new(&a, k, sizeof *sampled));
    for (size_t j = 0; j < k; j++) {
        TRY(load_column(&job, j, &name[j], &columns[j], &a, err));
        if (job.data[j].groups > groups) groups = job.data[j].groups;
    }
    TRY(make_places(&job, workers, groups, &a, err));
    TRY_NEW(scratch = arena_new(&a, groups * job.strata, sizeof *scratch));
    for (size_t j = 0; j < k; j++) {
        TRY(observe(&out[j], &job, j, name[j], &sampled[j], scratch, err));
        pending += sampled[j] || null_of(&job, j);
    }
    job.sampled = sampled;
    if (pending > 0) TRY(pool_for(plan->pool, plan->replicates, 32, omnibus_range, &job, err));
    for (size_t j = 0; j < k; j++) {
        if (!out[j].degenerate && out[j].range.exact) omnibus_exact(&job, j);
        if (!out[j].degenerate) conclude(&out[j], &job, j, workers);
    }
done:
    arena_free(&a);
    return status;
}
