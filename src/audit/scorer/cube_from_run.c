#include "audit/scorer/cube_from_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_missing.h"
#include "base/error.h"
#include "base/hash.h"

/* Bases of one manifest arm that an axis is for, in canonical order. */
struct part {
    const photo_run *run;
    const char *label;        /* base arm; "" without a manifest */
    size_t axis;
    size_t *base;             /* indices into the plan */
    size_t bases;
};

static const plan_axis *axis_of(const struct part *p)
{
    return &p->run->plan->axes[p->axis];
}

static int compare_members(const void *x, const void *y, void *plan)
{
    const plan_base *bases = ((const photo_plan *)plan)->bases;
    const plan_base *a = &bases[*(const size_t *)x], *b = &bases[*(const size_t *)y];
    int order = strcmp(photo_cluster(a), photo_cluster(b));
    return order ? order : strcmp(a->id, b->id);
}

static tare_status find_members(struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_plan *plan = p->run->plan;
    TRY_NEW(p->base = arena_new(a, plan->base_count, sizeof *p->base));
    for (size_t i = 0; i < plan->base_count; i++)
        if (!plan_axis_reason(plan, i, p->axis) && !strcmp(plan->bases[i].arm, p->label))
            p->base[p->bases++] = i;
    if (p->bases) qsort_r(p->base, p->bases, sizeof *p->base, compare_members, plan);
done:
    return status;
}

static int compare_words(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Codes of one word per base into the sorted list of distinct words. */
static tare_status encode(uint32_t **codes, const char ***words, size_t *count, arena *a,
                          const char *const *word, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const char **sorted = arena_new(a, n, sizeof *sorted);
    if (!sorted) FAIL_MEMORY(err);
    for (size_t i = 0; i < n; i++) sorted[i] = word[i];
    if (n) qsort(sorted, n, sizeof *sorted, compare_words);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++)
        if (!distinct || strcmp(sorted[distinct - 1], sorted[i])) sorted[distinct++] = sorted[i];
    TRY_NEW(*codes = arena_new(a, n, sizeof **codes));
    for (size_t i = 0; i < n; i++) {
        const char **found = bsearch(&word[i], sorted, distinct, sizeof *sorted, compare_words);
        (*codes)[i] = (uint32_t)(found - sorted);
    }
    *words = sorted;
    *count = distinct;
done:
    return status;
}

static tare_status fill_clusters(cube_arm *arm, const struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = p->run->plan;
    const char **cluster = arena_new(a, p->bases, sizeof *cluster);
    const char **group = arena_new(a, p->bases, sizeof *group);
    TRY_NEW(arm->base = arena_new(a, p->bases, sizeof *arm->base));
    if (!cluster || !group) FAIL_MEMORY(err);
    arm->kind = p->bases ? plan->bases[p->base[0]].kind : "";
    for (size_t i = 0; i < p->bases; i++) {
        const plan_base *b = &plan->bases[p->base[i]];
        arm->base[i] = b->id;
        cluster[i] = photo_cluster(b);
        group[i] = b->group;
        if (strcmp(b->kind, arm->kind)) arm->kind = "";
    }
    arm->bases = p->bases;
    TRY(encode(&arm->cluster, &arm->cluster_id, &arm->clusters, a, cluster, p->bases, err));
    if (plan->has_groups)
        TRY(encode(&arm->group, &arm->group_id, &arm->groups, a, group, p->bases, err));
done:
    return status;
}

/* One number of every variant; NULL where there is none at all. */
static tare_status fill_column(double **out, const struct part *p, arena *a,
                               double (*number)(const struct part *p, size_t base, size_t dose),
                               tare_error *err)
{
    size_t doses = axis_of(p)->n_doses, n = p->bases * doses, first = 0;
    while (first < n && isnan(number(p, p->base[first / doses], first % doses))) first++;
    *out = first < n ? arena_raw(a, n, sizeof **out) : NULL;
    if (first < n && !*out) return error_memory(err);
    for (size_t i = 0; *out && i < n; i++) (*out)[i] = number(p, p->base[i / doses], i % doses);
    return TARE_OK;
}

