/* tare scorer: about instruments themselves, without an audit. */
#include <stdio.h>
#include <string.h>

#include "audit/instrument/scorer_commands.h"
#include "audit/instrument/scorer_noise.h"
#include "audit/job_registry.h"
#include "audit/photos/photo_options.h"
#include "base/error.h"

static const tare_option_info options[] = {
    PHOTO_OPTIONS_SCORING,
    PHOTO_OPTION_OUTPUT,
    {"images", "DIR", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "folder with the published pictures (verify)", "Input and output"},
    {"same-weights-as", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "compare the weights with those of this file, of any layout, type and container (list)",
     "Input and output"},
    {"tensors", "N", TARE_OPTION_INTEGER, "20", NULL, 0, 9007199254740992.0, 0,
     "show so many tensors of a file on the terminal; all are in the table of a run folder (list)",
     "Input and output"},
    PHOTO_OPTION_MAX_PIXELS,
    PHOTO_OPTION_PREPARE_SIZE,
    PHOTO_OPTIONS_DECODING_SCORE,
    PHOTO_OPTION_SEED,
    SCORER_NOISE_OPTIONS,
};

/* word, what it takes, the least and the most of it, what runs: the first opens the usage. */
#define SCORER_WORDS(FIRST, NEXT)                                                                  \
    FIRST("list", "FILE", 1, 1, scorer_list)                                                       \
    NEXT("where", "[NAME...]", 0, SIZE_MAX, scorer_where)                                          \
    NEXT("verify", "NAME", 1, 1, scorer_verify)                                                    \
    NEXT("noise", "SPEC PHOTOS...", 2, SIZE_MAX, scorer_noise)
#define WORD_ROW(word, takes, least, most, run) {word, takes, least, most, run},
#define WORD_USAGE(word, takes, least, most, run) word " " takes
#define WORD_USAGE_NEXT(word, takes, least, most, run) " | " word " " takes

typedef struct scorer_word {
    const char *word, *takes;
    size_t least, most; /* inputs after it */
    tare_status (*run)(struct tare_job *job, tare_error *err);
} scorer_word;

static const scorer_word words[] = {
    SCORER_WORDS(WORD_ROW, WORD_ROW)
};
enum { WORDS = sizeof words / sizeof *words };

static tare_status no_word(const tare_job *job, tare_error *err)
{
    char known[160] = "";
    for (size_t i = 0; i < WORDS; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s %s", i ? ", " : "", words[i].word,
                 words[i].takes);
    }
    return error_set(err, TARE_E_USAGE, "job.inputs", job->input_count ? job->inputs[0] : NULL,
                     "say what to do: %s", known);
}

static tare_status run(tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    const scorer_word *w = words;
    while (w < words + WORDS && (!job->input_count || strcmp(w->word, job->inputs[0]) != 0)) w++;
    if (w == words + WORDS) {
        TRY(no_word(job, err));
        goto done;
    }
    size_t given = scorer_argument_count(job);
    if (given < w->least || given > w->most)
        FAIL(err, TARE_E_USAGE, "job.inputs", NULL, "%s takes %s; %zu were given", w->word,
             w->takes, given);
    job->result.audit = "scorer";
    TRY(w->run(job, err));
done:
    return status;
}

const job_class job_scorer = {
    {"scorer", "look into published scorers: files, where they come from, whether they hold",
     SCORER_WORDS(WORD_USAGE, WORD_USAGE_NEXT),
     "list FILE reads the header of a file of weights (safetensors, PyTorch, TorchScript, TF.js): "
     "its tensors, and for each published scorer whether the file fits and what is missing, "
     "misshaped or surplus. Nothing in the file is run. --same-weights-as FILE compares every "
     "weight with that of another file: half precision as its authors publish it with somebody's "
     "copy in another layout, say.\n\n"
     "where NAME says which files a published scorer needs, where they come from, under which "
     "licence and with which SHA-256, and where they are looked for on this machine. Nothing is "
     "ever fetched.\n\n"
     "verify NAME scores the pictures of --images whose scores were published, and says whether "
     "they hold. A scorer for which they held is no longer called \"not verified against "
     "published values\" in reports.\n\n"
     "noise asks a scorer of any kind for the same photographs again: again at once, in other "
     "batches, in other orders, by several threads, by another ONNX Runtime (--ort-other), and "
     "after the pixels went through a PNG and a JPEG file. What changes is the instrument's own: "
     "a smaller effect is none.",
     "tare scorer where laion-v2\n"
     "tare scorer list ViT-L-14.pt\n"
     "tare scorer verify imagereward --weights weights/ --images ImageReward/assets/images\n"
     "tare scorer noise brisque: photos/",
     options, sizeof options / sizeof *options},
    run};
