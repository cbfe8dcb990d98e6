#include "audit/photos/photo_session.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/instruments.h"
#include "audit/photos/photo_custom.h"
#include "audit/photos/photo_retry.h"
#include "audit/photos/photo_segmenter.h"
#include "audit/photos/photo_single.h"
#include "audit/photos/settings.h"
#include "audit/photos/variant_seen.h"
#include "base/error.h"
#include "base/os.h"

/* Takes no memory: a run folder that is not seen to be one would be given other photographs. */
bool photo_is_run(const char *path)
{
    char file[PATH_MAX];
    int length = snprintf(file, sizeof file, "%s/run.sqlite", path);
    return length > 0 && (size_t)length < sizeof file && os_exists(file);
}

static tare_status make_plan(photo_session *s, const photo_session_options *options,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *input = s->job->inputs[0];
    if (options->intervene) {
        TRY(photo_plan_slots(&s->plan, s->job, err));
    } else {
        TRY_NEW(s->plan.slots = arena_new(s->plan.a, 1, sizeof *s->plan.slots));
        s->plan.slot_count = 1;
    }
    bool recalled = false;
    if (s->resumed) TRY(photo_plan_recall(&recalled, &s->plan, s->job, s->run.store, err));
    if (recalled) TRY(photo_custom_check_neutral(&s->plan, s->job, err));
    if (!recalled && os_is_folder(input)) TRY(photo_plan_bases(&s->plan, s->job, input, err));
    else if (!recalled) TRY(photo_plan_table(&s->plan, s->job, input, err));
    if (options->keep) s->plan.keep_variants = true;
done:
    return status;
}

static bool has_recordings(const photo_plan *plan)
{
    for (size_t i = 0; i < plan->ignored_named; i++)
        if (!strcmp(plan->ignored_files[i].why, PLAN_IGNORED_SOUND)) return true;
    return false;
}

/* Nothing to see is an error of the input; photographs that were seen and left out are an answer.
 */
/* `folder`: as the user named it. */
static tare_status check_readable(const photo_plan *plan, const char *folder, tare_error *err)
{
    size_t readable = 0;
    const plan_base *first = NULL;
    for (size_t i = 0; i < plan->base_count; i++) {
        tare_reason why = plan->bases[i].reason;
        bool bad = why && why != TARE_R_NO_SKIN && why != TARE_R_NO_SILHOUETTE &&
                   why != TARE_R_EXCLUDED && why != TARE_R_NO_NEUTRAL;
        readable += !bad;
        if (bad && !first) first = &plan->bases[i];
    }
    if (readable) return TARE_OK;
    if (first)
        return error_set(err, TARE_E_DATA, "photos.unreadable", folder,
                         "no photograph could be read (of %zu); the first, %s: %s",
                         plan->base_count, first->id, first->why);
    if (plan->denied)
        return error_set(err, TARE_E_DATA, "photos.none", folder,
                         "no photographs here, and %zu folders could not be entered, the first: %s",
                         plan->denied, plan->first_denied);
    return error_set(err, TARE_E_DATA, "photos.none", folder,
                     "no photographs here (JPEG, PNG, WebP, TIFF, HEIC or AVIF by their first "
                     "bytes; %zu other files were ignored%s)", plan->ignored,
                     has_recordings(plan) ? ", recordings among them: name those in a table, by "
                                            "--manifest; docs/sound.md" : "");
}

static tare_status check_scored(const photo_session *s, tare_error *err)
{
    size_t usable = 0;
    for (size_t i = 0; i < s->plan.base_count; i++) usable += !s->plan.bases[i].reason;
    if (!usable || s->scores.scored || !s->run.scorer_count) return TARE_OK;
    return error_set(err, TARE_E_INSTRUMENT, "scorer.silent",
                     s->run.instrument[0].name,
                     "no instrument gave a score; the first said: %s",
                     *s->scores.note[0] ? s->scores.note[0] : "nothing");
}

/* The run folder: the input itself if it is a run, else the option. */
static tare_status open_folder(photo_session *s, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_job *job = s->job;
    const mem *m = &job->context->mem;
    if (job->input_count != 1)
        FAIL(err, TARE_E_USAGE, "job.inputs", NULL, "one folder at a time: %zu were given",
             job->input_count);
    TRY(photo_refuse_single(job->inputs[0], err));
    s->resumed = photo_is_run(job->inputs[0]);
    s->folder = s->resumed ? job->inputs[0] : job_text(job, "output");
    if (!s->folder)
        FAIL(err, TARE_E_USAGE, "job.output", NULL, "say where the run goes: -o DIR");
    job->folder = s->folder;
    if (!s->resumed) goto done; /* made when there is something to keep in it */
    TRY(store_open(&s->run.store, m, s->folder, false, err));
    TRY(settings_recall(job, s->run.store, err));
done:
    return status;
}

/* A finished run needs no instrument any more, and no segmenter. */
static tare_status find_instruments(photo_session *s, const photo_session_options *options,
                                    tare_error *err)
{
    bool recalled = false;
    tare_status status = TARE_OK;
    if (s->resumed && options->score) TRY(instruments_recall(&recalled, &s->run, err));
    if (options->score && !recalled) TRY(instruments_open(&s->run, s->job, s->folder, err));
    if (recalled) TRY(photo_segmenter_recall(&s->run, err));
    else if (options->intervene) TRY(photo_segmenter_open(&s->run, s->job, err));
done:
    return status;
}

tare_status photo_session_run(photo_session *s, tare_job *job, const photo_session_options *options,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const char *given = job->input_count ? job->inputs[0] : NULL;
    memset(s, 0, sizeof *s);
    s->job = job;
    image_room_init(&s->room, PHOTO_FLIGHT_BYTES);
    photo_plan_init(&s->plan, &job->result.a);
    s->run.a = &job->result.a;
    s->run.context = job->context;
    s->run.plan = &s->plan;
    s->run.room = &s->room;
    s->run.with_noise = options->noise;
    TRY(open_folder(s, err));
    TRY(make_plan(s, options, err));
    if (!s->plan.base_count) TRY(check_readable(&s->plan, job->inputs[0], err));
    if (!s->resumed) TRY(store_open(&s->run.store, &job->context->mem, s->folder, true, err));
    TRY(find_instruments(s, options, err));
    TRY(settings_check(&s->run, job, job->inputs[0], err));
    TRY(photo_run_load(&s->run, err));
    if (options->score && s->run.scorers && job_flag(job, "retry"))
        TRY(photo_retry(&s->run, err));
    TRY(photo_run_survey(&s->run, err));
    TRY(check_readable(&s->plan, job->inputs[0], err));
    TRY(variant_seen_look(&s->run, err));
    TRY(photo_run_score(&s->run, err));
    if (options->noise) TRY(photo_run_noise(&s->run, err));
    if (s->run.scorers) TRY(instruments_keep(&s->run, err));
    TRY(photo_scores_read(&s->scores, &s->run, s->run.a, err));
    TRY(check_scored(s, err));
done:
    /* A run folder stands for its photographs during the run only: the job may run again. */
    if (given) job->inputs[0] = given;
    return status;
}

void photo_session_close(photo_session *s)
{
    instruments_close(&s->run);
    photo_segmenter_close(&s->run);
    store_close(s->run.store);
    image_room_free(&s->room);
}
