/* operator_peer - makes what check_operators.py asks for, so that it can be compared with NumPy and
 * Pillow in one run. Standard input: requests of six 64-bit floats (number of the operator, dose,
 * width, height, warp window, feather at 224), then the pixels, the mask and the silhouette.
 * Standard output: pixels, then clip_frac, clip_mag, edit_support, edit_image, warp_artifact. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "perturb/perturb.h"

enum { NUMBERS = 6 };

typedef struct request {
    double ask[NUMBERS];
    image photo, mask;
    unsigned char *silhouette;
} request;

static bool read_bytes(unsigned char **out, size_t count)
{
    *out = malloc(count);
    return *out != NULL && fread(*out, 1, count, stdin) == count;
}

static bool read_request(request *r)
{
    if (fread(r->ask, sizeof r->ask, 1, stdin) != 1) return false;
    r->photo = (image){.width = (int)r->ask[2], .height = (int)r->ask[3], .channels = 3};
    r->mask = r->photo;
    size_t n = image_pixels(&r->photo);
    return read_bytes(&r->photo.rgb, 3 * n) && read_bytes(&r->mask.rgb, 3 * n) &&
           read_bytes(&r->silhouette, n);
}

static tare_status answer(const request *r, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    perturb_base base = {0};
    perturb_variant v = {0};
    const perturb_operator *op = perturb_operator_at((size_t)r->ask[0]);
    const perturb_guides guides = {.mask = &r->mask, .silhouette = r->silhouette};
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.window = (warp_window)r->ask[4];
    o.feather_sigma = r->ask[5];
    o.whole = true;
    TRY(perturb_base_make(&base, &m, &r->photo, &guides, "peer", &o, err));
    TRY(perturb_variant_make(&v, &base, op, r->ask[1], err));
    const perturb_measures *x = &v.measures;
    const double out[] = {x->clip_frac, x->clip_mag, x->edit_support, x->edit_image,
                          x->warp_artifact};
    if (fwrite(v.picture.rgb, 3, image_pixels(&v.picture), stdout) != image_pixels(&v.picture) ||
        fwrite(out, sizeof out, 1, stdout) != 1 || fflush(stdout) != 0)
        FAIL(err, TARE_E_IO, "peer.write", NULL, "cannot write");
done:
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
    return status;
}

int main(void)
{
    tare_error err;
    tare_status status = TARE_OK;
    for (;;) {
        request r = {.silhouette = NULL};
        bool more = read_request(&r);
        if (more) status = answer(&r, &err);
        free(r.photo.rgb);
        free(r.mask.rgb);
        free(r.silhouette);
        if (!more || status != TARE_OK) break;
    }
    if (status != TARE_OK) fprintf(stderr, "operator_peer: %s\n", err.message);
    return status == TARE_OK ? 0 : 1;
}
