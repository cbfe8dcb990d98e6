#include "image/icc.h"

#include <lcms2.h>
#include <stdlib.h>
#include <string.h>

#include "image/colour_numbers.h"

enum { PROBE_STEP = 15, PROBES_A_SIDE = 18, PIXELS_A_CALL = 1 << 20, PIXELS_A_PIECE = 2048 };

static const struct {
    cmsColorSpaceSignature space;
    cmsUInt32Number in, out;
} layouts[] = {{cmsSigGrayData, TYPE_GRAY_8, TYPE_RGB_8},
               {cmsSigRgbData, TYPE_RGB_8, TYPE_RGB_8},
               {cmsSigRgbData, TYPE_RGBA_8, TYPE_RGBA_8},
               {cmsSigCmykData, TYPE_CMYK_8, TYPE_RGB_8}};

static void repeat_grey(unsigned char *rgb, const unsigned char *grey, size_t n)
{
    for (size_t i = 0; i < n; i++) memset(rgb + 3 * i, grey[i], 3);
}

/* NULL if the profile cannot be read or is not for such pixels. */
static cmsHTRANSFORM open_transform(cmsContext context, icc_samples samples, icc_profile profile)
{
    cmsHTRANSFORM transform = NULL;
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(context, profile.bytes,
                                                (cmsUInt32Number)profile.length);
    cmsHPROFILE to = from != NULL ? cmsCreate_sRGBProfileTHR(context) : NULL;
    if (to != NULL) {
        cmsProfileClassSignature kind = cmsGetDeviceClass(from);
        if (cmsGetColorSpace(from) == layouts[samples].space && kind != cmsSigLinkClass &&
            kind != cmsSigAbstractClass && kind != cmsSigNamedColorClass)
            transform = cmsCreateTransformTHR(context, from, layouts[samples].in, to,
                                              layouts[samples].out, INTENT_RELATIVE_COLORIMETRIC,
                                              cmsFLAGS_BLACKPOINTCOMPENSATION);
    }
    if (to != NULL) cmsCloseProfile(to);
    if (from != NULL) cmsCloseProfile(from);
    return transform;
}

static int within_one_step(const unsigned char *x, const unsigned char *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (abs(x[i] - y[i]) > 1) return 0;
    return 1;
}

/* `channels` of a probe: 1 grey, 3 RGB, 4 RGBA, whose fourth must come out as it went in. */
static int leaves_srgb(cmsHTRANSFORM transform, size_t channels)
{
    unsigned char in[4 * PROBES_A_SIDE * PROBES_A_SIDE], got[sizeof in];
    if (channels == 1) {
        unsigned char grey[256], want[768], out[768];
        for (int k = 0; k < 256; k++) grey[k] = (unsigned char)k;
        repeat_grey(want, grey, 256);
        cmsDoTransform(transform, grey, out, 256);
        return within_one_step(out, want, sizeof out);
    }
    for (int r = 0; r < PROBES_A_SIDE; r++) {
        size_t n = 0;
        for (int g = 0; g < PROBES_A_SIDE; g++)
            for (int b = 0; b < PROBES_A_SIDE; b++, n += channels) {
                in[n] = (unsigned char)(r * PROBE_STEP);
                in[n + 1] = (unsigned char)(g * PROBE_STEP);
                in[n + 2] = (unsigned char)(b * PROBE_STEP);
                if (channels == 4) in[n + 3] = 255;
            }
        memcpy(got, in, n); /* the library does not write the fourth */
        cmsDoTransform(transform, in, got, (cmsUInt32Number)(n / channels));
        if (!within_one_step(in, got, n)) return 0;
    }
    return 1;
}

static void convert(cmsHTRANSFORM transform, unsigned char *to, const unsigned char *from,
                    icc_samples samples, size_t n)
{
    size_t in = T_CHANNELS(layouts[samples].in) + T_EXTRA(layouts[samples].in);
    size_t out = T_CHANNELS(layouts[samples].out) + T_EXTRA(layouts[samples].out);
    for (size_t at = 0; at < n; at += PIXELS_A_CALL) {
        size_t count = n - at < PIXELS_A_CALL ? n - at : PIXELS_A_CALL;
        cmsDoTransform(transform, from + at * in, to + at * out, (cmsUInt32Number)count);
    }
}

