/* cube_from_table.h - the cube of a score table: rows of base, dose and score (scorer audit 1). */
#ifndef AUDIT_SCORER_CUBE_FROM_TABLE_H
#define AUDIT_SCORER_CUBE_FROM_TABLE_H

#include <math.h>

#include "audit/scorer/cube.h"
#include "base/context.h"
#include "table/table.h"

/* Column names; NULL: the accepted names of the role (base, dose, scorer, score, ...). */
typedef struct cube_table_columns {
    const char *base, *dose, *scorer, *score;        /* base, dose and score must be there      */
    const char *arm, *cluster, *kind, *status, *group; /* text, all optional                    */
    const char *attribute, *artifact, *edit_energy;  /* numbers of a variant, all optional       */
} cube_table_columns;

typedef struct cube_table_options {
    cube_table_columns columns;
    double neutral;                /* NaN: 0 if the grid has it, else 1                          */
    const char *const *lower;      /* scorers whose lower values are better                      */
    size_t lower_count;
    const char *kind;              /* of all arms without a kind column: "real", "synthetic", "" */
    const char *attribute_name;    /* NULL: "ITA" if the column is called so, else its name      */
    const char *attribute_unit;    /* NULL: "degrees" if the column is called ita, else ""       */
    bool attribute_independent;    /* measured from the variant, not derived from its dose (C2)  */
    bool intervened;               /* the neutral variant is known to equal the base (C1)        */
} cube_table_options;
#define CUBE_TABLE_OPTIONS_DEFAULT ((cube_table_options){.neutral = NAN, .kind = ""})

/* Reads `path` ("-": standard input). Everything lives in the arena.
 *  - Rows with equal keys (arm, base, dose, scorer) and equal values are counted and dropped;
 *    with other values they are an error naming both lines.
 *  - A base with an empty cluster is its own cluster, under its own name; a base without a name
 *    is an error.
 *  - A base without any row at the neutral dose is excluded (no_neutral) and counted. A dose
 *    that a scorer lacks is `missing`; an infinite score is `score_nonfinite`.
 *  - An arm called sham, nonskin, hue, blur, codec, warpsham or PREFIX/ one of these is a
 *    placebo if the table holds the arm skin (warp) of the same prefix.
 * Errors: DATA (table.*: unreadable numbers, an empty base, a cluster or group that varies inside a
 * base, a group that varies inside a cluster, a cluster called like a base that has none, an
 * attribute that differs between scorers, no neutral dose), USAGE (a named column is not there; a
 * scorer to turn round is not there), LIMIT (doses, cells), IO, MEMORY. */
tare_status cube_from_table(cube *out, arena *a, tare_context *context, const char *path,
                            const cube_table_options *options, tare_error *err);
/* The same from bytes in memory. */
tare_status cube_from_table_bytes(cube *out, arena *a, tare_context *context,
                                  const table_bytes *bytes,
                                  const cube_table_options *options, tare_error *err);

#endif
