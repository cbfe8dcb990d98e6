/* scorer.h - one interface for everything that turns an image into a number (scorers 1).
 *
 * A back end is one file with one `scorer_backend`; scorer_registry.c is the only list. Values are
 * raw, as the instrument gives them; `sign` says how to turn them into "higher is better". */
#ifndef SCORER_SCORER_H
#define SCORER_SCORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"
#include "base/mem.h"
#include "image/image.h"
#include "tare.h"

/* One thing to score. Only planted:, table: and exec: read more than the pixels. */
typedef struct scorer_item {
    const char *key;   /* opaque and unique in the run: "skin/+5/faces/b12.jpg"    */
    const char *base, *arm, *group, *prompt; /* group, prompt: may be ""           */
    double dose, attribute, artifact;        /* NaN where not measured             */
    double neutral; /* the dose of the unchanged image in this series; 0 where nobody says */
    bool placebo; /* the dose numbers a replicate: nothing of the audited kind was changed */
    const image *pixels;                     /* NULL for back ends that need none  */
    bool fresh; /* of a noise pass: the score must not come from any cache             */
} scorer_item;

/* value is NaN unless status == TARE_R_NONE. `note` (static or in `notes`) says more. */
typedef struct scorer_result {
    double value;
    tare_reason status;
    char note[160];
} scorer_result;

typedef struct scorer_description {
    const char *name;        /* column value in tables: "brisque", "planted:fidelity=1"  */
    const char *spec;        /* as given                                                */
    const char *identity;    /* canonical JSON: what is computed (scorers 1.2)          */
    const char *runtime;     /* canonical JSON: what may move low bits                  */
    char identity_hash[65], runtime_hash[65]; /* SHA-256 hex; 16 digits are the short name */
    const char *source, *licence;             /* of the weights; may be ""              */
    const char *standing;    /* of a published scorer: do published values hold? Else ""    */
    const char *standing_key; /* by which that is kept (recipe_verified.h); ""              */
    size_t batch;            /* items per call, fixed; 1 if the instrument has no batches */
    double sign;             /* +1 higher is better, -1 lower is better                 */
    double range_lo, range_hi; /* printed scale, NaN if none                            */
    bool identified;         /* false: "instrument not identified"                      */
    bool parallel;           /* score() may be called from several threads at once      */
    bool repeatable;         /* can be called again (table: cannot: noise floor unknown) */
    bool cacheable;          /* equal pixels may share a score                          */
    bool needs_pixels;
    bool takes_prompt;       /* the option `prompt` is given to it                      */
    const char *asked, *prompt; /* in a sweep of prompts: the name without the prompt, and the
                                prompt, which whoever opens it puts into the name; else NULL */
    bool hears;              /* takes recordings (IMAGE_SOUND) and no pictures            */
    bool any_mode;           /* takes pixels in the file's own mode; others are given RGB */
    int min_side;            /* smaller images are unsupported_pixels                   */
} scorer_description;

/* What an instrument reads where a prompt stands. */
typedef struct scorer_prompt {
    const int64_t *id;       /* with start and end, as the model is given them; NULL: not known
                                (a program reads prompts itself)                          */
    size_t count, whole;     /* ids; whole > count: it was cut to `count`                  */
    bool may_differ;         /* other tokenisers may give other ids (tokens.h)             */
} scorer_prompt;

typedef struct scorer scorer;

/* What the instruments of one run share: the tower that several heads stand on is opened once.
 * Scorers that stand on a shelf are opened and closed by one thread, and all before it is freed. */
typedef struct scorer_shelf scorer_shelf;
scorer_shelf *scorer_shelf_new(const mem *m); /* NULL: out of memory */
void scorer_shelf_free(scorer_shelf *s);      /* NULL ok */

