/* tare validate: plants and their innocent twins through the whole program. */
#include <stdio.h>
#include <string.h>

#include "audit/job_registry.h"
#include "audit/photos/photo_options.h"
#include "audit/validate/portraits.h"
#include "audit/validate/tally.h"
#include "base/error.h"
#include "base/os.h"

#define POOL_MOST 20000

static const tare_option_info options[] = {
    PHOTO_OPTION_OUTPUT,
    PHOTO_OPTION_SEED,
    {"trials", "R", TARE_OPTION_INTEGER, "20", NULL, 1, 20000, 0, "how often everything is done",
     "Design"},
    {"bases", "N", TARE_OPTION_INTEGER, "30", NULL, 30, 10000, 0, "photographs of one trial",
     "Design"},
    {"pool", "N", TARE_OPTION_INTEGER, "0", NULL, 0, POOL_MOST, 0,
     "photographs that are drawn by the program, of which each trial takes its own (0: four times "
     "the number of one trial)", "Design"},
    {"side", "PX", TARE_OPTION_INTEGER, "64", NULL, 16, 1024, 0, "size of drawn photographs",
     "Design"},
    {"replicates", "B", TARE_OPTION_INTEGER, "999", NULL, 99, 999999, 0,
     "replicates of bootstrap and permutations in each trial", "Statistics"},
    {"alpha", "A", TARE_OPTION_NUMBER, NULL, NULL, 0.0001, 0.5, 0,
     "level of tests and intervals (.05)", "Statistics"},
};

/* Photographs of the user's folder, or drawn ones. */
static tare_status make_pool(trial_pool *pool, tare_job *job, const char *output, tare_error *err)
{
    tare_status status = TARE_OK;
    os_listing files = {0};
    const mem *m = &job->context->mem;
    size_t bases = (size_t)job_integer(job, "bases"), count = (size_t)job_integer(job, "pool");
    if (job->input_count) {
        pool->folder = job->inputs[0];
    } else {
        TRY_NEW(pool->folder = arena_printf(&job->a, "%s/photos", output));
        TRY(portraits_write(m, pool->folder, count ? count : 4 * bases,
                            (int)job_integer(job, "side"), (uint64_t)job_integer(job, "seed"),
                            err));
    }
    TRY(os_list_files(&files, &job->a, pool->folder, POOL_MOST, err));
    const char **kept;
    TRY_NEW(kept = arena_new(&job->a, files.count + 1, sizeof *kept));
    for (size_t i = 0; i < files.count; i++) {
        unsigned char head[IMAGE_SNIFF_BYTES];
        char path[4096];
        size_t n = 0;
        int length = snprintf(path, sizeof path, "%s/%s", pool->folder, files.paths[i]);
        if (length < 0 || (size_t)length >= sizeof path) continue;
        if (os_read_start(head, &n, sizeof head, path, NULL) != TARE_OK) continue;
        if (image_sniff(head, n) != IMAGE_NOT) kept[pool->count++] = files.paths[i];
    }
    pool->files = kept;
    if (pool->count < bases)
        FAIL(err, TARE_E_USAGE, "validate.pool", pool->folder,
             "%zu photographs are not enough for trials of %zu: fewer --bases, or a larger pool",
             pool->count, bases);
done:
    return status;
}

static tare_status count_trials(claim_count *counts, tare_job *job, const trial_design *d,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    size_t claims = 0;
    while (claim_at(claims)) claims++;
    uint32_t trials = (uint32_t)job_integer(job, "trials");
    trial_answer *answers;
    progress p;
    TRY_NEW(answers = arena_new(&job->a, claims, sizeof *answers));
    progress_start(&p, job->context, "validate", "trial", trials, 0);
    for (uint32_t k = 0; k < trials; k++) {
        TRY(context_check(job->context, err));
        TRY(trial_run(answers, job->context, d, k, err));
        for (size_t c = 0; c < claims; c++) {
            counts[c].trials += answers[c] != TRIAL_NONE;
            counts[c].hits += answers[c] == TRIAL_YES;
            counts[c].none += answers[c] == TRIAL_NONE;
        }
        progress_add(&p, 1);
    }
    progress_end(&p);
done:
    return status;
}

static tare_status state_facts(audit_result *r, const tare_job *job, const trial_design *d,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    char count[32];
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", job->class_->info.name, err));
    for (size_t i = 0; i < job->class_->info.option_count; i++) {
        const tare_option_info *o = &job->class_->info.options[i];
        const char *value = o->type == TARE_OPTION_PATH ? NULL : job_text(job, o->name);
        if (value) TRY(result_fact_add(r, "Design", o->name, value, err));
    }
    snprintf(count, sizeof count, "%zu", d->pool.count);
    TRY(result_fact_add(r, "Design", "photographs in the pool", count, err));
    TRY(result_fact_add(r, "Design", "photographs",
                        job->input_count ? "the user's" : "drawn by the program", err));
done:
    return status;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t claims = 0;
    const char *output = job_text(job, "output");
    if (!output) FAIL(err, TARE_E_USAGE, "job.output", NULL, "say where the trials go: -o DIR");
    if (job->input_count > 1 || (job->input_count && !os_is_folder(job->inputs[0])))
        FAIL(err, TARE_E_USAGE, "job.inputs", job->inputs[0],
             "give one folder of photographs, or none: then they are drawn");
    trial_design d = {.output = output, .bases = (size_t)job_integer(job, "bases"),
                      .replicates = (uint32_t)job_integer(job, "replicates"),
                      .alpha = job_count(job, "alpha") ? job_number(job, "alpha") : .05,
                      .seed = (uint64_t)job_integer(job, "seed")};
    job->folder = output;
    TRY(make_pool(&d.pool, job, output, err));
    while (claim_at(claims)) claims++;
    claim_count *counts;
    TRY_NEW(counts = arena_new(&job->a, claims, sizeof *counts));
    TRY(count_trials(counts, job, &d, err));
    TRY(tally_report(&job->result, counts, &d, err));
    TRY(state_facts(&job->result, job, &d, err));
done:
    return status;
}

const job_class job_validate = {
    {"validate", "plant known biases, and count how often the audit finds them", "[PHOTOS/]",
     "Scorers of known bias (a preference for the original, for one direction, for unclipped "
     "pixels, for one group, one that only knows its place in the batch, one that rounds to half "
     "precision) and an innocent twin of each are audited again and again, from image files to "
     "verdicts, each time on other photographs with other noise. What must be found is counted, "
     "and so is what must not, and how often an interval holds the truth.\n\n"
     "Without a folder the photographs are drawn: faces of all tones, some near the ends of the "
     "range. With a folder of your own photographs the rates are those of your data.\n\n"
     "Every rate has its 95 % limits, and is judged within four standard errors. DIR/trials holds "
     "the run folder of every trial: a validation that was stopped goes on there.",
     "tare validate -o validation/\n"
     "tare validate --trials 400 --bases 60 -o validation/\n"
     "tare validate photos/ --trials 100 -o validation/",
     options, sizeof options / sizeof *options},
    run};
