#include "audit/photos/photo_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/measures_json.h"
#include "audit/photos/photo_look.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/rng.h"
#include "base/text.h"

#define GROUP_SECONDS 0.25

const char *photo_pass_name(int pass)
{
    static const char *const names[PASS_COUNT] = {"first", "again", "alone", "shuffled", "late"};
    return pass >= 0 && pass < PASS_COUNT ? names[pass] : "";
}

bool photo_pass_made(int pass, const scorer_description *d)
{
    if (pass == PASS_FIRST) return true;
    if (!d->repeatable) return false;
    return d->batch > 1 || pass == PASS_AGAIN || pass == PASS_LATE;
}

size_t photo_batch_count(const photo_run *run, size_t scorer)
{
    size_t batch = run->instrument[scorer].batch;
    return (run->plan->slot_count + batch - 1) / batch;
}

unsigned char *photo_marked(const photo_run *run, size_t scorer, int pass)
{
    return run->marked[scorer * PASS_COUNT + (size_t)pass];
}

size_t photo_mark_count(const photo_run *run, size_t scorer, int pass)
{
    return pass == PASS_FIRST ? run->plan->base_count * photo_batch_count(run, scorer)
                              : run->plan->base_count;
}

tare_status photo_arm_name(const char **out, arena *a, const char *label, const char *axis,
                           tare_error *err)
{
    *out = arena_printf(a, "%s%s%s", label, *label && *axis ? "/" : "", axis);
    return *out ? TARE_OK : error_memory(err);
}

const char *photo_arm_of(const photo_run *run, size_t base, size_t axis)
{
    size_t axes = run->plan->axis_count;
    return run->arm_name[run->label[base] * (axes + 1) + (axis < axes ? axis : axes)];
}

size_t photo_row(const photo_run *run, size_t base, size_t axis, size_t dose)
{
    const photo_plan *plan = run->plan;
    size_t first = base * plan_rows(plan), row = first + plan_row(plan, base, axis, dose);
    bool own = row - first >= plan->slot_count;
    return own && !run->measures.state[row] ? first + plan->neutral_slot : row;
}

perturb_measures photo_slot_measures(const photo_run *run, size_t base, size_t slot)
{
    return photo_measures_at(&run->measures, base * plan_rows(run->plan) + slot);
}

double photo_attribute(const photo_run *run, size_t base, size_t axis, size_t dose)
{
    const plan_axis *x = &run->plan->axes[axis];
    const plan_base *b = &run->plan->bases[base];
    if (!x->op) return b->variant_attribute ? b->variant_attribute[x->slot[dose]] : NAN;
    perturb_measures m = photo_measures_at(&run->measures, photo_row(run, base, axis, dose));
    return perturb_attribute_of(x->op, &m);
}

double photo_artifact(const photo_run *run, size_t base, size_t axis, size_t dose)
{
    const plan_axis *x = &run->plan->axes[axis];
    const plan_base *b = &run->plan->bases[base];
    if (!x->op) return b->variant_artifact ? b->variant_artifact[x->slot[dose]] : NAN;
    perturb_measures m = photo_measures_at(&run->measures, photo_row(run, base, axis, dose));
    return perturb_artifact_of(x->op, &m);
}

size_t photo_item_axis(const photo_run *run, size_t base, size_t slot)
{
    const photo_plan *plan = run->plan;
    if (!plan->axis_count) return SIZE_MAX;
    return slot == plan->neutral_slot ? plan_first_axis(plan, base) : plan->slots[slot].axis;
}

