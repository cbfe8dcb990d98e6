#include "audit/photos/settings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/instruments.h"
#include "audit/photos/photo_segmenter.h"
#include "audit/photos/plan_axes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"

#define KEY_MAX 128

/* How long to wait and whether to ask again decide whether there is a score, never which. */
static bool is_patience(const tare_option_info *o)
{
    return !strcmp(o->name, "timeout") || !strcmp(o->name, "retry");
}

/* Options of these headings, and these two, decide what is scored; the others only how it is
 * analysed. Where a library or a folder lies decides nothing: what it gives is in the fingerprint.
 */
static bool decides_scores(const tare_option_info *o)
{
    if (o->type == TARE_OPTION_PATH || is_patience(o)) return false;
    return !strcmp(o->section, "Photographs") || !strcmp(o->section, "Instruments") ||
           !strcmp(o->name, "seed") || !strcmp(o->name, "max-pixels");
}

/* A run folder may come from somebody else: which library is opened and which folder is written to
 * is for the user to say, each time. */
static bool is_kept(const tare_option_info *o)
{
    static const char *const own[] = {"output", "ort", "embeddings", "dump-graph",
                                      "retry"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (!strcmp(o->name, own[k])) return false;
    return true;
}

static void option_key(char key[KEY_MAX], const char *name, size_t k)
{
    snprintf(key, KEY_MAX, "option.%s.%zu", name, k);
}

/* One fact: kept the first time, compared later. */
static tare_status same_or_new(store *s, arena *a, const char *key, const char *value,
                               const char *what, tare_error *err)
{
    const char *kept = NULL;
    tare_status status = store_get(&kept, s, a, key, err);
    if (status) return status;
    if (!kept) return store_set(s, key, value, err);
    if (!strcmp(kept, value)) return TARE_OK;
    return error_set(err, TARE_E_DATA, "run.settings", what,
                     "the run in this folder was made with \"%s\", now it is \"%s\": give the "
                     "same, or another output folder", kept, value);
}

static tare_status write_option(store *s, const tare_job *job, const tare_option_info *o,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    char key[KEY_MAX], full[PATH_MAX];
    size_t n = job_count(job, o->name);
    for (size_t k = 0; k < n; k++) {
        const char *value = job_text_at(job, o->name, k);
        /* A path must open from any folder later on. */
        if (o->type == TARE_OPTION_PATH && realpath(value, full)) value = full;
        option_key(key, o->name, k);
        TRY(store_set(s, key, value, err));
    }
    /* The end of the list: what an earlier command set must not come back. */
    option_key(key, o->name, n);
    TRY(store_set(s, key, "", err));
done:
    return status;
}

/* All values of a repeatable option, or the one value, as one line. */
static const char *joined(const tare_job *job, const char *name, arena *a)
{
    const char *all = NULL;
    size_t n = job_count(job, name);
    for (size_t k = 0; k < n; k++)
        all = all ? arena_printf(a, "%s\n%s", all, job_text_at(job, name, k))
                  : job_text_at(job, name, k);
    if (n) return all;
    if (!strcmp(name, "axis")) return PLAN_AXIS_DEFAULT;
    const char *fallback = job_text(job, name);
    return fallback ? fallback : "";
}

/* A setting that a build did not know was as its default is now. `begun`: the folder has a run. */
static tare_status old_setting(store *s, arena *a, const char *key, const tare_option_info *o,
                               bool begun, tare_error *err)
{
    const char *kept = NULL;
    tare_status status = TARE_OK;
    if (!begun) return TARE_OK;
    TRY(store_get(&kept, s, a, key, err));
    if (!kept) TRY(store_set(s, key, o->fallback ? o->fallback : "", err));
done:
    return status;
}

static tare_status check_options(store *s, arena *a, const tare_job *job, bool begun,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    char key[KEY_MAX];
    for (size_t i = 0; i < job->class_->info.option_count; i++) {
        const tare_option_info *o = &job->class_->info.options[i];
        if (decides_scores(o)) {
            const char *value = joined(job, o->name, a);
            char what[KEY_MAX];
            if (!value) FAIL_MEMORY(err);
            snprintf(key, sizeof key, "setting.%s", o->name);
            snprintf(what, sizeof what, "--%s", o->name);
            TRY(old_setting(s, a, key, o, begun, err));
            TRY(same_or_new(s, a, key, value, what, err));
        }
        if (is_kept(o)) TRY(write_option(s, job, o, err));
    }
done:
    return status;
}

/* A path as seen from the folder of the photographs, which may have been moved. */
static const char *below(const char *root, const char *path)
{
    size_t length = strlen(root);
    if (!path) return "";
    return !strncmp(path, root, length) && path[length] == '/' ? path + length + 1 : path;
}

static void add_number(sha256 *h, double value)
{
    char digits[NUMBER_TEXT_MAX] = "";
    if (isfinite(value)) number_format(value, digits);
    sha256_add(h, digits, strlen(digits) + 1);
}

/* Plans without them have the hash that they always had. */
static void add_person(sha256 *h, const photo_plan *plan, const plan_base *b)
{
    if (!b->silhouette && b->band_top == 0 && b->band_bottom == 0) return;
    const char *file = below(plan->root, b->silhouette);
    sha256_add(h, file, strlen(file) + 1);
    add_number(h, b->band_top);
    add_number(h, b->band_bottom);
}

static void add_prompt(sha256 *h, const plan_base *b)
{
    static const char word[] = "prompt";
    if (!b->prompt || !*b->prompt) return;
    sha256_add(h, word, sizeof word);
    sha256_add(h, b->prompt, strlen(b->prompt) + 1);
}

static void add_variants(sha256 *h, const photo_plan *plan, const plan_base *b)
{
    for (size_t k = 0; b->variant_file && k < plan->slot_count; k++) {
        const char *file = below(plan->root, b->variant_file[k]);
        sha256_add(h, file, strlen(file) + 1);
        add_number(h, plan->slots[k].dose);
        add_number(h, b->variant_attribute[k]);
        add_number(h, b->variant_artifact[k]);
    }
}

/* The photographs of the plan, as one hash: what the manifest or the table says of each. */
static void plan_hash(char hex[SHA256_HEX], const photo_plan *plan)
{
    sha256 h;
    unsigned char digest[SHA256_BYTES];
    sha256_init(&h);
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        const char *words[] = {b->id, b->cluster, b->group, b->arm, b->kind,
                               below(plan->root, b->file), below(plan->root, b->mask)};
        const double numbers[] = {b->dose, b->attribute, b->artifact};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            sha256_add(&h, words[k], strlen(words[k]) + 1);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) add_number(&h, numbers[k]);
        add_person(&h, plan, b);
        add_prompt(&h, b);
        add_variants(&h, plan, b);
    }
    sha256_done(&h, digest);
    sha256_hex(digest, hex);
}

