#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_decoding.h"
#include "audit/photos/photo_run.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "image/resize.h"
#include "sound/sound.h"

/* May a recording stand where a photograph stands? Nothing of ours perturbs sound: only the user's
 * own variants of one, and files that are scored as they are. */
static bool takes_sound(const photo_plan *plan)
{
    for (size_t x = 0; x < plan->axis_count; x++)
        if (plan->axes[x].op) return false;
    return true;
}

static tare_status load_sound(image *out, const photo_run *run, const char *path,
                              const void *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    sound s;
    if (!takes_sound(run->plan)) {
        out->reason = TARE_R_UNSUPPORTED_PIXELS;
        snprintf(out->note, sizeof out->note, "a recording: the axes of photographs do not apply; "
                 "give a table of its variants with a column dose");
        return TARE_E_DATA;
    }
    status = sound_decode(&s, &run->context->mem, bytes, length, path, err);
    if (status == TARE_OK) image_of_sound(out, s.sample, s.count, s.rate);
    else if (status == TARE_E_DATA) out->reason = TARE_R_DECODE;
    return status;
}

static tare_status prepare(image *picture, const photo_run *run, tare_error *err)
{
    const mem *m = &run->context->mem;
    image resized;
    if (!run->plan->prepare_size || picture->mode == IMAGE_SOUND) return TARE_OK;
    tare_status status = image_prepare_size(&resized, m, picture, run->plan->prepare_size, err);
    if (status) return status;
    image_free(picture, m);
    *picture = resized;
    return TARE_OK;
}

/* A bad file is a reason, not an error. */
tare_status photo_load_file(image *out, tare_reason *reason, char *why, const photo_run *run,
                            const photo_source *source, tare_error *err)
{
    const mem *m = &run->context->mem;
    const char *path = source->path;
    image_decoding how = source->how;
    char *bytes = NULL;
    size_t length = 0;
    tare_error local = {0};
    memset(out, 0, sizeof *out);
    *reason = TARE_R_NONE;
    how.room = run->room;
    tare_status status = os_read_plain(&bytes, &length, m, path, how.limits.file, &local);
    if (status == TARE_OK && sound_sniff(bytes, length))
        status = load_sound(out, run, path, bytes, length, &local);
    else if (status == TARE_OK) status = image_decode(out, m, bytes, length, path, &how, &local);
    mem_free(m, bytes);
    if (status == TARE_OK && source->settle) status = source->settle(out, m, path, &local);
    if (status == TARE_OK) status = prepare(out, run, &local);
    if (status == TARE_OK) return TARE_OK;
    if (status == TARE_E_MEMORY) {
        image_free(out, m);
        if (err) *err = local;
        return status;
    }
    *reason = out->reason != TARE_R_NONE ? out->reason
              : status == TARE_E_IO      ? TARE_R_UNREADABLE
                                         : TARE_R_UNSUPPORTED_PIXELS;
    snprintf(why, PHOTO_WHY_MAX, "%.*s", IMAGE_NOTE_MAX - 1,
             out->reason != TARE_R_NONE && *out->note ? out->note : local.message);
    image_free(out, m);
    return TARE_OK;
}

tare_status photo_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                       const plan_base *base, tare_error *err)
{
    const photo_source file = {base->file, run->plan->decoding, NULL};
    return photo_load_file(out, reason, why, run, &file, err);
}

tare_status photo_load_unchanged(image *out, const photo_run *run, const plan_base *base,
                                 tare_error *err)
{
    tare_reason reason = TARE_R_NONE;
    char why[PHOTO_WHY_MAX] = "", hash[65] = "";
    tare_status status = photo_load(out, &reason, why, run, base, err);
    if (status) return status;
    if (!out->rgb)
        return error_set(err, TARE_E_DATA, "run.changed", base->file,
                         "the photograph cannot be read any more: %s", why);
    photo_hash(hash, out);
    if (!strcmp(hash, base->pixels_hash)) return TARE_OK;
    image_free(out, &run->context->mem);
    return error_set(err, TARE_E_DATA, "run.changed", base->file,
                     "the photograph changed since the run began: start anew in another folder");
}

void photo_hash(char hash[65], const image *i)
{
    unsigned char digest[SHA256_BYTES];
    char head[64];
    sha256 h;
    int length = snprintf(head, sizeof head, "%s %dx%d\n", image_mode_name(i->mode), i->width,
                          i->height);
    sha256_init(&h);
    sha256_add(&h, head, (size_t)length);
    if (i->palette) sha256_add(&h, i->palette, 256 * sizeof *i->palette);
    sha256_add(&h, i->rgb, image_pixels(i) * (size_t)i->channels);
    sha256_done(&h, digest);
    sha256_hex(digest, hash);
}
