/* tare validate: plants and their innocent twins through the whole program. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "audit/job_registry.h"
#include "audit/photos/photo_options.h"
#include "audit/validate/portraits.h"
#include "audit/validate/tally.h"
#include "base/error.h"
#include "base/os.h"

#define POOL_MOST 20000
#define NOT_ENOUGH                                                                                 \
    "%zu photographs are not enough: two arms of one trial need %zu; fewer --bases, or a larger "  \
    "pool"

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
};

static size_t needed(const tare_job *job)
{
    return TRIAL_ARMS * (size_t)job_integer(job, "bases");
}

static size_t pool_size(const tare_job *job)
{
    size_t asked = (size_t)job_integer(job, "pool");
    return asked ? asked : 4 * (size_t)job_integer(job, "bases");
}

/* Before anything is written. */
static tare_status check_pool(const tare_job *job, tare_error *err)
{
    if (job->input_count || pool_size(job) >= needed(job)) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "validate.pool", "--pool",
                     NOT_ENOUGH, pool_size(job), needed(job));
}

/* Photographs of the user's folder, or drawn ones. */
static tare_status make_pool(trial_pool *pool, tare_job *job, const char *output, tare_error *err)
{
    tare_status status = TARE_OK;
    os_listing files = {0};
    const mem *m = &job->context->mem;
    if (job->input_count) {
        pool->folder = job->inputs[0];
    } else {
        TRY_NEW(pool->folder = arena_printf(&job->a, "%s/photos", output));
        TRY(portraits_write(m, pool->folder, pool_size(job),
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
    if (pool->count < needed(job))
        FAIL(err, TARE_E_USAGE, "validate.pool", pool->folder, NOT_ENOUGH, pool->count,
             needed(job));
done:
    return status;
}

static tare_status run_trials(trial_book *b, tare_job *job, const trial_design *d,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    progress p;
    trial_answer *answers;
    b->trials = (size_t)job_integer(job, "trials");
    while (claim_at(b->claims)) b->claims++;
    TRY_NEW(answers = arena_new(&job->a, b->trials * b->claims, sizeof *answers));
    b->answers = answers;
    progress_start(&p, job->context, "validate", "trial", b->trials, 0);
    for (size_t k = 0; k < b->trials; k++) {
        TRY(context_check(job->context, err));
        TRY(trial_run(answers + k * b->claims, &job->a, job->context, d, (uint32_t)k, err));
        progress_add(&p, 1);
    }
    progress_end(&p);
done:
    return status;
}

/* A folder holds trials of one design: its trials would be gone on with on other photographs. */
static tare_status check_design(const tare_job *job, const trial_design *d, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &job->context->mem;
    char path[PATH_MAX], *kept = NULL, design[160];
    size_t length;
    int n = snprintf(path, sizeof path, "%s/design.txt", d->output);
    if (n < 0 || (size_t)n >= sizeof path)
        FAIL(err, TARE_E_USAGE, "validate.path", d->output, "the path is too long");
    snprintf(design, sizeof design, "--bases %zu --seed %llu --pool %lld --side %lld%s\n",
             d->bases, (unsigned long long)d->seed, (long long)job_integer(job, "pool"),
             (long long)job_integer(job, "side"), job->input_count ? " PHOTOS" : "");
    if (!os_exists(path)) {
        status = os_write_file(path, design, strlen(design), err);
        goto done;
    }
    TRY(os_read_file(&kept, &length, m, path, sizeof design, err));
    if (strcmp(kept, design))
        FAIL(err, TARE_E_USAGE, "validate.design", d->output,
             "this folder holds trials of another design (%.*s): give the same, or another folder",
             (int)strcspn(kept, "\n"), kept);
done:
    mem_free(m, kept);
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
    trial_book book = {NULL, 0, 0};
    const char *output = job_text(job, "output");
    if (!output) FAIL(err, TARE_E_USAGE, "job.output", NULL, "say where the trials go: -o DIR");
    if (job->input_count > 1 || (job->input_count && !os_is_folder(job->inputs[0])))
        FAIL(err, TARE_E_USAGE, "job.inputs", job->inputs[0],
             "give one folder of photographs, or none: then they are drawn");
    trial_design d = {.output = output, .bases = (size_t)job_integer(job, "bases"),
                      .replicates = (uint32_t)job_integer(job, "replicates"),
                      .seed = (uint64_t)job_integer(job, "seed")};
    job->folder = output;
    TRY(check_pool(job, err));
    TRY(os_make_folders(output, err));
    TRY(check_design(job, &d, err));
    TRY(make_pool(&d.pool, job, output, err));
    TRY(run_trials(&book, job, &d, err));
    TRY(tally_report(&job->result, &book, &d, err));
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
