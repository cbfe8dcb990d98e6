/* scorer_verify.c - do the values that were published for a scorer hold here? Scorers 8.5. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/instrument/scorer_commands.h"
#include "audit/photos/instruments.h"
#include "base/error.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/published/published.h"
#include "scorer/recipe/recipe_verified.h"
#include "scorer/scorer.h"

enum { PICTURE_BYTES_MOST = 1 << 28 };

/* One published value under one setting. */
typedef struct trial {
    const recipe_value *v;
    const char *setting; /* "antialias=true"; "" */
    double ours;         /* NaN: it was not scored */
    const char *why;     /* why not                */
    const char *key;     /* recipe_verified.h      */
    bool near;           /* within the tolerance   */
} trial;

typedef struct verifier {
    struct tare_job *job;
    recipe r;
    const char *rest;    /* of the spec, after its scheme */
    const char *images;
    scorer_options options;
    trial *trial;
    size_t count;
    scorer *open;        /* for `setting` and `prompt` */
    const char *setting, *prompt;
} verifier;

/* ---- Names ----------------------------------------------------------------------------------- */

/* A variant prints the cosine on another scale, or asks in other words. What was published is of
 * the first: its soft-max brings the factor itself. */
static tare_status check_variant(const recipe *r, const char *variant, tare_error *err)
{
    if (!variant || !r->variant_count || !strcmp(variant, r->variant[0].name)) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "scorer.variant", variant, "the published values of %s "
                     "are of variant=%s: verify it without this word", r->name,
                     r->variant[0].name);
}

/* "imagereward", or a whole spec: "laion-v1:weights/,arch=any". */
static tare_status read_name(verifier *k, const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &k->job->result.a;
    const char *colon = strchr(name, ':'), *scheme;
    published_words words;
    k->rest = colon ? colon + 1 : "";
    TRY_NEW(scheme = arena_text(a, name, colon ? (size_t)(colon - name) : strlen(name)));
    TRY(recipe_named(&k->r, a, scheme, err));
    if (!colon) {
        k->rest = k->r.words;
        goto done;
    }
    TRY(published_words_read(&words, a, k->r.scheme, k->rest, err));
    if (words.model) { /* clip:model=b32 */
        TRY_NEW(scheme = arena_printf(a, "%s-%s", k->r.scheme, words.model));
        TRY(recipe_named(&k->r, a, scheme, err));
    }
    TRY(check_variant(&k->r, words.variant, err));
    if (*k->r.words && !words.model) /* clip-b32:weights */
        TRY_NEW(k->rest = arena_printf(a, "%s%s%s", k->rest, *k->rest ? "," : "", k->r.words));
done:
    return status;
}

