/* panel_study.h - what the parts of the panel audit share (judge audits B). */
#ifndef AUDIT_PANEL_PANEL_STUDY_H
#define AUDIT_PANEL_PANEL_STUDY_H

#include "audit/book.h"
#include "audit/panel/agree_cells.h"
#include "audit/panel/panel_rows.h"
#include "audit/panel/panel_search.h"
#include "stats/agreement.h"
#include "stats/infer.h"

#define PANEL_MARGIN_AGREE 0.02 /* of differences of agreement (B.7)     */
#define PANEL_MARGIN_D 0.1      /* SDs within author: margin of D (A.8)  */
#define PANELS_MOST 200         /* named and in sequence                 */
#define VOTES_PERMUTATIONS 999  /* null of the eigenvalue form (B.5)     */

typedef struct panel_options {
    aggregator aggregate;
    agree_kind agree;
    const char *agree_name;
    bool err_z, lso_raw, available;
    size_t ddof;
    bool search, beam_of_one;
    size_t most, folds;
    bias_kind bias;
    const char *bias_name;
    double within, holdout;     /* holdout NaN: folds                    */
    bool user_folds;
} panel_options;

typedef enum panel_source { PANEL_NAMED, PANEL_SEQUENCE, PANEL_ALL, PANEL_BEST, PANEL_GENTLE }
    panel_source;

/* Numbers of one column of scores in its augmented matrix (B.3). NULL arrays: no matrix. */
enum { SUMMARY_MEAN, SUMMARY_MABS, SUMMARY_MAX, SUMMARY_RMS, SUMMARIES };
typedef struct panel_numbers {
    double *phi;                /* [G] mean score                                              */
    inference *r, *z, *phi2;    /* [G] the panel's column                                      */
    inference *own;             /* [members] a member's Phi~ of its own author; none: reason   */
    inference *gap;             /* [members] |D of the panel| - |D of the member|, same author */
    inference summary[SUMMARIES], raw[SUMMARIES]; /* of Phi~ and of R                          */
} panel_numbers;

typedef struct panel_votes {
    size_t rows;
    effective_votes all;
    inference rho, kish, eigen;
    double eigen_null;          /* median under independence; NaN: not made                    */
    double *correlation;        /* [members][members]                                          */
    bool binary;
    double panel, best, independent; /* accuracy: of the panel, of its best member, of as many
                                        members that err independently                         */
    size_t best_member;
} panel_votes;

typedef struct panel_member {
    size_t judge, author;       /* author SIZE_MAX: writes nothing here                         */
    inference agree_gap;        /* panel minus member, on common rows                           */
    size_t entry_agree, entry_d;/* in the book; BOOK_NONE                                       */
    double agree_without, bias_without; /* of the panel without this member, on the rows that   */
    double agree_change, bias_change;   /* both have, and less that of the panel there; NaN     */
    const char *no_excess;      /* why there is none; "": there is                              */
    double excess, excess_lso;  /* self minus others of score minus gold, in the panel          */
} panel_member;

typedef struct panel_result {
    const char *name, *members; /* members joined by '+'                                        */
    size_t *judge, count;
    panel_source source;
    size_t step;                /* of the sequence, from 1; 0: none                            */
    const char *added;          /* by that step                                                */
    size_t dropped;             /* rows without a panel score                                   */
    bool yardstick;             /* the mean of all judges: preference is 0 by construction      */
    double *score, *lso_score;  /* [rows]; lso NULL: no member writes, or it is alone           */
    agree_column column, lso_column;
    inference agree, lso_agree, lso_gap;
    panel_numbers numbers, lso;
    panel_votes votes;
    panel_member *member;       /* [count]                                                      */
    size_t found;               /* panel of the search; SIZE_MAX                                */
} panel_result;

/* What was chosen without the items it is tested on (B.6). */
typedef struct fold_choice { size_t panel; double agree_train, bias_train, agree_test, bias_test; }
    fold_choice;
enum { RULE_BEST, RULE_GENTLE, RULE_SINGLE, RULES };
typedef struct crossfit {
    size_t folds;
    const char **fold_name;
    fold_choice *choice;        /* [folds][RULES]                                               */
    double agree[RULES], bias[RULES];           /* mean held-out                                */
    double agree_sd[RULES], bias_sd[RULES];     /* over folds; NaN: one fold                    */
    inference held[RULES];      /* held-out agreement; clusters are resampled, each in its fold */
    inference over_single;      /* gentle minus single, held out                                */
    inference held_bias[RULES]; /* held-out bias, likewise; no estimate: cells have gaps        */
    /* |D| of the gentle panel about its members' own text minus that of the best single judge about
       its own, held out: both in the matrix with the panel (B.3), as mean, maximum or RMS, as the
       search's bias has it */
    inference less_d;
    size_t folds_less;          /* folds in which it is below 0                                 */
    double margin_d;            /* mean over folds of the single judge's margin                 */
    const char *by_construction;/* why less_d says nothing; NULL: it does                       */
    size_t entry_margin, entry_even;
} crossfit;

