/* group_doubts.h - what may be wrong with the labels of groups though they can be used. */
#ifndef AUDIT_SCORER_GROUP_DOUBTS_H
#define AUDIT_SCORER_GROUP_DOUBTS_H

#include "audit/scorer/study.h"

/* Cautions (ours): groups were asked for and no image has a label; labels that differ in nothing
 * but blanks at their ends or in ASCII case. */
tare_status group_doubts(study *t, const cube_arm *arm, tare_error *err);

#endif
