/* members.h - the replicates that max-T needs: those of the members of the grids, and of nothing
 * else (statistics 6). Between keep and release whatever is inferred leaves its replicates in
 * passing; of what is entered meanwhile the members take theirs along. */
#ifndef AUDIT_SCORER_MEMBERS_H
#define AUDIT_SCORER_MEMBERS_H

#include "audit/scorer/study.h"

/* All members together (ours): 838 of 9999 replicates. Beyond it no grid gets max-T. */
#define MEMBERS_BYTES_MAX ((size_t)64 << 20)

void members_keep(study *t);
void members_release(study *t);
/* From study_add: j->inf.replicates becomes the member's own copy, or NULL; influences go. */
tare_status members_take(study *t, judged *j, const char *grid, bool descriptive, tare_error *err);
/* Replicates of the readings of a grid: permutations or resamples. */
size_t members_count(const study *t, const char *grid);

/* Single-step max-T within one grid, from its members and their p: g->maxt, NaN where p is, and
 * g->no_maxt. The p of a small base set does not come from the bootstrap, but its studentised
 * replicates do: q is never below p (ours). */
tare_status members_maxt(grid_size *g, study *t, const char *grid, tare_error *err);

#endif