static const char *spec_of(const verifier *k, const char *setting)
{
    return arena_printf(&k->job->result.a, "%s:%s%s%s", k->r.scheme, k->rest,
                        *k->rest && *setting ? "," : "", setting);
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static tare_status list_trials(verifier *k, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = 0;
    for (size_t i = 0; i < k->r.published_count; i++)
        n += k->r.published[i].setting_count ? k->r.published[i].setting_count : 1;
    TRY_NEW(k->trial = arena_new(&k->job->result.a, n + 1, sizeof *k->trial));
    for (size_t i = 0; i < k->r.published_count; i++) {
        const recipe_value *v = &k->r.published[i];
        size_t s = 0;
        do {
            const char *setting = v->setting_count ? v->setting[s] : "";
            k->trial[k->count++] = (trial){v, setting, NAN, "", "", false};
        } while (++s < v->setting_count);
    }
done:
    return status;
}

/* The scorer of a trial. The last one is closed after the next is open: they share weights. */
static tare_status open_scorer(verifier *k, const trial *t, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer *next = NULL;
    const char *spec;
    if (k->open && !strcmp(k->setting, t->setting) && !strcmp(k->prompt, t->v->prompt)) goto done;
    TRY_NEW(spec = spec_of(k, t->setting));
    if (*t->v->prompt) k->options.prompt = t->v->prompt;
    TRY(scorer_open(&next, k->job->context, spec, &k->options, err));
    scorer_close(k->open);
    k->open = next;
    k->setting = t->setting;
    k->prompt = t->v->prompt;
done:
    return status;
}

static tare_status score_picture(verifier *k, trial *t, const char *path, tare_error *err)
{
    tare_status status = TARE_OK;
    image picture;
    scorer_result result;
    tare_error why;
    char *bytes = NULL;
    size_t length = 0;
    const mem *m = &k->job->context->mem;
    memset(&picture, 0, sizeof picture);
    memset(&why, 0, sizeof why);
    tare_status read = os_read_plain(&bytes, &length, m, path, PICTURE_BYTES_MOST, &why);
    if (read == TARE_OK)
        read = image_decode(&picture, m, bytes, length, path, &k->options.decoding, &why);
    if (read == TARE_E_MEMORY) FAIL_MEMORY(err);
    if (read != TARE_OK) {
        TRY_NEW(t->why = arena_copy(&k->job->result.a, why.message));
        goto done;
    }
    scorer_item item = {.key = t->v->image, .base = t->v->image, .arm = "", .group = "",
                        .prompt = t->v->prompt, .dose = NAN, .attribute = NAN, .artifact = NAN,
                        .pixels = &picture, .fresh = true};
    TRY(scorer_score(k->open, &result, &item, 1, err));
    t->ours = result.status == TARE_R_NONE ? result.value : NAN;
    TRY_NEW(t->why = arena_copy(&k->job->result.a, result.note));
done:
    image_free(&picture, m);
    mem_free(m, bytes);
    return status;
}

static tare_status run_trial(verifier *k, trial *t, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path;
    TRY(context_check(k->job->context, err));
    TRY_NEW(path = arena_printf(&k->job->result.a, "%s/%s", k->images, t->v->image));
    if (!os_exists(path)) {
        t->why = "the picture is not there";
        goto done;
    }
    TRY(open_scorer(k, t, err));
    TRY_NEW(t->key = arena_copy(&k->job->result.a, scorer_describe(k->open)->standing_key));
    TRY(score_picture(k, t, path, err));
done:
    return status;
}

/* A published probability: over all prompts of the picture under the same setting. */
static double probability(const verifier *k, const trial *t)
{
    double sum = 0;
    for (size_t i = 0; i < k->count; i++) {
        const trial *x = &k->trial[i];
        if (!strcmp(x->v->image, t->v->image) && !strcmp(x->setting, t->setting) &&
            x->v->softmax != 0)
            sum += exp(t->v->softmax * (x->ours - t->ours));
    }
    return 1 / sum; /* NaN where one of them is */
}

static tare_status run_trials(verifier *k, tare_error *err)
{
    tare_status status = TARE_OK;
    double *ours;
    for (size_t i = 0; i < k->count; i++) TRY(run_trial(k, &k->trial[i], err));
    TRY_NEW(ours = arena_new(&k->job->result.a, k->count + 1, sizeof *ours));
    for (size_t i = 0; i < k->count; i++)
        ours[i] = k->trial[i].v->softmax != 0 ? probability(k, &k->trial[i]) : k->trial[i].ours;
    for (size_t i = 0; i < k->count; i++) {
        k->trial[i].ours = ours[i];
        k->trial[i].near = fabs(ours[i] - k->trial[i].v->value) <= k->trial[i].v->tolerance;
    }
done:
    return status;
}

/* ---- What came out --------------------------------------------------------------------------- */

static const char *outcome(const trial *t)
{
    if (isnan(t->ours)) return *t->why ? t->why : "not scored";
    if (t->v->wrong) return t->near ? "REPRODUCES A KNOWN MISTAKE" : "not reproduced, as it should";
    return t->near ? "holds" : "does not hold";
}

static tare_status add_table(const verifier *k, audit_result *r, tare_error *err)
{
    static const char *const columns[] = {"picture", "setting", "published", "ours", "tolerance",
                                          "outcome", "prompt", "about"};
    tare_status status = TARE_OK;
    result_table *t;
    TRY_NEW(t = result_add_table(r, "published_values", "Published values", columns, 8));
    for (size_t i = 0; i < k->count; i++) {
        const trial *x = &k->trial[i];
        cell *row;
        TRY_NEW(row = result_add_row(r, t));
        row[0] = words_cell(x->v->image);
        row[1] = words_cell(x->setting);
        row[2] = number_cell(x->v->value);
        row[3] = number_cell(x->ours);
        row[4] = number_cell(x->v->tolerance);
        row[5] = words_cell(outcome(x));
        row[6] = words_cell(x->v->prompt);
        row[7] = words_cell(x->v->about);
    }
    t->shown = t->row_count;
done:
    return status;
}

typedef struct tally { size_t held, failed, absent; } tally;

/* Under one setting. */
static tally count_setting(const verifier *k, const char *setting)
{
    tally n = {0, 0, 0};
    for (size_t i = 0; i < k->count; i++) {
        const trial *t = &k->trial[i];
        if (strcmp(t->setting, setting) != 0) continue;
        if (isnan(t->ours)) n.absent++;
        else if (t->near != t->v->wrong) n.held++;
        else n.failed++;
    }
    return n;
}

static tare_status conclude_setting(const verifier *k, const trial *t, audit_result *r,
                                    tare_error *err)
{
    tare_status status = TARE_OK;
    const tally n = count_setting(k, t->setting);
    const char *what;
    TRY_NEW(what = arena_printf(&r->a, "%s%s%s", k->r.name, *t->setting ? " with " : "",
                                t->setting));
    if (n.failed) {
        TRY(result_answer(r, err, "%s: %zu of %zu published values do not hold. Its scores here "
                          "are not those of the published scorer, however plausible they look.",
                          what, n.failed, n.held + n.failed + n.absent));
    } else if (n.absent) {
        TRY(result_answer(r, err, "%s: %zu of %zu published values could not be tried; it stays "
                          "not verified.", what, n.absent, n.held + n.absent));
    } else {
        r->unmet = false; /* of several settings, that of the publisher is enough */
        bool kept = *t->key && recipe_keep_verified(t->key, what);
        TRY(result_answer(r, err, "%s: all %zu published values hold.%s", what, n.held,
                          kept ? " Reports with these weights say so from now on."
                               : " That could not be kept (no cache folder): reports will not say "
                                 "so."));
    }
done:
    return status;
}

static tare_status conclude(const verifier *k, audit_result *r, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < k->count; i++) {
        size_t first = 0;
        while (strcmp(k->trial[first].setting, k->trial[i].setting) != 0) first++;
        if (first == i) TRY(conclude_setting(k, &k->trial[i], r, err));
    }
done:
    return status;
}

