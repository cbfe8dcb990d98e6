/* agree.h - what the families of readings of `tare agree` share (judge audits C).
 *
 * A *layer* is one (setting, dim) with its human side: the rows of the protocol, each with a gold
 * value. A *view* is one judge in one layer. A *sample* is a set of rows with the clusters they
 * belong to; two samples over the same clusters see the same draws, so that what is computed on
 * them is paired. */
#ifndef AUDIT_AGREE_AGREE_H
#define AUDIT_AGREE_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/agree/protocols.h"
#include "audit/book.h"
#include "audit/judge/score_table.h"
#include "stats/agreement.h"
#include "stats/infer.h"
#include "stats/kendall.h"

/* Reasons of this audit for no answer, beside those of stats/verdict.h. */
#define REASON_NO_SCORES "no_scores"         /* the judge has none on these rows             */
#define REASON_ONE_RATER "one_rater"         /* people among themselves need two             */
#define REASON_INCOMPLETE "incomplete_ratings" /* an ICC needs every rating                  */
#define REASON_OTHER_SCALE "other_scale"     /* the judge's numbers are no ratings           */
#define REASON_TOO_MANY_VALUES "too_many_values" /* for a table of categories                */
#define REASON_NO_COMMON_ROWS "no_common_rows" /* two judges, or judge and people            */
#define REASON_NO_ORDER "no_order"           /* labels                                       */
#define REASON_OTHER_GRID "other_grid"       /* one side grades in whole numbers, one does not */
#define REASON_EMPTY_CATEGORY "empty_category" /* a mean over categories, one without scores */

#define AGREE_MARGIN 0.02       /* differences of statistics (judge audits C.6)              */
#define AGREE_DRIFT_SD 0.1      /* leniency: margin in SDs of the gold (ours)                */
#define AGREE_CATEGORIES 50     /* most categories of a kappa (ours)                         */
#define AGREE_SLOTS 10          /* most raters of a ceiling; more are hashed (ours)          */
#define AGREE_SAME_SCALE 0.8    /* share of scores inside the range of the ratings (ours)    */
#define AGREE_TIES_DIFFER 0.01  /* difference of the shares of tied pairs (ours)             */

enum { STAT_TAU_B, STAT_TAU_C, STAT_SPEARMAN, STAT_PEARSON, STAT_KAPPA, STATS };

typedef struct agree_options {
    book_options book;
    const protocol *protocol;
    bool labels;               /* scores are names of categories                             */
    bool asymptotic;           /* p of tau by the normal approximation                       */
    bool drop_copies;
    const char *scale;         /* auto same other                                            */
    const char *kappa;         /* auto nominal linear quadratic: the one that leads          */
    const char *level;         /* auto nominal ordinal interval ratio: of alpha              */
    const char *gold_version;  /* which version of the human scores; NULL: not said          */
    bool human_file;           /* ratings came as rows: one that is not there is absent      */
} agree_options;

/* The clusters of a layer, with the one set of draws that serves every judge and every pair of them
 * (judge audits 0.4); layers of the same clusters share it. */
typedef struct cluster_set {
    bool *present;             /* [all clusters]                                             */
    uint32_t *place;           /* [all clusters] index among those present                   */
    const char **ids;
    size_t count;
    infer_plan plan;
    infer_draws *draws;        /* NULL with fewer than 2 clusters                            */
    struct cluster_set *next;
} cluster_set;

typedef struct sample {
    size_t n;
    uint32_t *row;             /* [n] index into what it was made from                       */
    uint32_t *cluster;         /* [n] < set->count                                           */
    const cluster_set *set;    /* the layer's; NULL: no rows                                 */
    bool *data;                /* [set->count] clusters with a row: the others have a weight
                                  in a draw, and nothing to weigh                            */
    size_t clusters;           /* of them                                                    */
} sample;

