#include "audit/scorer/cube_from_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_missing.h"
#include "base/error.h"

/* Bases of one manifest arm that can be used, in canonical order, and the slots of one operator. */
struct part {
    const photo_run *run;
    const char *label;        /* base arm; "" without a manifest */
    const perturb_operator *op;
    size_t *base;             /* indices into the plan */
    size_t bases;
    size_t *slot;             /* [doses] */
};

static int compare_members(const void *x, const void *y, void *plan)
{
    const plan_base *bases = ((const photo_plan *)plan)->bases;
    const plan_base *a = &bases[*(const size_t *)x], *b = &bases[*(const size_t *)y];
    int order = strcmp(photo_cluster(a), photo_cluster(b));
    return order ? order : strcmp(a->id, b->id);
}

/* The members of an arm: usable bases with this label. */
static tare_status find_members(struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_plan *plan = p->run->plan;
    TRY_NEW(p->base = arena_new(a, plan->base_count, sizeof *p->base));
    for (size_t i = 0; i < plan->base_count; i++)
        if (!plan->bases[i].reason && !strcmp(plan->bases[i].arm, p->label))
            p->base[p->bases++] = i;
    if (p->bases) qsort_r(p->base, p->bases, sizeof *p->base, compare_members, plan);
done:
    return status;
}

/* Which slot holds each dose of the operator; the neutral one is shared. */
static tare_status find_slots(struct part *p, arena *a, tare_error *err)
{
    const photo_plan *plan = p->run->plan;
    p->slot = arena_new(a, p->op->n_doses, sizeof *p->slot);
    if (!p->slot) return error_memory(err);
    for (size_t d = 0; d < p->op->n_doses; d++) {
        p->slot[d] = plan->neutral_slot;
        for (size_t k = 0; k < plan->slot_count; k++)
            if (plan->slots[k].op == p->op && plan->slots[k].dose == p->op->doses[d])
                p->slot[d] = k;
    }
    return TARE_OK;
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
    TRY_NEW(arm->pixels = arena_new(a, p->bases, sizeof *arm->pixels));
    if (!cluster || !group) FAIL_MEMORY(err);
    arm->kind = p->bases ? plan->bases[p->base[0]].kind : "";
    for (size_t i = 0; i < p->bases; i++) {
        const plan_base *b = &plan->bases[p->base[i]];
        arm->base[i] = b->id;
        arm->pixels[i] = b->pixels_hash;
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

static tare_status fill_measures(cube_arm *arm, const struct part *p, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_run *run = p->run;
    size_t n = p->bases * arm->doses;
    TRY_NEW(arm->attribute = arena_new(a, n, sizeof *arm->attribute));
    TRY_NEW(arm->artifact = arena_new(a, n, sizeof *arm->artifact));
    TRY_NEW(arm->edit_energy = arena_new(a, n, sizeof *arm->edit_energy));
    for (size_t i = 0; i < p->bases; i++)
        for (size_t d = 0; d < arm->doses; d++) {
            size_t at = i * arm->doses + d;
            const perturb_measures *x =
                &run->measures[p->base[i] * run->plan->slot_count + p->slot[d]];
            arm->attribute[at] = x->tone.ita;
            arm->artifact[at] = x->clip_frac;
            arm->edit_energy[at] = x->edit_support;
        }
done:
    return status;
}

/* C1 asks that the neutral variant has the bytes of the base: seen, not assumed. */
static bool neutral_equals_base(const struct part *p, const photo_scores *scores)
{
    for (size_t i = 0; i < p->bases; i++)
        if (strcmp(scores->neutral_hash[p->base[i]], p->run->plan->bases[p->base[i]].pixels_hash))
            return false;
    return true;
}

static tare_status fill_arm(cube_arm *arm, struct part *p, const photo_scores *scores, arena *a,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    const perturb_operator *op = p->op;
    TRY(photo_arm_name(&arm->name, a, p->label, op, err));
    arm->operator_name = op->name;
    arm->label = p->label;
    arm->two_sided = op->sides == 2;
    arm->partner = SIZE_MAX;
    arm->edited_here = true;
    arm->attribute_independent = true;
    arm->attribute_name = "ITA";
    arm->attribute_unit = "degrees";
    arm->doses = op->n_doses;
    TRY_NEW(arm->dose = arena_new(a, op->n_doses, sizeof *arm->dose));
    for (size_t d = 0; d < op->n_doses; d++) {
        arm->dose[d] = op->doses[d];
        if (op->doses[d] == op->neutral) arm->neutral = d;
    }
    TRY(find_members(p, a, err));
    TRY(find_slots(p, a, err));
    TRY(fill_clusters(arm, p, a, err));
    TRY(fill_measures(arm, p, a, err));
    arm->intervened = neutral_equals_base(p, scores);
    for (size_t i = 0; i < p->run->plan->base_count; i++)
        arm->excluded += p->run->plan->bases[i].reason != TARE_R_NONE &&
                         !strcmp(p->run->plan->bases[i].arm, p->label);
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
            size_t at = photo_score_at(p->run, s, p->base[i / doses], p->slot[i % doses]);
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

/* Distinct labels and operators, in order of appearance. */
static tare_status list_parts(struct part **out, size_t *count, const photo_run *run, arena *a,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = run->plan;
    size_t labels = 0;
    const char **label = arena_new(a, plan->base_count + 1, sizeof *label);
    if (!label) FAIL_MEMORY(err);
    for (size_t i = 0; i < plan->base_count; i++) {
        size_t k = 0;
        while (k < labels && strcmp(label[k], plan->bases[i].arm)) k++;
        if (k == labels) label[labels++] = plan->bases[i].arm;
    }
    if (labels > 1) qsort(label, labels, sizeof *label, compare_words);
    TRY_NEW(*out = arena_new(a, labels * plan->slot_count, sizeof **out));
    for (size_t k = 0; k < labels; k++) {
        const perturb_operator *last = NULL;
        for (size_t s = 0; s < plan->slot_count; s++) {
            if (plan->slots[s].op == last) continue;
            last = plan->slots[s].op;
            (*out)[(*count)++] = (struct part){.run = run, .label = label[k], .op = last};
        }
    }
done:
    return status;
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
    }
    for (size_t k = 0; k < out->arms; k++) {
        TRY(fill_arm(&out->arm[k], &parts[k], scores, a, err));
        TRY(fill_scores(out, k, &parts[k], scores, err));
        /* The sham follows its main arm in the plan. */
        out->arm[k].placebo = k && parts[k - 1].label == parts[k].label;
        if (out->arm[k].placebo) out->arm[k].partner = k - 1;
    }
    TRY(fill_noise(out, scores, err));
    TRY(photo_missing_bases(&out->missing, &out->missing_count, run->plan, a, err));
done:
    return status;
}
