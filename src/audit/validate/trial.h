/* trial.h - one trial of a validation: photographs are drawn from the pool, and the whole audit
 * runs on them, from files to readings, with all plants as its instruments. */
#ifndef AUDIT_VALIDATE_TRIAL_H
#define AUDIT_VALIDATE_TRIAL_H

#include "audit/validate/plants.h"
#include "base/context.h"

#define TRIAL_ARMS 2 /* most arms of a plant: a trial needs so many times its photographs */

typedef struct trial_pool {
    const char *folder;       /* of the photographs                       */
    const char *const *files; /* [count] below it                         */
    size_t count;
} trial_pool;

typedef struct trial_design {
    trial_pool pool;
    const char *output;       /* folder of the validation                 */
    size_t bases;             /* photographs of one trial                 */
    uint32_t replicates;      /* of its bootstrap and permutations        */
    uint64_t seed;
} trial_design;

/* What a trial says of a claim, and the reading that says it. */
typedef struct trial_answer {
    enum { TRIAL_NONE, TRIAL_NO, TRIAL_YES } answer; /* NONE: there is no such reading */
    double estimate, lo, hi, p;
    const char *reason;                              /* in the arena of the caller     */
} trial_answer;

/* Trial `number`; answers[claims]. Its run folders are OUTPUT/trials/NNNNN, for plants of two arms
 * NNNNN-arms: a trial that was stopped goes on there, a finished one is read again. Errors: all of
 * tare audit. */
tare_status trial_run(trial_answer *answers, arena *keep, tare_context *context,
                      const trial_design *design, uint32_t number, tare_error *err);

#endif
