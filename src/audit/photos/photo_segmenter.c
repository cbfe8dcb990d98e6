#include "audit/photos/photo_segmenter.h"

#include "base/error.h"

tare_status photo_segmenter_open(photo_run *run, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *spec = job_text(job, "segmenter");
    scorer_options options = SCORER_OPTIONS_DEFAULT;
    if (!spec) return TARE_OK;
    if (!plan_needs(run->plan, PERTURB_NEEDS_TORSO)) {
        context_message(job->context, TARE_WARNING,
                        "no axis here needs a silhouette: --segmenter changes nothing");
        return TARE_OK;
    }
    options.decoding = run->plan->decoding;
    if (job_has(job, "timeout")) options.timeout_seconds = job_number(job, "timeout");
    if (job_has(job, "ort")) options.ort_library = job_text(job, "ort");
    TRY(segmenter_open(&run->silhouettes, job->context, spec, &options, err));
    run->segmented = true;
done:
    return status;
}

tare_status photo_segmenter_recall(photo_run *run, tare_error *err)
{
    const char *kept = NULL;
    tare_status status = store_get(&kept, run->store, run->a, SEGMENTER_IDENTITY, err);
    run->segmented = kept != NULL;
    return status;
}

void photo_segmenter_close(photo_run *run)
{
    segmenter_close(run->silhouettes);
    run->silhouettes = NULL;
}

tare_status photo_segmenter_facts(const photo_run *run, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *identity = NULL, *runtime = NULL;
    if (!run->segmented) return TARE_OK;
    TRY(store_get(&identity, run->store, &r->a, SEGMENTER_IDENTITY, err));
    TRY(store_get(&runtime, run->store, &r->a, SEGMENTER_RUNTIME, err));
    if (identity) TRY(result_fact_add(r, "Segmenter", "identity", identity, err));
    if (runtime) TRY(result_log_add(r, "Segmenter", "runtime", runtime, err)); /* names the CPU */
done:
    return status;
}
