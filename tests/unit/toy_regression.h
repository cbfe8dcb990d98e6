/* toy_regression.h - small data sets of the specification, for tests of the linear models. */
#ifndef TESTS_UNIT_TOY_REGRESSION_H
#define TESTS_UNIT_TOY_REGRESSION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stats/linear.h"

/* Scorer audit 15.5: 6 bases x 7 doses; score on attr and art with base effects. */
#define TOY_ROWS 42
#define TOY_BASES 6
typedef struct toy_regression {
    double x[2 * TOY_ROWS], y[TOY_ROWS];
    uint32_t base[TOY_ROWS];
} toy_regression;

static inline void toy_raw(toy_regression *t)
{
    static const double dose[] = {-15, -10, -5, 0, 5, 10, 15};
    for (int i = 1; i <= TOY_BASES; i++) {
        for (int j = 0; j < 7; j++) {
            int row = (i - 1) * 7 + j;
            t->base[row] = (uint32_t)(i - 1);
            t->y[row] = ((7 * i * i + 11 * j * j + 3 * i * j) % 17) / 10.0;
            t->x[row] = 10 + 2 * dose[j] + i + ((5 * i + 3 * j) % 7) / 10.0;
            t->x[TOY_ROWS + row] = j == 3 ? 0.0 : ((i + 2 * j) % 5) / 20.0;
        }
    }
}

static inline linear_model toy_demeaned(toy_regression *t)
{
    size_t counts[TOY_BASES];
    double sums[3 * TOY_BASES];
    toy_raw(t);
    linear_demean(t->y, t->base, TOY_ROWS, TOY_BASES, counts, sums);
    linear_demean(t->x, t->base, TOY_ROWS, TOY_BASES, counts, sums);
    linear_demean(t->x + TOY_ROWS, t->base, TOY_ROWS, TOY_BASES, counts, sums);
    return (linear_model){.n = TOY_ROWS, .p = 2, .x = t->x, .y = t->y, .absorbed = TOY_BASES,
                          .effect = t->base, .effects = TOY_BASES};
}

/* statistics 16.3: 3 judges x 5 texts, y = (3j^2 + 5s^2 + 7js) mod 11, self = [s mod 3 + 1 = j],
 * cells (1,5) and (3,2) missing. Columns: self, judges 2..3, texts 2..5; with an intercept. */
#define JUDGED_ROWS 13
#define JUDGED_COLUMNS 7
typedef struct judged_texts {
    double x[JUDGED_COLUMNS * JUDGED_ROWS], y[JUDGED_ROWS];
    uint32_t judge[JUDGED_ROWS], text[JUDGED_ROWS];
} judged_texts;

static inline linear_model judged_model(judged_texts *t)
{
    size_t row = 0;
    memset(t, 0, sizeof *t);
    for (int j = 1; j <= 3; j++) {
        for (int s = 1; s <= 5; s++) {
            if ((j == 1 && s == 5) || (j == 3 && s == 2)) continue;
            t->y[row] = (3 * j * j + 5 * s * s + 7 * j * s) % 11;
            t->x[row] = s % 3 + 1 == j;
            if (j > 1) t->x[(size_t)(j - 1) * JUDGED_ROWS + row] = 1;
            if (s > 1) t->x[(size_t)(s + 1) * JUDGED_ROWS + row] = 1;
            t->judge[row] = (uint32_t)(j - 1);
            t->text[row++] = (uint32_t)(s - 1);
        }
    }
    return (linear_model){.n = JUDGED_ROWS, .p = JUDGED_COLUMNS, .x = t->x, .y = t->y,
                          .intercept = true};
}

#endif
