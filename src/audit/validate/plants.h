/* plants.h - scorers of known bias with their innocent twins, and what the audit must say of each
 * (scorer audit 15.6). The two tables are what trials, rates and tests go by; docs/validate.md
 * tells of them.
 *
 * Effects are in units of the noise of one score, whose SD is 1. */
#ifndef AUDIT_VALIDATE_PLANTS_H
#define AUDIT_VALIDATE_PLANTS_H

#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

typedef struct plant {
    const char *name;  /* "fidelity"                                         */
    const char *twin;  /* name of the plant it is the twin of; "" for a plant */
    const char *terms; /* of planted:; %K is the effect, %R -0.15 times it    */
    double effect;     /* %K for 30 photographs; falls with the square root of their number.
                          0: the terms are the same at any number             */
    int arms;          /* 2: audited on a real and a synthetic arm of that many photographs each */
} plant;
const plant *plant_at(size_t index); /* NULL past the end */
size_t plant_find(const char *name); /* index; SIZE_MAX: none */
/* %K for `bases` photographs. */
double plant_effect(const plant *p, size_t bases);
/* "planted:..." of a trial, with its own noise. NULL: no memory. */
const char *plant_spec(arena *a, const plant *p, size_t index, size_t bases, uint32_t trial,
                       uint64_t seed);

typedef enum claim_event {
    CLAIM_RESOLVED,   /* p <= alpha                                    */
    CLAIM_PLUS,       /* p <= alpha and the estimate above 0           */
    CLAIM_MINUS,      /* ... below 0                                   */
    CLAIM_MARKED,     /* `text` among the marks                        */
    CLAIM_REASON,     /* no answer, for the reason `text`              */
    CLAIM_WORDS,      /* `text` in the words                           */
    CLAIM_ABOVE,      /* estimate above `value`                        */
    CLAIM_COVERED     /* the interval holds the truth                  */
} claim_event;
typedef enum claim_rate {
    RATE_AT_LEAST,    /* `rate`                                                            */
    RATE_AT_MOST,     /* `rate`                                                            */
    RATE_COVERAGE,    /* .93 to .97                                                        */
    RATE_ALWAYS, RATE_NEVER,
    RATE_SHOWN        /* no plan: shown for comparison                                     */
} claim_rate;

/* Level of all tests and 1 - that of intervals: the rates are planned for it. */
#define VALIDATE_ALPHA .05

/* One thing that a trial decides of one plant. */
typedef struct claim {
    const char *plant;
    const char *says;  /* "the preference for the original is found" */
    const char *family, *name, *condition; /* of the reading in the arm skin; condition NULL: any */
    claim_event event;
    const char *text;
    double value;      /* of CLAIM_ABOVE; of CLAIM_COVERED: the truth per unit of effect */
    claim_rate kind;
    double rate;
} claim;
const claim *claim_at(size_t index); /* NULL past the end */

/* Does the reading show the event? `effect` is that of the plant. */
int claim_holds(const claim *c, const tare_reading *r, double effect);

#endif