typedef struct panel_study {
    audit_result *out;
    tare_context *context;
    const mem *m;
    arena *a;                   /* lives as long as the result                                  */
    arena scratch;              /* of one layer                                                 */
    book *book;
    panel_options o;
    const score_table *t;
    size_t layer;
    const char *setting, *dim;
    panel_rows rows;
    agree_rows agree_rows;
    agree_labels labels;
    infer_plan plan;
    infer_draws *draws;
    double *within_sd;          /* [judges] within-author SD over items                         */
    bool single_rating;         /* most golds are one person's rating                           */
    const size_t *candidate;
    size_t candidates;
    panel_result *panel;
    size_t panels, panel_capacity, skipped; /* skipped: a member has no scores in this layer   */
    agree_column *judge_column; /* [judges]                                                     */
    inference *judge_agree;     /* [judges]                                                     */
    size_t *judge_entry;        /* [judges] in the book; BOOK_NONE                              */
    double *phi;                /* [G][usable judges] cell means; NULL: no matrix               */
    double *effect;             /* [dims][judges] judge effects of B.4                          */
    bool effects_known;
    panel_search search;
    bool searched;
    size_t *front, front_count;
    crossfit fit;
} panel_study;

/* ---- Parts, in the order in which they run ---- */

/* Panels asked for by --panel and --sequence; all candidates if none is. Errors: USAGE. */
struct tare_job;
tare_status panel_list_read(panel_study *s, const struct tare_job *job, tare_error *err);
tare_status panel_list_candidates(panel_study *s, const struct tare_job *job, tare_error *err);
tare_status panel_list_add(panel_study *s, const panel_result *panel, tare_error *err);

/* The panel of a step of the sequence, from 1; NULL: there is none. */
const panel_result *panel_of_step(const panel_study *s, size_t step);

tare_status panel_search_and_fit(panel_study *s, tare_error *err);
tare_status panel_scores_make(panel_study *s, tare_error *err);
tare_status panel_effects(panel_study *s, tare_error *err);
tare_status panel_matrix_run(panel_study *s, tare_error *err);
tare_status panel_agreement_run(panel_study *s, tare_error *err);
tare_status panel_without_member(panel_study *s, tare_error *err);
tare_status panel_votes_run(panel_study *s, tare_error *err);
tare_status panel_crossfit_infer(panel_study *s, tare_error *err);
tare_status panel_crossfit_bias(panel_study *s, tare_error *err);

/* The whole of one layer, from panels to tables; the caller settles the book between. */
tare_status panel_open(panel_study *s, const struct tare_job *job, tare_error *err);
void panel_close(panel_study *s);

tare_status panel_enter(panel_study *s, tare_error *err);       /* into the book        */
/* The rule of the search that chooses this panel on all items, whose cross-fitted values are the
 * panel's; -1: none. */
int panel_rule_of(const panel_study *s, size_t found);
tare_status panel_tables(panel_study *s, tare_error *err);
tare_status panel_figures(panel_study *s, tare_error *err);
tare_status panel_answer(panel_study *s, tare_error *err);      /* after book_settle    */
tare_status panel_cautions(panel_study *s, tare_error *err);
/* After the missingness audit, which caps all panels: those whose members have nothing missing that
 * depends on a condition are free again, where they rest on their members' rows alone. */
void panel_lift_caps(panel_study *s);

/* Judge effects a of least squares Phi[g][k] = a_k + q_g, sum q = 0, on the cells for which
 * self[k] != g (B.4). False: not determined. `scratch`: (E + G) (E + G + 1) doubles. */
typedef struct effects_input {
    const double *phi;          /* [authors][judges] */
    const size_t *self;         /* [judges] SIZE_MAX: none */
    size_t authors, judges;
} effects_input;
bool leave_self_effects(double *effect, const effects_input *in, double *scratch);

/* P(more than half of n independent votes are right) + half P(exactly half), from each one's
 * accuracy. `scratch`: n + 1 doubles. */
double votes_independent(const double *accuracy, size_t n, double *scratch);

#endif
