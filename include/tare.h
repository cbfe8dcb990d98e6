/* tare.h - the whole public interface of libtare.
 *
 * tare finds out whether a learned scorer or judge can be trusted: what the
 * instrument adds of its own, told apart from artifacts, noise and cherry-picking.
 *
 * Rules of this header
 *  - Names are tare_noun_verb. Handles are opaque.
 *  - Parameters come in this order: outs, object, inputs, options, error.
 *  - Every call that can fail returns tare_status and takes a tare_error last,
 *    which may be NULL. On failure outs are NULL or untouched.
 *  - What _new or _open gives is released by the _free of the same noun, which
 *    accepts NULL. Every other pointer is borrowed from its object.
 *  - Options structs start with `size`; set it with the matching _INIT. A NULL
 *    options pointer means the defaults.
 *  - Degenerate data (all scores tied, one base only) is an answer with a
 *    verdict, not a failure.
 *  - The library prints nothing, never exits, installs no signal handler and
 *    keeps no global mutable state. Two contexts may be used by two threads.
 *  - Text is UTF-8. A double that has no value is NaN here and null in files.
 *
 * Valid C99 to C23 and C++.
 */
#ifndef TARE_H
#define TARE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TARE_API __attribute__((visibility("default")))
#else
#define TARE_API
#endif

#define TARE_VERSION_MAJOR 0
#define TARE_VERSION_MINOR 1
#define TARE_VERSION_PATCH 0

/* Version of the library that is running, "0.1.0". Never NULL. */
TARE_API const char *tare_version(void);

/* ---- Errors -------------------------------------------------------------- */

/* Kinds of failure, not places. tare_error.code names the case. */
typedef enum tare_status {
    TARE_OK = 0,
    TARE_E_USAGE,      /* the call or an option is wrong                        */
    TARE_E_DATA,       /* an input was read and cannot be used                  */
    TARE_E_IO,         /* the operating system refused (path in `where`)        */
    TARE_E_LIMIT,      /* a size or depth limit was reached                     */
    TARE_E_MEMORY,     /* an allocation failed                                  */
    TARE_E_INSTRUMENT, /* no instrument gave a score                            */
    TARE_E_STOPPED,    /* stopped on request; the run folder can be resumed     */
    TARE_E_BUG         /* an internal check failed: please report               */
} tare_status;

/* Caller-owned, fixed size, nothing to free.
 *   code     short stable name, "csv.duplicate_key"
 *   where    file, line, column, row or item: "scores.csv:17:4"; may be empty
 *   message  what was wrong and what to do, one line */
typedef struct tare_error {
    tare_status status;
    char code[40];
    char where[320];
    char message[640];
} tare_error;

/* Name of a status, "data". Never NULL. */
TARE_API const char *tare_status_name(tare_status status);

/* ---- Context ------------------------------------------------------------- */

typedef struct tare_context tare_context;

typedef enum tare_level { TARE_NOTE, TARE_WARNING } tare_level;

/* How far a long step is. done/total count `unit`s; seconds_left < 0: unknown. */
typedef struct tare_progress {
    const char *step;     /* "score"   */
    const char *unit;     /* "image"   */
    uint64_t done, total;
    double per_second, seconds_left;
} tare_progress;

/* All functions may be NULL. message and progress are called on the thread that
 * called the library. resize(user, p, 0) frees p; resize(user, NULL, n) allocates. */
typedef struct tare_context_options {
    size_t size;
    unsigned threads; /* 0: one per core */
    void *user;
    void *(*resize)(void *user, void *pointer, size_t bytes);
    void (*message)(void *user, tare_level level, const char *text);
    void (*progress)(void *user, const tare_progress *progress);
} tare_context_options;
#define TARE_CONTEXT_OPTIONS_INIT {sizeof(tare_context_options), 0, NULL, NULL, NULL, NULL}

/* One allocator and one thread pool. Errors: MEMORY, USAGE (unknown size). */
TARE_API tare_status tare_context_new(tare_context **out, const tare_context_options *options,
                                      tare_error *err);
TARE_API void tare_context_free(tare_context *context);

/* Ask everything that runs on the context to stop at the next safe point, with
 * TARE_E_STOPPED. Async-signal-safe; may be called from any thread. The context stays
 * stopped: to resume, make a new one. */
TARE_API void tare_context_stop(tare_context *context);

