/* model_level.h - are these models meant, or models like them (judge audits 0.5, A.5)? The mean of
 * D with an interval over items, over models and over both. */
#ifndef AUDIT_MATRIX_MODEL_LEVEL_H
#define AUDIT_MATRIX_MODEL_LEVEL_H

#include "audit/matrix/matrix_study.h"

#define LEVELS_LEAST 6 /* models that speak of others: statistics 3, 4 */

enum { OVER_ITEMS, OVER_MODELS, OVER_BOTH, OVER_KINDS };

struct matrix_level {
    size_t judges;                  /* self judges that are not constant: those of mean D         */
    size_t d[OVER_KINDS], self[2];  /* entries of mean D and of the pooled self effect; BOOK_NONE */
    bool narrow[OVER_KINDS];        /* narrower than the interval over items                      */
    inference items;                /* mean D over items                                          */
    double wider_d, wider_self;     /* SE over models / SE over items; NaN                        */
};

#endif
