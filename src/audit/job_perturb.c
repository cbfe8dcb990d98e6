/* tare perturb: make the variants, keep them as files, list them for scoring elsewhere. */
#include "audit/job_registry.h"
#include "audit/photos/photo_missing.h"
#include "audit/photos/photo_options.h"
#include "audit/photos/photo_session.h"
#include "base/error.h"

static const tare_option_info options[] = {
    PHOTO_OPTION_OUTPUT,       PHOTO_OPTION_MANIFEST, PHOTO_OPTION_GROUP, PHOTO_OPTION_MAX_PIXELS,
    PHOTO_OPTION_PREPARE_SIZE, PHOTO_OPTION_SEED,     PHOTO_OPTIONS_INTERVENTION,
    PHOTO_OPTIONS_DECODING_AUDIT,
};

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_session s;
    audit_result *r = &job->result;
    TRY(photo_session_run(&s, job, &(photo_session_options){.intervene = true, .keep = true},
                          err));
    size_t usable = 0;
    for (size_t i = 0; i < s.plan.base_count; i++) usable += !s.plan.bases[i].reason;
    r->audit = "variants";
    r->title = "Variants of photographs";
    TRY(result_answer(r, err, "%zu of %zu photographs were perturbed into %zu variants each; "
                      "they are listed in tables/variants.tsv.", usable, s.plan.base_count,
                      s.plan.slot_count));
    TRY(photo_table_variants(&s, r, err));
    TRY(photo_missing(&s, r, err));
    TRY(photo_table_bases(&s, r, err));
    TRY(photo_facts(&s, r, err));
done:
    photo_session_close(&s);
    return status;
}

const job_class job_perturb = {
    {"perturb", "make dose series of photographs and keep them as files", "PHOTOS/",
     "Every photograph is decoded to upright sRGB, its skin is masked once, and variants are "
     "made that differ in one thing: L* of the skin from -15 to +15 (--axis skin, the default), "
     "or what other axes move (nonskin, hue, blur, codec, warp; several may be named), dose 0 "
     "through the same path, and the sham of each, which has the rounding noise of the others and "
     "no change; --placebo adds other edits. A manifest may name a mask for each photograph "
     "(column mask): an image of the same size; skin is where the mean of its R, G and B, as they "
     "are stored, is 128 or more; and a mask of the person (column silhouette), which the body "
     "axis needs where no --segmenter finds it.\n\n"
     "Variants are lossless PNG files under DIR/blobs, named by their content. "
     "DIR/tables/variants.tsv lists them with the base, arm, dose, what was measured (ITA, "
     "share of clipped pixels, edit energy) and the SHA-256 of their pixels. Score them with "
     "any program, add the columns scorer and score, and give the table to tare audit.",
     "tare perturb photos/ -o variants/\n"
     "tare perturb photos/ --axis hue --placebo none --doses hue=-20,0,20 -o variants/\n"
     "tare perturb photos/ --mask-set tight --prepare-size 224 -o variants/",
     options, sizeof options / sizeof *options},
    run};
