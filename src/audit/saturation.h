/* saturation.h - a probability that is certain of many images tells them apart no more. Scorers
 * 1.4. */
#ifndef AUDIT_SATURATION_H
#define AUDIT_SATURATION_H

#include "audit/result.h"

/* Raw scores of one instrument, counted; zero-initialise. */
typedef struct saturation {
    size_t images, high, low; /* unedited images; those at 1 and at 0, within 1e-6 */
    bool outside;             /* a score beyond [0, 1]: no probability            */
} saturation;

void saturation_score(saturation *x, double raw); /* of a variant                     */
void saturation_image(saturation *x, double raw); /* of an unedited image, which is counted */

/* A caution if all scores lie in [0, 1] and more than 1 % of the images are at one end. */
tare_status saturation_caution(const saturation *x, const char *scorer, audit_result *r,
                               tare_error *err);

#endif
