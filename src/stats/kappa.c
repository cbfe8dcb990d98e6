/* kappa.c - Cohen's kappa: 1 - sum w O / sum w E. */
#include <math.h>

#include "stats/agreement.h"
#include "stats/moments.h"

typedef struct margin {
    double row, column;
} margin;

static margin margin_of(const double *table, size_t k, size_t category)
{
    margin sum = {0, 0};
    for (size_t i = 0; i < k; i++) {
        sum.row += table[category * k + i];
        sum.column += table[i * k + category];
    }
    return sum;
}

static double distance(size_t i, size_t j, kappa_weights weights)
{
    double d = i > j ? (double)(i - j) : (double)(j - i);
    return weights == KAPPA_NOMINAL ? i != j : weights == KAPPA_LINEAR ? d : d * d;
}

/* Sum over i, j of distance row_i column_j, in one pass over the margins. All terms are whole
 * numbers for a table of counts. total: of the table. */
static double expected(const double *table, size_t k, kappa_weights weights, double total)
{
    double rows = 0, columns = 0;              /* so far */
    neumaier sum = {0, 0}, row = {0, 0}, column = {0, 0}, squares = {0, 0};
    for (size_t i = 0; i < k; i++) {
        margin m = margin_of(table, k, i);
        double place = (double)i - (double)(k / 2); /* from the middle, so that sums stay small */
        switch (weights) {
        case KAPPA_NOMINAL: neumaier_add(&sum, m.row * (total - m.column)); break;
        case KAPPA_LINEAR: /* |i - j| counts the cuts between i and j */
            rows += m.row;
            columns += m.column;
            if (i + 1 == k) break;
            neumaier_add(&sum, rows * (total - columns) + (total - rows) * columns);
            break;
        case KAPPA_QUADRATIC:
            neumaier_add(&row, place * m.row);
            neumaier_add(&column, place * m.column);
            neumaier_add(&squares, place * place * (m.row + m.column));
            break;
        }
    }
    if (weights != KAPPA_QUADRATIC) return neumaier_total(&sum);
    return total * neumaier_total(&squares) - 2 * neumaier_total(&row) * neumaier_total(&column);
}

double kappa_table(const double *table, size_t k, kappa_weights weights)
{
    neumaier observed = {0, 0}, total = {0, 0};
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) {
            neumaier_add(&total, table[i * k + j]);
            neumaier_add(&observed, distance(i, j, weights) * table[i * k + j]);
        }
    double n = neumaier_total(&total), chance = expected(table, k, weights, n);
    if (!(chance > 0)) return NAN;
    return 1 - n * neumaier_total(&observed) / chance;
}
