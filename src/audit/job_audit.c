/* tare audit: a scorer audit of photographs, of a run folder, or of a score table. */
#include "audit/job_registry.h"

#include <string.h>

#include "audit/input_hash.h"
#include "audit/photos/photo_missing.h"
#include "audit/photos/photo_options.h"
#include "audit/photos/photo_session.h"
#include "audit/photos/photo_single.h"
#include "audit/photos/sound_words.h"
#include "audit/photos/strips.h"
#include "audit/scorer/analysis_options.h"
#include "audit/scorer/analyse.h"
#include "audit/scorer/cube_from_run.h"
#include "audit/scorer/table_options.h"
#include "base/error.h"
#include "base/os.h"

static const tare_option_info options[] = {
    {"scorer", "SPEC", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "instrument, may be given several times (tare doctor lists the kinds); for a score table: the "
     "column that names the scorer",
     "Instruments"},
    PHOTO_OPTIONS_SCORING,
    PHOTO_OPTION_PROMPTS,
    PHOTO_OPTIONS_INTERVENTION,
    PHOTO_OPTION_PREPARE_SIZE,
    PHOTO_OPTIONS_DECODING_AUDIT,
    {"strips", "N", TARE_OPTION_INTEGER, "5", NULL, 0, 50, 0,
     "photographs shown with all their variants in the report", "Input and output"},
    {"show", "BASE", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 1,
     "show this photograph, and none but those named so; may be given several times",
     "Input and output"},
    PHOTO_OPTION_OUTPUT,
    PHOTO_OPTION_MANIFEST,
    PHOTO_OPTION_GROUP,
    PHOTO_OPTION_MAX_PIXELS,
    PHOTO_OPTION_SEED,
    ANALYSIS_OPTIONS,
    TABLE_OPTIONS,
};

/* Options of the other kind of input say nothing about this one: better told than passed over. */
static bool for_photographs(const tare_option_info *o)
{
    static const char *const more[] = {"manifest", "max-pixels", "strips", "show"};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (!strcmp(o->name, more[k])) return true;
    bool both = !strcmp(o->name, "scorer") || !strcmp(o->name, "lower-is-better");
    return !strcmp(o->section, "Photographs") || (!strcmp(o->section, "Instruments") && !both);
}

static tare_status refuse_options(const tare_job *job, bool folder, tare_error *err)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const tare_option_info *o = &options[i];
        /* The neutral dose is also that of a manifest of the user's own variants. */
        bool of_table = !strcmp(o->section, TABLE_OPTIONS_SECTION) && strcmp(o->name, "neutral");
        bool foreign = folder ? of_table : for_photographs(o);
        if (foreign && job_count(job, o->name))
            return error_set(err, TARE_E_USAGE, "audit.option", o->name,
                             folder ? "this option is for score tables; the input is a folder"
                                    : "this option is for photographs; the input is a table");
    }
    return TARE_OK;
}

static tare_status audit_photos(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_session s;
    audit_result *r = &job->result;
    cube c;
    TRY(photo_session_run(&s, job,
                          &(photo_session_options){.intervene = true, .score = true, .noise = true},
                          err));
    analyse_options o = analysis_options_read(job);
    TRY(cube_from_run(&c, s.run.a, &s.scores, err));
    TRY(analyse_cube(r, job->context, &c, &o, err));
    TRY(photo_strips(&s, r, &c, (size_t)job_integer(job, "strips"), err));
    TRY(photo_table_variants(&s, r, err));
    TRY(photo_table_scores(&s, r, err));
    TRY(photo_missing_words(&s, r, err));
    TRY(photo_table_bases(&s, r, err));
    TRY(photo_facts(&s, r, err));
    TRY(sound_words(r, sound_plan(&s.plan), err));
done:
    photo_session_close(&s);
    return status;
}

static tare_status table_facts(const tare_job *job, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(result_fact_add(r, "Run", "tare", tare_version(), err));
    TRY(result_fact_add(r, "Run", "command", job->class_->info.name, err));
    TRY(input_hash_log(r, job->inputs[0], err));
    TRY(table_options_facts(job, r, err));
done:
    return status;
}

