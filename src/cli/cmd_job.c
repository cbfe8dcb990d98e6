#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int job_session_open(job_session *s, const cli_arguments *args, const char *job)
{
    *s = (job_session){.args = args};
    progress_line_begin(&s->line, args);
    tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
    options.threads = (unsigned)strtoul(argument_text(args, "threads"), NULL, 10);
    options.user = &s->line;
    options.message = progress_line_message;
    options.progress = progress_line_show;
    tare_error err = {TARE_OK, "", "", ""};
    if (tare_context_new(&s->context, &options, &err)
        || tare_job_new(&s->job, s->context, job, &err))
        return fail_error(args->command.info->name, &err);
    return 0;
}

int job_session_set(job_session *s, const char *option, const char *value)
{
    tare_error err = {TARE_OK, "", "", ""};
    if (!tare_job_set(s->job, option, value, &err)) return 0;
    return fail_error(s->args->command.info->name, &err);
}

int job_session_input(job_session *s, const char *path)
{
    tare_error err = {TARE_OK, "", "", ""};
    if (!tare_job_input(s->job, path, &err)) return 0;
    return fail_error(s->args->command.info->name, &err);
}

static tare_status show(job_session *s, const char *folder, tare_error *err)
{
    char *summary = NULL;
    tare_status status = TARE_OK;
    bool answered = tare_job_answer(s->job, 0) || tare_job_reading_count(s->job);
    if (folder && answered) status = tare_report_write(s->job, folder, err);
    if (!status)
        status = tare_report_summary(&summary, s->job, terminal_columns(stdout),
                                     use_colour(s->args, stdout), err);
    if (!status) print_words(stdout, summary);
    tare_text_free(s->context, summary);
    if (status || s->line.quiet || !answered) return status;
    fflush(stdout);
    if (folder) {
        size_t length = strlen(folder);
        fprintf(stderr, "report: %s%sreport.html\n", folder,
                length && folder[length - 1] == '/' ? "" : "/");
    } else {
        fputs("no report was written; for one, name a folder: -o FOLDER\n", stderr);
    }
    return status;
}

int job_session_finish(job_session *s, const char *folder)
{
    tare_error err = {TARE_OK, "", "", ""};
    interrupt_watch(s->context);
    tare_status status = tare_job_run(s->job, &err);
    progress_line_clear(&s->line);
    if (!folder) folder = tare_job_folder(s->job);
    if (!status) status = show(s, folder, &err);
    interrupt_end();
    if (status) return fail_error(s->args->command.info->name, &err);
    return tare_job_unmet(s->job) ? EXIT_UNMET : EXIT_DONE;
}

void job_session_close(job_session *s)
{
    tare_job_free(s->job);
    tare_context_free(s->context);
}

static bool of_command(const tare_job_info *info, const tare_option_info *option)
{
    for (size_t i = 0; i < info->option_count; i++)
        if (&info->options[i] == option) return true;
    return false;
}

int run_job_command(const cli_arguments *args)
{
    const tare_job_info *info = args->command.info;
    job_session s;
    int code = job_session_open(&s, args, info->name);
    for (size_t i = 0; i < args->value_count && !code; i++)
        if (of_command(info, args->values[i].option))
            code = job_session_set(&s, args->values[i].option->name, args->values[i].text);
    for (size_t i = 0; i < args->input_count && !code; i++)
        code = job_session_input(&s, args->inputs[i]);
    if (!code) code = job_session_finish(&s, argument_text(args, "output"));
    job_session_close(&s);
    return code;
}
