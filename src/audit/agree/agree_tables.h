/* agree_tables.h - a table of all readings of one family. */
#ifndef AUDIT_AGREE_AGREE_TABLES_H
#define AUDIT_AGREE_AGREE_TABLES_H

#include "audit/result.h"

/* Nothing is added where no reading is of that family. */
tare_status agree_family_table(audit_result *out, const char *family, const char *title,
                               tare_error *err);

#endif