static bool same_value(const json_value *x, const json_value *y)
{
    if (!x || !y || x->kind != y->kind) return false;
    bool nested = x->kind == JSON_K_ARRAY || x->kind == JSON_K_OBJECT;
    if (x->kind == JSON_K_BOOL) return x->boolean == y->boolean;
    if (x->kind == JSON_K_NUMBER) return x->number == y->number;
    if (x->kind == JSON_K_NULL) return true;
    if (x->length != y->length) return false;
    if (!nested) return !memcmp(x->text, y->text, x->length);
    for (size_t i = 0; i < x->length; i++)
        if ((x->keys && strcmp(x->keys[i], y->keys[i]) != 0) ||
            !same_value(&x->children[i], &y->children[i]))
            return false;
    return true;
}

/* Members that differ, "model, manifest.output.ops": through members that are objects on both
 * sides. */
static void list_differences(text *out, const char *prefix, const json_value *x,
                             const json_value *y)
{
    const json_value *side[] = {x, y};
    char name[KEY_MAX];
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < side[k]->length; i++) {
            const char *key = side[k]->keys[i];
            const json_value *p = json_member(x, key), *q = json_member(y, key);
            if (same_value(p, q) || (k == 1 && p)) continue;
            snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key);
            if (p && q && p->kind == JSON_K_OBJECT && q->kind == JSON_K_OBJECT)
                list_differences(out, name, p, q);
            else text_add_format(out, "%s%s", out->length ? ", " : "", name);
        }
}

/* As same_or_new of canonical JSON: what differs is named, since it is long. */
static tare_status same_json(const photo_run *run, arena *a, const char *key, const char *value,
                             const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    json_value *x, *y;
    text list;
    text_init(&list, a->m);
    TRY(store_get(&kept, run->store, a, key, err));
    if (!kept || !strcmp(kept, value)) {
        status = same_or_new(run->store, a, key, value, name, err);
        goto done;
    }
    TRY(json_parse(&x, a, key, kept, strlen(kept), NULL, err));
    TRY(json_parse(&y, a, key, value, strlen(value), NULL, err));
    if (x->kind == JSON_K_OBJECT && y->kind == JSON_K_OBJECT) list_differences(&list, "", x, y);
    if (list.failed) FAIL_MEMORY(err);
    FAIL(err, TARE_E_DATA, "run.settings", name, "the run in this folder was made with another %s "
         "(%.300s): give the same, or another output folder",
         strstr(key, "runtime") ? "engine of this instrument" : "instrument of this name",
         list.length ? list.data : "what it is");
done:
    text_free(&list);
    return status;
}

static tare_status check_scorers(const photo_run *run, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    char key[KEY_MAX];
    for (size_t i = 0; i < run->scorer_count; i++) {
        const scorer_description *d = &run->instrument[i];
        snprintf(key, sizeof key, "scorer.%zu.identity", i);
        TRY(same_json(run, a, key, d->identity, d->name, err));
        snprintf(key, sizeof key, "scorer.%zu.runtime", i);
        TRY(same_json(run, a, key, d->runtime, d->name, err));
    }
done:
    return status;
}

