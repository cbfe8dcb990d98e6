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

/* band_top, band_bottom both 0: yt + .20 H, yt + .55 H. False: no foreground row, no foreground in
 * the band, a band of no height or outside the image. */
bool torso_find(torso *out, const unsigned char *silhouette, int width, int height,
                double band_top, double band_bottom);
/* Mean over the band's rows of the foreground count / H (scorer audit 3). NaN: no band. */
double torso_width_ratio(const torso *t, const unsigned char *silhouette, int width, int height);
typedef enum warp_window {
    WARP_HANN,
    WARP_TUKEY /* flat over the middle half */
} warp_window;
const char *warp_window_name(warp_window w); /* "hann", "tukey"; NULL past the end */
/* h(y): 0 outside the band. */
double torso_window(const torso *t, warp_window w, double y);
/* Where the pixel at x of a row of window h comes from under gamma. */
double torso_source(const torso *t, double x, double h, double gamma);

#endif
