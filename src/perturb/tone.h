/* tone.h - running sums behind measure_tone; internal to perturb/. */
#ifndef PERTURB_TONE_H
#define PERTURB_TONE_H

#include "perturb/measure.h"
#include "stats/moments.h"

typedef struct tone_sums {
    neumaier l, a, b;
    uint64_t rgb[3];
    size_t pixels, bluish;
    double *ls, *bs; /* L* and b* of each pixel; NULL unless the form needs them */
} tone_sums;

/* `most` pixels will be added. Errors: MEMORY. */
tare_status tone_start(tone_sums *t, const mem *m, size_t most, ita_form form, tare_error *err);
void tone_free(tone_sums *t, const mem *m);

/* All but the sums of Lab. */
static inline void tone_count(tone_sums *t, double l, double b, const unsigned char *rgb)
{
    for (int c = 0; c < 3; c++) t->rgb[c] += rgb[c];
    t->bluish += b <= 0;
    if (t->ls != NULL) {
        t->ls[t->pixels] = l;
        t->bs[t->pixels] = b;
    }
    t->pixels++;
}

static inline void tone_add(tone_sums *t, double l, double a, double b, const unsigned char *rgb)
{
    neumaier_add(&t->l, l);
    neumaier_add(&t->a, a);
    neumaier_add(&t->b, b);
    tone_count(t, l, b, rgb);
}

/* Uses up ls and bs. */
void tone_finish(measure_tone *out, tone_sums *t, ita_form form, ita_angle angle);

#endif
