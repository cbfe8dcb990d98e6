/* photo_retry.h - ask an instrument again where it failed: --retry. */
#ifndef AUDIT_PHOTOS_PHOTO_RETRY_H
#define AUDIT_PHOTOS_PHOTO_RETRY_H

#include "audit/photos/photo_run.h"

/* Take as not yet asked what ended in an error of the scorer or ran out of time: all batches of
 * the photograph, or of a noise pass the whole pass. What the store holds stays until the new
 * scores are written over it. Errors: those of the store. */
tare_status photo_retry(photo_run *run, tare_error *err);
/* More of its variants are asked now than when it was scored: all of it is made and asked anew,
 * since a batch holds others now. Errors: those of the store. */
tare_status photo_forget_base(photo_run *run, size_t index, tare_error *err);

#endif
