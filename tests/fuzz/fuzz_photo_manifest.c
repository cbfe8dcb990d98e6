/* Any bytes as a manifest of photographs or a table of variants: what is accepted has names, kinds
 * and an order, and is the same the next time. The first byte chooses the options. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "audit/photos/manifest.h"
#include "fuzz.h"

static tare_status read_plan(photo_plan *plan, tare_context *context, const char *path,
                             unsigned flags, tare_error *err)
{
    const manifest_options o = {"/photos", flags & 2 ? "sex" : NULL, flags & 1};
    tare_status status = manifest_read(plan, context, path, &o, err);
    return status == TARE_OK ? photo_plan_order(plan, err) : status;
}

static void check_plan(const photo_plan *plan)
{
    REQUIRE(plan->base_count > 0);
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        REQUIRE(*b->id && *b->shown && *b->file == '/' && b->arm && b->cluster && b->group);
        REQUIRE(!*b->kind || !strcmp(b->kind, "real") || !strcmp(b->kind, "synthetic"));
        REQUIRE(i == 0 || strcmp(b[-1].id, b->id) < 0);
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