/* ---- Readings ------------------------------------------------------------ */

/* Fixed verdicts: statistics section 8. */
typedef enum tare_verdict {
    TARE_FOUND,        /* resolved, and not shown to be below the margin        */
    TARE_SMALL,        /* resolved, and below the margin                        */
    TARE_NEGLIGIBLE,   /* not resolved, and any effect is below the margin      */
    TARE_INCONCLUSIVE, /* not resolved, and not shown to be below the margin    */
    TARE_NO_ANSWER,    /* `reason` says why                                     */
    TARE_DESCRIPTIVE   /* a number that carries no test                         */
} tare_verdict;

/* Why a score, a base or a reading is missing: one vocabulary for all audits. */
typedef enum tare_reason {
    TARE_R_NONE = 0,
    TARE_R_DECODE, TARE_R_UNSUPPORTED_PIXELS, TARE_R_NO_SKIN, TARE_R_SCORER_ERROR,
    TARE_R_SCORE_NONFINITE, TARE_R_TIMEOUT, TARE_R_MISSING, TARE_R_NO_NEUTRAL,
    TARE_R_UNREADABLE, TARE_R_EXCLUDED,
    /* of judges: what came back is no verdict, or nothing came back */
    TARE_R_UNPARSED, TARE_R_REFUSED, TARE_R_BLOCKED, TARE_R_TRUNCATED, TARE_R_EMPTY,
    TARE_R_ERROR, TARE_R_ABSENT, TARE_R_OUT_OF_RANGE, TARE_R_NO_MARKER,
    /* of the body axis: no silhouette, or one without a torso */
    TARE_R_NO_SILHOUETTE,
    TARE_REASON_COUNT
} tare_reason;

TARE_API const char *tare_verdict_name(tare_verdict verdict); /* "no answer" */
TARE_API const char *tare_reason_name(tare_reason reason);    /* "no_skin"   */

/* One answer. Strings are never NULL (may be empty) and live as long as the job.
 * NaN: not defined for this reading. */
typedef struct tare_reading {
    const char *family;     /* table it belongs to: "fidelity", "bestofn", ...    */
    const char *arm;        /* "skin", "sham", "real/skin"; of judges the setting */
    const char *instrument; /* scorer, judge, panel                               */
    const char *name;       /* "FI", "A", "beta", "net_drift", "D", "tau_b", ...  */
    const char *condition;  /* dose, group, author, block or contrast; else ""    */
    const char *dim;        /* rubric dimension; else ""                          */
    const char *unit;       /* "score", "degrees", "dose", "score/degree", ""     */
    double estimate, se, df, lo, hi, p;
    double q, q_by, q_maxt; /* in the family `grid`: q is the one that decides            */
    double mde, margin, floor; /* smallest detectable effect; practical margin; noise floor */
    double p_floor;         /* smallest p the method can give                     */
    const char *interval_method, *p_method;
    const char *grid;       /* FDR grid the q is taken in: "i" ... "vi", or ""    */
    uint64_t n_base, n_cluster, n_expected;
    uint64_t n_missing[TARE_REASON_COUNT]; /* by reason */
    uint64_t replicates, replicates_undefined, seed;
    tare_verdict verdict;
    const char *reason;     /* for no answer: "degenerate", "too_few_clusters", ...; else "" */
    const char *marks;      /* comma-separated: "raw only", "may under-cover", ...  */
    int detail;             /* 1: one cell of a large table, not among what is shown first */
    const char *words;      /* the sentence for people                            */
} tare_reading;

/* ---- Jobs: an audit, or one of its steps ---------------------------------- */

typedef enum tare_option_type {
    TARE_OPTION_FLAG, TARE_OPTION_TEXT, TARE_OPTION_INTEGER, TARE_OPTION_NUMBER,
    TARE_OPTION_CHOICE, TARE_OPTION_PATH
} tare_option_type;

/* One option of a job. The command line, help, man page, completion and the
 * documentation are made from these. */
typedef struct tare_option_info {
    const char *name;     /* "scorer": --scorer on the command line, ini key elsewhere */
    const char *argument; /* "SPEC"; NULL for a flag                                   */
    tare_option_type type;
    const char *fallback; /* default, as text; NULL: none                              */
    const char *choices;  /* "all|extreme" for a choice, else NULL                     */
    double minimum, maximum; /* for integers and numbers; equal: no limit              */
    int repeats;          /* may be given more than once                               */
    const char *help;     /* one line                                                  */
    const char *section;  /* heading in help: "Instruments", "Statistics", ...         */
} tare_option_info;

