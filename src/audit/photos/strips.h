/* strips.h - dose series of a few photographs, for looking at (scorer audit 13). */
#ifndef AUDIT_PHOTOS_STRIPS_H
#define AUDIT_PHOTOS_STRIPS_H

#include "audit/photos/photo_session.h"
#include "audit/scorer/cube.h"

/* One FIGURE_STRIP per main arm: the bases with the median, lowest and highest FI of the first
 * scorer, the one with the most clipped pixels, and one per group; at most `most`. A row begins
 * with the photograph, its mask outlined in red and the feather shaded; clipped pixels are magenta.
 * Pictures are kept in the run folder, so that they can be shown when the photographs are gone. */
tare_status photo_strips(photo_session *s, audit_result *result, const cube *c, size_t most,
                         tare_error *err);

#endif