scorer_item photo_item(const photo_run *run, size_t base, size_t slot, const image *pixels,
                       const perturb_measures *m, char *key)
{
    const plan_base *b = &run->plan->bases[base];
    const plan_slot *s = &run->plan->slots[slot];
    size_t axis = photo_item_axis(run, base, slot);
    const plan_axis *x = axis == SIZE_MAX ? NULL : &run->plan->axes[axis];
    bool stress = x && x->role == PLAN_STRESS, neutral = slot == run->plan->neutral_slot;
    double dose = x && neutral ? x->doses[x->neutral] : s->dose;
    /* Of the photograph's name, not of its place: another photograph more changes no key. */
    snprintf(key, PHOTO_KEY_MAX, "%016llx/%.40s%s%s%+g",
             (unsigned long long)rng_h64(b->id, strlen(b->id)),
             !x ? "" : x->op ? x->op->name : x->name, stress ? "/" : "",
             stress ? mask_set_name(x->set) : "", x ? dose : 0.0);
    return (scorer_item){.key = key,
                         .base = b->shown,
                         .arm = photo_arm_of(run, base, axis),
                         .group = b->group,
                         .prompt = b->prompt ? b->prompt : "",
                         .dose = x ? dose : b->dose,
                         .neutral = x ? x->doses[x->neutral] : 0,
                         .placebo = s->placebo,
                         .attribute = !x                     ? b->attribute
                                      : x->op                ? perturb_attribute_of(x->op, m)
                                      : b->variant_attribute ? b->variant_attribute[slot]
                                                             : NAN,
                         .artifact = !x                    ? b->artifact
                                     : x->op               ? perturb_artifact_of(x->op, m)
                                     : b->variant_artifact ? b->variant_artifact[slot]
                                                           : NAN,
                         .pixels = pixels};
}

size_t photo_flight_window(const photo_run *run, size_t pictures)
{
    double largest = 1;
    for (size_t i = 0; i < run->plan->base_count; i++) {
        const plan_base *b = &run->plan->bases[i];
        if (!b->reason) largest = fmax(largest, 4.0 * b->width * b->height); /* CMYK: 4 channels */
    }
    double items = (double)PHOTO_FLIGHT_BYTES / (largest * (double)pictures);
    double most = 2.0 * pool_threads(run->context->pool) + 2;
    return (size_t)fmax(1, fmin(items, most));
}

tare_status photo_name_memory(tare_status status, const plan_base *base, tare_error *err)
{
    if (status != TARE_E_MEMORY) return status;
    return error_set(err, TARE_E_MEMORY, "memory", base->file,
                     "out of memory at this photograph: fewer --threads need less; a lower "
                     "--max-pixels leaves the largest photographs out");
}

tare_status photo_group_enter(photo_run *run, tare_error *err)
{
    if (run->last_commit > 0) return TARE_OK;
    run->last_commit = os_seconds();
    return store_begin(run->store, err);
}

tare_status photo_group_leave(photo_run *run, bool at_once, tare_error *err)
{
    if (run->last_commit <= 0) return TARE_OK;
    if (!at_once && os_seconds() - run->last_commit < GROUP_SECONDS) return TARE_OK;
    run->last_commit = 0;
    return store_commit(run->store, err);
}

tare_status photo_need_instruments(const photo_run *run, size_t open, tare_error *err)
{
    if (!open || !run->scorer_count || run->scorers) return TARE_OK;
    return error_set(err, TARE_E_DATA, "run.unfinished", NULL,
                     "the run folder says that it is finished, and scores are missing in it: give "
                     "the command that made it again, with the photographs, --scorer and -o, and "
                     "they are scored; or use another folder");
}

tare_status photo_run_flow(photo_run *run, const pool_flow *flow, tare_error *err)
{
    tare_status status = pool_flow_run(run->context->pool, flow, err);
    if (status != TARE_OK && status != TARE_E_STOPPED) return status;
    tare_status flushed = photo_group_leave(run, true, status ? NULL : err);
    return status ? status : flushed;
}

#define FILE_KEY "file.%s"

tare_status photo_remember_file(photo_run *run, const char *pixels_hash, const char *blob,
                                tare_error *err)
{
    char key[96];
    snprintf(key, sizeof key, FILE_KEY, pixels_hash);
    return store_set(run->store, key, blob, err);
}

tare_status photo_recall_file(const char **blob, photo_run *run, arena *a,
                              const char *pixels_hash, tare_error *err)
{
    char key[96];
    snprintf(key, sizeof key, FILE_KEY, pixels_hash);
    tare_status status = store_get(blob, run->store, a, key, err);
    if (status || !*blob || (strlen(*blob) == 64 && strspn(*blob, "0123456789abcdef") == 64))
        return status;
    /* A run folder may come from somebody else: its names are not paths. */
    return error_set(err, TARE_E_DATA, "run.file", pixels_hash,
                     "the run folder names a picture by something that is no SHA-256");
}

/* ---- what the store holds already ----------------------------------------------- */

