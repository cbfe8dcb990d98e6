/* noise_measure.h - scores of the same photographs in another arrangement, and how far they are
 * from the first. */
#ifndef AUDIT_INSTRUMENT_NOISE_MEASURE_H
#define AUDIT_INSTRUMENT_NOISE_MEASURE_H

#include "audit/instrument/noise_photos.h"
#include "scorer/scorer.h"

typedef enum noise_kind {
    NOISE_FIRST, NOISE_REPEAT, NOISE_REVERSED, NOISE_SHUFFLED, NOISE_THREADS, NOISE_PNG,
    NOISE_JPEG, NOISE_BATCH, NOISE_LIBRARY, NOISE_KINDS
} noise_kind;
enum { NOISE_JPEG_QUALITY = 95 };

/* One arrangement. */
typedef struct noise_trial_of {
    double *score;       /* [photographs], NaN where there is none; NULL: not made */
    const char *how;     /* "batches of 4 against 1"                              */
    const char *why_not; /* "" if it was made                                     */
    size_t failed;       /* photographs without a score                           */
    const char *note;    /* of the first that failed                              */
} noise_trial_of;

typedef struct noise_bench {
    tare_job *job;
    const noise_photos *photos;
    scorer *s;           /* open now */
    noise_trial_of trial[NOISE_KINDS];
    progress bar;
} noise_bench;

/* In what order, on how many threads, of which pixels. NULL: in theirs, the photographs' own. */
typedef struct noise_way {
    const size_t *order;
    const image *picture;
    bool threads;
} noise_way;
/* Fills trial[kind] with scores by b->s. Errors: STOPPED, MEMORY. */
tare_status noise_ask(noise_bench *b, noise_kind kind, const char *how, const noise_way *way,
                      tare_error *err);

/* Of one trial against the first. */
typedef struct noise_difference {
    size_t n, changed;       /* photographs with both scores; that differ */
    double most, sd, mean;   /* largest |difference|, SD (n - 1), mean    */
    const char *most_of;     /* the photograph                            */
} noise_difference;
noise_difference noise_compare(const noise_bench *b, noise_kind kind);

/* Of all trials that are the instrument's own: same pixels, same scorer (scorer audit 4). */
typedef struct noise_total {
    double sd, shift, quantum; /* quantum NaN: all scores are equal */
} noise_total;
bool noise_is_own(noise_kind kind);
/* Errors: MEMORY. */
tare_status noise_total_of(noise_total *out, const noise_bench *b, tare_error *err);

#endif