static double attribute_at(const struct part *p, size_t base, size_t dose)
{
    return photo_attribute(p->run, base, p->axis, dose);
}

static double artifact_at(const struct part *p, size_t base, size_t dose)
{
    return photo_artifact(p->run, base, p->axis, dose);
}

static perturb_measures measures_at(const struct part *p, size_t base, size_t dose)
{
    return photo_measures_at(&p->run->measures, photo_row(p->run, base, p->axis, dose));
}

static double energy_at(const struct part *p, size_t base, size_t dose)
{
    return measures_at(p, base, dose).edit_support;
}

static double tight_at(const struct part *p, size_t base, size_t dose)
{
    return measures_at(p, base, dose).ita_tight;
}

static double loose_at(const struct part *p, size_t base, size_t dose)
{
    return measures_at(p, base, dose).ita_loose;
}

static double default_at(const struct part *p, size_t base, size_t dose)
{
    return measures_at(p, base, dose).ita_default;
}

static tare_status fill_measures(cube_arm *arm, const struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_operator *op = axis_of(p)->op;
    bool attribute = !op || op->attribute != PERTURB_NO_ATTRIBUTE;
    bool artifact = !op || op->artifact != PERTURB_NO_ARTIFACT;
    if (attribute) TRY(fill_column(&arm->attribute, p, a, attribute_at, err));
    if (artifact) TRY(fill_column(&arm->artifact, p, a, artifact_at, err));
    TRY(fill_column(&arm->edit_energy, p, a, energy_at, err));
    if (op && op->attribute == PERTURB_ITA) {
        TRY(fill_column(&arm->attribute_set[0], p, a, tight_at, err));
        TRY(fill_column(&arm->attribute_set[1], p, a, loose_at, err));
        TRY(fill_column(&arm->attribute_set[2], p, a, default_at, err));
    }
done:
    return status;
}

/* C1 asks that the neutral variant has the bytes of the base: seen, not assumed. */
static bool neutral_equals_base(const struct part *p)
{
    for (size_t i = 0; i < p->bases; i++) {
        size_t row = photo_row(p->run, p->base[i], p->axis, axis_of(p)->neutral);
        if (p->run->measures.state[row] != MEASURED_EQUAL) return false;
    }
    return true;
}

/* The photographs themselves: how large, and what is in them. */
static tare_status fill_photographs(cube_arm *arm, const struct part *p, arena *a, tare_error *err)
{
    const plan_base *bases = p->run->plan->bases;
    arm->pixels = arena_new(a, p->bases, sizeof *arm->pixels);
    if (!arm->pixels) return error_memory(err);
    for (size_t i = 0; i < p->bases; i++) {
        const plan_base *b = &bases[p->base[i]];
        double side = b->width < b->height ? b->width : b->height;
        arm->pixels[i] = b->pixels_hash;
        if (!i || side < arm->side_lo) arm->side_lo = side;
        if (side > arm->side_hi) arm->side_hi = side;
    }
    return TARE_OK;
}

/* Was the width seen on each variant by a model, or is it the dose once more? How the user's own
 * column came to be is not known: it may be a copy of the dose. */
static bool is_independent(const struct part *p)
{
    const perturb_operator *op = axis_of(p)->op;
    if (!op) return false;
    if (op->attribute == PERTURB_WIDTH_RATIO) return p->run->segmented;
    return true;
}