static tare_status audit_table(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    cube c;
    cube_table_options t;
    analyse_options o = analysis_options_read(job);
    const char *folder = job_text(job, "output");
    if (folder && photo_is_run(folder))
        FAIL(err, TARE_E_USAGE, "audit.output", folder,
             "this folder holds a run on photographs: its report would be lost; use another");
    if (job_count(job, "scorer") > 1)
        FAIL(err, TARE_E_USAGE, "audit.scorer", "--scorer",
             "for a score table it names one column; an instrument needs photographs to score");
    TRY(table_options_read(&t, job, err));
    TRY(cube_from_table(&c, &job->result.a, job->context, job->inputs[0], &t, err));
    TRY(table_options_check(&c, job->inputs[0], err));
    TRY(analyse_cube(&job->result, job->context, &c, &o, err));
    TRY(table_facts(job, &job->result, err));
done:
    return status;
}

/* The preset's values of options that decide pixels; what the user set stays. */
static tare_status apply_preset(tare_job *job, tare_error *err)
{
    static const char *const paper[][2] = {{"measure-mask", "resegment"}, {"ita-angle", "atan"}};
    if (strcmp(job_text(job, "preset"), "paper")) return TARE_OK;
    for (size_t k = 0; k < sizeof paper / sizeof *paper; k++) {
        tare_status status = job_count(job, paper[k][0])
                                 ? TARE_OK
                                 : tare_job_set(job, paper[k][0], paper[k][1], err);
        if (status) return status;
    }
    return TARE_OK;
}

static tare_status run(tare_job *job, tare_error *err)
{
    if (job->input_count != 1)
        return error_set(err, TARE_E_USAGE, "job.inputs", NULL,
                         "give one folder of photographs, one run folder or one score table; %zu "
                         "were given", job->input_count);
    tare_status status = TARE_OK;
    bool folder = os_is_folder(job->inputs[0]);
    TRY(refuse_options(job, folder, err));
    if (folder) {
        TRY(apply_preset(job, err));
        TRY(audit_photos(job, err));
    } else {
        TRY(photo_refuse_single(job->inputs[0], err));
        TRY(audit_table(job, err));
    }
done:
    return status;
}

const job_class job_audit = {
    {"audit", "find out what a scorer prefers, and what of it is the scorer's own",
     "PHOTOS/ | RUN/ | scores.csv",
     "Photographs are decoded, their skin is masked once, and each gets a dose series in which "
     "only one thing moves, dose 0 through the same path: the lightness of the skin (--axis skin, "
     "the default: L* -15 to +15), of all but the skin (nonskin), the hue of the skin (hue), the "
     "sharpness (blur), the JPEG quality (codec) or the width of the torso (warp). --axis may be "
     "given several times. Beside each axis stands its sham, which has the rounding noise of the "
     "others and no change; --placebo puts other edits beside it, --stress-masks the same edit "
     "with other masks, --doses other doses. Every variant is scored by every instrument, and the "
     "neutral ones several times more, to measure the instrument's own noise.\n\n"
     "The answer, for each scorer: does it prefer the original (FI), or one direction (A), in "
     "which shape; does the score follow the measured skin tone once clipped pixels are "
     "accounted for; how far would picking the best of n move the tone; is any of it more than "
     "the sham shows; and may the result be called a bias measurement, or is it a mechanistic "
     "stress test. Every reading has an interval, p, q within its family of tests, the number "
     "of photographs used and missing by reason, and a verdict: found, small, negligible, "
     "inconclusive, or no answer.\n\n"
     "A manifest may name a mask for each photograph (column mask): an image of the same size; "
     "skin is where the mean of its R, G and B, as they are stored, is 128 or more. Likewise the "
     "person (column silhouette), for the body axis; else --segmenter names a model that finds "
     "it. A photograph without skin, or without a person, is left out of the axes that need one, "
     "and of no other. A manifest with a column dose names variants of your own, one row for each "
     "dose of a base.\n\n"
     "A score table that somebody else made (base, dose, scorer, score; optionally attribute, "
     "artifact, arm, cluster, kind, group, status) gets the same statistics; columns of other "
     "names are named by --base COLUMN and so on. A run folder is analysed again, and finished "
     "first if it was stopped.\n\n"
     "Folders: DIR/report.html, DIR/readings.json, DIR/readings.tsv, DIR/tables, DIR/figures, "
     "and DIR/run.sqlite with everything raw. The same photographs, options and seed give the "
     "same bytes, whatever the number of threads.",
     "tare audit photos/ --scorer brisque: -o out/\n"
     "tare audit photos/ --scorer 'exec:python3 my_scorer.py' --manifest bases.csv -o out/\n"
     "tare audit photos/ --scorer brisque: --axis skin --axis warp --placebo all "
     "--manifest bases.csv -o out/\n"
     "tare audit scores.csv -o out/\n"
     "tare audit out/ --fidelity-doses extreme",
     options, sizeof options / sizeof *options},
    run};
