/* exec_split.h - a command line to words, without a shell (scorers 1.5).
 *
 * Blanks separate words. Outside quotes a backslash makes the next character an ordinary one.
 * Between single quotes everything is ordinary. Between double quotes a backslash before a double
 * quote or a backslash makes that ordinary; before anything else it stays. Pieces that touch are
 * one word, and '' or "" is an empty word. Nothing else is special: no variables, patterns, ~, ; or
 * redirections. */
#ifndef SCORER_EXEC_SPLIT_H
#define SCORER_EXEC_SPLIT_H

#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

#define EXEC_WORDS_MAX 256
#define EXEC_COMMAND_MAX 32768

/* *out: *count words in the arena, with a NULL after the last. Errors: USAGE (no word, open quote,
 * a backslash at the end, too long), MEMORY. */
tare_status exec_split(char ***out, size_t *count, arena *a, const char *command, tare_error *err);

#endif
