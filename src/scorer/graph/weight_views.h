/* weight_views.h - the weights of a file by what they do, whatever the layout calls them, so that
 * two files can be compared. Scorers 11.7.
 *
 * A view is a tensor of the file or a part of it: q of a fused in_proj, a projection turned round.
 * Nothing is copied. */
#ifndef SCORER_GRAPH_WEIGHT_VIEWS_H
#define SCORER_GRAPH_WEIGHT_VIEWS_H

#include "scorer/graph/graph_model.h"

typedef struct weight_view {
    const char *key;         /* equal in two files for what does the same               */
    checkpoint_tensor t;     /* name as the file has it; dims, strides, data of the view */
    bool of_tower;           /* a weight of a tower, and no buffer beside it            */
} weight_view;

typedef struct weight_views {
    const checkpoint *c;
    bool laid_out;           /* a tower of a layout was recognised by its names         */
    graph_layout layout;
    const char *prefix;      /* before its names                                        */
    weight_view *item;       /* in order of key                                         */
    size_t count;
} weight_views;

/* Which layout has it? The views are not made yet. Errors: MEMORY. */
tare_status weight_views_open(weight_views *v, arena *a, const checkpoint *c, tare_error *err);
/* `common`: as all layouts can say it (q, k, v apart, projections [out,in]); else the tensors as
 * they are. Errors: MEMORY. */
tare_status weight_views_list(weight_views *v, arena *a, bool common, tare_error *err);

typedef enum weight_outcome {
    WEIGHT_DIFFERS, WEIGHT_OTHER_DIMS, WEIGHT_UNREADABLE, WEIGHT_ONLY_FIRST, WEIGHT_ONLY_SECOND,
    WEIGHT_ROUNDED,          /* equal once rounded to the narrower type of the two      */
    WEIGHT_EQUAL             /* the same numbers, bit for bit once widened              */
} weight_outcome;
enum { WEIGHT_OUTCOMES = WEIGHT_EQUAL + 1 };

typedef struct weight_pair {
    const weight_view *first, *second; /* NULL: it has none                             */
    weight_outcome outcome;
    double largest;          /* difference; NaN: not compared                           */
    uint64_t differing;      /* numbers that are not equal before any rounding          */
    const char *why;         /* of WEIGHT_UNREADABLE                                    */
} weight_pair;

/* Every view of both once. Reads the numbers, some thousands at a time. Errors: MEMORY, STOPPED. */
tare_status weight_views_compare(weight_pair **out, size_t *count, arena *a,
                                 const weight_views *first, const weight_views *second,
                                 tare_error *err);

#endif