static tare_status need_images(const verifier *k, tare_error *err)
{
    char names[300] = "";
    if (k->images && os_is_folder(k->images)) return TARE_OK;
    if (k->images)
        return error_set(err, TARE_E_IO, "scorer.images", k->images, "there is no such folder");
    for (size_t i = 0; i < k->r.published_count; i++) {
        size_t used = strlen(names);
        if (strstr(names, k->r.published[i].image)) continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                 k->r.published[i].image);
    }
    return error_set(err, TARE_E_USAGE, "scorer.images", NULL, "give the folder with the published "
                     "pictures by --images: %s (%s)", names, k->r.published->about);
}

tare_status scorer_verify(struct tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    audit_result *r = &job->result;
    verifier k = {.job = job};
    TRY(read_name(&k, scorer_argument(job, 0), err));
    r->unmet = true;
    TRY_NEW(r->title = arena_printf(&r->a, "Do the published values of %s hold?", k.r.name));
    if (!k.r.published_count) {
        TRY(result_answer(r, err, "No value from picture to score was published for %s: there is "
                          "nothing to compare with, and it stays not verified.", k.r.name));
        goto done;
    }
    k.images = job_text(job, "images");
    TRY(need_images(&k, err));
    instruments_options(&k.options, job);
    k.options.decoding.policy = IMAGE_PUBLISHED;
    TRY_NEW(k.options.shelf = scorer_shelf_new(&job->context->mem));
    TRY(list_trials(&k, err));
    TRY(run_trials(&k, err));
    TRY(add_table(&k, r, err));
    TRY(conclude(&k, r, err));
done:
    scorer_close(k.open);
    scorer_shelf_free(k.options.shelf);
    return status;
}
