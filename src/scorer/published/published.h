/* published.h - the published scorers as back ends: recipe, files, towers. Scorers 3, 4.5. */
#ifndef SCORER_PUBLISHED_PUBLISHED_H
#define SCORER_PUBLISHED_PUBLISHED_H

#include "scorer/recipe/recipe.h"
#include "scorer/scorer.h"

/* What stands after "laion-v2:": [FILE|DIR][,key=value]... */
typedef struct published_words {
    const char *weights;        /* file or folder; "": none                                */
    const char *head, *backbone;/* files; NULL                                             */
    const char *variant;        /* clip: cosine, x100, clipscore; NULL                     */
    const char *model;          /* clip: l14, b32; NULL                                    */
    int antialias;              /* hpsv2: 0, 1; -1: the recipe's                           */
    bool half_output;           /* precision=fp16-output                                   */
    bool any_sizes;             /* arch=any: not the published architecture's sizes        */
} published_words;
/* Errors: USAGE ("published.key", "published.value": what the scheme knows), MEMORY. */
tare_status published_words_read(published_words *out, arena *a, const char *scheme,
                                 const char *rest, tare_error *err);

#endif
