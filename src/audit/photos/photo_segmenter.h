/* photo_segmenter.h - the model that finds the person, for the run: opened, or only remembered. */
#ifndef AUDIT_PHOTOS_PHOTO_SEGMENTER_H
#define AUDIT_PHOTOS_PHOTO_SEGMENTER_H

#include "audit/photos/photo_run.h"

/* Open the job's --segmenter if an axis needs a silhouette. Errors: those of segmenter_open. */
tare_status photo_segmenter_open(photo_run *run, const tare_job *job, tare_error *err);
/* A run that is finished is analysed without it: was there one? */
tare_status photo_segmenter_recall(photo_run *run, tare_error *err);
void photo_segmenter_close(photo_run *run);

/* Name, identity and engine as facts of the run. */
tare_status photo_segmenter_facts(const photo_run *run, audit_result *r, tare_error *err);

/* Where the store keeps what it is. */
#define SEGMENTER_IDENTITY "segmenter.identity"
#define SEGMENTER_RUNTIME "segmenter.runtime"

#endif
