/* skin_sets.h - the attribute over the masks of the two sets of thresholds beside its own
 * (scorer audit 7); internal to perturb/. */
#ifndef PERTURB_SKIN_SETS_H
#define PERTURB_SKIN_SETS_H

#include "perturb/perturb.h"

/* The j-th of the two sets that are not `own`: tight and loose of the default. */
mask_set skin_set_other(mask_set own, size_t j);

/* Which sites are in which set, and the sums over the pixels of the sets that no edit of the skin
 * reaches. For masks of the base and the form ITA_MEAN; else nothing is prepared.
 * Errors: MEMORY. */
tare_status skin_sets_prepare(perturb_base *base, tare_error *err);

#endif
