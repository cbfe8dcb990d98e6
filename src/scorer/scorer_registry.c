/* The one list of back ends, and what is the same for all of them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/resize.h"
#include "scorer/backends.h"
#include "scorer/fingerprint.h"
#include "scorer/recipe/recipe.h"
#include "scorer/scorer.h"

enum { BATCH_MAX = 4096 };

struct scorer {
    tare_context *context;
    const scorer_backend *backend;
    void *state;
    arena a;
    scorer_description d;
};

static const scorer_backend *const backends[] = {
    &scorer_brisque, &scorer_laion_v1, &scorer_laion_v2, &scorer_pickscore, &scorer_hpsv2_0,
    &scorer_hpsv2_1, &scorer_imagereward, &scorer_clip, &scorer_nsfw, &scorer_onnx, &scorer_exec,
    &scorer_table, &scorer_planted,
};

const scorer_backend *scorer_backend_at(size_t index)
{
    return index < sizeof backends / sizeof *backends ? backends[index] : NULL;
}

const char *tare_published_at(size_t index)
{
    return recipe_name_at(index);
}

const tare_backend_info *tare_backend_info_at(size_t index)
{
    const scorer_backend *b = scorer_backend_at(index);
    return b ? &b->info : NULL;
}

tare_status tare_backend_check(tare_context *context, size_t index, tare_error *err)
{
    const scorer_backend *b = scorer_backend_at(index);
    if (!context || !b)
        return error_set(err, TARE_E_USAGE, "scorer.backend", NULL, "no back end has this index");
    return b->check(context, err);
}

static void add_name(char *list, size_t size, const char *scheme)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s:", used ? ", " : "", scheme);
}

static tare_status find_backend(const scorer_backend **out, const char *spec, tare_error *err)
{
    const char *colon = strchr(spec, ':');
    size_t scheme = colon ? (size_t)(colon - spec) : strlen(spec);
    char known[512] = "", near[128] = "", seen[64];
    for (size_t i = 0; scorer_backend_at(i); i++) {
        const scorer_backend *b = scorer_backend_at(i);
        if (colon && strlen(b->scheme) == scheme && !memcmp(b->scheme, spec, scheme)) {
            *out = b;
            return TARE_OK;
        }
        add_name(known, sizeof known, b->scheme);
        if (scheme > 0 && !strncmp(b->scheme, spec, scheme)) add_name(near, sizeof near, b->scheme);
    }
    snprintf(seen, sizeof seen, "%s", spec);
    if (*near) /* hpsv2: has two versions, and neither is the default */
        return error_set(err, TARE_E_USAGE, "scorer.scheme", seen,
                         "not a scorer by itself; say which: %s", near);
    return error_set(err, TARE_E_USAGE, "scorer.scheme", seen,
                     "not a scorer; what is known: %s (`tare doctor` says more)", known);
}

static tare_status check_options(const scorer_options *o, tare_error *err)
{
    if (o->batch > BATCH_MAX)
        return error_set(err, TARE_E_USAGE, "scorer.batch", NULL, "a batch of %zu: at most %d",
                         o->batch, (int)BATCH_MAX);
    if (!(o->timeout_seconds > 0.0) || !isfinite(o->timeout_seconds))
        return error_set(err, TARE_E_USAGE, "scorer.timeout", NULL,
                         "the time limit must be a positive number of seconds");
    return TARE_OK;
}

tare_status scorer_open(scorer **out, tare_context *context, const char *spec,
                        const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &context->mem;
    scorer_options o = options ? *options : SCORER_OPTIONS_DEFAULT;
    const scorer_backend *backend = NULL;
    scorer *s = NULL;
    *out = NULL;
    if (!o.prompt) o.prompt = "";
    TRY(check_options(&o, err));
    TRY(find_backend(&backend, spec, err));
    TRY_NEW(s = mem_new(m, 1, sizeof *s));
    s->context = context;
    s->backend = backend;
    arena_init(&s->a, m);
    s->d = (scorer_description){.name = backend->scheme, .source = "", .licence = "",
                                .standing = "", .standing_key = "",
                                .batch = o.batch ? o.batch : 1, .sign = 1.0, .range_lo = NAN,
                                .range_hi = NAN, .identified = true, .repeatable = true};
    TRY_NEW(s->d.spec = arena_copy(&s->a, spec));
    const char *rest = strchr(s->d.spec, ':') + 1;
    TRY(backend->open(&s->state, &s->d, &s->a, context, rest, &o, err));
    if (s->d.needs_pixels && !s->d.hears) TRY(fingerprint_decoding(&s->d, &s->a, &o.decoding, err));
    if (o.lower_is_better >= 0) s->d.sign = o.lower_is_better ? -1.0 : 1.0;
    *out = s;
    s = NULL;
done:
    scorer_close(s);
    return status;
}

void scorer_close(scorer *s)
{
    if (!s) return;
    if (s->state) s->backend->close(s->state);
    arena_free(&s->a);
    mem_free(&s->context->mem, s);
}

const scorer_description *scorer_describe(const scorer *s)
{
    return &s->d;
}

tare_status scorer_prompt_ids(scorer_prompt *out, arena *a, const scorer *s, const char *prompt,
                              tare_error *err)
{
    *out = (scorer_prompt){.id = NULL};
    if (!s->d.takes_prompt || !s->backend->prompt_ids) return TARE_OK;
    return s->backend->prompt_ids(out, a, s->state, prompt, err);
}

