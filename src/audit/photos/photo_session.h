/* photo_session.h - one run folder from opening to closing: plan, instruments, store, walks. The
 * jobs on photographs (audit, perturb, score) differ only in what they do with it. */
#ifndef AUDIT_PHOTOS_PHOTO_SESSION_H
#define AUDIT_PHOTOS_PHOTO_SESSION_H

#include "audit/photos/photo_run.h"
#include "audit/photos/photo_scores.h"

typedef struct photo_session {
    tare_job *job;
    photo_plan plan;
    image_room room;
    photo_run run;
    photo_scores scores;
    const char *folder; /* the run folder */
    bool resumed;       /* the input is the run folder */
} photo_session;

typedef struct photo_session_options {
    bool intervene;  /* slots of the axis; false: photographs as they are */
    bool score;      /* open the job's scorers                            */
    bool noise;      /* make the noise passes                             */
    bool keep;       /* keep variants whatever the option says            */
} photo_session_options;

/* Open the run folder (option `output`, or the input itself if it is a run), check that it holds
 * the same plan, and do all walks. Errors: all; DATA when no photograph can be read. */
tare_status photo_session_run(photo_session *s, tare_job *job, const photo_session_options *options,
                              tare_error *err);
void photo_session_close(photo_session *s);

/* Is `path` a run folder? */
bool photo_is_run(const char *path);

/* Tables of all bases (what decoding saw, why they were left out), of all variants (with where
 * their file is, if they were kept) and of all scores: what others need to score elsewhere, or to
 * look. */
tare_status photo_table_variants(photo_session *s, audit_result *result, tare_error *err);
tare_status photo_table_bases(photo_session *s, audit_result *result, tare_error *err);
tare_status photo_table_scores(photo_session *s, audit_result *result, tare_error *err);
/* How the run was made: version, options, instruments; bases by reason. */
tare_status photo_facts(photo_session *s, audit_result *result, tare_error *err);

#endif
