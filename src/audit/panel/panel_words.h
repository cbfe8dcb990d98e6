/* panel_words.h - phrases that the sentences of the panel audit share. NULL: no memory. */
#ifndef AUDIT_PANEL_PANEL_WORDS_H
#define AUDIT_PANEL_PANEL_WORDS_H

#include "audit/panel/panel_study.h"

const char *panel_agree_words(const panel_study *s); /* "tau-b"       */
const char *panel_bias_words(const panel_study *s);  /* "mean |Phi~|" */
const char *panel_d_words(const panel_study *s);     /* "mean |D|"    */
/* " [0.560, 0.590]", or nothing where there is no interval. */
const char *panel_interval(panel_study *s, const inference *x);
/* "setting, dim: " where the table has several, else "". */
const char *panel_where(panel_study *s);
/* Has a panel of the search a member that writes? Otherwise its preference is 0 by convention. */
bool panel_found_writes(const panel_study *s, size_t found);
/* In how many folds the single judge was chosen that was chosen most often, and it (a panel of the
 * search). */
size_t panel_single_folds(const panel_study *s, size_t *panel);
/* Is the verdict inconclusive only because of what is missing? */
bool panel_capped(const tare_reading *r);

/* The sentences on the search; part of panel_answer. */
tare_status panel_answer_search(panel_study *s, tare_error *err);

#endif
