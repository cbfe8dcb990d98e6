/* cell.h - a field as a number. */
#ifndef TABLE_CELL_H
#define TABLE_CELL_H

#include "table/field.h"
#include "table/table.h"

/* TABLE_OK, TABLE_MISSING, TABLE_INFINITE or TABLE_BAD. Blanks around the number do not count. */
unsigned char cell_number(const field *f, double *out);

#endif
