/* tower_peer.h - the towers once more: plain C, in double, one token after the other, and nothing
 * shared with the program. Weights by OpenAI's and BLIP's names. */
#ifndef TESTS_TOWER_PEER_H
#define TESTS_TOWER_PEER_H

#include "support/formula_weights.h"

typedef struct tower_peer {
    const formula_list *weights;
    formula_sizes sizes;
    int heads;
    bool quick;       /* QuickGELU; else exact                */
    double eps;
    bool one_fewer;   /* a mistake: variance divides by n - 1 */
} tower_peer;

void peer_clip_image(double *out, const tower_peer *p, const float *pixels);   /* [embedding] */
void peer_clip_text(double *out, const tower_peer *p, const int64_t *ids, int n);
void peer_blip_image(double *out, const tower_peer *p, const float *pixels);   /* [tokens,width] */
/* Row 0. image [tokens,sizes.cross] */
void peer_blip_text(double *out, const tower_peer *p, const int64_t *ids, int n,
                    const double *image, int tokens);

#endif
