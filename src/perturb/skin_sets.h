/* skin_sets.h - the attribute over the masks of the tight and the loose thresholds, beside its own
 * (scorer audit 7); internal to perturb/. */
#ifndef PERTURB_SKIN_SETS_H
#define PERTURB_SKIN_SETS_H

#include "perturb/perturb.h"

extern const mask_set skin_sets[SKIN_SETS];

/* Which sites are in which set, and the sums over the pixels of the sets that no edit of the skin
 * reaches. For masks of the base and the form ITA_MEAN; else nothing is prepared.
 * Errors: MEMORY. */
tare_status skin_sets_prepare(perturb_base *base, tare_error *err);

#endif
