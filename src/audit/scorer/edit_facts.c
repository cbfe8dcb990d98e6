/* How the variants were made, where this program made them (scorer audit 2, 3): of each kind of
 * edit only where a run has it. */
#include "audit/scorer/edit_facts.h"

#include <string.h>

#include "base/error.h"
#include "perturb/perturb.h"

#define OURS " (ours)"
#define INFERRED " (inferred from the paper)"

static const char *const every_edit[][2] = {
    {"edit energy", "mean CIE76 difference" OURS},
    {"order of asking", "drawn for each base from the seed and its id" OURS},
};

static const char *const on_skin[][2] = {
    {"colour", "CIE Lab, D65, 2 degrees; rounded matrix and white" OURS},
    {"mask.set default", "Cb 77..127, Cr 133..173" INFERRED},
    {"mask.set tight", "Cb 82..122, Cr 138..168" OURS},
    {"mask.set loose", "Cb 72..132, Cr 128..178" OURS},
    {"mask, made", "once, on the base, for every dose" INFERRED},
    {"mask, own", "pixels >= 128 are skin" OURS},
    {"feather, default", "Gaussian in Lab, sigma 3 px at 224 px, to 4 sigma" OURS},
    {"sham", "-1, 0, +1 per channel: 1/24, 11/12, 1/24" OURS},
    {"sham, doses", "replicates: -3..-1 and 1..3, 0 the original" OURS},
    {"clipped", "beyond the range by more than 1e-6" OURS},
    {"measure.mask, default", "that of the base" OURS},
    {"ITA, default aggregate", "of mean L* and mean b*" INFERRED},
    {"ITA, default angle", "atan2(L* - 50, b*)" OURS},
};

static const char *const on_torso[][2] = {
    {"torso band, default", "20 % to 55 % of the height of the silhouette" OURS},
    {"torso centre and reach", "mean column and farthest one of the band" OURS},
    {"warp, window", "Hann over the rows of the band"},
    {"warp, sampling", "cubic along rows, a = -0.5, on encoded bytes" OURS},
    {"warp_artifact", "largest displacement over the width of the image"},
    {"width_ratio", "mean foreground of a band row over the silhouette's height" OURS},
};

static tare_status add_rows(study *t, const char *const rows[][2], size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < n; k++)
        TRY(result_fact_add(t->out, "scorer audit", rows[k][0], rows[k][1], err));
done:
    return status;
}

tare_status edit_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    bool any = false, skin = false, torso = false;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        const perturb_operator *op = perturb_operator_find(arm->operator_name);
        if (!arm->edited_here) continue;
        any = true;
        skin = skin || (op && op->needs == PERTURB_NEEDS_SKIN);
        torso = torso || (op && op->needs == PERTURB_NEEDS_TORSO);
    }
    if (any) TRY(add_rows(t, every_edit, sizeof every_edit / sizeof *every_edit, err));
    if (skin) {
        const char *share;
        TRY_NEW(share = arena_printf(&t->scratch, "below %g no_skin, above %g flagged" OURS,
                                     MASK_SHARE_LEAST, MASK_SHARE_MOST));
        TRY(result_fact_add(t->out, "scorer audit", "skin share of the image", share, err));
        TRY(add_rows(t, on_skin, sizeof on_skin / sizeof *on_skin, err));
    }
    if (torso) TRY(add_rows(t, on_torso, sizeof on_torso / sizeof *on_torso, err));
done:
    return status;
}
