/* photo_look.h - what a file held when it was looked at: format, mode, orientation, profile. Kept
 * in the run folder as four words; folders that were made before they were recorded have none.
 * Scorer audit 2.1. */
#ifndef AUDIT_PHOTOS_PHOTO_LOOK_H
#define AUDIT_PHOTOS_PHOTO_LOOK_H

#include "audit/result.h"
#include "image/image.h"
#include "store/store.h"

#define PHOTO_LOOK_MAX 64
enum { LOOK_FORMAT, LOOK_MODE, LOOK_ORIENTATION, LOOK_ICC, LOOK_COUNT };

/* "png RGBA;16 1 none": the mode in the file, with the bits of a sample if they are more than 8.
 * "-" is what was not seen: the file was refused before. */
void photo_look_write(char out[PHOTO_LOOK_MAX], const image *seen);
/* word[k]: the k-th, "" if it is "-" or not there; in the arena. Errors: MEMORY. */
tare_status photo_look_words(const char *word[LOOK_COUNT], const char *look, arena *a,
                             tare_error *err);

/* Was it a recording? There is nothing to look at. */
bool photo_look_is_sound(const char *look);

tare_status photo_look_keep(store *s, size_t base, const char *look, tare_error *err);
/* "" if there is none. */
tare_status photo_look_recall(const char **out, store *s, arena *a, size_t base, tare_error *err);

#endif
