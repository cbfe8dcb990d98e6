#include "audit/photos/photo_plan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/manifest.h"
#include "audit/photos/photo_custom.h"
#include "audit/photos/photo_decoding.h"
#include "audit/photos/photo_ignored.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "sound/sound.h"
#include "base/text.h"

/* Photographs in one run; more are a mistake of the path, or a job for shards. */
#define PLAN_MAX_FILES 10000000

void photo_plan_init(photo_plan *plan, arena *a)
{
    memset(plan, 0, sizeof *plan);
    plan->a = a;
    plan->perturb = PERTURB_OPTIONS_DEFAULT;
    plan->first_ignored = plan->first_denied = "";
}

/* Is the file an image by its first bytes? If not, *why_not says what else. A file that cannot be
 * read becomes a base with a reason: it must be counted. */
static bool looks_like_image(plan_base *base, const char **why_not, arena *a)
{
    unsigned char head[IMAGE_SNIFF_BYTES];
    size_t n = 0;
    tare_error seen = {0};
    if (os_read_start(head, &n, sizeof head, base->file, &seen) != TARE_OK) {
        base->reason = TARE_R_UNREADABLE;
        base->why = arena_copy(a, seen.message);
        return true;
    }
    *why_not = n == 0                 ? "an empty file"
               : sound_sniff(head, n) ? PLAN_IGNORED_SOUND
                                      : "not an image by its first bytes";
    return image_sniff(head, n) != IMAGE_NOT;
}

#define RUN_FILE "run.sqlite"

/* Folders below the root that hold a run, with '/' at the end: their pictures are results. */
static tare_status find_runs(map *runs, const os_listing *files, tare_error *err)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *slash = strrchr(files->paths[i], '/');
        if (!slash || strcmp(slash + 1, RUN_FILE)) continue;
        if (map_add(runs, files->paths[i], (size_t)(slash + 1 - files->paths[i]), NULL) == SIZE_MAX)
            return error_memory(err);
    }
    return TARE_OK;
}

static bool in_a_run(const map *runs, const char *path)
{
    if (!map_count(runs)) return false;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
        if (map_find(runs, path, (size_t)(slash + 1 - path)) != SIZE_MAX) return true;
    return false;
}

static tare_status add_files(photo_plan *plan, const os_listing *files, tare_error *err)
{
    tare_status status = TARE_OK;
    map *runs = map_new(plan->a->m);
    if (!runs) FAIL_MEMORY(err);
    TRY(find_runs(runs, files, err));
    TRY_NEW(plan->bases = arena_new(plan->a, files->count, sizeof *plan->bases));
    for (size_t i = 0; i < files->count; i++) {
        if (in_a_run(runs, files->paths[i])) continue;
        plan_base *b = &plan->bases[plan->base_count];
        *b = (plan_base){.id = files->paths[i],
                         .shown = files->paths[i],
                         .cluster = "",
                         .group = "",
                         .arm = "",
                         .kind = "",
                         .dose = NAN,
                         .attribute = NAN,
                         .artifact = NAN,
                         .why = "",
                         .skin_why = "",
                         .torso_why = "",
                         .skin_share = NAN,
                         .pixels_hash = "",
                         .notes = "",
                         .look = ""};
        TRY_NEW(b->file = arena_printf(plan->a, "%s/%s", plan->root, b->id));
        const char *why_not = "";
        if (looks_like_image(b, &why_not, plan->a)) {
            if (!b->why) FAIL_MEMORY(err);
            plan->base_count++;
        } else {
            TRY(photo_ignored_add(plan, b->id, why_not, err));
        }
    }
    for (size_t i = 0; i < files->other_count; i++)
        if (!in_a_run(runs, files->others[i].path))
            TRY(photo_ignored_add(plan, files->others[i].path, files->others[i].why, err));
done:
    map_free(runs);
    return status;
}

tare_status photo_plan_pixels(photo_plan *plan, const tare_job *job, tare_error *err)
{
    plan->prepare_size = (int)job_integer(job, "prepare-size");
    return photo_decoding_read(&plan->decoding, job, err);
}

/* Absolute, so that a run is finished from any working directory. */
static tare_status set_root(photo_plan *plan, const char *folder, tare_error *err)
{
    char full[PATH_MAX];
    plan->root = arena_copy(plan->a, realpath(folder, full) ? full : folder);
    return plan->root ? TARE_OK : error_memory(err);
}

