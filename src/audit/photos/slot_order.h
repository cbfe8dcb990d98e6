/* slot_order.h - the order in which the variants of a base go to an instrument (ours). Drawn for
 * each base: an instrument that gives more to what comes later in a batch, or in the run, would
 * otherwise seem to prefer a side of the axis. */
#ifndef AUDIT_PHOTOS_SLOT_ORDER_H
#define AUDIT_PHOTOS_SLOT_ORDER_H

#include "audit/photos/photo_run.h"

/* Does this run draw the order, or does it keep that of the slots, as runs of earlier builds that
 * are half done do? Kept in the store when the first batch is asked. */
tare_status slot_order_settle(bool *drawn, photo_run *run, tare_error *err);
/* A permutation of the plan's slots, from its seed and the id of the base alone; those that are not
 * asked of the base come last. Gives how many are asked. */
size_t slot_order_draw(size_t *order, const photo_plan *plan, size_t base, bool drawn);

#endif