typedef struct agree_layer {
    size_t index;              /* of the score table                                         */
    const score_layer *scores;
    const char *arm, *dim, *label; /* label: for people and file names; "" with one layer    */
    const cluster_set *set;    /* of the units that were kept; NULL: none                    */
    /* Rows of the protocol. */
    size_t n;
    uint32_t *unit;            /* [n]                                                        */
    uint32_t *cluster;         /* [n] index into the table's clusters                        */
    double *gold, *key;        /* [n] value (a mean for means); the same for ranking         */
    size_t distinct;           /* gold values                                                */
    double tied;               /* share of pairs tied in gold                                */
    double gold_sd;
    bool gold_constant;
    /* Ratings of single people, of the units that were kept. */
    size_t units;              /* kept                                                       */
    uint32_t *kept;            /* [units] unit of the table                                  */
    uint32_t *kept_cluster;    /* [units]                                                    */
    double *rating;            /* [units][raters] NaN: none; NULL: no ratings                */
    size_t raters;
    bool ratings_complete;
    size_t least_ratings, most_ratings; /* of a unit                                         */
    double least, most;        /* of the ratings, or of the gold                             */
    size_t copies, no_gold, left_out; /* units: equal to a reference, without gold, by protocol */
} agree_layer;

typedef struct agree_view {
    agree_layer *layer;
    size_t judge;
    const char *name;
    missing_counts missing;    /* rows of the protocol                                       */
    missing_counts missing_units; /* units that were kept                                    */
    sample s;                  /* rows of the protocol with a score                          */
    sample u;                  /* units with a score: rows are indices into kept             */
    double *x, *key;           /* [s.n] the judge's score; the same for ranking              */
    double *gold, *gold_key;   /* [s.n]                                                      */
    kendall tau;               /* counts on all of its rows                                  */
    size_t distinct;           /* different scores of the judge                              */
    double tied;               /* share of pairs tied in the score                           */
    bool same_scale, too_large;
    double inside;             /* share of scores inside the range of the ratings            */
    inference stat[STATS];     /* with replicates                                            */
    size_t entry[STATS];       /* BOOK_NONE: not entered                                     */
    size_t leniency, exact;    /* entries                                                    */
    /* Ceiling. */
    size_t matched, ceiling_difference, ceiling_ratio; /* entries                            */
    double first;              /* probability of being the first of the layer; NaN: not made */
    size_t first_rows;         /* on so many rows, those that all judges have                */
} agree_view;

/* People among themselves, in one layer. */
typedef struct agree_people {
    size_t slots;              /* raters of the ceiling; 0: no ceiling                       */
    bool hashed;               /* unequal raters were sorted into slots                      */
    bool complete;             /* every rater of the ceiling rated every unit                */
    size_t constants;          /* raters left out: they give every unit the same rating, or none */
    const char *constant;      /* their names                                                */
    size_t units, units_short; /* used; with too few ratings                                 */
    size_t pairwise, left_out; /* entries: mean pairwise, mean leave-one-rater-out           */
    double band_lo, band_hi, band; /* of the leave-one-out mean                              */
    size_t kappa;              /* entry                                                      */
} agree_people;

/* Two judges on the rows that both have. */
typedef struct agree_pair {
    const agree_view *a, *b;
    size_t n;
    size_t entry[2];           /* of tau_b, tau_c (or kappa in [0]); BOOK_NONE: none         */
    double lead;               /* a less b by the statistic that leads; NaN: none            */
    bool ties_differ;
    bool orders_differ;        /* tau_b says the one is closer, tau_c the other              */
} agree_pair;
#define NOTE_ORDERS_DIFFER "tau_b and tau_c disagree"


typedef struct agree {
    tare_context *context;
    audit_result *out;
    const mem *m;
    book b;
    arena *a;                  /* scratch: lives as long as the book                         */
    agree_options o;
    score_table t;
    const char *gold_column;   /* gold is this column, not said to be of people; NULL: people */
    bool *copy;                /* [units] equal to one of its references; NULL: not asked    */
    cluster_set *sets;
    agree_layer *layer;
    agree_people *people;      /* [layers]                                                   */
    size_t layers;
    agree_view *view;          /* [layers][judges]                                           */
    size_t views;
    agree_pair *pair;
    size_t pairs;
} agree;

/* "people", or "the gold column" if it is not said to be of people; with its name. */
const char *agree_whom(const agree *g);
const char *agree_whom_named(agree *g); /* NULL: no memory */

/* ---- opening (agree_open.c, samples.c) ---- */
/* Rows and gold of every layer by the protocol. Errors: DATA (no human side; a rating or gold
 * outside the protocol's range; ratings that are no whole numbers), MEMORY. */
tare_status agree_open(agree *g, tare_error *err);
void agree_close(agree *g);
/* The rows of `used` [n] (NULL: all), whose clusters are cluster[n]; in `keep`. */
typedef struct row_set { const uint32_t *cluster; const bool *used; size_t n; } row_set;
tare_status sample_make(sample *out, const agree_layer *l, const row_set *rows, arena *keep,
                        tare_error *err);