static void describe_axis(cube_arm *arm, const struct part *p)
{
    const plan_axis *x = axis_of(p);
    const perturb_operator *op = x->op;
    arm->operator_name = op ? op->name : "";
    arm->placebo = x->role == PLAN_PLACEBO;
    arm->stress = x->role == PLAN_STRESS;
    arm->stress_set = arm->stress ? mask_set_name(x->set) : "";
    arm->edited_here = op != NULL;
    arm->attribute_independent = is_independent(p);
    arm->attribute_name = op ? perturb_attribute_name(op->attribute) : "attribute";
    arm->attribute_unit = op ? perturb_attribute_unit(op->attribute) : "";
    arm->artifact_name = op ? perturb_artifact_name(op->artifact) : "artifact";
    arm->plus = op ? op->plus : "";
    arm->minus = op ? op->minus : "";
    arm->claim = op ? op->claim : "";
    arm->two_sided = x->neutral > 0 && x->neutral + 1 < x->n_doses && (!op || op->sides == 2);
}

static tare_status fill_arm(cube_arm *arm, struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_axis *x = axis_of(p);
    const photo_plan *plan = p->run->plan;
    TRY(photo_arm_name(&arm->name, a, p->label, x->name, err));
    arm->label = p->label;
    arm->set_name = *p->label ? p->label : NULL;
    arm->partner = SIZE_MAX;
    describe_axis(arm, p);
    arm->doses = x->n_doses;
    arm->neutral = x->neutral;
    TRY_NEW(arm->dose = arena_new(a, x->n_doses, sizeof *arm->dose));
    for (size_t d = 0; d < x->n_doses; d++) arm->dose[d] = x->doses[d];
    TRY(find_members(p, a, err));
    TRY(fill_clusters(arm, p, a, err));
    TRY(fill_measures(arm, p, a, err));
    TRY(fill_photographs(arm, p, a, err));
    /* Who made the variants of a custom axis, and by which path the neutral one, is not known. */
    arm->intervened = x->op && neutral_equals_base(p);
    for (size_t i = 0; i < plan->base_count; i++)
        arm->excluded += plan_axis_reason(plan, i, p->axis) != TARE_R_NONE &&
                         !strcmp(plan->bases[i].arm, p->label);
done:
    return status;
}

static tare_status fill_scores(cube *c, size_t arm, const struct part *p,
                               const photo_scores *scores, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t doses = c->arm[arm].doses, n = p->bases * doses;
    for (size_t s = 0; s < c->scorers; s++) {
        cube_scores *to = cube_at(c, arm, s);
        TRY_NEW(to->s = arena_new(c->a, n, sizeof *to->s));
        TRY_NEW(to->status = arena_new(c->a, n, sizeof *to->status));
        for (size_t i = 0; i < n; i++) {
            size_t at = photo_score_at(p->run, s, p->base[i / doses],
                                       axis_of(p)->slot[i % doses]);
            to->s[i] = c->sign[s] * scores->value[at];
            to->status[i] = scores->status[at];
        }
    }
done:
    return status;
}

static tare_status fill_noise(cube *c, const photo_scores *scores, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_run *run = scores->run;
    const photo_plan *plan = run->plan;
    for (size_t s = 0; s < c->scorers; s++) {
        const scorer_description *d = &run->instrument[s];
        cube_noise *x = &c->noise[s];
        x->known = d->repeatable;
        TRY_NEW(x->configuration = arena_new(c->a, PASS_COUNT, sizeof *x->configuration));
        TRY_NEW(x->value = arena_new(c->a, plan->base_count * PASS_COUNT, sizeof *x->value));
        TRY_NEW(x->status = arena_new(c->a, plan->base_count * PASS_COUNT, sizeof *x->status));
        int made[PASS_COUNT];
        for (int pass = 0; pass < PASS_COUNT; pass++) {
            if (!photo_pass_made(pass, d)) continue;
            made[x->configurations] = pass;
            x->configuration[x->configurations++] = photo_pass_name(pass);
        }
        for (size_t i = 0; i < plan->base_count; i++) {
            if (plan->bases[i].reason) continue;
            size_t from = (s * plan->base_count + i) * PASS_COUNT;
            for (size_t k = 0; k < x->configurations; k++) {
                size_t to = x->images * x->configurations + k, at = from + (size_t)made[k];
                x->value[to] = c->sign[s] * scores->noise[at];
                x->status[to] = scores->noise_status[at];
            }
            x->images++;
        }
    }
done:
    return status;
}

