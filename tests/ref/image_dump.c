/* image_dump POLICY ALPHA FILE... - what image_decode makes of files, one line each, with tabs:
 * file, ok or the reason, mode, width, height, orientation, icc, SHA-256 of the samples, of the
 * pixels as RGBA where there is a palette (else -), of image_to_rgb, note. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/os.h"
#include "image/image.h"

static const char *hash(char hex[SHA256_HEX], const void *bytes, size_t count)
{
    unsigned char digest[SHA256_BYTES];
    sha256_of(bytes, count, digest);
    sha256_hex(digest, hex);
    return hex;
}

static void hash_palette(char hex[SHA256_HEX], const image *i)
{
    strcpy(hex, "-");
    if (i->mode != IMAGE_PALETTE) return;
    unsigned char *rgba = malloc(image_pixels(i) * 4);
    for (size_t k = 0; rgba != NULL && k < image_pixels(i); k++)
        memcpy(rgba + 4 * k, i->palette[i->rgb[k]], 4);
    if (rgba != NULL) hash(hex, rgba, image_pixels(i) * 4);
    free(rgba);
}

static int dump(const char *path, const image_decoding *how)
{
    mem m = mem_system();
    tare_error err;
    char *bytes = NULL, samples[SHA256_HEX] = "-", looked_up[SHA256_HEX] = "-", rgb[SHA256_HEX];
    size_t length = 0;
    image i = {0};
    if (os_read_file(&bytes, &length, &m, path, (size_t)1 << 30, &err) != TARE_OK) return 1;
    tare_status status = image_decode(&i, &m, bytes, length, path, how, &err);
    if (status == TARE_OK) {
        image_mode mode = i.mode;
        hash(samples, i.rgb, image_pixels(&i) * (size_t)i.channels);
        hash_palette(looked_up, &i);
        if (image_to_rgb(&i, &m, &err) != TARE_OK) return 1;
        printf("%s\tok\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", path, image_mode_name(mode),
               i.width, i.height, i.orientation, image_icc_name(i.icc), samples, looked_up,
               hash(rgb, i.rgb, image_pixels(&i) * 3), i.note);
    } else {
        printf("%s\t%s\t-\t0\t0\t1\tnone\t-\t-\t-\t%s\n", path, tare_reason_name(i.reason), i.note);
    }
    image_free(&i, &m);
    mem_free(&m, bytes);
    return status == TARE_E_MEMORY || status == TARE_E_BUG;
}

int main(int argc, char **argv)
{
    image_decoding how = IMAGE_DECODING_DEFAULT;
    int failed = argc < 4 || !image_alpha_parse(&how, argv[2]), policy = 0;
    while (!failed && image_policy_name((image_policy)policy) != NULL &&
           strcmp(argv[1], image_policy_name((image_policy)policy)) != 0)
        policy++;
    if (failed || image_policy_name((image_policy)policy) == NULL) {
        fprintf(stderr, "image_dump POLICY ALPHA FILE...\n");
        return 2;
    }
    how.policy = (image_policy)policy;
    for (int k = 3; k < argc; k++) failed |= dump(argv[k], &how);
    return failed;
}
