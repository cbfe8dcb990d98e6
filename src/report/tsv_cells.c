#include "report/tsv_cells.h"

#include <math.h>
#include <string.h>

#include "report/plain.h"

void tsv_field(text *out, const char *value)
{
    bool quoted = strpbrk(value, "\t\r\n\"") != NULL;
    if (!quoted) {
        plain_text(out, value);
        return;
    }
    text_add_char(out, '"');
    for (uint32_t c; (c = plain_next(&value)) != 0;) {
        if (c == '"') text_add_char(out, '"');
        plain_put(out, c);
    }
    text_add_char(out, '"');
}

void tsv_value(text *out, double value)
{
    if (isfinite(value)) text_add_number(out, value);
    else if (!isnan(value)) text_add(out, value < 0 ? "-inf" : "inf");
}