/* Distinct labels, in order, each with the axes that are for it. */
static tare_status list_parts(struct part **out, size_t *count, const photo_run *run, arena *a,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = run->plan;
    size_t labels = 0;
    const char **label = arena_new(a, plan->base_count + 1, sizeof *label);
    map *seen = map_new(a->m);
    if (!label || !seen) FAIL_MEMORY(err);
    for (size_t i = 0; i < plan->base_count; i++) {
        const char *arm = plan->bases[i].arm;
        size_t k = map_add(seen, arm, strlen(arm), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        label[k] = arm;
        labels = map_count(seen);
    }
    if (labels > 1) qsort(label, labels, sizeof *label, compare_words);
    TRY_NEW(*out = arena_new(a, labels * plan->axis_count, sizeof **out));
    for (size_t k = 0; k < labels; k++)
        for (size_t x = 0; x < plan->axis_count; x++) {
            const char *only = plan->axes[x].only;
            if (!only || !strcmp(only, label[k]))
                (*out)[(*count)++] = (struct part){.run = run, .label = label[k], .axis = x};
        }
done:
    map_free(seen);
    return status;
}

/* The arm of the same label and the main axis that a placebo or stress arm stands beside. */
static size_t partner_of(const struct part *parts, size_t count, size_t k)
{
    size_t partner = axis_of(&parts[k])->partner;
    for (size_t j = 0; j < count && partner != SIZE_MAX; j++)
        if (parts[j].label == parts[k].label && parts[j].axis == partner) return j;
    return SIZE_MAX;
}

tare_status cube_from_run(cube *out, arena *a, const photo_scores *scores, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_run *run = scores->run;
    struct part *parts = NULL;
    *out = (cube){.a = a, .scorers = run->scorer_count};
    TRY(list_parts(&parts, &out->arms, run, a, err));
    TRY_NEW(out->arm = arena_new(a, out->arms, sizeof *out->arm));
    TRY_NEW(out->scorer = arena_new(a, out->scorers, sizeof *out->scorer));
    TRY_NEW(out->sign = arena_new(a, out->scorers, sizeof *out->sign));
    TRY_NEW(out->identified = arena_new(a, out->scorers, sizeof *out->identified));
    TRY_NEW(out->identity = arena_new(a, out->scorers, sizeof *out->identity));
    TRY_NEW(out->asked = arena_new(a, out->scorers, sizeof *out->asked));
    TRY_NEW(out->prompt = arena_new(a, out->scorers, sizeof *out->prompt));
    TRY_NEW(out->note = arena_new(a, out->scorers, sizeof *out->note));
    TRY_NEW(out->last_note = arena_new(a, out->scorers, sizeof *out->last_note));
    TRY_NEW(out->scores = arena_new(a, out->arms * out->scorers, sizeof *out->scores));
    TRY_NEW(out->noise = arena_new(a, out->scorers, sizeof *out->noise));
    for (size_t s = 0; s < out->scorers; s++) {
        const scorer_description *d = &run->instrument[s];
        out->scorer[s] = run->instrument[s].name;
        out->note[s] = scores->note[s];
        out->last_note[s] = scores->last_note[s];
        out->sign[s] = d->sign;
        out->identified[s] = d->identified;
        out->identity[s] = d->identity;
        out->asked[s] = d->asked;
        out->prompt[s] = d->prompt;
    }
    for (size_t k = 0; k < out->arms; k++) {
        TRY(fill_arm(&out->arm[k], &parts[k], a, err));
        TRY(fill_scores(out, k, &parts[k], scores, err));
        out->arm[k].partner = partner_of(parts, out->arms, k);
    }
    TRY(fill_noise(out, scores, err));
    TRY(photo_missing_bases(&out->missing, &out->missing_count, run->plan, a, err));
done:
    return status;
}
