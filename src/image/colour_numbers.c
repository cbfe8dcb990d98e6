#include "image/colour_numbers.h"

#include <lcms2.h>

enum { BT709 = 1, UNSAID = 2, GAMMA_22 = 4, GAMMA_28 = 5, BT601 = 6, LINEAR = 8, XVYCC = 11,
       SRGB = 13, BT2020_10 = 14, BT2020_12 = 15, PQ = 16, HLG = 18 };

/* H.273, table 2: white, red, green, blue. */
static const struct primaries {
    int number;
    double white[2], red[2], green[2], blue[2];
} known[] = {
    {BT709, {.3127, .3290}, {.640, .330}, {.300, .600}, {.150, .060}},
    {4, {.310, .316}, {.670, .330}, {.210, .710}, {.140, .080}},
    {5, {.3127, .3290}, {.640, .330}, {.290, .600}, {.150, .060}},
    {6, {.3127, .3290}, {.630, .340}, {.310, .595}, {.155, .070}},
    {7, {.3127, .3290}, {.630, .340}, {.310, .595}, {.155, .070}},
    {9, {.3127, .3290}, {.708, .292}, {.170, .797}, {.131, .046}},
    {11, {.314, .351}, {.680, .320}, {.265, .690}, {.150, .060}},
    {12, {.3127, .3290}, {.680, .320}, {.265, .690}, {.150, .060}},
    {22, {.3127, .3290}, {.630, .340}, {.295, .605}, {.155, .077}},
};

const char *colour_numbers_hdr(colour_numbers n)
{
    return n.transfer == PQ ? "PQ" : n.transfer == HLG ? "HLG" : NULL;
}

bool colour_numbers_plain_curve(colour_numbers n)
{
    return n.transfer == BT709 || n.transfer == UNSAID || n.transfer == BT601 ||
           n.transfer == SRGB || n.transfer == BT2020_10 || n.transfer == BT2020_12;
}

bool colour_numbers_plain_primaries(colour_numbers n)
{
    return n.primaries == BT709 || n.primaries == UNSAID;
}

static cmsToneCurve *curve_of(cmsContext context, colour_numbers n)
{
    static const cmsFloat64Number srgb[5] = {2.4, 1 / 1.055, .055 / 1.055, 1 / 12.92, .04045};
    if (colour_numbers_plain_curve(n) || n.transfer == XVYCC)
        return cmsBuildParametricToneCurve(context, 4, srgb);
    switch (n.transfer) {
    case GAMMA_22: return cmsBuildGamma(context, 2.2);
    case GAMMA_28: return cmsBuildGamma(context, 2.8);
    case LINEAR: return cmsBuildGamma(context, 1.0);
    default: return NULL;
    }
}

static cmsHPROFILE build(cmsContext context, colour_numbers n)
{
    const struct primaries *p = colour_numbers_plain_primaries(n) ? &known[0] : NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known && p == NULL; k++)
        if (known[k].number == n.primaries) p = &known[k];
    cmsToneCurve *curve = p != NULL ? curve_of(context, n) : NULL;
    if (curve == NULL) return NULL;
    cmsCIExyY white = {p->white[0], p->white[1], 1};
    cmsCIExyYTRIPLE three = {{p->red[0], p->red[1], 1}, {p->green[0], p->green[1], 1},
                             {p->blue[0], p->blue[1], 1}};
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfileTHR(context, &white, &three, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

unsigned char *colour_numbers_profile(size_t *length, const mem *m, colour_numbers n,
                                      bool *no_memory)
{
    unsigned char *bytes = NULL;
    cmsUInt32Number size = 0;
    cmsContext context = cmsCreateContext(NULL, NULL);
    cmsHPROFILE profile = context != NULL ? build(context, n) : NULL;
    if (profile != NULL && cmsSaveProfileToMem(profile, NULL, &size) && size > 0) {
        if ((bytes = mem_new(m, size, 1)) == NULL) *no_memory = true;
        else if (!cmsSaveProfileToMem(profile, bytes, &size)) {
            mem_free(m, bytes);
            bytes = NULL;
        }
    }
    if (profile != NULL) cmsCloseProfile(profile);
    if (context != NULL) cmsDeleteContext(context);
    *length = bytes != NULL ? size : 0;
    return bytes;
}