typedef struct scorer_options {
    const char *prompt;      /* default "a photo"                                     */
    double timeout_seconds;  /* of one batch, default 120                             */
    size_t batch;            /* 0: the back end's own                                 */
    size_t together;         /* items that come at once (variants of a base); 0: unknown.
                                An instrument that takes many gets no larger batch of its own */
    int lower_is_better;     /* -1: as the back end says; 0/1 overrides               */
    const char *log_path;    /* stderr of child processes is appended here; NULL: dropped */
    const char *scratch;     /* folder for files handed to a child process; may be NULL  */
    const char *ort_library; /* ONNX Runtime's file; NULL: look for it                   */
    const char *embeddings;  /* folder where vectors of towers are kept; NULL: in memory */
    image_decoding decoding; /* of the photographs: part of the identity                 */
    scorer_shelf *shelf;     /* NULL: nothing is shared with other scorers               */
    const char *weights;     /* folder or file of published weights; NULL: TARE_MODELS, caches */
    const char *vocabulary;  /* file or folder of the tokeniser's; NULL: near the weights    */
    const char *provider;    /* of ONNX Runtime: NULL is "cpu"                            */
    bool low_memory;         /* the library reads the weights itself                      */
    const char *dump_graph;  /* folder that graphs are written to; NULL                   */
} scorer_options;
#define SCORER_OPTIONS_DEFAULT \
    ((scorer_options){"a photo", 120.0, 0, 0, -1, NULL, NULL, NULL, NULL, IMAGE_DECODING_DEFAULT,  \
                      NULL, NULL, NULL, NULL, false, NULL})

/* SPEC is "scheme:rest". Reads no image. Errors: USAGE (unknown scheme lists the known ones), DATA,
 * IO, INSTRUMENT. */
tare_status scorer_open(scorer **out, tare_context *context, const char *spec,
                        const scorer_options *options, tare_error *err);
void scorer_close(scorer *s);
const scorer_description *scorer_describe(const scorer *s);

/* n <= batch items to n results. Pixels of another mode than RGB are converted for instruments that
 * do not take any_mode. Failures of single items or of the batch are statuses in
 * `results`; an error is returned only when the run cannot go on (stop requested, MEMORY). A batch
 * shorter than `batch` is padded by repeating its last item where the back end has batches. */
tare_status scorer_score(scorer *s, scorer_result *results, const scorer_item *items, size_t n,
                         tare_error *err);

/* The ids of an item's prompt; "" or NULL: of the one that it was opened with. In the arena.
 * Errors: DATA, LIMIT ("prompt.*", "vocabulary.*": items with it would get no score), MEMORY. */
tare_status scorer_prompt_ids(scorer_prompt *out, arena *a, const scorer *s, const char *prompt,
                              tare_error *err);

/* ---- for back ends ------------------------------------------------------- */

typedef struct scorer_backend {
    union {
        tare_backend_info info;
        struct { const char *scheme, *summary, *usage; };
    };
    /* Fills *description and *state from `rest` (SPEC after "scheme:"). Strings go to the arena. */
    tare_status (*open)(void **state, scorer_description *description, arena *a,
                        tare_context *context, const char *rest, const scorer_options *options,
                        tare_error *err);
    tare_status (*score)(void *state, scorer_result *results, const scorer_item *items, size_t n,
                         tare_error *err);
    void (*close)(void *state);
    /* For `tare doctor`: is what it needs here? */
    tare_status (*check)(tare_context *context, tare_error *err);
    /* scorer_prompt_ids of those that take prompts and read them here; NULL for others. */
    tare_status (*prompt_ids)(scorer_prompt *out, arena *a, const void *state, const char *prompt,
                              tare_error *err);
} scorer_backend;

const scorer_backend *scorer_backend_at(size_t index); /* NULL past the end */

/* One result: a status instead of a value, a value, and a note beside either. Notes are cut to the
 * field and hold no control characters. */
void scorer_result_fail(scorer_result *r, tare_reason status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void scorer_result_value(scorer_result *r, double value);
void scorer_result_note(scorer_result *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
