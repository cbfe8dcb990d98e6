/* How a run on photographs was made. */
#include <string.h>

#include "audit/photos/photo_decoding.h"
#include "audit/photos/photo_prompts.h"
#include "audit/photos/photo_segmenter.h"
#include "audit/photos/photo_session.h"
#include "audit/photos/prompt_reading.h"
#include "base/error.h"
#include "scorer/recipe/recipe_verified.h"

static tare_status scorer_facts(const photo_run *run, size_t scorer, audit_result *r,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const scorer_description *d = &run->instrument[scorer];
    const char *section = arena_printf(&r->a, "Scorer %s", d->name);
    const char *batch = arena_printf(&r->a, "%zu", d->batch);
    const char *identity = arena_printf(&r->a, "%.16s", d->identity_hash);
    if (!section || !batch || !identity) FAIL_MEMORY(err);
    TRY(result_fact_add(r, section, "spec", d->spec, err));
    TRY(result_fact_add(r, section, "identity", d->identity, err));
    TRY(result_fact_add(r, section, "identity, short", identity, err));
    TRY(result_log_add(r, section, "runtime", d->runtime, err)); /* names the CPU */
    TRY(result_fact_add(r, section, "better scores are", d->sign > 0 ? "higher" : "lower", err));
    TRY(result_fact_add(r, section, "items per call", batch, err));
    TRY(prompt_reading_facts(run, scorer, section, r, err));
    if (*d->source) TRY(result_fact_add(r, section, "source", d->source, err));
    if (*d->licence) TRY(result_fact_add(r, section, "licence", d->licence, err));
    if (*d->standing) TRY(result_fact_add(r, section, "standing", d->standing, err));
    if (!d->identified)
        TRY(result_fact_add(r, section, "caution", "instrument not identified: it gave no "
                            "fingerprint", err));
done:
    return status;
}

/* Once for all prompts of a sweep. */
static tare_status standing_caution(const photo_run *run, size_t scorer, audit_result *r,
                                    tare_error *err)
{
    const scorer_description *d = &run->instrument[scorer];
    const char *name = d->asked ? d->asked : d->name;
    const char *advice = recipe_standing_advice(d->standing);
    bool again = scorer > 0 && !strcmp(run->instrument[scorer - 1].spec, d->spec);
    if (again || !strstr(d->standing, STANDING_NOT)) return TARE_OK;
    if (advice) return result_caution(r, err, "%s is %s. %s", name, d->standing, advice);
    return result_caution(r, err, "%s is %s. A wrong file or setting gives believable scores; "
                          "`tare scorer verify %s` compares.", name, d->standing, d->spec);
}

/* Paths and the output folder differ between machines and say nothing about the numbers. */
static bool is_printed(const tare_option_info *o)
{
    return o->type != TARE_OPTION_PATH;
}

/* Each series of variants: its doses, and what it stands beside. */
static tare_status axis_fact(const photo_plan *plan, const plan_axis *x, audit_result *r,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *value = "";
    for (size_t d = 0; d < x->n_doses; d++)
        TRY_NEW(value = arena_printf(&r->a, "%s%s%g", value, d ? " " : "", x->doses[d]));
    if (x->partner < plan->axis_count)
        TRY_NEW(value = arena_printf(&r->a, "%s; %s of %s", value,
                                     x->role == PLAN_STRESS ? "other mask" : "placebo",
                                     plan->axes[x->partner].name));
    if (x->only) TRY_NEW(value = arena_printf(&r->a, "%s; of arm %s only", value, x->only));
    TRY(result_fact_add(r, "Axes", x->name, value, err));
done:
    return status;
}

static tare_status axis_facts(const photo_plan *plan, audit_result *r, tare_error *err)
{
    for (size_t k = 0; k < plan->axis_count; k++) {
        tare_status status = axis_fact(plan, &plan->axes[k], r, err);
        if (status) return status;
    }
    return TARE_OK;
}

/* Prompts of photographs are in no option: without these two runs would look like one. */
static tare_status prompt_facts(const photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_prompts x;
    const char *own, *hash;
    photo_prompts_read(&x, &s->run, photo_prompt_of_run(s->job));
    if (!x.taken || !x.own) goto done;
    TRY_NEW(own = arena_printf(&r->a, "%zu of %zu photographs", x.own, x.of));
    TRY(result_fact_add(r, "Instruments", "prompts of their own", own, err));
    TRY_NEW(hash = arena_copy(&r->a, x.sha256));
    TRY(result_fact_add(r, "Instruments", "prompts of photographs, SHA-256", hash, err));
done:
    return status;
}

tare_status photo_facts(photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_job_info *info = &s->job->class_->info;
    const char *counts = arena_printf(&r->a, "%zu photographs, %zu other files ignored",
                                      s->plan.base_count, s->plan.ignored);
    if (!counts) FAIL_MEMORY(err);
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", info->name, err));
    TRY(result_fact_add(r, "Run", "found", counts, err));
    const char *hash = NULL;
    bool prompt = false, sweep = false;
    for (size_t i = 0; i < s->run.scorer_count; i++) {
        prompt = prompt || s->run.instrument[i].takes_prompt;
        sweep = sweep || s->run.instrument[i].asked;
    }
    TRY(store_get(&hash, s->run.store, &r->a, "plan.hash", err));
    if (hash) TRY(result_fact_add(r, "Run", "list of photographs, SHA-256", hash, err));
    for (size_t i = 0; i < info->option_count; i++) {
        const tare_option_info *o = &info->options[i];
        if (!is_printed(o) || o->repeats) continue;
        const char *value = job_text(s->job, o->name);
        bool given = prompt && !sweep; /* else nobody was given it */
        if (!given && !strcmp(o->name, "prompt")) continue;
        if (value) TRY(result_fact_add(r, o->section, o->name, value, err));
    }
    TRY(prompt_facts(s, r, err));
    TRY(photo_decoding_facts(s, r, err));
    for (size_t i = 0; i < s->run.scorer_count; i++) {
        TRY(scorer_facts(&s->run, i, r, err));
        TRY(standing_caution(&s->run, i, r, err));
        TRY(prompt_reading_cautions(&s->run, i, r, err));
    }
    TRY(photo_segmenter_facts(&s->run, r, err));
    TRY(axis_facts(&s->plan, r, err));
    if (s->plan.unused_columns)
        TRY(result_caution(r, err, "Columns of the manifest that were not used: %s. A grouping is "
                           "named by --group COLUMN.", s->plan.unused_columns));
    if (s->plan.ignored)
        TRY(result_caution(r, err, "Files that are no images were ignored: %zu; the first: %s. The "
                           "table `ignored` names them.", s->plan.ignored, s->plan.first_ignored));
    if (s->plan.denied)
        TRY(result_caution(r, err, "%zu folders could not be entered and are not in this audit; "
                           "the first: %s", s->plan.denied, s->plan.first_denied));
done:
    return status;
}
