/* attribute.c - which of the measures an operator moves, and which is its artifact. */
#include "perturb/perturb.h"

double perturb_attribute_of(const perturb_operator *op, const perturb_measures *x)
{
    switch (op->attribute) {
    case PERTURB_ITA: return x->tone.ita;
    case PERTURB_WIDTH_RATIO: return x->width_ratio;
    case PERTURB_NO_ATTRIBUTE: break;
    }
    return NAN;
}

double perturb_artifact_of(const perturb_operator *op, const perturb_measures *x)
{
    switch (op->artifact) {
    case PERTURB_CLIP_FRAC: return x->clip_frac;
    case PERTURB_WARP_ARTIFACT: return x->warp_artifact;
    case PERTURB_NO_ARTIFACT: break;
    }
    return NAN;
}

const char *perturb_attribute_name(perturb_attribute a)
{
    return a == PERTURB_ITA ? "ITA" : a == PERTURB_WIDTH_RATIO ? "width_ratio" : "";
}

const char *perturb_attribute_unit(perturb_attribute a)
{
    return a == PERTURB_ITA ? "degrees" : a == PERTURB_WIDTH_RATIO ? "ratio" : "";
}

const char *perturb_artifact_name(perturb_artifact a)
{
    return a == PERTURB_CLIP_FRAC       ? "clip_frac"
           : a == PERTURB_WARP_ARTIFACT ? "warp_artifact"
                                        : "";
}