static void write_note(scorer_result *r, const char *format, va_list args)
{
    static const char more[] = " ...";
    char line[sizeof r->note] = "";
    int length = vsnprintf(line, sizeof line, format, args);
    line[utf8_valid_prefix(line, strlen(line))] = '\0';
    if (length >= (int)sizeof line) { /* cut at a word, where one ends near */
        size_t end = utf8_valid_prefix(line, sizeof line - sizeof more);
        for (size_t k = end; k > end / 2; k--)
            if (line[k] == ' ') {
                end = k;
                break;
            }
        memcpy(line + end, more, sizeof more);
    }
    text_make_plain(line);
    memcpy(r->note, line, sizeof line);
}

void scorer_result_note(scorer_result *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_note(r, format, args);
    va_end(args);
}

void scorer_result_fail(scorer_result *r, tare_reason status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_note(r, format, args);
    va_end(args);
    r->value = NAN;
    r->status = status;
}

void scorer_result_value(scorer_result *r, double value)
{
    r->note[0] = '\0';
    r->value = value;
    r->status = TARE_R_NONE;
}

/* Can the item be given to the back end at all? If not, its result says why. */
static bool usable(const scorer *s, scorer_result *r, const scorer_item *item)
{
    if (!s->d.needs_pixels) return true;
    const image *p = item->pixels;
    if (!p || !p->rgb) {
        scorer_result_fail(r, TARE_R_MISSING, "no pixels");
        return false;
    }
    if (s->d.hears != (p->mode == IMAGE_SOUND)) {
        scorer_result_fail(r, TARE_R_UNSUPPORTED_PIXELS, s->d.hears
                               ? "a picture, and this instrument takes recordings"
                               : "a recording, and this instrument takes pictures");
        return false;
    }
    if (s->d.hears) return true;
    if (p->width < s->d.min_side || p->height < s->d.min_side) {
        scorer_result_fail(r, TARE_R_UNSUPPORTED_PIXELS, "%d x %d: a side below %d", p->width,
                           p->height, s->d.min_side);
        return false;
    }
    return true;
}

/* Whatever a back end wrote: a finite value without a status, or a status without a value. */
static void settle(scorer_result *r)
{
    r->note[sizeof r->note - 1] = '\0';
    if (r->status == TARE_R_NONE && !isfinite(r->value))
        scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the score is not a finite number");
    if (r->status != TARE_R_NONE) r->value = NAN;
}

/* Must its pixels be converted before the back end sees them? */
static bool foreign(const scorer *s, const scorer_item *item)
{
    bool given_rgb = s->d.needs_pixels && !s->d.any_mode && !s->d.hears;
    return given_rgb && item->pixels && item->pixels->mode != IMAGE_RGB;
}

/* `item` with RGB in place of its pixels, which are *made. */
static tare_status as_rgb(scorer_item *item, image *made, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    const image *p = item->pixels;
    resize_how how = {RESIZE_NEAREST, RESIZE_ACROSS_FIRST};
    TRY(image_resize(made, m, p, p->width, p->height, how, err)); /* equal size: a copy */
    TRY(image_to_rgb(made, m, err));
    item->pixels = made;
done:
    return status;
}

/* The usable items only, as RGB where need be, padded to a whole batch by repeating the last. */
static tare_status score_copies(scorer *s, scorer_result *results, const scorer_item *items,
                                size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    size_t count = 0, batch = s->d.batch;
    scorer_item *given = NULL;
    scorer_result *got = NULL;
    size_t *from = NULL;
    image *made = NULL;
    TRY_NEW(given = mem_new(m, batch, sizeof *given));
    TRY_NEW(got = mem_new(m, batch, sizeof *got));
    TRY_NEW(from = mem_new(m, n, sizeof *from));
    TRY_NEW(made = mem_new(m, n, sizeof *made));
    for (size_t i = 0; i < n; i++)
        if (usable(s, &results[i], &items[i])) {
            from[count] = i;
            given[count] = items[i];
            if (foreign(s, &items[i])) TRY(as_rgb(&given[count], &made[i], m, err));
            count++;
        }
    if (!count) goto done;
    for (size_t i = count; i < batch; i++) given[i] = given[count - 1];
    for (size_t i = 0; i < batch; i++) got[i].value = NAN;
    TRY(s->backend->score(s->state, got, given, batch, err));
    for (size_t i = 0; i < count; i++) results[from[i]] = got[i];
done:
    for (size_t i = 0; made && i < n; i++) image_free(&made[i], m);
    mem_free(m, given);
    mem_free(m, got);
    mem_free(m, from);
    mem_free(m, made);
    return status;
}

tare_status scorer_score(scorer *s, scorer_result *results, const scorer_item *items, size_t n,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    if (n > s->d.batch)
        return error_set(err, TARE_E_BUG, "scorer.batch", s->d.name,
                         "%zu items for a batch of %zu", n, s->d.batch);
    if (n == 0) return TARE_OK;
    bool whole = n == s->d.batch;
    for (size_t i = 0; i < n; i++) {
        scorer_result_fail(&results[i], TARE_R_SCORER_ERROR, "not scored");
        whole = usable(s, &results[i], &items[i]) && !foreign(s, &items[i]) && whole;
    }
    if (whole) TRY(s->backend->score(s->state, results, items, n, err));
    else TRY(score_copies(s, results, items, n, err));
done:
    for (size_t i = 0; i < n; i++) settle(&results[i]);
    return status;
}
