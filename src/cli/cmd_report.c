#include <unistd.h>

#include "cli/cli.h"

/* The run folder is looked at here so that a mistyped name is not taken for photographs. */
static int check_run(const char *folder)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/run.sqlite", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return fail_usage("report", "the name of the folder is too long");
    if (access(path, F_OK) == 0) return 0;
    fprintf(stderr,
            "tare report: %s: not a run folder: it holds no run.sqlite (a report on a score table "
            "is made again by tare audit)\n",
            folder);
    return EXIT_DATA;
}

static int run_report(const cli_arguments *args)
{
    if (args->input_count == 0) return fail_usage("report", "which run folder?");
    const char *folder = argument_text(args, "output");
    int code = check_run(args->inputs[0]);
    if (code) return code;
    job_session s;
    code = job_session_open(&s, args, "audit");
    if (!code) code = job_session_input(&s, args->inputs[0]);
    if (!code) code = job_session_finish(&s, folder ? folder : args->inputs[0]);
    job_session_close(&s);
    return code;
}

static const tare_option_info options[] = {
    {"output", "FOLDER", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "write the report here instead of into the run folder", "Output"},
};

static const tare_job_info info = {
    .name = "report",
    .summary = "write the report of a finished run again",
    .inputs = "RUN/",
    .details = "Computes the readings of a run folder again from the scores that are stored in it "
               "and writes readings, tables, figures and report.html. A finished run "
               "needs no photographs for that; one that was stopped is finished first.",
    .examples = "tare report out/\ntare report out/ -o second/",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

const cli_command report_command = {&info, run_report, 1};
