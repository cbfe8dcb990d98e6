/* robust.h - what the checks of robustness share (scorer audit 7). Their readings are of the family
 * "robust", descriptive, with a mark "pass" or "fail". */
#ifndef AUDIT_SCORER_ROBUST_H
#define AUDIT_SCORER_ROBUST_H

#include "audit/scorer/study.h"

/* Same sign, and each estimate inside the other's interval. False without intervals. */
bool robust_agrees(const tare_reading *full, const inference *part);

#endif
