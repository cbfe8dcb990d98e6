#include "audit/photos/instruments.h"

#include <string.h>

#include "audit/photos/photo_prompts.h"
#include "audit/photos/prompt_list.h"
#include "audit/photos/prompt_reading.h"
#include "base/error.h"

static bool lower_is_better(const tare_job *job, const scorer_description *d)
{
    for (size_t k = 0; k < job_count(job, "lower-is-better"); k++) {
        const char *word = job_text_at(job, "lower-is-better", k);
        if (!strcmp(word, d->spec) || !strcmp(word, d->name)) return true;
    }
    return false;
}

/* Our own copy: what is printed must outlive the instrument. */
static tare_status describe(scorer_description *out, const scorer_description *d, arena *a,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    *out = *d;
    TRY_NEW(out->name = arena_copy(a, d->name));
    TRY_NEW(out->spec = arena_copy(a, d->spec));
    TRY_NEW(out->identity = arena_copy(a, d->identity));
    TRY_NEW(out->runtime = arena_copy(a, d->runtime));
    TRY_NEW(out->source = arena_copy(a, d->source));
    TRY_NEW(out->licence = arena_copy(a, d->licence));
    TRY_NEW(out->standing = arena_copy(a, d->standing));
    out->standing_key = "";
done:
    return status;
}

static tare_status check_name(const photo_run *run, size_t k, tare_error *err)
{
    for (size_t j = 0; j < k; j++)
        if (!strcmp(run->instrument[j].name, run->instrument[k].name))
            return error_set(err, TARE_E_USAGE, "scorer.twice", run->instrument[k].name,
                             !strncmp(run->instrument[k].spec, "onnx:", 5) &&
                                     strcmp(run->instrument[j].spec, run->instrument[k].spec) != 0
                                 ? "two instruments have this name, %s and %s: change `name` in "
                                   "one manifest"
                                 : "two instruments have this name, %s and %s: give each once",
                             run->instrument[j].spec, run->instrument[k].spec);
    return TARE_OK;
}

/* What somebody asks for and nobody uses must not look as if it had been used. */
static void check_prompt(const photo_run *run, const tare_job *job, const prompt_list *prompts)
{
    const char *idle = prompts->sweep             ? "--prompts"
                       : job_count(job, "prompt") ? "--prompt"
                       : run->plan->prompts       ? "the column `prompt` of the manifest"
                                                  : NULL;
    bool taken = false;
    for (size_t k = 0; k < run->scorer_count; k++) taken = taken || run->instrument[k].takes_prompt;
    if (!taken && idle)
        context_message(job->context, TARE_WARNING, "no scorer here takes a prompt: %s changes "
                        "nothing", idle);
}

/* One --scorer: an instrument, or in a sweep one for each prompt. */
static tare_status open_spec(photo_run *run, const tare_job *job, const char *spec,
                             const prompt_list *prompts, scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t p = 0; p < prompts->count; p++) {
        size_t k = run->scorer_count;
        scorer_description *d = &run->instrument[k];
        options->prompt = prompts->prompt[p];
        TRY(scorer_open(&run->scorers[k], job->context, spec, options, err));
        run->scorer_count++;
        TRY(describe(d, scorer_describe(run->scorers[k]), run->a, err));
        if (lower_is_better(job, d)) d->sign = -1;
        bool swept = prompts->sweep && d->takes_prompt;
        if (swept) {
            d->asked = d->name;
            d->prompt = prompts->prompt[p];
            TRY_NEW(d->name = arena_printf(run->a, "%s[%s]", d->asked, d->prompt));
        }
        TRY(check_name(run, k, err));
        if (!swept) break;
    }
done:
    return status;
}

void instruments_options(scorer_options *out, const tare_job *job)
{
    *out = SCORER_OPTIONS_DEFAULT;
    out->prompt = job_text(job, "prompt");
    out->timeout_seconds = job_number(job, "timeout");
    out->batch = (size_t)job_integer(job, "batch");
    out->ort_library = job_text(job, "ort");
    out->embeddings = job_text(job, "embeddings");
    out->weights = job_text(job, "weights");
    out->vocabulary = job_text(job, "vocabulary");
    out->provider = job_text(job, "provider");
    out->low_memory = job_flag(job, "low-memory");
    out->dump_graph = job_text(job, "dump-graph");
}

tare_status instruments_open(photo_run *run, const tare_job *job, const char *folder,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = job_count(job, "scorer");
    scorer_options options;
    prompt_list prompts;
    if (!n)
        FAIL(err, TARE_E_USAGE, "scorer.none", NULL,
             "no instrument: give --scorer SPEC, for example --scorer brisque:");
    instruments_options(&options, job);
    options.together = run->plan->slot_count;
    options.decoding = run->plan->decoding;
    TRY_NEW(options.log_path = arena_printf(run->a, "%s/scorers.log", folder));
    TRY_NEW(options.scratch = arena_printf(run->a, "%s/scratch", folder));
    TRY_NEW(options.shelf = run->shelf = scorer_shelf_new(&job->context->mem));
    TRY(prompt_list_read(&prompts, run->a, job, run->plan->prompts, err));
    size_t room = n * prompts.count;
    TRY_NEW(run->scorers = arena_new(run->a, room, sizeof *run->scorers));
    TRY_NEW(run->instrument = arena_new(run->a, room, sizeof *run->instrument));
    for (size_t k = 0; k < n; k++)
        TRY(open_spec(run, job, job_text_at(job, "scorer", k), &prompts, &options, err));
    check_prompt(run, job, &prompts);
    TRY(prompt_reading_make(run, photo_prompt_of_run(job), err));
done:
    return status;
}

void instruments_close(photo_run *run)
{
    for (size_t i = 0; run->scorers && i < run->scorer_count; i++) scorer_close(run->scorers[i]);
    scorer_shelf_free(run->shelf);
    run->scorers = NULL;
    run->shelf = NULL;
}
