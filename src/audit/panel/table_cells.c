#include "audit/panel/table_cells.h"

#include <math.h>

#include "stats/moments.h"

void put_text(row_writer *w, const char *text)
{
    *w->at++ = (cell){.kind = CELL_TEXT, .text = text};
}

void put_integer(row_writer *w, int64_t value)
{
    *w->at++ = (cell){.kind = CELL_INTEGER, .integer = value};
}

void put_number(row_writer *w, double value)
{
    *w->at++ = (cell){.kind = CELL_NUMBER, .number = value};
}

void put_numbers(row_writer *w, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) put_number(w, values[k]);
}

void put_estimate(row_writer *w, const inference *x)
{
    put_number(w, x ? x->estimate : NAN);
    put_number(w, x ? x->lo : NAN);
    put_number(w, x ? x->hi : NAN);
}

void put_reading(row_writer *w, const book *b, size_t index)
{
    if (index == BOOK_NONE) {
        for (size_t k = 0; k < 5; k++) put_number(w, NAN);
        put_text(w, "");
        return;
    }
    const tare_reading *r = book_reading(b, index);
    double values[5] = {r->estimate, r->lo, r->hi, r->p, r->q};
    put_numbers(w, values, 5);
    put_text(w, tare_verdict_name(r->verdict));
}

void put_cross_fitted(row_writer *w, const panel_study *s, size_t found)
{
    int rule = panel_rule_of(s, found);
    const crossfit *f = &s->fit;
    put_number(w, rule < 0 ? NAN : f->agree[rule]);
    put_number(w, rule < 0 ? NAN : f->held[rule].lo);
    put_number(w, rule < 0 ? NAN : f->held[rule].hi);
    put_number(w, rule < 0 ? NAN : f->bias[rule]);
    put_number(w, rule < 0 ? NAN : f->held_bias[rule].lo);
    put_number(w, rule < 0 ? NAN : f->held_bias[rule].hi);
}

void panel_mean_sd(double *mean, double *sd, const double *x, size_t n)
{
    *mean = moments_mean(x, n);
    *sd = n > 1 ? moments_sd(x, n, 1) : NAN;
}
