/* variant_lot.h - one base of the score walk in flight: its photograph, all that is made of it, and
 * what the instruments said. */
#ifndef AUDIT_PHOTOS_VARIANT_LOT_H
#define AUDIT_PHOTOS_VARIANT_LOT_H

#include "audit/photos/photo_run.h"

/* A variant that cannot be made is not asked, and its scores say why. */
typedef struct variant_failure {
    tare_reason reason; /* NONE: it was made */
    char why[160];
} variant_failure;

/* What is asked, and what comes back, lies in the order of asking. */
typedef struct variant_lot {
    image photo;
    perturb_variant *variants; /* [plan_rows]: slots, and neutral variants without their pixels */
    char (*hash)[65];          /* [plan_rows]; "" where it was not made                         */
    variant_failure *failed;   /* [slots]                              */
    char (*key)[PHOTO_KEY_MAX];
    size_t *order;             /* [slots] the slot that is asked k-th  */
    size_t asked;              /* that many of them                    */
    size_t neutral;            /* place of the neutral slot in it      */
    scorer_item *items;        /* [slots] by place; the numbers come from the variants  */
    scorer_result *results;    /* [scorers][slots] first, by place, then [scorers] again */
} variant_lot;

/* Room for a base. Errors: MEMORY. */
tare_status variant_lot_new(variant_lot *lot, const photo_run *run, tare_error *err);
void variant_lot_free(variant_lot *lot, const photo_run *run);

/* Every variant that is asked of a base, measured, as an item. `order`, `asked` and `photo` are
 * there. On any thread. Errors: DATA (a mask changed), MEMORY, STOPPED. */
tare_status variant_lot_make(variant_lot *lot, const photo_run *run, size_t base, tare_error *err);
/* The photograph, or the variant of this slot. */
const image *variant_lot_pixels(const variant_lot *lot, const photo_run *run, size_t slot);

/* Into the store and the measures of the run, on the thread that owns them. Errors: IO, MEMORY. */
tare_status variant_lot_write(photo_run *run, variant_lot *lot, size_t base, tare_error *err);

#endif