/* The set of the clusters that are present [all clusters]; NULL where none is. */
tare_status cluster_set_of(const cluster_set **out, agree *g, const bool *present,
                           tare_error *err);
/* infer_weights on a sample; `n` and `data` of `what` are filled in. */
tare_status sample_infer(inference *out, agree *g, const sample *s, infer_weighted what,
                         arena *keep, tare_error *err);
/* What the judges [count] lack of units [n], by the reason of the first that lacks it. */
typedef struct unit_list { const uint32_t *unit; size_t n; } unit_list;
missing_counts agree_missing(const agree *g, const agree_layer *l, unit_list units,
                             const size_t *judges, size_t count);

/* ---- statistics (coefficients.c): outputs on one sample with replicates ---- */
enum { COEF_TAU_B, COEF_TAU_C, COEF_SPEARMAN, COEFS };
/* tau_b, tau_c and, if `count` is 3, Spearman of x and y [s->n]. */
tare_status coefficients_infer(inference *out, agree *g, const sample *s, const double *const xy[2],
                               size_t count, arena *keep, tare_error *err);
/* The statistic that leads in this layer, and its second if there is one. */
size_t agree_headline(const agree *g, size_t which); /* STATS: none */
const char *agree_stat_name(size_t stat);

/* ---- kappa of a sample (categories.c) ---- */
/* Categories of judge and people, and the codes of both. */
typedef struct category_codes {
    size_t k;                  /* categories                                                 */
    double *value;             /* [k] ascending                                              */
    size_t raters;
    uint32_t *judge;           /* [n] code                                                   */
    uint32_t *rater;           /* [raters][n] code; UINT32_MAX: no rating                    */
    bool pooled;               /* raters share one table: they are many, or did not rate all */
    const char *reason;        /* of k 0                                                     */
} category_codes;
/* `s` holds units, as v->u does. */
tare_status categories_make(category_codes *out, agree *g, const agree_view *v, const sample *s,
                            arena *keep, tare_error *err); /* k 0: `reason` says why */
/* kappa (nominal, linear, quadratic), exact agreement: means over the raters, or of one table of
 * all ratings if they are pooled (ours). */
enum { CAT_NOMINAL, CAT_LINEAR, CAT_QUADRATIC, CAT_EXACT, CATS };
tare_status categories_infer(inference *out, agree *g, const sample *s, const category_codes *c,
                             arena *keep, tare_error *err);

/* ---- families, in the order of the calls ---- */
tare_status agree_coefficients_run(agree *g, tare_error *err); /* tau, Spearman, Pearson     */
tare_status agree_categories_run(agree *g, tare_error *err);   /* kappa, exact, leniency     */
tare_status agree_reliability_run(agree *g, tare_error *err);  /* alpha, ICC                 */
size_t agree_alpha_level(const agree *g);     /* the level of alpha that leads              */
const char *agree_alpha_name(size_t level);   /* "alpha_interval"                           */
tare_status agree_ceiling_run(agree *g, tare_error *err);      /* people among themselves    */
tare_status agree_pairs_run(agree *g, tare_error *err);        /* judges against each other  */
const agree_pair *agree_pair_of(const agree *g, const agree_view *a, const agree_view *b);
/* How far a leads b, on the rows that both have; NaN: not known. */
double agree_lead(const agree *g, const agree_view *a, const agree_view *b);
/* Best first: by how many others each leads less how many lead it, on the rows of each two; then by
 * the sum of these differences, then by its own value (ours). What each judge has on its own rows
 * does not order judges that miss other rows. Errors: MEMORY. */
tare_status agree_order(const agree_view **views, size_t n, const agree *g, tare_error *err);
/* After the missingness audit: what is held back for one of two judges is for the pair. */
void agree_pairs_cap(agree *g);
tare_status agree_tables_run(agree *g, tare_error *err);
tare_status agree_figures_run(agree *g, tare_error *err);
tare_status agree_answer_run(agree *g, tare_error *err);

/* book_add; an entry without an answer uses what is not missing. */
tare_status agree_add(agree *g, const entry_spec *spec, const inference *inf, size_t *entry,
                      tare_error *err);

/* An entry of a layer: arm and dim filled in, condition the protocol's name, "" if it is custom. */
entry_spec agree_entry(const agree *g, const agree_layer *l, const char *family, const char *who,
                       const char *name);

#endif
