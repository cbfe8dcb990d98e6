/* manifest.h - tables that name photographs: the manifest of bases (scorer audit 1), and the table
 * of variants that `tare perturb` writes. */
#ifndef AUDIT_PHOTOS_MANIFEST_H
#define AUDIT_PHOTOS_MANIFEST_H

#include "audit/photos/photo_plan.h"

typedef struct manifest_options {
    const char *folder; /* that files and masks are relative to              */
    const char *group;  /* column of the group; NULL: the one called `group` */
    bool doses;         /* a table of variants                               */
} manifest_options;

/* Columns base and file are required; arm, kind, cluster, group, mask, dose, attribute, artifact
 * are used if present. Files and masks are relative to `folder`. With `doses` the id of a base is
 * "base arm dose", so that each row is one. Errors: those of the table; DATA (empty, a bad number,
 * another kind than real or synthetic). */
tare_status manifest_read(photo_plan *plan, tare_context *context, const char *path,
                          const manifest_options *options, tare_error *err);

#endif
