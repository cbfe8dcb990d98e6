/* cube_merge.h - one cube of two, so that both runs are read by one analysis and their differences
 * are estimated as differences (scorer audit 8). */
#ifndef AUDIT_SCORER_CUBE_MERGE_H
#define AUDIT_SCORER_CUBE_MERGE_H

#include "audit/scorer/cube.h"
#include "base/error.h"

typedef struct cube_side {
    const cube *c;
    const char *label; /* before the names of its arms: "LABEL/skin" */
} cube_side;

/* Are the images of both sides the same? AUTO: yes where both are runs, have the same base ids, and
 * every image has the same pixels. */
typedef enum cube_pairing { PAIRING_AUTO, PAIRING_YES, PAIRING_NO } cube_pairing;

/* What was seen while merging. */
typedef struct cube_merged {
    size_t common, same;        /* base ids that are on both sides; with the same pixels    */
    size_t of[2];               /* base ids of each side                                    */
    size_t paired_bases;        /* taken for the same images, of those in common            */
    bool pixels_known;
    bool other_clusters;        /* the sides put an image of one name into other clusters   */
    const char *left_out[2];    /* scorers of one side only, comma-separated; "" for none   */
    const char *other;          /* scorers whose instrument is not the same; ""             */
    bool instruments_known;
} cube_merged;

/* side[0] is the reference. `out` borrows the numbers of both cubes; names that it makes are in
 * `a`. Only scorers that both have stay, in the order of the reference. The arms of the reference
 * keep the draws that they have in a run of their own; those of the compared side too, unless the
 * sides share names of clusters and are not the same images throughout: then they get draws of
 * their own. Errors: DATA (no scorer in common, a sign that differs, nothing to pair under
 * PAIRING_YES), MEMORY. */
tare_status cube_merge(cube *out, cube_merged *seen, arena *a, const cube_side side[2],
                       cube_pairing how, tare_error *err);

#endif
