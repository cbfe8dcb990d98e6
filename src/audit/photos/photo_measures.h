/* photo_measures.h - what was measured on every variant of a run, by columns: a column that no
 * variant has is not there, so that many photographs need little memory. */
#ifndef AUDIT_PHOTOS_PHOTO_MEASURES_H
#define AUDIT_PHOTOS_PHOTO_MEASURES_H

#include "base/mem.h"
#include "perturb/measure.h"

#define PHOTO_MEASURE_COLUMNS 17

typedef enum measured_state {
    MEASURED_NOT,
    MEASURED_EQUAL, /* and the variant has the pixels of the photograph */
    MEASURED_OTHER
} measured_state;

typedef struct photo_measures {
    arena *a;
    size_t rows;          /* base_count x plan_rows                                       */
    unsigned char *state; /* [rows] measured_state                                        */
    double *column[PHOTO_MEASURE_COLUMNS]; /* [rows]; NULL: nothing in it                 */
} photo_measures;

tare_status photo_measures_init(photo_measures *x, arena *a, size_t rows, tare_error *err);
/* From the thread that owns the arena. Errors: MEMORY. */
tare_status photo_measures_put(photo_measures *x, size_t row, const perturb_measures *values,
                               measured_state state, tare_error *err);
/* All NaN where nothing was measured. */
perturb_measures photo_measures_at(const photo_measures *x, size_t row);

#endif
