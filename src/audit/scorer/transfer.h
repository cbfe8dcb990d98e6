/* transfer.h - does what holds in one arm hold in another? (scorer audit 8)
 *
 * A pair is a reference arm and the arm that is compared with it: synthetic and real images of one
 * run, or the first and the second run of `tare compare`. Each pair gives a cell per scorer and
 * reading: both readings, the test of their difference, and one class of an exhaustive table. */
#ifndef AUDIT_SCORER_TRANSFER_H
#define AUDIT_SCORER_TRANSFER_H

#include "audit/scorer/study.h"

typedef enum transfer_class {
    TRANSFER_NO_ANSWER, /* of either side           */
    TRANSFER_NULL,      /* resolved on neither side */
    TRANSFER_COLLAPSE,  /* in the reference only    */
    TRANSFER_EMERGENT,  /* in the compared arm only */
    TRANSFER_REVERSAL,
    TRANSFER_ATTENUATION,
    TRANSFER_UNCHANGED,
    TRANSFER_AMPLIFICATION,
    TRANSFER_CLASSES
} transfer_class;
const char *transfer_class_name(transfer_class c);

/* |compared| / |reference| below the first: attenuation; above the second: amplification (ours). */
#define TRANSFER_RATIO_LEAST 0.80
#define TRANSFER_RATIO_MOST 1.25

typedef struct transfer_side {
    bool answered, significant; /* significant: q <= alpha at home and 0 outside the interval */
    double estimate;
} transfer_side;
/* Exclusive and exhaustive. */
transfer_class transfer_class_of(transfer_side reference, transfer_side compared);

typedef struct transfer_cell {
    size_t reference, compared; /* into study.view     */
    size_t difference;          /* into study.judged   */
    reading_id id;              /* what both arms have */
    transfer_class class_;
    double ratio;
    bool confirmed;             /* the difference itself is significant in grid v */
    const char *compared_words; /* of a collapse or a null; "" else               */
    const char *refused;        /* why there is no class although both sides have numbers; "" */
} transfer_cell;

typedef struct transfer {
    transfer_cell *cell;
    size_t count, capacity;
    size_t (*pair)[2];          /* [pairs] arms: reference, compared */
    size_t pairs;
} transfer;

/* The pairs of arms of a cube; room for arms * arms of them. Returns their number. */
size_t transfer_pairs(size_t (*pair)[2], const cube *c);
/* "FI", "A", "net drift (ITA)", "net drift (dose)". NULL: no memory. */
const char *transfer_reading_name(arena *a, const study *t, const transfer_cell *cell);
/* Is the cell one of the family that is counted (grid v)? */
bool transfer_is_counted(const study *t, const transfer_cell *cell);
/* Is a transfer asked for: two runs, or arms of both kinds? */
bool transfer_expected(const cube *c);

/* Reasons of a difference that neither side has. */
#define REASON_OTHER_DOSES "other_doses"
#define REASON_OTHER_ATTRIBUTE "other_attribute"
/* Of a class alone: the difference has its numbers, and is inconclusive. */
#define REASON_MISSING_INFORMATIVE "missing_informative"

#endif
