/* group_set.h - which groups of an arm are large enough to be compared, and what is compared
 * between them (scorer audit 9). */
#ifndef AUDIT_SCORER_GROUP_SET_H
#define AUDIT_SCORER_GROUP_SET_H

#include "audit/scorer/study.h"

typedef struct group_set {
    uint32_t *label;  /* [clusters of the frame], OMNIBUS_NONE: group too small */
    bool *kept;       /* [groups] */
    size_t *bases;    /* [groups] used */
} group_set;

/* Labels move between clusters, so a cluster must have one. Errors: DATA, with both bases. */
tare_status group_labels_check(const cube_arm *arm, tare_error *err);
bool group_labels_vary(const cube_arm *arm); /* inside some cluster */
/* Also says in v->groups_left_out which are too small or have no label. */
tare_status group_set_find(group_set *g, study *t, view *v, tare_error *err);

/* x [bases] by METRIC_...; NULL: the arm has none. The adjusted ones have the artifact's share
 * taken out with the gamma of the adjusted curve, so that a group whose skin clips earlier is not
 * taken for one that is judged otherwise (scorer audit 16, 1). */
tare_status group_metrics(const double *x[METRICS], study *t, const view *v, tare_error *err);
const char *metric_name(int metric); /* "FI_adj" */
bool metric_adjusted(int metric);

#endif
