#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Where `make demo` puts the photographs, seen from the source folder. */
#define MADE_HERE "build/demo/photos"

const char *demo_folder(void)
{
    const char *named = getenv("TARE_DEMO_PHOTOS");
    if (named && *named) return named;
    return access(MADE_HERE "/manifest.csv", R_OK) == 0 ? MADE_HERE : NULL;
}

/* Two instruments whose preference is known stand beside the real one. */
static const struct { const char *option, *value; } settings[] = {
    {"scorer", "brisque:"},
    {"scorer", "planted:fidelity=0.05,noise=0.2"},
    {"scorer", "planted:attribute=0.05,noise=0.2"},
    {"axis", "skin"},
};

static int run_demo(const cli_arguments *args)
{
    const char *folder = args->input_count ? args->inputs[0] : demo_folder();
    if (!folder) {
        fputs("tare demo: there are no demo photographs here; run `make demo` in the source "
              "folder, or name a folder of portraits: tare demo FOLDER\n", stderr);
        return EXIT_DATA;
    }
    if (access(folder, F_OK)) {
        fprintf(stderr, "tare demo: %s: %s\n", folder, strerror(errno));
        return EXIT_DATA;
    }
    char manifest[4096];
    int length = snprintf(manifest, sizeof manifest, "%s/manifest.csv", folder);
    if (length < 0 || (size_t)length >= sizeof manifest)
        return fail_usage("demo", "the name of the folder is too long");
    job_session s;
    int code = job_session_open(&s, args, "audit");
    for (size_t i = 0; i < sizeof settings / sizeof *settings && !code; i++)
        code = job_session_set(&s, settings[i].option, settings[i].value);
    if (!code && access(manifest, R_OK) == 0) code = job_session_set(&s, "manifest", manifest);
    const char *output = argument_text(args, "output");
    if (!code) code = job_session_set(&s, "output", output);
    if (!code) code = job_session_input(&s, folder);
    if (!code) code = job_session_finish(&s, output);
    job_session_close(&s);
    return code;
}

static const tare_option_info options[] = {
    {"output", "FOLDER", TARE_OPTION_PATH, "tare-demo", NULL, 0, 0, 0,
     "run folder, with the report in it", "Output"},
};

static const tare_job_info info = {
    .name = "demo",
    .summary = "audit BRISQUE on demo photographs, beside two planted scorers",
    .inputs = "[FOLDER]",
    .details = "Runs tare audit on the folder, with the axis skin, its manifest.csv if there is "
               "one, and three scorers: BRISQUE, and two whose preference is known, one for the "
               "original and one for light skin. Without FOLDER, the photographs that `make demo` "
               "fetched are taken, or those in the folder that TARE_DEMO_PHOTOS names.\n\n"
               "The photographs are few, so the answer about BRISQUE is an honest small one. The "
               "rows of the planted scorers show what this design can see.",
    .examples = "tare demo\ntare demo portraits/ -o out/",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

const cli_command demo_command = {&info, run_demo, 1};
