#include "audit/validate/trial.h"

#include <math.h>
#include <string.h>

#include "audit/job.h"
#include "base/error.h"
#include "base/os.h"
#include "base/rng.h"
#include "base/text.h"
#include "scorer/scorer.h"

/* Groups of equal size, so that the omnibus test has something to compare. */
static const char *const groups[] = {"a", "b", "c"};
enum { GROUPS = sizeof groups / sizeof *groups };

/* One audit of a trial: the plants of so many arms. */
typedef struct trial_set {
    uint32_t number;
    int arms;
    const char *names[64]; /* of its plants in the readings; NULL: of the other set */
} trial_set;

/* `count` of the pool without replacement, in drawn order: the first part of a shuffle. */
static tare_status draw(size_t *chosen, size_t count, const mem *m, const trial_design *d,
                        uint32_t number, tare_error *err)
{
    size_t *order = mem_new(m, d->pool.count, sizeof *order);
    if (!order) return error_memory(err);
    rng_stream s;
    rng_start(&s, rng_key_of(d->seed, "validate/draw"), number, 0);
    for (size_t i = 0; i < d->pool.count; i++) order[i] = i;
    for (size_t i = 0; i < count; i++) {
        size_t j = i + rng_bounded(&s, (uint32_t)(d->pool.count - i)), was = order[i];
        order[i] = order[j];
        order[j] = was;
        chosen[i] = order[i];
    }
    mem_free(m, order);
    return TARE_OK;
}

static void add_quoted(text *t, const char *word)
{
    text_add_char(t, '"');
    for (; *word; word++) {
        if (*word == '"') text_add_char(t, '"');
        text_add_char(t, *word);
    }
    text_add_char(t, '"');
}

/* Names that no other trial has: the plants' noise depends on them. */
static tare_status write_manifest(const char *path, const mem *m, const trial_design *d,
                                  const trial_set *set, tare_error *err)
{
    tare_status status = TARE_OK;
    text t;
    size_t count = d->bases * (size_t)set->arms, *chosen = mem_new(m, count, sizeof *chosen);
    text_init(&t, m);
    if (!chosen) FAIL_MEMORY(err);
    TRY(draw(chosen, count, m, d, set->number, err));
    text_add(&t, "base,file,arm,kind,group\n");
    for (size_t i = 0; i < count; i++) {
        const char *kind = i < d->bases ? "real" : "synthetic";
        text_add_format(&t, "t%05u/%05zu,", set->number, i);
        add_quoted(&t, d->pool.files[chosen[i]]);
        text_add_format(&t, ",%s,%s,%s\n", set->arms > 1 ? kind : "", kind, groups[i % GROUPS]);
    }
    if (t.failed) FAIL_MEMORY(err);
    status = os_write_file(path, t.data, t.length, err);
done:
    mem_free(m, chosen);
    text_free(&t);
    return status;
}

/* The name under which an instrument stands in the readings. */
static tare_status name_of(const char **out, arena *a, tare_context *context, const char *spec,
                           tare_error *err)
{
    scorer *s = NULL;
    tare_status status = scorer_open(&s, context, spec, NULL, err);
    if (status) return status;
    *out = arena_copy(a, scorer_describe(s)->name);
    scorer_close(s);
    return *out ? TARE_OK : error_memory(err);
}

static const tare_reading *find(const tare_job *job, const claim *c, const char *instrument)
{
    for (size_t i = 0; i < job->result.reading_count; i++) {
        const tare_reading *r = &job->result.readings[i];
        bool arm = strcmp(c->family, "placebo") == 0 || strcmp(c->family, "transfer") == 0 ||
                   strcmp(r->arm, "skin") == 0;
        if (arm && strcmp(r->instrument, instrument) == 0 && strcmp(r->family, c->family) == 0 &&
            strcmp(r->name, c->name) == 0 &&
            (!c->condition || strcmp(r->condition, c->condition) == 0))
            return r;
    }
    return NULL;
}

