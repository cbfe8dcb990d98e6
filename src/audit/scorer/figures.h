/* figures.h - what the files that draw figures of a scorer audit share (scorer audit 13). */
#ifndef AUDIT_SCORER_FIGURES_H
#define AUDIT_SCORER_FIGURES_H

#include "audit/scorer/study.h"

/* "fidelity-01-laion-v2": safe as a file name, distinct by the number; NULL: no memory. */
const char *figure_id(study *t, const char *kind, size_t index, const char *name);
/* "q", "raw", "none" or "no answer". */
const char *figure_mark(const study *t, const judged *j);
/* Enter a point; of a reading, its numbers become the tip. */
tare_status figure_add(study *t, figure *f, figure_point point, const tare_reading *r,
                       tare_error *err);

tare_status mechanism_figure(study *t, tare_error *err);

#endif