/* By pieces through a buffer: `to` may be `from`, and its pixels are shorter. */
static void convert_cmyk(cmsHTRANSFORM transform, unsigned char *to, const unsigned char *from,
                         size_t n)
{
    unsigned char piece[3 * PIXELS_A_PIECE];
    for (size_t at = 0; at < n; at += PIXELS_A_PIECE) {
        size_t count = n - at < PIXELS_A_PIECE ? n - at : PIXELS_A_PIECE;
        cmsDoTransform(transform, from + 4 * at, piece, (cmsUInt32Number)count);
        memcpy(to + 3 * at, piece, 3 * count);
    }
}

static image_icc use(cmsHTRANSFORM transform, unsigned char *to, const unsigned char *from,
                     icc_samples samples, size_t n)
{
    if (samples == ICC_CMYK) {
        convert_cmyk(transform, to, from, n);
        return IMAGE_ICC_CONVERTED;
    }
    if (leaves_srgb(transform, samples == ICC_GREY ? 1 : samples == ICC_RGB ? 3 : 4))
        return IMAGE_ICC_SRGB;
    convert(transform, to, from, samples, n);
    return IMAGE_ICC_CONVERTED;
}

image_icc icc_to_srgb(unsigned char *to, const unsigned char *from, icc_samples samples, size_t n,
                      icc_profile profile)
{
    image_icc kind = profile.bytes == NULL ? IMAGE_ICC_NONE : IMAGE_ICC_UNREADABLE;
    cmsContext context = profile.bytes == NULL ? NULL : cmsCreateContext(NULL, NULL);
    if (context != NULL) {
        cmsHTRANSFORM transform = open_transform(context, samples, profile);
        if (transform == NULL && samples == ICC_GREY) {
            /* An RGB profile on a grey image: the image is RGB with equal channels. */
            transform = open_transform(context, ICC_RGB, profile);
            if (transform != NULL) {
                repeat_grey(to, from, n);
                from = to;
                samples = ICC_RGB;
            }
        }
        if (transform != NULL) {
            kind = use(transform, to, from, samples, n);
            cmsDeleteTransform(transform);
        }
        cmsDeleteContext(context);
    }
    if (kind != IMAGE_ICC_CONVERTED && samples == ICC_GREY) repeat_grey(to, from, n);
    if (kind != IMAGE_ICC_CONVERTED && samples == ICC_RGB && to != from) memcpy(to, from, 3 * n);
    return kind;
}

bool icc_usable(icc_samples samples, icc_profile profile)
{
    cmsContext context = profile.bytes == NULL ? NULL : cmsCreateContext(NULL, NULL);
    if (context == NULL) return false;
    cmsHTRANSFORM transform = open_transform(context, samples, profile);
    if (transform == NULL && samples == ICC_GREY)
        transform = open_transform(context, ICC_RGB, profile);
    if (transform != NULL) cmsDeleteTransform(transform);
    cmsDeleteContext(context);
    return transform != NULL;
}

const char *icc_hdr(icc_profile profile)
{
    enum { TAG_CICP = 0x63696370, BYTES = 12, TRANSFER_AT = 9 };
    unsigned char tag[BYTES];
    const char *hdr = NULL;
    cmsContext context = profile.bytes == NULL ? NULL : cmsCreateContext(NULL, NULL);
    cmsHPROFILE from = context == NULL ? NULL
                                       : cmsOpenProfileFromMemTHR(
                                             context, profile.bytes,
                                             (cmsUInt32Number)profile.length);
    if (from != NULL) {
        if (cmsReadRawTag(from, (cmsTagSignature)TAG_CICP, tag, BYTES) == BYTES)
            hdr = colour_numbers_hdr((colour_numbers){1, tag[TRANSFER_AT]});
        cmsCloseProfile(from);
    }
    if (context != NULL) cmsDeleteContext(context);
    return hdr;
}
