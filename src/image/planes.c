/* planes.c - float tensors of images, and their resize as torch's interpolate does it. */
#include "image/planes.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/planes_pass.h"
#include "image/resize_kernels.h"

enum { BYTES = 256 };

void planes_free(image_planes *p, const mem *m)
{
    if (p == NULL) return;
    mem_free(m, p->v);
    *p = (image_planes){0};
}

static tare_status planes_new(image_planes *out, const mem *m, int width, int height,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (image_planes){0};
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        FAIL(err, TARE_E_USAGE, "planes.size", NULL, "planes of %d x %d are not possible", width,
             height);
    if ((uint64_t)width * (uint64_t)height > IMAGE_LIMITS_DEFAULT.pixels)
        FAIL(err, TARE_E_LIMIT, "planes.limit", NULL, "planes of %d x %d pixels", width, height);
    TRY_NEW(out->v = mem_resize(m, NULL, (size_t)width * (size_t)height,
                                PLANES_COUNT * sizeof *out->v));
    out->width = width;
    out->height = height;
done:
    return status;
}

static tare_status check_mode(const image *in, tare_error *err)
{
    tare_status status = TARE_OK;
    if (in->mode != IMAGE_RGB)
        FAIL(err, TARE_E_USAGE, "planes.mode", NULL, "planes are made of RGB, not of %s",
             image_mode_name(in->mode));
done:
    return status;
}

static void fill_shares(float share[BYTES])
{
    for (int b = 0; b < BYTES; b++) share[b] = (float)b / 255.0f;
}

tare_status planes_of_image(image_planes *out, const mem *m, const image *in, tare_error *err)
{
    tare_status status = TARE_OK;
    float share[BYTES];
    size_t n = image_pixels(in);
    *out = (image_planes){0};
    TRY(check_mode(in, err));
    TRY(planes_new(out, m, in->width, in->height, err));
    fill_shares(share);
    for (size_t c = 0; c < PLANES_COUNT; c++)
        for (size_t k = 0; k < n; k++) out->v[c * n + k] = share[in->rgb[3 * k + c]];
done:
    return status;
}

static double cubic_torch(double x)
{
    const double a = -0.75;
    x = fabs(x);
    if (x <= 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    return x < 2.0 ? ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a : 0.0;
}

/* Without antialias: two or four taps around x whatever the scale; those beyond the edge fall on
 * the pixel at the edge. */
static tare_status taps_few(taps *t, const mem *m, int in, int out, planes_how how,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    double scale = how.aligned && out > 1 ? (double)(in - 1) / (out - 1) : (double)in / out;
    double centre = how.aligned ? 0.0 : 0.5;
    int reach = how.kernel == RESIZE_BICUBIC ? 2 : 1;
    t->out = out;
    t->width = 2 * reach;
    TRY_NEW(t->first = mem_new(m, (size_t)out, sizeof *t->first));
    TRY_NEW(t->count = mem_new(m, (size_t)out, sizeof *t->count));
    TRY_NEW(t->exact = mem_new(m, (size_t)out * (size_t)t->width, sizeof *t->exact));
    for (int i = 0; i < out; i++) {
        double x = (i + centre) * scale - centre, base = floor(x);
        double *exact = t->exact + (size_t)i * (size_t)t->width;
        int lo = (int)base - reach + 1, hi = (int)base + reach;
        int from = lo < 0 ? 0 : lo, to = hi >= in ? in - 1 : hi;
        for (int j = lo; j <= hi; j++) {
            int at = j < 0 ? 0 : j >= in ? in - 1 : j;
            double far = x - base + (int)base - j;
            exact[at - from] += reach == 2 ? cubic_torch(far) : 1.0 - fabs(far);
        }
        t->first[i] = from;
        t->count[i] = to - from + 1;
    }
done:
    return status;
}

static tare_status axis_taps(taps *t, const mem *m, int in, int out, planes_how how,
                             tare_error *err)
{
    if (how.antialias) return taps_exact(t, m, in, out, how.kernel, err);
    return taps_few(t, m, in, out, how, err);
}

static tare_status check_how(planes_how how, tare_error *err)
{
    tare_status status = TARE_OK;
    bool known = how.antialias ? how.kernel > RESIZE_NEAREST && how.kernel <= RESIZE_LANCZOS
                               : how.kernel == RESIZE_BILINEAR || how.kernel == RESIZE_BICUBIC;
    const char *name = resize_kernel_name(how.kernel);
    if (!known)
        FAIL(err, TARE_E_USAGE, "planes.kernel", NULL,
             "the kernel %s is not for planes %s antialias", name != NULL ? name : "of that number",
             how.antialias ? "with" : "without");
    if (how.aligned && (how.antialias || how.kernel != RESIZE_BILINEAR))
        FAIL(err, TARE_E_USAGE, "planes.kernel", NULL,
             "aligned corners are for the kernel bilinear without antialias");
done:
    return status;
}

static tare_status resize_source(image_planes *out, const mem *m, const planes_source *in,
                                 int width, int height, planes_how how, tare_error *err)
{
    tare_status status = TARE_OK;
    taps across = {0}, down = {0};
    float *middle = NULL, *scratch = NULL;
    size_t in_height = (size_t)in->height;
    const float *rows = in->v;
    *out = (image_planes){0};
    TRY(check_how(how, err));
    TRY(planes_new(out, m, width, height, err));
    if (width != in->width) {
        float *to = out->v;
        if (height != in->height) {
            TRY_NEW(middle = mem_resize(m, NULL, in_height * (size_t)width,
                                        PLANES_COUNT * sizeof *middle));
            to = middle;
        }
        TRY_NEW(scratch = mem_resize(m, NULL, (size_t)in->width, planes_scratch_bytes()));
        TRY(axis_taps(&across, m, in->width, width, how, err));
        planes_across(to, in, &across, scratch);
        rows = to;
    }
    if (height != in->height) {
        TRY(axis_taps(&down, m, in->height, height, how, err));
        for (size_t c = 0; c < PLANES_COUNT; c++)
            planes_down(out->v + c * (size_t)height * (size_t)width,
                        rows + c * in_height * (size_t)width, (size_t)width, &down);
    } else if (width == in->width) {
        memcpy(out->v, in->v, PLANES_COUNT * in_height * (size_t)width * sizeof *out->v);
    }
done:
    if (status != TARE_OK) planes_free(out, m);
    taps_free(&across, m);
    taps_free(&down, m);
    mem_free(m, middle);
    mem_free(m, scratch);
    return status;
}

tare_status planes_resize(image_planes *out, const mem *m, const image_planes *in, int width,
                          int height, planes_how how, tare_error *err)
{
    planes_source source = {.v = in->v, .width = in->width, .height = in->height};
    return resize_source(out, m, &source, width, height, how, err);
}

tare_status planes_resize_image(image_planes *out, const mem *m, const image *in, int width,
                                int height, planes_how how, tare_error *err)
{
    tare_status status = TARE_OK;
    image_planes whole = {0};
    float share[BYTES];
    planes_source source = {.bytes = in->rgb, .share = share, .width = in->width,
                            .height = in->height};
    *out = (image_planes){0};
    TRY(check_mode(in, err));
    fill_shares(share);
    if (width == in->width) { /* no first pass that could read the bytes */
        TRY(planes_of_image(&whole, m, in, err));
        source.v = whole.v;
    }
    TRY(resize_source(out, m, &source, width, height, how, err));
done:
    planes_free(&whole, m);
    return status;
}
