#include "image/image.h"

#include <string.h>

#include "base/error.h"

const char *image_format_name(image_format format)
{
    static const char *const names[] = {"not an image", "jpeg", "png", "webp", "tiff", "gif",
                                        "heif", "bmp", "jpeg2000", "jpegxl", "openexr", "radiance",
                                        "psd", "ico", "jpegxr", "camera raw"};
    return (size_t)format < sizeof names / sizeof *names ? names[format] : names[0];
}

const char *image_icc_name(image_icc icc)
{
    static const char *const names[] = {"none", "srgb", "converted", "unreadable", "ignored"};
    return (size_t)icc < sizeof names / sizeof *names ? names[icc] : names[0];
}

const char *image_mode_name(image_mode mode)
{
    static const char *const names[] = {"RGB", "L", "LA", "RGBA", "CMYK", "P", "1", "I", "sound"};
    return (size_t)mode < sizeof names / sizeof *names ? names[mode] : "unknown";
}

int image_mode_channels(image_mode mode)
{
    static const int channels[] = {3, 1, 2, 4, 4, 1, 1, sizeof(int32_t), sizeof(float)};
    return (size_t)mode < sizeof channels / sizeof *channels ? channels[mode] : 0;
}

const char *image_policy_name(image_policy policy)
{
    static const char *const names[] = {"strict", "canonical", "published"};
    return (size_t)policy < sizeof names / sizeof *names ? names[policy] : NULL;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)((at - digits) % 16) : -1;
}

static bool parse_colour(unsigned char out[3], const char *word)
{
    int digit[6];
    if (word[0] != '#' || strlen(word) != 7) return false;
    for (int k = 0; k < 6; k++)
        if ((digit[k] = hex_digit(word[1 + k])) < 0) return false;
    for (int k = 0; k < 3; k++) out[k] = (unsigned char)(16 * digit[2 * k] + digit[2 * k + 1]);
    return true;
}

bool image_alpha_parse(image_decoding *how, const char *word)
{
    static const struct { const char *word; image_alpha alpha; unsigned char level; } words[] = {
        {"white", IMAGE_ALPHA_OVER, 255}, {"black", IMAGE_ALPHA_OVER, 0},
        {"drop", IMAGE_ALPHA_DROP, 255}, {"refuse", IMAGE_ALPHA_REFUSE, 255}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0) {
            how->alpha = words[i].alpha;
            memset(how->background, words[i].level, sizeof how->background);
            return true;
        }
    if (!parse_colour(how->background, word)) return false;
    how->alpha = IMAGE_ALPHA_OVER;
    return true;
}

tare_status image_new(image *out, const mem *m, int width, int height, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (image){.channels = 3, .orientation = 1};
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        FAIL(err, TARE_E_USAGE, "image.size", NULL, "an image of %d x %d pixels is not possible",
             width, height);
    TRY_NEW(out->rgb = mem_resize(m, NULL, (size_t)width * (size_t)height, 3));
    out->width = width;
    out->height = height;
done:
    return status;
}

void image_of_sound(image *out, float *sample, size_t count, double rate)
{
    *out = (image){.width = (int)count, .height = 1, .channels = sizeof *sample,
                   .rgb = (unsigned char *)sample, .mode = IMAGE_SOUND, .rate = rate,
                   .stored = IMAGE_SOUND};
}

void image_free(image *i, const mem *m)
{
    if (i == NULL) return;
    mem_free(m, i->rgb);
    mem_free(m, i->palette);
    i->rgb = NULL;
    i->palette = NULL;
    i->width = i->height = 0;
}