static tare_status set_options(tare_job *job, arena *a, const trial_design *d, uint32_t number,
                               const char *manifest, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *seed, *replicates, *alpha;
    TRY_NEW(seed = arena_printf(a, "%llu", (unsigned long long)(d->seed + number)));
    TRY_NEW(replicates = arena_printf(a, "%u", d->replicates));
    TRY_NEW(alpha = arena_printf(a, "%.17g", VALIDATE_ALPHA));
    const char *const set[][2] = {{"manifest", manifest}, {"seed", seed}, {"boot-b", replicates},
                                  {"perm-p", replicates}, {"alpha", alpha}, {"strips", "0"},
                                  {"seeds", "0"}};
    for (size_t k = 0; k < sizeof set / sizeof *set; k++)
        TRY(tare_job_set(job, set[k][0], set[k][1], err));
done:
    return status;
}

/* The trial's own progress and remarks would drown those of the validation. */
typedef struct quiet {
    void (*message)(void *, tare_level, const char *);
    void (*progress)(void *, const tare_progress *);
} quiet;

static quiet hush(tare_context *c)
{
    quiet was = {c->message, c->progress};
    c->message = NULL;
    c->progress = NULL;
    return was;
}

static tare_status run_quietly(tare_job *job, tare_error *err)
{
    tare_context *c = job->context;
    quiet was = hush(c);
    tare_status status = tare_job_run(job, err);
    c->message = was.message;
    c->progress = was.progress;
    return status;
}

/* What the finished audit says of every claim. */
static tare_status read_claims(trial_answer *answers, arena *keep, const tare_job *job,
                               const trial_set *set, const trial_design *d, tare_error *err)
{
    for (size_t k = 0; claim_at(k); k++) {
        const claim *c = claim_at(k);
        size_t p = plant_find(c->plant);
        if (!set->names[p]) continue;
        const tare_reading *r = find(job, c, set->names[p]);
        answers[k] = (trial_answer){TRIAL_NONE, NAN, NAN, NAN, NAN, ""};
        if (!r) continue;
        bool holds = claim_holds(c, r, plant_effect(plant_at(p), d->bases));
        answers[k] = (trial_answer){holds ? TRIAL_YES : TRIAL_NO, r->estimate, r->lo, r->hi, r->p,
                                    arena_copy(keep, r->reason)};
        if (!answers[k].reason) return error_memory(err);
    }
    return TARE_OK;
}

static tare_status add_plants(trial_set *set, tare_job *job, arena *a, const trial_design *d,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; plant_at(k); k++) {
        const char *spec;
        set->names[k] = NULL;
        if (plant_at(k)->arms != set->arms) continue;
        TRY_NEW(spec = plant_spec(a, plant_at(k), k, d->bases, set->number, d->seed));
        TRY(tare_job_set(job, "scorer", spec, err));
        TRY(name_of(&set->names[k], a, job->context, spec, err));
    }
done:
    return status;
}

static tare_status run_set(trial_answer *answers, arena *keep, tare_context *context,
                           const trial_design *d, trial_set *set, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_job *job = NULL;
    const char *folder, *manifest;
    arena a;
    arena_init(&a, &context->mem);
    const char *suffix = set->arms > 1 ? "-arms" : "";
    TRY_NEW(folder = arena_printf(&a, "%s/trials/%05u%s", d->output, set->number, suffix));
    TRY_NEW(manifest = arena_printf(&a, "%s.csv", folder));
    TRY(os_make_folders(folder, err));
    TRY(write_manifest(manifest, &context->mem, d, set, err));
    TRY(tare_job_new(&job, context, "audit", err));
    TRY(tare_job_input(job, d->pool.folder, err));
    TRY(tare_job_set(job, "output", folder, err));
    TRY(set_options(job, &a, d, set->number, manifest, err));
    TRY(add_plants(set, job, &a, d, err));
    TRY(run_quietly(job, err));
    TRY(read_claims(answers, keep, job, set, d, err));
done:
    tare_job_free(job);
    arena_free(&a);
    return status;
}

tare_status trial_run(trial_answer *answers, arena *keep, tare_context *context,
                      const trial_design *d, uint32_t number, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int arms = 1; arms <= TRIAL_ARMS && status == TARE_OK; arms++) {
        trial_set set = {.number = number, .arms = arms};
        status = run_set(answers, keep, context, d, &set, err);
    }
    return status;
}
