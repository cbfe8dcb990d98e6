/* expert_fixture.h - Flickr8k-Expert: 5,664 captions, a judge's two scores (FLEUR: as printed, and
 * smoothed) and three experts. From the shared data, for tests labelled shared. */
#ifndef TESTS_EXPERT_FIXTURE_H
#define TESTS_EXPERT_FIXTURE_H

#include "support/check.h"

enum { CAPTIONS = 5664, EXPERTS = 3, RATINGS = CAPTIONS * EXPERTS };

typedef struct experts {
    double raw[CAPTIONS], smooth[CAPTIONS];
    double rating[CAPTIONS][EXPERTS];
} experts;

static inline void experts_read(experts *e)
{
    FILE *f = fopen(TARE_SHARED_DIR "/data/judges/flickr8k_expert_fleur.csv", "r");
    char head[200];
    assert_non_null(f);
    assert_non_null(fgets(head, sizeof head, f));
    for (int i = 0, item; i < CAPTIONS; i++) {
        double *r = e->rating[i];
        assert_int_equal(fscanf(f, "%d,%lf,%lf,%lf,%lf,%lf", &item, &e->raw[i], &e->smooth[i],
                                &r[0], &r[1], &r[2]), 6);
        assert_int_equal(item, i);
    }
    fclose(f);
}

#endif
