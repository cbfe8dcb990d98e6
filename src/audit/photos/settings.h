/* settings.h - what decides the scores of a run, kept in its store and compared when it is resumed.
 */
#ifndef AUDIT_PHOTOS_SETTINGS_H
#define AUDIT_PHOTOS_SETTINGS_H

#include "audit/photos/photo_run.h"

/* Options that were set for this run folder and are not set now are taken from it: so a run folder
 * alone can be analysed and reported again. Also its input. */
tare_status settings_recall(tare_job *job, store *s, tare_error *err);
/* First time: write them. Later: DATA, naming the option, if anything that decides a score differs.
 */
tare_status settings_check(const photo_run *run, const tare_job *job, const char *input,
                           tare_error *err);

#endif
