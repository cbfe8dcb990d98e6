/* brisque: the back end (scorers 3.5). Files are found, checked by hash, read once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "scorer/backends.h"
#include "scorer/brisque.h"
#include "scorer/fingerprint.h"
#include "scorer/noise_trial.h"

enum { FILE_MAX = 4 << 20 };

static const char model_name[] = "brisque_model_live.yml";
static const char range_name[] = "brisque_range_live.yml";

/* Where packages of OpenCV put the two files. */
static const char *const folders[] = {
    "/usr/share/opencv4/quality", "/usr/local/share/opencv4/quality",
    "/opt/homebrew/share/opencv4/quality", "/opt/local/share/opencv4/quality",
};

typedef struct brisque {
    const mem *m;
    const brisque_arithmetic *arithmetic;
    brisque_model model;
} brisque;

static bool has_files(arena *a, const char *folder)
{
    const char *model = arena_printf(a, "%s/%s", folder, model_name);
    const char *range = arena_printf(a, "%s/%s", folder, range_name);
    if (!model || !range) return true; /* out of memory: opening the files will say so */
    return os_exists(model) && os_exists(range);
}

/* The folder given, else TARE_BRISQUE, else where packages put it. */
static tare_status find_folder(const char **out, arena *a, const char *given, tare_error *err)
{
    const char *set = getenv("TARE_BRISQUE");
    if (given && *given) *out = given;
    else if (set && *set) *out = set;
    else {
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            if (has_files(a, folders[i])) {
                *out = folders[i];
                return TARE_OK;
            }
        return error_set(err, TARE_E_INSTRUMENT, "brisque.missing", folders[0],
                         "%s and %s are not here; install Debian's opencv-data, or give their "
                         "folder as brisque:FOLDER or in TARE_BRISQUE", model_name, range_name);
    }
    if (has_files(a, *out)) return TARE_OK;
    return error_set(err, TARE_E_INSTRUMENT, "brisque.missing", *out,
                     "the folder does not hold %s and %s", model_name, range_name);
}

static tare_status read_checked(char **out, size_t *length, arena *a, const char *folder,
                                const char *name, const char *sha256_want, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path, *hash;
    TRY_NEW(path = arena_printf(a, "%s/%s", folder, name));
    TRY(os_read_plain(out, length, a->m, path, FILE_MAX, err));
    TRY_NEW(hash = fingerprint_hash(a, *out, *length));
    if (strcmp(hash, sha256_want) != 0)
        FAIL(err, TARE_E_DATA, "brisque.hash", path,
             "not the published file: SHA-256 %.16s, not %.16s", hash, sha256_want);
done:
    return status;
}

static tare_status read_model(brisque_model *model, arena *a, const char *given, tare_error *err)
{
    tare_status status = TARE_OK;
    char *text = NULL, *range = NULL;
    size_t text_length, range_length;
    const char *folder = NULL;
    TRY(find_folder(&folder, a, given, err));
    TRY(read_checked(&text, &text_length, a, folder, model_name, brisque_model_sha256, err));
    TRY(read_checked(&range, &range_length, a, folder, range_name, brisque_range_sha256, err));
    TRY(brisque_model_read(model, text, text_length, range, range_length, err));
done:
    mem_free(a->m, text);
    mem_free(a->m, range);
    return status;
}

/* "[FOLDER][,arithmetic=portable|opencv]" */
static tare_status parse_rest(const char **folder, const brisque_arithmetic **arithmetic, arena *a,
                              const char *rest, tare_error *err)
{
    static const char key[] = "arithmetic=";
    tare_status status = TARE_OK;
    const char *comma = strrchr(rest, ',');
    const char *word = comma ? comma + 1 : rest;
    size_t length = comma ? (size_t)(comma - rest) : 0;
    *arithmetic = &brisque_portable;
    if (strncmp(word, key, sizeof key - 1) != 0) {
        *folder = rest;
        return TARE_OK;
    }
    word += sizeof key - 1;
    if (strcmp(word, brisque_opencv.name) == 0) *arithmetic = &brisque_opencv;
    else if (strcmp(word, brisque_portable.name) != 0)
        FAIL(err, TARE_E_USAGE, "brisque.arithmetic", word, "arithmetic is portable or opencv");
    TRY_NEW(*folder = arena_text(a, rest, length));
done:
    return status;
}

static const char *identity_json(arena *a, const brisque_arithmetic *arithmetic)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", "brisque");
    fingerprint_number(&f, "version", 1);
    fingerprint_text(&f, "arithmetic", arithmetic->name);
    fingerprint_text(&f, "model_sha256", brisque_model_sha256);
    fingerprint_text(&f, "range_sha256", brisque_range_sha256);
    fingerprint_text(&f, "grey", "(9798 R + 19235 G + 3735 B + 16384) >> 15");
    fingerprint_text(&f, "half", "cubic a=-0.75, no antialias");
    fingerprint_text(&f, "resize", "none");
    fingerprint_text(&f, "output", "raw, not clamped");
    return fingerprint_end(&f);
}

static void brisque_close(void *state)
{
    brisque *b = state;
    mem_free(b->m, b);
}

static tare_status brisque_open(void **state, scorer_description *d, arena *a,
                                tare_context *context, const char *rest,
                                const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *folder = NULL;
    brisque *b = NULL;
    (void)options;
    TRY_NEW(b = mem_new(&context->mem, 1, sizeof *b));
    b->m = &context->mem;
    TRY(parse_rest(&folder, &b->arithmetic, a, rest, err));
    TRY(read_model(&b->model, a, folder, err));
    d->name = b->arithmetic == &brisque_opencv ? "brisque-opencv" : "brisque";
    d->source = "OpenCV's quality module; A. Mittal, A. K. Moorthy, A. C. Bovik, LIVE, UT Austin";
    d->licence = "Apache-2.0";
    d->batch = 1;
    d->sign = -1.0;
    d->range_lo = 0.0;
    d->range_hi = 100.0;
    d->parallel = d->cacheable = d->needs_pixels = true;
    d->min_side = BRISQUE_MIN_SIDE;
    TRY(fingerprint_describe(d, a, identity_json(a, b->arithmetic), err));
    *state = b;
    b = NULL;
done:
    if (b) brisque_close(b);
    return status;
}

static tare_status brisque_score(void *state, scorer_result *results, const scorer_item *items,
                                 size_t n, tare_error *err)
{
    const brisque *b = state;
    tare_status status = TARE_OK;
    for (size_t i = 0; i < n; i++) {
        double f[BRISQUE_FEATURES], nearest;
        bool defined;
        TRY(brisque_features(f, &defined, b->m, &b->model, b->arithmetic, items[i].pixels, err));
        if (!defined) {
            scorer_result_fail(&results[i], TARE_R_SCORE_NONFINITE,
                               "no texture to fit: a flat image or a flat scale");
            continue;
        }
        double raw = brisque_model_score(&b->model, f, &nearest);
        scorer_result_value(&results[i], raw);
        if (nearest < BRISQUE_NEAR)
            scorer_result_note(&results[i], "nearest=%.3g: unlike every image of the model; the "
                               "score says little", nearest);
    }
done:
    return status;
}

static tare_status brisque_check(tare_context *context, tare_error *err)
{
    return noise_trial(context, "brisque:", err);
}

const scorer_backend scorer_brisque = {
    .scheme = "brisque",
    .summary = "BRISQUE, a hand-made quality score of the grey image; lower is better",
    .usage = "brisque:[FOLDER][,arithmetic=portable|opencv]",
    .open = brisque_open,
    .score = brisque_score,
    .close = brisque_close,
    .check = brisque_check,
};
