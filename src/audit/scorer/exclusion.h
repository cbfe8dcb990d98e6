/* exclusion.h - does it depend on the group whether an image can be used at all? A mask that finds
 * no skin on some groups loses people: a finding, not a footnote (scorer audit 9; 16, 5). */
#ifndef AUDIT_SCORER_EXCLUSION_H
#define AUDIT_SCORER_EXCLUSION_H

#include "audit/scorer/study.h"

struct exclusion {
    bool informative;  /* p <= alpha: verdicts on groups are capped */
    size_t judged;     /* of the test; SIZE_MAX: not run            */
    const char *words; /* "the mask loses people: ..."              */
};

tare_status exclusion_words(study *t, tare_error *err);
tare_status exclusion_answer(study *t, size_t arm, tare_error *err);  /* whom it costs */
tare_status exclusion_caution(study *t, size_t arm, tare_error *err);

#endif
