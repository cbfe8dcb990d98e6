/* tare score: one score per photograph, or per row of a table of variants. */
#include "audit/job_registry.h"
#include "audit/photos/photo_missing.h"
#include "audit/photos/photo_options.h"
#include "audit/photos/sound_words.h"
#include "audit/photos/photo_session.h"
#include "audit/saturation.h"
#include "base/error.h"

static const tare_option_info options[] = {
    {"scorer", "SPEC", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "instrument; may be given several times (tare doctor lists the kinds)", "Instruments"},
    PHOTO_OPTIONS_SCORING,
    PHOTO_OPTION_PROMPTS,
    PHOTO_OPTION_OUTPUT,
    PHOTO_OPTION_MANIFEST, PHOTO_OPTION_GROUP,
    PHOTO_OPTION_MAX_PIXELS,
    PHOTO_OPTION_PREPARE_SIZE,
    PHOTO_OPTIONS_DECODING_SCORE,
    PHOTO_OPTION_SEED,
};

static tare_status caution_saturated(const photo_session *s, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->run.scorer_count; k++) {
        saturation x = {0};
        for (size_t b = 0; b < s->plan.base_count; b++) {
            size_t at = photo_score_at(&s->run, k, b, 0);
            if (s->scores.status[at] == TARE_R_NONE) saturation_image(&x, s->scores.value[at]);
        }
        TRY(saturation_caution(&x, s->run.instrument[k].name, r, err));
    }
done:
    return status;
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_session s;
    audit_result *r = &job->result;
    TRY(photo_session_run(&s, job, &(photo_session_options){.score = true}, err));
    r->audit = "scores";
    r->title = "Scores of photographs";
    TRY(result_answer(r, err, "Scores: %zu, of %zu photograph%s, by %zu instrument%s: "
                      "tables/scores.tsv.", s.scores.scored, s.plan.base_count,
                      s.plan.base_count == 1 ? "" : "s", s.run.scorer_count,
                      s.run.scorer_count == 1 ? "" : "s"));
    TRY(caution_saturated(&s, r, err));
    TRY(photo_table_scores(&s, r, err));
    TRY(photo_missing(&s, r, err));
    TRY(photo_failures(&s, r, err));
    TRY(photo_table_bases(&s, r, err));
    TRY(photo_facts(&s, r, err));
    TRY(sound_words(r, sound_plan(&s.plan), err));
done:
    photo_session_close(&s);
    return status;
}

const job_class job_score = {
    {"score", "score photographs, or the variants of tare perturb", "PHOTOS/ | variants.tsv",
     "Scores every photograph below a folder as it is, or every file that a table names in "
     "its column file (as tare perturb writes it: base, arm, dose and what was measured are "
     "carried along, so that the result can go straight into tare audit).\n\n"
     "Files with alpha, CMYK, 16 bits or several pictures are converted in one documented way and "
     "remarked upon (--decoding canonical); strict refuses them, and published gives each scorer "
     "what its own loader sees, for comparing with published numbers.\n\n"
     "What cannot be scored has a status instead of a score, never a zero. The run folder can "
     "be resumed.",
     "tare score photos/ --scorer brisque: -o scores/\n"
     "tare score variants/tables/variants.tsv --scorer 'exec:python3 my_scorer.py' -o scores/",
     options, sizeof options / sizeof *options},
    run};
