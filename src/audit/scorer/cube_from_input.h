/* cube_from_input.h - the cube of what a user has already measured: a finished run folder or a
 * score table. For jobs that plan from it or compare it. */
#ifndef AUDIT_SCORER_CUBE_FROM_INPUT_H
#define AUDIT_SCORER_CUBE_FROM_INPUT_H

#include "audit/job.h"
#include "audit/photos/photo_prompts.h"
#include "audit/scorer/cube.h"
#include "audit/scorer/cube_from_table.h"

typedef struct cube_input {
    cube c;
    bool folder;      /* a run folder, else a table                      */
    photo_prompts prompts; /* of a folder: what its photographs are asked with */
    tare_job *reader; /* of a folder: the audit whose arena holds the cube */
    arena a;          /* of a table                                      */
} cube_input;

/* `table` (NULL: the defaults) is for tables; a folder knows its own settings. A run that was
 * stopped is refused: it is finished with tare audit. Errors: DATA (no run, not finished, and those
 * of cube_from_table), IO, MEMORY, LIMIT, USAGE. */
tare_status cube_open(cube_input *out, tare_context *context, const char *path,
                      const cube_table_options *table, tare_error *err);
void cube_close(cube_input *x); /* also after an error, and of all zeros */

#endif