static tare_status check_segmenter(const photo_run *run, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!run->silhouettes) return TARE_OK;
    const segmenter_description *d = segmenter_describe(run->silhouettes);
    TRY(same_json(run, a, SEGMENTER_IDENTITY, d->identity, d->name, err));
    TRY(same_json(run, a, SEGMENTER_RUNTIME, d->runtime, d->name, err));
done:
    return status;
}

tare_status settings_check(const photo_run *run, const tare_job *job, const char *input,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    arena a;
    const char *begun = NULL;
    char hex[SHA256_HEX], full[PATH_MAX];
    arena_init(&a, &run->context->mem);
    plan_hash(hex, run->plan);
    TRY(store_begin(run->store, err));
    TRY(store_get(&begun, run->store, &a, "job", err));
    TRY(same_or_new(run->store, &a, "job", job->class_->info.name, "the command", err));
    TRY(check_options(run->store, &a, job, begun != NULL, err));
    if (!run->plan->recalled)
        TRY(same_or_new(run->store, &a, "plan.hash", hex, "the list of photographs", err));
    TRY(check_scorers(run, &a, err));
    TRY(check_segmenter(run, &a, err));
    if (realpath(input, full)) TRY(store_set(run->store, "input", full, err));
    TRY(store_set(run->store, "version", tare_version(), err));
    TRY(store_commit(run->store, err));
done:
    if (status) store_rollback(run->store);
    arena_free(&a);
    return status;
}

/* ---- what a folder of somebody else may not name ---------------------------------- */

/* What is still open when a run goes on. */
struct unfinished { bool plan, scores; };

static tare_status is_absent(bool *out, store *s, arena *a, const char *key, tare_error *err)
{
    const char *value = NULL;
    tare_status status = store_get(&value, s, a, key, err);
    *out = value == NULL;
    return status;
}

/* A query, a file for which a library is opened, or standard input: no file that is only read. */
static tare_status check_file(const char *value, const char *what, tare_error *err)
{
    static const char query[] = "duckdb:", parquet[] = ".parquet";
    size_t length = strlen(value), end = sizeof parquet - 1;
    bool plain = strncmp(value, query, sizeof query - 1) && strcmp(value, "-") &&
                 (length < end || strcmp(value + length - end, parquet));
    if (plain) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "run.query", what,
                     "to go on, the run folder wants to ask a query or to open DuckDB: \"%s\"; if "
                     "you trust it, give the command that began the run again, with the "
                     "photographs or their table and -o", value);
}

/* Those that only compute or read a table; a new back end is not trusted until it is named here. */
static tare_status check_scorer(const char *spec, const char *option, const char *folder,
                                tare_error *err)
{
    static const char *const harmless[] = {"planted:", "brisque:", "table:"};
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
        if (!strncmp(spec, harmless[k], strlen(harmless[k]))) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "run.program", folder,
                     "to go on, the run folder wants to %s; if you trust it, name it yourself: "
                     "--%s '%s'",
                     strncmp(spec, "exec:", 5) ? "open a model" : "start a program", option, spec);
}

static tare_status recall_option(tare_job *job, store *s, const tare_option_info *o,
                                 struct unfinished open, tare_error *err)
{
    tare_status status = TARE_OK;
    char key[KEY_MAX];
    if (job_count(job, o->name)) return TARE_OK; /* set now: that holds */
    /* The library would be run, and the folder may come from somebody else. */
    if (!strcmp(o->name, "ort")) return TARE_OK;
    for (size_t k = 0; !k || o->repeats; k++) {
        const char *value = NULL;
        option_key(key, o->name, k);
        TRY(store_get(&value, s, &job->a, key, err));
        if (!value || !*value) break;
        if (open.plan && o->type == TARE_OPTION_PATH) TRY(check_file(value, o->name, err));
        if (open.scores && (!strcmp(o->name, "scorer") || !strcmp(o->name, "segmenter")))
            TRY(check_scorer(value, o->name, job->folder, err));
        TRY(tare_job_set(job, o->name, value, err));
    }
done:
    return status;
}

tare_status settings_recall(tare_job *job, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *input = NULL;
    struct unfinished open;
    TRY(is_absent(&open.plan, s, &job->a, "plan.bases", err));
    TRY(is_absent(&open.scores, s, &job->a, INSTRUMENTS_KEY, err));
    for (size_t i = 0; i < job->class_->info.option_count; i++)
        if (is_kept(&job->class_->info.options[i]))
            TRY(recall_option(job, s, &job->class_->info.options[i], open, err));
    TRY(store_get(&input, s, &job->a, "input", err));
    if (!input)
        FAIL(err, TARE_E_DATA, "run.input", NULL,
             "the run folder does not say which photographs it is about: it was stopped before "
             "it began; give the photographs again");
    if (open.plan) TRY(check_file(input, "the input", err));
    job->inputs[0] = input;
done:
    return status;
}
