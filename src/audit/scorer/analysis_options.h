/* analysis_options.h - how scores become readings: the options of every job that analyses a cube,
 * as initialisers of tare_option_info, so that no list is typed twice (scorer audit 14). */
#ifndef AUDIT_SCORER_ANALYSIS_OPTIONS_H
#define AUDIT_SCORER_ANALYSIS_OPTIONS_H

#include "audit/job.h"
#include "audit/scorer/analyse.h"

#define ANALYSIS_OPTIONS                                                                           \
    {"preset", "NAME", TARE_OPTION_CHOICE, "tare", "tare|paper", 0, 0, 0,                          \
     "defaults of the statistics: tare's, or those inferred from the pixel-audit paper",           \
     "Statistics"},                                                                                \
    {"fidelity-doses", "NAME", TARE_OPTION_CHOICE, NULL, "all|extreme", 0, 0, 0,                   \
     "doses that make FI and A (all); both are printed, this one is tested", "Statistics"},        \
    {"boot-b", "B", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0, "bootstrap replicates (9999)", \
     "Statistics"},                                                                                \
    {"boot-ci", "NAME", TARE_OPTION_CHOICE, NULL, "auto|percentile|bca|t", 0, 0, 0,                \
     "interval that leads (auto: by the number of clusters)", "Statistics"},                       \
    {"boot-p", "NAME", TARE_OPTION_CHOICE, NULL, "centred|inversion", 0, 0, 0,                     \
     "p from the bootstrap (centred)", "Statistics"},                                              \
    {"perm-p", "P", TARE_OPTION_INTEGER, NULL, NULL, 99, 999999, 0, "permutations (9999)",         \
     "Statistics"},                                                                                \
    {"perm-exact", "NAME", TARE_OPTION_CHOICE, NULL, "auto|yes|no", 0, 0, 0,                       \
     "all permutations where there are few (auto)", "Statistics"},                                 \
    {"alpha", "A", TARE_OPTION_NUMBER, NULL, NULL, 0.0001, 0.5, 0,                                 \
     "level of tests and intervals (.05)", "Statistics"},                                          \
    {"bon-n", "N", TARE_OPTION_INTEGER, NULL, NULL, 2, 64, 0, "n of best-of-n (4)", "Statistics"}, \
    {"bon-replace", NULL, TARE_OPTION_FLAG, NULL, NULL, 0, 0, 0,                                   \
     "best of n drawn with replacement", "Statistics"},                                            \
    {"bon-draws", "R", TARE_OPTION_INTEGER, NULL, NULL, 0, 1000000, 0,                             \
     "sampled subsets per base (0: exact expectation)", "Statistics"},                             \
    {"bon-ties", "NAME", TARE_OPTION_CHOICE, NULL, "shared|first", 0, 0, 0,                        \
     "who wins a tie (shared)", "Statistics"},                                                     \
    {"bon-pool", "NAME", TARE_OPTION_CHOICE, NULL, "within|mixed", 0, 0, 0,                        \
     "mixed: best of n also over pools that mix bases (within)", "Statistics"},                    \
    {"margins", "NAME", TARE_OPTION_CHOICE, NULL, "yes|no", 0, 0, 0,                               \
     "practical margins and equivalence tests (yes)", "Statistics"},                               \
    {"margin-sd", "X", TARE_OPTION_NUMBER, NULL, NULL, 0, 100, 0,                                  \
     "margin of N, P, FI and A in SDs of the neutral scores (.10)", "Statistics"},                 \
    {"margin-drift", "X", TARE_OPTION_NUMBER, NULL, NULL, 0, 360, 0,                               \
     "margin of the drift in units of the attribute (3)", "Statistics"},                           \
    {"margin-drift-dose", "X", TARE_OPTION_NUMBER, NULL, NULL, 0, 1000, 0,                         \
     "margin of the drift in dose units (1.5 L*, .02 of a width, else a tenth of one side)",       \
     "Statistics"},                                                                                \
    {"group-min", "N", TARE_OPTION_INTEGER, NULL, NULL, 2, 100000, 0,                              \
     "smallest group that is tested (10)", "Statistics"},                                          \
    {"seeds", "N", TARE_OPTION_INTEGER, NULL, NULL, 0, 100, 0,                                     \
     "seeds over which readings are repeated, from the run's own on (5; 0: none)", "Statistics"}

/* The values of the preset, then what the user set. */
analyse_options analysis_options_read(const tare_job *job);

#endif
