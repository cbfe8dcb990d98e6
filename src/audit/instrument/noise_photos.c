#include "audit/instrument/noise_photos.h"

#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_run.h"
#include "base/error.h"
#include "base/os.h"
#include "base/rng.h"
#include "image/encode.h"
#include "image/jpeg_encode.h"
#include "sound/sound.h"

enum { FILES_MOST = 1000000 };

typedef struct found {
    const char *path, *name;
} found;
typedef struct paths {
    found *at;
    size_t count, room;
} paths;

static tare_status add_path(paths *list, const char *path, const char *name, arena *a,
                            tare_error *err)
{
    if (!path || !mem_reserve(a->m, &list->at, &list->room, list->count + 1, sizeof *list->at))
        return error_memory(err);
    list->at[list->count++] = (found){path, name};
    return TARE_OK;
}

static bool looks_like_image(const char *path)
{
    unsigned char head[IMAGE_SNIFF_BYTES];
    size_t n = 0;
    return os_read_start(head, &n, sizeof head, path, NULL) == TARE_OK
           && (image_sniff(head, n) != IMAGE_NOT || sound_sniff(head, n));
}

/* What is no image in a folder is passed over; a file that is named is not. */
static tare_status list_input(paths *list, const char *input, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    os_listing files = {0};
    if (!os_is_folder(input)) return add_path(list, input, input, a, err);
    size_t length = strlen(input);
    const char *between = length && input[length - 1] == '/' ? "" : "/";
    TRY(os_list_files(&files, a, input, FILES_MOST, err));
    for (size_t i = 0; i < files.count; i++) {
        const char *path = arena_printf(a, "%s%s%s", input, between, files.paths[i]);
        if (!path || looks_like_image(path)) TRY(add_path(list, path, files.paths[i], a, err));
    }
done:
    return status;
}

/* `most` of them, drawn by the seed, in their order. */
static void draw(paths *list, size_t most, uint64_t seed)
{
    rng_stream s;
    size_t kept = 0, total = list->count;
    if (!most || total <= most) return;
    rng_start(&s, rng_key_of(seed, "scorer noise/photographs"), 0, 0);
    for (size_t i = 0; i < total && kept < most; i++)
        if (rng_bounded(&s, (uint32_t)(total - i)) < most - kept)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

static tare_status load(noise_photos *p, const paths *list, tare_job *job, const photo_run *run,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        char why[PHOTO_WHY_MAX] = "";
        tare_reason reason = TARE_R_NONE;
        image *picture = &p->picture[p->count];
        const photo_source source = {list->at[i].path, run->plan->decoding, NULL};
        TRY(context_check(job->context, err));
        TRY(photo_load_file(picture, &reason, why, run, &source, err));
        if (!picture->rgb) {
            if (p->left_out++ == 0) {
                p->first_left_out = list->at[i].name;
                TRY_NEW(p->first_why = arena_copy(&job->result.a, why));
            }
            continue;
        }
        TRY_NEW(p->key[p->count] = arena_printf(&job->result.a, "%zu/%s", i, list->at[i].name));
        p->name[p->count++] = list->at[i].name;
        bytes += image_pixels(picture) * (uint64_t)picture->channels;
        if (bytes > PHOTO_FLIGHT_BYTES)
            FAIL(err, TARE_E_LIMIT, "noise.pixels", list->at[i].path, "the photographs are kept in "
                 "memory, and %zu of them have more than 2 GB of pixels: give fewer, or --most %zu",
                 p->count, p->count - 1);
    }
done:
    return status;
}

tare_status noise_photos_load(noise_photos *p, tare_job *job, size_t first, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &job->result.a;
    paths list = {NULL, 0, 0};
    photo_plan plan;
    const photo_run run = {.context = job->context, .plan = &plan};
    *p = (noise_photos){.first_left_out = "", .first_why = ""};
    photo_plan_init(&plan, a);
    TRY(photo_plan_pixels(&plan, job, err));
    p->how = plan.decoding;
    for (size_t i = first; i < job->input_count; i++)
        TRY(list_input(&list, job->inputs[i], a, err));
    p->found = list.count;
    if (!list.count)
        FAIL(err, TARE_E_DATA, "photos.none", job->input_count > first ? job->inputs[first] : "",
             "no photographs here (JPEG, PNG, WebP, TIFF, HEIC or AVIF by their first bytes), "
             "and no recordings");
    draw(&list, (size_t)job_integer(job, "most"), (uint64_t)job_integer(job, "seed"));
    TRY_NEW(p->picture = mem_new(a->m, list.count, sizeof *p->picture));
    TRY_NEW(p->name = arena_new(a, list.count, sizeof *p->name));
    TRY_NEW(p->key = arena_new(a, list.count, sizeof *p->key));
    TRY(load(p, &list, job, &run, err));
    if (!p->count)
        FAIL(err, TARE_E_DATA, "photos.unreadable", p->first_left_out,
             "no photograph could be used (of %zu); this one: %s", list.count, p->first_why);
done:
    mem_free(a->m, list.at);
    return status;
}

void noise_photos_free(noise_photos *p, const mem *m)
{
    for (size_t i = 0; p->picture && i < p->count; i++) image_free(&p->picture[i], m);
    mem_free(m, p->picture);
    p->picture = NULL;
}

tare_status noise_photo_again(image *out, const mem *m, const image *picture, int quality,
                              const image_decoding *how, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char *bytes = NULL;
    size_t length = 0;
    memset(out, 0, sizeof *out);
    if (picture->mode != IMAGE_RGB) goto done;
    if (quality) TRY(image_jpeg_encode(&bytes, &length, m, picture, quality, err));
    else TRY(image_png_encode(&bytes, &length, m, picture, PNG_FAST, err));
    TRY(image_decode(out, m, bytes, length, "(the same photograph, encoded again)", how, err));
done:
    mem_free(m, bytes);
    return status;
}
