/* torso.h - the torso band of a silhouette, and how a warp moves it. Scorer audit 2.6, 3. */
#ifndef PERTURB_TORSO_H
#define PERTURB_TORSO_H

#include <stdbool.h>
#include <stddef.h>

typedef struct torso {
    int first, last;   /* yt, yb: first and last row with foreground >= 0.5 % of the width    */
    double top, bottom;/* y0, y1: the band                                                    */
    double centre;     /* xc: mean column of the foreground in the band                       */
    double reach;      /* R = F: largest |x - xc| of foreground in the band                   */
} torso;

/* band_top, band_bottom both 0: yt + .20 H, yt + .55 H. False: no foreground row, a band of no
 * height (no row lies between its ends) or that reaches out of the image (0..height), no foreground
 * in the band, or one a single column wide, which has no width to change (ours). */
bool torso_find(torso *out, const unsigned char *silhouette, int width, int height,
                double band_top, double band_bottom);
/* Rows of the image from *begin to *end - 1: those with top <= y <= bottom. */
void torso_rows(int *begin, int *end, const torso *t, int height);
/* Mean over the band's rows of the foreground count / H (scorer audit 3). NaN: no band. */
double torso_width_ratio(const torso *t, const unsigned char *silhouette, int width, int height);
typedef enum warp_window {
    WARP_HANN,
    WARP_TUKEY /* flat over the middle half */
} warp_window;
const char *warp_window_name(warp_window w); /* "hann", "tukey"; NULL past the end */
/* h(y): 0 outside the band. */
double torso_window(const torso *t, warp_window w, double y);
/* Where the pixel at x of a row of window h comes from under gamma; x itself if gamma is 1. Free of
 * folds for |gamma - 1| < 2/pi, since falloff and reach are one. */
double torso_source(const torso *t, double x, double h, double gamma);

#endif
