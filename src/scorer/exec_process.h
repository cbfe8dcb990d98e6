/* exec_process.h - a child process with lines going in and out.
 *
 * No shell and no signal handler: the child leads a process group of its own, its standard input is
 * a socket (so that a dead reader is an error here and not a SIGPIPE), its error output goes to a
 * file. Every wait ends at a deadline or soon after the context is asked to stop. */
#ifndef SCORER_EXEC_PROCESS_H
#define SCORER_EXEC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/context.h"
#include "base/text.h"
#include "tare.h"

#define EXEC_LINE_MAX ((size_t)16 << 20)

typedef struct exec_process {
    pid_t pid; /* 0: none */
    int in, out;
    text buffer;           /* what was read                                    */
    size_t taken, scanned; /* bytes done with; bytes known to hold no line end */
} exec_process;

typedef enum exec_outcome {
    EXEC_LINE, EXEC_ENDED, EXEC_TIMEOUT, EXEC_TOO_LONG, EXEC_STOPPED, EXEC_MEMORY
} exec_outcome;

void exec_process_init(exec_process *p, const mem *m);
/* Words end with NULL; the program is looked up in PATH. log_path NULL: error output is dropped.
 * Errors: INSTRUMENT (cannot be started), IO. */
tare_status exec_process_start(exec_process *p, char *const *words, const char *log_path,
                               tare_error *err);
/* Send `length` bytes (may be 0) and wait for one line, until `deadline` on os_seconds(). The line,
 * without its end, is valid until the next call. Once sent, waiting may go on with length 0. */
exec_outcome exec_process_exchange(exec_process *p, const char **line, size_t *line_length,
                                   const tare_context *context, const char *bytes, size_t length,
                                   double deadline);
/* End of input, then `grace` seconds, then the whole process group is killed; the child is reaped.
 * `how` (may be NULL) tells how it ended: "exit status 1", "signal 9". */
void exec_process_end(exec_process *p, double grace, char *how, size_t how_size);
void exec_process_free(exec_process *p); /* ends it first, if need be */

#endif
