/* measures_json.h - measures of one variant as the store keeps them: a JSON object. */
#ifndef AUDIT_PHOTOS_MEASURES_JSON_H
#define AUDIT_PHOTOS_MEASURES_JSON_H

#include "base/text.h"
#include "perturb/measure.h"

/* The numbers one by one, in the order of their keys; counts are whole. */
size_t measures_count(void);
bool measures_whole(size_t k);
double measures_get(const perturb_measures *x, size_t k);
void measures_set(perturb_measures *x, size_t k, double value);

void measures_clear(perturb_measures *x); /* every number NaN */
void measures_write(text *out, const perturb_measures *x);
/* Errors: DATA (not such an object), MEMORY. */
tare_status measures_parse(perturb_measures *out, const mem *m, const char *json, tare_error *err);

#endif
