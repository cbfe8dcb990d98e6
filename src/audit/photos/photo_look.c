#include "audit/photos/photo_look.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define KEY_MAX 40

void photo_look_write(char out[PHOTO_LOOK_MAX], const image *seen)
{
    char mode[24] = "-", turned[12] = "-";
    if (seen->mode == IMAGE_SOUND) snprintf(mode, sizeof mode, "%s", image_mode_name(seen->mode));
    else if (seen->bits > 8)
        snprintf(mode, sizeof mode, "%s;%u", image_mode_name(seen->stored), seen->bits);
    else if (seen->bits)
        snprintf(mode, sizeof mode, "%s", image_mode_name(seen->stored));
    if (seen->rgb) snprintf(turned, sizeof turned, "%d", seen->orientation);
    snprintf(out, PHOTO_LOOK_MAX, "%s %s %s %s",
             seen->format == IMAGE_NOT ? "-" : image_format_name(seen->format), mode, turned,
             seen->rgb ? image_icc_name(seen->icc) : "-");
}

bool photo_look_is_sound(const char *look)
{
    const char *mode = strchr(look, ' '), *name = image_mode_name(IMAGE_SOUND);
    return mode && !strncmp(mode + 1, name, strlen(name));
}

tare_status photo_look_words(const char *word[LOOK_COUNT], const char *look, arena *a,
                             tare_error *err)
{
    for (int k = 0; k < LOOK_COUNT; k++) {
        size_t length = strcspn(look, " ");
        bool seen = length != 1 || *look != '-';
        word[k] = seen ? arena_text(a, look, length) : "";
        if (!word[k]) return error_memory(err);
        look += length;
        look += *look == ' ';
    }
    return TARE_OK;
}

static void look_key(char key[KEY_MAX], size_t base)
{
    snprintf(key, KEY_MAX, "look.%zu", base);
}

tare_status photo_look_keep(store *s, size_t base, const char *look, tare_error *err)
{
    char key[KEY_MAX];
    look_key(key, base);
    return store_set(s, key, look, err);
}

tare_status photo_look_recall(const char **out, store *s, arena *a, size_t base, tare_error *err)
{
    char key[KEY_MAX];
    look_key(key, base);
    tare_status status = store_get(out, s, a, key, err);
    if (status == TARE_OK && !*out) *out = "";
    return status;
}
