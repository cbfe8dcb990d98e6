/* measure.h - what is measured on a variant: skin tone, and how much was edited.
 * Scorer audit 2.7, 3. */
#ifndef PERTURB_MEASURE_H
#define PERTURB_MEASURE_H

#include <stddef.h>

#include "image/image.h"

/* ITA = angle of (b*, L* - 50) in degrees. */
typedef enum ita_form {
    ITA_MEAN,     /* mean L* and mean b* over the pixels, then the angle                    */
    ITA_MEDIAN,   /* median of the angles of the pixels                                     */
    ITA_TRIMMED,  /* drop L* = 0; L* and b* separately within 1 SD (ddof 0) of their means; then
                     as mean                                                                */
    ITA_RGBMEAN   /* mean encoded RGB, then Lab, then the angle                             */
} ita_form;
typedef enum ita_angle {
    ITA_ATAN2,    /* atan2(L* - 50, b*)                                                     */
    ITA_ATAN      /* atan((L* - 50)/b*): jumps by 180 degrees at b* = 0                     */
} ita_angle;
const char *ita_form_name(ita_form form);    /* "mean", "median", "trimmed", "rgbmean"; NULL */
const char *ita_angle_name(ita_angle angle); /* "atan2", "atan"; NULL past the end           */

double ita_degrees(double lightness, double b, ita_angle angle); /* NaN: both terms 0 */

/* Over the pixels of a mask. No pixels: all NaN. */
typedef struct measure_tone {
    double ita;                /* degrees, in the form asked for     */
    double lightness, a, b;    /* means of L*, a*, b*                */
    double chroma, hue;        /* of the mean a*, b*; hue in degrees, (-180, 180] */
    size_t pixels, bluish;     /* bluish: pixels with b* <= 0; the tone is flagged if b <= 0 */
} measure_tone;
/* `mask` [height][width], non-zero inside; NULL: all pixels. Errors: MEMORY. */
tare_status measure_tone_of(measure_tone *out, const mem *m, const image *in,
                            const unsigned char *mask, ita_form form, ita_angle angle,
                            tare_error *err);

/* Mean CIE76 difference of two images of one size over the pixels where mask is non-zero (NULL:
 * all). NaN if there are none. From the final bytes. */
double measure_difference(const image *x, const image *y, const unsigned char *mask);

/* All numbers that go with one variant. */
typedef struct perturb_measures {
    measure_tone tone;   /* over the mask of the base, or resegmented; NaN where the base has not
                            enough skin                                                          */
    double clip_frac;    /* share of pixels with any unclipped encoded channel < -1e-6 or
                            > 1 + 1e-6: of the mask, or, where all but the skin is moved, of its
                            complement (ours). NaN: not the operator's artifact, or no pixels    */
    double clip_mag;     /* mean |clamped - unclamped| x 255 over those pixels and their three
                            channels                                                             */
    double edit_support; /* mean CIE76 difference to the base over the support of the operator: the
                            mask, its complement, the whole image, or the rows of the torso band */
    double edit_image;   /* ... over the whole image                                             */
    double ita_tight, ita_loose, ita_default; /* the attribute over the masks of the other two
                            sets of thresholds (scorer audit 7); NaN of the own set, with a user
                            mask, of operators that do not move it, and if not asked for         */
    double width_ratio;  /* of a silhouette; NaN until somebody measures one (torso.h)           */
    double warp_artifact;/* largest |source x - x| / width; NaN of operators that warp nothing   */
} perturb_measures;

#endif
