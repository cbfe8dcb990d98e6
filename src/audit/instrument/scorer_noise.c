#include "audit/instrument/scorer_noise.h"

#include <string.h>

#include "audit/instrument/noise_measure.h"
#include "audit/instrument/noise_report.h"
#include "audit/photos/instruments.h"
#include "audit/photos/sound_words.h"
#include "base/error.h"
#include "base/rng.h"

enum { FIRST_PHOTO = 2, OTHER_BATCH = 4 };

/* ---- On the scorer as it is ------------------------------------------------------------------ */

static void shuffle(size_t *order, size_t n, uint64_t seed)
{
    rng_stream s;
    rng_start(&s, rng_key_of(seed, "scorer noise/order"), 0, 0);
    for (size_t i = n; i-- > 1;) {
        size_t j = rng_bounded(&s, (uint32_t)(i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static tare_status ask_orders(noise_bench *b, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &b->job->context->mem;
    size_t n = b->photos->count, *order = NULL;
    const noise_way plain = {0};
    TRY(noise_ask(b, NOISE_FIRST, "in the order of their names", &plain, err));
    TRY(noise_ask(b, NOISE_REPEAT, "the same calls again", &plain, err));
    TRY_NEW(order = mem_new(m, n, sizeof *order));
    const noise_way ordered = {.order = order};
    for (size_t i = 0; i < n; i++) order[i] = n - 1 - i;
    TRY(noise_ask(b, NOISE_REVERSED, "the last photograph first", &ordered, err));
    for (size_t i = 0; i < n; i++) order[i] = i;
    shuffle(order, n, (uint64_t)job_integer(b->job, "seed"));
    TRY(noise_ask(b, NOISE_SHUFFLED, "in an order drawn by the seed", &ordered, err));
done:
    mem_free(m, order);
    return status;
}

static tare_status ask_threads(noise_bench *b, tare_error *err)
{
    const scorer_description *d = scorer_describe(b->s);
    unsigned threads = pool_threads(b->job->context->pool);
    if (!d->parallel) {
        b->trial[NOISE_THREADS].why_not = "it is asked by one thread only";
        return TARE_OK;
    }
    if (threads < 2) {
        b->trial[NOISE_THREADS].why_not = "one thread was allowed (--threads)";
        return TARE_OK;
    }
    const noise_way way = {.threads = true};
    const char *how = arena_printf(&b->job->result.a, "%u threads against 1", threads);
    return how ? noise_ask(b, NOISE_THREADS, how, &way, err) : error_memory(err);
}

/* Pixels through a file and back. PNG keeps them, so that it is the control. */
static tare_status ask_again_encoded(noise_bench *b, noise_kind kind, int quality, const char *how,
                                     tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &b->job->context->mem;
    size_t n = b->photos->count, made = 0;
    image *again = NULL;
    if (!scorer_describe(b->s)->needs_pixels) {
        b->trial[kind].why_not = "it does not look at pixels";
        return TARE_OK;
    }
    TRY_NEW(again = mem_new(m, n, sizeof *again));
    for (size_t i = 0; i < n; i++) {
        TRY(context_check(b->job->context, err));
        TRY(noise_photo_again(&again[i], m, &b->photos->picture[i], quality, &b->photos->how,
                              err));
        made += again[i].rgb != NULL;
    }
    const noise_way way = {.picture = again};
    if (made) TRY(noise_ask(b, kind, how, &way, err));
    else b->trial[kind].why_not = scorer_describe(b->s)->hears ? "it takes recordings"
                                                               : "no photograph is in RGB";
done:
    for (size_t i = 0; again && i < n; i++) image_free(&again[i], m);
    mem_free(m, again);
    return status;
}

static tare_status check_scored(const noise_bench *b, tare_error *err)
{
    const noise_trial_of *first = &b->trial[NOISE_FIRST];
    if (first->failed < b->photos->count) return TARE_OK;
    return error_set(err, TARE_E_INSTRUMENT, "scorer.silent", scorer_describe(b->s)->name,
                     "it gave no score; of the first photograph it said: %s", first->note);
}

static tare_status ask_as_it_is(noise_bench *b, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(ask_orders(b, err));
    TRY(check_scored(b, err));
    TRY(ask_threads(b, err));
    TRY(ask_again_encoded(b, NOISE_PNG, 0, "through PNG and back", err));
    TRY(ask_again_encoded(b, NOISE_JPEG, NOISE_JPEG_QUALITY, "through JPEG 95 and back", err));
done:
    return status;
}

/* ---- On the scorer opened in another way ----------------------------------------------------- */

/* One at a time: the scorer that was open may hold gigabytes. */
static tare_status open_again(noise_bench *b, const scorer_options *options, tare_error *err)
{
    scorer_close(b->s);
    b->s = NULL;
    return scorer_open(&b->s, b->job->context, b->job->inputs[1], options, err);
}

static tare_status ask_batch(noise_bench *b, scorer_options options, size_t own, tare_error *err)
{
    tare_status status = TARE_OK;
    const noise_way plain = {0};
    const char *how;
    options.batch = own > 1 ? 1 : OTHER_BATCH;
    TRY(open_again(b, &options, err));
    size_t other = scorer_describe(b->s)->batch;
    if (other == own) {
        b->trial[NOISE_BATCH].why_not = own > 1 ? "its batch is fixed" : "it has no batches";
        goto done;
    }
    TRY_NEW(how = arena_printf(&b->job->result.a, "batches of %zu against %zu", other, own));
    TRY(noise_ask(b, NOISE_BATCH, how, &plain, err));
done:
    return status;
}

static tare_status ask_library(noise_bench *b, scorer_options options, const char *runtime,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const noise_way plain = {0};
    noise_trial_of *t = &b->trial[NOISE_LIBRARY];
    const char *other = job_text(b->job, "ort-other");
    bool uses = strstr(runtime, "ONNX Runtime") != NULL;
    if (!other || !uses) {
        t->why_not = uses ? "no second library was named (--ort-other)"
                          : "it does not run on ONNX Runtime";
        goto done;
    }
    options.ort_library = other;
    TRY(open_again(b, &options, err));
    if (!strcmp(scorer_describe(b->s)->runtime, runtime)) {
        t->why_not = "both libraries are of one version";
        goto done;
    }
    TRY(noise_ask(b, NOISE_LIBRARY, "another ONNX Runtime", &plain, err));
done:
    return status;
}

/* ---- All ------------------------------------------------------------------------------------- */

static tare_status check_inputs(const tare_job *job, tare_error *err)
{
    if (job->input_count > FIRST_PHOTO) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "job.inputs", "noise", "say which scorer and which "
                     "photographs: tare scorer noise SPEC PHOTOS...");
}

static tare_status measure(noise_bench *b, noise_about *about, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer_options options;
    instruments_options(&options, b->job);
    options.decoding = b->photos->how;
    TRY(open_again(b, &options, err));
    TRY(noise_about_read(about, scorer_describe(b->s), &b->job->result.a, err));
    if (!about->repeatable) goto done;
    progress_start(&b->bar, b->job->context, "score", "image",
                   NOISE_KINDS * (uint64_t)b->photos->count, 0);
    TRY(ask_as_it_is(b, err));
    TRY(ask_batch(b, options, about->batch, err));
    TRY(ask_library(b, options, about->runtime, err));
    progress_end(&b->bar);
done:
    return status;
}

tare_status scorer_noise(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    noise_photos photos = {0};
    noise_about about = {0};
    noise_bench b = {.job = job, .photos = &photos};
    TRY(check_inputs(job, err));
    TRY(noise_photos_load(&photos, job, FIRST_PHOTO, err));
    TRY(measure(&b, &about, err));
    TRY(noise_report(&b, &about, err));
    TRY(sound_words(&job->result, photos.picture[0].mode == IMAGE_SOUND, err));
done:
    scorer_close(b.s);
    noise_photos_free(&photos, &job->context->mem);
    return status;
}