typedef struct tare_job_info {
    const char *name;    /* "audit"                                          */
    const char *summary; /* one line                                         */
    const char *inputs;  /* "PHOTOS/ | scores.csv"                           */
    const char *details; /* paragraphs for the man page, separated by \n\n   */
    const char *examples;/* one command per line                             */
    const tare_option_info *options;
    size_t option_count;
} tare_job_info;

/* The list of jobs. NULL when `index` is past the end. */
TARE_API const tare_job_info *tare_job_info_at(size_t index);

typedef struct tare_job tare_job;

/* A job by name ("audit", "perturb", "score"). Errors: USAGE. */
TARE_API tare_status tare_job_new(tare_job **out, tare_context *context, const char *name,
                                  tare_error *err);
TARE_API void tare_job_free(tare_job *job);

/* Set an option from text; checked here. A repeatable option appends. Errors: USAGE. */
TARE_API tare_status tare_job_set(tare_job *job, const char *option, const char *value,
                                  tare_error *err);
/* Add an input path (folder, table or run folder). Errors: USAGE, MEMORY. */
TARE_API tare_status tare_job_input(tare_job *job, const char *path, tare_error *err);

/* Run to the end, or resume what the run folder (option `output`) holds. Errors: all;
 * TARE_E_STOPPED leaves a folder that the same call on a new context resumes. */
TARE_API tare_status tare_job_run(tare_job *job, tare_error *err);

/* Run folder of the job: the option `output`, or the input if that is a run. NULL: none. */
TARE_API const char *tare_job_folder(const tare_job *job);
/* Results of a finished job, in a fixed order. NULL past the end. */
TARE_API size_t tare_job_reading_count(const tare_job *job);
TARE_API const tare_reading *tare_job_reading(const tare_job *job, size_t index);
/* Sentences of the plain-language answer, most important first. NULL past the end. */
TARE_API const char *tare_job_answer(const tare_job *job, size_t index);

/* 1: what the job was to check (published values, say) does not hold, or could not be checked; the
 * answer says which. The program then ends with 1. */
TARE_API int tare_job_unmet(const tare_job *job);

/* Numbers under `readings`, `tables/`, `figures/`, and `report.html` in `folder`.
 * The bytes depend on the data, options and seed only. Errors: IO, MEMORY, LIMIT. */
TARE_API tare_status tare_report_write(const tare_job *job, const char *folder, tare_error *err);
/* The summary for a terminal, `columns` wide (0: 80), colour with ANSI codes if asked.
 * *out is released with tare_text_free. Errors: MEMORY. */
TARE_API tare_status tare_report_summary(char **out, const tare_job *job, unsigned columns,
                                         int colour, tare_error *err);
TARE_API void tare_text_free(tare_context *context, char *text);

/* ---- Instruments ---------------------------------------------------------- */

/* One back end, for help and `tare doctor`. */
/* Names of the published scorers that are known ("clip-b32"). NULL past the end. */
TARE_API const char *tare_published_at(size_t index);

typedef struct tare_backend_info {
    const char *scheme;  /* "brisque"                                    */
    const char *summary; /* one line                                     */
    const char *usage;   /* "brisque:[FOLDER]"                           */
} tare_backend_info;
TARE_API const tare_backend_info *tare_backend_info_at(size_t index);
/* Can the back end be used here? TARE_OK, and err->message may say what was found (which
 * library); or the reason in err (what is missing and how to get it). */
TARE_API tare_status tare_backend_check(tare_context *context, size_t index, tare_error *err);

/* The same for readers of tables that need a library which is opened at run time. CSV, TSV, JSON
 * lines and their compressed forms need none and are not listed. */
TARE_API const tare_backend_info *tare_reader_info_at(size_t index);
TARE_API tare_status tare_reader_check(size_t index, tare_error *err);

/* The same for formats of images. JPEG, PNG, WebP and TIFF need no such library and are not
 * listed. */
TARE_API const tare_backend_info *tare_format_info_at(size_t index);
TARE_API tare_status tare_format_check(size_t index, tare_error *err);

#ifdef __cplusplus
}
#endif
#endif