static tare_status load_base(void *arg, const store_base *row, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_run *run = arg;
    if (row->index < 0 || (size_t)row->index >= run->plan->base_count ||
        strcmp(run->plan->bases[row->index].id, row->id))
        FAIL(err, TARE_E_DATA, "run.plan", row->id,
             "the run folder holds other photographs: use another output folder");
    if (row->status < 0 || row->status >= TARE_REASON_COUNT)
        FAIL(err, TARE_E_DATA, "run.plan", row->id,
             "the run folder gives no known reason why this photograph is not used");
    plan_base *b = &run->plan->bases[row->index];
    b->reason = (tare_reason)row->status;
    b->width = row->width;
    b->height = row->height;
    b->skin_share = row->skin_share;
    b->stamp = (os_stamp){row->bytes, row->modified_ns};
    TRY_NEW(b->why = arena_copy(run->a, row->why));
    TRY_NEW(b->pixels_hash = arena_copy(run->a, row->pixels_hash));
    TRY_NEW(b->notes = arena_copy(run->a, row->notes));
    TRY(photo_look_recall(&b->look, run->store, run->a, (size_t)row->index, err));
    TRY(plan_bars_recall(b, (size_t)row->index, run->store, run->a, err));
done:
    return status;
}

static tare_status load_variant(void *arg, const store_variant *row, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_run *run = arg;
    const photo_plan *plan = run->plan;
    perturb_measures values;
    if (row->base < 0 || (size_t)row->base >= plan->base_count || row->slot < 0 ||
        (size_t)row->slot >= plan_rows(plan))
        FAIL(err, TARE_E_DATA, "run.plan", NULL, "a variant of no photograph");
    run->measured[row->base] = true;
    TRY(measures_parse(&values, &run->context->mem, row->measures, err));
    bool equal = !strcmp(row->pixels_hash, plan->bases[row->base].pixels_hash);
    TRY(photo_measures_put(&run->measures, (size_t)row->base * plan_rows(plan) + (size_t)row->slot,
                           &values, equal ? MEASURED_EQUAL : MEASURED_OTHER, err));
done:
    return status;
}

/* The arms as they are called in tables: of every label, every axis and no axis at all. */
static tare_status name_arms(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = run->plan;
    size_t axes = plan->axis_count + 1, labels = 0;
    map *seen = map_new(run->a->m);
    const char **label = mem_new(run->a->m, plan->base_count + 1, sizeof *label);
    if (!seen || !label) FAIL_MEMORY(err);
    TRY_NEW(run->label = arena_new(run->a, plan->base_count, sizeof *run->label));
    for (size_t i = 0; i < plan->base_count; i++) {
        const char *arm = plan->bases[i].arm;
        size_t k = map_add(seen, arm, strlen(arm), NULL);
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        label[k] = arm;
        run->label[i] = (uint32_t)k;
        labels = map_count(seen);
    }
    TRY_NEW(run->arm_name = arena_new(run->a, labels * axes + 1, sizeof *run->arm_name));
    for (size_t k = 0; k < labels; k++)
        for (size_t x = 0; x < axes; x++)
            TRY(photo_arm_name(&run->arm_name[k * axes + x], run->a, label[k],
                               x + 1 < axes ? plan->axes[x].name : "", err));
done:
    mem_free(run->a->m, label);
    map_free(seen);
    return status;
}

tare_status photo_run_load(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_plan *plan = run->plan;
    TRY(photo_measures_init(&run->measures, run->a, plan->base_count * plan_rows(plan), err));
    TRY_NEW(run->measured = arena_new(run->a, plan->base_count, sizeof *run->measured));
    TRY(name_arms(run, err));
    TRY_NEW(run->marked = arena_new(run->a, run->scorer_count * PASS_COUNT, sizeof *run->marked));
    for (size_t i = 0; i < plan->base_count; i++) plan->bases[i].width = -1; /* not surveyed */
    TRY(store_each_base(run->store, load_base, run, err));
    TRY(store_each_variant(run->store, load_variant, run, err));
    for (size_t s = 0; s < run->scorer_count; s++)
        for (int pass = 0; pass < PASS_COUNT; pass++) {
            size_t n = photo_mark_count(run, s, pass);
            unsigned char **marks = &run->marked[s * PASS_COUNT + (size_t)pass];
            TRY_NEW(*marks = arena_new(run->a, n, 1));
            TRY(store_marked_batches(*marks, (int64_t)n, run->store, (int64_t)s, pass, err));
        }
done:
    return status;
}
