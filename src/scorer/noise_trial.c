#include "scorer/noise_trial.h"

#include <math.h>

#include "base/error.h"

enum { IMAGES = 4, SIDE = 48 };

/* Smooth shapes with a fixed texture: every machine draws the same. */
static tare_status draw(image *out, const mem *m, unsigned which, tare_error *err)
{
    tare_status status = image_new(out, m, SIDE, SIDE + (int)which, err);
    if (status) return status;
    size_t n = image_pixels(out);
    uint32_t state = 2463534242u + which;
    for (size_t i = 0; i < 3 * n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        size_t x = i / 3 % SIDE, y = i / 3 / SIDE;
        out->rgb[i] = (unsigned char)((x * (2 + which) + y * 3) % 200 + (state & 31));
    }
    return TARE_OK;
}

/* *batch: as wished; what the scorer makes of it. */
static tare_status ask(double *scores, size_t *batch, tare_context *context, const char *spec,
                       const scorer_item *items, tare_error *err)
{
    tare_status status = TARE_OK;
    scorer *s = NULL;
    scorer_result results[IMAGES];
    scorer_options options = SCORER_OPTIONS_DEFAULT;
    options.batch = *batch;
    TRY(scorer_open(&s, context, spec, &options, err));
    *batch = scorer_describe(s)->batch;
    for (size_t i = 0; i < IMAGES; i += *batch)
        TRY(scorer_score(s, results + i, items + i, *batch, err));
    for (size_t i = 0; i < IMAGES; i++) {
        if (results[i].status)
            FAIL(err, TARE_E_INSTRUMENT, "scorer.trial", spec, "a drawn image gets no score: %s",
                 results[i].note);
        scores[i] = results[i].value;
    }
done:
    scorer_close(s);
    return status;
}

tare_status noise_trial(tare_context *context, const char *spec, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &context->mem;
    image pictures[IMAGES] = {{0}};
    scorer_item items[IMAGES];
    double alone[IMAGES], again[IMAGES], together[IMAGES];
    size_t one = 1, all = IMAGES;
    for (unsigned i = 0; i < IMAGES; i++) {
        TRY(draw(&pictures[i], m, i, err));
        items[i] = (scorer_item){.key = "trial", .base = "trial", .arm = "", .group = "",
                                 .prompt = "", .dose = 0, .attribute = NAN, .artifact = NAN,
                                 .pixels = &pictures[i], .fresh = true};
    }
    TRY(ask(alone, &one, context, spec, items, err));
    TRY(ask(again, &one, context, spec, items, err));
    TRY(ask(together, &all, context, spec, items, err));
    for (size_t i = 0; i < IMAGES; i++)
        if (alone[i] != again[i] || alone[i] != together[i])
            FAIL(err, TARE_E_INSTRUMENT, "scorer.trial", spec,
                 "the same image gets %.9g alone, %.9g again and %.9g in a batch: scores have "
                 "noise of their own on this machine", alone[i], again[i], together[i]);
    error_set(err, TARE_OK, "", "", NOISE_TRIAL_AGAIN "%s", all > 1 ? NOISE_TRIAL_BATCH : "");
done:
    for (size_t i = 0; i < IMAGES; i++) image_free(&pictures[i], m);
    return status;
}
