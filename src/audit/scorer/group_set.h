/* group_set.h - which groups of an arm are large enough to be compared, and what is compared
 * between them (scorer audit 9). */
#ifndef AUDIT_SCORER_GROUP_SET_H
#define AUDIT_SCORER_GROUP_SET_H

#include "audit/scorer/study.h"

/* A group of one cluster has a mean and no spread: T would take it and T_s could not, so that they
 * would speak of different groups (ours). */
#define GROUP_CLUSTERS_MIN 2

/* Where T and T_s disagree (statistics 5). */
#define MAYBE_SPREAD "groups may differ in spread rather than in mean"

typedef struct group_set {
    uint32_t *label;      /* [clusters of the frame], OMNIBUS_NONE: group left out */
    bool *kept;           /* [groups] */
    size_t *bases;        /* [groups] used, with a value */
    size_t count;         /* of the kept */
    const char *left_out; /* "a (3), b (12 of one cluster), without a group (7)"; "" */
} group_set;

/* Labels move between clusters, so a cluster must have one. Errors: DATA, with both bases. */
tare_status group_labels_check(const cube_arm *arm, tare_error *err);
bool group_labels_vary(const cube_arm *arm); /* inside some cluster */
/* Of the used bases with a value in x [bases]. Errors: LIMIT, as group_limit. `g` is zeroed. */
tare_status group_set_find(group_set *g, study *t, const view *v, const double *x,
                           tare_error *err);
/* LIMIT with what to do, where more groups than OMNIBUS_GROUPS_MAX are to be compared. */
tare_status group_limit(size_t groups, const study *t, const cube_arm *arm, tare_error *err);

/* x [bases] by METRIC_...; NULL: the arm has none. The adjusted ones have the artifact's share
 * taken out with the gamma of the adjusted curve, so that a group whose skin clips earlier is not
 * taken for one that is judged otherwise (scorer audit 16, 1). */
tare_status group_metrics(const double *x[METRICS], study *t, const view *v, tare_error *err);
const char *metric_name(int metric); /* "FI_adj" */
bool metric_adjusted(int metric);

#endif
