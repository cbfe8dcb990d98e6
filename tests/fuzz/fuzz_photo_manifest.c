/* Any bytes as a manifest of photographs, a table of variants or a custom axis: what is accepted
 * has names, kinds, bands, doses and an order, and is the same the next time. The first byte
 * chooses the options. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "audit/photos/manifest.h"
#include "audit/photos/photo_custom.h"
#include "fuzz.h"

static tare_status read_custom(photo_plan *plan, tare_context *context, const char *path,
                               unsigned flags, tare_error *err)
{
    tare_job *job = NULL;
    REQUIRE(tare_job_new(&job, context, "audit", err) == TARE_OK);
    if (flags & 2) REQUIRE(tare_job_set(job, "group", "sex", err) == TARE_OK);
    if (flags & 1) REQUIRE(tare_job_set(job, "neutral", "2", err) == TARE_OK);
    tare_status status = photo_custom_plan(plan, job, path, "/photos", err);
    tare_job_free(job);
    return status;
}

static tare_status read_plan(photo_plan *plan, tare_context *context, const char *path,
                             unsigned flags, tare_error *err)
{
    if (flags & 4) return read_custom(plan, context, path, flags, err);
    const manifest_options o = {"/photos", flags & 2 ? "sex" : NULL,
                                flags & 1 ? MANIFEST_VARIANTS : MANIFEST_BASES};
    tare_status status = manifest_read(plan, context, path, &o, err);
    return status == TARE_OK ? photo_plan_order(plan, err) : status;
}

static void check_axis(const photo_plan *plan)
{
    const plan_axis *x = plan->axes;
    REQUIRE(plan->axis_count == 1 && x->n_doses >= 2 && x->n_doses <= 64);
    REQUIRE(x->neutral < x->n_doses && plan->slot_count == x->n_doses);
    REQUIRE(plan->neutral_slot == x->neutral && *x->name);
    for (size_t d = 1; d < x->n_doses; d++) REQUIRE(x->doses[d - 1] < x->doses[d]);
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        size_t files = 0;
        for (size_t d = 0; d < x->n_doses; d++) files += b->variant_file[d] != NULL;
        REQUIRE(files > 0 && (b->reason == TARE_R_NONE) == (b->variant_file[x->neutral] != NULL));
    }
}

static void check_plan(const photo_plan *plan)
{
    REQUIRE(plan->base_count > 0);
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        REQUIRE(*b->id && *b->shown && *b->file == '/' && b->arm && b->cluster && b->group);
        REQUIRE(!*b->kind || !strcmp(b->kind, "real") || !strcmp(b->kind, "synthetic"));
        REQUIRE(i == 0 || strcmp(b[-1].id, b->id) < 0);
        REQUIRE(!b->silhouette || *b->silhouette == '/');
        REQUIRE((b->band_top == 0 && b->band_bottom == 0) ||
                (b->band_top >= 0 && b->band_top < b->band_bottom));
    }
}

static void check_equal(const photo_plan *x, const photo_plan *y)
{
    REQUIRE(x->base_count == y->base_count);
    for (size_t i = 0; i < x->base_count; i++)
        REQUIRE(!strcmp(x->bases[i].id, y->bases[i].id) &&
                !strcmp(x->bases[i].file, y->bases[i].file));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    int fd = memfd_create("manifest", 0);
    REQUIRE(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *context = NULL;
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    photo_plan once, again;
    photo_plan_init(&once, &a);
    photo_plan_init(&again, &a);
    tare_error err = {TARE_OK, "", "", ""};
    o.threads = 1;
    REQUIRE(tare_context_new(&context, &o, &err) == TARE_OK);
    tare_status status = read_plan(&once, context, path, data[0], &err);
    if (status == TARE_OK) {
        check_plan(&once);
        if (data[0] & 4) check_axis(&once);
        REQUIRE(read_plan(&again, context, path, data[0], &err) == TARE_OK);
        check_equal(&once, &again);
    } else {
        REQUIRE(status == err.status && *err.code && *err.message);
        REQUIRE(status != TARE_E_BUG && status != TARE_E_MEMORY);
    }
    arena_free(&a);
    tare_context_free(context);
    close(fd);
    return 0;
}
