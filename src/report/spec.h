/* spec.h - the parts that all chart specifications share. Each kind writes the one view; spec.c
 * puts data, title, panels and colours around it. Vega-Lite 5.
 *
 * Data rows have the fields panel, series, label, mark, outline, tip, x, y, lo, hi and, for the
 * kinds that show one value for each label (forest, bars: x, or y where x is not given; heat: y,
 * or x), v. Fields that are empty are left out. */
#ifndef REPORT_SPEC_H
#define REPORT_SPEC_H

#include "audit/result.h"
#include "base/text.h"

/* What a figure holds, counted once. */
typedef struct spec_facts {
    const figure *f;
    size_t panels, series, labels; /* distinct */
    bool has_interval, has_tip, has_mark, has_outline;
    const char *value_title, *label_title; /* forest, bars: of the axis of v and of the names */
    double largest; /* |v|, finite ones   */
    bool negative;  /* some v < 0         */
    double lowest, highest; /* of what is shown against the axis at 0 */
    bool near_zero; /* so near that 0 belongs into the view            */
} spec_facts;

/* The members of one view: width, height, layer. */
void spec_curve(text *out, const spec_facts *s);
void spec_forest(text *out, const spec_facts *s);
void spec_heat(text *out, const spec_facts *s);
void spec_scatter(text *out, const spec_facts *s);
void spec_bars(text *out, const spec_facts *s);

/* Append JSON after a pattern in which ' stands for ", ` for \" (quotes inside an expression), and
 *   @s  a string, escaped       (const char *)
 *   @t  a title: on one line    (const char *)
 *   @n  a number, null for NaN  (double)
 *   @d  a count                 (size_t) */
void spec_put(text *out, const char *pattern, ...);
/* A member of an encoding with a comma before it: `channel` by series if there are several.
 * With the domain written out the legends of all layers and channels become one. */
void spec_series(text *out, const spec_facts *s, const char *channel);
/* , 'tooltip': the tip of the figure, else names and numbers; either field may be NULL. */
void spec_tooltip(text *out, const spec_facts *s, const char *x_field, const char *y_field);
/* Layers, each with a comma after it: the band of the practical margin and the line at 0,
 * across the axis "x" or "y". */
void spec_zero_and_margin(text *out, const spec_facts *s, const char *axis);

#endif
