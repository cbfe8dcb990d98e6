/* planted.h - scorers of known bias: sums of terms, each a pure function of the item (scorer audit
 * 15.6). The table of terms is the only list: parser, messages and a test of docs/planted.md use
 * it. */
#ifndef SCORER_PLANTED_H
#define SCORER_PLANTED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "scorer/scorer.h"

#define PLANTED_TERMS_MAX 32

typedef enum planted_kind {
    PLANTED_OFFSET, PLANTED_CONSTANT, PLANTED_DOSE, PLANTED_ABSDOSE, PLANTED_FIDELITY,
    PLANTED_ATTRIBUTE, PLANTED_CLIP, PLANTED_LUMINANCE, PLANTED_HIGHFREQ, PLANTED_BASE,
    PLANTED_NOISE, PLANTED_POSITION, PLANTED_GROUP, PLANTED_ARM, PLANTED_NEUTRAL, PLANTED_SEED,
    PLANTED_TIES, PLANTED_QUANTUM, PLANTED_FP16, PLANTED_FAIL, PLANTED_NAN
} planted_kind;

typedef enum planted_argument {
    PLANTED_NUMBER,   /* NAME=K                */
    PLANTED_OPTIONAL, /* NAME or NAME=K        */
    PLANTED_FLAG,     /* NAME                  */
    PLANTED_POSITIVE, /* NAME=K, K > 0         */
    PLANTED_SHARE,    /* NAME=P, 0 <= P <= 1   */
    PLANTED_WHOLE,    /* NAME=N, 0 <= N < 2^53 */
    PLANTED_LABELLED  /* NAME=LABEL:K          */
} planted_argument;

typedef struct planted_term_info {
    planted_kind kind;
    planted_argument argument;
    const char *name, *usage, *help;
} planted_term_info;
const planted_term_info *planted_term_info_at(size_t index); /* NULL past the end */

typedef struct planted_term {
    planted_kind kind;
    double k;
    const char *label; /* of group and arm, else "" */
} planted_term;

typedef struct planted {
    planted_term terms[PLANTED_TERMS_MAX];
    size_t count;
    double neutral, seed;
    bool pixels;    /* some term reads pixels                       */
    bool only_pixels; /* no term reads anything else               */
    bool position;  /* some term reads the position in the batch    */
    const char *canonical; /* terms with shortest numbers, comma-separated */
} planted;

/* "TERM[,TERM...]". Strings go to the arena. Errors: USAGE (lists the terms), MEMORY. */
tare_status planted_parse(planted *out, arena *a, const char *rest, tare_error *err);

/* Mean grey byte / 255, and mean squared Laplacian of grey / 255 over the inner pixels. */
double planted_luminance(const image *p);
double planted_highfreq(const image *p);
/* To the nearest half-precision number, ties to even; above 65504 infinite. */
double planted_half(double x);

#endif
