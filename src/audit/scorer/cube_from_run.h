/* cube_from_run.h - the cube of a run on photographs. */
#ifndef AUDIT_SCORER_CUBE_FROM_RUN_H
#define AUDIT_SCORER_CUBE_FROM_RUN_H

#include "audit/photos/photo_scores.h"
#include "audit/scorer/cube.h"

/* One arm per (base arm of the manifest) x operator; the sham shares the neutral variant. Errors:
 * MEMORY, DATA (a group that varies inside a cluster is found by the analysis). */
tare_status cube_from_run(cube *out, arena *a, const photo_scores *scores, tare_error *err);

#endif
