#include "image/icc.h"

#include <lcms2.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_STEP = 15, PROBES_A_SIDE = 18, PIXELS_A_CALL = 1 << 20 };

static void repeat_grey(unsigned char *rgb, const unsigned char *grey, size_t n)
{
    for (size_t i = 0; i < n; i++) memset(rgb + 3 * i, grey[i], 3);
}

/* NULL if the profile cannot be read or is not for such pixels. */
static cmsHTRANSFORM open_transform(cmsContext context, int channels, icc_profile profile)
{
    cmsHTRANSFORM transform = NULL;
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(context, profile.bytes,
                                                (cmsUInt32Number)profile.length);
    cmsHPROFILE to = from != NULL ? cmsCreate_sRGBProfileTHR(context) : NULL;
    if (to != NULL) {
        cmsProfileClassSignature kind = cmsGetDeviceClass(from);
        cmsColorSpaceSignature want = channels == 1 ? cmsSigGrayData : cmsSigRgbData;
        if (cmsGetColorSpace(from) == want && kind != cmsSigLinkClass &&
            kind != cmsSigAbstractClass && kind != cmsSigNamedColorClass)
            transform = cmsCreateTransformTHR(
                context, from, channels == 1 ? TYPE_GRAY_8 : TYPE_RGB_8, to, TYPE_RGB_8,
                INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_BLACKPOINTCOMPENSATION);
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

static int leaves_srgb(cmsHTRANSFORM transform, int channels)
{
    unsigned char in[3 * PROBES_A_SIDE * PROBES_A_SIDE], got[sizeof in];
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
            for (int b = 0; b < PROBES_A_SIDE; b++) {
                in[n++] = (unsigned char)(r * PROBE_STEP);
                in[n++] = (unsigned char)(g * PROBE_STEP);
                in[n++] = (unsigned char)(b * PROBE_STEP);
            }
        cmsDoTransform(transform, in, got, (cmsUInt32Number)(n / 3));
        if (!within_one_step(in, got, n)) return 0;
    }
    return 1;
}

static void convert(cmsHTRANSFORM transform, unsigned char *rgb, const unsigned char *pixels,
                    int channels, size_t n)
{
    for (size_t at = 0; at < n; at += PIXELS_A_CALL) {
        size_t count = n - at < PIXELS_A_CALL ? n - at : PIXELS_A_CALL;
        cmsDoTransform(transform, pixels + at * (size_t)channels, rgb + 3 * at,
                       (cmsUInt32Number)count);
    }
}

image_icc icc_to_srgb(unsigned char *rgb, const unsigned char *pixels, int channels, size_t n,
                      icc_profile profile)
{
    image_icc kind = profile.bytes == NULL ? IMAGE_ICC_NONE : IMAGE_ICC_UNREADABLE;
    cmsContext context = profile.bytes == NULL ? NULL : cmsCreateContext(NULL, NULL);
    if (context != NULL) {
        cmsHTRANSFORM transform = open_transform(context, channels, profile);
        if (transform == NULL && channels == 1) {
            /* An RGB profile on a grey image: the image is RGB with equal channels. */
            transform = open_transform(context, 3, profile);
            if (transform != NULL) {
                repeat_grey(rgb, pixels, n);
                pixels = rgb;
                channels = 3;
            }
        }
        if (transform != NULL) {
            kind = leaves_srgb(transform, channels) ? IMAGE_ICC_SRGB : IMAGE_ICC_CONVERTED;
            if (kind == IMAGE_ICC_CONVERTED) convert(transform, rgb, pixels, channels, n);
            cmsDeleteTransform(transform);
        }
        cmsDeleteContext(context);
    }
    if (kind != IMAGE_ICC_CONVERTED) {
        if (channels == 1) repeat_grey(rgb, pixels, n);
        else if (rgb != pixels) memcpy(rgb, pixels, 3 * n);
    }
    return kind;
}
