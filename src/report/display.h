/* display.h - numbers and words as people read them: three significant digits, a true minus
 * sign, p that is never 0. Files hold the full numbers. */
#ifndef REPORT_DISPLAY_H
#define REPORT_DISPLAY_H

#include "base/text.h"
#include "tare.h"

#define DISPLAY_NONE "\xE2\x80\x93" /* en dash */

/* 3 significant digits without exponent between 1e-4 and 1e7; NaN: en dash. */
void display_number(text *out, double value);
/* "0.034", "<0.001"; 3 decimals; NaN: en dash. floor: smallest p the method can give, or NaN:
 * at the floor it says "<" twice the floor rounded up to one digit (scorer audit 12). */
void display_p(text *out, double p, double floor);
/* Estimate, and "[0.0412, 0.1077]": with an interval the three share their number of decimals, so
 * that they can be compared at a glance. */
void display_estimate(text *out, const tare_reading *r);
void display_interval(text *out, const tare_reading *r);
/* Groups of three apart by a thin space. */
void display_count(text *out, uint64_t count);
/* Underscores as spaces: "net_drift" is "net drift". Not escaped. */
void display_words(text *out, const char *name);

/* "All judges" of the word for one instrument, "Judge". */
void display_all_of(text *out, const char *instrument_word);

/* Is sentence i not a repetition of an earlier one? */
bool display_is_first(const char *const *sentences, size_t i);

/* A check mark where the reading stands after FDR, a dagger where only its raw p does, a cross
 * where neither, a double dagger where a further condition holds the verdict back whatever q is;
 * "" where it was not in a grid (scorer audit 11). */
const char *display_q_mark(const tare_reading *r);
const char *display_q_meaning(const tare_reading *r);
/* One character per verdict, also told apart without colour. */
const char *display_verdict_sign(tare_verdict verdict);
/* Class name of the page, "v-found". */
const char *display_verdict_class(tare_verdict verdict);

#endif