/* An axis for one arm must find it in the manifest. */
static tare_status check_labels(const photo_plan *plan, tare_error *err)
{
    for (size_t x = 0; x < plan->axis_count; x++) {
        const char *only = plan->axes[x].only;
        size_t i = 0;
        while (only && i < plan->base_count && strcmp(plan->bases[i].arm, only)) i++;
        if (only && i == plan->base_count && i)
            return error_set(err, TARE_E_USAGE, "plan.axis", only,
                             "--axis %s:%s: no photograph of the manifest is of the arm \"%s\"",
                             only, plan->axes[x].name, only);
    }
    return TARE_OK;
}

/* The variants are there already: what would make others has nothing to do. */
static tare_status refuse_axes(const tare_job *job, const char *manifest, tare_error *err)
{
    static const char *const makers[] = {"axis", "placebo", "doses", "stress-masks", "segmenter"};
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
        if (job_count(job, makers[k]))
            return error_set(err, TARE_E_USAGE, "plan.custom", manifest,
                             "--%s: the manifest has a column `dose`, so that its files are the "
                             "variants, and none are made here; leave out the one or the other",
                             makers[k]);
    return TARE_OK;
}

/* Nor has what says something of the user's own variants, where there are none. */
static tare_status refuse_custom(const tare_job *job, tare_error *err)
{
    static const char *const own[] = {"axis-name", "neutral"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (photo_custom_option(job, own[k]) && job_count(job, own[k]))
            return error_set(err, TARE_E_USAGE, "plan.custom", own[k],
                             "--%s is for variants of your own, and no manifest with a column "
                             "`dose` names them: leave it out, or give --manifest FILE with doses",
                             own[k]);
    return TARE_OK;
}

tare_status photo_plan_bases(photo_plan *plan, const tare_job *job, const char *folder,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    os_listing files = {0};
    const char *manifest = job_text(job, "manifest");
    TRY(set_root(plan, folder, err));
    TRY(photo_plan_pixels(plan, job, err));
    bool custom = false;
    if (manifest && plan->axis_count)
        TRY(photo_custom_is(&custom, job->context, manifest, err));
    if (!custom) TRY(refuse_custom(job, err));
    if (custom) {
        TRY(refuse_axes(job, manifest, err));
        TRY(photo_custom_plan(plan, job, manifest, plan->root, err));
        plan->custom = true;
        TRY(photo_plan_link(plan, err));
    } else if (manifest) {
        const manifest_options o = {plan->root, job_text(job, "group"), false};
        TRY(manifest_read(plan, job->context, manifest, &o, err));
    } else {
        TRY(os_list_files(&files, plan->a, folder, PLAN_MAX_FILES, err));
        plan->denied = files.denied;
        plan->first_denied = files.first_denied ? files.first_denied : "";
        TRY(add_files(plan, &files, err));
    }
    if (!custom) TRY(photo_plan_order(plan, err));
    if (!custom) TRY(check_labels(plan, err));
done:
    return status;
}

tare_status photo_plan_table(photo_plan *plan, const tare_job *job, const char *path,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const char *slash = strrchr(path, '/');
    TRY_NEW(plan->root = slash ? arena_text(plan->a, path, (size_t)(slash - path))
                               : arena_copy(plan->a, "."));
    /* tare perturb writes DIR/tables/variants.tsv and the files below DIR. */
    size_t length = strlen(plan->root), tail = strlen("/tables");
    if (length > tail && !strcmp(plan->root + length - tail, "/tables"))
        TRY_NEW(plan->root = arena_text(plan->a, plan->root, length - tail));
    else if (!strcmp(plan->root, "tables"))
        plan->root = ".";
    TRY(set_root(plan, plan->root, err));
    TRY(photo_plan_pixels(plan, job, err));
    plan->from_table = true;
    const manifest_options o = {plan->root, job_text(job, "group"), true};
    TRY(manifest_read(plan, job->context, path, &o, err));
    TRY(photo_plan_order(plan, err));
done:
    return status;
}

static int compare_bases(const void *x, const void *y)
{
    return strcmp(((const plan_base *)x)->id, ((const plan_base *)y)->id);
}

tare_status photo_plan_order(photo_plan *plan, tare_error *err)
{
    plan->prompts = 0;
    if (plan->base_count)
        qsort(plan->bases, plan->base_count, sizeof *plan->bases, compare_bases);
    for (size_t i = 0; i < plan->base_count; i++) {
        if (*plan->bases[i].group) plan->has_groups = true;
        plan->prompts += plan->bases[i].prompt && *plan->bases[i].prompt;
        if (i && !strcmp(plan->bases[i].id, plan->bases[i - 1].id))
            return error_set(err, TARE_E_DATA, "plan.duplicate", plan->bases[i].id,
                             "two rows have this base: each base may be named once");
    }
    return TARE_OK;
}
