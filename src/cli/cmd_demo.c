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

/* The NSFW filter and what computes it, seen from the source folder. */
#define FILTER_HERE "build/deps/nsfwjs"
#define LIBRARY_HERE "build/deps/libonnxruntime.so.1"

/* NULL, and says why on stderr: the filter is left out. */
static const char *demo_filter(void)
{
    const char *named = getenv("TARE_DEMO_NSFW"), *folder = named && *named ? named : FILTER_HERE;
    const tare_backend_info *info;
    tare_context *context = NULL;
    tare_error err = {TARE_OK, "", "", ""};
    static char spec[4200];
    size_t index = 0;
    int length = snprintf(spec, sizeof spec, "nsfw:%s/model.min.js", folder);
    if (length < 0 || (size_t)length >= sizeof spec || access(spec + strlen("nsfw:"), R_OK)) {
        fprintf(stderr, "tare demo: without the NSFW filter, which is not in %s; "
                "tools/fetch_nsfwjs.sh fetches it\n", folder);
        return NULL;
    }
    if (!getenv("TARE_ORT_LIB") && access(LIBRARY_HERE, R_OK) == 0)
        setenv("TARE_ORT_LIB", LIBRARY_HERE, 1); /* before there are threads */
    while ((info = tare_backend_info_at(index)) != NULL && strcmp(info->scheme, "onnx") != 0)
        index++;
    if (tare_context_new(&context, NULL, &err) || tare_backend_check(context, index, &err)) {
        fprintf(stderr, "tare demo: without the NSFW filter, for ONNX Runtime is missing; "
                "tools/fetch_onnxruntime.sh fetches it\n");
        tare_context_free(context);
        return NULL;
    }
    tare_context_free(context);
    return spec;
}

/* Two instruments whose preference is known stand beside the real ones. */
static const struct { const char *option, *value; } settings[] = {
    {"scorer", "brisque:"},
    {"scorer", NULL}, /* the filter */
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
    const char *filter = demo_filter();
    job_session s;
    int code = job_session_open(&s, args, "audit");
    for (size_t i = 0; i < sizeof settings / sizeof *settings && !code; i++) {
        const char *value = settings[i].value ? settings[i].value : filter;
        if (value) code = job_session_set(&s, settings[i].option, value);
    }
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
    .summary = "audit BRISQUE and an NSFW filter on demo photographs",
    .inputs = "[FOLDER]",
    .details = "Runs tare audit on the folder, with the axis skin, its manifest.csv if there is "
               "one, and four scorers: BRISQUE; the NSFW filter of nsfwjs; and two whose "
               "preference is known, one for the original and one for light skin. Without FOLDER, "
               "the photographs that `make demo` fetched are taken, or those in the folder that "
               "TARE_DEMO_PHOTOS names.\n\n"
               "The filter's model is looked for where `make demo` puts it, or in the folder that "
               "TARE_DEMO_NSFW names. Without it, or without ONNX Runtime, it is left out.\n\n"
               "The photographs are few, so the answers about the real scorers are honest small "
               "ones. The rows of the planted scorers show what this design can see.",
    .examples = "tare demo\ntare demo portraits/ -o out/",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

const cli_command demo_command = {&info, run_demo, 1};
