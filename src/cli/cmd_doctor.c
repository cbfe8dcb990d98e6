#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Which file is wrong, and why. */
static void print_reason(const tare_error *err)
{
    char words[sizeof err->where + sizeof err->message + 2];
    snprintf(words, sizeof words, "%s%s%s", err->where, *err->where ? ": " : "", err->message);
    print_filled(stdout, words, 22, 22, 80);
}

static void print_check(const tare_backend_info *what, const tare_error *err)
{
    bool ok = err->status == TARE_OK;
    printf("  %-9s%-10s ", ok ? "ready" : "missing", what->scheme);
    if (ok) print_filled(stdout, what->summary, 22, 22, 80);
    else print_reason(err);
    if (ok && *err->message) { /* which library was found; what was tried */
        printf("%22s", "");
        print_filled(stdout, err->message, 22, 22, 80);
    }
}

static int check_scorers(tare_context *context, size_t *usable)
{
    const tare_backend_info *backend;
    *usable = 0;
    puts("\nscorers");
    for (size_t i = 0; (backend = tare_backend_info_at(i)) != NULL; i++) {
        tare_error err = {TARE_OK, "", "", ""};
        bool ok = !tare_backend_check(context, i, &err);
        if (err.status == TARE_E_MEMORY) return fail_error("doctor", &err);
        *usable += ok;
        print_check(backend, &err);
    }
    return 0;
}

/* What needs a library that is opened at run time, below what needs none. */
static void check_all(const char *always, const tare_backend_info *(*info_at)(size_t),
                      tare_status (*check)(size_t, tare_error *))
{
    const tare_backend_info *info;
    puts(always);
    for (size_t i = 0; (info = info_at(i)) != NULL; i++) {
        tare_error err = {TARE_OK, "", "", ""};
        check(i, &err);
        print_check(info, &err);
    }
}

static int run_doctor(const cli_arguments *args)
{
    const char *library = argument_text(args, "ort");
    tare_context *context = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    /* Before there are threads: checks of the library take no options. */
    if (library) setenv("TARE_ORT_LIB", library, 1);
    if (tare_context_new(&context, NULL, &err)) return fail_error("doctor", &err);
    printf("tare %s\n", tare_version());
    printf("processors: %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    puts("at run time no network, browser, Python or Node is needed;"
         " a report opens in any browser");
    size_t usable = 0;
    int code = check_scorers(context, &usable);
    check_all("\ntables: CSV, TSV and JSON lines, plain or gzip, are always read",
              tare_reader_info_at, tare_reader_check);
    check_all("\nphotographs: JPEG, PNG, WebP and TIFF are always read", tare_format_info_at,
              tare_format_check);
    const char *photos = demo_folder();
    if (photos) printf("\ndemo photographs: %s\n", photos);
    else puts("\ndemo photographs: not here; `make demo` in the source folder fetches them");
    tare_context_free(context);
    if (!code && !usable) code = EXIT_INSTRUMENT;
    return code;
}

static const tare_option_info options[] = {
    {"ort", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,
     "ONNX Runtime's library (else TARE_ORT_LIB, else where the system has it)", "Instruments"},
};

static const tare_job_info info = {
    .name = "doctor",
    .summary = "say what can be used here, and what is missing",
    .inputs = "",
    .details = "Checks every scorer back end and optional reader of tables and photographs, and "
               "says how to get what it lacks. Scorers that need no file of yours are asked for "
               "the scores of drawn images again, and in a batch: they must be the same. Exits "
               "with 4 if no scorer can be used.",
    .examples = "tare doctor\ntare doctor --ort /opt/onnxruntime/lib/libonnxruntime.so",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

const cli_command doctor_command = {&info, run_doctor, 0};
