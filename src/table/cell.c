#include "table/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

static bool is_missing(const char *s, size_t length)
{
    static const char *const words[] = {"na", "n/a", "nan", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t k = 0;
        if (strlen(words[i]) != length) continue;
        while (k < length
               && (s[k] == words[i][k] || (s[k] >= 'A' && s[k] <= 'Z'
                                           && s[k] - 'A' + 'a' == words[i][k]))) {
            k++;
        }
        if (k == length) return true;
    }
    return false;
}

unsigned char cell_number(const field *f, double *out)
{
    const char *s = f->start;
    size_t length = f->length;
    double value;
    if (!f->escaped && number_parse(s, length, &value) && fabs(value) <= DBL_MAX) {
        *out = value;
        return TABLE_OK;
    }
    while (length > 0 && (*s == ' ' || *s == '\t')) s++, length--;
    while (length > 0 && (s[length - 1] == ' ' || s[length - 1] == '\t')) length--;
    *out = (double)NAN;
    if (length == 0) return TABLE_MISSING;
    if (f->escaped || !number_parse(s, length, &value)) {
        return is_missing(s, length) ? TABLE_MISSING : TABLE_BAD;
    }
    if (isnan(value)) return TABLE_MISSING;
    *out = value;
    return isinf(value) ? TABLE_INFINITE : TABLE_OK;
}
