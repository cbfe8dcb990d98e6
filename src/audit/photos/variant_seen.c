/* The user's own variants as they were when they were scored: their pixels must stay, and one that
 * could not be read may be there now. */
#include "audit/photos/variant_seen.h"

#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_retry.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

typedef struct seen_file {
    char hash[65]; /* of its pixels; "": it could not be used */
    os_stamp stamp;
} seen_file;

/* A time in nanoseconds has more digits than a JSON number keeps: bytes and time are a text. */
#define STAMP_FORMAT "%lld %lld"
enum { STAMP_MAX = 48, KEY_MAX = 40 };

static void seen_key(char key[KEY_MAX], size_t base)
{
    snprintf(key, KEY_MAX, "variant_seen.%zu", base);
}

static void stamp_text(char out[STAMP_MAX], os_stamp stamp)
{
    snprintf(out, STAMP_MAX, STAMP_FORMAT, (long long)stamp.bytes, (long long)stamp.modified_ns);
}

static tare_status keep(photo_run *run, size_t base, const seen_file *files, tare_error *err)
{
    tare_status status = TARE_OK;
    json_writer w;
    text out;
    char key[KEY_MAX], stamp[STAMP_MAX];
    text_init(&out, &run->context->mem);
    json_begin(&w, &out, 0);
    json_array(&w);
    for (size_t k = 0; k < run->plan->slot_count; k++) {
        stamp_text(stamp, files[k].stamp);
        json_array(&w);
        json_string(&w, files[k].hash);
        json_string(&w, stamp);
        json_array_end(&w);
    }
    json_array_end(&w);
    if (out.failed) FAIL_MEMORY(err);
    seen_key(key, base);
    TRY(store_set(run->store, key, out.data, err));
done:
    text_free(&out);
    return status;
}

/* What was kept of a base; *found false: nothing. `files` has a place for every slot. */
static tare_status recall(bool *found, seen_file *files, const photo_run *run, size_t base,
                          arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    json_value *tree = NULL;
    char key[KEY_MAX];
    seen_key(key, base);
    TRY(store_get(&kept, run->store, a, key, err));
    *found = kept != NULL;
    if (!kept) goto done;
    TRY(json_parse(&tree, a, key, kept, strlen(kept), NULL, err));
    bool good = tree->kind == JSON_K_ARRAY && tree->length == run->plan->slot_count;
    for (size_t k = 0; good && k < tree->length; k++) {
        const json_value *row = &tree->children[k];
        long long bytes = 0, time = 0;
        good = row->kind == JSON_K_ARRAY && row->length == 2 &&
               row->children[0].kind == JSON_K_TEXT && row->children[1].kind == JSON_K_TEXT &&
               row->children[0].length < sizeof files[k].hash &&
               sscanf(row->children[1].text, STAMP_FORMAT, &bytes, &time) == 2;
        if (!good) break;
        snprintf(files[k].hash, sizeof files[k].hash, "%s", row->children[0].text);
        files[k].stamp = (os_stamp){bytes, time};
    }
    if (!good)
        FAIL(err, TARE_E_DATA, "run.plan", key,
             "the run folder does not say which variants were scored");
done:
    return status;
}

static tare_status changed(const photo_run *run, size_t base, size_t slot, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "run.changed", run->plan->bases[base].variant_file[slot],
                     "this variant of %s changed since the run began: start anew in another folder",
                     run->plan->bases[base].id);
}

static bool is_own(const photo_run *run, size_t base, size_t slot)
{
    const plan_base *b = &run->plan->bases[base];
    return slot != run->plan->neutral_slot && b->variant_file && b->variant_file[slot];
}

tare_status variant_seen_settle(photo_run *run, char (*hash)[65], size_t base, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    size_t slots = run->plan->slot_count;
    arena brief;
    seen_file *now = NULL, *old = NULL;
    bool found = false;
    arena_init(&brief, m);
    if (!run->plan->custom) goto done;
    TRY_NEW(now = arena_new(&brief, slots, sizeof *now));
    TRY_NEW(old = arena_new(&brief, slots, sizeof *old));
    TRY(recall(&found, old, run, base, &brief, err));
    for (size_t k = 0; k < slots; k++) {
        if (!is_own(run, base, k)) continue;
        if (*old[k].hash && strcmp(old[k].hash, hash[k])) TRY(changed(run, base, k, err));
        snprintf(now[k].hash, sizeof now[k].hash, "%s", hash[k]);
        now[k].stamp = os_file_stamp(run->plan->bases[base].variant_file[k]);
    }
    TRY(keep(run, base, now, err));
done:
    arena_free(&brief);
    return status;
}

/* The hash of the file as it is now, of the size of its photograph; "": it cannot be used. */
static tare_status look(char hash[65], const photo_run *run, size_t base, size_t slot,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_base *b = &run->plan->bases[base];
    const photo_source source = {b->variant_file[slot], run->plan->decoding, NULL};
    tare_reason reason = TARE_R_NONE;
    char why[PHOTO_WHY_MAX] = "";
    image picture;
    *hash = '\0';
    TRY(photo_load_file(&picture, &reason, why, run, &source, err));
    if (!reason && picture.width == b->width && picture.height == b->height)
        photo_hash(hash, &picture);
done:
    image_free(&picture, &run->context->mem);
    return photo_name_memory(status, b, err);
}

static tare_status look_at_base(photo_run *run, size_t base, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    bool found = false, fresh = false, mended = false;
    char hash[65];
    seen_file *files;
    TRY_NEW(files = arena_new(a, run->plan->slot_count, sizeof *files));
    TRY(recall(&found, files, run, base, a, err));
    for (size_t k = 0; found && k < run->plan->slot_count; k++) {
        if (!is_own(run, base, k)) continue;
        os_stamp stamp = os_file_stamp(run->plan->bases[base].variant_file[k]);
        bool same = stamp.bytes == files[k].stamp.bytes &&
                    stamp.modified_ns == files[k].stamp.modified_ns;
        /* What the system refused to read has no other stamp when it may be read. */
        if (same && *files[k].hash) continue;
        TRY(look(hash, run, base, k, err));
        if (*files[k].hash && strcmp(files[k].hash, hash)) TRY(changed(run, base, k, err));
        fresh = fresh || *files[k].hash;
        mended = mended || (!*files[k].hash && *hash);
        files[k].stamp = stamp;
    }
    /* A batch holds others now: all of the base is asked anew. */
    if (mended) TRY(photo_forget_base(run, base, err));
    else if (fresh) TRY(keep(run, base, files, err));
done:
    return status;
}

tare_status variant_seen_look(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    arena brief;
    arena_init(&brief, &run->context->mem);
    if (!run->plan->custom || run->plan->recalled) goto done;
    TRY(photo_group_enter(run, err));
    for (size_t i = 0; i < run->plan->base_count; i++) {
        if (run->plan->bases[i].reason) continue;
        TRY(look_at_base(run, i, &brief, err));
        arena_free(&brief);
        TRY(context_check(run->context, err));
    }
    TRY(photo_group_leave(run, true, err));
done:
    arena_free(&brief);
    return status;
}
