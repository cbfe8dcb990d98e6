/* manifest.h - tables that name photographs: the manifest of bases (scorer audit 1), and the table
 * of variants that `tare perturb` writes. */
#ifndef AUDIT_PHOTOS_MANIFEST_H
#define AUDIT_PHOTOS_MANIFEST_H

#include "audit/photos/photo_plan.h"
#include "table/table.h"

typedef enum manifest_rows {
    MANIFEST_BASES,    /* a row is a base                                         */
    MANIFEST_VARIANTS, /* of `tare perturb`: "base arm dose" is the id of a row   */
    MANIFEST_CUSTOM    /* a row is one dose of a base: photo_custom.h puts them together */
} manifest_rows;

typedef struct manifest_options {
    const char *folder; /* that files, masks and silhouettes are relative to */
    const char *group;  /* column of the group; NULL: the one called `group` */
    manifest_rows rows;
} manifest_options;

/* Column file is required, and base (else the file is its name) and dose of a custom axis; arm,
 * kind, cluster, group, prompt, mask, silhouette, band_top, band_bottom, dose, attribute, artifact
 * are used if present. Errors: those of the table; DATA (empty, a bad number, another kind than
 * real or synthetic, half a band or one that ends before it begins; of a custom axis a row without
 * base or dose). */
tare_status manifest_read(photo_plan *plan, tare_context *context, const char *path,
                          const manifest_options *options, tare_error *err);
/* The same, and then a call with plan->bases in the order of the rows, while the table is there to
 * name them in errors. */
typedef struct manifest_then {
    tare_status (*call)(void *arg, photo_plan *plan, const table *t, tare_error *err);
    void *arg;
} manifest_then;
tare_status manifest_read_then(photo_plan *plan, tare_context *context, const char *path,
                               const manifest_options *options, const manifest_then *then,
                               tare_error *err);

#endif
