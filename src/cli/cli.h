/* cli.h - the program around the library: it uses tare.h and nothing else of tare.
 *
 * A command is described by the same struct as a job (tare_job_info). Parser, help, manual pages,
 * completion and the JSON description are made from these descriptions alone. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tare.h"

/* ---- commands and their options -------------------------------------------- */

struct cli_arguments;

typedef struct cli_command {
    const tare_job_info *info;
    int (*run)(const struct cli_arguments *args); /* gives the exit code */
    size_t most_inputs;                           /* SIZE_MAX: any number */
} cli_command;

/* The jobs of the library, then the commands of the program itself. False past the end. */
bool command_at(cli_command *out, size_t index);
bool command_find(cli_command *out, const char *name);

/* Options that every command takes. */
extern const tare_option_info common_options[];
extern const size_t common_option_count;

/* Option number `index` of a command: its own, then the common ones. NULL past the end. */
const tare_option_info *option_at(const tare_job_info *info, size_t index);
/* The same in the order of the headings (`section`), which stand where they first appear in the
 * table; *opens says that the option is the first below its heading. */
const tare_option_info *option_by_section(const tare_job_info *info, size_t index, bool *opens);
/* The one-letter form of an option, or 0. */
char option_letter(const char *name);

/* ---- the command line, read --------------------------------------------------- */

typedef struct cli_value {
    const tare_option_info *option;
    const char *text; /* "yes" or "no" for flags */
} cli_value;

typedef struct cli_arguments {
    cli_command command;
    cli_value *values;
    size_t value_count;
    const char **inputs;
    size_t input_count;
} cli_arguments;

/* Read argv[2...] of `command`. 0, or the exit code after one line on stderr. */
int arguments_read(cli_arguments *out, const cli_command *command, int argc, char **argv);
void arguments_free(cli_arguments *args);
/* The last value given, else the default of the table; NULL if neither is there. */
const char *argument_text(const cli_arguments *args, const char *option);
bool argument_flag(const cli_arguments *args, const char *option);

/* The name of `count` candidates that `word` is most likely a misspelling of, or NULL. */
const char *nearest_name(const char *word, const char *(*name)(const void *list, size_t index),
                         const void *list);

/* ---- what goes out ---------------------------------------------------------- */

typedef struct exit_meaning {
    int code;
    const char *meaning;
} exit_meaning;
extern const exit_meaning exit_meanings[]; /* ends with a NULL meaning */

enum { EXIT_DONE = 0, EXIT_UNMET = 1, EXIT_USAGE = 2, EXIT_DATA = 3, EXIT_INSTRUMENT = 4,
       EXIT_INCOMPLETE = 5, EXIT_BUG = 70, EXIT_INTERRUPTED = 130 };

int exit_code(tare_status status);
/* One line on stderr, and the exit code for it. `command` may be NULL. */
int fail_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int fail_error(const char *command, const tare_error *err);
int fail_memory(const char *command);

/* Colour on this stream? The option --colour decides, else terminal, NO_COLOR and TERM. */
bool use_colour(const cli_arguments *args, FILE *stream);
/* Columns of the terminal behind a stream; where it is none, those that COLUMNS says, or 80. */
unsigned terminal_columns(FILE *stream);
/* Words of `text` filled to `width` columns; all lines but the first begin with `indent` blanks. */
void print_filled(FILE *f, const char *text, unsigned indent, unsigned start, unsigned width);

/* UTF-8, or ASCII where the stream is a terminal whose locale is not UTF-8. */
void print_words(FILE *f, const char *text);
void print_overview(FILE *f);
void print_help(FILE *f, const cli_command *command);
void print_man_overview(FILE *f);
void print_man_page(FILE *f, const cli_command *command);
void print_json(FILE *f, const cli_command *only); /* NULL: all commands */
bool print_completion(FILE *f, const char *shell); /* false: unknown shell */

/* ---- while a job runs --------------------------------------------------------- */

/* Messages and progress on stderr: a line that is rewritten on a terminal, else one every few
 * seconds. It is the `user` of the context. */
typedef struct progress_line {
    bool quiet, verbose, terminal;
    bool shown; /* a line stands on the terminal that must be cleared first */
    double last;
    char step[64];
} progress_line;
void progress_line_begin(progress_line *line, const cli_arguments *args);
void progress_line_show(void *line, const tare_progress *progress);
void progress_line_message(void *line, tare_level level, const char *text);
void progress_line_clear(progress_line *line);

/* First interrupt: the context is asked to stop. Second: the program ends with 130. */
void interrupt_watch(tare_context *context);
void interrupt_end(void);
/* A pipe that nobody reads makes writes fail instead of ending the program: it may be a scorer's.
 * pipe_broken: that has happened. */
void pipe_watch(void);
bool pipe_broken(void);

/* A job from the command line, run, and shown. */
typedef struct job_session {
    const cli_arguments *args;
    progress_line line;
    tare_context *context;
    tare_job *job;
} job_session;
int job_session_open(job_session *s, const cli_arguments *args, const char *job);
int job_session_set(job_session *s, const char *option, const char *value);
int job_session_input(job_session *s, const char *path);
/* Run, write the report into `folder` (NULL: none), print the summary. */
int job_session_finish(job_session *s, const char *folder);
void job_session_close(job_session *s);

/* The folder of demo photographs: that of TARE_DEMO_PHOTOS, or the one `make demo` made below the
 * current folder; NULL if there is neither. */
const char *demo_folder(void);

/* ---- the commands ------------------------------------------------------------- */

int run_job_command(const cli_arguments *args);
int unknown_command(const char *word); /* usage error that names the nearest command */
extern const cli_command report_command, doctor_command, demo_command, help_command,
    version_command, completion_command;

#endif
